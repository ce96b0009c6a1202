"""What is claimed of an instance, in plain Python, straight from the definitions.

The conditions C0 to C3 are those of `reduction.abstract`, by which whorl's own schemes are judged
too; here they are asked of an instance, and say why they do not hold. Nothing here knows of the
encoding for a solver: every instance that a solver finds is checked here before it is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from enum import Enum
from functools import lru_cache
from typing import TypeVar

from whorl.lab.instance import FiniteProgram, Instance, Node, operation_name, state_name
from whorl.reduction import abstract
from whorl.reduction.abstract import Explicit

N = TypeVar("N")
Graph = Mapping[Node, Mapping[Node, frozenset[int]]]  # edges, with the operations that give them


class SelectsBy(Enum):
    """Where the ample set of a product step (q, s) -> (q', s') is looked up.

    V0, the combined algorithm, takes amp(q, s'); V1 takes amp(q, s) (section 6).
    """

    INTERMEDIATE = abstract.V0
    SOURCE = abstract.V1

    def key(self, before: int, after: int) -> int:
        return after if self is SelectsBy.INTERMEDIATE else before

    @property
    def text(self) -> str:
        return "amp(q, s')" if self is SelectsBy.INTERMEDIATE else "amp(q, s)"


@lru_cache(maxsize=256)
def explicit(program: FiniteProgram) -> Explicit:
    """The program as `reduction.abstract` takes it."""
    return Explicit(
        0, {q: dict(program.steps(q)) for q in program.states}, dict(enumerate(program.labels))
    )


def independent(program: FiniteProgram, one: int, other: int) -> bool:
    """The largest independence relation of Definition 10."""
    return explicit(program).independent(one, other)


def invisible(program: FiniteProgram, operation: int) -> bool:
    """Definition 11."""
    return explicit(program).invisible(operation)


# --- C0 to C2 ------------------------------------------------------------------------------------


def c0(instance: Instance) -> str | None:
    """No ample set is empty where something is enabled."""
    for node in abstract.c0(explicit(instance.program), _all_nodes(instance), instance.amp):
        return f"C0: {ample_name(node)} is empty"
    return None


def c1(instance: Instance) -> str | None:
    """Nothing that depends on an ample set happens before something of the set does."""
    violations = abstract.c1(explicit(instance.program), _all_nodes(instance), instance.amp)
    for node, _, other, ample in violations:
        return (
            f"C1: from {state_name(node[0])}, {operation_name(other)} can happen before"
            f" {ample_name(node)}, and depends on its {operation_name(ample)}"
        )
    return None


def next_c1(instance: Instance) -> str | None:
    """C1 of the next step only: what can happen now does not depend on a proper ample set."""
    for q, s in _all_nodes(instance):
        chosen = instance.amp(q, s)
        for other in instance.program.enabled(q) - chosen:
            if not all(independent(instance.program, other, o) for o in chosen):
                return f"C1: {operation_name(other)} depends on {ample_name((q, s))}"
    return None


def c2(instance: Instance) -> str | None:
    """A proper ample set holds invisible operations only."""
    violations = abstract.c2(explicit(instance.program), _all_nodes(instance), instance.amp)
    for node, operation in violations:
        return f"C2: {ample_name(node)} is proper and {operation_name(operation)} is visible"
    return None


def _all_nodes(instance: Instance) -> list[Node]:
    return [(q, s) for q in instance.program.states for s in instance.automaton.states]


def ample_name(node: Node) -> str:
    return f"amp({state_name(node[0])},{node[1]})"


def by_program_state(instance: Instance) -> str | None:
    """amp(q, s) does not depend on s."""
    for state, row in enumerate(instance.ample):
        if len(set(row)) > 1:
            return f"the ample set of {state_name(state)} depends on the automaton"
    return None


# --- products ------------------------------------------------------------------------------------


def full_product(instance: Instance) -> Graph:
    """The part of the product of program and automaton (Definition 7) that can be reached."""
    return _product(instance, lambda q, s, then: instance.program.enabled(q))


def reduced_product(
    instance: Instance, selection: SelectsBy, start: Iterable[Node] | None = None
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


def weak_c3(instance: Instance, selection: SelectsBy, over: str) -> str | None:
    """C3': every cycle of the reduced product has a step whose ample set is full.

    `over` says of which states: the paper's Alloy model takes those of the full product (FULL), a
    search only knows those of the reduced one (REDUCED).
    """
    program = explicit(instance.program)
    nodes = abstract.c3_cycles(program, instance.automaton, instance.amp, selection.value, over)
    for node in nodes:
        return f"C3': a cycle through {node_name(node)} has no full ample set"
    return None


def c3(instance: Instance, selection: SelectsBy, every: bool = False) -> str | None:
    """C3: in some depth-first search of the reduced product (or in `every` one), no step that
    leads to a state on the stack has a proper ample set.
    """
    program = explicit(instance.program)
    space = abstract.product(program, instance.automaton, instance.amp, selection.value)
    if every:
        for node, target in abstract.c3_every_search(space):
            return f"C3: a search can meet the step from {node_name(node)} to {node_name(target)}"
        return None
    if abstract.c3_some_search(space):
        return None
    return "C3: every depth-first search meets a proper ample set that leads to its stack"


# --- other cycle conditions ----------------------------------------------------------------------


def sticky(instance: Instance) -> str | None:
    """Every cycle of the program has a sticky operation, and no proper ample set has one."""
    return sticky_cycles(instance) or sticky_sets(instance)


def sticky_cycles(instance: Instance, loops: bool = True) -> str | None:
    """Every cycle of the program has a sticky operation; those of one step only with `loops`."""
    program = instance.program
    (chosen,) = [rows for name, rows in instance.extra if name == "sticky"]

    def slippery(state: int) -> list[int]:
        return [
            target
            for o, target in program.steps(state)
            if (o,) not in chosen and (loops or target != state)
        ]

    for state in program.states:
        if state in _closure(slippery(state), slippery):
            return f"a cycle through {state_name(state)} has no sticky operation"
    return None


def sticky_sets(instance: Instance) -> str | None:
    """No proper ample set has a sticky operation."""
    (chosen,) = [rows for name, rows in instance.extra if name == "sticky"]
    for node in _all_nodes(instance):
        if not instance.is_full(*node) and any((o,) in chosen for o in instance.amp(*node)):
            return f"{ample_name(node)} is proper and has a sticky operation"
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
