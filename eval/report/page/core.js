// What all parts of the page use: data on demand, elements, numbers, the address.
"use strict";

const PR = { known: new Map(), asked: new Map() };

// Each file of data calls this.
function pararecover(name, value) {
  PR.known.set(name, value);
}

// Give a promise of the data of a name; a page from the disk may load scripts, and read no file.
PR.load = (name) => {
  if (!PR.asked.has(name)) {
    PR.asked.set(name, new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = `data/${name}.js`;
      script.onload = () => resolve(PR.known.get(name));
      script.onerror = () => reject(new Error(`data/${name}.js is not there`));
      document.head.append(script);
    }));
  }
  return PR.asked.get(name);
};

// Make an element. What comes from data is only ever put in as text.
PR.el = (tag, attributes = {}, ...children) => {
  const made = document.createElement(tag);
  PR.dress(made, attributes);
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return made;
};

PR.svg = (tag, attributes = {}, ...children) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  PR.dress(made, attributes);
  made.append(...children.flat(Infinity).filter(Boolean));
  return made;
};

PR.dress = (made, attributes) => {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value);
  }
};

PR.percent = (share) => (share === null || share === undefined ? "–" : (100 * share).toFixed(1));

PR.json = (value) => (typeof value === "string" ? value : JSON.stringify(value, null, 1));

PR.short = (value, most = 90) => {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text === undefined ? "" : text.length <= most ? text : `${text.slice(0, most - 1)}…`;
};

// Return the view of the address, what it is about, and its settings.
PR.place = () => {
  const [path, settings = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const [view = "", ...rest] = path.split("/");
  return { view, about: decode(rest.join("/")), settings: new URLSearchParams(settings) };
};

PR.address = (view, about, settings) => {
  const kept = new URLSearchParams([...settings].filter(([, value]) => value !== ""));
  const tail = kept.toString();
  return `#/${view}${about ? `/${encodeURIComponent(about)}` : ""}${tail ? `?${tail}` : ""}`;
};

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

PR.outcomes = {
  v: ["verified", "every goal call made, the right state at the end"],
  p: ["passed", "answered, but the goal is not reached"],
  f: ["failed", "never answered"],
  i: ["invalid", "no plan could be read"],
  m: ["missing", "no row"],
};

PR.table = (caption, heads, rows) =>
  PR.el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
    PR.el("table", {},
      PR.el("caption", {}, caption),
      PR.el("thead", {}, PR.el("tr", {}, heads.map((head) => PR.el("th", { scope: "col" }, head)))),
      PR.el("tbody", {}, rows)));
