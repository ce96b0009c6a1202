// What matters in the run, as `whorl check --explain` found it: a bar above the chart.

import { byId, counted, fill, h } from "./dom.js";
import { stepText, stepWho } from "./run.js";

const MOST_RACES = 5; // pairs that are told

/** The bar; without an explanation there is none. `go` shows a step. */
export class MattersBar {
  constructor(run, go) {
    this.run = run;
    this.go = go;
    const said = run.trace.explanation ?? null;
    byId("matters").hidden = said === null;
    if (said === null) return;
    fill(byId("matters-said"), ...this.#sentences(said).map((parts) => h("p", {}, parts)));
    byId("only-matters").hidden = run.marked.size === 0 || run.marked.size === run.last;
    const { passing } = said;
    byId("passing").hidden = passing === null || !passing.steps.length;
    if (passing !== null) this.#passing(passing);
  }

  #sentences(said) {
    if (said.unexplained.length && !this.run.marked.size) return [[`Nothing could be said: ${said.unexplained[0]}`]];
    return [...this.#needed(said), ...this.#races(said), ...this.#fate(said)];
  }

  #step(number) {
    const step = this.run.steps[number - 1];
    const name = `step ${number} (${stepWho(step)} ${stepText(step)})`;
    return h("button", { type: "button", class: "link", onclick: () => this.go(number) }, name);
  }

  #needed(said) {
    const { size } = this.run.marked;
    if (!this.run.last) return [];
    if (!size) return [["No step is needed by itself: without any one of them, a part of the run shows it."]];
    const which = size === this.run.last ? "Every step" : `${size.toLocaleString("en")} of ${counted(this.run.last, "step")}`;
    const singular = size === 1 || size === this.run.last;
    const certain = said.needed.length > 0;
    const verb = certain ? (singular ? "is" : "are") : singular ? "seems" : "seem";
    const shows = certain ? "shows it" : "was found that shows it";
    const unsure = certain && said.undecided.length ? ` Of ${said.undecided.length.toLocaleString("en")} of them that is not certain: not every part was tried.` : "";
    return [[`${which} ${verb} needed: without ${size === 1 ? "it" : "any one of them"}, no part of the run ${shows}.${unsure}`]];
  }

  #races(said) {
    const told = said.races.slice(0, MOST_RACES).map(([first, second]) => ["With ", this.#step(second), " before ", this.#step(first), ", it does not happen."]);
    const more = said.races.length - told.length;
    return more > 0 ? [...told, [`So it is with ${counted(more, "other pair")}.`]] : told;
  }

  #fate(said) {
    if (said.unexplained.length) return [[`No run that passes was looked for: ${said.unexplained[0]}.`]];
    const looked = `${counted(said.states, "state")} were looked at`;
    if (said.passing === null) return [[said.certain ? "It cannot go well: no fair run passes." : `No run that passes was found: ${looked}.`]];
    const { after } = said.passing;
    if (after >= this.run.last) return [["It can go well all along: no step makes it inevitable."]];
    const upTo = after ? ["It can go well up to ", this.#step(after)] : ["It can go well at the beginning"];
    if (!said.certain) return [[...upTo, `; for later steps no run that passes was found (${looked}).`]];
    return [[...upTo, "; after ", this.#step(after + 1), " no fair run passes."]];
  }

  #passing({ after, steps, ending, cycle }) {
    const how = { stops: "then it stops", cycle: `from step ${cycle} on for ever`, cut: "followed so far" }[ending];
    byId("passing-head").textContent = `A run that passes: ${counted(steps.length, "step")} from there on, ${how}`;
    const texts = steps.map((step) => h("li", { value: step.number, class: step.number === cycle ? "again" : null }, h("b", {}, stepWho(step)), ` ${stepText(step)}`));
    fill(byId("passing-steps"), ...texts);
    byId("passing-steps").setAttribute("start", after + 1);
  }
}
