"""Weak fairness by its definition, on the whole graph of a program.

A run is fair if every process that can, from some point on, always begin a step also moves again
and again. On each edge of the graph lies who moved, in each state who could: a handshake can be
begun by the sender alone, and is a move of both. A claim accepts a fair run if and only if some
component of the product of graph and claim goes through an accepting node and, for each process,
through a state where it cannot move or an edge by which it does.

It shares the reference semantics with the engines, one step at a time, and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from whorl.program.choice import Choice
from whorl.program.program import Builtin, Program, subexpressions
from whorl.program.semantics import Semantics, Step
from whorl.program.state import LOCATION, NOBODY, TYPE, State, WorkingState
from whorl.property.claim import Claim
from whorl.property.components import components

CLAIMANT = (NOBODY, NOBODY, 0, 0)  # the record of whoever evaluates a proposition
ACCEPTS = -1  # beside the processes that an edge is fair to: it leaves an accepting node
MOST_PIDS = 255

Node = tuple[int, int, bool]  # a state, one of the claim, and whether the run has stopped


def movers(step: Step) -> frozenset[int]:
    return frozenset({step.pid} if step.partner is None else {step.pid, step.partner[0]})


@dataclass
class Graph:
    """All states between which control is free, and how each follows from the others."""

    program: Program
    states: list[State] = field(default_factory=list)
    able: list[frozenset[int]] = field(default_factory=list)  # who can begin a step
    edges: list[list[tuple[int, frozenset[int]]]] = field(default_factory=list)  # to, who moved

    def __post_init__(self) -> None:
        self.semantics = Semantics(self.program)
        number = {self.semantics.initial(): 0}
        self.states = list(number)
        for state in self.states:  # which grows
            out = []
            for after, who in self.runs(state):
                if after not in number:
                    number[after] = len(self.states)
                    self.states.append(after)
                out.append((number[after], who))
            self.edges.append(out)
            self.able.append(frozenset(step.pid for step in self.semantics.steps(state)))

    def runs(self, state: State) -> Iterator[tuple[State, frozenset[int]]]:
        """Where control is free again after a step, and who moved until then."""
        waiting: list[tuple[State, frozenset[int], int]] = [(state, frozenset(), 0)]
        while waiting:
            at, who, length = waiting.pop()
            assert length < 100, "an atomic sequence goes round for ever"
            for step in self.semantics.steps(at):
                after = step.state
                assert after is not None, "a step has no meaning"
                moved = who | movers(step)
                if after.holder == NOBODY:
                    yield after, moved
                elif self.semantics.steps_of_holder(after):
                    waiting.append((after, moved, length + 1))
                else:  # it blocks
                    yield after._replace(holder=NOBODY), moved

    def letter(self, claim: Claim, state: State, stopped: bool) -> int:
        everyone = range(len(state.processes))
        stuck = not self.semantics.steps_of(WorkingState(state), everyone)
        store = WorkingState(state, timeout=stuck, stuttering=stopped)
        values = map(self.semantics.evaluator.value, claim.atoms)
        return sum(bool(value(store, CLAIMANT)) << i for i, value in enumerate(values))

    def is_at_accept_label(self, state: State) -> bool:
        types = self.program.processes
        return any(r[LOCATION] in types[r[TYPE]].accept_locations for r in state.processes)


def accepts_fair_run(graph: Graph, claim: Claim, fair: bool = True) -> bool:
    """Whether the claim accepts a run of the program that is fair (or, without `fair`, any)."""
    asks_np = any(Builtin("np_") in subexpressions(atom) for atom in claim.atoms)
    everyone = frozenset(range(MOST_PIDS))
    letters: dict[tuple[int, bool], int] = {}
    edges: dict[Node, list[tuple[Node, frozenset[int]]]] = {}
    ended = False

    def expand(node: Node) -> list[tuple[Node, frozenset[int]]]:
        nonlocal ended
        at, place, stopped = node
        if (at, stopped) not in letters:
            letters[at, stopped] = graph.letter(claim, graph.states[at], stopped)
        moves = list(claim.automaton.successors(place, letters[at, stopped]))
        ended = ended or not claim.ends.isdisjoint(moves)
        accepting = place in claim.automaton.accepting or (
            claim.program_accepts and graph.is_at_accept_label(graph.states[at])
        )
        marks = everyone - graph.able[at] | ({ACCEPTS} if accepting else set())
        steps = graph.edges[at]
        if not steps:  # the run stops, and stays
            return [((at, move, asks_np), marks) for move in moves]
        return [((to, move, False), marks | who) for to, who in steps for move in moves]

    def successors(node: Node) -> list[Node]:
        if node not in edges:
            edges[node] = expand(node)
        return [target for target, _ in edges[node]]

    found = [set(c) for c in components([(0, claim.automaton.initial, False)], successors)]
    wanted = everyone | {ACCEPTS} if fair else frozenset({ACCEPTS})
    if ended:  # whatever follows is wrong, and something fair does
        return True
    for inside in found:
        met: set[int] = set()
        for node in inside:
            for target, marks in edges[node]:
                if target in inside:
                    met |= marks
        if met >= wanted:
            return True
    return False


def is_fair(graph: Graph, choices: tuple[Choice, ...], loop: int) -> bool:
    """Whether nobody is passed over in a run that takes `choices[loop:]` again and again."""
    semantics = graph.semantics
    state = semantics.initial()
    waiting: set[int] | None = None
    moved: set[int] = set()
    for number, choice in enumerate(choices):
        is_free = state.holder == NOBODY or not semantics.steps_of_holder(state)
        steps = semantics.steps(state)
        if number >= loop and is_free:
            able = {step.pid for step in steps}
            waiting = able if waiting is None else waiting & able
        (step,) = (s for s in steps if Choice.of(s) == choice)
        if number >= loop:
            moved |= movers(step)
        assert step.state is not None
        state = step.state
    return waiting is None or waiting <= moved
