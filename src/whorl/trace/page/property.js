// The panel of the property: the formula, its propositions, and the automaton where it is.

import { h, svg, fill, byId } from "./dom.js";

export class PropertyPanel {
  constructor(run) {
    this.run = run;
    this.box = byId("property");
    const { trace } = run;
    const said = trace.formula ?? trace.message;
    const name = trace.property ?? trace.kind;
    this.head = h("div", { class: "said" }, h("strong", {}, name), " ", trace.property && trace.kind !== "run" ? h("span", { class: "faint" }, trace.kind) : null, h("code", { class: "statement" }, said));
    this.truths = h("ul", { class: "truths", "aria-label": "propositions" });
    this.where = h("p", { class: "automaton-state", role: "status" });
    this.picture = trace.automaton?.layout ? this.#drawn(trace.automaton) : null;
    this.drawing = this.picture && h("div", { class: "drawing" }, this.picture);
    const about = trace.automaton ? h("p", { class: "faint" }, "The automaton accepts the runs that violate the property; a double ring is an accepting state.") : null;
    const none = !trace.propositions.length && trace.kind !== "run" && h("p", { class: "faint" }, "A violation of safety: no automaton runs beside the program.");
    fill(this.box, this.head, this.truths, this.where, this.drawing, about, none || null);
  }

  show(row) {
    const { trace } = this.run;
    const truth = lastKnown(trace.truth, row.last);
    const before = row.first > 0 ? lastKnown(trace.truth, row.first - 1) : truth;
    fill(
      this.truths,
      ...trace.propositions.map((text, n) => {
        const [now, was] = [truth?.[n], before?.[n]];
        const mark = now === undefined ? "–" : now ? "✓" : "✗";
        return h("li", { class: `${now ? "is-true" : "is-false"}${now !== was ? " changed" : ""}`, "aria-label": `${text} is ${now ? "true" : "false"}` }, h("span", { "aria-hidden": "true" }, mark), " ", h("code", {}, text));
      }),
    );
    if (trace.automaton) this.#automaton(row.last);
  }

  #automaton(at) {
    const { run, accepting } = { run: this.run.trace.run, accepting: this.run.trace.automaton.accepting };
    const states = lastKnown(run, at) ?? [];
    const next = following(this.run, at);
    const [first, ...others] = states;
    const kind = accepting.includes(first) ? ", which is accepting" : "";
    const more = others.length ? `; in later rounds it is in ${others.join(", ")}` : "";
    const onward = next === null || next === undefined ? "" : `; it reads this state and goes to ${next}`;
    this.where.textContent = first === undefined ? "" : `The automaton is in state ${first}${kind}${onward}${more}.`;
    if (!this.picture) return;
    for (const node of this.picture.querySelectorAll("[data-state]")) {
      const state = Number(node.dataset.state);
      node.classList.toggle("current", state === first);
      node.classList.toggle("later", others.includes(state));
      if (state === first) this.#reveal(node);
    }
    for (const edge of this.picture.querySelectorAll("[data-edge]")) {
      edge.classList.toggle("current", edge.dataset.edge === `${first} ${next}`);
    }
  }

  /** Scrolls a drawing that is wider than its panel to a state. */
  #reveal(node) {
    const [state, box] = [node.getBoundingClientRect(), this.drawing.getBoundingClientRect()];
    if (state.right > box.right) this.drawing.scrollLeft += state.right - box.right + 12;
    else if (state.left < box.left) this.drawing.scrollLeft -= box.left - state.left + 12;
  }

  #drawn({ layout, edges, accepting }) {
    const curve = (points) => {
      const words = points.map(([x, y]) => `${x} ${y}`);
      let d = `M${words[0]}`;
      for (let n = 1; n < words.length; n += 3) d += ` C${words.slice(n, n + 3).join(" ")}`;
      return d;
    };
    const tip = svg("marker", { id: "edge-tip", viewBox: "0 0 8 8", refX: 7.5, refY: 4, markerWidth: 8, markerHeight: 8, orient: "auto", markerUnits: "userSpaceOnUse" }, svg("path", { class: "tip", d: "M0 0.5 L8 4 L0 7.5 z" }));
    const paths = edges.map(({ source, target, label }, n) =>
      svg("path", { class: "edge", "data-edge": `${source} ${target}`, "marker-end": "url(#edge-tip)", d: curve(layout.curves[n]) }, svg("title", {}, label)),
    );
    const nodes = layout.nodes.map(([x, y], state) => {
      const doubled = accepting.includes(state);
      return svg("g", { class: `node${doubled ? " accepting" : ""}`, "data-state": state }, svg("circle", { cx: x, cy: y, r: layout.radius }), doubled ? svg("circle", { class: "ring", cx: x, cy: y, r: layout.radius - 4 }) : null, svg("text", { x, y: y + 4, "text-anchor": "middle" }, state));
    });
    const labels = layout.texts.flatMap((lines, n) => {
      const [x, y] = layout.labels[n];
      return lines.map((line, m) => svg("text", { class: "edge-label", x, y: y - ((lines.length - 1) * 15) / 2 + m * 15 + 4, "text-anchor": "middle" }, line));
    });
    const entry = svg("path", { class: "edge", "marker-end": "url(#edge-tip)", d: curve(layout.entry) });
    return svg("svg", { class: "automaton", role: "img", "aria-label": "the automaton of the runs that violate the property", viewBox: `0 0 ${layout.width} ${layout.height}`, style: { "max-width": `${layout.width}px`, "min-width": `${layout.width * 0.6}px` } }, svg("defs", {}, tip), entry, ...paths, ...nodes, ...labels);
  }
}

/** The last entry up to `at` that is known: a claim does not look into atomic sequences. */
function lastKnown(entries, at) {
  for (let n = Math.min(at, entries.length - 1); n >= 0; n--) if (entries[n] !== null) return entries[n];
  return undefined;
}

/** The state that the automaton goes to when it reads the state after `at` steps. */
function following(run, at) {
  const states = run.trace.run;
  for (let n = at + 1; n < states.length; n++) if (states[n] !== null) return states[n][0];
  const here = lastKnown(states, at);
  if (run.loop !== null) {
    const next = run.loop + 1 < states.length ? states.slice(run.loop + 1).find((each) => each !== null) : null;
    return next?.at(-1);
  }
  return here?.at(-1);
}
