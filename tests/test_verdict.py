"""The figures of several searches together. (test_api.py has the verdict on several properties.)"""

from __future__ import annotations

from dataclasses import replace

from whorl.verdict import Result, Statistics, together

ONE = Statistics(10, 20, 5, 1.0, 1000, True, 300)
OTHER = Statistics(1, 2, 7, 0.5, 400, False)


def test_figures_together() -> None:
    assert together((ONE, OTHER)) == Statistics(11, 22, 7, 1.5, 1000, False, 300)
    assert together((ONE, ONE)).complete
    assert together((OTHER,)) == OTHER
    lists = [replace(ONE, largest_list=3), OTHER, replace(ONE, largest_list=5)]
    assert together(tuple(lists)).largest_list == 5
    assert together(()) == Statistics(0, 0, 0, 0, 0, True, None)


def test_a_result_without_a_counterexample() -> None:
    result = Result("holds", (), ONE, "native", "none")
    assert result.trace is None
    assert result.exit_code == 0
    assert Result("inconclusive", (), ONE, "native", "none").exit_code == 3
