"""Minimal weak deterministic automata for obligations (Boolean combinations of safety properties).

The powerset of an automaton of the formula, with a component accepting if a word round one of its
cycles is; if the formula is an obligation that is a deterministic automaton of it, which is checked
against the formula and its negation. It is weak, so there is a unique smallest one, found by
colouring the components and minimising as for finite words.

C. Dax, J. Eisinger and F. Klaedtke, "Mechanizing the powerset construction for restricted classes
of ω-automata", ATVA 2007; C. Löding, "Efficient minimization of deterministic weak ω-automata", IPL
2001.
"""

from __future__ import annotations

from whorl.property.automaton import Automaton, Buchi, Edge, full, generalised
from whorl.property.intersection import have_common_word
from whorl.property.operations import useful
from whorl.property.pruning import Components, has_accepting_cycle, numbered

MOST_SUBSETS = 300


def minimal_obligation(automaton: Automaton, negation: Automaton) -> Buchi | None:
    """The smallest weak deterministic automaton of this language; None if it is no obligation.

    None too if the powerset is large. `negation` accepts the words that `automaton` does not. The
    result is without the state from which nothing is accepted.
    """
    powerset = _powerset(automaton)
    if powerset is None:
        return None
    subsets, table = powerset
    components = numbered(len(table), (0,), lambda s: (edge.target for edge in table[s]))
    accepting = [
        _accepts_cycle(automaton, subsets, table, components, c)
        for c in range(len(components.members))
    ]
    colours = _colours(table, components, accepting)
    smallest = _minimise(table, colours)
    # a weak automaton and its complement
    yes = _weak(automaton.propositions, *smallest, even=True)
    no = _weak(automaton.propositions, *smallest, even=False)
    if have_common_word(generalised(yes), negation) or have_common_word(generalised(no), automaton):
        return None
    return useful(yes)


Table = list[tuple[Edge, ...]]


def _powerset(automaton: Automaton) -> tuple[list[frozenset[int]], Table] | None:
    """The sets of states that words lead to, 0 first, with complete deterministic edges."""
    everything = full(len(automaton.propositions))
    subsets = [frozenset((automaton.initial,))]
    numbers = {subsets[0]: 0}
    table: Table = []
    while len(table) < len(subsets):
        blocks = {frozenset[int](): everything}  # target set -> letters that lead there
        for state in subsets[len(table)]:
            for edge in automaton.edges[state]:
                split: dict[frozenset[int], int] = {}
                for target, label in blocks.items():
                    for part, to in (
                        (label & edge.label, target | {edge.target}),
                        (label & ~edge.label, target),
                    ):
                        if part:
                            split[to] = split.get(to, 0) | part
                blocks = split
        out = []
        for target, label in blocks.items():
            number = numbers.setdefault(target, len(subsets))
            if number == len(subsets):
                subsets.append(target)
            out.append(Edge(label, number))
        table.append(tuple(out))
        if len(subsets) > MOST_SUBSETS:
            return None
    return subsets, table


def _accepts_cycle(
    automaton: Automaton,
    subsets: list[frozenset[int]],
    table: Table,
    components: Components,
    component: int,
) -> bool | None:
    """Whether the word round some cycle of a component is accepted there; None without cycles."""
    start = components.members[component][0]
    cycle = _cycle(table, components, start)
    if cycle is None:
        return None
    # The automaton and the cycle, letter by letter, from the states of the first subset.
    length = len(cycle)
    pairs = []
    seen = set()
    work = [(state, 0) for state in subsets[start]]
    while work:
        state, at = work.pop()
        if (state, at) in seen:
            continue
        seen.add((state, at))
        then = (at + 1) % length
        for edge in automaton.edges[state]:
            if edge.label & cycle[at]:
                pairs.append(
                    (state * length + at, Edge(1, edge.target * length + then, edge.marks))
                )
                work.append((edge.target, then))
    return has_accepting_cycle(pairs, (1 << automaton.sets) - 1)


def _cycle(table: Table, components: Components, start: int) -> list[int] | None:
    """The letters (as labels of one) of a shortest cycle from a state back to it."""
    before: dict[int, tuple[int, int]] = {}
    work = [start]
    for state in work:
        for edge in table[state]:
            if components.of[edge.target] != components.of[start] or edge.target in before:
                continue
            before[edge.target] = state, edge.label & -edge.label
            if edge.target == start:
                letters: list[int] = []
                while True:
                    state, letter = before[start if not letters else state]
                    letters.append(letter)
                    if state == start:
                        return letters[::-1]
            work.append(edge.target)
    return None


def _colours(table: Table, components: Components, accepting: list[bool | None]) -> list[int]:
    """For each state the least colour of a maximal colouring: even where cycles accept (Löding)."""
    colours: list[int] = []
    for component, members in enumerate(components.members):
        targets = {edge.target for state in members for edge in table[state]}
        later = {components.of[target] for target in targets} - {component}
        least = min((colours[c] for c in later), default=None)
        accepts = accepting[component]
        if accepts is None:  # no cycle: any colour will do
            assert least is not None
            colours.append(least)
        elif least is None:
            colours.append(MOST_SUBSETS * 2 + (0 if accepts else 1))
        else:
            colours.append(least if (least % 2 == 0) == accepts else least - 1)
    return [colours[components.of[state]] for state in range(len(table))]


def _minimise(table: Table, colours: list[int]) -> tuple[Table, list[int]]:
    """The smallest automaton with these colours: the partition by colour, refined."""
    of = list(colours)
    count = len(set(of))
    while True:
        numbers: dict[tuple[int, tuple[tuple[int, int], ...]], int] = {}
        refined = []
        for state, out in enumerate(table):
            labels: dict[int, int] = {}
            for edge in out:
                labels[of[edge.target]] = labels.get(of[edge.target], 0) | edge.label
            key = of[state], tuple(sorted(labels.items()))
            refined.append(numbers.setdefault(key, len(numbers)))
        of = refined
        if len(numbers) == count:
            break
        count = len(numbers)
    result: Table = [()] * count
    kept = [0] * count
    for state, out in enumerate(table):
        joined: dict[int, int] = {}
        for edge in out:
            joined[of[edge.target]] = joined.get(of[edge.target], 0) | edge.label
        result[of[state]] = tuple(Edge(label, target) for target, label in joined.items())
        kept[of[state]] = colours[state]
    assert of[0] == 0
    return result, kept


def _weak(propositions: tuple[str, ...], table: Table, colours: list[int], even: bool) -> Buchi:
    accepting = frozenset(s for s, colour in enumerate(colours) if (colour % 2 == 0) == even)
    return Buchi(propositions, 0, tuple(table), accepting)
