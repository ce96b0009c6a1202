"""The conditions on ample selectors, on the instances of the papers and near misses."""

from __future__ import annotations

from dataclasses import replace

from lab.instances import FIGURE_1_PROGRAM, ample, figure_1, figure_3, open_question
from whorl.lab.definitions import (
    SelectsBy,
    accepting_lasso,
    by_program_state,
    c0,
    c1,
    c2,
    c3,
    full_product,
    independent,
    invisible,
    reduced_product,
    weak_c3,
)
from whorl.lab.instance import FiniteProgram, Instance
from whorl.property.siegel import b1, b3
from whorl.property.stutter import all_states_stutter_invariant
from whorl.reduction.abstract import FULL, REDUCED

V0, V1 = SelectsBy.INTERMEDIATE, SelectsBy.SOURCE


def is_wrong(instance: Instance, selection: SelectsBy) -> bool:
    reduced = reduced_product(instance, selection)
    return (
        accepting_lasso(instance, full_product(instance)) is not None
        and accepting_lasso(instance, reduced) is None
    )


def conditions_hold(instance: Instance, selection: SelectsBy) -> bool:
    broken = [c0(instance), c1(instance), c2(instance), weak_c3(instance, selection, FULL)]
    return broken == [None] * 4


def test_figure_1_is_a_counterexample_to_v0_in_every_search() -> None:
    instance = figure_1()
    assert conditions_hold(instance, V0)
    assert c3(instance, V0, every=True) is None
    assert is_wrong(instance, V0)
    assert len(full_product(instance)) == 4
    assert len(reduced_product(instance, V0)) == 3


def test_figure_1_is_none_to_v1() -> None:
    assert not is_wrong(figure_1(), V1)


def test_figure_3_is_a_counterexample_to_v1_in_some_search() -> None:
    instance = figure_3()
    assert conditions_hold(instance, V1)
    assert c3(instance, V1) is None
    assert c3(instance, V1, every=True) is not None
    assert is_wrong(instance, V1)


def test_the_open_question() -> None:
    instance = open_question()
    assert conditions_hold(instance, V1)
    assert c3(instance, V1, every=True) is None
    assert is_wrong(instance, V1)
    assert len(full_product(instance)) == 14
    assert len(reduced_product(instance, V1)) == 9
    assert all_states_stutter_invariant(instance.automaton)


def test_operations() -> None:
    assert independent(FIGURE_1_PROGRAM, 0, 1)
    assert not independent(FIGURE_1_PROGRAM, 0, 0)
    assert invisible(FIGURE_1_PROGRAM, 0)
    assert not invisible(FIGURE_1_PROGRAM, 1)
    disables = FiniteProgram((0, 0), ((0, 1), (None, None)))
    assert not independent(disables, 0, 1)
    different = FiniteProgram((0, 0, 0, 0), ((1, 2), (None, 3), (2, None), (None, None)))
    assert not independent(different, 0, 1)


def test_an_empty_ample_set_breaks_c0() -> None:
    assert c0(replace(figure_1(), ample=ample(("", "a"), ("a", "a")))) == "C0: amp(A,0) is empty"


def test_a_dependent_operation_that_comes_later_breaks_c1() -> None:
    # b leads from A to B, where c is enabled, which disables a
    program = FiniteProgram((0, 0, 0), ((0, 1, None), (1, None, 2), (None, None, None)))
    rows = ample(("a", "a"), ("ac", "ac"), ("", ""))
    reason = c1(Instance(program, b1(), rows))
    assert reason == "C1: from A, c can happen before amp(A,0), and depends on its a"
    fewer = FiniteProgram((0, 0, 0), ((0, 1, None), (1, None, None), (None, None, None)))
    assert c1(Instance(fewer, b1(), ample(("a", "a"), ("a", "a"), ("", "")))) is None


def test_a_visible_operation_in_a_proper_set_breaks_c2() -> None:
    reason = c2(replace(figure_1(), ample=ample(("ab", "b"), ("a", "a"))))
    assert reason == "C2: amp(A,1) is proper and b is visible"


def test_a_loop_that_defers_for_ever_breaks_c3() -> None:
    ignoring = Instance(FIGURE_1_PROGRAM, b3(), ample(("a", "a"), ("a", "a")))
    assert weak_c3(ignoring, V1, REDUCED) is not None
    assert c3(ignoring, V1) is not None
    assert c3(ignoring, V0) is not None


def test_the_two_forms_of_c3_prime_differ() -> None:
    """A cycle of deferring steps that only the full product reaches (design.md, fact 7)."""
    # c leads from A to B, where a loops and b would lead on; but amp(A) has a alone
    program = FiniteProgram((0, 0, 0), ((2, 1), (1, 2), (None, None)))
    instance = Instance(program, b3(), ample(("a", "a"), ("a", "a"), ("", "")))
    assert (1, 0) in full_product(instance)
    assert (1, 0) not in reduced_product(instance, V1)
    assert weak_c3(instance, V1, FULL) is not None
    assert weak_c3(instance, V1, REDUCED) is None
    assert c3(instance, V1, every=True) is None


def test_by_program_state() -> None:
    assert by_program_state(figure_1()) == "the ample set of A depends on the automaton"
    same = replace(figure_1(), ample=ample(("a", "a"), ("a", "a")))
    assert by_program_state(same) is None
