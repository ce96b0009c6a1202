"""Labels: sums of products are exact and irredundant, and their texts say the same."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from whorl.language.formula import Formula, Op, atom
from whorl.property.automaton import full, literal
from whorl.property.letters import (
    classes,
    cubes,
    display_label,
    hoa_label,
    moved,
    of_cubes,
    of_formula,
    promela_label,
)

tables = st.integers(0, 4).flatmap(
    lambda n: st.tuples(st.integers(0, full(n)), st.just(n))
)  # fmt: skip


@given(tables)
def test_the_cubes_cover_the_label_and_none_can_go(table: tuple[int, int]) -> None:
    label, n = table
    found = cubes(label, n)
    assert of_cubes(found, n) == label
    for i, cube in enumerate(found):
        others = found[:i] + found[i + 1 :]
        assert of_cubes(others, n) != label
        for j in range(len(cube)):
            shorter = cube[:j] + cube[j + 1 :]
            assert of_cubes([*others, shorter], n) != label


@given(tables)
def test_the_text_evaluates_to_the_label(table: tuple[int, int]) -> None:
    label, n = table
    names = [f"x{i}" for i in range(n)]
    text = promela_label(label, names)
    python = text.replace("&&", "and").replace("||", "or").replace("!", "not ")
    python = python.replace("true", "True").replace("false", "False")
    for letter in range(1 << n):
        values = {name: bool(letter >> i & 1) for i, name in enumerate(names)}
        assert bool(eval(python, values)) == bool(label >> letter & 1)


@given(tables, st.permutations(range(5)))
def test_moving_propositions(table: tuple[int, int], places: list[int]) -> None:
    label, n = table
    wide = moved(label, places[:n], 5)
    for letter in range(32):
        old = sum((letter >> places[i] & 1) << i for i in range(n))
        assert wide >> letter & 1 == label >> old & 1


@given(st.lists(st.integers(0, full(3)), max_size=4))
def test_classes_are_a_partition_that_no_label_divides(labels: list[int]) -> None:
    parts = classes(labels, 3)
    assert sum(parts) == full(3)
    assert all(part & label in (0, part) for part in parts for label in labels)
    signatures = {tuple(bool(part & label) for label in labels) for part in parts}
    assert len(signatures) == len(parts)


def test_texts() -> None:
    p, q = literal(0, 2), literal(1, 2)
    both = p & q
    assert hoa_label(both, 2) == "0&1"
    assert hoa_label(full(2), 2) == "t"
    assert hoa_label(0, 2) == "f"
    assert hoa_label(full(2) & ~both, 2) == "!0 | !1"
    assert promela_label(both, ["p", "x > 1"]) == "p && (x > 1)"
    assert promela_label(full(2) & ~(p ^ q), ["p", "q"]) == "(p && q) || (!p && !q)"
    assert display_label(full(2) & ~p, ["x==1", "q"]) == "!(x==1)"
    assert display_label(full(0), []) == "true"


def test_formulas_as_labels() -> None:
    p, q = atom("p"), atom("q")
    assert of_formula(p & ~q, ("p", "q")) == 0b0010
    assert of_formula(Formula(Op.IMPLIES, (p, q)), ("p", "q")) == 0b1101
    assert of_formula(Formula(Op.IFF, (p, q)), ("p", "q")) == 0b1001


def test_twenty_propositions() -> None:
    label = literal(0, 20) & literal(19, 20) | literal(7, 20)
    assert cubes(label, 20) == [((7, True),), ((0, True), (19, True))]
