"""The Python interface, as a test or a notebook uses it."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

import whorl
from whorl.api import read
from whorl.engines import ENGINES
from whorl.search.limits import Progress
from whorl.verdict import EXIT_CODES, Property, overall

PETERSON = Path(__file__).parents[1] / "examples" / "peterson.pml"
WRONG = "byte x; init { x = 1; assert(x == 2) }"


def test_a_path_its_name_and_a_model_are_the_same() -> None:
    model = whorl.load(PETERSON)
    found = {whorl.check(m).statistics.states for m in (PETERSON, str(PETERSON), model)}
    assert found == {38}
    assert model.name == str(PETERSON)


def test_text_is_a_model() -> None:
    result = whorl.check(WRONG)
    assert result.verdict == "violated"
    assert result.exit_code == 1
    assert result.trace is not None
    assert [step.text for step in result.trace.steps] == ["x = 1", "assert(x == 2)"]
    assert whorl.load(WRONG, name="mine").name == "mine"


def test_defines_and_includes(tmp_path: Path) -> None:
    (tmp_path / "inc").mkdir()
    (tmp_path / "inc" / "limit.h").write_text("#define LIMIT 3\n")
    model = tmp_path / "m.pml"
    model.write_text('#include "limit.h"\nbyte x = N;\ninit { assert(x < LIMIT) }')
    for value, verdict in (("2", "holds"), ("3", "violated")):
        result = whorl.check(model, defines={"N": value}, include_dirs=[tmp_path / "inc"])
        assert result.verdict == verdict


def test_what_cannot_be_read_is_a_whorl_error(tmp_path: Path) -> None:
    with pytest.raises(whorl.WhorlError, match="cannot read"):
        whorl.load(tmp_path / "missing.pml")
    with pytest.raises(whorl.WhorlError, match="cannot read"):
        read("a\0b")
    with pytest.raises(whorl.WhorlError) as caught:
        whorl.load("init { x = 1; y = 2 }")
    assert len(caught.value.diagnostics) == 2


def test_engines() -> None:
    for engine in sorted({*ENGINES} - {"gpu"}):  # which takes a device: tests/native/gpu
        assert whorl.check(WRONG, engine=engine).verdict == "violated"
    with pytest.raises(whorl.WhorlError, match="unknown engine 'steam'"):
        whorl.check(WRONG, engine="steam")


def test_embedded_c_is_refused() -> None:
    with pytest.raises(whorl.WhorlError, match="embedded C"):
        whorl.check("init { c_code { x(); } }", engine="reference")


@pytest.mark.parametrize(
    "limits", [{"max_states": 500}, {"max_depth": 4}, {"timeout": 0.02}, {"memory": 1}]
)
def test_a_limit_makes_it_inconclusive(limits: dict[str, int]) -> None:
    result = whorl.check("int x, y; init { do :: x++ :: y++ od }", **limits)  # type: ignore[arg-type]
    assert result.verdict == "inconclusive"
    assert result.exit_code == 3
    assert not result.statistics.complete
    # On a busy machine the time is over before the model is read.
    words = ("not all states were seen", "the time limit")
    assert all(p.why.startswith(words) for p in result.properties)
    assert result.trace is None


def test_a_violation_beats_a_limit() -> None:
    text = "int x; init { do :: x++; assert(x != 50) od }"
    assert whorl.check(text, max_states=5000, all_errors=True).verdict == "violated"


def test_shortest_and_all_errors() -> None:
    text = "byte x; init { do :: x < 9 -> x++ :: assert(x == 0); break od }"
    assert len(whorl.check(text, shortest=True).traces[0].steps) == 3
    two = "byte x; init { if :: assert(x > 0) :: assert(x > 1) fi }"
    assert {t.message for t in whorl.check(two, all_errors=True).traces} == {"(x>0)", "(x>1)"}
    assert len(whorl.check(two).traces) == 1


def test_progress_is_reported() -> None:
    seen: list[int] = []

    def report(progress: Progress) -> None:
        seen.append(progress.states)

    text = "byte x, y; init { do :: x++ :: y++ od }"
    whorl.check(text, report=report, max_states=5000, engine="reference")
    assert len(seen) > 5
    assert seen == sorted(seen)


@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
def test_a_native_search_reports_progress_too() -> None:
    seen: list[int] = []
    text = "int x, y; init { do :: x++ :: y++ od }"
    whorl.check(text, report=lambda p: seen.append(p.states), timeout=1.5, engine="native")
    assert seen
    assert seen == sorted(seen)


def test_only_safety_when_asked() -> None:
    text = "byte x; init { x = 1 } ltl p { [] (x < 2) }"
    assert whorl.check(text).verdict != "violated"
    result = whorl.check(text, safety=True)
    assert result.verdict == "holds"
    assert "p" not in {checked.name for checked in result.properties}


def test_the_overall_verdict_is_the_worst() -> None:
    holds = Property("a", "x", "holds", "")
    unsure = Property("b", "x", "inconclusive", "")
    wrong = Property("c", "x", "violated", "")
    assert overall((holds,)) == "holds"
    assert overall((holds, unsure)) == "inconclusive"
    assert overall((holds, unsure, wrong)) == "violated"
    assert EXIT_CODES == {"holds": 0, "violated": 1, "inconclusive": 3}


def test_memory_is_limited_unless_told_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    model = "int x, y; init { do :: x++ :: y++ od }"
    monkeypatch.setattr("whorl.memory.available_bytes", lambda: 64 << 20)
    for engine in ("reference", "native") if shutil.which("cc") else ("reference",):
        result = whorl.check(model, engine=engine, max_states=3_000_000)
        assert result.verdict == "inconclusive"
        assert "memory limit of 51 MB" in result.properties[0].why, engine
    monkeypatch.setattr("whorl.memory.available_bytes", lambda: None)
    assert whorl.check(model, max_states=300).properties[0].why.endswith("300 states was reached")


COUNTS = "byte n; active proctype p() { n = N; assert(n == 3) }"


def test_numbers_as_macros() -> None:
    for value in (3, "3", "1 + 2"):
        assert whorl.check(COUNTS, defines={"N": value}, engine="reference").verdict == "holds"
    assert whorl.check(COUNTS, defines={"N": True}, engine="reference").verdict == "violated"


@pytest.mark.parametrize(
    ("arguments", "error", "said"),
    [
        ({"defines": {"N": 3.5}}, TypeError, r"defines\['N'\] is 3.5, and no text or whole number"),
        ({"defines": {"N": None}}, TypeError, r"defines\['N'\] is None"),
        ({"defines": {3: "N"}}, TypeError, "the name of a macro is text"),
        ({"defines": "N=3"}, TypeError, "no mapping"),
        ({"timeout": "5"}, TypeError, "timeout is '5', and no number of seconds"),
        ({"timeout": -1}, ValueError, "timeout is -1, and must be above 0"),
        ({"timeout": float("nan")}, ValueError, "timeout is nan"),
        ({"max_states": -5}, ValueError, "max_states is -5, and must be above 0"),
        ({"max_depth": 0}, ValueError, "max_depth is 0"),
        ({"max_states": "many"}, TypeError, "max_states is 'many', and no whole number"),
        ({"memory": 1e9}, TypeError, "memory is 1000000000.0, and no whole number"),
        ({"bits": -3}, ValueError, "bits is -3"),
        ({"ltl": 3}, TypeError, "ltl is 3, and neither text nor a list of texts"),
        ({"ltl": ["<> p", None]}, TypeError, "ltl has None, which is no text"),
        ({"claim": [1]}, TypeError, "claim has 1"),
    ],
)
def test_arguments_of_the_wrong_kind(
    arguments: dict[str, Any], error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        whorl.check("init { skip }", **arguments)


def test_models_of_the_wrong_kind() -> None:
    with pytest.raises(TypeError, match="3 is no model"):
        whorl.check(3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="for a model that is not loaded yet"):
        whorl.check(whorl.load("init { skip }"), defines={"N": 3})


def test_one_folder_to_include_from(tmp_path: Path) -> None:
    (tmp_path / "n.h").write_text("#define N 3\n")
    text = f'#include "n.h"\n{COUNTS}'
    assert whorl.load(text, include_dirs=str(tmp_path)).warnings == ()


def test_a_result_is_printed_as_a_report() -> None:
    lines = str(whorl.check(COUNTS, defines={"N": 2}, engine="reference")).splitlines()
    assert lines[0] == "✗ assertions    violated: (n==3)"
    assert "  p:0  at line 1: assert(n == 3)" in lines
    assert lines[-1] == "✗ violated (assertions)"
    holds = str(whorl.check(COUNTS, defines={"N": 3}, engine="reference"))
    assert holds.splitlines()[-1].startswith("✓ holds (")
