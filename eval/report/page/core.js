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
PR.el = (tag, attributes = {}, ...children) => filled(document.createElement(tag), attributes, children);

PR.svg = (tag, attributes = {}, ...children) =>
  filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

function filled(made, attributes, children) {
  PR.dress(made, attributes);
  const there = children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
  made.append(...there.map((child) => (typeof child === "string" ? PR.visible(child) : child)));
  return made;
}

// Show what has no look of its own, or would turn the text around it, by its number.
PR.visible = (text) => text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
  (sign) => (sign === "\r" ? "" : `[U+${sign.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}]`));

// Let a long name break where its words end.
PR.words = (name) => name.split(/(?<=[_:/.])/).flatMap((word, number) => (number ? [PR.el("wbr"), word] : [word]));

PR.dress = (made, attributes) => {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value);
  }
};

PR.percent = (share) => (share === null || share === undefined ? "–" : (100 * share).toFixed(1));

PR.count = (number, what) => `${number} ${what}${number === 1 ? "" : "s"}`;

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
  m: ["missing", "no row: not reached, or an error of the provider"],
};

// A table scrolls inside itself; its caption stays.
PR.table = (caption, heads, rows) =>
  PR.el("figure", {},
    PR.el("figcaption", {}, caption),
    PR.el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
      PR.el("table", { "aria-label": caption },
        PR.el("thead", {}, PR.el("tr", {}, heads.map((head) => PR.el("th", { scope: "col" }, head)))),
        PR.el("tbody", {}, rows))));
