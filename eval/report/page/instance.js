// One instance: request, plan before and after, truth, rounds, an agent's answer.
"use strict";

PR.instance = (overview, list, tools, place, detail, rows, settings, neighbours) => {
  const known = overview.runs.map((run, number) => [run, rows[number]]).filter(([, some]) => some && some.length);
  const wanted = settings.get("run");
  const [run, some] = known.find(([one]) => one.name === wanted) ?? known[0] ?? [null, []];
  const row = some.find((one) => String(one.sample) === settings.get("sample")) ?? some[0] ?? null;
  const before = detail.rounds.map((calls, number) => ({ round: number + 1, calls }));
  const first = PR.graph("Plan as it was shown", detail.plan, attempts(before));
  const second = row && row.plan ? PR.graph("Plan of the answer", row.plan, attempts([...before, ...row.rounds])) : null;
  return PR.el("article", {},
    heading(detail, neighbours),
    PR.el("section", {}, PR.el("h2", {}, "Request"), PR.el("p", { class: "query" }, detail.query), toolList(detail, tools)),
    PR.el("section", {}, PR.el("h2", {}, "The plan as it was shown"), first, PR.legend()),
    truth(detail),
    PR.el("section", {}, PR.el("h2", {}, "The answer"), runChoice(known, run, row, some, detail, settings),
      row ? PR.answer(overview, run, row, detail.figures) : PR.el("p", {}, "No run has a row of this instance."),
      second ? PR.el("h3", {}, "The plan of the answer") : null, second,
      row && row.changes.length ? PR.el("p", { class: "small" }, `Changes: ${row.changes.map(changeInWords).join("; ")}.`) : null),
    rounds(detail, row, first, second),
    row ? PR.ratings(overview, row) : null,
    row ? PR.el("details", { open: row.plan === null }, PR.el("summary", {}, "The raw answer"), PR.el("pre", { class: "raw" }, row.raw)) : null);
};

// Return the calls of rounds by the node that made them.
function attempts(rounds) {
  const found = new Map();
  for (const { round, calls } of rounds) {
    for (const one of calls) found.set(one.node, [...(found.get(one.node) ?? []), { ...one, round }]);
  }
  return found;
}

function heading(detail, { before, after, back }) {
  return PR.el("div", { class: "heading" },
    PR.el("nav", { "aria-label": "Instances" },
      PR.el("a", { class: "button", href: back, id: "back" }, "‹ list"),
      before ? PR.el("a", { class: "button", href: before, id: "before" }, "previous") : null,
      after ? PR.el("a", { class: "button", href: after, id: "after" }, "next") : null),
    PR.el("h1", {}, detail.id),
    PR.el("p", { class: "facts-line" },
      [`level ${detail.level}`, detail.source, detail.agent, `task ${detail.task}`, `proof ${detail.proof}`,
        `rounds: gold ${detail.figures.rounds_gt ?? "–"}, optimum ${detail.figures.rounds_opt ?? "–"}`,
        `calls: gold ${detail.figures.calls_gt ?? "–"}, optimum ${detail.figures.calls_opt ?? "–"}`]
        .filter(Boolean).map((text) => PR.el("span", { class: "tag" }, text))));
}

function toolList(detail, tools) {
  return PR.el("details", {}, PR.el("summary", {}, `${detail.tools.length} tools`),
    detail.tools.map((number) => {
      const tool = tools[number]?.function ?? tools[number] ?? {};
      return PR.el("details", { class: "tool" }, PR.el("summary", {}, String(tool.name ?? "tool"), PR.el("small", {}, ` ${PR.short(tool.description ?? "", 140)}`)),
        PR.el("pre", {}, PR.json(tool)));
    }));
}

function truth(detail) {
  if (!detail.errors.length) return PR.el("section", {}, PR.el("h2", {}, "What is wrong"), PR.el("p", {}, "Nothing: a control."));
  const isProven = detail.proof !== "none";
  return PR.el("section", {}, PR.el("h2", {}, isProven ? "What is wrong, as proven" : "What is wrong, as labelled"),
    PR.el("p", {}, detail.reason),
    detail.errors.map((error, number) => PR.el("div", { class: "card" },
      PR.el("h3", {}, [detail.errors.length > 1 ? `${number + 1}. ` : "", error.type, error.root_cause ? ` at node ${error.root_cause}` : ""].join("")),
      PR.el("dl", { class: "facts" }, Object.entries(error).filter(([name, value]) => SAID.has(name) || !NOT_SAID.has(name) && !(Array.isArray(value) && !value.length))
        .flatMap(([name, value]) => [PR.el("dt", {}, name.replaceAll("_", " ")), PR.el("dd", {}, listed(value))])))),
    repairs(detail.repairs));
}

// What is said of an error even where it is an empty list, and what its head says already.
const SAID = new Set(["expected", "observed"]);
const NOT_SAID = new Set(["type", "root_cause"]);

// Return a list of ids as words, anything else as JSON.
function listed(value) {
  if (!Array.isArray(value) || !value.every((item) => typeof item === "string")) return PR.short(value, 400);
  return value.join(", ") || "nothing";
}

function repairs(all) {
  if (!all.length) return null;
  const one = (repair) => PR.el("ul", {}, repair.map((edit) => PR.el("li", {}, inWords(edit))));
  if (all.length === 1) return [PR.el("h3", {}, "The proven repair"), one(all[0])];
  return [PR.el("h3", {}, `${all.length} proven repairs, each of which does`),
    all.map((repair, number) => [PR.el("h4", {}, `Repair ${number + 1}`), one(repair)])];
}

function inWords(edit) {
  const value = PR.short(edit.value ?? "", 200);
  const words = {
    set_argument: `node ${edit.node}: set ${edit.parameter} to ${value}`,
    remove_argument: `node ${edit.node}: leave out ${edit.parameter}`,
    set_tool: `node ${edit.node}: call ${edit.tool}${edit.arguments ? ` with ${PR.short(edit.arguments, 300)}` : ""}`,
    add_node: `add node ${edit.node}: ${edit.tool} with ${PR.short(edit.arguments ?? {}, 300)}, after ${listed(edit.dep ?? [])}, before ${listed(edit.consumers ?? [])}`,
    add_edge: `node ${edit.node}: wait for ${edit.dep}`,
    remove_edge: `node ${edit.node}: do not wait for ${edit.dep}`,
    remove_node: `take node ${edit.node} out${edit.into ? `; node ${edit.into} stands in for it` : ""}`,
    retry: `make the call of node ${edit.node} again, as node ${edit.new}`,
  };
  return words[edit.op] ?? PR.short(edit, 400);
}

// A change of the answer: a node of the shown plan, and what about it.
function changeInWords([node, place]) {
  const [what, ...rest] = place.split(" ");
  const more = rest.join(" ");
  const words = {
    call: "calls another tool", para: more ? `other value of ${more}` : "other arguments", again: "runs again", anew: "made anew",
    removed: "taken out", dropped: "dropped although it ran", reset: "set to run again without need",
    "edge+": `waits for ${more}`, "edge-": `waits no longer for ${more}`, edge: "waits for what can't be read",
  };
  return what === "added" ? `added ${more}` : `${node} ${words[what] ?? place}`;
}

function runChoice(known, run, row, some, detail, settings) {
  if (!known.length) return null;
  const to = (changes) => {
    const next = new URLSearchParams(settings);
    for (const [name, value] of Object.entries(changes)) next.set(name, value);
    return PR.address("instance", detail.id, next);
  };
  const runs = PR.el("label", {}, PR.el("span", {}, "Run"),
    PR.el("select", { id: "run", name: "run", change: (event) => { location.hash = to({ run: event.target.value, sample: "" }); } },
      known.map(([one]) => PR.el("option", { value: one.name, selected: one === run }, `${one.label} · ${one.config}`))));
  const samples = some.length < 2 ? null : PR.el("label", {}, PR.el("span", {}, "Sample"),
    PR.el("select", { name: "sample", change: (event) => { location.hash = to({ run: run.name, sample: event.target.value }); } },
      some.map((one) => PR.el("option", { value: one.sample, selected: one === row }, `${one.sample}: ${one.outcome}`))));
  return PR.el("form", { class: "filters", submit: (event) => event.preventDefault() }, runs, samples);
}

// The rounds one at a time: those before the snapshot, then those after the answer.
function rounds(detail, row, first, second) {
  const steps = [
    ...detail.rounds.map((calls, number) => ({ title: `Round ${number + 1}, before the answer`, calls, where: first })),
    ...(row ? row.rounds : []).map((one) => ({ title: `Round ${one.round}, after the answer`, calls: one.calls, where: second, answer: one.answer, response: one.response })),
  ];
  if (!steps.length) return null;
  const shown = PR.el("div", { "aria-live": "polite" });
  const count = PR.el("span", { id: "round" });
  let at = Math.max(0, detail.rounds.length - 1);
  const show = (next) => {
    at = Math.min(steps.length - 1, Math.max(0, next));
    const step = steps[at];
    count.textContent = `${step.title} (${at + 1} of ${steps.length})`;
    for (const graph of [first, second]) if (graph) PR.pointOut(graph, graph === step.where ? step.calls.map((call) => call.node) : []);
    shown.replaceChildren(
      ...(step.answer ? [PR.el("details", {}, PR.el("summary", {}, "Answer before this round"), PR.el("pre", {}, step.answer))] : []),
      ...(step.calls.length ? step.calls.map(call) : [PR.el("p", {}, step.response ? "The response was given." : "Nothing was ready: an idle round.")]));
  };
  PR.step = (by) => show(at + by);
  show(at);
  return PR.el("section", {}, PR.el("h2", {}, "Rounds"),
    PR.el("div", { class: "pager" },
      PR.el("button", { type: "button", click: () => PR.step(-1), "aria-label": "previous round" }, "‹"), count,
      PR.el("button", { type: "button", click: () => PR.step(1), "aria-label": "next round" }, "›")),
    shown);
}

function call(one) {
  return PR.el("div", { class: `card call ${one.outcome}` },
    PR.el("p", {}, PR.el("strong", {}, `${one.node ?? ""} ${one.name ?? ""}`), " ", PR.el("span", { class: "tag" }, one.outcome)),
    PR.el("pre", {}, `${PR.json(one.arguments)}\n→ ${PR.json(one.result)}`));
}
