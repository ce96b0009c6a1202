// Jumps: to a violation, to a counterexample, to the next state where an expression is true.

import { byId, fill, h } from "../../trace/page/dom.js";
import { AskError, ask } from "./ask.js";

export class Jumps {
  /** `on` has here(), the path to jump from, arrive(path, base), and say(text). */
  constructor(on) {
    this.on = on;
    this.job = null;
    this.count = 0;
    const click = (id, act) => byId(id).addEventListener("click", act);
    click("to-violation", () => this.violation());
    click("to-counterexample", () => this.counterexample());
    click("to-expression", () => this.expression());
    click("stop", () => this.stop());
    byId("jump-expression").addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.expression();
    });
  }

  violation() {
    return this.#jump("jump", {}, "looking for a violation …");
  }

  counterexample() {
    return this.#jump("check", {}, "checking the model …");
  }

  expression() {
    const text = byId("jump-expression").value;
    return this.#jump("jump", { expression: text }, "looking …");
  }

  stop() {
    if (this.job) ask("cancel", { job: this.job }).catch(() => {});
  }

  async #jump(question, body, doing) {
    if (this.job) return;
    this.count += 1;
    this.job = `${Date.now()}-${this.count}`;
    this.#busy(question === "jump");
    const field = byId("jump-expression");
    field.removeAttribute("aria-invalid");
    this.#said(doing);
    const { choices, known, base } = this.on.here();
    try {
      const { path, said } = await ask(question, { ...body, choices, known, job: this.job });
      this.#said(said);
      if (path) await this.on.arrive(path, base);
      this.on.say(said);
    } catch (error) {
      if (!(error instanceof AskError)) throw error;
      this.#wrong(error, "expression" in body ? field : null);
    } finally {
      this.job = null;
      this.#busy(false);
    }
  }

  #busy(canStop) {
    for (const id of ["to-violation", "to-counterexample", "to-expression"]) byId(id).disabled = this.job !== null;
    byId("stop").hidden = !canStop;
    byId("next-panel").setAttribute("data-jumping", String(this.job !== null));
  }

  #said(text) {
    byId("jumped").hidden = false;
    fill(byId("jumped"), text);
  }

  #wrong({ message, hint, column }, field) {
    field?.setAttribute("aria-invalid", "true");
    const caret = field && column !== null ? h("pre", { class: "caret", "aria-hidden": "true" }, `${field.value}\n${" ".repeat(column - 1)}^`) : null;
    byId("jumped").hidden = false;
    fill(byId("jumped"), h("div", {}, h("span", { class: "error" }, message), caret, hint ? h("div", { class: "faint" }, hint) : null));
  }
}
