"""Looks for an instance within bounds that satisfies a scheme's conditions and is still wrong.

Sizes are tried from the smallest; an instance is made smaller where it can be, and checked by the
definitions. One that does not pass would be a mistake of ours, never an answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from whorl.lab.automata import Candidate
from whorl.lab.counting import at_most
from whorl.lab.encoding import Encoding, Size
from whorl.lab.instance import Instance
from whorl.lab.invariance import AcceptedAlike, witnesses
from whorl.lab.language import Rules
from whorl.lab.recheck import objection, shrunk
from whorl.lab.schemes import Scheme
from whorl.lab.solver import Solver

MOST_REFUSED = 5_000  # instances that no depth-first search has, before the question is left open


@dataclass(frozen=True, slots=True)
class Bounds:
    """The most operations and program states; with `searched`, C3 must hold in some search."""

    operations: int
    states: int
    searched: bool = False


@dataclass(frozen=True, slots=True)
class Undecided:
    """So many instances satisfied C3', and in none of them a depth-first search satisfied C3."""

    refused: int


Answer = Instance | Undecided | None


def search(scheme: Scheme, candidates: Sequence[Candidate], bounds: Bounds) -> Answer:
    """The first wrong instance: fewest program states, then automata in order, then operations."""
    rules = scheme.rules()
    refused = 0
    for states in range(1, bounds.states + 1):
        for candidate in candidates:

            def models(
                operations: int, c: Candidate = candidate, n: int = states
            ) -> Iterator[Instance]:
                size = Size(operations, n, len(c.automaton.states), len(c.letters))
                return _models(Encoding(rules, size, c.automaton, c.letters))

            found = _smallest(scheme, rules, bounds, models)
            if isinstance(found, Instance):
                return found
            if found is not None:
                refused += found.refused
    return Undecided(refused) if refused else None


def search_automaton(
    scheme: Scheme,
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

        found = _smallest(scheme, rules, bounds, models)
        if isinstance(found, Instance):
            return found
        if found is not None:
            refused += found.refused
    return Undecided(refused) if refused else None


def _smallest(
    scheme: Scheme,
    rules: Rules,
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
                return Undecided(refused)
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


def _models(encoding: Encoding) -> Iterator[Instance]:
    """All instances of an encoding."""
    with Solver(encoding.clauses.clauses) as solver:
        while (model := solver.solve()) is not None:
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
