"""Looks for an instance within bounds that satisfies a scheme's conditions and is still wrong.

Sizes are tried from the smallest; an instance is made smaller where it can be, and checked by the
definitions. One that does not pass would be a mistake of ours, never an answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from whorl.lab.automata import Candidate
from whorl.lab.counting import at_most
from whorl.lab.encoding import Encoding, Size
from whorl.lab.instance import Instance
from whorl.lab.invariance import AcceptedAlike, witnesses
from whorl.lab.language import RuleSet
from whorl.lab.recheck import objection, shrunk
from whorl.lab.schemes import LabScheme
from whorl.lab.solver import Solver

MANY = 100  # automata of one size that are worth clauses of their own
MOST_REFUSED = 5_000  # instances that no depth-first search has, before the question is left open


@dataclass(frozen=True, slots=True)
class Bounds:
    """The most operations and program states; with `searched`, C3 must hold in some search."""

    operations: int
    states: int
    searched: bool = False


@dataclass(frozen=True, slots=True)
class UndecidedAnswer:
    """So many instances satisfied C3', and in none of them a depth-first search satisfied C3."""

    refused: int


Answer = Instance | UndecidedAnswer | None


def search(scheme: LabScheme, candidates: Sequence[Candidate], bounds: Bounds) -> Answer:
    """The first wrong instance: fewest program states, then automata in order, then operations."""
    rules = scheme.rules()
    refused = 0
    for states in range(1, bounds.states + 1):
        with _Candidates(rules, candidates, states) as known:
            for candidate in candidates:

                def models(operations: int, one: Candidate = candidate) -> Iterator[Instance]:
                    return known.models(one, operations)

                answer = _smallest(scheme, rules, bounds, models)
                if isinstance(answer, Instance):
                    return answer
                if answer is not None:
                    refused += answer.refused
    return UndecidedAnswer(refused) if refused else None


def search_automaton(
    scheme: LabScheme,
    property_states: int,
    bounds: Bounds,
    every_state: bool,
    transitions: int | None = None,
) -> Answer:
    """The same, with an automaton that is looked for too.

    It has so many states, at most so many transitions, reads one proposition, and its language is
    stutter-invariant, that of every state if so wanted.
    """
    rules = scheme.rules()
    refused = 0
    for states in range(1, bounds.states + 1):

        def models(operations: int, n: int = states) -> Iterator[Instance]:
            encoding = Encoding(rules, Size(operations, n, property_states, 2), None, (0, 1))
            _number_automaton(encoding)
            if transitions is not None:
                _bound_transitions(encoding, transitions)
            return _invariant_models(encoding, every_state)

        answer = _smallest(scheme, rules, bounds, models)
        if isinstance(answer, Instance):
            return answer
        if answer is not None:
            refused += answer.refused
    return UndecidedAnswer(refused) if refused else None


def _smallest(
    scheme: LabScheme,
    rules: RuleSet,
    bounds: Bounds,
    models: Callable[[int], Iterator[Instance]],
) -> Answer:
    """An instance with the fewest operations: where the most give none, fewer do not either."""

    def wrong(instance: Instance) -> bool:
        return objection(scheme, rules, instance, bounds.searched) is None

    def first(operations: int) -> Answer:
        for refused, instance in enumerate(models(operations)):
            reason = objection(scheme, rules, instance, searched=False)
            assert reason is None, f"{reason}: {instance}"
            if wrong(instance):
                return instance
            if refused == MOST_REFUSED:
                return UndecidedAnswer(refused)
        return None

    most = first(bounds.operations)
    if not isinstance(most, Instance):
        return most
    for operations in range(1, bounds.operations):
        fewer = first(operations)
        if isinstance(fewer, Instance):
            return shrunk(fewer, wrong)
    return shrunk(most, wrong)


# --- models --------------------------------------------------------------------------------------


class _Candidates:
    """The instances of given automata, with programs of so many states.

    Where many automata are of one size, clauses are made once, for an automaton of this size, and
    the solver is told of each automaton by assumptions.
    """

    def __init__(self, rules: RuleSet, candidates: Sequence[Candidate], states: int) -> None:
        self.rules = rules
        self.states = states
        sizes = Counter(map(_size, candidates))
        self.many = {size for size, count in sizes.items() if count >= MANY}
        self.shared: dict[tuple[int, int, int], tuple[Encoding, Solver]] = {}

    def __enter__(self) -> _Candidates:
        return self

    def __exit__(self, *error: object) -> None:
        for _encoding, solver in self.shared.values():
            solver.close()

    def models(self, candidate: Candidate, operations: int) -> Iterator[Instance]:
        """The instances of one automaton."""
        property_states, letters = _size(candidate)
        size = Size(operations, self.states, property_states, letters)
        if (property_states, letters) not in self.many:
            encoding = Encoding(self.rules, size, candidate.automaton, candidate.letters)
            with Solver(encoding.clauses.clauses) as solver:
                yield from _all_models(encoding, solver, ())
            return
        assert candidate.automaton.initial == 0
        key = (operations, property_states, letters)
        if key not in self.shared:
            encoding = Encoding(self.rules, size, None, range(letters))
            self.shared[key] = encoding, Solver(encoding.clauses.clauses)
        encoding, solver = self.shared[key]
        for instance in _all_models(encoding, solver, encoding.assume(candidate.automaton)):
            yield replace(instance, automaton=candidate.automaton)


def _size(candidate: Candidate) -> tuple[int, int]:
    return len(candidate.automaton.states), len(candidate.letters)


def _all_models(
    encoding: Encoding, solver: Solver, assumptions: Sequence[int]
) -> Iterator[Instance]:
    while (model := solver.solve(assumptions)) is not None:
        yield encoding.instance(model)
        solver.add(encoding.another(model))


def _invariant_models(encoding: Encoding, every_state: bool) -> Iterator[Instance]:
    """All instances of an encoding without an automaton whose automaton is stutter-invariant."""
    alike = AcceptedAlike(encoding, range(encoding.size.property) if every_state else [0])
    clauses = encoding.clauses.clauses
    with Solver() as solver:
        given = 0
        while True:
            for clause in clauses[given:]:
                solver.add(clause)
            given = len(clauses)
            model = solver.solve()
            if model is None:
                return
            instance = encoding.instance(model)
            pairs = witnesses(instance.automaton, every_state)
            for pair in pairs:
                alike.add(pair.accepted, pair.refused)
            if not pairs:
                yield instance
                encoding.clauses.add(*encoding.another(model))


def _number_automaton(encoding: Encoding) -> None:
    """Accepting states come last, the initial one apart."""
    for s in range(1, encoding.size.property - 1):
        encoding.clauses.add(-encoding.accepting(s), encoding.accepting(s + 1))


def _bound_transitions(encoding: Encoding, most: int) -> None:
    states, letters = range(encoding.size.property), range(encoding.size.letters)
    triples = [encoding.delta(s, a, z) for s in states for a in letters for z in states]
    at_most(encoding.clauses, triples, most)
