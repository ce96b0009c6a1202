"""Siegel's counterexamples as Promela: what each scheme says, and what Spin says."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from support.reduction import LOOKING, NONE, SOUND, proposition_p, violated
from support.siegel import FIGURE_2, PROCESSES
from whorl.api import load
from whorl.engines import reference_semantics
from whorl.property import siegel
from whorl.property.automaton import Buchi, Edge
from whorl.property.claim import Claim
from whorl.property.from_never import from_never
from whorl.property.normal_form import si_normal_form
from whorl.reduction.schemes import Reduction, facts_of, soundness

BACK_AND_FORTH = """
bit p = 0;
active proctype p0() { do :: p=1; p=0 od }
active proctype p1() { bit x=0; do :: x=0 od }
"""


def claim(model: str, automaton: Buchi) -> Claim:
    return Claim("c", "ltl", automaton, (proposition_p(load(model).program),))


def finds(model: str, automaton: Buchi, reduction: Reduction) -> bool:
    return violated(reference_semantics(load(model).program), claim(model, automaton), reduction)[0]


def backwards(automaton: Buchi) -> Buchi:
    """The same automaton, whose edges are looked at in the opposite order."""
    edges = tuple(tuple(reversed(out)) for out in automaton.edges)
    return Buchi(automaton.propositions, automaton.initial, edges, automaton.accepting)


def open_question() -> Buchi:
    """Every state's language is GF p & GF !p; the automaton guesses the parity of !p blocks."""
    w, acc, c0, c1, d0, d1, d2 = range(7)
    without = {w: (c0, d0), acc: (c0, d0), c0: (c1,), c1: (c0,), d0: (d1,), d1: (d2,), d2: (d1,)}
    having = {w: w, acc: w, c0: w, c1: acc, d0: acc, d1: w, d2: acc}
    edges = tuple(
        (*(Edge(siegel.NOT_P, t) for t in without[s]), Edge(siegel.P, having[s])) for s in range(7)
    )
    return Buchi(("p",), w, edges, frozenset([acc]))


@pytest.mark.parametrize("reduction", [NONE, *SOUND, *LOOKING], ids=str)
def test_figure_2(reduction: Reduction) -> None:
    program = load(FIGURE_2).program
    never = from_never(program, program.never[0])
    found, states = violated(reference_semantics(program), never, reduction)
    assert found == (reduction.scheme != "v0")
    if reduction.scheme == "v0":
        assert states == 3  # A0, A1 and B0: not B1
        assert not soundness("v0", facts_of(never)).sound


@pytest.mark.spin
def test_figure_2_in_spin(tmp_path: Path) -> None:
    """Spin misses the violation, with its reduction on."""
    (tmp_path / "model.pml").write_text(FIGURE_2)
    subprocess.run(["spin", "-a", "model.pml"], cwd=tmp_path, check=True, capture_output=True)
    errors = {}
    for option in ("-DREDUCE", "-DNOREDUCE"):
        subprocess.run(["cc", "-w", option, "-o", "pan", "pan.c"], cwd=tmp_path, check=True)
        ran = subprocess.run(["./pan", "-a"], cwd=tmp_path, capture_output=True, text=True)
        errors[option] = "errors: 1" in ran.stdout
    assert errors == {"-DREDUCE": False, "-DNOREDUCE": True}


def test_figure_3_depends_on_the_order_of_the_search() -> None:
    """V1 misses it in the order of the paper: A2 before A1."""
    assert finds(PROCESSES, siegel.b2(), Reduction("v1"))
    assert not finds(PROCESSES, backwards(siegel.b2()), Reduction("v1"))
    assert not soundness("v1", facts_of(claim(PROCESSES, siegel.b2()))).sound
    for automaton in (siegel.b2(), backwards(siegel.b2())):
        for reduction in (NONE, *SOUND, Reduction("si")):
            assert finds(PROCESSES, automaton, reduction), reduction


@pytest.mark.parametrize("automaton", [open_question(), backwards(open_question())])
def test_open_question(automaton: Buchi) -> None:
    assert not finds(BACK_AND_FORTH, automaton, Reduction("v1"))
    assert not soundness("v1", facts_of(claim(BACK_AND_FORTH, automaton))).sound
    for reduction in (NONE, *SOUND, Reduction("si")):
        assert finds(BACK_AND_FORTH, automaton, reduction), reduction


@pytest.mark.parametrize("automaton", [siegel.b1(), siegel.b2(), open_question()])
@pytest.mark.parametrize("scheme", ["v0", "v1"])
def test_si_normal_form_makes_both_sound(automaton: Buchi, scheme: str) -> None:
    model = BACK_AND_FORTH if len(automaton.edges) == 7 else PROCESSES
    normal = si_normal_form(automaton)
    assert soundness(scheme, facts_of(claim(model, normal))).sound
    assert finds(model, normal, Reduction(scheme))


def test_what_is_refused() -> None:
    counts_steps = Buchi(("p",), 0, ((Edge(siegel.P, 1),), (Edge(siegel.P, 0),)), frozenset([0]))
    odd = Buchi(
        ("p",),
        0,
        ((Edge(siegel.P, 1),), (Edge(siegel.NOT_P, 2),), (Edge(siegel.ANY, 2),)),
        frozenset([2]),
    )
    assert facts_of(claim(PROCESSES, counts_steps)).stutter_invariant  # p for ever
    facts = facts_of(claim(PROCESSES, odd))
    assert not facts.stutter_invariant
    for scheme in ("v0", "v1", "si", "dfs_po", "static", "two-phase"):
        assert not soundness(scheme, facts).sound
        assert "stutter" in soundness(scheme, facts).reason
    assert soundness("auto", facts).sound  # it reduces nothing then
