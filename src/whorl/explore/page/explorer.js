// The explorer: the viewer shows the path so far; beside it are the next steps and the graph.

import { byId, counted, fill, h } from "../../trace/page/dom.js";
import { stepText, stepWho } from "../../trace/page/run.js";
import { Viewer } from "../../trace/page/main.js";
import { AskError, ask } from "./ask.js";
import { continued, fragment, parsedFragment } from "./path.js";
import { NextPanel } from "./next.js";
import { GraphPanel } from "./graph.js";
import { Jumps } from "./jumps.js";

class Explorer {
  constructor(begun) {
    this.begun = begun;
    this.asked = 0; // questions about states, of which the last one counts
    this.pending = 0; // questions that were not answered yet
    this.path = begun.start;
    this.viewer = new Viewer(
      { ...begun, traces: [this.#trace(begun.start)] },
      { select: (at) => this.#selected(at), key: (event) => this.#key(event), what: () => "Explore" },
    );
    this.next = new NextPanel({
      go: (step) => this.go(step.choices),
      back: () => this.back(),
      place: (file, line) => this.viewer.go(file, line),
      lane: (who) => this.viewer.run.laneOf.get(who) ?? Number(who.split(":").pop()),
    });
    this.graph = new GraphPanel({ go: (node) => this.goTo(node) });
    this.jumps = new Jumps({
      here: () => this.#here(),
      arrive: (path, base) => this.arrive(path.known ? continued(base, path) : path),
      say: (text) => this.viewer.say(text),
    });
    this.#controls();
    this.viewer.openTab("next");
    window.addEventListener("popstate", () => this.#fromAddress());
    this.#fromAddress();
  }

  /** The trace as the viewer shows it: with the model's formulas, whose propositions it has. */
  #trace({ trace }) {
    const { formulas } = this.begun;
    if (!formulas.length) return trace;
    return { ...trace, property: formulas.length > 1 ? "formulas" : "formula", formula: formulas.map(({ name, text }) => `${name}: ${text}`).join("\n") };
  }

  // --- going --------------------------------------------------------------------------------------

  /** The choices of the first `at` steps of the path. */
  #prefix(at) {
    return this.path.choices.slice(0, this.path.ends[at]);
  }

  /** Takes a step from the current state. If it is the next one of the path, the rest stays. */
  async go(choices) {
    const { at } = this.viewer;
    const before = this.#prefix(at);
    const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
    if (at + 1 < this.path.ends.length && same(this.#prefix(at + 1), [...before, ...choices])) return this.viewer.goTo(at + 1, false);
    const { known, base } = this.#here();
    return this.#asking(async () => this.arrive(continued(base, await ask("path", { choices: [...before, ...choices], known }))));
  }

  /** The path up to the current state, and how much of it an answer may leave out: of the last step
   * the answer may say something else, once it is no longer the last. */
  #here() {
    const { at } = this.viewer;
    return { choices: this.#prefix(at), known: Math.max(0, at - 1), base: this.path };
  }

  back() {
    if (this.viewer.at > 0) this.viewer.goTo(this.viewer.at - 1, false);
    else this.viewer.say("this is the initial state");
  }

  restart() {
    this.viewer.goTo(0, false);
  }

  /** Makes the state of a node of the graph the current one. */
  async goTo(node) {
    const at = this.path.nodes.lastIndexOf(node);
    if (at >= 0) return this.viewer.goTo(at, false);
    const edge = this.shown.graph.edges.find(({ source, target }) => source === this.shown.node && target === node);
    if (edge) return this.go(edge.choices);
    return this.#asking(async () => this.arrive(await ask("node", { node })));
  }

  /** Walks a path, and shows its end or the state after `at` steps. */
  async walk(choices, at = null, push = true) {
    return this.#asking(async () => this.arrive(await ask("path", { choices }), at, push));
  }

  arrive(path, at = null, push = true) {
    this.path = path;
    const last = path.ends.length - 1;
    const place = Math.min(at ?? last, last);
    if (push) history.pushState(null, "", fragment(path.choices, place));
    this.viewer.show(this.#trace(path), place);
    return this.looking;
  }

  /** Does what asks questions, and shows what goes wrong; whether nothing did. */
  async #asking(act) {
    this.#busy(1);
    try {
      await act();
      return true;
    } catch (error) {
      if (!(error instanceof AskError)) throw error;
      byId("jumped").hidden = false;
      fill(byId("jumped"), h("span", { class: "error" }, error.message), error.hint ? ` (${error.hint})` : null);
      return false;
    } finally {
      this.#busy(-1);
    }
  }

  #busy(by) {
    this.pending += by;
    byId("next-panel").setAttribute("aria-busy", String(this.pending > 0));
  }

  /** Shows the path that the address names; if it is none, that with which the page began. */
  async #fromAddress() {
    const found = parsedFragment(location.hash);
    if (found && (await this.walk(found.choices, found.at, false))) return;
    this.arrive(this.begun.start, null, false);
  }

  // --- the current state --------------------------------------------------------------------------

  #selected(at) {
    if (!this.next) return;
    history.replaceState(null, "", fragment(this.path.choices, at));
    this.looking = this.#look(at);
  }

  async #look(at) {
    const number = ++this.asked;
    await this.#asking(async () => {
      const shown = await ask("state", { choices: this.#prefix(at) });
      if (number !== this.asked) return; // another state was asked for since
      this.shown = shown;
      this.next.show(shown);
      this.graph.show(shown.graph, shown.node, this.path.nodes.slice(0, at + 1));
      this.#round(at);
      this.#what(at);
      byId("go-back").disabled = byId("restart").disabled = at === 0;
      this.viewer.say(this.#inWords(at));
    });
  }

  /** What is wrong here, in the heading. */
  #what(at) {
    const { kind, message } = this.path.trace;
    const wrong = kind !== "run" && at === this.path.ends.length - 1;
    byId("verdict").hidden = !wrong;
    byId("what").textContent = wrong ? `${kind}: ${message}` : "Explore";
  }

  /** Says so where the path has come back to a state that it was in. */
  #round(at) {
    const before = this.path.nodes.slice(0, at).lastIndexOf(this.path.nodes[at]);
    byId("round").hidden = before < 0;
    if (before >= 0) byId("round").textContent = `The path is back in the state ${before ? `after step ${before}` : "it began in"}: a cycle of ${counted(at - before, "step")}.`;
  }

  #inWords(at) {
    const step = at > 0 ? this.viewer.run.steps[at - 1] : null;
    const done = step ? `step ${at}, ${stepWho(step)}: ${stepText(step)}` : "the initial state";
    return `${done}; ${counted(this.shown.enabled.length, "step")} enabled`;
  }

  // --- controls -----------------------------------------------------------------------------------

  #controls() {
    const on = (id, act) => byId(id).addEventListener("click", act);
    on("go-back", () => this.back());
    on("restart", () => this.restart());
    on("save-trail", () => this.save("trail"));
    on("save-page", () => this.save("page"));
  }

  /** Downloads the path, up to the current state. */
  save(kind) {
    return this.#asking(async () => {
      const { name, text } = await ask("share", { choices: this.#prefix(this.viewer.at), as: kind });
      const link = h("a", { href: URL.createObjectURL(new Blob([text])), download: name });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
      this.viewer.say(`saved as ${name}`);
    });
  }

  /** Keys of the explorer, before those of the viewer; whether it is one. */
  #key(event) {
    const { key } = event;
    if (/^[1-9]$/.test(key)) {
      if (!this.next.take(Number(key) - 1)) this.viewer.say(`there is no step ${key}`);
      return true;
    }
    const actions = {
      Backspace: () => this.back(),
      r: () => this.restart(),
      v: () => this.jumps.violation(),
      c: () => this.jumps.counterexample(),
      w: () => byId("jump-expression").focus(),
      s: () => this.#open("next", () => this.next.focus()),
      g: () => this.#open("graph", () => this.graph.focus()),
    };
    if (actions[key]) {
      actions[key]();
      return true;
    }
    return event.target === document.body && this.next.key(event);
  }

  #open(panel, focus) {
    this.viewer.openTab(panel);
    focus();
  }
}

window.explorer = new Explorer(JSON.parse(byId("data").textContent));
