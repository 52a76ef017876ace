// The address decides what is shown; keys move through it.
"use strict";

const view = document.getElementById("view");
const keys = document.getElementById("keys");

// The instance that was seen last: in the list it has the focus again.
let last = null;

async function refresh() {
  const { view: name, about, settings } = PR.place();
  const asked = location.hash;
  const held = document.activeElement?.name;
  const [content, title] = await drawn(name, about, settings);
  // Files come when they come: another view may have been asked for since.
  if (location.hash !== asked) return;
  view.replaceChildren(content);
  PR.reveal(view);
  document.title = `${title} · ParaRecover report`;
  if (name === "instance") last = about;
  for (const link of document.querySelectorAll("nav [data-view]")) {
    const current = link.dataset.view === (name === "" ? "overview" : "instances");
    if (current) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  return held;
}

// Return what a view shows, and its title.
async function drawn(name, about, settings) {
  PR.step = null;
  try {
    const overview = await PR.load("overview");
    if (name === "instances") return [await listOf(overview, settings), "Instances"];
    if (name === "instance") return [await instanceOf(overview, about, settings), about];
    return [PR.overview(overview), "Scores"];
  } catch (error) {
    return [PR.el("p", { class: "warn", role: "alert" }, `This can't be shown: ${error.message}`), "Not shown"];
  }
}

async function listOf(overview, settings) {
  const [list, tools] = await Promise.all([PR.load("list"), PR.load("tools")]);
  return PR.list(overview, list, tools, settings);
}

async function instanceOf(overview, id, settings) {
  const [list, tools] = await Promise.all([PR.load("list"), PR.load("tools")]);
  const place = list.id.indexOf(id);
  if (place < 0) throw new Error(`there is no instance ${id} in this report`);
  const chunk = Math.floor(place / list.chunk);
  const about = overview.runs.map((_, number) => list.outcomes[number][place] !== "-");
  const asked = about.map((has, number) => (has ? PR.load(`rows-${number}-${chunk}`).catch(() => ({})) : {}));
  const [instances, ...rows] = await Promise.all([PR.load(`instances-${chunk}`), ...asked]);
  const others = PR.matching(overview, list, tools, settings);
  const at = others.indexOf(place);
  const to = (number) => (at >= 0 && others[number] !== undefined ? PR.address("instance", list.id[others[number]], settings) : null);
  const back = new URLSearchParams(settings);
  back.delete("sample");
  back.set("page", at >= 0 ? PR.pageOf(at) : "");
  const neighbours = { before: to(at - 1), after: to(at + 1), back: PR.address("instances", "", back) };
  return PR.instance(overview, list, tools, place, instances[id], rows.map((some) => some[id]), settings, neighbours);
}

window.addEventListener("hashchange", () => refresh().then(arrive));

// Give the focus to what was being used, else to the row one comes back to, else to the view.
function arrive(held) {
  const row = [...view.querySelectorAll("a.row")].find((one) => one.dataset.id === last);
  const used = held ? view.querySelector(`[name="${held}"]`) : null;
  if (used) return used.focus();
  if (!row) window.scrollTo(0, 0);
  (row ?? view).focus({ preventScroll: !row });
}

document.getElementById("help").addEventListener("click", () => keys.showModal());

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || keys.open) return;
  const typing = event.target.closest?.("input, select, textarea");
  if (typing && event.key === "Escape") typing.blur();
  if (typing) return;
  const action = ACTIONS[event.key];
  if (action && action() !== false) event.preventDefault();
});

const ACTIONS = {
  j: () => move(1),
  k: () => move(-1),
  ArrowDown: () => (view.querySelector(".rows") ? move(1) : false),
  ArrowUp: () => (view.querySelector(".rows") ? move(-1) : false),
  Escape: () => follow("back"),
  "/": () => toSearch(),
  "[": () => (PR.step ? PR.step(-1) : false),
  "]": () => (PR.step ? PR.step(1) : false),
  "?": () => keys.showModal(),
};

// In the list the focus moves; in an instance the next one of the list is shown.
function move(by) {
  const rows = [...view.querySelectorAll(".rows a.row")];
  if (!rows.length) return follow(by > 0 ? "after" : "before");
  const at = rows.indexOf(document.activeElement);
  if (at >= 0 && !rows[at + by]) return follow(by > 0 ? "next-page" : "previous-page");
  rows[Math.min(rows.length - 1, Math.max(0, at + by))].focus();
  return true;
}

function follow(id) {
  const link = document.getElementById(id);
  if (!link) return false;
  location.hash = link.getAttribute("href");
  return true;
}

function toSearch() {
  const search = view.querySelector("input[name=q]");
  if (!search) return false;
  search.focus();
  return true;
}

refresh();
