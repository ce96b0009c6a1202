"""Classes of property automata within bounds, each automaton once up to the names of its states.

Only automata without useless states are listed: a state that cannot be reached, or from which
nothing is accepted, adds conditions on the selector and nothing else, so it is in no smallest
instance. Taking such states away keeps an automaton in each of the classes here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations, product

from whorl.lab.encoding import letters_of, propositions_for
from whorl.property.automaton import Buchi, Edge
from whorl.property.stutter import all_states_stutter_invariant, is_stutter_invariant

Triple = tuple[int, int, int]  # source, letter, target


@dataclass(frozen=True, slots=True)
class Candidate:
    """An automaton, and the letters that programs are labelled with."""

    automaton: Buchi
    letters: tuple[int, ...]

    @property
    def transitions(self) -> int:
        """The triples of its transition relation, as the paper counts them."""
        return sum(
            1
            for s in self.automaton.states
            for a in self.letters
            for _ in self.automaton.successors(s, a)
        )


def fixed(automaton: Buchi) -> Candidate:
    """One automaton, with a letter for each class of letters that it can tell apart."""
    return Candidate(automaton, tuple(letters_of(automaton)))


# --- SI normal form ------------------------------------------------------------------------------


def normal_forms(states: int, letters: int, transitions: int) -> list[Candidate]:
    """The automata in SI normal form within bounds: B5 of the paper.

    Apart from the initial state there are loops that accept, loops that do not, and accepting
    states without a loop, which have the edges of a loop that does not accept (Definition 12).
    """
    found: dict[object, Candidate] = {}
    for count in range(1, states):
        for own in _growth_strings(count, letters):
            for kinds in product(("loop", "accepting loop", "twin"), repeat=count):
                for triples in _normal_form_edges(own, kinds, transitions):
                    accepting = frozenset(s + 1 for s in range(count) if kinds[s] != "loop")
                    if not _all_useful(count + 1, triples, accepting):
                        continue
                    used = max(own) + 1
                    # Where the alphabet has another letter, programs may be labelled with it.
                    alphabet = tuple(range(min(used + 1, letters)))
                    key = _canonical(count + 1, triples, accepting, rename=True)
                    if key not in found:
                        automaton = _buchi(count + 1, triples, accepting, len(alphabet))
                        found[key] = Candidate(automaton, alphabet)
    return sorted(found.values(), key=_order)


def _normal_form_edges(
    own: Sequence[int], kinds: Sequence[str], most: int
) -> Iterator[frozenset[Triple]]:
    """All transition relations for states 1.. with these letters and kinds; 0 is initial."""
    states = range(1, len(own) + 1)
    letter = dict(zip(states, own, strict=True))
    kind = dict(zip(states, kinds, strict=True))
    leaders = [s for s in states if kind[s] != "twin"]
    twins = [s for s in states if kind[s] == "twin"]
    options = [
        [z for z in leaders if kind[z] == "loop" and letter[z] == letter[s]] for s in twins
    ]
    for partners in product(*options):
        shape = {s: s for s in leaders} | dict(zip(twins, partners, strict=True))
        loops = {(s, letter[s], shape[s]) for s in states}
        rows = [list(_subsets([z for z in states if letter[z] != letter[s]])) for s in leaders]
        for first in _subsets(states):
            for row in product(*rows):
                targets = dict(zip(leaders, row, strict=True))
                triples = loops | {(0, letter[z], z) for z in first}
                triples |= {(s, letter[z], z) for s in states for z in targets[shape[s]]}
                if len(triples) <= most:
                    yield frozenset(triples)


def _subsets(items: Sequence[int]) -> Iterator[tuple[int, ...]]:
    for size in range(len(items) + 1):
        yield from combinations(items, size)


def _growth_strings(length: int, most: int) -> Iterator[tuple[int, ...]]:
    """Letters for states, up to the names of the letters: each new one is the next."""
    for string in product(range(most), repeat=length):
        if all(a <= max(string[:i], default=-1) + 1 for i, a in enumerate(string)):
            yield string


# --- all automata --------------------------------------------------------------------------------


def stutter_invariant(states: int) -> list[Candidate]:
    """The automata with so many states over one proposition whose language is stutter-invariant."""
    return _filtered(states, lambda b: is_stutter_invariant(b), every_state=False)


def every_state_stutter_invariant(states: int) -> list[Candidate]:
    """Those in which the language of every state is."""
    return _filtered(states, all_states_stutter_invariant, every_state=True)


def deterministic(states: int) -> list[Candidate]:
    """The deterministic ones with a stutter-invariant language."""
    return [
        c for c in _filtered(states, is_stutter_invariant, False, deterministic=True)
    ]


def _filtered(
    count: int,
    wanted: Callable[[Buchi], bool],
    every_state: bool,
    deterministic: bool = False,
) -> list[Candidate]:
    found: dict[object, Candidate] = {}
    tables = _Tables(count)
    for zero, one, accepting in tables.candidates(every_state, deterministic):
        triples = frozenset(
            (s, a, z)
            for a, matrix in ((0, zero), (1, one))
            for s in range(count)
            for z in range(count)
            if matrix >> (s * count + z) & 1
        )
        final = frozenset(s for s in range(count) if accepting >> s & 1)
        if not _all_useful(count, triples, final):
            continue
        key = _canonical(count, triples, final, rename=True)
        if key in found:
            continue
        automaton = _buchi(count, triples, final, 2)
        if wanted(automaton):
            found[key] = Candidate(automaton, (0, 1))
    return sorted(found.values(), key=_order)


class _Tables:
    """A quick sieve: automata over two letters that treat some short words alike.

    A letter's transitions are a matrix, a number of count * count bits; a set of states is a
    number of count bits. `before[m][x]` is the set of states from which matrix m leads into x.
    """

    def __init__(self, count: int) -> None:
        self.count = count
        self.matrices = range(1 << count * count)
        self.sets = range(1 << count)
        row = (1 << count) - 1
        self.before = [
            [
                sum(1 << s for s in range(count) if m >> s * count & row & x)
                for x in self.sets
            ]
            for m in self.matrices
        ]

    def for_ever(self, matrices: Sequence[int], accepting: int) -> int:
        """The states that accept the word of these letters, repeated.

        The greatest fixed point of: a state that can come, by some rounds of the word with an
        accepting state on the way, into the fixed point again.
        """
        alive = self.sets[-1]
        while True:
            # Good at a round's start: in the course of some round an accepting state is seen, and
            # then a round's start in `alive` comes.
            goal = 0
            while True:
                good = goal
                # walk back over one round; `seen`: an accepting state was seen in it or later
                seen, unseen = goal, alive
                for m in reversed(matrices):
                    seen = self.before[m][seen] | (self.before[m][unseen] & accepting)
                    unseen = self.before[m][unseen]
                good |= seen
                if good == goal:
                    break
                goal = good
            if goal == alive:
                return alive
            alive = goal

    def candidates(
        self, every_state: bool, deterministic: bool
    ) -> Iterator[tuple[int, int, int]]:
        before = self.before
        row = (1 << self.count) - 1
        matrices: Sequence[int] = self.matrices
        if deterministic:
            matrices = [
                m
                for m in matrices
                if all((m >> s * self.count & row).bit_count() <= 1 for s in range(self.count))
            ]
        care = row if every_state else 1
        for accepting in self.sets[1:]:
            ever = {m: self.for_ever([m], accepting) for m in matrices}
            for zero in matrices:
                for one in matrices:
                    if zero > one:
                        continue  # the two letters may change names
                    if self._alike(before[zero], before[one], ever[one], care) and self._alike(
                        before[one], before[zero], ever[zero], care
                    ):
                        yield zero, one, accepting

    def _alike(self, zero: list[int], one: list[int], end: int, care: int) -> bool:
        """Whether 0 1^ω, 00 1^ω, and so on, are treated alike, and 1 0 1^ω and so on."""
        x = zero[end]
        y = zero[x]
        if (x ^ y) & care:
            return False
        z = one[x]
        if (z ^ one[y]) & care or (z ^ one[z]) & care:
            return False
        return not (zero[z] ^ zero[zero[z]]) & care


# --- made of triples -----------------------------------------------------------------------------


def _buchi(count: int, triples: frozenset[Triple], accepting: frozenset[int], letters: int) -> Buchi:
    edges = []
    for s in range(count):
        labels: dict[int, int] = {}
        for source, letter, target in sorted(triples):
            if source == s:
                labels[target] = labels.get(target, 0) | 1 << letter
        edges.append(tuple(Edge(label, target) for target, label in sorted(labels.items())))
    return Buchi(propositions_for(letters), 0, tuple(edges), accepting)


def _all_useful(count: int, triples: frozenset[Triple], accepting: frozenset[int]) -> bool:
    """Whether every state can be reached from 0 and reaches an accepting state on a cycle."""
    after = [{z for s, _, z in triples if s == state} for state in range(count)]
    reach = []
    for state in range(count):
        seen, todo = set(after[state]), list(after[state])
        while todo:
            for z in after[todo.pop()] - seen:
                seen.add(z)
                todo.append(z)
        reach.append(seen)
    seeds = {s for s in accepting if s in reach[s]}
    return all(s == 0 or s in reach[0] for s in range(count)) and all(
        s in seeds or reach[s] & seeds for s in range(count)
    )


def _canonical(
    count: int, triples: frozenset[Triple], accepting: frozenset[int], rename: bool
) -> object:
    """The same for automata that differ in the names of states (and letters) only."""
    used = sorted({a for _, a, _ in triples})
    letters = max(used) + 1
    names = list(permutations(range(letters))) if rename else [tuple(range(letters))]
    return min(
        (
            sorted((order[s], name[a], order[z]) for s, a, z in triples),
            sorted(order[s] for s in accepting),
        )
        for rest in permutations(range(1, count))
        for order in ((0, *rest),)
        for name in names
    ).__repr__()


def _order(candidate: Candidate) -> tuple[int, int, str]:
    automaton = candidate.automaton
    return len(automaton.states), candidate.transitions, repr(automaton.edges)
