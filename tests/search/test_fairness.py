"""Weak fairness: the copies find what there is by the definition, component by component."""

from __future__ import annotations

import pytest

import whorl
from support.cycle_models import CLAIMS, LABELS, PROGRESS
from support.cycles import claim_of, search
from whorl.engines import reference_semantics
from whorl.property.claim import Claim
from whorl.property.components import components
from whorl.property.labels import non_progress
from whorl.search.exploration import Options
from whorl.search.product import Node, Product
from whorl.search.watch import Watch


def is_violated(model: str, claim: Claim) -> bool:
    """Whether there is a fair cycle, or an error.

    There is a fair cycle in a component if it has an accepting node and, for every process, a node
    where the process is not enabled, or an edge within it by which it moves.
    """
    semantics = reference_semantics(whorl.load(model).program)
    product = Product(semantics, claim, Watch(Options()))

    def successors(node: Node) -> list[Node]:
        return list(product.successors(node, ()))

    for component in components(product.initial(), successors):
        inside = set(component)
        if any(map(product.is_error, component)):
            return True
        edges = [(s, move) for s in component for t, move in product.edges(s) if t in inside]
        if not edges or not any(map(product.is_accepting, component)):
            continue
        everyone = range(max(len(node.state.processes) for node in component))
        if all(
            any(
                move is None or pid in move.movers or pid not in product.expand(node.state).enabled
                for node, move in edges
            )
            for pid in everyone
        ):
            return True
    return False


@pytest.mark.parametrize("name", sorted({**CLAIMS, **LABELS}))
def test_acceptance(name: str) -> None:
    model = {**CLAIMS, **LABELS}[name]
    found, _ = search(model, fair=True)
    assert bool(found.violations) == is_violated(model, claim_of(whorl.load(model).program))


@pytest.mark.parametrize("name", sorted(PROGRESS))
def test_non_progress(name: str) -> None:
    found, _ = search(PROGRESS[name], fair=True, non_progress_cycles=True)
    assert bool(found.violations) == is_violated(PROGRESS[name], non_progress())


def test_a_shared_step_may_be_taken_by_either() -> None:
    """The same state is reached by two processes; the fair cycle needs the moves of both."""
    model = """
        bit x; active [2] proctype P() { do :: x = 1 - x od }
        never { accept: do :: true od }"""
    found, (trace,) = search(model, fair=True)
    loop = found.violations[0].loop
    assert {choice.pid for choice in trace.choices[loop:]} == {0, 1}


@pytest.mark.parametrize(
    ("model", "verdict"),
    [
        pytest.param(
            "active proctype A() { do :: y = 1 - y od } active proctype B() { x = 1 }",
            "holds",
            id="the last process can always move",
        ),
        pytest.param(
            "active proctype B() { x = 1 } active proctype A() { do :: y = 1 - y od }",
            "holds",
            id="the first process can always move",
        ),
        pytest.param(
            "active proctype A() { do :: y = 1 - y od } active proctype B() { y == 1; x = 1 }",
            "violated",
            id="it can move now and then",
        ),
        pytest.param(
            "active proctype A() { do :: y = 1 - y od } active proctype B() { y == 2; x = 1 }",
            "violated",
            id="it can never move",
        ),
        pytest.param(
            "active proctype S() { do :: c!1 od } active proctype R() { do :: c?_ :: x = 1 od }",
            "violated",
            id="it moves by receiving",
        ),
        pytest.param(
            "active proctype S() { do :: c!1 od } active proctype R() { do :: c?_ od }"
            " active proctype T() { x = 1 }",
            "holds",
            id="two shake hands beside it",
        ),
        pytest.param(
            "active proctype A() { do :: atomic { y = 1; y = 0 } od }"
            " active proctype B() { x = 1 }",
            "holds",
            id="an atomic sequence beside it",
        ),
    ],
)
def test_by_hand(model: str, verdict: str) -> None:
    """Whether x is 1 at some time in every fair run."""
    text = f"chan c = [0] of {{ bit }}; byte x, y; {model}"
    assert whorl.check(text, ltl="<> (x == 1)", fair=True, engine="reference").verdict == verdict
