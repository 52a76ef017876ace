// One row: what an agent answered, how it went on, and what raters say of it.
"use strict";

PR.answer = (overview, run, row, figures) => PR.el("div", {},
  PR.el("p", { class: "facts-line" },
    PR.el("span", { class: `end ${row.outcome}` }, row.outcome),
    run.played ? PR.el("span", { class: "warn" }, "played tools: not verified, not ranked") : null,
    row.notes.map((note) => PR.el("span", { class: "tag" }, note.replaceAll("_", " ")))),
  row.made ? PR.el("p", {}, `${PR.count(row.made[0], "round")} and ${PR.count(row.made[1], "call")} in all${optimum(figures)}.`) : null,
  row.plan && !row.made ? PR.el("p", { class: "warn" }, "Static: one answer, no rounds kept; the figures are of the plan carried on unchanged.") : null,
  values(overview, row),
  row.problems.length ? PR.el("p", { class: "warn" }, `The plan breaks rules: ${row.problems.join("; ")}.`) : null,
  row.unread === null || row.unread === undefined ? null : PR.el("p", { class: "warn" }, `No plan could be read: ${row.unread}`),
  PR.el("h3", {}, "Thought"),
  row.thought ? thought(row.thought, row.claims) : PR.el("p", {}, "none"),
  row.claims.length ? claimsLegend() : null,
  row.diagnosis.length ? PR.el("h3", {}, "Diagnosis") : null,
  row.diagnosis.length ? PR.el("ul", {}, row.diagnosis.map((one) => PR.el("li", {},
    PR.el("strong", {}, `${one.node} ${one.type}`), one.reason ? `: ${one.reason}` : ""))) : null,
  row.reasoning ? PR.el("details", {}, PR.el("summary", {}, "Hidden reasoning (never judged)"), PR.el("pre", {}, row.reasoning)) : null);

// Return how many rounds and calls would have done.
function optimum({ rounds_opt, calls_opt }) {
  return rounds_opt === null || calls_opt === null ? "" : ` (optimum: ${rounds_opt} and ${calls_opt})`;
}

function values(overview, row) {
  const known = Object.entries(row.values).filter(([name]) => overview.metrics[name]);
  return PR.el("dl", { class: "figures" }, known.map(([name, value]) => PR.el("div", {},
    PR.el("dt", {}, overview.metrics[name]), PR.el("dd", {}, PR.percent(value)))));
}

// The thought with each claim marked where it stands; claims that overlap are marked once.
function thought(text, claims) {
  // Places are of characters, not of JavaScript's half ones.
  const characters = [...text];
  const parts = [];
  let at = 0;
  for (const one of [...claims].sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (one.start < at || one.end <= one.start) continue;
    parts.push(characters.slice(at, one.start).join(""));
    parts.push(PR.el("mark", { class: one.verdict, title: `${one.kind}: ${one.about} – ${one.verdict}` },
      characters.slice(one.start, one.end).join(""),
      PR.el("sup", {}, { right: "✓", wrong: "✗", invented: "?" }[one.verdict] ?? "")));
    at = one.end;
  }
  parts.push(characters.slice(at).join(""));
  return PR.el("blockquote", { class: "thought" }, parts);
}

function claimsLegend() {
  return PR.el("p", { class: "small" }, "Claims, looked up by program: ",
    PR.el("mark", { class: "right" }, "right", PR.el("sup", {}, "✓")), " ",
    PR.el("mark", { class: "wrong" }, "wrong", PR.el("sup", {}, "✗")), " ",
    PR.el("mark", { class: "invented" }, "invented", PR.el("sup", {}, "?")));
}

PR.ratings = (overview, row) => {
  if (!row.raters.length) return null;
  const name = (one) => (one.repeat ? `${one.rater} (${one.repeat + 1})` : one.rater);
  return PR.el("section", { class: "reasons" },
    PR.el("h3", {}, "The rubric, item by item"),
    PR.table("Scores and reasons of each rater", ["item", ...row.raters.map(name)],
      overview.items.map((item) => PR.el("tr", {}, PR.el("th", { scope: "row" }, item, PR.el("small", {}, ` ${overview.dimensions[item[0]]}`)),
        row.raters.map((one) => PR.el("td", { class: "reason" },
          PR.el("strong", {}, one.items[item] === null || one.items[item] === undefined ? "unscored" : String(one.items[item])),
          one.reasons[item] ? ` ${one.reasons[item]}` : ""))))));
};
