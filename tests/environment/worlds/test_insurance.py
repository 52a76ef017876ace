"""The insurance world: rules of premium and payout, claims and their withdrawal, refusals."""

import pytest

from environment.state import Row, State, View
from environment.world import ToolError
from environment.worlds import insurance


@pytest.fixture
def view() -> View:
    tables = insurance.WORLD.tables(7)
    state = State({("insurance", table): rows for table, rows in tables.items()})
    return View(state, "insurance")


@pytest.fixture
def policy(view: View) -> Row:
    return next(row for row in view.values("policies") if row["deductible"] == 250)


def test_policies_come_highest_sum_first(view: View, policy: Row) -> None:
    found = insurance.find_policies(view, policy["holder"])
    sums = [row["insured_value"] for row in found["policies"]]
    assert sums == sorted(sums, reverse=True)
    assert sum(sums) == found["total_insured"]
    assert insurance.show_policy(view, found["policy_ids"][0])["holder"] == policy["holder"]
    with pytest.raises(ToolError, match="Nemo Nobody holds no policy with us"):
        insurance.find_policies(view, "Nemo Nobody")


def test_extras_raise_a_premium_and_a_deductible_lowers_it(view: View) -> None:
    plain = insurance.quote_premium(view, "bicycle", 2000, "Oslo")
    assert plain["annual_premium"] == pytest.approx(12 + 120 * plain["risk_factor"])
    dear = insurance.quote_premium(view, "bicycle", 2000, "Oslo", ["legal aid"])
    cheap = insurance.quote_premium(view, "bicycle", 2000, "Oslo", deductible=500)
    assert cheap["annual_premium"] < plain["annual_premium"] < dear["annual_premium"]


def test_cover_ends_with_the_term(view: View, policy: Row) -> None:
    peril = policy["perils"][0]
    within = insurance.check_coverage(view, policy["policy_id"], [peril], policy["starts"])
    after = insurance.check_coverage(view, policy["policy_id"], [peril], policy["ends"])
    assert (within["covered"], after["not_covered"]) == ([peril], [peril])


def test_payouts_stop_at_the_sum_insured(view: View, policy: Row) -> None:
    key, peril = policy["policy_id"], policy["perils"][0]
    assert insurance.estimate_payout(view, key, peril, [200, 300.5])["payout"] == 250.5
    assert insurance.estimate_payout(view, key, peril, [100])["payout"] == 0
    most = insurance.estimate_payout(view, key, peril, [1e9])
    assert most["payout"] == policy["insured_value"] - 250


def test_an_event_is_claimed_once_and_within_the_term(view: View, policy: Row) -> None:
    key, peril = policy["policy_id"], policy["perils"][0]
    filed = insurance.file_claim(view, key, peril, "2026-03-02", 900)
    assert filed["expected_payout"] == 650
    with pytest.raises(ToolError, match=f"{peril} of 2026-03-02 is already claimed as cl-"):
        insurance.file_claim(view, key, peril, "2026-03-02", 800)
    with pytest.raises(ToolError, match="2026-03-03 has not come yet"):
        insurance.file_claim(view, key, peril, "2026-03-03", 800)
    with pytest.raises(ToolError, match="was not in force on 2020-01-01"):
        insurance.file_claim(view, key, peril, "2020-01-01", 800)
    insurance.withdraw_claim(view, filed["claim_id"])
    with pytest.raises(ToolError, match=f"claim '{filed['claim_id']}' does not exist"):
        insurance.withdraw_claim(view, filed["claim_id"])


def test_a_budget_passes_over_what_it_cannot_pay(view: View) -> None:
    everything = insurance.rank_claims(view, "theft", "largest")
    half = everything["total_payout"] / 2
    some = insurance.rank_claims(view, "theft", "largest", half)
    assert 0 < some["total_payout"] <= half
    assert set(some["claim_ids"]) < set(everything["claim_ids"])


def test_claims_are_settled_together_or_not_at_all(view: View) -> None:
    first, second, *_ = insurance.rank_claims(view, "theft", "oldest")["claim_ids"]
    insurance.settle_claims(view, [first])
    with pytest.raises(ToolError, match=f"claim {first} is settled already"):
        insurance.settle_claims(view, [second, first])
    assert second in insurance.rank_claims(view, "theft", "oldest")["claim_ids"]
    with pytest.raises(ToolError, match=f"claim {first} is settled and cannot be withdrawn"):
        insurance.withdraw_claim(view, first)
