"""An instance in words and tables: program, automaton, ample sets, the lasso that is lost."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from whorl.lab import definitions, stubborn, visited, walks
from whorl.lab.definitions import Graph, SelectsBy, node_name
from whorl.lab.instance import Instance, letter_name, operation_name, state_name
from whorl.lab.recheck import an_order
from whorl.lab.schemes import LabScheme
from whorl.property.letters import display_label


def table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Columns of equal width; the first row is the heading."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = ["  ".join(f"{cell:<{w}}" for cell, w in zip(row, widths, strict=True)) for row in rows]
    return [line.rstrip() for line in lines]


def describe(instance: Instance, scheme: LabScheme, reduced: Graph) -> list[str]:
    """The instance as lines of text."""
    lines = _program(instance)
    if not scheme.is_safety:
        lines += ["", "automaton, initial state " + str(instance.automaton.initial)]
        lines += _indented(_automaton(instance))
    key = "amp(q)" if scheme.is_safety else scheme.selection.text
    lines += ["", f"ample sets, {key} (* proper)"]
    lines += _indented(_ample(instance))
    if scheme.has_stubborn_sets:
        lines += _indented(_stubborn(instance))
    for name, content in instance.extra:
        if name == "sticky" or not (scheme.has_walks or scheme.has_stubborn_sets):
            lines.append(f"  {name}: {_relation(name, content)}")
    if scheme.has_walks:
        lines += ["", "phase 1", *_indented(_walks(instance))]
    return [*lines, "", *(_search if scheme.is_safety else _products)(instance, scheme, reduced)]


def _products(instance: Instance, scheme: LabScheme, reduced: Graph) -> list[str]:
    full = definitions.full_product(instance)
    lasso = definitions.accepting_lasso(instance, full)
    assert lasso is not None
    path, cycle = (" ".join(map(node_name, part)) for part in lasso)
    kept = walks.without_walks(instance.program, reduced) if scheme.has_walks else reduced
    lines = [f"full product: {len(full)} states, accepting lasso {path} ({cycle})*"]
    lines += [f"reduced product: {len(kept)} states, no accepting lasso"]
    if scheme.looks_at_the_stack:
        lines += [f"C3: {_searches(instance, scheme.selection)}"]
    return lines


def _search(instance: Instance, scheme: LabScheme, _: Graph) -> list[str]:
    order = an_order(scheme, instance)
    lost = visited.loss(instance, order)
    how = "order of the search" if scheme.thread_proviso is None else "begun in this order"
    lines = [f"{how}: " + " ".join(map(state_name, order))]
    for q, o in sorted((row[0], row[1]) for row in walks.relation(instance, "tried")):
        lines.append(f"tried before: {operation_name(o)} in {state_name(q)}")
    if lost.operations:
        lines.append("never executed: " + " ".join(map(operation_name, sorted(lost.operations))))
    if lost.deadlocks:
        lines.append("deadlocks missed: " + " ".join(map(state_name, sorted(lost.deadlocks))))
    return lines


def _walks(instance: Instance) -> list[str]:
    """Where phase 1 goes from each state from which it goes anywhere."""
    lines = []
    entered = walks.entered(instance)
    for q in instance.program.states:
        for f, when in ((q, "from"), (entered.get(q, q), "but after an operation from")):
            steps, end = walks.path(instance, f, q)
            way = "".join(f"{state_name(r)} -{operation_name(o)}-> " for r, o in steps)
            if steps and (f != q) == (when != "from"):
                lines.append(f"{when} {state_name(q)}: {way}{state_name(end)}")
    return lines or ["goes nowhere"]


def _program(instance: Instance) -> list[str]:
    program = instance.program
    propositions = instance.automaton.propositions
    names = [operation_name(o) for o in program.operations]
    rows = [["state", "label", *names]]
    for q in program.states:
        targets = ["-" if target is None else state_name(target) for target in program.next[q]]
        rows.append([state_name(q), letter_name(program.labels[q], propositions), *targets])
    return ["program, initial state A", *_indented(table(rows)), *_indented(_operations(instance))]


def _indented(lines: Iterable[str]) -> list[str]:
    return [f"  {line}" for line in lines]


def _operations(instance: Instance) -> list[str]:
    program = instance.program
    lines = []
    hidden = [o for o in program.operations if definitions.invisible(program, o)]
    lines.append("invisible: " + (" ".join(map(operation_name, hidden)) or "none"))
    pairs = [
        f"{operation_name(o)}-{operation_name(p)}"
        for o in program.operations
        for p in range(o)
        if definitions.independent(program, o, p)
    ]
    lines.append("independent: " + (" ".join(pairs) or "none"))
    return lines


def _automaton(instance: Instance) -> list[str]:
    automaton = instance.automaton
    rows = [["state", "", "edges"]]
    for s in automaton.states:
        edges = ", ".join(
            f"{display_label(edge.label, automaton.propositions)} -> {edge.target}"
            for edge in automaton.edges[s]
        )
        rows.append([str(s), "accepting" if s in automaton.accepting else "", edges])
    return table(rows)


def _ample(instance: Instance) -> list[str]:
    rows = [["", *(str(s) for s in instance.automaton.states)]]
    for q in instance.program.states:
        cells = []
        for s in instance.automaton.states:
            cells.append(_set(instance.ample[q][s]) + ("" if instance.is_full(q, s) else "*"))
        rows.append([state_name(q), *cells])
    return table(rows)


def _stubborn(instance: Instance) -> list[str]:
    """The actions, by the operations that are their ways, and each state's stubborn set."""
    classes = {stubborn.ways(instance, o) for o in instance.program.operations}
    sets = (
        f"{state_name(q)} {_set(stubborn.stubborn(instance, q))}" for q in instance.program.states
    )
    return [
        "actions: " + " ".join(map(_set, sorted(classes, key=min))),
        "stubborn sets: " + ", ".join(sets),
    ]


def _set(operations: Iterable[int]) -> str:
    return "{" + ",".join(map(operation_name, sorted(operations))) + "}"


def _relation(name: str, content: Iterable[tuple[int, ...]]) -> str:
    rows = sorted(content)
    if all(len(row) == 1 for row in rows):
        return " ".join(operation_name(o) for (o,) in rows) or "none"
    return " ".join(str(row) for row in rows) or "none"


def _searches(instance: Instance, selection: SelectsBy) -> str:
    if definitions.c3(instance, selection, every=True) is None:
        return "holds in every depth-first search"
    if definitions.c3(instance, selection) is None:
        return "holds in some depth-first search"
    return "holds in no depth-first search (C3' does)"
