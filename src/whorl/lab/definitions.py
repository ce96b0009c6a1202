"""The conditions C0 to C3 and the two products, in plain Python, straight from the definitions.

Nothing here knows of the encoding for a solver: every instance that a solver finds is checked here
before it is shown. A condition's function gives the reason why it does not hold, or None.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from enum import Enum
from functools import cache
from typing import TypeVar

from whorl.lab.instance import Instance, Node, Program, operation_name, state_name

N = TypeVar("N")
Graph = Mapping[Node, Mapping[Node, frozenset[int]]]  # edges, with the operations that give them


class Selection(Enum):
    """Where the ample set of a product step (q, s) -> (q', s') is looked up.

    V0, the combined algorithm, takes amp(q, s'); V1 takes amp(q, s) (section 6).
    """

    INTERMEDIATE = "amp(q, s')"
    SOURCE = "amp(q, s)"

    def key(self, before: int, after: int) -> int:
        return after if self is Selection.INTERMEDIATE else before


# --- operations ----------------------------------------------------------------------------------


def independent(program: Program, one: int, other: int) -> bool:
    """The largest independence relation of Definition 10."""
    if one == other:
        return False
    for state in program.states:
        if {one, other} <= program.enabled(state):
            after_one, after_other = program.step(state, one), program.step(state, other)
            if other not in program.enabled(after_one) or one not in program.enabled(after_other):
                return False
            if program.step(after_one, other) != program.step(after_other, one):
                return False
    return True


def invisible(program: Program, operation: int) -> bool:
    """Definition 11."""
    return all(
        program.labels[state] == program.labels[program.step(state, operation)]
        for state in program.states
        if operation in program.enabled(state)
    )


# --- C0 to C2 ------------------------------------------------------------------------------------


def c0(instance: Instance) -> str | None:
    """No ample set is empty where something is enabled."""
    for place, state, chosen in _ample_sets(instance):
        if instance.program.enabled(state) and not chosen:
            return f"C0: {place} is empty"
    return None


def c1(instance: Instance) -> str | None:
    """Nothing that depends on an ample set happens before something of the set does."""
    program = instance.program
    for place, state, chosen in _ample_sets(instance):
        others = frozenset(program.operations) - chosen

        def astray(q: int, others: frozenset[int] = others) -> list[int]:
            return [target for o, target in program.steps(q) if o in others]

        for reached in _closure([state], astray):
            for o in sorted(program.enabled(reached) & others):
                for a in sorted(chosen):
                    if not independent(program, o, a):
                        return (
                            f"C1: from {state_name(state)}, {operation_name(o)} can happen before"
                            f" {place}, and depends on its {operation_name(a)}"
                        )
    return None


def c2(instance: Instance) -> str | None:
    """A proper ample set holds invisible operations only."""
    for place, state, chosen in _ample_sets(instance):
        if chosen != instance.program.enabled(state):
            for o in sorted(chosen):
                if not invisible(instance.program, o):
                    return f"C2: {place} is proper and {operation_name(o)} is visible"
    return None


def by_program_state(instance: Instance) -> str | None:
    """amp(q, s) does not depend on s."""
    for state, row in enumerate(instance.ample):
        if len(set(row)) > 1:
            return f"the ample set of {state_name(state)} depends on the automaton"
    return None


def _ample_sets(instance: Instance) -> Iterable[tuple[str, int, frozenset[int]]]:
    for state, row in enumerate(instance.ample):
        for s, chosen in enumerate(row):
            yield f"amp({state_name(state)},{s})", state, chosen


# --- products ------------------------------------------------------------------------------------


def full_product(instance: Instance) -> Graph:
    """The part of the product of program and automaton (Definition 7) that can be reached."""
    return _product(instance, lambda q, s, then: instance.program.enabled(q))


def reduced_product(
    instance: Instance, selection: Selection, start: Iterable[Node] | None = None
) -> Graph:
    """The part of reduced(A, amp) that can be reached from its initial state, or from `start`."""
    return _product(instance, lambda q, s, then: instance.ample[q][selection.key(s, then)], start)


def _product(
    instance: Instance,
    explored: Callable[[int, int, int], Collection[int]],
    start: Iterable[Node] | None = None,
) -> Graph:
    program, automaton = instance.program, instance.automaton
    graph: dict[Node, dict[Node, frozenset[int]]] = {}
    todo = [instance.initial] if start is None else list(start)
    while todo:
        node = todo.pop()
        if node in graph:
            continue
        q, s = node
        out: dict[Node, frozenset[int]] = {}
        for then in automaton.successors(s, program.labels[q]):
            for operation in explored(q, s, then):
                target = (program.step(q, operation), then)
                out[target] = out.get(target, frozenset()) | {operation}
        graph[node] = out
        todo += out
    return graph


def accepting_lasso(instance: Instance, graph: Graph) -> tuple[list[Node], list[Node]] | None:
    """A path from the initial state to an accepting state, and a cycle through that state.

    The accepting state ends the path and begins the cycle, which is not written again at its end.
    """
    for seed in _breadth_first(graph, instance.initial):
        if seed[1] in instance.automaton.accepting:
            cycle = _path(graph, seed, seed)
            if cycle is not None:
                path = _path(graph, instance.initial, seed) if seed != instance.initial else [seed]
                assert path is not None
                return path, cycle[:-1]
    return None


# --- the cycle condition -------------------------------------------------------------------------


def weak_c3(instance: Instance, selection: Selection, over: Graph) -> str | None:
    """C3': every cycle of the reduced product has a step whose ample set is full.

    `over` has the states that are looked at: the paper's Alloy model takes those of the full
    product, a search only knows those of the reduced one.
    """
    reduced = reduced_product(instance, selection, over)

    def deferring(node: Node) -> list[Node]:
        return [t for t in reduced[node] if _defers(instance, selection, node, t)]

    for node in over:
        if node in _closure(deferring(node), deferring):
            return f"C3': a cycle through {node_name(node)} has no full ample set"
    return None


def c3(instance: Instance, selection: Selection, every: bool = False) -> str | None:
    """C3: in some depth-first search of the reduced product (or in `every` one), no step that
    leads to a state on the stack has a proper ample set.

    What a search has visited when it leaves a state does not depend on its order: everything that
    can be reached without the states visited before. So the orders of a state's successors can be
    tried one successor at a time.
    """
    graph = reduced_product(instance, selection)

    @cache
    def can(node: Node, stack: frozenset[Node], visited: frozenset[Node]) -> bool:
        stack |= {node}
        if any(t in stack and _defers(instance, selection, node, t) for t in graph[node]):
            return False
        return order(node, stack, visited | {node})

    @cache
    def order(node: Node, stack: frozenset[Node], visited: frozenset[Node]) -> bool:
        left = [target for target in graph[node] if target not in visited]
        if not left:
            return True

        def goes_first(target: Node) -> bool:
            if not can(target, stack, visited):
                return False
            white = _closure([target], lambda n: [m for m in graph[n] if m not in visited])
            return order(node, stack, visited | white)

        return all(map(goes_first, left)) if every else any(map(goes_first, left))

    if can(instance.initial, frozenset(), frozenset()):
        return None
    return "C3: " + (
        "a depth-first search meets a proper ample set that leads to its stack"
        if every
        else "every depth-first search meets a proper ample set that leads to its stack"
    )


def _defers(instance: Instance, selection: Selection, node: Node, target: Node) -> bool:
    """Whether the step is one of a proper ample set."""
    return not instance.is_full(node[0], selection.key(node[1], target[1]))


# --- other cycle conditions ----------------------------------------------------------------------


def sticky(instance: Instance) -> str | None:
    """Every cycle of the program has a sticky operation, and no proper ample set has one."""
    program = instance.program
    (chosen,) = [rows for name, rows in instance.extra if name == "sticky"]

    def slippery(state: int) -> list[int]:
        return [target for o, target in program.steps(state) if (o,) not in chosen]

    for state in program.states:
        if state in _closure(slippery(state), slippery):
            return f"a cycle through {state_name(state)} has no sticky operation"
    for place, state, ample in _ample_sets(instance):
        if ample != program.enabled(state) and any((o,) in chosen for o in ample):
            return f"{place} is proper and has a sticky operation"
    return None


def proviso(instance: Instance) -> str | None:
    """Every cycle of the reduced program has a state that is fully expanded."""
    program = instance.program

    def explored(state: int) -> list[int]:
        return [program.step(state, o) for o in instance.ample[state][0]]

    def deferring(state: int) -> list[int]:
        return [] if instance.is_full(state, 0) else explored(state)

    for state in _closure([0], explored):
        if state in _closure(deferring(state), deferring):
            return f"a cycle of the reduced program through {state_name(state)} has no full state"
    return None


# --- graphs --------------------------------------------------------------------------------------


def node_name(node: Node) -> str:
    return f"{state_name(node[0])}{node[1]}"


def _closure(start: Iterable[N], successors: Callable[[N], Iterable[N]]) -> frozenset[N]:
    """Everything that can be reached, the start included."""
    seen = set(start)
    todo = list(seen)
    while todo:
        for target in successors(todo.pop()):
            if target not in seen:
                seen.add(target)
                todo.append(target)
    return frozenset(seen)


def _breadth_first(graph: Graph, start: Node) -> list[Node]:
    order = [start]
    for node in order:  # grows meanwhile
        order += [target for target in graph[node] if target not in order]
    return order


def _path(graph: Graph, start: Node, end: Node) -> list[Node] | None:
    """A shortest path of at least one step."""
    before: dict[Node, Node] = {}
    todo = [start]
    for node in todo:  # grows meanwhile
        for target in graph[node]:
            if target not in before:
                before[target] = node
                if target == end:
                    path = [end, node]
                    while path[-1] != start:
                        path.append(before[path[-1]])
                    return path[::-1]
                todo.append(target)
    return None
