"""Labels written down: a truth table as a sum of products, and the texts that are made of it.

A cube is a conjunction of literals, a pair of the proposition's index and its sign for each. A
label's sum of products is irredundant: no cube and no literal can be left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from whorl.language.formula import Formula, Op
from whorl.property.automaton import Buchi, full, literal

Cube = tuple[tuple[int, bool], ...]


def cubes(label: int, propositions: int) -> list[Cube]:
    """An irredundant sum of products of a label (Minato and Morreale), cubes in a fixed order."""
    products, cover = _between(label, label, propositions)
    assert cover == label
    return sorted(products, key=lambda cube: (len(cube), [(i, not sign) for i, sign in cube]))


def _between(lower: int, upper: int, propositions: int) -> tuple[list[Cube], int]:
    """Cubes of a function that is implied by `lower` and implies `upper`, and that function."""
    if lower == 0:
        return [], 0
    if upper == full(propositions):
        return [()], upper
    top = propositions - 1  # the highest proposition divides a table into its two halves
    half = 1 << top
    ones = full(top)
    lower0, lower1 = lower & ones, lower >> half
    upper0, upper1 = upper & ones, upper >> half
    if lower0 == lower1 and upper0 == upper1:
        products, cover = _between(lower0, upper0, top)
        return products, cover | cover << half
    false, cover0 = _between(lower0 & ~upper1, upper0, top)
    true, cover1 = _between(lower1 & ~upper0, upper1, top)
    either, cover = _between(lower0 & ~cover0 | lower1 & ~cover1, upper0 & upper1, top)
    products = [(*c, (top, False)) for c in false] + [(*c, (top, True)) for c in true] + either
    return products, (cover0 | cover) | (cover1 | cover) << half


def of_cubes(sum_of_products: Iterable[Cube], propositions: int) -> int:
    """The label of a sum of products."""
    everything = full(propositions)
    label = 0
    for cube in sum_of_products:
        product = everything
        for index, sign in cube:
            table = literal(index, propositions)
            product &= table if sign else everything & ~table
        label |= product
    return label


def of_formula(formula: Formula, propositions: Sequence[str]) -> int:
    """The label of a Boolean formula."""
    everything = full(len(propositions))
    args = [of_formula(argument, propositions) for argument in formula.args]
    match formula.op:
        case Op.TRUE:
            return everything
        case Op.FALSE:
            return 0
        case Op.ATOM:
            return literal(propositions.index(formula.name), len(propositions))
        case Op.NOT:
            return everything & ~args[0]
        case Op.AND:
            label = everything
            for table in args:
                label &= table
            return label
        case Op.OR:
            label = 0
            for table in args:
                label |= table
            return label
        case Op.IMPLIES:
            return everything & ~args[0] | args[1]
        case Op.IFF:
            return everything & ~(args[0] ^ args[1])
    raise AssertionError(f"{formula} is not Boolean")


def moved(label: int, places: Sequence[int], propositions: int) -> int:
    """The label when proposition i becomes number `places[i]` of `propositions`."""
    if len(places) == propositions and all(i == place for i, place in enumerate(places)):
        return label
    old = cubes(label, len(places))
    return of_cubes([tuple((places[i], s) for i, s in cube) for cube in old], propositions)


def classes(labels: Iterable[int], propositions: int) -> list[int]:
    """The coarsest partition of the letters such that no label divides a part.

    Letters of one part are the same to an automaton with these labels.
    """
    parts = [full(propositions)]
    for label in dict.fromkeys(labels):
        parts = [piece for part in parts for piece in (part & label, part & ~label) if piece]
    return parts


def tells_apart(buchi: Buchi, most: int = 64) -> tuple[int, ...]:
    """Labels by which an automaton tells letters apart, at most so many: those of its edges.

    Where they are more, those of the propositions, which tell all letters apart.
    """
    labels = tuple(dict.fromkeys(edge.label for out in buchi.edges for edge in out))
    if len(labels) <= most:
        return labels
    count = len(buchi.propositions)
    return tuple(literal(index, count) for index in range(count))


def first_letter(label: int) -> int:
    """The least letter of a label."""
    return (label & -label).bit_length() - 1


# --- text ----------------------------------------------------------------------------------------


def hoa_label(label: int, propositions: int) -> str:
    """A label as HOA files have it, by the numbers of the propositions: `0&!1 | 2`."""
    return _text(label, propositions, str, ("&", " | ", "t", "f"))


def promela_label(label: int, propositions: Sequence[str]) -> str:
    """A label as a Promela expression: `(p && !q) || r`."""
    names = [atom_text(name) for name in propositions]
    spelling = (" && ", " || ", "true", "false")
    return _text(label, len(names), lambda i: names[i], spelling, grouped=True)


def display_label(label: int, propositions: Sequence[str]) -> str:
    """A label for a reader: `p & !q | r`."""
    names = [atom_text(name) for name in propositions]
    return _text(label, len(names), lambda i: names[i], (" & ", " | ", "true", "false"))


def atom_text(name: str) -> str:
    """A proposition where it is an operand: in parentheses unless it is a name."""
    return name if name.isidentifier() else f"({name})"


def _text(
    label: int,
    propositions: int,
    name: Callable[[int], str],
    spelling: tuple[str, str, str, str],
    grouped: bool = False,
) -> str:
    also, either, true, false = spelling
    sum_of_products = cubes(label, propositions)
    products = []
    for cube in sum_of_products:
        product = also.join(("" if sign else "!") + name(i) for i, sign in cube) or true
        several = grouped and len(cube) > 1 and len(sum_of_products) > 1
        products.append(f"({product})" if several else product)
    return either.join(products) or false
