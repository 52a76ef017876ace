// The list of instances: filters in the address, a page of rows at a time.
"use strict";

const PAGE = 100;
const FILTERS = ["run", "type", "level", "source", "visible", "outcome", "q"];

PR.list = (overview, list, tools, settings) => {
  const count = PR.el("p", { role: "status", id: "count" });
  const found = PR.el("div");
  const search = (now) => {
    const places = PR.matching(overview, list, tools, now);
    count.textContent = `${places.length} of ${PR.count(list.id.length, "instance")}`;
    found.replaceChildren(...pageOfRows(overview, list, places, now));
  };
  search(settings);
  return PR.el("div", {},
    PR.el("h1", {}, "Instances"), filters(overview, list, settings, search), count,
    overview.runs.length > 1 && !settings.get("run") ? lettersTold(overview) : null, found);
};

// Return the number of the page on which the instance of a place stands.
PR.pageOf = (at) => String(Math.floor(at / PAGE) + 1);

function pageOfRows(overview, list, places, settings) {
  const pages = Math.max(1, Math.ceil(places.length / PAGE));
  const page = Math.min(pages, Math.max(1, Math.floor(Number(settings.get("page"))) || 1));
  const some = places.slice((page - 1) * PAGE, page * PAGE);
  return [
    PR.el("ol", { class: "rows", start: (page - 1) * PAGE + 1 }, some.map((place) => item(overview, list, place, settings))),
    pager(page, pages, settings)];
}

function lettersTold(overview) {
  const names = [...new Set(overview.runs.map((run) => run.label))].join(", ");
  return PR.el("p", { class: "small" },
    "A letter is an answer: ", Object.entries(PR.outcomes).map(([letter, [name]]) => `${letter.toUpperCase()} ${name}`).join(", "),
    `. Runs in this order: ${names}.`);
}

// Return the places in the list of the instances that the filters let through.
PR.matching = (overview, list, tools, settings) => {
  const wanted = Object.fromEntries(FILTERS.map((name) => [name, settings.get(name) ?? ""]));
  const run = overview.runs.findIndex((one) => one.name === wanted.run);
  const type = overview.types.indexOf(wanted.type);
  const words = wanted.q.toLowerCase().split(/\s+/).filter(Boolean);
  const names = words.length ? tools.map((tool) => nameOf(tool).toLowerCase()) : [];
  const found = [];
  for (let place = 0; place < list.id.length; place += 1) {
    if (wanted.level && String(list.level[place]) !== wanted.level) continue;
    if (wanted.source && list.source[place] !== wanted.source) continue;
    if (wanted.visible && !list.visible[place].includes(wanted.visible)) continue;
    if (wanted.type && !list.types[place].includes(type)) continue;
    if (run >= 0 && list.outcomes[run][place] === "-") continue;
    if (wanted.outcome && !outcomesOf(list, run, place).includes(wanted.outcome)) continue;
    if (words.length && !holds(list, names, place, words)) continue;
    found.push(place);
  }
  return found;
};

function outcomesOf(list, run, place) {
  return run >= 0 ? list.outcomes[run][place] : list.outcomes.map((of) => of[place]).join("");
}

function holds(list, names, place, words) {
  const text = `${list.id[place]} ${list.query[place]}`.toLowerCase();
  return words.every((word) => text.includes(word) || list.tools[place].some((tool) => names[tool].includes(word)));
}

function nameOf(tool) {
  return String(tool?.function?.name ?? tool?.name ?? "");
}

// search: shows what the settings let through, and leaves the form as it is.
function filters(overview, list, settings, search) {
  const change = (name, value) => {
    const next = new URLSearchParams(PR.place().settings);
    next.set(name, value);
    next.delete("page");
    return PR.address("instances", "", next);
  };
  const choice = (name, label, options) => PR.el("label", {}, PR.el("span", {}, label),
    PR.el("select", { name, change: (event) => { location.hash = change(name, event.target.value); } },
      [["", "all"], ...options].map(([value, text]) => PR.el("option", { value, selected: (settings.get(name) ?? "") === value }, text))));
  const values = (column) => [...new Set(list[column].flat())].sort().map((value) => [String(value), String(value)]);
  const typed = (event) => {
    history.replaceState(null, "", change("q", event.target.value));
    search(PR.place().settings);
  };
  const words = PR.el("input", {
    type: "search", name: "q", value: settings.get("q") ?? "", placeholder: "request, id, tool", autocomplete: "off", input: typed,
  });
  return PR.el("form", { class: "filters", role: "search", submit: (event) => event.preventDefault() },
    PR.el("label", { class: "wide" }, PR.el("span", {}, "Search"), words),
    choice("run", "Run", overview.runs.map((run) => [run.name, `${run.label} · ${run.config}`])),
    choice("type", "Error type", overview.types.map((type) => [type, type])),
    choice("outcome", "Outcome", Object.entries(PR.outcomes).map(([letter, [name]]) => [letter, name])),
    choice("level", "Level", values("level")),
    choice("source", "Source", values("source")),
    choice("visible", "Visible", values("visible")),
    PR.el("a", { class: "button", href: "#/instances" }, "Clear"));
}

function item(overview, list, place, settings) {
  const runs = overview.runs.map((run, number) => [run, list.outcomes[number][place]]).filter(([, letters]) => letters !== "-");
  const chosen = settings.get("run");
  const shown = chosen ? runs.filter(([run]) => run.name === chosen) : runs;
  const next = new URLSearchParams(settings);
  next.delete("page");
  return PR.el("li", {},
    PR.el("a", { class: "row", "data-id": list.id[place], href: PR.address("instance", list.id[place], next) },
      PR.el("span", { class: "id" }, list.id[place]),
      PR.el("span", { class: "types" }, list.types[place].length ? PR.words(list.types[place].map((type) => overview.types[type]).join(", ")) : "no error"),
      PR.el("span", { class: "text" }, PR.short(list.query[place], 160)),
      PR.el("span", { class: "ends" }, shown.map(([run, letters]) => PR.el("span", { class: "of" }, [...letters].map((letter) => PR.badge(letter, chosen ? "" : run.label)))))));
}

PR.badge = (letter, who) => {
  const [name, meaning] = PR.outcomes[letter];
  return PR.el("span", { class: `end ${name}`, title: `${who ? `${who}: ` : ""}${name}, ${meaning}` },
    who ? letter.toUpperCase() : name, who ? PR.el("span", { class: "hidden" }, ` ${who} ${name} `) : null);
};

function pager(page, pages, settings) {
  const to = (number) => {
    const next = new URLSearchParams(settings);
    next.set("page", number);
    return PR.address("instances", "", next);
  };
  return PR.el("nav", { class: "pager", "aria-label": "Pages" },
    page > 1 ? PR.el("a", { class: "button", href: to(page - 1), id: "previous-page" }, "‹ previous") : null,
    PR.el("span", {}, `page ${page} of ${pages}`),
    page < pages ? PR.el("a", { class: "button", href: to(page + 1), id: "next-page" }, "next ›") : null);
}
