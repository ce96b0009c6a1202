"""Good runs: those that violate nothing of what was checked, and pass over no process.

A graph for the searches for cycles. Its accepting cycles are the good runs that never stop; a run
that may stop goes round in its last state. A node knows who moved last, since a good run is weakly
fair: otherwise one process that goes round for ever could put off any violation.

Of safety, a good run has no step that fails and stops only at a valid end. Of a claim, it is one
that the claim does not accept. An automaton says so: that of the formula itself; for the labels of
a model, one that is written here; for a never claim or a HOA file, its complement. Runs that end in
a fault are no good runs.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from typing import NamedTuple

from whorl.language.limits import MOST_PROCESSES
from whorl.program.atomic import Run, runs
from whorl.program.choice import Choice
from whorl.program.semantics import Semantics
from whorl.program.state import NOBODY, State
from whorl.property.automaton import Buchi, Edge, full, literal
from whorl.property.claim import Claim
from whorl.property.labels import ACCEPTANCE, NON_PROGRESS
from whorl.property.reading import Letters, is_at_label
from whorl.search.exploration import ASSERTION, Options
from whorl.search.product import movers

SETS = 1 + MOST_PROCESSES  # of `GoodRuns.marks`
MOST_COMPLEMENT = 500  # states of a never claim's complement


class GoodNode(NamedTuple):
    """A state of the program, that of the automaton which reads it, and who moved last."""

    state: State
    reading: int
    moved: frozenset[int] = frozenset()
    stopped: bool = False


class _Expansion(NamedTuple):
    runs: tuple[Run, ...]  # those without a failure
    enabled: frozenset[int]


class GoodRuns:
    """The graph, from any nodes: `start` has them. `doomed` are nodes without a good run."""

    def __init__(self, semantics: Semantics, claim: Claim | None, options: Options) -> None:
        self.semantics = semantics
        self.claim = claim
        self.options = options
        self.automaton = good_automaton(claim)
        self.letters = None if claim is None else Letters(semantics, claim)
        self.start: list[GoodNode] = []
        self.doomed: set[GoodNode] = set()
        self.seen: set[GoodNode] = set()
        self._expansions: dict[State, _Expansion] = {}

    # --- the automaton ---------------------------------------------------------------------------

    def letter(self, state: State, stuttering: bool = False) -> int:
        if self.letters is None or self.claim is None:
            return 0
        if self.claim.kind == ACCEPTANCE:
            return int(is_at_label(self.semantics.program, state, "accept"))
        return self.letters.all(state, stuttering)[0]

    def after(self, reading: Iterable[int], state: State) -> frozenset[int]:
        """The states of the automaton after one of those has read a state of the program."""
        letter = self.letter(state)
        return frozenset(t for q in reading for t in self.automaton.successors(q, letter))

    # --- the program -----------------------------------------------------------------------------

    def expand(self, state: State) -> _Expansion:
        if state not in self._expansions:
            good: list[Run] = []
            enabled: set[int] = set()
            for run in runs(self.semantics, state):
                enabled.add(run.steps[0].pid)
                if self._is_good(run):
                    good.append(run)
            self._expansions[state] = _Expansion(tuple(good), frozenset(enabled))
        return self._expansions[state]

    def _is_good(self, run: Run) -> bool:
        if run.state is None:
            return False
        ignored = self.claim is not None or not self.options.assertions
        return not any(
            failure.kind != ASSERTION or not ignored
            for step in run.steps
            for failure in step.failures
        )

    def may_stop(self, state: State) -> bool:
        """Whether a run may stop in a state from which nothing follows."""
        if self.claim is not None:
            return not self.options.infinite_runs
        return not self.options.end_states or self.semantics.is_valid_end(state)

    # --- the graph -------------------------------------------------------------------------------

    def initial(self) -> Iterable[GoodNode]:
        return [node for node in self.start if node not in self.doomed]

    def successors(self, node: GoodNode, stack: Container[GoodNode]) -> Iterable[GoodNode]:
        self.seen.add(node)
        return (target for target in self.targets(node) if target not in self.doomed)

    def targets(self, node: GoodNode) -> Iterator[GoodNode]:
        state, expansion = node.state, self.expand(node.state)
        following = self.automaton.successors(node.reading, self.letter(state, node.stopped))
        if node.stopped or not expansion.enabled:
            if self.may_stop(state):
                for reading in following:
                    yield GoodNode(state, reading, frozenset(), True)
            return
        readings = list(following)
        for run in self._round_robin(node, expansion.runs):
            assert run.state is not None
            for reading in readings:
                yield GoodNode(run.state, reading, movers(run))

    def _round_robin(self, node: GoodNode, good: Iterable[Run]) -> list[Run]:
        """The runs, first those of the process after the one that moved last."""
        last = max(node.moved, default=NOBODY)
        count = len(node.state.processes) + 1
        return sorted(good, key=lambda run: (run.steps[0].pid - last - 1) % count)

    def is_accepting(self, node: GoodNode) -> bool:
        return node.reading in self.automaton.accepting

    def is_error(self, node: GoodNode) -> bool:
        return False

    def marks(self, node: GoodNode) -> int:
        """What a good run must come to again and again: accepting states, and each process served.

        A process is served where it moves, and where it cannot.
        """
        served = (1 << MOST_PROCESSES) - 1
        if not node.stopped:
            waiting = self.expand(node.state).enabled - node.moved
            served -= sum(1 << pid for pid in waiting)
        return int(self.is_accepting(node)) | served << 1

    def choices(self, node: GoodNode, target: GoodNode) -> tuple[Choice, ...]:
        """The choices of a run that leads from a node to its successor."""
        if target.stopped:
            return ()
        for run in self.expand(node.state).runs:
            if run.state == target.state and movers(run) == target.moved:
                return tuple(map(Choice.of, run.steps))
        raise AssertionError("the target is no successor of the node")


def good_automaton(claim: Claim | None) -> Buchi:
    """The automaton of the runs that a claim does not accept; without one, of all runs.

    WhorlError or TooMuchWork where it would be too large.
    """
    if claim is None:
        return Buchi((), 0, ((Edge(full(0), 0),),), frozenset([0]))
    if claim.formula is not None:
        from whorl.property.translate import translate  # loading it takes time

        return translate(claim.formula, claim.automaton.propositions)
    if claim.kind == NON_PROGRESS:  # again and again there is progress
        idle, progress = literal(0, 1), full(1) & ~literal(0, 1)
        edges = (Edge(idle, 0), Edge(progress, 1))
        return Buchi(("np_",), 0, (edges, edges), frozenset([1]))
    if claim.kind == ACCEPTANCE:  # from some time on nobody is at an accept label
        elsewhere = full(1) & ~literal(0, 1)
        waiting = (Edge(full(1), 0), Edge(elsewhere, 1))
        return Buchi(("accept",), 0, (waiting, (Edge(elsewhere, 1),)), frozenset([1]))
    from whorl.property.complement import complement

    return complement(claim.automaton, MOST_COMPLEMENT)
