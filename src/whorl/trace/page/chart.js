// The chart: a lane for each process, a row for each step, arrows for messages.
//
// Only the rows that can be seen are in the document, and the one that has the focus.

import { h, svg, fill, counted, byId } from "./dom.js";
import { messageText, partnerWho, stepText, stepWho } from "./run.js";
import { groupSummary, groupText } from "./rows.js";

const ROW = 28;
const BEYOND = 8; // rows that are made above and below those that can be seen
const NARROW = 560; // px; with less, all processes share one lane
const LEAST = 96; // px that a lane has at least
const LANE = 150; // px that a lane has at least if its texts are longer
const MOST = 300; // px that a lane has at most
const CHANGES = 200; // px for the column of changes, if there is room
const CHAR = 7.25; // px
const TRACKS = 5; // of messages on their way, in the lane of their receiver
const TRACK = 5; // px between two

export class Chart {
  /** `on` has select(row), toggle(row) and heads(who). */
  constructor(run, on) {
    this.run = run;
    this.on = on;
    this.rows = [];
    this.selected = 0;
    this.marks = null; // { texts } of an expression
    this.hits = new Set();
    this.box = byId("chart");
    this.heads = h("div", { class: "heads", role: "row" });
    this.arrows = svg("svg", { class: "arrows", "aria-hidden": "true" });
    this.loops = svg("svg", { class: "loops", width: 24, "aria-hidden": "true" }); // above the gutter
    this.body = h("div", { class: "rows", role: "rowgroup" }, this.arrows, this.loops);
    fill(this.box, h("div", { class: "heads-group", role: "rowgroup" }, this.heads), this.body);
    this.made = new Map(); // index -> element
    this.abort = new AbortController();
    const { signal } = this.abort;
    this.box.addEventListener("scroll", () => this.#later(), { signal });
    this.height = 0;
    this.observer = new ResizeObserver(() => this.#resized());
    this.observer.observe(this.box);
  }

  /** Ends it, so that another can take its place. */
  close() {
    this.abort.abort();
    this.observer.disconnect();
  }

  /** What is selected stays in sight, where it was, when the chart gets smaller. */
  #resized() {
    const [top, room] = [this.selected * ROW - this.box.scrollTop, this.box.clientHeight];
    const seen = top > -ROW && top < this.height;
    this.height = room;
    this.layout();
    if (seen && this.widths) this.#reveal(this.selected);
  }

  show(rows) {
    this.rows = rows;
    this.rowOf = new Int32Array(this.run.last + 1).fill(-1);
    rows.forEach((row, index) => {
      if (row.kind === "mark" || (row.kind === "group" && row.group.open)) return;
      for (let n = row.first; n <= row.last; n++) this.rowOf[n] = index;
    });
    this.links = this.#shownLinks();
    this.taken = new Set(this.links.filter((link) => link.target > link.source || link.top === link.bottom).map((link) => link.top));
    this.tails = this.run.lanes.map((_, n) => {
      const tracks = this.links.filter((link) => link.target === n && link.top !== link.bottom).map((link) => link.track + 1);
      return tracks.length ? 12 + tracks.reduce((a, b) => Math.max(a, b)) * TRACK : 12;
    });
    this.box.setAttribute("aria-rowcount", rows.length + 1);
    this.layout();
  }

  /** Messages between rows, each with a track in the lane of its receiver. */
  #shownLinks() {
    const busy = this.run.lanes.map(() => []); // until which row each track is taken
    const links = [];
    for (const link of this.run.links) {
      const [top, bottom] = [this.rowOf[link.from], this.rowOf[link.to]];
      if (top < 0 || bottom < 0 || (top === bottom && link.from !== link.to)) continue;
      const tracks = busy[link.target];
      let track = tracks.findIndex((until) => until < top);
      if (track < 0) track = tracks.length < TRACKS ? tracks.length : TRACKS - 1;
      if (top !== bottom) tracks[track] = bottom;
      links.push({ ...link, top, bottom, track });
    }
    return links;
  }

  layout() {
    const width = this.box.clientWidth;
    if (!width) return;
    this.narrow = width < NARROW;
    this.box.classList.toggle("narrow", this.narrow);
    const digits = String(this.run.last).length;
    const marks = this.marks ? 62 : 0;
    this.gutter = 36 + digits * 8 + marks + (this.run.loop === null ? 0 : 16) + (this.run.marked ? 12 : 0);
    const room = width - this.gutter - 2;
    this.widths = this.narrow ? [room] : this.#widths(room);
    const lanes = this.widths.reduce((a, b) => a + b, 0);
    this.ends = [];
    this.widths.reduce((x, each) => (this.ends.push(x + each), x + each), this.gutter);
    this.changes = !this.narrow && room - lanes >= 120 ? room - lanes : 0;
    const whole = this.gutter + lanes + this.changes;
    this.body.style.setProperty("height", `${(this.rows.length + 1) * ROW}px`);
    for (const part of [this.body, this.heads]) {
      part.style.setProperty("width", `${Math.max(whole, width)}px`);
      part.style.setProperty("--gutter", `${this.gutter}px`);
      part.style.setProperty("--marks", `${marks}px`);
    }
    this.#heads();
    this.redraw();
  }

  /** The widths of lanes: as their texts need, and a fair share of what is there. */
  #widths(room) {
    const most = this.run.lanes.map(() => 0);
    const need = (who, text) => {
      const lane = this.run.laneOf.get(who);
      most[lane] = Math.max(most[lane], text.length);
    };
    for (const step of this.run.steps) {
      need(stepWho(step), stepText(step));
      if (step.partner) need(partnerWho(step), step.message ? messageText(step.message, true) : step.partner.text);
    }
    const wanted = most.map((length, n) => {
      const head = this.run.lanes[n].who.length * CHAR + 40;
      return Math.min(MOST, Math.max(LEAST, head, length * CHAR + this.tails[n] + 40));
    });
    const sum = wanted.reduce((a, b) => a + b, 0);
    const share = Math.max(0, room - CHANGES);
    if (sum <= share) return wanted;
    // The widest are cut first, down to a limit that fits.
    const cut = (limit) => wanted.map((each) => Math.min(each, limit));
    let [low, high] = [LANE, MOST];
    while (high - low > 1) {
      const middle = (low + high) / 2;
      if (cut(middle).reduce((a, b) => a + b, 0) <= share) low = middle;
      else high = middle;
    }
    return cut(low);
  }

  #heads() {
    const marks = this.marks && h("span", { class: "mark-head", title: this.marks.text }, this.marks.text);
    const first = h("div", { class: "gutter head", role: "columnheader" }, marks, h("span", { class: "number" }, "#"));
    const cells = this.narrow ? [] : this.run.lanes.map((lane, n) => this.#head(lane, n));
    const changes = this.changes > 0 && h("div", { class: "head changes-head", role: "columnheader", style: { left: `${this.ends.at(-1)}px` } }, "changes");
    fill(this.heads, first, ...cells, ...(changes ? [changes] : []));
  }

  #head(lane, n) {
    return h(
      "div",
      { class: "head lane-head", role: "columnheader", style: { left: `${this.#x(n)}px`, width: `${this.widths[n]}px`, "--hue": hue(n) }, "data-who": lane.who },
      h("button", { type: "button", tabindex: "-1", title: `show only the steps of ${lane.who}`, onclick: () => this.on.heads(lane.who) }, lane.who),
    );
  }

  #later() {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      this.#visible();
    });
  }

  /** Makes all rows anew. */
  redraw() {
    const focused = this.body.contains(document.activeElement);
    for (const element of this.made.values()) element.remove();
    this.made.clear();
    this.#visible();
    if (focused) this.focus();
  }

  #visible() {
    const top = this.box.scrollTop;
    const first = Math.max(0, Math.floor(top / ROW) - BEYOND);
    const last = Math.min(this.rows.length - 1, Math.ceil((top + this.box.clientHeight) / ROW) + BEYOND);
    const wanted = new Set([this.selected]);
    for (let n = first; n <= last; n++) wanted.add(n);
    for (const [index, element] of this.made) {
      if (!wanted.has(index)) {
        element.remove();
        this.made.delete(index);
      }
    }
    // In their order also in the document, for those who hear the page.
    let following = null;
    for (const index of [...wanted].sort((a, b) => b - a)) {
      if (!this.made.has(index) && this.rows[index]) {
        const element = this.#row(index);
        this.made.set(index, element);
        this.body.insertBefore(element, following);
      }
      following = this.made.get(index) ?? following;
    }
    this.#draw(first, last);
  }

  #row(index) {
    const row = this.rows[index];
    if (row.kind === "mark") return this.#mark(row, index);
    const chosen = index === this.selected;
    const folds = row.kind === "group";
    const classes = ["row", row.kind, chosen && "selected", this.#inLoop(row) && "in-loop", this.#isHit(row) && "hit", this.#fails(row) && "wrong", { true: "needed", false: "dim" }[this.run.matters(row.first, row.last)]];
    const element = h(
      "div",
      {
        class: classes.filter(Boolean).join(" "),
        role: "row",
        id: `row-${index}`,
        tabindex: chosen ? "0" : "-1",
        "aria-rowindex": index + 2,
        "aria-level": row.depth + 1,
        "aria-selected": String(chosen),
        "aria-expanded": folds ? String(row.group.open) : null,
        "aria-label": this.label(row),
        "data-first": row.first,
        "data-last": row.last,
        style: { top: `${index * ROW}px` },
        onclick: () => this.on.select(index, true),
        ondblclick: () => folds && this.on.toggle(index),
      },
      this.#gutter(row, index),
      ...this.#boxes(row, index),
    );
    if (this.changes > 0) element.append(this.#changes(row));
    return element;
  }

  #mark(row, index) {
    return h("div", { class: `row mark${row.end ? " mark-end" : ""}`, role: "row", "aria-rowindex": index + 2, style: { top: `${index * ROW}px` } }, h("span", { role: "gridcell" }, row.text));
  }

  #inLoop(row) {
    return this.run.loop !== null && row.first > this.run.loop;
  }

  #isHit(row) {
    if (!this.hits.size || (row.kind === "group" && row.group.open)) return false;
    for (let n = row.first; n <= row.last; n++) if (this.hits.has(n)) return true;
    return false;
  }

  #fails(row) {
    if (row.kind === "initial" || (row.kind === "group" && row.group.open)) return false;
    for (let n = row.first; n <= row.last; n++) if (this.run.steps[n - 1].failures?.length) return true;
    return false;
  }

  /** A row in words, for those who hear it. */
  label(row) {
    if (row.kind === "initial") return "initial state";
    if (row.kind === "group") {
      const { first, last } = row;
      return `${groupText(row.group)} of ${stepWho(this.run.steps[first - 1])}, steps ${first} to ${last}, ${row.group.open ? "open" : "folded"}`;
    }
    const { step } = row;
    const to = step.partner ? ` to ${partnerWho(step)}` : "";
    const changes = step.changes.map((c) => `${c.process === null ? "" : `${c.process}.`}${c.name} = ${c.value}`).join(", ");
    const wrong = (step.failures ?? []).join(", ");
    const needed = { true: "needed", false: "not needed" }[this.run.matters(step.number, step.number)];
    return [`step ${step.number}, ${stepWho(step)}: ${stepText(step)}${to}`, changes, step.output, wrong, needed].filter(Boolean).join("; ");
  }

  #gutter(row, index) {
    const number = row.kind === "group" && row.group.open ? null : row.last;
    const fold =
      row.kind === "group" &&
      h("button", { type: "button", class: "fold", tabindex: "-1", "aria-hidden": "true", onclick: (event) => { event.stopPropagation(); this.on.toggle(index); } }, row.group.open ? "▾" : "▸");
    const value = this.marks?.texts[row.last];
    const changed = this.marks && row.last > 0 && this.marks.texts[row.first - 1] !== value;
    const marks = this.marks && h("span", { class: `mark-value ${truthClass(value)}${changed ? " changed" : ""}` }, value);
    return h("div", { class: "gutter", role: "rowheader" }, marks, fold || null, h("span", { class: "number" }, number));
  }

  /** The boxes of a row: what the process does, and its partner in a handshake. */
  #boxes(row, index) {
    if (row.kind === "initial") return [h("div", { class: "box plain", role: "gridcell", style: { left: `${this.gutter}px` } }, "initial state")];
    if (row.kind === "group") {
      const step = this.run.steps[row.first - 1];
      const text = `${row.group.open ? groupText(row.group) : groupSummary(this.run, row.group)} `;
      const length = row.last - row.first + 1;
      const count = h("span", { class: "count", title: counted(length, "step") }, row.group.open ? counted(length, "step") : `+${length - 1}`);
      return [this.#box(this.run.laneOf.get(stepWho(step)), [text, count], row, "group-box", stepWho(step), `${groupText(row.group)}: ${counted(length, "step")}`, !this.taken.has(index))];
    }
    const { step } = row;
    const wrong = step.failures?.length ? " bad" : "";
    const shown = [wrong && h("span", { class: "cross" }, "✗ "), stepText(step)];
    const boxes = [this.#box(this.run.laneOf.get(stepWho(step)), shown, row, `step-box${wrong}${step.message ? " message" : ""}`, stepWho(step), step.text, !this.taken.has(index))];
    if (step.partner && !this.narrow) {
      const text = step.message ? messageText(step.message, true) : step.partner.text;
      boxes.push(this.#box(this.run.laneOf.get(partnerWho(step)), [text], { depth: 0 }, "step-box message", partnerWho(step), step.partner.text));
    }
    return boxes;
  }

  #box(lane, content, row, classes, who, title = null, alone = false) {
    const place = this.narrow ? 0 : lane;
    const indent = Math.min(row.depth ?? 0, 4) * 10;
    const tail = this.narrow ? 2 : this.tails[lane];
    const left = this.#x(place) + indent + tail;
    const more = alone && !this.narrow ? (this.widths[place + 1] ?? 0) : 0; // nothing is beside it
    const width = this.widths[place] + more - indent - tail - (this.narrow ? 4 : 10);
    const name = this.narrow && h("span", { class: "who" }, who);
    return h("div", { class: `box ${classes}`, role: "gridcell", title, style: { left: `${left}px`, "max-width": `${width}px`, "--hue": hue(lane) } }, name || null, h("span", { class: "words" }, content));
  }

  #changes(row) {
    const left = this.ends.at(-1);
    let words = [];
    if (row.kind === "step" || (row.kind === "group" && !row.group.open)) {
      words = this.run.changes(row.first, row.last).map(({ process, name, value }) => `${process === null ? "" : `${process}.`}${name} = ${value}`);
      const steps = this.run.steps.slice(row.first - 1, row.last);
      words.push(...steps.filter((step) => step.output).map((step) => `“${step.output.trim()}”`));
      words.unshift(...steps.flatMap((step) => step.failures ?? []));
    }
    const text = words.join(", ");
    return h("div", { class: "changes", role: "gridcell", title: text, style: { left: `${left}px`, width: `${this.changes}px` } }, text);
  }

  // --- arrows -------------------------------------------------------------------------------------

  /** Draws what belongs to the rows from `first` to `last`. */
  #draw(first, last) {
    const offset = first * ROW;
    this.arrows.setAttribute("width", this.body.clientWidth);
    this.arrows.setAttribute("height", Math.max(0, (last - first + 1) * ROW));
    this.arrows.style.setProperty("top", `${offset}px`);
    const parts = [];
    this.loops.setAttribute("height", Math.max(0, (last - first + 1) * ROW));
    this.loops.style.setProperty("top", `${offset}px`);
    this.loops.style.setProperty("left", `${this.box.scrollLeft}px`);
    fill(this.loops, marker("loop-tip", 9), ...this.#loop(first, last));
    if (!this.narrow) {
      parts.push(...this.#lifelines(last - first + 1));
      const chips = new Map();
      for (const link of this.links) {
        if (link.top > last || link.bottom < first) continue;
        parts.push(this.#arrow(link, offset));
        if (link.top >= first) {
          const key = `${link.top} ${link.target}`;
          chips.set(key, [...(chips.get(key) ?? []), link]);
        }
      }
      for (const links of chips.values()) parts.push(this.#chip(links, offset));
      parts.push(...this.#unreceived(first, last, offset));
    }
    fill(this.arrows, marker("tip", 7), ...parts);
  }

  #x(lane) {
    return lane === 0 ? this.gutter : this.ends[lane - 1];
  }

  #lifelines(rows) {
    return this.run.lanes.map((_, n) => {
      const x = this.ends[n] - 5;
      return svg("line", { class: "lifeline", x1: x, x2: x, y1: 0, y2: rows * ROW });
    });
  }

  /** From the sender's row to the receiver's lane, down its track, and into the receiver's row. */
  #arrow(link, offset) {
    const y1 = link.top * ROW + ROW / 2 - offset;
    const y2 = link.bottom * ROW + ROW / 2 - offset;
    const source = this.#edge(link.top, link.source, link.target > link.source);
    const chosen = this.selected === link.top || this.selected === link.bottom;
    const attributes = { class: `arrow${chosen ? " chosen" : ""}`, style: { "--hue": hue(link.source) }, "data-from": link.from, "data-to": link.to, "marker-end": "url(#tip)" };
    const right = link.target > link.source;
    const box = this.#x(link.target) + this.tails[link.target];
    if (link.top === link.bottom) {
      const end = right ? box : this.#edge(link.top, link.target, true);
      return svg("path", { ...attributes, d: `M${source} ${y1} H${end - (right ? 1 : -1)}` });
    }
    const x = this.#x(link.target) + 8 + link.track * TRACK;
    const bend = Math.min(6, Math.abs(y2 - y1) / 2);
    const into = link.target === link.source || !right ? 1 : -1;
    const turn = `V${y2 - bend} Q${x} ${y2} ${x + bend} ${y2}`;
    return svg("path", { ...attributes, d: `M${source} ${y1} H${x + into * bend} Q${x} ${y1} ${x} ${y1 + bend} ${turn} H${box - 1}` });
  }

  /** Where an arrow leaves the box of a lane in a row. */
  #edge(index, lane, right) {
    const row = this.rows[index];
    const element = this.made.get(index);
    const who = this.run.lanes[lane].who;
    const box = element && [...element.querySelectorAll(".box")].find((each) => each.style.getPropertyValue("--hue") === String(hue(lane)));
    const indent = row.kind === "step" && stepWho(row.step) !== who ? 0 : Math.min(row.depth, 4) * 10;
    const left = this.#x(lane) + this.tails[lane] + indent;
    return right ? left + (box ? box.offsetWidth : this.widths[lane] - this.tails[lane] - 16) : left;
  }

  /** The values of a message, in the lane of its receiver, in the row where it is sent. */
  #chip(links, offset) {
    const [link] = links;
    if (link.source === link.target || link.top === link.bottom) return this.#label(link, offset);
    const y = link.top * ROW + ROW / 2 - offset;
    const texts = links.map((each) => each.message.text);
    const shown = texts.length > 1 ? `${texts.length} messages` : texts[0].replace(/^\[|\]$/g, "");
    const tail = this.tails[link.target];
    const room = Math.floor((this.widths[link.target] - tail - 12) / 6.3);
    const right = link.target > link.source;
    const x = this.#x(link.target) + (right ? 13 + link.track * TRACK : tail);
    const text = svg("text", { class: "chip", x, y: y - 3, style: { "--hue": hue(link.source) } }, clipped(shown, room));
    text.append(svg("title", {}, texts.join("  ")));
    return text;
  }

  /** The values of a handshake, above its arrow where there is room for them. */
  #label(link, offset) {
    const empty = svg("g");
    if (link.source === link.target) return empty;
    const [from, to] = [Math.min(link.source, link.target), Math.max(link.source, link.target)];
    const left = this.#edge(link.top, from, true);
    const right = this.#x(to) + this.tails[to];
    const shown = link.message.text.replace(/^\[|\]$/g, "");
    const room = Math.floor((right - left - 12) / 6.3);
    if (room < 1) return empty;
    const y = link.top * ROW + ROW / 2 - offset;
    const text = svg("text", { class: "chip", x: (left + right) / 2, y: y - 3, "text-anchor": "middle", style: { "--hue": hue(link.source) } }, clipped(shown, room));
    text.append(svg("title", {}, link.message.text));
    return text;
  }

  /** A short line with a dot: a message that nobody receives in this run. */
  #unreceived(first, last, offset) {
    const found = [];
    for (let index = first; index <= last; index++) {
      const row = this.rows[index];
      if (row?.kind !== "step" || row.step.message?.direction !== "send" || this.run.received.has(row.first)) continue;
      const lane = this.run.laneOf.get(stepWho(row.step));
      const x = this.#edge(index, lane, true);
      const y = index * ROW + ROW / 2 - offset;
      const line = svg("g", { class: "unreceived", style: { "--hue": hue(lane) } }, svg("path", { class: "arrow", d: `M${x} ${y} h9` }), svg("circle", { cx: x + 11, cy: y, r: 2.5 }));
      line.append(svg("title", {}, "not received in this run"));
      found.push(line);
    }
    return found;
  }

  /** The loop of a lasso: from its last row back up to the state in which it began. */
  #loop(first, last) {
    if (this.run.loop === null) return [];
    const begin = this.rowOf[this.run.loop];
    const end = this.rowOf[this.run.last];
    if (begin < 0 || end < 0 || begin > last || end < first) return [];
    const offset = first * ROW;
    const [y1, y2] = [begin * ROW + ROW / 2 - offset, end * ROW + ROW / 2 - offset];
    const [x, edge] = [7, 18];
    const d = `M${edge} ${y2} H${x + 6} Q${x} ${y2} ${x} ${y2 - 6} V${y1 + 6} Q${x} ${y1} ${x + 6} ${y1} H${edge}`;
    return [svg("path", { class: "loop", "marker-end": "url(#loop-tip)", d })];
  }

  // --- selection ----------------------------------------------------------------------------------

  select(index, focus = true) {
    const before = this.selected;
    this.selected = index;
    for (const each of [before, index]) {
      this.made.get(each)?.remove();
      this.made.delete(each);
    }
    this.#reveal(index);
    this.#visible();
    if (focus) this.focus();
  }

  focus() {
    this.made.get(this.selected)?.focus({ preventScroll: true });
  }

  #reveal(index) {
    const room = this.box.clientHeight - this.heads.offsetHeight;
    const top = index * ROW;
    const margin = Math.min(2 * ROW, room / 4);
    if (top - margin < this.box.scrollTop) this.box.scrollTop = Math.max(0, top - margin);
    else if (top + ROW + margin > this.box.scrollTop + room) this.box.scrollTop = top + ROW + margin - room;
    const row = this.rows[index];
    if (row?.kind === "initial") this.box.scrollLeft = 0;
    if (row && row.first > 0 && !this.narrow) {
      const lane = this.run.laneOf.get(stepWho(this.run.steps[row.first - 1]));
      const [x, end, width] = [this.#x(lane), this.ends[lane], this.box.clientWidth];
      if (x - this.gutter < this.box.scrollLeft) this.box.scrollLeft = x - this.gutter;
      else if (end > this.box.scrollLeft + width) this.box.scrollLeft = end - width;
    }
  }

  /** How many rows fit, less one to keep one's place. */
  get page() {
    return Math.max(1, Math.floor((this.box.clientHeight - this.heads.offsetHeight) / ROW) - 1);
  }
}

/** A colour for each lane, as different from its neighbours as can be. */
export const hue = (lane) => Math.round((210 + lane * 137.5) % 360);

const truthClass = (value) => (value === "true" ? "is-true" : value === "false" ? "is-false" : "");
const clipped = (text, room) => (text.length > room ? `${text.slice(0, Math.max(1, room - 1))}…` : text);

function marker(id, size) {
  const tip = svg("path", { class: "tip", d: "M0 0.5 L8 4 L0 7.5 z" });
  const attributes = { id, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: size, markerHeight: size, orient: "auto", markerUnits: "userSpaceOnUse" };
  return svg("defs", {}, svg("marker", attributes, tip));
}
