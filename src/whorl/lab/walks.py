"""Phase 1 as the default scheme has it, in plain Python: walks of which only the ends are stored.

An instance has a walk from each state, in the relations `walk` and `rests`. A position is a state
on such a walk: the state q on the walk from f is the number f * n + q, where n is the number of
states. So positions take the place of program states in a product.
"""

from __future__ import annotations

from functools import partial

from whorl.lab.definitions import Graph, ample_name, explicit, independent, invisible
from whorl.lab.instance import FiniteProgram, Instance, Node, operation_name, state_name
from whorl.reduction import abstract

Step = tuple[int, int]  # a state, and the operation that is taken in it


def relation(instance: Instance, name: str) -> frozenset[tuple[int, ...]]:
    """A relation that the scheme adds."""
    return next((rows for known, rows in instance.extra if known == name), frozenset())


def walks(instance: Instance) -> dict[tuple[int, int], int]:
    """What the walk from a state takes in a state, where it does not rest."""
    return {(f, q): o for f, q, o in relation(instance, "walk")}


def entered(instance: Instance) -> dict[int, int]:
    """Which walk goes on in a state, where that is not its own (a mutation)."""
    return {row[0]: row[1] for row in relation(instance, "enters")}


def path(instance: Instance, start: int, at: int | None = None) -> tuple[list[Step], int]:
    """The steps of the walk from a state and its end; of one that goes round, one round.

    With `at`, it is entered there.
    """
    taken = walks(instance)
    steps: list[Step] = []
    at = start if at is None else at
    while (start, at) in taken and (at, taken[start, at]) not in steps:
        steps.append((at, taken[start, at]))
        at = instance.program.step(*steps[-1])
    return steps, at


# --- conditions ----------------------------------------------------------------------------------


def one_way(instance: Instance) -> str | None:
    """In each state a walk takes one operation that is enabled, or rests."""
    program = instance.program
    rows = relation(instance, "walk")
    rests = relation(instance, "rests")
    for f in program.states:
        for q in program.states:
            taken = [o for g, r, o in rows if (g, r) == (f, q)]
            if len(taken) != (0 if (f, q) in rests else 1) or not set(taken) <= program.enabled(q):
                return f"phase 1 from {state_name(f)} has no way to go on from {state_name(q)}"
    return None


def ends(instance: Instance) -> str | None:
    """No walk goes round."""
    taken = walks(instance)
    for f, q in taken:
        at, left = q, len(instance.program.states)
        while (f, at) in taken:
            if left == 0:
                return f"phase 1 from {state_name(f)} goes round"
            at, left = instance.program.step(at, taken[f, at]), left - 1
    return None


def c1(instance: Instance) -> str | None:
    """Each step of a walk is an ample set by itself."""
    program = explicit(instance.program)
    for (_, q), o in walks(instance).items():
        for _, _, other, _ in abstract.c1(program, [(q, 0)], partial(_alone, o)):
            return f"C1: phase 1 takes {operation_name(o)} before {operation_name(other)}"
    return None


def next_c1(instance: Instance) -> str | None:
    """Each step of a walk is independent of what else is enabled."""
    program = instance.program
    for (_, q), o in walks(instance).items():
        if not all(independent(program, o, other) for other in program.enabled(q) - {o}):
            return f"C1: in {state_name(q)} something depends on {operation_name(o)} of phase 1"
    return None


def _alone(operation: int, *_: int) -> frozenset[int]:
    return frozenset([operation])


def c2(instance: Instance) -> str | None:
    """The steps of walks are invisible."""
    for o in walks(instance).values():
        if not invisible(instance.program, o):
            return f"C2: phase 1 takes {operation_name(o)}"
    return None


def sticky(instance: Instance) -> str | None:
    """After an operation of a proper ample set the walk takes no sticky operation."""
    chosen = relation(instance, "sticky")
    for q in instance.program.states:
        for s in instance.automaton.states:
            if instance.is_full(q, s):
                continue
            for o in instance.amp(q, s):
                steps, _ = path(instance, instance.program.step(q, o))
                if any((p,) in chosen for _, p in steps):
                    return f"phase 1 takes a sticky operation after {ample_name((q, s))}"
    return None


# --- the reduced product -------------------------------------------------------------------------


def reduced_product(instance: Instance) -> Graph:
    """Positions of the reduced product. `enters` says where a walk begins, if not by itself."""
    program, automaton = instance.program, instance.automaton
    n = len(program.states)
    taken = walks(instance)
    enters = entered(instance)
    graph: dict[Node, dict[Node, frozenset[int]]] = {}
    todo = [instance.initial]
    while todo:
        node = todo.pop()
        if node in graph:
            continue
        (f, q), s = divmod(node[0], n), node[1]
        out: dict[Node, frozenset[int]] = {}
        for then in automaton.successors(s, program.labels[q]):
            walking = (f, q) in taken
            for o in [taken[f, q]] if walking else instance.amp(q, s):
                r = program.step(q, o)
                target = ((f if walking else enters.get(r, r)) * n + r, then)
                out[target] = out.get(target, frozenset()) | {o}
        graph[node] = out
        todo += out
    return graph


def without_walks(program: FiniteProgram, graph: Graph) -> Graph:
    """The same with states in place of positions: for tables and drawings."""
    n = len(program.states)
    plain: dict[Node, dict[Node, frozenset[int]]] = {}
    for (position, s), targets in graph.items():
        out = plain.setdefault((position % n, s), {})
        for (other, z), operations in targets.items():
            target = (other % n, z)
            out[target] = out.get(target, frozenset()) | operations
    return plain
