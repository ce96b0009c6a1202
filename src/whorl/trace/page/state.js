// The panel of the state: where each process is, and every value, with what has changed.

import { h, fill, byId, roving } from "./dom.js";
import { nameParts, partnerWho, stepText, stepWho } from "./run.js";
import { hue } from "./chart.js";
import { groupText } from "./rows.js";
import { placeText } from "./expression.js";

/** `on` has variable(name), to show where it changes, and place(file, line). */
export class StatePanel {
  constructor(run, on) {
    this.run = run;
    this.on = on;
    this.box = byId("state");
    this.order = run.variables.map((_, n) => n);
  }

  /** The state after `row.last` steps, with what is different from that before the row. */
  show(row, wanted = "") {
    const after = this.run.state(row.last);
    const before = row.first === 0 ? after : this.run.state(row.first - 1);
    const words = wanted.trim().toLowerCase();
    const parts = [this.#head(row)];
    parts.push(this.#section("global", null, null, before, after, words));
    for (const position of [...after.where.values()].sort((a, b) => a.pid - b.pid)) {
      const who = `${position.process}:${position.pid}`;
      const old = before.where.get(position.pid);
      parts.push(this.#section(who, who, this.#where(position, old !== position), before, after, words));
    }
    const found = parts.filter(Boolean);
    if (words && found.length === 1) found.push(h("p", { class: "faint" }, `no name has “${wanted}” in it`));
    fill(this.box, ...found);
    const buttons = [...this.box.querySelectorAll("button")];
    if (buttons.length) roving(buttons);
  }

  /** What happened last. */
  #head(row) {
    if (row.kind === "initial") return h("div", { class: "said" }, h("strong", {}, "The initial state"));
    if (row.kind === "group") {
      const who = stepWho(this.run.steps[row.first - 1]);
      return h("div", { class: "said" }, h("strong", {}, `Steps ${row.first}–${row.last}`), ` ${who} `, h("code", {}, groupText(row.group)));
    }
    const { step } = row;
    const lane = this.run.laneOf.get(stepWho(step));
    const parts = [h("strong", {}, `Step ${step.number}`), " ", tag(stepWho(step), lane)];
    if (step.partner) parts.push(" → ", tag(partnerWho(step), this.run.laneOf.get(partnerWho(step))));
    parts.push(" ", this.#link(step.file, step.line), h("code", { class: "statement" }, step.text));
    if (step.message && stepText(step) !== step.text) parts.push(h("code", { class: "statement values" }, stepText(step)));
    if (step.output) parts.push(h("pre", { class: "output", "aria-label": "printed" }, step.output));
    for (const failure of step.failures ?? []) parts.push(h("div", { class: "failure" }, `✗ ${failure}`));
    return h("div", { class: "said" }, ...parts);
  }

  #link(file, line) {
    return h("button", { type: "button", class: "link", onclick: () => this.on.place(file, line) }, placeText(file, line));
  }

  #where(position, moved) {
    if (position.line === null) return h("span", { class: `at${moved ? " changed" : ""}` }, "at its end");
    const labels = (position.labels ?? []).map((label) => h("span", { class: "label" }, `${label}:`));
    const calls = (position.calls ?? []).map((call) => h("span", { class: "call" }, `${call.name}()`, " called at ", this.#link(call.file, call.line)));
    const waiting = h("code", {}, position.waiting.join(" | ") || "…");
    const end = position.valid_end && h("span", { class: "faint" }, " a valid end");
    return h("span", { class: `at${moved ? " changed" : ""}` }, this.#link(position.file, position.line), " ", ...labels, waiting, end || null, ...calls);
  }

  #section(title, process, where, before, after, words) {
    const mine = [];
    this.run.variables.forEach((variable, number) => {
      if (variable.process !== process || after.values[number] === undefined) return;
      if (words && !`${process ?? ""} ${variable.name}`.toLowerCase().includes(words)) return;
      mine.push({ name: variable.name, now: after.values[number], was: before.values[number] });
    });
    if (!mine.length && (process === null || words)) return null;
    const lane = process === null ? null : this.run.laneOf.get(process);
    const head = h("h3", lane === null ? {} : { style: { "--hue": hue(lane) }, class: "of-lane" }, title);
    return h("section", { "aria-label": title, "data-process": process ?? "" }, head, where, this.#values(mine, process));
  }

  /** Values by their variables; those of an array stand side by side, those of a typedef in a table. */
  #values(mine, process) {
    const byBase = new Map();
    for (const each of mine) {
      const { base, path } = nameParts(each.name);
      byBase.set(base, [...(byBase.get(base) ?? []), { ...each, path }]);
    }
    const rows = [];
    for (const [base, parts] of byBase) {
      const name = h("button", { type: "button", class: "link name", title: `show only the steps that change ${base}`, onclick: () => this.on.variable(process === null ? base : `${process}.${base}`) }, base);
      const changed = parts.some((part) => part.was !== part.now);
      rows.push(h("div", { class: `variable${changed ? " changed" : ""}${parts.length > 1 ? " wide" : ""}`, "data-name": base }, h("dt", {}, name), h("dd", {}, ...layout(parts))));
    }
    return rows.length ? h("dl", { class: "values" }, ...rows) : null;
  }
}

export const tag = (who, lane) => h("span", { class: "tag", style: { "--hue": hue(lane) } }, who);

/** The parts of a variable: one value, a list of an array's, a table of fields, or name by name. */
function layout(parts) {
  if (parts.length === 1 && parts[0].path === "") return [value(parts[0])];
  if (parts.every((part) => /^\[\d+\]$/.test(part.path))) {
    return [h("span", { class: "array" }, ...parts.map((part) => value(part, part.path.slice(1, -1))))];
  }
  const split = parts.map((part) => ({ ...part, cell: /^(\[\d+\])\.(.*)$/s.exec(part.path) }));
  if (split.every((part) => part.cell)) {
    const fields = [...new Set(split.map((part) => part.cell[2]))];
    const lines = new Map();
    for (const part of split) lines.set(part.cell[1], { ...(lines.get(part.cell[1]) ?? {}), [part.cell[2]]: part });
    if (fields.length <= 6) {
      const head = h("tr", {}, h("td"), ...fields.map((field) => h("th", { scope: "col" }, field)));
      const body = [...lines].map(([index, cells]) =>
        h("tr", {}, h("th", { scope: "row" }, index.slice(1, -1)), ...fields.map((field) => h("td", {}, cells[field] ? value(cells[field]) : ""))),
      );
      return [h("table", {}, head, ...body)];
    }
  }
  return parts.map((part) => h("span", { class: "part" }, h("span", { class: "path" }, part.path), " ", value(part)));
}

function value({ name, now, was }, index = null) {
  const changed = was !== now;
  const old = changed && was !== undefined;
  return h(
    "span",
    { class: `value${changed ? " changed" : ""}`, "data-name": name, title: old ? `${name}: was ${was}` : name },
    index !== null ? h("span", { class: "index", "aria-hidden": "true" }, index) : null,
    old && index === null ? h("del", {}, was) : null,
    old && index === null ? " " : null,
    h("span", { class: "now" }, now),
  );
}
