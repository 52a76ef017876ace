// The first view: scores, heat maps of error types, how each run was made.
"use strict";

PR.overview = (data) => {
  const configs = [...new Set(data.runs.map((run) => run.config))];
  return PR.el("div", {},
    PR.el("h1", {}, "Scores"),
    PR.el("p", { class: "lead" },
      `${PR.count(data.runs.length, "run")} over ${PR.count(configs.length, "config")}. `
      + "Percent, strict, with 95% intervals over tasks; no interval under 30 tasks."),
    configs.map((config) => ofConfig(data, config)),
    PR.el("h2", {}, "How each run was made"),
    data.runs.map(made));
};

function ofConfig(data, config) {
  const runs = data.runs.filter((run) => run.config === config);
  const all = runs[0].figures.all ?? {};
  const first = Object.values(all)[0] ?? [null, null, null, 0, 0];
  return PR.el("section", {},
    PR.el("h2", {}, PR.words(config), PR.el("small", {}, ` ${runs[0].edition} · ${PR.count(first[3], "instance")} of ${PR.count(first[4], "task")}`)),
    board(data, config, runs),
    heatMap(data, config, runs));
}

function board(data, config, runs) {
  const has = (metric) => runs.some((run) => (run.figures.all ?? {})[metric] || (run.figures.all ?? {})[`${metric}_static`]);
  const shown = data.shown.filter(has);
  const rows = runs.map((run) => PR.el("tr", {},
    PR.el("th", { scope: "row" }, PR.el("a", { href: PR.address("instances", "", new URLSearchParams({ run: run.name })) }, PR.words(run.label)),
      run.baseline ? PR.el("small", {}, "baseline") : null,
      run.coverage < 1 ? PR.el("small", { class: "warn" }, `coverage ${PR.percent(run.coverage)}%`) : null,
      run.played ? PR.el("small", { class: "warn" }, "played tools: not verified, not ranked") : null),
    PR.el("td", {}, rankOf(run)),
    shown.map((metric) => cell((run.figures.all ?? {})[metric], (run.figures.all ?? {})[`${metric}_static`]))));
  const heads = ["agent", "rank", ...shown.map((metric) => data.metrics[metric] + (data.lower.includes(metric) ? " ↓" : ""))];
  return PR.table(`Scores on ${config}`, heads, rows);
}

function rankOf(run) {
  if (!run.rank_interval) return "–";
  const [low, high] = run.rank_interval;
  return low === high ? `${low}` : `${low}–${high}`;
}

function cell(figure, still) {
  const told = figure ?? still;
  if (!told) return PR.el("td", {}, "–");
  const [mean, low, high] = told;
  return PR.el("td", {}, PR.percent(mean),
    PR.el("span", { class: "ci" }, low === null ? "" : `${PR.percent(low)}–${PR.percent(high)}`),
    figure ? null : PR.el("span", { class: "ci" }, "static"));
}

function heatMap(data, config, runs) {
  const metric = "verified_pass_at_1";
  const of = (run, type) => {
    const figures = run.figures[`type:${type}`] ?? {};
    return figures[metric] ?? figures[`${metric}_static`];
  };
  const types = data.types.filter((type) => runs.some((run) => of(run, type)));
  if (!types.length) return null;
  const n = (type) => Math.max(...runs.map((run) => (of(run, type) ?? [0, 0, 0, 0])[3]));
  const rows = types.map((type) => PR.el("tr", {},
    PR.el("th", { scope: "row" },
      PR.el("a", { href: PR.address("instances", "", new URLSearchParams({ type })) }, PR.words(type)),
      PR.el("small", {}, `${data.categories[type]}, n ${n(type)}`)),
    runs.map((run) => heat(of(run, type), run, type, n(type)))));
  return PR.table(`Verified Pass@1 by error type on ${config}; an instance counts under each of its labels`,
    ["error type", ...runs.map((run) => [PR.words(run.label.replace("scripted:", "")), isStatic(run) ? PR.el("small", {}, "static") : null])], rows);
}

function isStatic(run) {
  return !(run.figures.all ?? {}).pass_at_1;
}

// most: the instances of the type in the row; told in the cell where this run has fewer.
function heat(figure, run, type, most) {
  if (!figure || figure[0] === null) return PR.el("td", { class: "heat" }, "–");
  const [share, low, high, n] = figure;
  const between = low === null ? "" : `, 95% interval ${PR.percent(low)} to ${PR.percent(high)}`;
  const made = PR.el("td", { class: "heat" },
    PR.el("a", {
      href: PR.address("instances", "", new URLSearchParams({ run: run.name, type })),
      title: `${run.label}, ${type}: ${PR.percent(share)}${between}, n ${n}`,
    }, (100 * share).toFixed(0), n === most ? null : PR.el("small", {}, `n ${n}`)));
  made.style.setProperty("--heat", `${Math.round(HEAT * share)}%`);
  return made;
}

// Percent of colour in the fullest cell: text on it keeps a contrast of 4.5 in both schemes.
const HEAT = 60;

function made(run) {
  const facts = [
    ["run", run.run], ["config", `${run.config} ${run.split} (${run.edition})`],
    ["coverage", `${PR.percent(run.coverage)}% of ${PR.count(run.instances, "instance")}, ${PR.count(run.samples, "answer")} each`],
    ["ranked", run.ranked ? "yes" : "no"],
    ["asked", pairs(run.asked)], ["raters, by file hash", pairs(run.raters)],
    ["spent", pairs(run.spent)], ["notes, in rows", pairs(run.notes)],
    ["results, SHA-256", run.results_hash], ["dataset", run.dataset_hash],
    ["made by, scored by", `${run.code_version}, ${run.scorer_version}`],
  ];
  return PR.el("details", {},
    PR.el("summary", {}, `${run.label} on ${run.config}`),
    PR.el("dl", { class: "facts" }, facts.flatMap(([name, value]) => [PR.el("dt", {}, name), PR.el("dd", {}, String(value ?? "–"))])));
}

// Return an object in words: one "name: value" after another.
function pairs(value) {
  const found = Object.entries(value ?? {}).filter(([, each]) => !(each && typeof each === "object" && !Object.keys(each).length));
  const told = (each) => (each === null ? "unknown" : typeof each === "object" ? `(${pairs(each)})` : each);
  return found.map(([name, each]) => `${name.replaceAll("_", " ")}: ${told(each)}`).join("; ") || "–";
}
