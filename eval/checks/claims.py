"""Claims: what a thought states of plan and results, each held against what was shown.

A claim is right, wrong (something else was shown) or invented (it was never shown at all). Looked
for are: nodes; the tool of a node; edges; statuses; how calls went; parameters of a node's tool;
values of parameters; values and quoted words of results, plan and request; names of tools. Only
what is stated as a fact counts: wishes, intentions and expectations are read elsewhere. What is
told in other words than the lexicon has is not seen, and so neither right nor wrong.
"""

from eval.checks import plan_claims, result_claims
from eval.checks.reading import Claim, Reading


def claims(reading: Reading) -> list[Claim]:
    """Return all claims of a text in its order, each once."""
    found = [
        *plan_claims.nodes(reading),
        *plan_claims.edges(reading),
        *plan_claims.uses(reading),
        *result_claims.names(reading),
        *result_claims.paths(reading),
        *(one for one in plan_claims.pairs(reading) if not reading.is_intent(one.start)),
    ]
    for sentence, clause, intent in reading.clauses:
        if not intent:
            found += plan_claims.statuses(reading, sentence, clause)
            found += result_claims.outcomes(reading, sentence, clause)
            found += result_claims.parameters(reading, sentence, clause)
            found += result_claims.values(reading, sentence, clause)
    once = {(one.kind, one.about, one.verdict): one for one in reversed(found)}
    return sorted(once.values(), key=lambda one: (one.start, one.end, one.kind))
