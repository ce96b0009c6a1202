// The graph of the states that were seen: it grows as one walks. Equal states are one node.

import { byId, counted, fill, svg } from "../../trace/page/dom.js";

const RADIUS = 13;
const COLUMN = 44; // px between nodes side by side
const LAYER = 58; // px between layers
const MARGIN = 30;
const SCALES = [0.35, 0.5, 0.7, 0.85, 1, 1.3, 1.7];

export class GraphPanel {
  /** `on` has go(node), to make the state of a node the current one. */
  constructor(on) {
    this.on = on;
    this.box = byId("graph");
    this.scale = 4;
    this.size = [0, 0];
    byId("smaller").addEventListener("click", () => this.#zoom(-1));
    byId("larger").addEventListener("click", () => this.#zoom(1));
    this.box.addEventListener("keydown", (event) => this.#key(event));
    new ResizeObserver(() => this.reveal(this.current)).observe(this.box); // its tab was opened
  }

  /** The nodes and edges around `current`; `path` are the nodes of the path, in their order. */
  show(graph, current, path) {
    const focused = this.box.contains(document.activeElement);
    this.graph = graph;
    this.current = this.chosen = current;
    const shown = graph.nodes.length;
    const more = graph.left_off ? `, the nearest ${shown} of ${shown + graph.left_off}` : "";
    byId("graph-said").textContent = `${counted(graph.visited, "state")} visited, ${shown + graph.left_off} known${more}`;
    this.places = placesOf(graph);
    this.elements = new Map();
    const steps = new Set(path.slice(1).map((node, n) => `${path[n]} ${node}`));
    const onPath = new Set(path);
    const edges = mergedEdges(graph.edges).map((edge) => this.#edge(edge, steps));
    const nodes = graph.nodes.map((node) => this.#node(node, onPath));
    const tip = svg("marker", { id: "graph-tip", viewBox: "0 0 8 8", refX: 7.5, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto", markerUnits: "userSpaceOnUse" }, svg("path", { class: "tip", d: "M0 0.5 L8 4 L0 7.5 z" }));
    const xs = [...this.places.values()];
    this.size = [Math.max(...xs.map(([x]) => x)) + MARGIN, Math.max(...xs.map(([, y]) => y)) + MARGIN];
    this.picture = svg("svg", { viewBox: `0 0 ${this.size[0]} ${this.size[1]}` }, svg("defs", {}, tip), ...edges, ...nodes);
    fill(this.box, this.picture);
    this.#resize();
    if (focused) this.focus();
  }

  focus() {
    this.elements.get(this.chosen)?.focus({ preventScroll: true });
  }

  #zoom(by) {
    this.scale = Math.max(0, Math.min(SCALES.length - 1, this.scale + by));
    this.#resize();
  }

  #resize() {
    if (!this.picture) return;
    const scale = SCALES[this.scale];
    this.picture.setAttribute("width", this.size[0] * scale);
    this.picture.setAttribute("height", this.size[1] * scale);
    this.reveal(this.current);
  }

  /** Scrolls so that a node is in the middle, if it is near the border. */
  reveal(node) {
    const place = this.places?.get(node);
    if (!place) return;
    const scale = SCALES[this.scale];
    const [x, y] = place.map((each) => each * scale);
    const { box } = this;
    const beyond = (at, from, size) => at < from + 2 * RADIUS || at > from + size - LAYER;
    if (beyond(x, box.scrollLeft, box.clientWidth)) box.scrollLeft = x - box.clientWidth / 2;
    if (beyond(y, box.scrollTop, box.clientHeight)) box.scrollTop = y - box.clientHeight / 2;
  }

  #node({ id, visited, wrong }, onPath) {
    const [x, y] = this.places.get(id);
    const classes = ["state-node", visited ? "visited" : "known", onPath.has(id) && "on-path", id === this.current && "current", wrong && "wrong"];
    const said = [`state ${id}`, id === this.current ? "this one" : visited ? "visited" : "not yet visited", onPath.has(id) && "on the path", wrong && "a violation"];
    const element = svg(
      "g",
      { class: classes.filter(Boolean).join(" "), role: "button", tabindex: id === this.current ? 0 : -1, "data-node": id, "aria-label": said.filter(Boolean).join(", "), "aria-current": id === this.current ? "true" : null, onclick: () => this.on.go(id) },
      svg("circle", { cx: x, cy: y, r: RADIUS }),
      svg("text", { x, y: y + 4, "text-anchor": "middle" }, wrong ? `✗${id}` : id),
    );
    this.elements.set(id, element);
    return element;
  }

  #edge({ source, target, texts, wrong }, steps) {
    const classes = ["state-edge", steps.has(`${source} ${target}`) && "on-path", source === this.current && "next", wrong && "wrong"];
    const path = svg("path", { class: classes.filter(Boolean).join(" "), "data-edge": `${source} ${target}`, "marker-end": "url(#graph-tip)", d: edgeCurve(this.places.get(source), this.places.get(target)) });
    path.append(svg("title", {}, texts.join("\n")));
    return path;
  }

  // --- keys ---------------------------------------------------------------------------------------

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = { ArrowDown: () => this.#along("source", "target"), ArrowUp: () => this.#along("target", "source"), ArrowRight: () => this.#beside(1), ArrowLeft: () => this.#beside(-1), Home: () => this.graph.nodes[0]?.id }[event.key];
    if (next) this.#choose(next() ?? this.chosen);
    else if (event.key === "Enter" || event.key === " ") this.on.go(this.chosen);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #along(from, to) {
    const found = this.graph.edges.filter((edge) => edge[from] === this.chosen && edge[to] !== this.chosen);
    return found[0]?.[to];
  }

  #beside(by) {
    const [x, y] = this.places.get(this.chosen);
    const same = [...this.places].filter(([, place]) => place[1] === y && (place[0] - x) * by > 0);
    same.sort((a, b) => (a[1][0] - b[1][0]) * by);
    return same[0]?.[0];
  }

  #choose(id) {
    this.elements.get(this.chosen).setAttribute("tabindex", -1);
    this.chosen = id;
    this.elements.get(id).setAttribute("tabindex", 0);
    this.reveal(id);
    this.focus();
  }
}

/** One edge for all the steps between the same two states. */
function mergedEdges(edges) {
  const found = new Map();
  for (const { source, target, text, wrong } of edges) {
    const key = `${source} ${target}`;
    const edge = found.get(key) ?? { source, target, texts: [], wrong: false };
    edge.texts.push(text);
    edge.wrong ||= wrong;
    found.set(key, edge);
  }
  return [...found.values()];
}

/** The places of nodes: a layer for each distance from the initial state, below each other. */
function placesOf({ nodes, edges }) {
  const layers = new Map();
  for (const node of nodes) layers.set(node.depth, [...(layers.get(node.depth) ?? []), node]);
  const parents = new Map();
  for (const { source, target } of edges) if (source !== target) parents.set(target, [...(parents.get(target) ?? []), source]);
  const widest = Math.max(...[...layers.values()].map((layer) => layer.length));
  const middle = MARGIN + ((widest - 1) * COLUMN) / 2;
  const places = new Map();
  [...layers.keys()].sort((a, b) => a - b).forEach((depth, row) => {
    const mean = (node) => {
      const known = (parents.get(node.id) ?? []).filter((each) => places.has(each));
      return known.length ? known.reduce((sum, each) => sum + places.get(each)[0], 0) / known.length : middle;
    };
    const layer = layers.get(depth).map((node) => [mean(node), node]);
    layer.sort((a, b) => a[0] - b[0] || a[1].id - b[1].id);
    layer.forEach(([, node], n) => places.set(node.id, [middle + (n - (layer.length - 1) / 2) * COLUMN, MARGIN + row * LAYER]));
  });
  return places;
}

/** From the border of one node to that of another; back and sideways in a bow. */
function edgeCurve([x1, y1], [x2, y2]) {
  if (x1 === x2 && y1 === y2) return `M${x1 + RADIUS * 0.8} ${y1 - RADIUS * 0.6} C${x1 + 34} ${y1 - 22} ${x1 + 34} ${y1 + 22} ${x1 + RADIUS * 0.8} ${y1 + RADIUS * 0.6}`;
  if (y2 > y1) {
    const far = y2 - y1 > LAYER * 1.5 && Math.abs(x2 - x1) < COLUMN ? COLUMN * 0.6 : 0;
    return bow([x1, y1], [(x1 + x2) / 2 + far, (y1 + y2) / 2], [x2, y2]);
  }
  const side = x2 >= x1 ? 1 : -1;
  const bend = COLUMN * 0.75 + Math.min(40, (y1 - y2) / 6);
  if (y1 === y2) return bow([x1, y1], [(x1 + x2) / 2, y1 + 26], [x2, y2]);
  return bow([x1, y1], [(x1 + x2) / 2 + side * bend, (y1 + y2) / 2], [x2, y2]);
}

/** A curve by way of a point, from circle to circle. */
function bow(from, by, to) {
  const edge = ([x, y], [a, b], radius) => {
    const length = Math.hypot(a - x, b - y) || 1;
    return [x + ((a - x) * radius) / length, y + ((b - y) * radius) / length].map((each) => Math.round(each * 10) / 10);
  };
  const [start, end] = [edge(from, by, RADIUS), edge(to, by, RADIUS + 1)];
  return `M${start.join(" ")} Q${by.join(" ")} ${end.join(" ")}`;
}
