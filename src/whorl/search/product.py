"""The product of a program and a claim, made while it is walked: what a search for cycles searches.

A node (s, q) is a state s of the claim and a state q of the program. The claim moves first: it
reads the letter of q and goes to s'; then the program goes from q to q', by a run of steps that the
claim cannot look into (see `program.atomic`). Where the program has no step left it stays in q, and
the claim goes on reading q's letter: the stutter extension of finite runs, valid ends or not.
A step that faults ends its run, too: the program stays for ever in the state before that step. An
assertion that fails is a step like any other: what a claim says is not about assertions.

Some corners, as in Spin's verifier:

- a claim that cannot move ends the run: it is none that the claim accepts;
- `np_` is false while the run stutters, so no non-progress cycle comes of a run that stops. Where
  that changes the letter, a stuttering node is another one than the node where the run stops. So it
  is after a fault, since the program could go on from that state in other ways;
- a fault within an atomic sequence ends the run in the middle of it, and there the claim looks;
- `timeout` is true where no process can move without it, and `enabled` takes that into account;
- a claim that enters one of its `ends` has found a violation. The program does not move then, and
  nothing is looked at any more. (Where only infinite runs count, such a state is like any other.)

A claim that is read in SI normal form also has to know whether the letter of q' is that of q.

The program's states are expanded once, whatever the claim's state beside them, and so are letters.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from whorl.program.atomic import Run, runs
from whorl.program.choice import Choice
from whorl.program.semantics import Semantics
from whorl.program.state import Fault, State
from whorl.property.claim import Claim
from whorl.property.reading import Letters, is_at_label
from whorl.search.watch import Watch


class Node(NamedTuple):
    """A state of the product. `stuttering`: the run has stopped, and nothing else follows.

    Where the program can do nothing at all, that is only told if the letter depends on it.
    """

    claim: int
    state: State
    stuttering: bool = False


class Move(NamedTuple):
    """A run of the program, as far as a search must know it: where it leads, and who moved."""

    state: State
    movers: frozenset[int]
    stops: bool = False  # by a fault

    @staticmethod
    def of(start: State, run: Run) -> Move:
        return Move(run.end(start), movers(run), run.state is None)


@dataclass(frozen=True, slots=True)
class Expansion:
    """What the program can do in a state: nothing at all (`stopped`), or some moves.

    `enabled` are the processes that can begin a move, which is what fairness asks about.
    """

    moves: tuple[Move, ...]
    enabled: frozenset[int]
    stopped: bool


class Product:
    """The product, as a graph. `failures` collects propositions that have no value on the way."""

    def __init__(
        self, semantics: Semantics, claim: Claim, watch: Watch, infinite_runs: bool = False
    ) -> None:
        self.semantics = semantics
        self.claim = claim
        self.watch = watch
        self.infinite_runs = infinite_runs
        self.automaton = claim.automaton if claim.normal_form is None else claim.normal_form
        self.letters = Letters(semantics, claim)
        self.expansions: dict[State, Expansion] = {}
        self.ends = frozenset() if infinite_runs else claim.ends
        # The kind of each new failure, and the choices from the node that is expanded up to it.
        self.failures: list[tuple[str, tuple[Choice, ...]]] = []

    # --- the program -----------------------------------------------------------------------------

    def expand(self, state: State) -> Expansion:
        expansion = self.expansions.get(state)
        if expansion is None:
            expansion = self.expansions[state] = self._expand(state)
        return expansion

    def _expand(self, state: State) -> Expansion:
        moves: list[Move] = []
        stopped = True
        enabled: set[int] = set()
        for run in runs(self.semantics, state):
            stopped = False
            enabled.add(run.steps[0].pid)
            self.watch.note(run)
            moves.append(Move.of(state, run))
        return Expansion(tuple(moves), frozenset(enabled), stopped)

    # --- the graph -------------------------------------------------------------------------------

    def initial(self) -> Iterable[Node]:
        return [Node(self.automaton.initial, self.semantics.initial())]

    def edges(self, node: Node) -> Iterator[tuple[Node, Move | None]]:
        """The edges of the product; without a Move where the program stays where it is."""
        state = node.state
        try:
            letter = self.letters.read(state, node.stuttering, node.claim)
        except Fault as fault:
            if self.watch.is_new(fault.kind, fault.message):
                self.failures.append((fault.kind, ()))
            return
        targets = list(self.automaton.successors(node.claim, letter))
        for target in targets:
            if target in self.ends:
                yield Node(target, state), None
        going_on = [target for target in targets if target not in self.ends]
        if going_on and (node.stuttering or self.expand(state).stopped):
            stuttering = node.stuttering or self.letters.asks_progress
            for target in going_on if not self.infinite_runs else ():
                for after in self.entered(target, letter, state, stuttering):
                    yield after, None
            return
        for target in going_on:
            for move in self.expand(state).moves:
                if move.stops and self.infinite_runs:
                    continue
                for after in self.entered(target, letter, move.state, move.stops):
                    yield after, move

    def entered(
        self, claim: int, letter: int, state: State, stuttering: bool = False
    ) -> Iterator[Node]:
        """The node after the claim has read `letter` and the program comes to `state`, if any."""
        form = self.claim.normal_form
        if form is None:
            yield Node(claim, state, stuttering)
            return
        after = form.entered(claim, same=form.same(self.letters.all(state, stuttering)[0], letter))
        if after is not None:
            yield Node(after, state, stuttering)

    def successors(self, node: Node, stack: Container[Node]) -> Iterable[Node]:
        if self.is_error(node):
            return
        for target, _ in self.edges(node):
            yield target

    def is_accepting(self, node: Node) -> bool:
        if self.automaton.is_accepting(node.claim):
            return True
        return self.claim.program_accepts and is_at_label(
            self.semantics.program, node.state, "accept"
        )

    def is_error(self, node: Node) -> bool:
        return node.claim in self.ends

    # --- counterexamples -------------------------------------------------------------------------

    def program_state(self, node: Node) -> State:
        return node.state

    def stays(self, node: Node) -> bool:
        """Whether the run has stopped: the program stays where it is."""
        return node.stuttering or self.expand(node.state).stopped

    def choices(self, node: Node, target: Node) -> tuple[Choice, ...]:
        """The choices of a run that leads from a node to its successor."""
        return self.choices_of(node, target, None)

    def choices_of(
        self, node: Node, target: Node, who: frozenset[int] | None
    ) -> tuple[Choice, ...]:
        """Likewise, of a run in which these processes move (None: any)."""
        if self.is_error(target) or self.stays(node):
            return ()
        for run in runs(self.semantics, node.state):
            move = Move.of(node.state, run)
            arrives = (move.state, move.stops) == (target.state, target.stuttering)
            if arrives and who in (None, move.movers):
                return tuple(map(Choice.of, run.steps))
        raise AssertionError("the target is no successor of the node")


def movers(run: Run) -> frozenset[int]:
    """The processes that take part in a run; a handshake is a move of both."""
    receivers = (step.partner[0] for step in run.steps if step.partner is not None)
    return frozenset((*(step.pid for step in run.steps), *receivers))
