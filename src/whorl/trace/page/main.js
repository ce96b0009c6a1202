// The page: one run is shown, a row of it is selected, and every panel shows that row.

import { byId, counted, fill, h, roving } from "./dom.js";
import { Run, stepWho } from "./run.js";
import { endText, everyGroup, filterOf, groups, rowsOf, searchText } from "./rows.js";
import { Chart } from "./chart.js";
import { StatePanel } from "./state.js";
import { SourcePanel } from "./source.js";
import { PropertyPanel } from "./property.js";
import { MattersBar } from "./matters.js";
import { ExpressionError, changeText, evaluate } from "./expression.js";

const LONG = 60; // steps from which on atomic sequences and inlines are folded at first
const EVERY_STEP = { process: "", variable: "", channel: "", matters: null }; // no filter
const MANY = 40; // changes of an expression that are listed

export class Viewer {
  /**
   * `on` may have select(at), called when another state is shown, key(event), asked before a key
   * has a meaning here, and what(trace), which says what the page shows.
   */
  constructor(result, on = {}) {
    this.result = result;
    this.on = on;
    this.traces = result.traces ?? [result.trace];
    this.filter = { ...EVERY_STEP };
    this.#theme();
    this.#tabs();
    this.#controls();
    this.#keys();
    this.open(0);
  }

  // --- what is shown ------------------------------------------------------------------------------

  open(number) {
    this.chart?.close();
    this.#load(this.traces[number]);
    this.chart = new Chart(this.run, {
      select: (index, focus) => this.select(index, focus),
      toggle: (index) => this.toggle(index),
      heads: (who) => this.setFilter({ process: this.filter.process === who ? "" : who }),
    });
    const on = { variable: (name) => this.setFilter({ variable: this.filter.variable === name ? "" : name }), place: (file, line) => this.go(file, line) };
    this.state = new StatePanel(this.run, on);
    this.source = new SourcePanel(this.run);
    this.property = new PropertyPanel(this.run);
    this.matters = new MattersBar(this.run, (at) => this.goTo(at));
    this.#head(number);
    this.#choices();
    this.filter = { ...EVERY_STEP };
    this.rows = [];
    this.at = this.run.trace.cycle === null ? this.run.last : 0;
    this.render();
    this.#evaluate(false);
  }

  /** Shows the state after `at` steps of another run, which has much in common with this one. */
  show(trace, at) {
    this.traces = [trace];
    this.#load(trace);
    for (const panel of [this.chart, this.state, this.source]) panel.run = this.run;
    this.property = new PropertyPanel(this.run);
    this.#head(0);
    this.#choices();
    this.at = at;
    this.render(false);
    this.#evaluate(false);
    this.#search();
  }

  #load(trace) {
    this.run = new Run(trace, this.result);
    this.roots = groups(this.run);
    const long = this.run.last > LONG;
    for (const group of everyGroup(this.roots)) group.open = !long || group.last === this.run.last;
    this.texts = null;
    document.body.classList.toggle("has-automaton", trace.propositions.length > 0);
  }

  #head(number) {
    const { trace } = this.run;
    byId("verdict").hidden = ["run", "witness"].includes(trace.kind);
    const name = trace.property ? `${trace.property}: ` : "";
    byId("what").textContent = this.on.what?.(trace) ?? `${name}${failure(trace)}`;
    const cycle = this.run.loop === null ? "" : `, then a cycle of ${counted(this.run.last - this.run.loop, "step")}`;
    const count = this.run.loop === null ? this.run.last : this.run.loop;
    byId("size").textContent = `${counted(count, "step")}${cycle}`;
    const select = byId("trace");
    select.hidden = this.traces.length < 2;
    fill(select, ...this.traces.map((each, n) => h("option", { value: n, selected: n === number }, `${n + 1} of ${this.traces.length}: ${each.property ?? each.kind}`)));
    const scrub = byId("scrub");
    scrub.max = this.run.last;
  }

  #choices() {
    const put = (id, all, names) => fill(byId(id), h("option", { value: "" }, all), ...names.map((name) => h("option", { value: name }, name)));
    put("by-process", "processes", this.run.lanes.map((lane) => lane.who));
    put("by-variable", "variables", this.run.changing);
    put("by-channel", "channels", this.run.channels);
    byId("by-channel").hidden = !this.run.channels.length;
  }

  /** Makes the rows anew, and keeps the place. */
  render(focus = true) {
    const wanted = filterOf(this.filter);
    this.rows = rowsOf(this.run, this.roots, wanted);
    this.chart.selected = this.#indexOf(this.at);
    this.chart.show(this.rows);
    const shown = this.rows.filter((row) => row.kind === "step").length;
    byId("filtered").textContent = wanted ? `${counted(shown, "step")} of ${this.run.last}` : "";
    byId("filters").classList.toggle("active", wanted !== null);
    for (const each of ["process", "variable", "channel"]) byId(`by-${each}`).value = this.filter[each];
    byId("only-matters").setAttribute("aria-pressed", String(this.filter.matters !== null));
    this.select(this.chart.selected, focus);
  }

  /** The row that stands for the state after `at` steps, or the last one before it. */
  #indexOf(at) {
    let best = 0;
    this.rows.forEach((row, index) => {
      if (row.kind !== "mark" && !(row.kind === "group" && row.group.open) && row.first <= at) best = index;
    });
    return best;
  }

  select(index, focus = true) {
    const row = this.rows[index];
    if (!row || row.kind === "mark") return;
    this.at = row.last;
    this.chart.select(index, focus);
    this.state.show(row, byId("state-filter").value);
    this.source.show(row);
    this.property.show(row);
    byId("place").textContent = `${row.first === row.last ? row.last : `${row.first}–${row.last}`} of ${this.run.last}`;
    const scrub = byId("scrub");
    scrub.value = row.last;
    scrub.setAttribute("aria-valuetext", this.chart.label(row));
    byId("back").disabled = this.#next(-1) === index;
    byId("forth").disabled = this.#next(1) === index;
    this.#now();
    this.on.select?.(this.at);
  }

  toggle(index, open = null) {
    const row = this.rows[index];
    if (row?.kind !== "group") return;
    row.group.open = open ?? !row.group.open;
    this.at = row.group.open ? row.first : row.last;
    this.render();
    if (row.group.open) this.select(this.rows.findIndex((each) => each.kind === "group" && each.group === row.group));
  }

  foldAll(open) {
    for (const group of everyGroup(this.roots)) group.open = open;
    this.render();
  }

  setFilter(change) {
    this.filter = { ...this.filter, ...change };
    this.render(false);
  }

  /** Shows only the steps that matter, or all again. */
  onlyMatters() {
    if (byId("only-matters").hidden || !this.run.marked) return this.say("nothing is marked in this run");
    return this.setFilter({ matters: this.filter.matters === null ? this.run.marked : null });
  }

  go(file, line) {
    this.openTab("source");
    this.source.go(file, line);
  }

  // --- stepping -----------------------------------------------------------------------------------

  /** The next row to stop at; from the end of a lasso, that with which its cycle begins again. */
  #next(by, from = this.chart.selected) {
    for (let index = from + by; index >= 0 && index < this.rows.length; index += by) {
      const row = this.rows[index];
      if (row.kind !== "mark" && !(row.kind === "group" && row.group.open)) return index;
    }
    if (by > 0 && this.run.loop !== null) {
      const index = this.rows.findIndex((row) => row.kind !== "mark" && !(row.kind === "group" && row.group.open) && row.first <= this.run.loop + 1 && this.run.loop + 1 <= row.last);
      if (index >= 0) return index;
    }
    return from;
  }

  step(by, focus = true) {
    const index = this.#next(by);
    if (by > 0 && index <= this.chart.selected && this.run.loop !== null) this.say(`${endText(this.run)}, and on`);
    this.select(index, focus);
  }

  /** The next row that has a step for which `wanted` is true. */
  seek(by, wanted, focus = true) {
    for (let index = this.chart.selected + by; index >= 0 && index < this.rows.length; index += by) {
      const row = this.rows[index];
      if (row.kind === "mark" || (row.kind === "group" && row.group.open)) continue;
      for (let n = row.first; n <= row.last; n++) {
        if (wanted(n)) return this.select(index, focus);
      }
    }
    return this.say(by > 0 ? "no other one after this" : "no other one before this");
  }

  /** Shows the state after `at` steps, even if its step is folded or left out. */
  goTo(at, focus = true) {
    for (const group of everyGroup(this.roots)) if (group.first <= at && at <= group.last) group.open = true;
    if (filterOf(this.filter) && at > 0 && !filterOf(this.filter)(this.run.steps[at - 1])) this.filter = { ...EVERY_STEP };
    this.at = at;
    this.render(focus);
  }

  #keys() {
    byId("chart").addEventListener("keydown", (event) => this.#chartKey(event));
    document.addEventListener("keydown", (event) => this.#anyKey(event));
  }

  #chartKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = this.chart.page;
    const { selected } = this.chart;
    const row = this.rows[selected];
    const actions = {
      ArrowDown: () => this.step(1),
      ArrowUp: () => this.step(-1),
      PageDown: () => this.#jump(page),
      PageUp: () => this.#jump(-page),
      Home: () => this.select(0),
      End: () => this.select(this.#indexOf(this.run.last)),
      ArrowRight: () => (row.kind === "group" && !row.group.open ? this.toggle(selected, true) : this.step(1)),
      ArrowLeft: () => this.#left(row, selected),
      Enter: () => this.toggle(selected),
      " ": () => this.toggle(selected),
    };
    if (event.target.closest("button") || !actions[event.key]) return;
    event.preventDefault();
    actions[event.key]();
  }

  #left(row, selected) {
    if (row.kind === "group" && row.group.open) return this.toggle(selected, false);
    if (row.outer) return this.select(this.rows.findIndex((each) => each.kind === "group" && each.group === row.outer));
    return this.step(-1);
  }

  #jump(by) {
    let index = this.chart.selected;
    for (let n = 0; n < Math.abs(by); n++) {
      const next = this.#next(Math.sign(by), index);
      if ((next - index) * by <= 0) break;
      index = next;
    }
    this.select(index);
  }

  #anyKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
    const typing = event.target.closest("input:not([type=range]), select, textarea, dialog");
    if (typing) {
      if (event.key === "Escape" && !event.target.closest("dialog")) this.chart.focus();
      return undefined;
    }
    if (this.on.key?.(event)) return event.preventDefault();
    const mine = (n) => n > 0 && stepWho(this.run.steps[n - 1]) === this.#who();
    const actions = {
      j: () => this.step(1),
      k: () => this.step(-1),
      p: () => this.seek(1, mine),
      P: () => this.seek(-1, mine),
      n: () => this.#nextHit(1),
      N: () => this.#nextHit(-1),
      x: () => this.#nextChange(1),
      X: () => this.#nextChange(-1),
      f: () => this.foldAll(false),
      m: () => this.onlyMatters(),
      o: () => this.foldAll(true),
      l: () => this.run.loop !== null && this.goTo(Math.min(this.run.loop + 1, this.run.last)),
      "/": () => byId("search").focus(),
      e: () => byId("expression").focus(),
      t: () => byId("theme").click(),
      1: () => this.openTab("steps", true),
      2: () => this.openTab("state", true),
      3: () => this.openTab("source", true),
      4: () => this.openTab("property", true),
      "?": () => byId("help").showModal(),
      Escape: () => this.setFilter({ ...EVERY_STEP }),
    };
    if (event.target === document.body && !actions[event.key]) return this.#chartKey(event);
    if (!actions[event.key]) return undefined;
    event.preventDefault();
    return actions[event.key]();
  }

  #who() {
    return this.at > 0 ? stepWho(this.run.steps[this.at - 1]) : this.run.lanes[0]?.who;
  }

  // --- search and expressions ---------------------------------------------------------------------

  #search() {
    const wanted = byId("search").value.trim().toLowerCase();
    this.texts ??= this.run.steps.map(searchText);
    this.hits = wanted ? this.run.steps.map((s) => s.number).filter((n) => this.texts[n - 1].includes(wanted)) : [];
    this.chart.hits = new Set(this.hits);
    byId("found").textContent = wanted ? (this.hits.length ? counted(this.hits.length, "step") : "nothing found") : "";
    this.chart.redraw();
  }

  #nextHit(by) {
    const hits = this.hits ?? [];
    const row = this.rows[this.chart.selected];
    const next = by > 0 ? hits.find((n) => n > row.last) : hits.findLast((n) => n < row.first);
    if (next === undefined) return this.say(hits.length ? "no other one in this direction" : "nothing is searched for");
    return this.goTo(next, document.activeElement !== byId("search"));
  }

  #evaluate(announce = true) {
    const text = byId("expression").value.trim();
    const said = byId("evaluated");
    byId("expression").removeAttribute("aria-invalid");
    this.found = null;
    if (!text) {
      fill(said);
    } else {
      try {
        this.found = evaluate(text, this.run);
        fill(said, ...this.#evaluated(this.found));
      } catch (error) {
        if (!(error instanceof ExpressionError)) throw error;
        byId("expression").setAttribute("aria-invalid", "true");
        const caret = h("pre", { class: "caret", "aria-hidden": "true" }, `${byId("expression").value}\n${" ".repeat(leading(byId("expression").value) + error.at)}^`);
        fill(said, h("span", { class: "error", role: announce ? "alert" : null }, error.message), caret);
      }
    }
    byId("evaluation").hidden = !text;
    this.chart.marks = this.found;
    this.chart.layout();
    this.#now();
  }

  #evaluated({ texts, changes }) {
    const jump = (at) => h("button", { type: "button", class: "link jump", "data-at": at, onclick: () => this.goTo(at) }, changeText(texts[at], at));
    const shown = [0, ...changes].slice(0, MANY);
    const more = changes.length + 1 - shown.length;
    const parts = shown.flatMap((at, n) => (n ? [" · ", jump(at)] : [jump(at)]));
    if (!changes.length) parts.push(" and never changes");
    if (more > 0) parts.push(` · ${counted(more, "more change")} (x and X go through them)`);
    return [h("span", { id: "now", class: "now-value" }), ...parts];
  }

  /** The value of the expression in this state. */
  #now() {
    const place = byId("now");
    if (place && this.found) place.textContent = `now ${this.found.texts[this.at]}`;
  }

  #nextChange(by) {
    const changes = this.found?.changes ?? [];
    const row = this.rows[this.chart.selected];
    const next = by > 0 ? changes.find((n) => n > row.last) : changes.findLast((n) => n < row.first);
    if (next === undefined) return this.say(this.found ? "it does not change any more in this direction" : "there is no expression");
    return this.goTo(next);
  }

  say(text) {
    byId("live").textContent = text;
  }

  // --- controls -----------------------------------------------------------------------------------

  #controls() {
    const on = (id, event, act) => byId(id).addEventListener(event, act);
    on("back", "click", () => this.step(-1, false));
    on("forth", "click", () => this.step(1, false));
    on("first", "click", () => this.select(0, false));
    on("last", "click", () => this.select(this.#indexOf(this.run.last), false));
    on("scrub", "input", () => this.select(this.#indexOf(Number(byId("scrub").value)), false));
    on("only-matters", "click", () => this.onlyMatters());
    on("fold", "click", () => this.foldAll(false));
    on("unfold", "click", () => this.foldAll(true));
    on("trace", "change", () => this.open(Number(byId("trace").value)));
    for (const each of ["process", "variable", "channel"]) on(`by-${each}`, "change", () => this.setFilter({ [each]: byId(`by-${each}`).value }));
    on("clear", "click", () => this.setFilter({ ...EVERY_STEP }));
    on("search", "input", () => this.#search());
    on("search", "keydown", (event) => event.key === "Enter" && this.#nextHit(event.shiftKey ? -1 : 1));
    on("expression", "input", () => this.#soon());
    on("expression", "keydown", (event) => {
      if (event.key !== "Enter") return;
      clearTimeout(this.timer);
      this.#evaluate();
    });
    on("state-filter", "input", () => this.state.show(this.rows[this.chart.selected], byId("state-filter").value));
    on("help-button", "click", () => byId("help").showModal());
  }

  #soon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#evaluate(false), 250);
  }

  #tabs() {
    const tabs = [...document.querySelectorAll("#tabs [role=tab]")];
    this.stop = roving(tabs, (tab) => tab.click());
    for (const tab of tabs) tab.addEventListener("click", () => this.openTab(tab.dataset.panel));
    this.openTab("steps");
  }

  /** On a narrow page one panel is shown at a time; on a wide one the state or the property. */
  openTab(name, focus = false) {
    document.body.dataset.panel = name;
    if (name === "state" || name === "property") document.body.dataset.side = name;
    for (const tab of document.querySelectorAll("#tabs [role=tab]")) {
      const chosen = tab.dataset.panel === name;
      tab.setAttribute("aria-selected", String(chosen));
      if (chosen) this.stop?.(tab);
    }
    this.chart?.layout();
    if (this.chart && name === "steps") this.chart.select(this.chart.selected, focus);
    if (name === "source" && this.source?.row) this.source.show(this.source.row);
    if (focus && name !== "steps") (name === "source" ? this.source.text : byId(`${name}-panel`)).focus();
  }

  #theme() {
    const names = ["auto", "light", "dark"];
    const button = byId("theme");
    const set = (name) => {
      document.documentElement.dataset.theme = name;
      button.setAttribute("aria-label", `colours: ${name}`);
      button.title = `colours: ${name} (t)`;
      button.textContent = { auto: "◐", light: "☀", dark: "☾" }[name];
    };
    let kept = "auto";
    try {
      kept = localStorage.getItem("whorl-theme") ?? "auto";
    } catch {
      // A page from a file may have no storage.
    }
    set(names.includes(kept) ? kept : "auto");
    button.addEventListener("click", () => {
      const name = names[(names.indexOf(document.documentElement.dataset.theme) + 1) % names.length];
      set(name);
      try {
        localStorage.setItem("whorl-theme", name);
      } catch {
        // See above.
      }
    });
  }
}

const leading = (text) => text.length - text.trimStart().length;

function failure(trace) {
  if (trace.kind === "assertion") return `assertion violated: ${trace.message}`;
  if (trace.kind === "end state") return "invalid end state";
  return trace.message;
}
