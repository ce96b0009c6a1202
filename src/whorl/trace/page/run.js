// A run: its steps, its lanes, its messages, and the whole state after each step.

const EVERY = 128; // steps between two states that are kept whole

const keyOf = (process, name) => `${process ?? ""}\n${name}`;

/** The parts of a variable's name: `log[1].term` is log, [1], .term. */
export function nameParts(name) {
  const [, base, rest] = /^([^.[]*)(.*)$/s.exec(name);
  return { base, path: rest };
}

export const stepWho = (step) => `${step.process}:${step.pid}`;
export const partnerWho = (step) => (step.partner ? `${step.partner.process}:${step.partner.pid}` : null);

/** `net[1]!vote,2`: a message with the values that were sent. */
export function messageText(message, received = message.direction === "receive") {
  return `${message.channel}${received ? "?" : "!"}${message.text.replace(/^\[|\]$/g, "")}`;
}

export const stepText = (step) => (step.message ? messageText(step.message) : step.text);

export class Run {
  constructor(trace, result) {
    this.trace = trace;
    this.result = result;
    this.steps = trace.steps;
    this.last = trace.steps.length;
    this.variables = []; // { process, name }
    this.numbers = new Map(); // of variables, by key
    this.moments = this.#moments();
    this.kept = this.#kept();
    this.lanes = this.#lanes();
    this.laneOf = new Map(this.lanes.map((lane, n) => [lane.who, n]));
    this.links = this.#links();
    const said = trace.explanation;
    this.marked = said ? new Set([...said.needed, ...said.undecided]) : null; // steps that matter
  }

  /** Whether one of the steps from `first` to `last` matters; null where that is not known. */
  matters(first, last) {
    if (!this.marked || !first) return null;
    for (let n = first; n <= last; n++) if (this.marked.has(n)) return true;
    return false;
  }

  /** Whether the run comes back to where it was, and after how many steps it was there. */
  get loop() {
    const { cycle } = this.trace;
    return cycle !== null && cycle <= this.last && this.trace.fault === null ? cycle - 1 : null;
  }

  number(process, name) {
    const key = keyOf(process, name);
    let number = this.numbers.get(key);
    if (number === undefined) {
      number = this.variables.length;
      this.numbers.set(key, number);
      this.variables.push({ process, name });
    }
    return number;
  }

  /** The number of a variable that the run has somewhere, or undefined. */
  find(process, name) {
    return this.numbers.get(keyOf(process, name));
  }

  #moments() {
    const { initial, positions } = this.trace;
    const set = (values) => values.map((v) => [this.number(v.process, v.name), v.value]);
    const first = { set: set(initial.values), gone: [], moved: initial.processes, ended: [] };
    return [
      first,
      ...this.steps.map((step) => ({
        set: set(step.values ?? step.changes),
        gone: (step.gone ?? []).map((v) => this.number(v.process, v.name)),
        moved: (step.moved ?? []).map((n) => positions[n]),
        ended: step.ended ?? [],
      })),
    ];
  }

  #kept() {
    const kept = [];
    let state = { values: [], where: new Map() };
    this.moments.forEach((moment, at) => {
      this.#apply(state, moment);
      if (at % EVERY === 0) kept.push({ values: [...state.values], where: new Map(state.where) });
    });
    return kept;
  }

  #apply(state, moment) {
    for (const number of moment.gone) state.values[number] = undefined;
    for (const [number, value] of moment.set) state.values[number] = value;
    for (const pid of moment.ended) state.where.delete(pid);
    for (const position of moment.moved) state.where.set(position.pid, position);
  }

  /** The state after so many steps: `values` by the numbers of variables, `where` by pids. */
  state(at) {
    const kept = this.kept[Math.floor(at / EVERY)];
    const state = { values: [...kept.values], where: new Map(kept.where) };
    for (let n = Math.floor(at / EVERY) * EVERY + 1; n <= at; n++) this.#apply(state, this.moments[n]);
    return state;
  }

  /** Calls `see(state, at)` with every state in turn. The state changes from call to call. */
  walk(see) {
    const state = { values: [], where: new Map() };
    this.moments.forEach((moment, at) => {
      this.#apply(state, moment);
      see(state, at);
    });
  }

  /** What the steps from `first` to `last` have changed, all in all; global variables come first. */
  changes(first, last) {
    if (first === last) return this.steps[first - 1].changes;
    const [before, after] = [this.state(first - 1), this.state(last)];
    const touched = new Set();
    for (let n = first; n <= last; n++) for (const [number] of this.moments[n].set) touched.add(number);
    return [...touched]
      .filter((number) => after.values[number] !== undefined && after.values[number] !== before.values[number])
      .map((number) => ({ ...this.variables[number], value: after.values[number] }))
      .sort((a, b) => Number(a.process !== null) - Number(b.process !== null));
  }

  #lanes() {
    const found = new Map();
    const add = (pid, process) => found.set(`${process}:${pid}`, { pid, who: `${process}:${pid}` });
    for (const p of this.trace.initial.processes) add(p.pid, p.process);
    for (const step of this.steps) {
      add(step.pid, step.process);
      if (step.partner) add(step.partner.pid, step.partner.process);
    }
    for (const p of this.trace.final.processes) add(p.pid, p.process);
    return [...found.values()].sort((a, b) => a.pid - b.pid);
  }

  /** Messages: from the step that sends to the step that receives, which may be the same. */
  #links() {
    const links = [];
    const received = new Set();
    for (const step of this.steps) {
      const { message } = step;
      if (!message) continue;
      const to = this.laneOf.get(partnerWho(step) ?? stepWho(step));
      if (message.direction === "handshake") {
        links.push({ from: step.number, to: step.number, source: this.laneOf.get(stepWho(step)), target: to, message });
      } else if (message.direction === "receive" && message.sent_at) {
        const sender = this.steps[message.sent_at - 1];
        received.add(message.sent_at);
        const source = this.laneOf.get(stepWho(sender));
        links.push({ from: message.sent_at, to: step.number, source, target: to, message: sender.message ?? message });
      }
    }
    this.received = received;
    return links.sort((a, b) => a.from - b.from);
  }

  get channels() {
    return [...new Set(this.steps.flatMap((step) => (step.message ? [step.message.channel] : [])))].sort();
  }

  /** The names of all that the steps change, arrays as one. */
  get changing() {
    const found = new Set();
    for (const step of this.steps) {
      for (const change of step.changes) {
        found.add(`${change.process === null ? "" : `${change.process}.`}${nameParts(change.name).base}`);
      }
    }
    return [...found].sort();
  }
}

/** Whether a step changes the variable of that name, or a part of it. */
export function changesVariable(step, name) {
  return step.changes.some((change) => {
    const owner = change.process === null ? "" : `${change.process}.`;
    return `${owner}${nameParts(change.name).base}` === name || `${owner}${change.name}` === name;
  });
}
