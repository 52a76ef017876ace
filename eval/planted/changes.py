"""Every change, with the item that it is about and the score that this item then deserves."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from eval.planted import plans, thoughts
from eval.planted.scene import Scene, Told


@dataclass(frozen=True)
class Change:
    """One controlled change: the item, its right score, and what makes the answer.

    make raises NoPlaceError where the instance has no place for it.
    """

    item: str
    score: float
    make: Callable[[Scene], Told]

    @property
    def name(self) -> str:
        """What is done, in a few words."""
        return (self.make.__doc__ or "").strip().rstrip(".")


CHANGES: Final = (
    Change("S1", 1.0, thoughts.truth),
    Change("S1", 0.5, thoughts.one_act_more),
    Change("S1", 0.0, thoughts.other_acts),
    Change("S1", 0.0, thoughts.empty),
    Change("S2", 1.0, thoughts.truth),
    Change("S2", 0.0, plans.circle),
    Change("S2", 0.0, plans.dangling),
    Change("S2", 0.0, plans.data_without_edge),
    Change("S2", 0.5, plans.needless_edge),
    Change("S2", 0.5, plans.response_early),
    Change("S3", 1.0, thoughts.truth),
    Change("S3", 0.0, plans.unknown_tool),
    Change("S3", 0.5, plans.unknown_parameter),
    Change("S3", 0.5, plans.wrong_type),
    Change("S3", 0.5, plans.required_left_out),
    Change("S3", 0.0, plans.two_wrong_types),
    Change("S4", 1.0, thoughts.truth),
    Change("S4", 0.0, plans.response_done),
    Change("S4", 0.0, plans.all_done),
    Change("S4", 0.0, plans.two_done),
    Change("S4", 0.5, plans.one_done),
    Change("S4", 0.5, plans.one_reset),
    Change("D1", 1.0, thoughts.truth),
    Change("D1", 0.5, thoughts.one_status_wrong),
    Change("D1", 0.5, thoughts.one_edge_wrong),
    Change("D1", 0.0, thoughts.plan_misread),
    Change("D1", 0.0, thoughts.nodes_invented),
    Change("D1", 0.0, thoughts.repair_alone),
    Change("D2", 1.0, thoughts.truth),
    Change("D2", 0.5, thoughts.one_value_invented),
    Change("D2", 0.5, thoughts.one_outcome_wrong),
    Change("D2", 0.0, thoughts.results_invented),
    Change("D2", 0.0, thoughts.empty),
    Change("D2", 0.0, thoughts.copied),
    Change("D3", 1.0, thoughts.truth),
    Change("D3", 0.0, thoughts.false_root),
    Change("D3", 0.0, thoughts.no_cause),
    Change("D3", 0.5, thoughts.one_false_more),
    Change("D3", 0.5, thoughts.wrong_kind),
    Change("D3", 0.5, thoughts.one_of_several),
    Change("D4", 1.0, thoughts.truth),
    Change("D4", 0.0, thoughts.reach_denied),
    Change("D4", 0.0, thoughts.only_unreached),
    Change("D4", 0.5, thoughts.half_reached),
    Change("D4", 0.5, thoughts.one_unreached_more),
    Change("D5", 1.0, thoughts.truth),
    Change("D5", 0.5, thoughts.nothing_weighed),
    Change("D5", 0.0, thoughts.one_value_invented),
    Change("D5", 0.0, thoughts.several_invented),
    Change("D5", 0.0, thoughts.everything),
    Change("D5", 0.0, thoughts.praise),
    Change("E1", 1.0, thoughts.truth),
    Change("E1", 0.5, plans.one_value_more),
    Change("E1", 0.5, plans.one_step_more),
    Change("E1", 0.0, plans.anew),
    Change("E2", 1.0, thoughts.truth),
    Change("E2", 0.0, plans.nothing_mended),
    Change("E2", 0.5, plans.consumers_left),
    Change("E2", 0.5, plans.one_error_left),
    Change("E3", 1.0, thoughts.truth),
    Change("E3", 0.5, plans.one_goal_dropped),
    Change("E3", 0.5, plans.one_wish_changed),
    Change("E3", 0.0, plans.answered_at_once),
    Change("E4", 1.0, thoughts.truth),
    Change("E4", 0.5, plans.one_step_more),
    Change("E4", 0.0, plans.many_steps_more),
    Change("E4", 0.0, plans.anew),
)
