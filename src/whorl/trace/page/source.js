// The panel of the source: the model's text, with the step's line, where each process is, and the
// calls of the inlines that lead there.

import { h, fill, byId, baseName, roving } from "./dom.js";
import { stepWho } from "./run.js";
import { hue } from "./chart.js";
import { placeText } from "./expression.js";
import { tag } from "./state.js";

const WORDS =
  /\b(active|assert|atomic|bit|bool|break|byte|chan|d_step|do|else|empty|enabled|eval|fi|for|full|goto|hidden|if|init|inline|int|len|ltl|mtype|nempty|never|nfull|notrace|od|of|pid|printf|printm|priority|proctype|provided|return|run|select|short|show|skip|timeout|trace|typedef|unless|unsigned|xr|xs|true|false)\b|("(?:\\.|[^"\\])*")|(\/\/.*|\/\*.*?(?:\*\/|$))|(^\s*#\s*\w+)|\b(\d+)\b/g;
const CLASSES = ["keyword", "string", "comment", "directive", "digit"];

const BADGES = 3; // that fit beside a line

export class SourcePanel {
  constructor(run) {
    this.run = run;
    this.box = byId("source");
    this.files = new Map((run.result.sources ?? []).map(({ file, text }) => [file, text]));
    this.lines = new Map(); // file -> elements of its lines
    this.tabs = new Map();
    this.crumbs = h("div", { class: "crumbs" });
    const buttons = [...this.files.keys()].map((file) => {
      const button = h("button", { type: "button", role: "tab", onclick: () => this.open(file) }, baseName(file));
      this.tabs.set(file, button);
      return button;
    });
    this.stop = buttons.length > 1 ? roving(buttons, (button) => button.click()) : null;
    this.text = h("div", { class: "text", tabindex: "0", role: "region", "aria-label": "source" });
    const list = buttons.length > 1 ? h("div", { class: "files", role: "tablist", "aria-label": "files" }, ...buttons) : null;
    fill(this.box, list, this.crumbs, this.text);
    this.current = null;
    this.marked = [];
  }

  open(file) {
    if (this.current === file || !this.files.has(file)) return;
    this.current = file;
    for (const [name, button] of this.tabs) button.setAttribute("aria-selected", String(name === file));
    this.stop?.(this.tabs.get(file));
    if (!this.lines.has(file)) this.lines.set(file, rendered(this.files.get(file)));
    fill(this.text, ...this.lines.get(file));
    if (this.row) this.#mark();
  }

  show(row) {
    this.row = row;
    const step = row.first > 0 ? this.run.steps[row.last - 1] : null;
    this.#crumbs(step);
    if (step && this.files.has(step.file)) this.open(step.file);
    else if (this.current === null && this.files.size) this.open([...this.files.keys()][0]);
    this.#mark();
    const lead = step ?? [...this.run.state(0).where.values()].find((each) => each.line !== null);
    if (lead) this.reveal(lead.file, lead.line);
  }

  /** The way to the step's statement: who, and through which calls. */
  #crumbs(step) {
    if (!step) return fill(this.crumbs, h("span", { class: "faint" }, "before the first step"));
    const parts = [tag(stepWho(step), this.run.laneOf.get(stepWho(step)))];
    for (const call of step.calls ?? []) parts.push(this.#crumb(`${placeText(call.file, call.line)} ${call.name}()`, call, `${call.name}() is called here`));
    parts.push(this.#crumb(placeText(step.file, step.line), step));
    if (step.partner) parts.push("↔", tag(`${step.partner.process}:${step.partner.pid}`, this.run.laneOf.get(`${step.partner.process}:${step.partner.pid}`)), this.#crumb(placeText(step.partner.file, step.partner.line), step.partner));
    return fill(this.crumbs, ...parts);
  }

  #crumb(text, { file, line }, title = null) {
    return h("button", { type: "button", class: "link", title, onclick: () => this.go(file, line) }, text);
  }

  /** Shows a line, wherever it is. */
  go(file, line) {
    this.open(file);
    this.reveal(file, line);
    const element = this.#line(file, line);
    if (!element) return;
    element.classList.add("flash");
    setTimeout(() => element.classList.remove("flash"), 900);
  }

  #line(file, line) {
    return this.current === file ? this.lines.get(file)?.[line - 1] : undefined;
  }

  reveal(file, line) {
    const element = this.#line(file, line);
    if (!element) return;
    const { text } = this;
    const top = element.offsetTop - text.offsetTop;
    if (top < text.scrollTop + 40 || top > text.scrollTop + text.clientHeight - 60) {
      text.scrollTop = top - text.clientHeight / 3;
    }
  }

  #mark() {
    for (const element of this.marked) {
      element.classList.remove("here", "partner", "called", "bad", "occupied");
      element.querySelector(".badges").replaceChildren();
    }
    this.marked = [];
    const { row } = this;
    const add = (place, ...classes) => {
      const element = place && place.line !== null && this.#line(place.file, place.line);
      if (!element) return null;
      element.classList.add(...classes);
      this.marked.push(element);
      return element;
    };
    const step = row.first > 0 ? this.run.steps[row.last - 1] : null;
    if (step) {
      for (const call of step.calls ?? []) add(call, "called");
      if (step.partner) add(step.partner, "partner");
      add(step, "here", ...(step.failures?.length ? ["bad"] : []));
    }
    const first = (position) => (position.pid === step?.pid ? -1 : position.pid); // who moves, then by pid
    for (const position of [...this.run.state(row.last).where.values()].sort((a, b) => first(a) - first(b))) {
      this.#badge(add, position, position);
      for (const call of position.calls ?? []) this.#badge(add, position, call, true);
    }
    for (const element of new Set(this.marked)) crowd(element.querySelector(".badges"));
  }

  #badge(add, position, place, called = false) {
    const element = add(place, "occupied");
    if (!element) return;
    const who = `${position.process}:${position.pid}`;
    const title = called ? `${who} is in the inline that is called here` : `${who} is here`;
    const lane = this.run.laneOf.get(who);
    element.querySelector(".badges").append(h("span", { class: `badge${called ? " outer" : ""}`, title, style: { "--hue": hue(lane) } }, position.pid));
  }
}

/** Where more processes are at a line than there is room for: how many more; a title names them. */
function crowd(box) {
  const badges = [...box.querySelectorAll(".badge")];
  if (badges.length <= BADGES) return;
  const more = badges.slice(BADGES - 1);
  for (const badge of more) badge.hidden = true;
  box.append(h("span", { class: "more", title: more.map((badge) => badge.title).join("\n") }, `+${more.length}`));
}

/** The lines of a text as elements, with a little colour. */
function rendered(text) {
  let inComment = false;
  return text.split(/\r?\n/).map((line, n) => {
    const [parts, still] = coloured(line, inComment);
    inComment = still;
    return h("div", { class: "line", "data-line": n + 1 }, h("span", { class: "badges" }), h("span", { class: "line-number" }, n + 1), h("code", {}, ...parts));
  });
}

function coloured(line, inComment) {
  const parts = [];
  let from = 0;
  if (inComment) {
    const end = line.indexOf("*/");
    from = end < 0 ? line.length : end + 2;
    parts.push(h("span", { class: "comment" }, line.slice(0, from)));
    if (end < 0) return [parts, true];
  }
  let open = false;
  const rest = line.slice(from);
  let last = 0;
  for (const match of rest.matchAll(WORDS)) {
    parts.push(rest.slice(last, match.index));
    const kind = CLASSES.find((_, n) => match[n + 1] !== undefined);
    parts.push(h("span", { class: kind }, match[0]));
    last = match.index + match[0].length;
    if (kind === "comment" && match[0].startsWith("/*") && !/^\/\*.*\*\/$/s.test(match[0])) open = true;
  }
  parts.push(rest.slice(last));
  return [parts, open];
}
