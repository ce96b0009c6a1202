"""Cycles against Spin: never claims, accept labels, progress labels, with fairness and without.

Every search must give the verdict of `pan -a` (or `-l`), and of the same with `-f`; and every run
that it finds is replayed. Where there is nothing to be found, and no run stops, the product has as
many states as pan stores.
"""

from __future__ import annotations

import pytest

import whorl
from support.cycle_models import CLAIMS, LABELS, PROGRESS
from support.cycles import algorithms, search
from support.spin import SpinResult, cycle_searches


def compare(model: str, non_progress: bool) -> None:
    for fair, spin in zip(
        (False, True), cycle_searches(model, non_progress=non_progress), strict=True
    ):
        assert spin.complete
        for algorithm in algorithms(non_progress, fair):
            found, _ = search(
                model, non_progress_cycles=non_progress, fair=fair, algorithm=algorithm
            )
            assert found.stopped is None
            what = f"{algorithm}{' fair' if fair else ''}: {found.violations} {spin.violations}"
            assert bool(found.violations) == bool(errors(spin, fair)), what


def errors(spin: SpinResult, fair: bool) -> frozenset[str]:
    """What pan found. With `-f` it may also say "accept stutter" of an end that is not accepting."""
    stale = {"accept stutter"} if fair and len(spin.violations) > 1 else set()
    return spin.violations - stale


@pytest.mark.spin
@pytest.mark.parametrize("name", sorted(CLAIMS))
def test_claim(name: str) -> None:
    compare(CLAIMS[name], non_progress=False)


@pytest.mark.spin
@pytest.mark.parametrize("name", sorted(LABELS))
def test_accept_labels(name: str) -> None:
    compare(LABELS[name], non_progress=False)


@pytest.mark.spin
@pytest.mark.parametrize("name", sorted(PROGRESS))
def test_progress_labels(name: str) -> None:
    compare(PROGRESS[name], non_progress=True)


# Models on which nothing is found and no run stops, so that everything is counted alike.
COUNTED = [
    "response, holds",
    "an atomic assertion that holds",
    "an atomic sequence that blocks was not begun",
    "the end is not reached",
    "the claim does not look into an atomic sequence",
    "the claim does not look into a d_step",
    "a handshake between atomic sequences",
    "timeout in both, never",
    "a claim that cannot follow",
]


@pytest.mark.spin
@pytest.mark.parametrize("name", COUNTED)
def test_as_many_states_as_pan_stores(name: str) -> None:
    spin, _ = cycle_searches(CLAIMS[name])
    for algorithm in algorithms(False, False):
        found, _ = search(CLAIMS[name], algorithm=algorithm)
        assert not found.violations
        assert found.progress.states == spin.states


# Where pan and whorl differ, as docs/explanation/product.md says: whether each finds something.
DIFFERENT = {
    "fair: accepting only while the run stutters": (True, True, False, """
        byte x; active proctype P() { x = 1; x = 2 }
        never { T: do :: x == 2 -> goto S1 :: true od; S1: x == 2; S2: x == 2; accept_S: x == 2; goto S1 }"""),
    "fair: a process whose provided clause is false": (True, True, False, """
        byte x, y; active proctype Q() provided (x > 1) { y = 1 }
        active proctype P() { do :: y == 0 -> x = 1 - x; accept: x = x od }"""),
    "an accept label on the last step of an atomic sequence": (False, False, True, """
        byte x; active proctype P() { do :: atomic { x = 1; accept: x = 0 } od }"""),
    "fair: a stopped run that is not accepting": (True, False, True, """
        chan c = [1] of { byte }; bit x, y; active proctype R() { c?_ }
        active proctype P() { do :: y == 0 -> accept: x = 1 - x od }
        active proctype Q() { c!1; y = 1 }"""),
    "timeout in the claim alone": (False, True, False, """
        byte x; active proctype P() { do :: x < 2 -> x++ od }
        never { do :: timeout -> break :: true od }"""),
    "timeout is the claim's only way": (False, False, True, """
        byte x; active proctype P() { do :: x < 2 -> x++ :: x > 1 -> x = 0 :: timeout -> x = 7 od }
        never { timeout }"""),
    "_nr_pr counts the claim": (False, True, False, """
        byte x; active proctype P() { x = _nr_pr; x == 9 }
        never { do :: true :: x == 1 -> break od }"""),
}  # fmt: skip


@pytest.mark.spin
@pytest.mark.parametrize("name", sorted(DIFFERENT))
def test_known_difference(name: str) -> None:
    fair, ours, theirs, model = DIFFERENT[name]
    assert bool(cycle_searches(model)[fair].violations) == theirs
    for algorithm in algorithms(False, fair):
        assert bool(search(model, fair=fair, algorithm=algorithm)[0].violations) == ours


@pytest.mark.spin
def test_accept_labels_beside_a_formula() -> None:
    """pan counts them, and finds fault with a formula that holds."""
    model = """
        byte x; active proctype P() { do :: x = 1; accept: x = 0 od }
        ltl p { [] (x < 2) }"""
    assert cycle_searches(model)[0].violations == {"acceptance cycle"}
    for engine in ("reference", "native"):
        assert whorl.check(model, claim="p", engine=engine).verdict == "holds"
        assert whorl.check(model, acceptance=True, engine=engine).verdict == "violated"
