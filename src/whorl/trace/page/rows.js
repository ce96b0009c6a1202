// The rows of the chart: steps, and groups of them that are folded or open.

import { messageText, stepText, stepWho, changesVariable } from "./run.js";

/**
 * The groups of a run, as a forest: atomic sequences, and the steps that a process takes in the
 * expansion of an inline without another process coming between.
 */
export function groups(run) {
  const found = [...atomicSequences(run.steps), ...inlines(run.steps)];
  const byRange = new Map();
  for (const group of found) {
    const key = `${group.first} ${group.last}`;
    const same = byRange.get(key);
    if (same) same.names.push(...group.names.filter((name) => !same.names.includes(name)));
    else byRange.set(key, group);
  }
  return nested([...byRange.values()]);
}

function atomicSequences(steps) {
  const found = [];
  let first = 0;
  const goesOn = (n) =>
    steps[n].atomic && n + 1 < steps.length && steps[n + 1].pid === (steps[n].partner?.pid ?? steps[n].pid);
  steps.forEach((_, n) => {
    if (goesOn(n)) return;
    if (n > first) found.push(group(first, n, "atomic"));
    first = n + 1;
  });
  return found;
}

function inlines(steps) {
  const found = [];
  const open = []; // { call, first, begin } by depth
  const place = (call) => `${call.file} ${call.line} ${call.column}`;
  const statement = (step) => [...(step.calls ?? []).map(place), step.line, step.text].join("\n");
  const close = (depth, last) => {
    for (const each of open.splice(depth)) {
      if (last > each.first) found.push(group(each.first, last, `${each.call.name}()`));
    }
  };
  steps.forEach((step, n) => {
    const calls = step.calls ?? [];
    let depth = n > 0 && steps[n - 1].pid === step.pid ? 0 : -1;
    if (depth === 0) {
      while (depth < open.length && depth < calls.length && place(open[depth].call) === place(calls[depth])) depth++;
      // The statement that began it comes again: it is called once more.
      const again = open.findIndex((each, at) => at < depth && each.begin === statement(step));
      if (again >= 0) depth = again;
    }
    close(Math.max(depth, 0), n - 1);
    for (const call of calls.slice(open.length)) open.push({ call, first: n, begin: statement(step) });
  });
  close(0, steps.length - 1);
  return found;
}

const group = (first, last, name) => ({ first: first + 1, last: last + 1, names: [name], open: true, inner: [] });

/** The groups inside each other. What crosses the end of the group around it is cut off there. */
function nested(all) {
  all.sort((a, b) => a.first - b.first || b.last - a.last);
  const roots = [];
  const around = [];
  for (const each of all) {
    while (around.length && around.at(-1).last < each.first) around.pop();
    const outer = around.at(-1);
    if (outer) each.last = Math.min(each.last, outer.last);
    if (each.last <= each.first) continue;
    each.outer = outer ?? null;
    (outer?.inner ?? roots).push(each);
    around.push(each);
  }
  return roots;
}

export function everyGroup(roots) {
  return roots.flatMap((each) => [each, ...everyGroup(each.inner)]);
}

/**
 * The rows that are shown. A row stands for the states after `first - 1` up to `last` steps: of a
 * step both are its number, of the initial state 0. With `wanted`, only the steps that it takes.
 */
export function rowsOf(run, roots, wanted = null) {
  const rows = [{ kind: "initial", first: 0, last: 0, depth: 0 }];
  const begin = run.loop === null ? null : run.loop + 1;
  const mark = (number) => {
    if (number === begin) rows.push({ kind: "mark", text: loopText(run), depth: 0 });
  };
  if (wanted) {
    for (const step of run.steps) {
      mark(step.number);
      if (wanted(step)) rows.push({ kind: "step", step, first: step.number, last: step.number, depth: 0, outer: null });
    }
  } else put(run, roots, 1, run.last, 0, null, rows, mark);
  const end = endText(run);
  if (end) rows.push({ kind: "mark", text: end, depth: 0, end: true });
  return rows;
}

function put(run, inner, first, last, depth, outer, rows, mark) {
  let number = first;
  for (const each of inner) {
    for (; number < each.first; number++) putStep(run, number, depth, outer, rows, mark);
    const inside = run.loop !== null && each.first < run.loop + 1 && run.loop + 1 <= each.last;
    if (!each.open && !inside) mark(number);
    rows.push({ kind: "group", group: each, first: each.first, last: each.last, depth, outer });
    if (each.open) put(run, each.inner, each.first, each.last, depth + 1, each, rows, mark);
    else if (inside) mark(run.loop + 1);
    number = each.last + 1;
  }
  for (; number <= last; number++) putStep(run, number, depth, outer, rows, mark);
}

function putStep(run, number, depth, outer, rows, mark) {
  mark(number);
  rows.push({ kind: "step", step: run.steps[number - 1], first: number, last: number, depth, outer });
}

function loopText(run) {
  const count = run.last - run.loop;
  return `from here on, ${count === 1 ? "this step" : `these ${count.toLocaleString("en")} steps`} again and again`;
}

/** How the run goes on after its last step. */
export function endText(run) {
  if (run.trace.cycle === null || run.trace.cycle === undefined) return null;
  if (run.trace.fault) return "the run ends in a fault: the program stays for ever as it was before that step";
  if (run.loop === null) return "no step follows: the program stays as it is for ever";
  return run.loop === 0 ? "back to the beginning" : `back to the state after step ${run.loop}`;
}

/** The label of a group: `atomic`, `elect()`. */
export const groupText = (each) => each.names.join(" · ");

/** What a folded group does: the message that it begins with, the inline that it calls, or its first step. */
export function groupSummary(run, each) {
  const inlined = each.names.find((name) => name.endsWith("()"));
  const first = run.steps[each.first - 1];
  if (inlined || first.message) return inlined ?? stepText(first);
  const largest = everyGroup(each.inner).reduce((a, b) => (a && a.last - a.first >= b.last - b.first ? a : b), null);
  return largest?.names.find((name) => name.endsWith("()")) ?? stepText(first);
}

/** All that a search looks through in a step, in lower case. */
export function searchText(step) {
  const parts = [`${step.number}`, stepWho(step), step.text, stepText(step), `line ${step.line}`];
  if (step.partner) parts.push(`${step.partner.process}:${step.partner.pid}`, step.partner.text, messageText(step.message ?? { channel: "", text: "" }, true));
  for (const change of step.changes) parts.push(`${change.process === null ? "" : `${change.process}.`}${change.name} = ${change.value}`);
  for (const call of step.calls ?? []) parts.push(`${call.name}()`);
  parts.push(step.output ?? "", ...(step.failures ?? []));
  return parts.join("\n").toLowerCase();
}

/** Which steps a filter takes; null if it takes all. */
export function filterOf({ process, variable, channel, matters }) {
  if (!process && !variable && !channel && !matters) return null;
  return (step) =>
    (!matters || matters.has(step.number)) &&
    (!process || stepWho(step) === process || (step.partner && `${step.partner.process}:${step.partner.pid}` === process)) &&
    (!variable || changesVariable(step, variable)) &&
    (!channel || step.message?.channel === channel);
}
