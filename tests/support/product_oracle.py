"""The product of a program and a claim, plainly: every node is made, then components are looked at.

The oracle of the engines' searches for cycles. It shares the reference semantics with them, and
nothing of the searches.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field

from whorl.program.atomic import Run, runs
from whorl.program.choice import Choice
from whorl.program.program import Assertion, Builtin, Expr, Program
from whorl.program.semantics import Semantics
from whorl.program.state import LOCALS, LOCATION, NOBODY, TYPE, Fault, State, WorkingState
from whorl.property.claim import Claim
from whorl.property.components import components
from whorl.search.exploration import Violation

# A state of the program and one of the claim; and whether the run has stopped: by a fault, or, if
# the claim asks for np_, because nothing can move.
Node = tuple[State, int, bool]
NO_PROCESS = (NOBODY,) * LOCALS  # whose record an atom is evaluated with


def atoms_of(program: Program, name: str = "atoms") -> tuple[Expr, ...]:
    """The conditions of the assertions of a process type that is there for its assertions."""
    (process,) = (p for p in program.processes if p.name == name)
    found = [t.action for t in process.transitions()]
    return tuple(action.condition for action in found if isinstance(action, Assertion))


@dataclass
class Edge:
    target: Node
    marks: frozenset[int]  # -1: it leaves an accepting node; p: it is fair to process p


@dataclass
class Product:
    """All nodes that can be reached, and whether some are on a run that the claim accepts."""

    program: Program
    claim: Claim
    fair: bool = False
    infinite_runs: bool = False
    edges: dict[Node, list[Edge]] = field(default_factory=dict)
    ended: bool = False  # the claim can come to its end

    def __post_init__(self) -> None:
        self.semantics = Semantics(self.program)
        self.values = [self.semantics.evaluator.value(atom) for atom in self.claim.atoms]

    @property
    def initial(self) -> Node:
        return self.semantics.initial(), self.claim.automaton.initial, False

    def letter(self, state: State, stopped: bool) -> int:
        everyone = range(len(state.processes))
        stuck = not self.semantics.steps_of(WorkingState(state), everyone)
        store = WorkingState(state, timeout=stuck)
        letter = 0
        for position, value in enumerate(self.values):
            if stopped and self.claim.atoms[position] == Builtin("np_"):
                continue  # a run that stops is no cycle without progress
            with suppress(Fault):  # what has no value does not hold
                letter |= bool(value(store, NO_PROCESS)) << position
        return letter

    def accepts(self, node: Node) -> bool:
        state, place, _ = node
        if place in self.claim.automaton.accepting:
            return True
        types = self.program.processes
        return self.claim.program_accepts and any(
            r[LOCATION] in types[r[TYPE]].accept_locations for r in state.processes
        )

    def followers(
        self, state: State, stopped: bool = False
    ) -> list[tuple[State, frozenset[int], Run | None]]:
        """The states after a run from `state`, each with the processes that it is fair to."""
        steps = [] if stopped else self.semantics.steps(state)
        able = {step.pid for step in steps}
        blocked = frozenset(range(64)) - able
        if not steps:
            return [] if self.infinite_runs else [(state, blocked, None)]
        return [
            (self.end(state, run), blocked | _moved(run), run)
            for run in runs(self.semantics, state)
            if not (self.infinite_runs and run.state is None)
        ]

    def end(self, state: State, run: Run) -> State:
        """Where a run ends: if in a fault, as it was before the step that faults."""
        states = [state, *(step.state for step in run.steps)]
        last = states[-2] if run.state is None else run.state
        assert last is not None
        return last._replace(holder=NOBODY) if run.state is None else last

    def moves(self, node: Node) -> list[int]:
        state, place, stopped = node
        return list(self.claim.automaton.successors(place, self.letter(state, stopped)))

    def explore(self, most: int = 100_000) -> None:
        waiting = [self.initial]
        self.edges[self.initial] = []
        while waiting:
            node = waiting.pop()
            moves = self.moves(node)
            if not self.infinite_runs and not self.claim.ends.isdisjoint(moves):
                self.ended = True
            accepting = frozenset({-1} if self.accepts(node) else ())
            for state, marks, run in self.followers(node[0], node[2]) if moves else ():
                stays = run is None and Builtin("np_") in self.claim.atoms
                stopped = node[2] or stays or (run is not None and run.state is None)
                for move in moves:
                    target = state, move, stopped
                    self.edges[node].append(Edge(target, marks | accepting))
                    if target not in self.edges:
                        assert len(self.edges) < most
                        self.edges[target] = []
                        waiting.append(target)

    def is_empty(self) -> bool:
        """Whether the claim accepts no run."""
        self.explore()
        if self.ended:
            return False
        wanted = frozenset(range(-1, 64)) if self.fair else frozenset({-1})
        targets = {node: [edge.target for edge in out] for node, out in self.edges.items()}
        for component in components([self.initial], targets.__getitem__):
            members = set(component)
            inner = [e.marks for node in members for e in self.edges[node] if e.target in members]
            if inner and frozenset().union(*inner) >= wanted:
                return False
        return True

    # --- lassos ----------------------------------------------------------------------------------

    def accepts_lasso(self, violation: Violation) -> bool:
        """Whether the choices of a violation are a run, and the claim accepts it."""
        path: list[tuple[State, frozenset[int]]] = []  # states, with the marks of what follows
        at: dict[int, int] = {}  # how many choices have been made, to a place on the path
        state, done, faulted = self.semantics.initial(), 0, False
        choices = violation.choices
        while True:
            at[done] = len(path)
            if done == len(choices):
                break
            step = None if faulted else self._step(state, choices[done:])
            if step is None:
                return False
            following, marks, length, faulted = step
            path.append((state, marks))
            state, done = following, done + length
        if violation.loop is None:
            stops = any(run is None for _, _, run in self.followers(state, faulted))
            return self._ends([*(state for state, _ in path), state], stops)
        if violation.loop == len(choices):  # it stays where it is
            stays = [f for f in self.followers(state, faulted) if f[2] is None]
            if not stays:
                return False
            # Once as it stops, unless that is the fault; then as it has stopped.
            path += [(state, stays[0][1])] * (1 if faulted else 2)
        elif path[at[violation.loop]][0] != state:
            return False
        stopped = violation.loop == len(choices)
        loop = len(path) - 1 if stopped else at[violation.loop]
        fair_to = frozenset().union(*(marks for _, marks in path[loop:]))
        if self.fair and not fair_to >= frozenset(range(64)):
            return False
        return self._accepts_word([state for state, _ in path], loop, stopped)

    def _step(
        self, state: State, choices: tuple[Choice, ...]
    ) -> tuple[State, frozenset[int], int, bool] | None:
        """The run that begins with the first of `choices`: where it ends, its marks, its length,
        and whether it ends in a fault.
        """
        for following, marks, run in self.followers(state):
            taken = () if run is None else tuple(Choice.of(step) for step in run.steps)
            if run is not None and choices[: len(taken)] == taken:
                return following, marks, len(taken), run.state is None
        return None

    def _ends(self, states: list[State], stops: bool) -> bool:
        """Whether the claim can come to an end; a run that `stops` goes on in its last state."""
        places = {self.claim.automaton.initial}
        for state in states:
            places = {move for place in places for move in self.moves((state, place, False))}
        known: set[int] = set()
        while stops and not places <= known:
            known |= places
            places = {move for place in known for move in self.moves((states[-1], place, True))}
        return not self.claim.ends.isdisjoint(known | places)

    def _accepts_word(self, states: list[State], loop: int, stopped: bool) -> bool:
        def successors(node: tuple[int, int]) -> list[tuple[int, int]]:
            at, place = node
            after = at + 1 if at + 1 < len(states) else loop
            is_over = stopped and at == loop
            return [(after, move) for move in self.moves((states[at], place, is_over))]

        root = (0, self.claim.automaton.initial)
        for component in components([root], successors):
            members = set(component)
            inner = [n for n in members if members.intersection(successors(n))]
            if any(self.accepts((states[at], place, False)) for at, place in inner):
                return True
        return False


def _moved(run: Run) -> set[int]:
    """The processes that take part in a run: a handshake is a move of both."""
    partners = {step.partner[0] for step in run.steps if step.partner is not None}
    return partners | {step.pid for step in run.steps}
