"""Never claims: from the claim of a model, already lowered, to a Claim.

Its locations become the states of a Büchi automaton. What Spin's verifier does with a claim:

- it moves first, then the program, and so on in turns; a step of the claim is a guard, a skip, an
  else, or an assertion;
- the steps of an atomic sequence are taken at one state of the program, and a sequence that blocks
  before its end was not begun (`spin -f` writes `atomic { (p) -> assert(!(p)) }`);
- to fall off the end of the body, to come to an end label, and to fail an assertion is to find a
  violation, whatever comes after: those are edges to one state in `Claim.ends`;
- `else` is for the letters on which no step before it can be taken, an escape of an `unless` comes
  before what it leads out of.
"""

from __future__ import annotations

from collections.abc import Iterator

from whorl.diagnostics import Reporter, Span, WhorlError
from whorl.program.program import (
    Assertion,
    ChangePriority,
    DStep,
    EmbeddedAction,
    Guard,
    Otherwise,
    Output,
    ProcessType,
    Program,
    ReceiveAction,
    SendAction,
    Skip,
    Store,
    Terminate,
    Transition,
    contains_run,
)
from whorl.property.automaton import MOST_PROPOSITIONS, Buchi, Edge, full
from whorl.property.claim import Claim
from whorl.property.propositions import Propositions

NEVER = "never claim"

# What a claim may not do, as an automaton that only looks on.
_FORBIDDEN = {
    Store: "assign to a variable",
    SendAction: "send",
    ReceiveAction: "receive",
    ChangePriority: "change a priority",
    EmbeddedAction: "run embedded C",
    DStep: "have a d_step",
}


def from_never(program: Program, never: ProcessType) -> Claim:
    """The Claim of a never claim; WhorlError for what is no automaton."""
    _check(never)
    actions = (transition.action for transition in never.transitions())
    conditions = [a.condition for a in actions if isinstance(a, Guard | Assertion)]
    propositions = Propositions(program, conditions)
    if len(propositions.atoms) > MOST_PROPOSITIONS:
        raise WhorlError.at(
            never.span,
            f"this claim looks at {len(propositions.atoms)} propositions;"
            f" at most {MOST_PROPOSITIONS} are possible",
            "give what belongs together a variable of its own in the model",
        )
    automaton, end = _Reader(never, propositions).automaton()
    return Claim(
        name=never.title,
        kind=NEVER,
        automaton=automaton,
        atoms=tuple(propositions.atoms.values()),
        ends=frozenset(() if end is None else (end,)),
        program_accepts=any(process.accept_locations for process in program.processes),
    )


def _check(never: ProcessType) -> None:
    reporter = Reporter()
    reported: set[Span] = set()
    for transition in never.transitions():
        action, span = transition.action, transition.span
        if span in reported:
            continue
        if type(action) in _FORBIDDEN:
            reported.add(span)
            reporter.error(
                span,
                f"a never claim cannot {_FORBIDDEN[type(action)]}",
                "it only looks on: conditions, skip, else, assert, goto and break",
            )
        elif isinstance(action, Guard | Assertion) and contains_run(action.condition):
            reported.add(span)
            reporter.error(span, "a never claim cannot start a process")
    if never.variables and not reported:
        reporter.error(
            never.span,
            f"this claim has a variable of its own, '{never.variables[0].name}'",
            "a claim is an automaton: its memory is where it is",
        )
    reporter.raise_if_errors()


class _Reader:
    def __init__(self, never: ProcessType, propositions: Propositions) -> None:
        self.never = never
        self.propositions = propositions
        self.everything = full(len(propositions.atoms))

    def automaton(self) -> tuple[Buchi, int | None]:
        """The automaton, and the number of the state that stands for a violation, if it has one."""
        numbers: dict[int | None, int] = {}  # of locations; None: the violation

        def number(location: int | None) -> int:
            return numbers.setdefault(location, len(numbers))

        initial = number(self.arrive(self.never.start))
        edges: list[tuple[Edge, ...]] = []
        while len(edges) < len(numbers):
            location = list(numbers)[len(edges)]
            targets: dict[int, int] = {}
            if location is None:
                targets[number(None)] = self.everything
            else:
                for letters, target in self.moves(location, self.everything, ()):
                    to = number(target)
                    targets[to] = targets.get(to, 0) | letters
            edges.append(tuple(Edge(letters, to) for to, letters in targets.items()))
        accepting = {
            n for at, n in numbers.items() if at is None or at in self.never.accept_locations
        }
        names = tuple(self.propositions.atoms)
        return Buchi(names, initial, tuple(edges), frozenset(accepting)), numbers.get(None)

    def arrive(self, location: int) -> int | None:
        return None if location in self.never.end_locations else location

    def moves(
        self, location: int, letters: int, passed: tuple[int, ...]
    ) -> Iterator[tuple[int, int | None]]:
        """Where the claim goes from `location` on some of `letters`, and on which.

        `passed` are the locations of the atomic sequence so far; one that goes round takes no time
        and leads nowhere.
        """
        if location in passed:
            return
        before = 0  # the letters on which one of the steps so far can be taken
        escapes: dict[int, int] = {}  # by the unless that they come from: likewise
        for transition in self.never.locations.get(location, ()):
            ready = self.ready(transition, before)
            for escape, taken in escapes.items():
                if escape != transition.escape:
                    ready &= ~taken
            before |= ready
            if transition.escape:
                escapes[transition.escape] = escapes.get(transition.escape, 0) | ready
            ready &= letters
            if isinstance(transition.action, Assertion):
                holds = self.propositions.label(transition.action.condition)
                if ready & ~holds:
                    yield ready & ~holds, None
                ready &= holds
            if not ready:
                continue
            target = self.arrive(transition.target)
            if transition.atomic and target is not None:
                yield from self.moves(target, ready, (*passed, location))
            else:
                yield ready, target

    def ready(self, transition: Transition, before: int) -> int:
        """The letters on which a step can be taken."""
        match transition.action:
            case Guard(condition):
                return self.propositions.label(condition)
            case Otherwise():
                return self.everything & ~before
            case Skip() | Output() | Assertion() | Terminate():
                return self.everything
        raise AssertionError("_check let it pass")
