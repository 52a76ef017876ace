"""Leakage: how well trivial guessers tell faulty trajectories from clean ones, and what is wrong.

A guesser is a logistic regression over one thing that should tell nothing: the words of descs
without results, the ids of nodes, the order of keys, the order of nodes. It is trained and tried on
different tasks. Its area under the ROC curve (AUC) is 0.5 where it learns nothing (our own
definition; bounds 0.45 to 0.55). Over the whole plan it may learn something:
that is the cheap baseline beside which models stand.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from trajectory.error_types import ErrorType
from trajectory.instance import Instance
from trajectory.plan import RESPONSE, ROOT

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

Words = Callable[[Instance], str]

LOW, HIGH = 0.45, 0.55
_FOLDS: Final = 10
_RESAMPLES: Final = 400
_RESULT: Final = "Result: "
_ALL: Final = "all"


class Auc(NamedTuple):
    """An AUC over so many faulty instances against all controls, with its 95% interval by task."""

    of: str
    n: int
    value: float
    low: float
    high: float


# --- what a guesser sees -----------------------------------------------------------------------


def _nodes(instance: Instance) -> list[Mapping[str, Any]]:
    return [node for node in instance.plan["tasks"] if node["id"] not in (ROOT, RESPONSE)]


def descs(instance: Instance) -> str:
    """Return the descs of a plan without results; those of root and response are among them."""
    return " ".join(node["desc"].partition(_RESULT)[0] for node in instance.plan["tasks"])


def ids(instance: Instance) -> str:
    """Return the ids of a plan's nodes, sorted by their text: which there are, not their order."""
    return " ".join(sorted(str(node["id"]) for node in _nodes(instance)))


def key_order(instance: Instance) -> str:
    """Return the keys of nodes and of their arguments, each with the one before it."""
    orders = [list(node) for node in _nodes(instance)]
    orders += [list(node["para"]) for node in _nodes(instance) if isinstance(node["para"], dict)]
    return " ".join(
        "rises" if first <= second else "falls"
        for keys in orders
        for first, second in pairwise(keys)
    )


def node_order(instance: Instance) -> str:
    """Return how the list of nodes is ordered: whether ids rise, what runs first stands first.

    What the edges are is no order, so each plan says these things once, however many it has.
    """
    nodes = _nodes(instance)
    place = {node["id"]: number for number, node in enumerate(nodes)}
    rises = all(_number(first) <= _number(second) for first, second in pairwise(nodes))
    behind = all(
        place[dep] < place[node["id"]] for node in nodes for dep in node["dep"] if dep in place
    )
    ran = [bool(node["status"]) for node in nodes]
    tasks = [node["id"] for node in instance.plan["tasks"]]
    ends = tasks[:1] == [ROOT], tasks[-1:] == [RESPONSE]
    return f"rises{rises} behind{behind} ran{ran == sorted(ran, reverse=True)} ends{ends}"


def _number(node: Mapping[str, Any]) -> int:
    digits = "".join(char for char in str(node["id"]) if char.isdigit())
    return int(digits or 0)


def whole(instance: Instance) -> str:
    """Return the whole plan as text."""
    return json.dumps(instance.plan, ensure_ascii=False)


# Those that must tell nothing; the last is printed only.
BLIND: Final[Mapping[str, Words]] = {
    "desc": descs,
    "ids": ids,
    "key order": key_order,
    "node order": node_order,
}
OPEN: Final[Mapping[str, Words]] = {"whole plan": whole}


# --- guessing ----------------------------------------------------------------------------------


def aucs(faulty: Sequence[Instance], controls: Sequence[Instance], words: Words) -> list[Auc]:
    """Return the AUC over all faulty instances, then of each error type, against the controls."""
    import numpy as np

    every = [*faulty, *controls]
    truth = np.array([1] * len(faulty) + [0] * len(controls))
    tasks = np.unique([one.query_id for one in every], return_inverse=True)[1]
    scores = _scores([words(one) for one in every], truth, tasks)
    groups = {_ALL: np.ones(len(faulty), dtype=bool)}
    for kind in ErrorType:
        groups[kind.value] = np.array([kind.value in one.error_types for one in faulty])
    clean = np.ones(len(controls), dtype=bool)
    return [
        _auc(of, scores[mask], truth[mask], tasks[mask])
        for of, chosen in groups.items()
        if chosen.any()
        for mask in [np.concatenate([chosen, clean])]
    ]


def _scores(texts: Sequence[str], truth: Any, tasks: Any) -> "Floats":
    """Return how faulty each text looks to a guesser that has not seen its task, from 0 to 1.

    It is the rank among the texts of its fold: each guesser has a scale of its own.
    """
    import numpy as np
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import StratifiedGroupKFold
    from sklearn.pipeline import make_pipeline

    scores = np.full(len(texts), 0.5)
    if len(set(texts)) == 1:
        return scores
    seen = np.array(texts, dtype=object)
    folds = StratifiedGroupKFold(_FOLDS, shuffle=True, random_state=0)
    for known, new in folds.split(seen, truth, tasks):
        guesser = make_pipeline(
            TfidfVectorizer(tokenizer=str.split, token_pattern=None, ngram_range=(1, 2)),
            LogisticRegression(class_weight="balanced", max_iter=1000),
        )
        guesser.fit(seen[known], truth[known])
        found = guesser.decision_function(seen[new])
        order = np.sort(found)
        below, upto = np.searchsorted(order, found), np.searchsorted(order, found, side="right")
        scores[new] = (below + upto) / (2 * len(found))
    return scores


def _auc(of: str, scores: Any, truth: Any, tasks: Any) -> Auc:
    """Return an AUC with an interval from resampled tasks."""
    import numpy as np

    rng = np.random.default_rng(0)
    known, inverse = np.unique(tasks, return_inverse=True)
    drawn = []
    for _ in range(_RESAMPLES):
        times = np.bincount(rng.integers(len(known), size=len(known)), minlength=len(known))
        drawn.append(weighted_auc(scores, truth, times[inverse]))
    low, high = np.nanpercentile(drawn, [2.5, 97.5])
    value = weighted_auc(scores, truth, np.ones(len(scores)))
    return Auc(of, int(truth.sum()), value, float(low), float(high))


def weighted_auc(scores: Any, truth: Any, weights: Any) -> float:
    """Return the share of pairs of a faulty and a clean one that stand in the right order.

    Ties count half; nan where either side has no weight.
    """
    import numpy as np

    values, place = np.unique(scores, return_inverse=True)
    clean = np.bincount(place, weights * (truth == 0), len(values))
    faulty = np.bincount(place, weights * (truth == 1), len(values))
    below = np.cumsum(clean) - clean
    pairs = faulty.sum() * clean.sum()
    return float((faulty * (below + clean / 2)).sum() / pairs) if pairs else float("nan")


# --- where errors sit --------------------------------------------------------------------------


def most_frequent_type(faulty: Sequence[Instance]) -> tuple[str, float]:
    """Return the type that most instances have, and the share of instances that have it alone."""
    counts = {
        kind.value: sum(one.error_types == (kind.value,) for one in faulty) for kind in ErrorType
    }
    best = max(counts, key=lambda kind: counts[kind])
    return best, counts[best] / len(faulty)


def last_failed_node(faulty: Iterable[Instance]) -> float:
    """Return the share of instances whose only root cause is the last call that failed."""
    hits = [_guessed(one) for one in faulty]
    return sum(hits) / len(hits)


def _guessed(instance: Instance) -> bool:
    from trajectory.calls import call_outcome, read_calls

    rounds = [*instance.history, instance.tool_results]
    failed = [
        call.node
        for calls in rounds
        for call in read_calls(calls)
        if call_outcome(call.results) != "ok"
    ]
    return {error["root_cause"] for error in instance.errors} == {*failed[-1:]}
