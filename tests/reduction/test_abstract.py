"""Siegel's Figures 1 and 3 and the open question, as explicit programs with given ample sets."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from whorl.property import siegel
from whorl.property.automaton import Buchi, Edge
from whorl.property.siegel import NOT_P, P
from whorl.reduction.abstract import (
    FULL,
    REDUCED,
    V0,
    V1,
    Explicit,
    ExplicitProduct,
    Selector,
    accepts,
    c0,
    c1,
    c2,
    c3_cycles,
    c3_every_search,
    c3_some_search,
    product,
)


def automaton(edges: Mapping[int, tuple[tuple[int, int], ...]], accepting: frozenset[int]) -> Buchi:
    states = tuple(tuple(Edge(*edge) for edge in edges[s]) for s in range(len(edges)))
    return Buchi(("p",), 0, states, accepting)


def selector(program: Explicit, proper: Mapping[tuple[str, int], set[str]]) -> Selector:
    return lambda q, s: frozenset(proper.get((str(q), s), program.en(q)))


# Two states; alpha is invisible and independent of beta, which makes p true.
FIGURE_1 = Explicit("A", {"A": {"alpha": "A", "beta": "B"}, "B": {"alpha": "B"}}, {"A": 0, "B": 1})
B1, B2 = siegel.b1(), siegel.b2()
# The automaton guesses whether a block without p has odd or even length: ../shared/open-question
W, ACC, C0, C1, D0, D1, D2 = range(7)
TAIL = automaton(
    {
        W: ((NOT_P, C0), (NOT_P, D0), (P, W)),
        ACC: ((NOT_P, C0), (NOT_P, D0), (P, W)),
        C0: ((NOT_P, C1), (P, W)),
        C1: ((NOT_P, C0), (P, ACC)),
        D0: ((NOT_P, D1), (P, ACC)),
        D1: ((NOT_P, D2), (P, W)),
        D2: ((NOT_P, D1), (P, ACC)),
    },
    frozenset({ACC}),
)
BACK_AND_FORTH = Explicit(
    "A", {"A": {"a": "A", "b": "B"}, "B": {"a": "B", "g": "A"}}, {"A": 0, "B": 1}
)


def conditions_hold(program: Explicit, over: ExplicitProduct, amp: Selector) -> bool:
    states = list(over.edges)
    return not (c0(program, states, amp) or c1(program, states, amp) or c2(program, states, amp))


def test_figure_1_v0_is_unsound() -> None:
    amp = selector(FIGURE_1, {("A", 1): {"alpha"}})
    full = product(FIGURE_1, B1)
    reduced = product(FIGURE_1, B1, amp, V0)
    assert len(full.edges) == 4
    assert conditions_hold(FIGURE_1, full, amp)
    assert c3_some_search(reduced)
    assert not c3_every_search(reduced)
    assert not c3_cycles(FIGURE_1, B1, amp, V0)
    assert accepts(full, B1)
    assert not accepts(reduced, B1)


def test_figure_1_is_no_counterexample_to_v1() -> None:
    amp = selector(FIGURE_1, {("A", 1): {"alpha"}})
    assert accepts(product(FIGURE_1, B1, amp, V1), B1)


def test_figure_3_v1_is_unsound() -> None:
    amp = selector(FIGURE_1, {("A", 0): {"alpha"}, ("A", 2): {"alpha"}})
    full = product(FIGURE_1, B2)
    reduced = product(FIGURE_1, B2, amp, V1)
    assert conditions_hold(FIGURE_1, full, amp)
    assert not c3_cycles(FIGURE_1, B2, amp, V1)
    # Some searches go to A2 before A1, and those see no edge back from it; others do not.
    assert c3_some_search(reduced)
    assert c3_every_search(reduced) == [(("A", 2), ("A", 1))]
    assert accepts(full, B2)
    assert not accepts(reduced, B2)


def test_open_question_v1_is_unsound_though_every_state_is_stutter_invariant() -> None:
    amp = selector(BACK_AND_FORTH, {("A", s): {"a"} for s in (W, ACC, C0, D1)})
    full = product(BACK_AND_FORTH, TAIL)
    reduced = product(BACK_AND_FORTH, TAIL, amp, V1)
    assert len(full.edges) == 14
    assert len(reduced.edges) == 9
    assert conditions_hold(BACK_AND_FORTH, full, amp)
    assert not c3_every_search(reduced)
    assert accepts(full, TAIL)
    assert not accepts(reduced, TAIL)


@pytest.mark.parametrize("over", [FULL, REDUCED])
def test_c3_over_the_full_and_over_the_reduced_product(over: str) -> None:
    """They differ: a cycle of proper ample sets that only the full product reaches."""
    amp = selector(FIGURE_1, {("A", 1): {"alpha"}, ("A", 2): {"alpha"}})
    # B2, entered at 0, is in 1 or 2 after a letter; here 0 leads on to B alone, past both.
    beta_first = selector(FIGURE_1, {("A", 0): {"beta"}})

    def both(q: object, s: int) -> frozenset[object]:
        return beta_first(q, s) & amp(q, s)

    assert bool(c3_cycles(FIGURE_1, B2, both, V1, over)) == (over == FULL)


def test_conditions_are_told_apart() -> None:
    program = Explicit(
        "i",
        {
            "i": {"x": "x", "y": "y", "v": "v"},
            "x": {"y": "xy"},
            "y": {"x": "yx"},
            "xy": {},
            "yx": {},
            "v": {},
        },
        {"i": 0, "x": 0, "y": 0, "xy": 0, "yx": 0, "v": 1},
    )
    here = [("i", 0)]
    assert c0(program, here, lambda q, s: frozenset())
    assert not program.independent("x", "y")  # they do not commute: xy is not yx
    assert c1(program, here, lambda q, s: frozenset({"x"}))
    assert c2(program, here, lambda q, s: frozenset({"v"}))
    assert not c1(program, here, lambda q, s: program.en(q))
    assert not c2(program, here, lambda q, s: program.en(q))


def test_a_crash_commutes_with_what_does_not_prevent_it() -> None:
    crashing = {"q": {"a": "crash", "b": "r"}, "r": {"a": "crash"}, "crash": {}}
    letters = dict.fromkeys(crashing, 0)
    assert Explicit("q", crashing, letters, "crash").independent("a", "b")
    prevented = {"q": {"a": "crash", "b": "r"}, "r": {}, "crash": {}}
    assert not Explicit("q", prevented, letters, "crash").independent("a", "b")
