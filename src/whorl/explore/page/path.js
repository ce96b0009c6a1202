// Paths: in the page's address, behind the #, so that it can be opened again; and in pieces.

/** `0.3,1.5,0.4.1.7`: a choice is two numbers, that of a handshake four. */
const pathText = (choices) => choices.map((choice) => choice.join(".")).join(",");

export function fragment(choices, at) {
  return `#path=${pathText(choices)}&at=${at}`;
}

/** The path and the place on it that an address names; null if it names none. */
export function parsedFragment(text) {
  const found = /^#path=([\d.,]*)(?:&at=(\d+))?$/.exec(text);
  if (!found) return null;
  const choices = found[1] ? found[1].split(",").map((choice) => choice.split(".").map(Number)) : [];
  return { choices, at: found[2] === undefined ? null : Number(found[2]) };
}

/** The whole path of an answer that leaves out the first steps, which `base` has. */
export function continued(base, answer) {
  const { known, trace } = answer;
  const shift = base.trace.positions.length;
  const steps = trace.steps.map((step) => (step.moved ? { ...step, moved: step.moved.map((n) => n + shift) } : step));
  return {
    ...answer,
    nodes: [...base.nodes.slice(0, known), ...answer.nodes],
    trace: {
      ...trace,
      initial: base.trace.initial,
      positions: [...base.trace.positions, ...trace.positions],
      steps: [...base.trace.steps.slice(0, known), ...steps],
      truth: [...base.trace.truth.slice(0, known), ...trace.truth],
    },
  };
}
