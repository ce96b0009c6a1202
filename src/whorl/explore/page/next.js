// The panel of the next steps: those that are enabled, and why others are not.

import { byId, counted, fill, h } from "../../trace/page/dom.js";
import { partnerWho, stepText, stepWho } from "../../trace/page/run.js";
import { placeText } from "../../trace/page/expression.js";
import { tag } from "../../trace/page/state.js";

const effectText = ({ process, name, value }) => `${process === null ? "" : `${process}.`}${name} = ${value}`;

export class NextPanel {
  /** `on` has go(step), back(), place(file, line) and lane(who). */
  constructor(on) {
    this.on = on;
    this.list = byId("enabled");
    this.steps = [];
    this.selected = 0;
    this.list.addEventListener("keydown", (event) => this.#key(event));
  }

  /** A state: its enabled steps, the nodes that they lead to, and what is not enabled. */
  show({ enabled, disabled, end, targets, graph }) {
    const focused = this.list.contains(document.activeElement);
    this.steps = enabled;
    this.selected = 0;
    const visited = new Set(graph.nodes.filter((node) => node.visited).map((node) => node.id));
    this.options = enabled.map((step, n) => this.#option(step, n, targets[n], visited.has(targets[n])));
    fill(this.list, ...this.options);
    this.list.hidden = !enabled.length;
    byId("enabled-title").textContent = enabled.length ? `Enabled: ${counted(enabled.length, "step")}` : "Enabled: none";
    byId("end").textContent = end?.text ?? "";
    byId("end").className = end?.wrong ? "failure" : "faint";
    byId("disabled-title").hidden = !disabled.length;
    fill(byId("disabled"), ...disabled.map((process) => this.#process(process)));
    this.#mark();
    if (focused) this.focus();
  }

  focus() {
    if (this.options?.length) this.options[this.selected].focus({ preventScroll: false });
    else byId("next-panel").focus();
  }

  // --- enabled ------------------------------------------------------------------------------------

  #option(step, n, target, known) {
    const who = stepWho(step);
    const words = [`${n + 1}: ${who}, line ${step.line}: ${stepText(step)}`];
    if (step.partner) words[0] += ` to ${partnerWho(step)}`;
    words.push(...step.changes.map(effectText), ...(step.failures ?? []));
    if (known) words.push("leads to a state that was visited");
    const head = [h("span", { class: "key", "aria-hidden": "true" }, n < 9 ? n + 1 : "·"), tag(who, this.on.lane(who))];
    if (step.partner) head.push("→", tag(partnerWho(step), this.on.lane(partnerWho(step))));
    head.push(h("span", { class: "faint" }, placeText(step.file, step.line)));
    head.push(h("span", { class: "target faint", title: known ? "a state that was visited" : "a new state" }, `${known ? "↺" : "→"} ${target}`));
    const parts = [h("div", { class: "head-line" }, ...head), h("code", { class: "statement" }, stepText(step))];
    if (step.reads.length) parts.push(h("span", { class: "reads" }, ...step.reads.map(readChip)));
    if (step.changes.length) parts.push(h("span", { class: "would" }, step.changes.map(effectText).join(", ")));
    if (step.output) parts.push(h("span", { class: "would" }, `“${step.output.trim()}”`));
    for (const failure of step.failures ?? []) parts.push(h("div", { class: "failure" }, `✗ ${failure}`));
    return h("li", { role: "option", id: `option-${n + 1}`, class: "option", "aria-label": words.join("; "), onclick: () => this.take(n) }, ...parts);
  }

  /** Takes the n-th step, from 0; whether there is one. */
  take(n) {
    if (!this.steps[n]) return false;
    this.on.go(this.steps[n]);
    return true;
  }

  #mark() {
    this.options.forEach((option, n) => {
      option.tabIndex = n === this.selected ? 0 : -1;
      option.setAttribute("aria-selected", String(n === this.selected));
    });
  }

  select(n) {
    if (!this.steps.length) return;
    this.selected = Math.max(0, Math.min(this.steps.length - 1, n));
    this.#mark();
    this.focus();
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (this.key(event)) {
      event.preventDefault();
      event.stopPropagation();
    }
  }

  /** What a key does in the list; whether it does anything. */
  key(event) {
    const actions = {
      ArrowDown: () => this.select(this.selected + 1),
      ArrowUp: () => this.select(this.selected - 1),
      Home: () => this.select(0),
      End: () => this.select(this.steps.length - 1),
      Enter: () => this.take(this.selected),
      " ": () => this.take(this.selected),
      ArrowRight: () => this.take(this.selected),
      ArrowLeft: () => this.on.back(),
    };
    if (!actions[event.key]) return false;
    actions[event.key]();
    return true;
  }

  // --- not enabled --------------------------------------------------------------------------------

  #process({ pid, process, reasons, steps }) {
    const who = `${process}:${pid}`;
    const whole = reasons.map((reason) => this.#reason(reason));
    return h("section", { class: "hindered", "aria-label": who, "data-process": who }, h("h3", {}, tag(who, this.on.lane(who))), ...whole, ...steps.map((step) => this.#disabled(step, reasons.length > 0)));
  }

  #disabled(step, hindered) {
    const link = h("button", { type: "button", class: "link", onclick: () => this.on.place(step.file, step.line) }, placeText(step.file, step.line));
    const own = step.reasons.length ? step.reasons.map((reason) => this.#reason(reason)) : [h("div", { class: "reason faint" }, hindered ? "could be executed otherwise" : "")];
    return h("div", { class: "disabled" }, link, " ", h("code", { class: "statement" }, step.text), ...own);
  }

  #reason({ kind, text, values }) {
    return h("div", { class: "reason", "data-kind": kind }, text, values.length ? " " : null, ...values.map(readChip));
  }
}

function readChip({ name, value, written }) {
  const title = written === name ? name : `${written} is ${name}`;
  return h("span", { class: "read", title }, h("span", { class: "read-name" }, name), " = ", h("span", { class: "read-value" }, value));
}
