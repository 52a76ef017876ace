// A plan drawn in layers. Places are worked out beforehand; here they are only drawn.
"use strict";

const NODE = { width: 168, height: 46 };

// Draw a plan, and below it the node that is chosen. attempts: by node.
PR.graph = (label, plan, attempts) => {
  const card = PR.el("div", { class: "small", "aria-live": "polite" }, "Choose a node to see its call, arguments and results.");
  const pick = (node) => card.replaceChildren(nodeCard(node, attempts.get(node.id) ?? []));
  const [width, height] = plan.size;
  const nodes = new Map(plan.nodes.map((node) => [node.id, node]));
  const drawing = PR.svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "group", "aria-label": label },
    plan.lines.map((d) => PR.svg("path", { class: "edge", d })),
    Object.entries(plan.at).map(([id, at]) => box(nodes.get(id), at, pick)));
  return PR.el("div", { class: "drawn" },
    PR.el("div", { class: "graph scroll", tabindex: "0", role: "region", "aria-label": label }, drawing), card);
};

// Scroll each drawing to what it is about: the root cause, or what the answer changed.
PR.reveal = (where) => {
  for (const graph of where.querySelectorAll(".graph")) {
    const node = graph.querySelector(".root-cause") ?? graph.querySelector(".new, .changed");
    if (!node) continue;
    const { left, width } = node.getBoundingClientRect();
    const frame = graph.getBoundingClientRect();
    graph.scrollLeft += left + width / 2 - (frame.left + frame.width / 2);
  }
};

function box(node, [x, y], pick) {
  const title = node.name ? `${node.id}: ${node.name}` : node.id;
  const marks = node.marks.join(" · ");
  const choose = (event) => {
    if (event.type === "keydown" && event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    pick(node);
  };
  const made = PR.svg("g", {
    class: `node ${node.marks.map((mark) => mark.replaceAll(" ", "-")).join(" ")}`, "data-id": node.id,
    transform: `translate(${x} ${y})`, tabindex: "0", role: "button", "aria-label": `${title}, ${marks}`,
    click: choose, keydown: choose,
  });
  made.append(PR.svg("title", {}, `${title} (${marks})`), PR.svg("rect", { width: NODE.width, height: NODE.height, rx: 6 }));
  if (node.marks.includes("root cause")) made.append(PR.svg("rect", { class: "inner", x: 3, y: 3, width: NODE.width - 6, height: NODE.height - 6, rx: 4 }));
  made.append(PR.svg("text", { x: 10, y: 19 }, PR.short(title, 23)), PR.svg("text", { x: 10, y: 36, class: "badge" }, marks));
  return made;
}

// Point out the nodes that ran in a round.
PR.pointOut = (where, ids) => {
  for (const node of where.querySelectorAll(".node")) node.classList.toggle("now", ids.includes(node.dataset.id));
};

PR.legend = () => PR.el("ul", { class: "legend" },
  [["pending", "has not run: dashed"], ["ran", "ran well: filled"], ["failed", "failed: red line"], ["empty", "answered with nothing"],
    ["root-cause", "root cause: double frame"], ["affected", "affected: thick"], ["delayed", "delayed: runs later than it could"],
    ["changed", "changed by the answer: thick green"], ["new", "new in the answer: thick and filled"], ["now", "ran in the round shown below: underlined"]]
    .map(([mark, text]) => PR.el("li", {}, PR.el("span", { class: `swatch ${mark}` }), text)));

// What one node is, and all its attempts.
const nodeCard = (node, attempts) => PR.el("div", { class: "card" },
  PR.el("h3", {}, node.name ? `${node.id}: ${node.name}` : node.id),
  PR.el("p", {}, `${node.marks.join(" · ")} · waits for ${node.dep.join(", ") || "nothing"} · status ${node.status}`),
  PR.el("pre", {}, PR.json(node.para)),
  attempts.map((one) => PR.el("div", {},
    PR.el("p", {}, `round ${one.round}: ${one.outcome}`),
    PR.el("pre", {}, `${PR.json(one.arguments)}\n→ ${PR.json(one.result)}`))));
