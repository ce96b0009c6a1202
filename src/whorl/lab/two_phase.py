"""Two phase (Nalumasu and Gopalakrishnan, Figure 5) run as it is written, on explicit programs.

Processes are a partition of the operations. What the paper says of variables is read as what it
means: a local operation is invisible and independent of other processes' operations; the
transitions of a process's control state are those that are enabled now or after steps of other
processes only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import permutations

from whorl.lab.definitions import Graph, independent, invisible
from whorl.lab.instance import FiniteProgram, Node
from whorl.property.automaton import Buchi


@dataclass(frozen=True, slots=True)
class PaperReading:
    """What the paper leaves open.

    persistent: "safe" holds after any steps of other processes, not only after the next one.
    selective: only the states where phase 1 ends are stored (section 5.1).
    on_the_fly: phase 1 walks in the product, along every move of the automaton; otherwise the
    reduced program is built first.
    function: phase 1 ends in the least state of a loop, wherever the loop was entered (fact 6).
    """

    persistent: bool
    selective: bool
    on_the_fly: bool
    function: bool = False

    @property
    def words(self) -> tuple[str, str, str, str]:
        """The four choices in a word or two each."""
        return (
            "persistent" if self.persistent else "next step",
            "function" if self.function else "literal",
            "selective" if self.selective else "all",
            "on the fly" if self.on_the_fly else "offline",
        )


@dataclass(frozen=True, slots=True)
class Concurrent:
    """A program and, for each process in the order of phase 1, its operations."""

    program: FiniteProgram
    processes: tuple[frozenset[int], ...]
    persistent: bool
    order: tuple[int, ...]  # in which a state's operations are explored

    def steps(self, state: int) -> list[tuple[int, int]]:
        """The enabled operations, in the order of the search, with the states after them."""
        enabled = self.program.enabled(state)
        return [(o, self.program.step(state, o)) for o in self.order if o in enabled]

    def deterministic(self, state: int, process: frozenset[int]) -> int | None:
        """The only enabled operation of a process that is deterministic in a state."""
        program = self.program
        enabled = program.enabled(state) & process
        if len(enabled) != 1:
            return None
        reach = list(self._others(state, process))
        here = {o for q in reach for o in program.enabled(q) & process}
        if not all(self._local(o, process) for o in here):
            return None
        after = reach if self.persistent else reach[: 1 + self._next(state, process)]
        if any(program.enabled(q) & process != enabled for q in after):
            return None
        (operation,) = enabled
        return operation

    def _others(self, state: int, process: frozenset[int]) -> Iterator[int]:
        """The states that steps of other processes lead to; first those after one step."""
        seen = [state]
        for q in seen:  # grows meanwhile
            yield q
            seen += sorted({r for o, r in self.program.steps(q) if o not in process} - set(seen))

    def _next(self, state: int, process: frozenset[int]) -> int:
        steps = {r for o, r in self.program.steps(state) if o not in process}
        return len(steps - {state})

    def _local(self, operation: int, process: frozenset[int]) -> bool:
        others = set(self.program.operations) - process
        return invisible(self.program, operation) and all(
            independent(self.program, operation, other) for other in others
        )


# --- Figure 5 ------------------------------------------------------------------------------------


def reduced_program(system: Concurrent, selective: bool) -> set[tuple[int, int]]:
    """Er of Figure 5, as the pairs of a state and an operation that is explored in it."""
    program = system.program
    visited: set[int] = set()
    edges: set[tuple[int, int]] = set()

    def two_phase(state: int) -> None:
        path, end = _phase1(system, state)
        new = end not in visited
        visited.update(
            [end] if selective else [state, end, *(program.step(*edge) for edge in path)]
        )
        edges.update(path)
        if new:
            for operation, target in system.steps(end):
                edges.add((end, operation))
                if target not in visited:
                    two_phase(target)

    two_phase(0)
    return edges


def _phase1(system: Concurrent, state: int) -> tuple[list[tuple[int, int]], int]:
    path: list[tuple[int, int]] = []
    met = {state}
    for process in system.processes:
        while (operation := system.deterministic(state, process)) is not None:
            path.append((state, operation))
            state = system.program.step(state, operation)
            if state in met:
                break
            met.add(state)
    return path, state


def product_on_the_fly(system: Concurrent, automaton: Buchi, selective: bool) -> Graph:
    """Figure 5 on product states: phase 1 follows every move of the automaton, one after another.

    With a deterministic automaton this is what the paper says; with others it says nothing, and
    this is the obvious reading.
    """
    program = system.program
    visited: set[Node] = set()
    graph: dict[Node, dict[Node, frozenset[int]]] = {}

    def take(node: Node, operation: int) -> list[Node]:
        """Explores an operation, with every move of the automaton."""
        q, s = node
        targets = [
            (program.step(q, operation), then)
            for then in automaton.successors(s, program.labels[q])
        ]
        out = graph.setdefault(node, {})
        for target in targets:
            graph.setdefault(target, {})
            out[target] = out.get(target, frozenset()) | {operation}
        return targets

    def phase1(node: Node, met: frozenset[Node], path: list[Node], index: int) -> None:
        """One way through phase 1, from the process with this index on; then phase 2."""
        while index < len(system.processes):
            operation = system.deterministic(node[0], system.processes[index])
            if operation is not None:
                for target in take(node, operation):
                    again = target in met
                    way = [*path, target]
                    phase1(target, met | {target}, way, index + 1 if again else index)
                return
            index += 1
        new = node not in visited
        visited.update([node] if selective else path)
        if new:
            for operation, _ in system.steps(node[0]):
                for target in take(node, operation):
                    if target not in visited:
                        phase1(target, frozenset([target]), [target], 0)

    start = (0, automaton.initial)
    graph[start] = {}
    phase1(start, frozenset([start]), [start], 0)
    return graph


# --- fact 6 --------------------------------------------------------------------------------------


def ample_function(system: Concurrent) -> list[frozenset[int]]:
    """Phase 1 as a function of the program state: what is explored in each state.

    A process rests in the least state of a loop that it makes by itself. The first process that is
    deterministic and does not rest makes the step; where that makes a loop of several processes,
    its least state is fully expanded.
    """
    program = system.program
    steps: dict[int, int] = {}  # the step of phase 1, where there is one
    for state in program.states:
        for process in system.processes:
            operation = system.deterministic(state, process)
            if operation is not None and not _rests(system, state, process):
                steps[state] = operation
                break
    after = {state: program.step(state, operation) for state, operation in steps.items()}
    ends = {min(loop) for state in program.states if (loop := _loop(state, after.get))}
    return [
        frozenset([steps[q]]) if q in steps and q not in ends else program.enabled(q)
        for q in program.states
    ]


def _rests(system: Concurrent, state: int, process: frozenset[int]) -> bool:
    def alone(q: int) -> int | None:
        operation = system.deterministic(q, process)
        return None if operation is None else system.program.step(q, operation)

    loop = _loop(state, alone)
    return bool(loop) and state == min(loop)


def _loop(state: int, following: Callable[[int], int | None]) -> list[int]:
    """The loop that contains the state, if following it from there leads back."""
    way = [state]
    while (after := following(way[-1])) is not None:
        if after == state:
            return way
        if after in way:
            return []
        way.append(after)
    return []


# --- verdicts ------------------------------------------------------------------------------------


def explored_product(system: Concurrent, automaton: Buchi, reading: PaperReading) -> Graph:
    """The part of the product that Two phase explores."""
    program = system.program
    if reading.on_the_fly and not reading.function:
        return product_on_the_fly(system, automaton, reading.selective)
    if reading.function:
        chosen = ample_function(system)
        edges = {(q, o) for q in program.states for o in chosen[q]}
    else:
        edges = reduced_program(system, reading.selective)
    graph: dict[Node, dict[Node, frozenset[int]]] = {}
    todo = [(0, automaton.initial)]
    while todo:
        node = todo.pop()
        if node not in graph:
            q, s = node
            out: dict[Node, frozenset[int]] = {}
            for then in automaton.successors(s, program.labels[q]):
                for operation, target in program.steps(q):
                    if (q, operation) in edges:
                        out[target, then] = out.get((target, then), frozenset()) | {operation}
            graph[node] = out
            todo += out
    return graph


def systems(
    program: FiniteProgram, processes: Iterable[frozenset[int]], persistent: bool
) -> Iterator[Concurrent]:
    """The program with its processes and operations in every order."""
    for ordered in permutations(sorted(processes, key=sorted)):
        for order in permutations(program.operations):
            yield Concurrent(program, ordered, persistent, order)
