"""A model as the player of a run: how it is asked, what run.json says of that, what it may cost."""

import argparse
from collections.abc import Mapping
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Final

from eval.asking import Asker, ModelAgent, PlanStyle, Style, spent_on
from eval.few_shot import Example, examples
from eval.running import HarnessError, Once, Players
from eval.selection import Selection
from eval.spending import Spent
from models.budget import Budget
from models.client import Client, Note, Settings, sent_of
from models.counting import estimate
from models.prompting import Prompt, read_prompt
from models.trouble import FilteredError, LateError, OverflowedError
from trajectory import canonical
from trajectory.instance import Instance, view

if TYPE_CHECKING:
    from environment.executor import Environment, Start

_SIMULATOR: Final = ("tools", "history", "call")
# Of an answer, where nothing is known: a plan as long as the one that is shown, and a thought.
_THOUGHT_TOKENS: Final = 300


def players(options: argparse.Namespace, selection: Selection, stack: ExitStack) -> Players:
    """Return a model as the player; the thread that waits for it ends with the stack."""
    settings = _settings(options)
    budget = Budget(options.max_cost, options.max_tokens_total)
    many = {"concurrency": options.concurrency, "rpm": options.rpm, "budget": budget}
    client = Client(settings, **many)
    prompt = read_prompt(options.prompt)
    style, drawn = _style(options, selection, prompt)
    asked = _asked(options, settings, style, drawn)
    if options.dry_run:
        return Players(_never, asked=asked)
    asker = stack.enter_context(Asker())

    def agent_for(instance: Instance, sample: int, note: Note) -> ModelAgent:
        seed = None if options.seed is None else options.seed + sample
        return ModelAgent(asker, client, style, options.instance_seconds, seed, note)

    place = None
    if options.environment:
        simulator = Client(_simulator(options), **many)
        place = _Played(asker, simulator, read_prompt("simulator", _SIMULATOR))
    return Players(agent_for, place, asked, options.concurrency, budget)


def _never(*_: object) -> Any:
    raise AssertionError("a dry run asks nothing")


def _settings(options: argparse.Namespace) -> Settings:
    return Settings(
        options.model,
        base=options.api_base,
        temperature=options.temperature,
        top_p=options.top_p,
        max_tokens=options.max_tokens,
        seed=options.seed,
        call_seconds=options.call_seconds,
        seconds=options.instance_seconds,
    )


def _simulator(options: argparse.Namespace) -> Settings:
    name = options.environment.removeprefix("model:")
    return Settings(name, options.api_base, call_seconds=options.call_seconds)


def _style(
    options: argparse.Namespace, selection: Selection, prompt: Prompt
) -> tuple[Style, list[Example]]:
    if options.style == "chat":
        from eval.chatting import ChatStyle

        return ChatStyle(), []
    drawn: list[Example] = []
    if options.few_shot:
        tasks = {selection.labels[id].task for id in selection.ids}
        config = selection.shelf.config
        drawn = examples(options.few_shot, options.seed or 0, config, options.data, prompt, tasks)
    return PlanStyle(prompt, [(one.asked, one.answered) for one in drawn]), drawn


def _asked(
    options: argparse.Namespace, settings: Settings, style: Style, drawn: list[Example]
) -> dict[str, Any]:
    """Return what run.json says: parameters as they are sent, prompts by digest, examples by id."""
    prompts = {"chat": style.digest}
    if isinstance(style, PlanStyle):
        prompts = {style.prompt.name: style.prompt.digest}
    told: dict[str, Any] = {
        "parameters": {**settings.parameters(), "sent": sent_of(settings)},
        "prompts": prompts,
        "style": options.style,
    }
    if drawn:
        told["few_shot"] = [one.id for one in drawn]
    if options.environment:
        simulator = read_prompt("simulator", _SIMULATOR)
        told["environment"] = options.environment
        told["parameters"]["simulator"] = _simulator(options).parameters()
        told["prompts"][simulator.name] = simulator.digest
    return told


class _Played:
    """Makes environments whose tools a model plays."""

    def __init__(self, asker: Asker, client: Client, prompt: Prompt) -> None:
        self._asker = asker
        self._client = client
        self._prompt = prompt

    def __call__(self, instance: Instance, start: "Start", once: Once, note: Note) -> "Environment":
        """Return the environment of a row; once: asks for what was not said before."""
        from environment.played import Played
        from trajectory.tools import read_tools

        def ask(fields: Mapping[str, Any]) -> str:
            return once(lambda: self._said(fields, note))

        snapshot = start.snapshot
        past = (*snapshot.history, snapshot.tool_results)
        return Played(instance.tools, read_tools(instance.tools), past, ask)

    def _said(self, fields: Mapping[str, Any], note: Note) -> tuple[str, Spent]:
        """Ask; that there is no reply is no failure of the model under test."""
        question = self._client.ask(self._prompt.messages(fields), note=note)
        try:
            reply = self._asker.wait(question)
        except (LateError, OverflowedError, FilteredError) as error:
            raise HarnessError(f"no reply for a tool that a model plays: {error}") from None
        return reply.text, spent_on(reply)


def dry_run(options: argparse.Namespace, selection: Selection) -> str:
    """Return the first prompt, its tokens, and what the first answers of all rows may cost."""
    style, _ = _style(options, selection, read_prompt(options.prompt))
    instance = selection.shelf[selection.ids[0]]
    messages = list(style.messages(view(instance)))
    answer = len(canonical.dumps(instance.plan)) // 3 + _THOUGHT_TOKENS
    one = estimate(options.model, messages, answer)
    rows = len(selection.ids) * options.samples
    text = "\n\n".join(f"--- {each['role']}\n{each['content']}" for each in messages)
    cost = "unknown" if one.cost is None else f"about ${one.cost * rows:.4f}"
    return (
        f"{text}\n\n--- {instance.id}: {one.prompt} tokens, {one.fixed} of them the fixed part\n"
        f"first answers of {rows} rows like this one: {one.prompt * rows} tokens asked, about "
        f"{answer * rows} answered, cost {cost}; each further round costs as much again"
    )
