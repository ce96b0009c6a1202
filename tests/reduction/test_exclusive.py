"""Declared exclusive ends of channels: a warning where Spin's verifier finds one broken."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import whorl
from support import spin
from whorl.cli.main import main
from whorl.reduction.exclusive import broken_declarations

EXAMPLES = Path("/usr/share/doc/spin/examples/Examples")
DEBIAN = ["cambridge", "dtp", "leader0", "leader_trace", "snoopy", "sort"]
DEBIAN += ["LTL/leader", "LTL/leader_pre", "LTL/pftp"]

C = "chan c = [2] of { byte };\nbyte x;\n"
S = "active proctype S() { xs c; c!1 }\n"
R = "active proctype R() { xr c; c?_ }\n"
P = "chan c[2] = [2] of { byte };\nbyte x;\nproctype P(chan k) { xs k; k!1; x == 9 }\n"

RIGHT = {
    "both ends": C + S + R,
    "waits for the own end": C + S + "active proctype Q() { if :: c?_ :: nempty(c) :: c?<x> fi }",
    "waits for room": C + R + "active proctype Q() { nfull(c); c!1 }",
    "itself": C + "active proctype Q() { xr c; xs c; c!1; len(c) == 1; c?[1]; c?_ }",
    "parameters": P + "init { atomic { run P(c[0]); run P(c[1]) } }",
    "before the declaration": C + "proctype Q() { xs c; c!1 } init { c!1; run Q() }",
    "in the same atomic": C + "proctype Q() { xs c; c!1 } init { atomic { c!1; run Q() } }",
    "channel of a process": "proctype Q(chan k) { xr k; k?_ }\n"
    "init { chan l = [1] of { byte }; run Q(l); l!1 }",
    "alias": "chan d[2] = [1] of { byte };\n"
    "active proctype Q() { chan k = d[1]; xs k; k!1 }\nactive proctype O() { d[0]!1 }",
}
WRONG = {
    "sends": (C + S + "active proctype Q() { c!1 }", "Q may send to it (line 4)"),
    "receives": (C + R + "active proctype Q() { c?_ }", "Q may receive from it (line 4)"),
    "copies": (C + R + "active proctype Q() { c?<x> }", "Q may receive from it"),
    "polls": (C + S + "active proctype Q() { c?[1]; c?_ }", "Q may look at it"),
    "asks for room": (C + S + "active proctype Q() { nfull(c) }", "Q may look at it"),
    "asks whether it is empty": (C + S + "active proctype Q() { empty(c) }", "Q may look at it"),
    "asks for the length": (C + R + "active proctype Q() { x = len(c) }", "Q may look at it"),
    "d_step": (C + S + "active proctype Q() { d_step { x = 1;\nc!1 } }", "send to it (line 5)"),
    "provided": (C + S + "active proctype Q() provided (len(c) == 0) { skip }", "look at it"),
    "sorted": (C + R + "active proctype Q() { c!!1 }", "Q may put a message before others in it"),
    "rendezvous": ("chan c = [0] of { byte };\n" + S + R, "is about a rendezvous channel"),
    "twice": (C + "active [2] proctype Q() { xs c; c!1 }", "another Q declares it, too"),
    "parameters": (P + "init { atomic { run P(c[0]); run P(c[0]) } }", "another P declares it"),
    "index": (P + "init { byte i = 1; i = 0; run P(c[0]); c[i]!1 }", "init may send to it"),
    "after the start": (C + "proctype Q() { xs c; c!1 } init { run Q(); c!1 }", "init may send"),
    "in the same atomic": (
        C + "proctype Q() { xs c; c!1 } init { atomic { run Q(); c!1 } }",
        "init may send to it",
    ),
    "channel of a process": (
        "proctype Q(chan k) { xr k; k?_ }\n"
        "init { chan l = [2] of { byte }; run Q(l); l!1; l!1; l?_ }",
        "init may receive from it",
    ),
    "after a timeout": (C + S + "active proctype Q() { timeout; c!1 }", "Q may send to it"),
}
# Only ours is static, and only Spin's follows channels that are sent around.
STATIC = C + S + "active proctype Q() { x == 1; c!1 }"
SENT = (
    "chan c = [1] of { byte };\nchan d = [1] of { chan };\n"
    "active proctype P() { xs c; d!c; c!1 }\nactive proctype Q() { chan k; d?k; k!1 }"
)
ELSE = C + S + "active proctype Q() { if :: nempty(c) -> c?_ :: else fi }"  # Spin refuses it
_BROKEN = ("error, partial order reduction invalid", "xs chans", "xr chans", "sorted send on xr")


def broken(model: str | Path) -> list[str]:
    return [warning.message for warning in broken_declarations(whorl.load(model).program)]


def broken_for_spin(model: str | Path) -> bool:
    found = spin.full_search(model, merge=True, reduce=True)
    return any(text.startswith(_BROKEN) for text in found.violations)


@pytest.mark.parametrize("model", RIGHT.values(), ids=RIGHT)
def test_declarations_that_hold(model: str) -> None:
    assert broken(model) == []


@pytest.mark.parametrize(("model", "why"), WRONG.values(), ids=WRONG)
def test_declarations_that_are_broken(model: str, why: str) -> None:
    assert any(why in message for message in broken(model))


def test_an_array_is_all_of_its_channels() -> None:
    model = "chan c[2] = [1] of { byte };\nactive proctype P() { xs c; c[0]!1 }\n"
    assert broken(model + "active proctype Q() { c[1]?_ }") == []
    assert broken(model + "active proctype Q() { c[1]!1 }") == [
        "'xs c' of P is not so: Q may send to it (line 3)"
    ]


def test_where_spin_differs() -> None:
    assert broken(STATIC)
    assert not broken(SENT)
    assert not broken(ELSE)


@pytest.mark.spin
@pytest.mark.parametrize("model", RIGHT.values(), ids=RIGHT)
def test_spin_agrees_that_they_hold(model: str) -> None:
    assert not broken_for_spin(model)


@pytest.mark.spin
@pytest.mark.parametrize("model", [model for model, _ in WRONG.values()], ids=WRONG)
def test_spin_agrees_that_they_are_broken(model: str) -> None:
    assert broken_for_spin(model)


@pytest.mark.spin
def test_spin_differs_where_it_is_said() -> None:
    assert not broken_for_spin(STATIC)
    assert broken_for_spin(SENT)
    with pytest.raises(spin.SpinRejects, match="invalid use of 'else' combined with i/o"):
        broken_for_spin(ELSE)


@pytest.mark.spin
@pytest.mark.parametrize("name", DEBIAN)
def test_spins_examples(name: str) -> None:
    file = EXAMPLES / f"{name}.pml"
    if not file.exists():
        pytest.skip("the examples of Debian's spin package are not there")
    assert bool(broken(file)) == broken_for_spin(file) == (name == "cambridge")


def test_a_warning_changes_nothing_else(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "m.pml"
    file.write_text(WRONG["polls"][0])
    assert main(["check", "--json", str(file)]) == 0
    said = capsys.readouterr()
    assert "m.pml:3:26: warning: 'xs c' of S is not so: Q may look at it (line 4)" in said.err
    data = json.loads(said.out)
    assert [warning["line"] for warning in data["warnings"]] == [3]
    assert main(["explain", "--json", str(file)]) == 0
    assert len(json.loads(capsys.readouterr().out)["warnings"]) == 1
