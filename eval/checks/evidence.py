"""D1c, D2c and D5c: what the thought reads out of plan and results, and whether that is enough.

No rule reads praise or requests: only claims that can be looked up count. A chain of reasoning,
or a text in other words than the lexicon's, is beyond them.
"""

from collections.abc import Collection, Sequence
from typing import Final

from eval.checks import lexicon
from eval.checks.account import Account
from eval.checks.impact import spoken_of
from eval.checks.reading import Claim
from eval.checks.shown import PLAN, TOOL, flat
from eval.checks.structural import Verdict, listed


def plan_evidence(account: Account) -> Verdict:
    """Return D1c: whether the thought names and rightly reads the previous plan.

    Counted are claims of the tool of a node, of edges, of statuses and of how a node's call went
    (`claims`). 1: two or more are right, none is wrong or invented, and every root cause is spoken
    of. 0.5: one is right and none wrong, or more are right than wrong. 0: else, and
    where a root cause is not spoken of and no node is named. A node that is only named says
    nothing.
    """
    score, told = _evidence(account, PLAN)
    silent = sorted(account.case.roots - spoken_of(account))
    if silent and score:
        score = 0.5 if account.reading.text.nodes else 0.0
        return score, f"{told}; not spoken of: {listed(silent)}"
    return score, told


def tool_evidence(account: Account) -> Verdict:
    """Return D2c: whether it names and rightly reads tools, parameters, errors and values.

    Counted are claims of a node's tool, of parameters and their values, of how calls went, and
    of values and quoted words of results. 1: two or more are right and none is wrong or invented.
    0.5: one is right and none wrong, or more right than wrong. 0: else, where the
    thought is nothing but a copied result, and where it tells of no more than that calls failed
    or went well and what their messages say.
    """
    if account.copied:
        return 0.0, "a result is copied"
    right = [one for one in account.claims(TOOL) if one.verdict == "right"]
    if right and all(_is_bare(account, one) for one in right):
        return 0.0, "nothing but that calls failed or went well, and what was said of it"
    return _evidence(account, TOOL)


# Outcomes that anybody could tell from a status.
_BARE: Final = frozenset(("failed", "ok"))


def _is_bare(account: Account, claim: Claim) -> bool:
    """Say whether a claim only tells that a call failed or went well, or repeats its message."""
    if claim.kind == "outcome":
        return claim.about.split()[-1] in _BARE
    failed = (entry.result for entry in account.case.ledger if entry.outcome == "failed")
    return claim.kind == "value" and any(flat(claim.about) in flat(result) for result in failed)


def _evidence(account: Account, item: str) -> Verdict:
    if account.says_nothing:
        return 0.0, "there is no thought"
    claims = account.claims(item)
    right, wrong = _counts(claims)
    if right >= 2 and not wrong:
        return 1.0, _told(claims)
    return (0.5 if right > wrong else 0.0), _told(claims)


def restraint(account: Account, cause: float, false: Collection[str]) -> Verdict:
    """Return D5c: whether there is enough independent evidence, and nothing invented.

    cause: D3c; false: the false causes. 1: the cause is named (above 0), two or more claims of
    different kinds are right, none is wrong or invented, no false cause is named, and words rule
    something out or name what stays uncertain. 0.5: the cause is named, some claims are right and
    none is wrong or invented, with no more than one false cause. 0: else. Whether what is ruled
    out is a likely cause cannot be seen.
    """
    claims = account.claims()
    right, wrong = _counts(claims)
    kinds = {one.kind for one in claims if one.verdict == "right"}
    told = _told(claims) + ("; a false cause is named" if false else "")
    if account.says_nothing or account.copied or not right or not cause:
        return 0.0, told
    if wrong or len(false) > 1:
        return 0.0, told
    if len(kinds) < 2 or false:
        return 0.5, told
    weighed = bool(lexicon.WEIGHED.search(account.reading.text.text))
    return (1.0, told) if weighed else (0.5, f"{told}; nothing is ruled out or left open")


def _counts(claims: Sequence[Claim]) -> tuple[int, int]:
    right = sum(one.verdict == "right" for one in claims)
    return right, len(claims) - right


def _told(claims: Sequence[Claim]) -> str:
    bad = [f"{one.verdict}: {one.kind} {one.about}" for one in claims if one.verdict != "right"]
    right, _ = _counts(claims)
    return listed([f"{right} right", *bad], 4)
