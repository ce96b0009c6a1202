"""`whorl lab`: its answers, its files, and what it says where something is wrong."""

from __future__ import annotations

import builtins
import xml.etree.ElementTree as ET
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from cli.conftest import Outcome
from whorl.property.hoa import read_hoa

Run = Callable[..., Outcome]

OWN = """
% V1 again, in a file of its own.
#include "c0.rules".
#include "c1.rules".
#include "c2.rules".
explored(Q,S,O,Z) :- move(Q,S,Z), ample(Q,S,O).
#edge ((Q,S),(R,Z)) : kept(Q,S), reduced(Q,S,R,Z), proper(Q,S).
"""


def test_a_counterexample(whorl: Run, tmp_path: Path) -> None:
    svg, model = tmp_path / "figure.svg", tmp_path / "figure.pml"
    found = whorl("lab", "--scheme", "v0", "--automaton", "b1", "--svg", svg, "--promela", model)
    assert found.status == 1
    assert "v0: wrong, a counterexample" in found.out
    assert "bounds: b1; programs: at most 2 operations, 2 states" in found.out
    assert ET.parse(svg).getroot().tag.endswith("svg")
    assert "never {" in model.read_text()


def test_none(whorl: Run) -> None:
    found = whorl("lab", "--scheme", "v1", "--automaton", "GFp & GF!p", "--states", "3")
    assert found.status == 0
    assert "no counterexample within the bounds" in found.out
    assert "at most 2 operations, 3 states" in found.out


def test_json(whorl: Run) -> None:
    data = whorl("lab", "--scheme", "v1", "--automaton", "b2", "--json").data
    assert data["verdict"] == "counterexample"
    assert data["instance"]["next"] == [[0, 1], [1, None]]
    assert read_hoa(data["instance"]["automaton"]).propositions == ("p",)
    assert whorl("lab", "--scheme", "state", "--json").data["instance"] is None


def test_a_file_with_an_automaton(whorl: Run, tmp_path: Path) -> None:
    hoa = whorl("property", "F G !p", "--hoa").out
    file = tmp_path / "b.hoa"
    file.write_text(hoa)
    assert whorl("lab", "--scheme", "v1", "--automaton", file).status == 0


def test_conditions_of_the_user(whorl: Run, tmp_path: Path) -> None:
    file = tmp_path / "own.rules"
    file.write_text(OWN)
    found = whorl("lab", "--conditions", file, "--automaton", "b2")
    assert found.status == 1
    assert "own.rules" in found.out
    assert whorl("lab", "--conditions", file, "--automaton", "b1").status == 0
    more = tmp_path / "more.rules"
    more.write_text("ample(Q,Z,O) :- ample(Q,S,O), property(Z).")
    assert whorl("lab", "--scheme", "v1", "--conditions", more, "--automaton", "b2").status == 0


def test_a_mistake_in_the_conditions(whorl: Run, tmp_path: Path) -> None:
    file = tmp_path / "own.rules"
    file.write_text(":- enable(Q,O).")
    found = whorl("lab", "--conditions", file)
    assert found.status == 2
    assert "own.rules:1:4: error: nothing says what 'enable' is" in found.err
    assert "did you mean 'enabled'?" in found.err
    file.write_text("bad(Q) :- state(Q).")
    assert "explored" in whorl("lab", "--conditions", file).err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "nothing is asked"),
        (("--scheme", "v2"), "there is no scheme 'v2'"),
        (("--scheme", "static", "--cycles", "full"), "has no cycle condition on product states"),
        (("--scheme", "v1", "--without", "c4"), "the scheme has no condition 'c4'"),
        (("--scheme", "v1", "--operations", "0"), "'0' is not a number from 1 to 100"),
    ],
)
def test_mistakes(whorl: Run, words: tuple[str, ...], message: str) -> None:
    found = whorl("lab", *words)
    assert found.status == 2
    assert message in found.err


def test_a_condition_less(whorl: Run) -> None:
    assert whorl("lab", "--scheme", "state", "--automaton", "b3").status == 0
    found = whorl("lab", "--scheme", "state", "--without", "cycles-reduced", "--automaton", "b3")
    assert found.status == 1


def test_a_language_that_is_not_stutter_invariant(whorl: Run) -> None:
    found = whorl("lab", "--scheme", "state", "--automaton", "X p")
    assert "not stutter-invariant" in found.err


def test_classes(whorl: Run) -> None:
    words = ("--automaton", "si-normal-form", "--automaton-states", "3", "--letters", "2")
    found = whorl("lab", "--scheme", "v1", *words)
    assert found.status == 0
    assert "automata: " in found.out
    found = whorl(
        "lab", "--scheme", "v0", "--automaton", "all-states-si", "--automaton-states", "2"
    )
    assert found.status == 1


@pytest.mark.slow
def test_two_phase(whorl: Run) -> None:
    found = whorl("lab", "--two-phase", "--markdown")
    lines = found.out.splitlines()
    assert lines[1] == "|---|---|---|---|---|---|---|---|---|"
    wrong = [line for line in lines if "counterexample" in line]
    assert len(wrong) == 2
    assert all("| literal | all | on the fly | b2 |" in line for line in wrong)


@pytest.mark.slow
def test_gathering(whorl: Run) -> None:
    found = whorl("lab", "--gathering", "--markdown")
    assert found.status == 0
    lines = found.out.splitlines()
    assert len([line for line in lines if line.startswith("| right |") and "| none |" in line]) == 5
    assert not [line for line in lines[2:] if "| right |" not in line and "| none |" in line]


def test_without_a_solver(whorl: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def missing(
        name: str,
        globals: Mapping[str, Any] | None = None,
        locals: Mapping[str, Any] | None = None,
        fromlist: Sequence[str] = (),
        level: int = 0,
    ) -> Any:
        if name.startswith("pysat"):
            raise ImportError(name)
        return real(name, globals, locals, fromlist, level)

    monkeypatch.setattr(builtins, "__import__", missing)
    found = whorl("lab", "--scheme", "v0")
    assert found.status == 2
    assert "pip install 'whorl[lab]'" in found.err


def test_the_default_scheme(whorl: Run) -> None:
    assert whorl("lab", "--scheme", "two-phase-ample", "--states", "3").status == 0
    safe = whorl("lab", "--scheme", "two-phase-ample-safety", "--states", "3")
    assert safe.status == 0
    assert "no automaton; programs: at most 2 operations, 3 states" in safe.out
    wrong = whorl("lab", "--scheme", "two-phase-ample-safety-no-proviso")
    assert wrong.status == 1
    assert "never executed: b" in wrong.out
    refused = whorl("lab", "--scheme", "two-phase-ample-safety", "--automaton", "b1")
    assert refused.status == 2
    assert "leave --automaton out" in refused.err


def test_a_mutation_is_drawn_and_told(whorl: Run, tmp_path: Path) -> None:
    svg = tmp_path / "wrong.svg"
    bounds = ("--operations", "3", "--states", "4")
    found = whorl("lab", "--scheme", "two-phase-ample-sticky-walks", *bounds, "--svg", svg)
    assert found.status == 1
    assert "phase 1" in found.out
    assert "sticky: b c" in found.out
    assert ET.parse(svg).getroot().tag.endswith("svg")
