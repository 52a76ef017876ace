// The first view: scores, heat maps of error types, how each run was made.
"use strict";

PR.overview = (data) => {
  const configs = [...new Set(data.runs.map((run) => run.config))];
  return PR.el("div", {},
    PR.el("h1", {}, "Scores"),
    PR.el("p", { class: "lead" },
      `${data.runs.length} runs over ${configs.length === 1 ? "one config" : `${configs.length} configs`}. `
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
    PR.el("h2", {}, `${config}`, PR.el("small", {}, ` ${runs[0].edition} · ${first[3]} instances of ${first[4]} tasks`)),
    board(data, config, runs),
    heatMap(data, config, runs));
}

function board(data, config, runs) {
  const has = (metric) => runs.some((run) => (run.figures.all ?? {})[metric] || (run.figures.all ?? {})[`${metric}_static`]);
  const shown = data.shown.filter(has);
  const rows = runs.map((run) => PR.el("tr", {},
    PR.el("th", { scope: "row" }, PR.el("a", { href: PR.address("instances", "", new URLSearchParams({ run: run.name })) }, run.label),
      run.baseline ? PR.el("small", {}, " baseline") : null,
      run.played ? PR.el("small", { class: "warn" }, " played tools: not verified, not ranked") : null),
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
  const of = (run, type) => (run.figures[`type:${type}`] ?? {})[metric];
  const types = data.types.filter((type) => runs.some((run) => of(run, type)));
  if (!types.length) return null;
  const n = (type) => Math.max(...runs.map((run) => (of(run, type) ?? [0, 0, 0, 0])[3]));
  const rows = types.map((type) => PR.el("tr", {},
    PR.el("th", { scope: "row" },
      PR.el("a", { href: PR.address("instances", "", new URLSearchParams({ type })) }, type),
      PR.el("small", {}, ` ${data.categories[type]} · n ${n(type)}`)),
    runs.map((run) => heat(of(run, type), run, type))));
  return PR.table(`Verified Pass@1 by error type on ${config}; an instance counts under each of its labels`,
    ["error type", ...runs.map((run) => run.label.replace("scripted:", ""))], rows);
}

function heat(figure, run, type) {
  if (!figure || figure[0] === null) return PR.el("td", {}, "–");
  const made = PR.el("td", { class: figure[0] > 0.55 ? "heat dark" : "heat" },
    PR.el("a", { href: PR.address("instances", "", new URLSearchParams({ run: run.name, type })) }, (100 * figure[0]).toFixed(0)));
  made.style.setProperty("--heat", `${Math.round(100 * figure[0])}%`);
  return made;
}

function made(run) {
  const spent = run.spent ?? {};
  const facts = [
    ["run", run.run], ["config", `${run.config} ${run.split} (${run.edition})`],
    ["coverage", `${PR.percent(run.coverage)}% of ${run.instances} instances, ${run.samples} a piece`],
    ["ranked", run.ranked ? "yes" : "no"],
    ["asked", JSON.stringify(run.asked)], ["raters", JSON.stringify(run.raters)],
    ["spent", JSON.stringify(spent)], ["notes", JSON.stringify(run.notes)],
    ["results, SHA-256", run.results_hash], ["dataset", run.dataset_hash],
    ["made by, scored by", `${run.code_version}, ${run.scorer_version}`],
  ];
  return PR.el("details", {},
    PR.el("summary", {}, `${run.label} on ${run.config}`),
    PR.el("dl", { class: "facts" }, facts.flatMap(([name, value]) => [PR.el("dt", {}, name), PR.el("dd", {}, String(value ?? "–"))])));
}
