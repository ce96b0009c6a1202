"""`whorl property`: what it says, and what it says where something is wrong."""

from __future__ import annotations

import io
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.conftest import Outcome
from whorl.property.complement import difference
from whorl.property.hoa import read_hoa
from whorl.property.hoa_writer import hoa_text
from whorl.property.never import read_never
from whorl.property.siegel import b3, b4
from whorl.property.state_based import as_buchi

Run = Callable[..., Outcome]
Write = Callable[..., Path]


def test_a_formula(whorl: Run) -> None:
    found = whorl("property", "[] (p -> <> q)")
    assert found.status == 0
    lines = dict(line.split("  ", 1) for line in found.out.splitlines())
    assert lines["formula"].strip() == "G(p -> F q)"
    assert lines["automaton"].strip() == "2 states (1 accepting), 4 edges"
    assert lines["deterministic"].strip() == "yes"
    assert lines["stutter-invariant"].strip() == "yes, it has no X"


def test_a_formula_that_is_not_stutter_invariant(whorl: Run) -> None:
    found = whorl("property", "G(p -> X q)")
    assert "stutter-invariant   no\n  has the word" in found.out
    assert "but not" in found.out


def test_x_may_be_harmless(whorl: Run) -> None:
    found = whorl("property", "--json", "p & X !p | p & X p")
    assert found.data["stutter_invariant"] is True
    assert found.data["witness"] is None


def test_json(whorl: Run) -> None:
    data = whorl("property", "--json", "X p").data
    assert data["kind"] == "formula"
    assert data["property"] == "X p"
    assert data["propositions"] == ["p"]
    assert (data["states"], data["edges"]) == (3, 3)
    assert data["deterministic"] is True
    assert data["stutter_invariant"] is False
    assert data["empty"] is False
    assert set(data["witness"]) == {"accepted", "refused"}
    assert data["witness"]["accepted"]["cycle"]
    assert "hoa" not in data


def test_hoa_in_and_out(whorl: Run, write: Write) -> None:
    path = write(hoa_text(b3()), "b3.hoa")
    assert whorl("property", path, "--json").data["states"] == 2
    out = whorl("property", path, "--hoa").out
    assert difference(as_buchi(read_hoa(out)), b3()) is None
    data = whorl("property", path, "--hoa", "--json").data
    assert read_hoa(data["hoa"]) == read_hoa(out)


def test_never_claims_in_and_out(whorl: Run, write: Write) -> None:
    claim = whorl("property", "--never", "F G !p").out
    assert difference(read_never(claim), b3()) is None
    path = write(claim, "claim.never")
    assert whorl("property", path, "--json").data["kind"] == "never claim"


def test_the_normal_form(whorl: Run, write: Write) -> None:
    path = write(hoa_text(b3()), "b3.hoa")
    found = whorl("property", path, "--si-normal-form", "--json")
    assert (found.data["states"], found.data["edges"]) == (4, 9)
    assert found.data["si_normal_form"] is True
    made = as_buchi(read_hoa(whorl("property", path, "--si-normal-form", "--hoa").out))
    assert difference(made, b4()) is None


def test_no_normal_form_where_the_language_is_not_stutter_invariant(whorl: Run) -> None:
    found = whorl("property", "--si-normal-form", "X p")
    assert found.status == 2
    assert "SI normal form is for stutter-invariant languages" in found.err


@pytest.mark.parametrize("what", ["F G !p", "b3.hoa"])
def test_the_negation(what: str, whorl: Run, write: Write) -> None:
    given = write(hoa_text(b3()), what) if what.endswith("hoa") else what
    found = whorl("property", given, "--negate", "--hoa")
    infinitely_often = as_buchi(read_hoa(whorl("property", "G F p", "--hoa").out))
    assert difference(as_buchi(read_hoa(found.out)), infinitely_often) is None
    assert whorl("property", given, "--negate", "--json").data["negated"] is True


def test_a_picture(whorl: Run, tmp_path: Path) -> None:
    path = tmp_path / "a.svg"
    assert whorl("property", "p U q", "--svg", path).status == 0
    assert ET.parse(path).getroot().tag.endswith("svg")
    assert whorl("property", "p U q", "--svg", tmp_path / "no" / "a.svg").status == 2


def test_standard_input(whorl: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "never { accept_init: do :: p od }"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert whorl("property", "-", "--json").data["states"] == 1


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        ("p U", None, "<formula>:1:4: error: "),
        ("[] (p", None, "<formula>:1:6: error: ')' expected"),
        ("HOA: v1\nAcceptance: 2 Fin(0)&Inf(1)", "a.hoa", "a.hoa:2:15: error: acceptance with"),
        ("nothing", "a.hoa", "a.hoa:1:1: error: this is not an automaton in the HOA format"),
        ("never { goto x }", "a.never", "a.never:1:14: error: there is no label 'x'"),
    ],
)
def test_mistakes(text: str, name: str | None, message: str, whorl: Run, write: Write) -> None:
    found = whorl("property", text if name is None else write(text, name))
    assert found.status == 2
    assert message in found.err
    assert "^" in found.err


def test_a_file_that_is_not_there(whorl: Run) -> None:
    found = whorl("property", "missing.hoa")
    assert found.status == 2
    assert "cannot read 'missing.hoa'" in found.err
