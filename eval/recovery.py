"""Recovery: an agent's answers to one instance, carried on by the executor round by round."""

from collections.abc import Mapping
from typing import Any

from environment import opening
from environment.executor import Environment, Execution, Round, Snapshot, Start, execute
from eval.agents import Agent, NoAnswerError
from models.reading import UNREAD, Answer, read_answer
from trajectory.calls import write_calls
from trajectory.instance import Instance, view
from trajectory.plan import Plan, write_plan

Row = dict[str, Any]


class Conversation:
    """The planner that an executor asks: shows snapshots to an agent and reads its answers.

    texts: the raw answers, one a round, None where the agent carried on. first: how the first
    was read; it answers the instance itself and stands before the first round.
    """

    def __init__(self, instance: Instance, agent: Agent) -> None:
        self._instance = instance
        self._agent = agent
        try:
            text = agent.answer(view(instance), 0) or ""
            self.first = read_answer(text)
        except NoAnswerError as error:
            text = error.text
            self.first = Answer("", None, (), UNREAD, error.reason)
        self.texts: list[str | None] = [text]
        self._asked = False

    def __call__(self, snapshot: Snapshot) -> Plan | None:
        """Answer a snapshot; None where the agent carries on or its answer can't be read."""
        if not self._asked:
            self._asked = True
            return self.first.plan
        try:
            text = self._agent.answer(seen(self._instance, snapshot), len(self.texts))
        except NoAnswerError:
            text = None
        self.texts.append(text)
        return None if text is None else read_answer(text).plan


def seen(instance: Instance, snapshot: Snapshot) -> Mapping[str, Any]:
    """Return what a model may see of an instance as it stands at a snapshot."""
    return {
        **view(instance),
        "plan": write_plan(snapshot.plan),
        "tool_results": write_calls(snapshot.tool_results),
        "history": [write_calls(calls) for calls in snapshot.history],
    }


def recover(
    instance: Instance,
    start: Start,
    agent: Agent,
    environment: Environment | None = None,
    *,
    replan_only: bool = False,
) -> Row:
    """Return the row of one (id, sample), without id, sample, usage, cost and seconds.

    start: of the instance. environment: where it stood then; None: the instance's own. An answer
    in which no plan can be read, or none at all, is model_invalid and is not carried on.
    """
    conversation = Conversation(instance, agent)
    first = conversation.first
    row = _answer_part(conversation.texts[0] or "", first)
    if first.plan is None or replan_only:
        return {**row, "rounds": None, "completed": None, "ending": None, "state": None}
    place = environment or opening.environment(instance, start)
    run = execute(start, conversation, place)
    return {**row, **rounds_part(run, conversation.texts), "state": place.digest()}


def _answer_part(text: str, answer: Answer) -> Row:
    return {
        "outcome": "ok" if answer.plan is not None else "model_invalid",
        "raw_output": text,
        "thought": answer.thought,
        "diagnosis": [
            {"node": one.node, "type": one.type, "reason": one.reason} for one in answer.diagnosis
        ],
        "plan": None if answer.plan is None else write_plan(answer.plan),
        "how": answer.how,
        "reason": answer.reason,
    }


def rounds_part(run: Execution, texts: list[str | None]) -> Row:
    """Return rounds, completion and ending of a row; `texts` are the answers, one a round."""
    # The first answer stands in raw_output.
    later = [None, *texts[1:]]
    return {
        "rounds": [_round(one, text) for one, text in zip(run.rounds, later, strict=True)],
        "completed": run.completed,
        "ending": run.ending,
    }


def _round(one: Round, text: str | None) -> Row:
    return {
        "round": one.number,
        "answer": text,
        "calls": write_calls(entry.to_call() for entry in one.entries),
        "response": one.response,
    }
