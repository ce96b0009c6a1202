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
from whorl.property.stutter import is_stutter_invariant

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
    candidates: dict[object, Candidate] = {}
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
                    key = _canonical(count + 1, triples, accepting)
                    if key not in candidates:
                        automaton = _buchi(count + 1, triples, accepting, len(alphabet))
                        candidates[key] = Candidate(automaton, alphabet)
    return sorted(candidates.values(), key=_order)


def _normal_form_edges(
    own: Sequence[int], kinds: Sequence[str], most: int
) -> Iterator[frozenset[Triple]]:
    """All transition relations for states 1.. with these letters and kinds; 0 is initial."""
    states = range(1, len(own) + 1)
    letter = dict(zip(states, own, strict=True))
    kind = dict(zip(states, kinds, strict=True))
    leaders = [s for s in states if kind[s] != "twin"]
    twins = [s for s in states if kind[s] == "twin"]
    options = [[z for z in leaders if kind[z] == "loop" and letter[z] == letter[s]] for s in twins]
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


def deterministic(states: int) -> list[Candidate]:
    """The deterministic automata over one proposition with a stutter-invariant language."""
    return listed(states, is_stutter_invariant, most_targets=1)


def listed(
    states: int, wanted: Callable[[Buchi], bool], most_targets: int | None = None
) -> list[Candidate]:
    """All automata over one proposition with so many states that are as wanted.

    With `most_targets`, a letter leads from a state to at most so many.
    """
    candidates: dict[object, Candidate] = {}
    targets = [z for z in _subsets(range(states)) if most_targets is None or len(z) <= most_targets]
    sources = list(product(range(states), range(2)))
    for row in product(targets, repeat=len(sources)):
        triples = frozenset(
            (s, a, z) for (s, a), leads in zip(sources, row, strict=True) for z in leads
        )
        for accepting in map(frozenset, _subsets(range(states))):
            if not _all_useful(states, triples, accepting):
                continue
            key = _canonical(states, triples, accepting)
            if key not in candidates:
                candidate = Candidate(_buchi(states, triples, accepting, 2), (0, 1))
                if wanted(candidate.automaton):
                    candidates[key] = candidate
    return sorted(candidates.values(), key=_order)


# --- made of triples -----------------------------------------------------------------------------


def _buchi(
    count: int, triples: frozenset[Triple], accepting: frozenset[int], letters: int
) -> Buchi:
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


def _canonical(count: int, triples: frozenset[Triple], accepting: frozenset[int]) -> object:
    """The same for automata that differ in the names of states and letters only."""
    letters = range(max((a for _, a, _ in triples), default=0) + 1)
    return min(
        (
            tuple(sorted((order[s], name[a], order[z]) for s, a, z in triples)),
            tuple(sorted(order[s] for s in accepting)),
        )
        for rest in permutations(range(1, count))
        for order in ((0, *rest),)
        for name in permutations(letters)
    )


def _order(candidate: Candidate) -> tuple[int, int, str]:
    automaton = candidate.automaton
    return len(automaton.states), candidate.transitions, repr(automaton.edges)
