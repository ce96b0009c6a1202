"""Whether two automata have a word in common.

With an automaton of the negation of a formula this decides whether an automaton accepts a word that
the formula does not want; it is what the steps that may change a language are checked with.
"""

from __future__ import annotations

from whorl.property.automaton import Automaton
from whorl.property.effort import Work
from whorl.property.pruning import numbered


def have_common_word(left: Automaton, right: Automaton, work: Work | None = None) -> bool:
    """Whether some word is accepted by both (over the same propositions)."""
    assert left.propositions == right.propositions
    width = len(right.edges)
    start = left.initial * width + right.initial
    product: dict[int, list[tuple[int, int]]] = {}  # of a pair: the target and marks of each edge
    to_do = [start]
    while to_do:
        pair = to_do.pop()
        if pair in product:
            continue
        out = []
        p, q = divmod(pair, width)
        if work is not None:
            work.spend(len(left.edges[p]) * len(right.edges[q]) + 1, len(left.propositions))
        for one in left.edges[p]:
            label = one.label
            row = one.target * width
            marks = one.marks << right.sets
            for other in right.edges[q]:
                if label & other.label:
                    out.append((row + other.target, marks | other.marks))
        product[pair] = out
        to_do.extend(target for target, _ in out if target not in product)
    numbers = {pair: number for number, pair in enumerate(product)}
    targets = [[numbers[target] for target, _ in out] for out in product.values()]
    components = numbered(len(numbers), (0,), targets.__getitem__)
    wanted = (1 << left.sets + right.sets) - 1
    marks_of = [-1] * len(components.members)  # -1: no edge inside
    for number, out in enumerate(product.values()):
        component = components.of[number]
        for target, (_, marks) in zip(targets[number], out, strict=True):
            if components.of[target] == component:
                seen = marks_of[component]
                marks_of[component] = marks if seen < 0 else seen | marks
    return wanted in marks_of
