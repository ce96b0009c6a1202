"""The native engine as a whole: it agrees with the reference, keeps limits, and trusts no text."""

from __future__ import annotations

import os
import shutil
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

import whorl
from support.compare import of_whorl, same_states
from support.machine import children, wait_for
from whorl.cli import main
from whorl.native.emit import emit
from whorl.native.passes.merge import Merging
from whorl.native.passes.usage import usage
from whorl.native.verifier import VerifierError, run
from whorl.program.program import SendAction
from whorl.program.semantics import Semantics
from whorl.task import Task

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.pml"))
ENDLESS = "int x, y; init { do :: x++ :: y++ od }"

pytestmark = pytest.mark.skipif(
    shutil.which("cc") is None, reason="needs a C compiler, and this machine has no cc"
)


@pytest.mark.parametrize("model", EXAMPLES, ids=lambda path: path.stem)
def test_agrees_with_the_reference(model: Path) -> None:
    reference, _ = of_whorl(model, engine="reference")
    native, complete = of_whorl(model, engine="native")
    assert complete
    assert same_states(native, reference)
    assert native.violations == reference.violations


@pytest.mark.parametrize("model", EXAMPLES, ids=lambda path: path.stem)
def test_merging_and_every_exact_store_give_the_same_verdict(model: Path) -> None:
    options = {"engine": "native", "safety": True, "all_errors": True, "por": "none"}
    expected = whorl.check(model, merge=False, **options)  # type: ignore[arg-type]
    merged = whorl.check(model, **options)  # type: ignore[arg-type]
    exact = whorl.check(model, store="exact", **options)  # type: ignore[arg-type]
    assert merged.verdict == exact.verdict == expected.verdict
    assert merged.statistics.states <= expected.statistics.states
    assert exact.statistics.states == merged.statistics.states
    assert exact.statistics.transitions == merged.statistics.transitions


@pytest.mark.parametrize(
    ("channel", "merged"), [("chan q = [1]", True), ("chan q = [0]", False)], ids=["sent", "met"]
)
def test_local_steps_are_merged_behind_a_send_into_a_buffer(channel: str, merged: bool) -> None:
    text = f"""
    {channel} of {{ byte }};
    byte seen;
    active proctype sender() {{ byte x; q ! 3; x = 1; x = 2; assert(seen < 3) }}
    active proctype receiver() {{ byte y; q ? y; seen = y }}
    """
    apart = whorl.check(whorl.load(text), engine="native", all_errors=True, merge=False)
    together = whorl.check(whorl.load(text), engine="native", all_errors=True)
    assert apart.verdict == together.verdict == "violated"
    numbers = [len(result.properties) for result in (apart, together)]
    assert numbers[0] == numbers[1]
    model = whorl.load(text)
    chains = Merging(model.program, usage(model.program), on=True)
    process = model.program.processes[0]
    send = next(t for t in process.transitions() if isinstance(t.action, SendAction))
    assert (len(chains.chain(process, send)) == 2) == merged


@pytest.mark.parametrize("store", ["hash-compact", "bitstate"])
def test_an_approximate_search_never_says_holds(store: str) -> None:
    model = EXAMPLES[0].parent / "bounded_buffer.pml"
    bits = 24 if store == "bitstate" else None
    result = whorl.check(model, engine="native", safety=True, store=store, bits=bits)
    assert result.verdict == "inconclusive"
    assert "not exhaustive" in result.properties[0].why
    assert "a chance of below 0.0001 %" in result.properties[0].why
    broken = EXAMPLES[0].parent / "peterson_broken.pml"
    assert whorl.check(broken, engine="native", store=store, bits=bits).verdict == "violated"


def test_shortest_is_as_short_as_the_reference_finds() -> None:
    for name in ("peterson_broken", "lost_update", "philosophers", "river_crossing"):
        model = EXAMPLES[0].parent / f"{name}.pml"
        lengths = []
        for engine in ("reference", "native"):
            trace = whorl.check(model, engine=engine, shortest=True).trace
            assert trace is not None
            lengths.append(len(trace.choices))
        assert lengths[0] == lengths[1], name


# --- processes that start at run time -------------------------------------------------------------


def test_more_processes_than_a_walk_shows() -> None:
    """A verifier that turns out too small is made again with more room."""
    model = """
    byte n;
    proctype child() { n > 100 }
    init { do :: n < 30 -> atomic { run child(); n++ } :: break od; false }
    """
    result = whorl.check(model, engine="native", all_errors=True, por="none")
    reference = whorl.check(model, engine="reference", all_errors=True)
    assert result.verdict == reference.verdict == "violated"
    assert [t.kind for t in result.traces] == [t.kind for t in reference.traces]


def test_too_many_processes_is_a_violation() -> None:
    model = "proctype child() { false } init { do :: run child() od }"
    result = whorl.check(model, engine="native")
    assert result.verdict == "violated"
    assert result.trace is not None
    assert result.trace.kind == "limit"


# --- limits ---------------------------------------------------------------------------------------


def test_limits_are_inconclusive() -> None:
    for result in (
        whorl.check(ENDLESS, engine="native", max_states=1000),
        whorl.check(ENDLESS, engine="native", timeout=0.2),
        whorl.check(ENDLESS, engine="native", max_depth=10),
    ):
        assert result.verdict == "inconclusive"
        assert not result.statistics.complete
        assert "not all states were seen" in result.properties[0].why
    assert whorl.check(ENDLESS, engine="native", max_states=1000).statistics.states == 1000


def test_the_clock_is_looked_at_in_phase_1() -> None:
    """A process that counts by itself: 2^32 states, of which one in some thousands is stored."""
    model = "int x; init { do :: x++ od }"
    whorl.check(model, engine="native", max_states=1)  # compiled beforehand
    result = whorl.check(model, engine="native", timeout=2)
    assert result.reduction == "two-phase-ample"
    assert "time limit" in result.properties[0].why


def test_a_memory_limit_is_inconclusive() -> None:
    result = whorl.check(ENDLESS, engine="native", memory=64 << 20)
    assert result.verdict == "inconclusive"
    assert "memory limit" in result.properties[0].why


@pytest.mark.parametrize("compiler", ["cc", "cc -O0"])
def test_an_interrupt_gives_the_figures_so_far(
    compiler: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("WHORL_CC", compiler)
    model = tmp_path / "endless.pml"
    model.write_text(ENDLESS)
    command = [sys.executable, "-m", "whorl", "check", str(model), "--engine", "native"]
    # Compiled beforehand: on a busy machine that takes longer than we wait.
    subprocess.run([*command, "--max-states", "10"], capture_output=True, check=False)
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_for(lambda: bool(children(process.pid)))  # the verifier
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 3, out + err
    assert "interrupted" in out
    assert "states" in out
    assert "Traceback" not in err


def test_an_optimised_verifier_sees_what_a_quick_one_sees(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """And it goes by the same limits, whichever of the two comes to them."""
    monkeypatch.setattr("whorl.native.tiers.PATIENCE", 0.0)
    model = "int x, y; init { do :: x++ :: y = (y + 1) % 5 od }"
    figures = set()
    for compiler in ("cc -O0", "cc", "cc -O2"):
        monkeypatch.setenv("WHORL_CC", compiler)
        monkeypatch.setenv("WHORL_CACHE", str(tmp_path / compiler))
        found = whorl.check(model, engine="native", max_states=500_000, end_states=False)
        assert "limit of 500,000 states" in found.properties[0].why
        statistics = found.statistics
        figures.add((statistics.states, statistics.transitions, statistics.depth))
    assert len(figures) == 1
    monkeypatch.setenv("WHORL_CC", "cc")
    monkeypatch.setenv("WHORL_CACHE", str(tmp_path / "timed"))
    found = whorl.check(model, engine="native", timeout=2, end_states=False)
    assert "time limit of 2 s" in found.properties[0].why


# --- the compiler ---------------------------------------------------------------------------------


def test_a_verifier_is_compiled_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("WHORL_CACHE", str(tmp_path))
    model = "byte only_in_this_test; init { only_in_this_test++ }"
    whorl.check(model, engine="native")
    made = {path: path.stat().st_ino for path in tmp_path.iterdir()}
    assert len(made) == 1
    again = "whorl.native.compiler.Compilation.start"
    monkeypatch.setattr(again, lambda *a: pytest.fail("it was compiled again"))
    whorl.check(model, engine="native")
    assert {path: path.stat().st_ino for path in tmp_path.iterdir()} == made


def test_without_a_compiler_the_reference_engine_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("whorl.engines.find_compiler", lambda cached: None)
    result = whorl.check("init { skip }")
    assert result.engine == "reference"
    assert any("no C compiler" in note for note in result.notes)
    with pytest.raises(whorl.WhorlError, match="no C compiler"):
        whorl.check("init { skip }", engine="native")


def test_a_compiler_that_does_not_exist(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("WHORL_CC", "no-such-compiler -O1")
    assert main(["check", str(EXAMPLES[0])]) == 2
    assert "no-such-compiler" in capsys.readouterr().err


def test_a_verifier_that_crashes_is_our_bug_and_no_verdict(tmp_path: Path) -> None:
    verifier = tmp_path / "verifier"
    verifier.write_text(
        '#!/bin/sh\necho \'{"type":"progress","states":1}\' >/dev/null\nkill -11 $$\n'
    )
    verifier.chmod(verifier.stat().st_mode | stat.S_IXUSR)
    with pytest.raises(VerifierError, match=r"(?s)signal 11.*to reproduce"):
        run(verifier, ["--order", "dfs"], None)


# --- generated text -------------------------------------------------------------------------------

# Names that mean something in C or in our own text, and text that would end a comment or a string.
HOSTILE = r"""
/* */
#define QUOTE "*/ int main(void) { return 1; } /*"
mtype = { register, volatile, B, P, c };
byte pid_, auto[3], while_ = 2, main, s, o, whorl_steps, NULL, errno;
typedef struct_ { byte static; bit extern }
struct_ inline_;
chan channel = [2] of { mtype, byte };
chan slot = [0] of { byte };
proctype switch(byte double, int_) { double = double + int_; auto[double % 3]++ }
active proctype whorl_initial() {
  byte before, escape, holds;
  main++; inline_.static = 3; errno = auto[0];
  printf("*/ %d \" ?" "?/ \\", main);
  channel!register, 1; channel?B, before; slot!escape
}
active proctype whorl_context() { byte values; atomic { slot?values; run switch(values, 2) } }
"""


def hostile() -> str:
    """The text above, with what Promela itself cannot say left out."""
    return HOSTILE.replace(
        r'printf("*/ %d \" ?" "?/ \\", main);', r'printf("*/ %d \" ??/ \\", main);'
    )


def test_names_and_strings_reach_the_compiler_as_data_alone() -> None:
    native, _ = of_whorl(hostile(), engine="native")
    reference, _ = of_whorl(hostile(), engine="reference")
    assert native == reference


@pytest.mark.parametrize("model", EXAMPLES, ids=lambda path: path.stem)
@pytest.mark.parametrize("language", ["c", "c++"])
def test_the_text_compiles_without_warnings(model: Path, language: str, tmp_path: Path) -> None:
    program = whorl.load(model).program
    emit(Task(Semantics(program)), tmp_path)
    standard = "c11" if language == "c" else "c++17"
    strict = ["-Wall", "-Wextra", "-Werror", "-Wno-unused-function", "-Wno-shadow"]
    relaxed = ["-Wno-unused-variable", "-Wno-unused-parameter", "-Wno-unused-const-variable"]
    command = ["cc", "-x", language, f"-std={standard}", *strict, *relaxed, "-fsyntax-only"]
    outcome = subprocess.run(
        [*command, "-I", str(tmp_path / "runtime"), str(tmp_path / "model.c")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert outcome.returncode == 0, outcome.stderr[:3000]


def test_emitted_c_builds_with_the_command_that_is_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "a folder"
    assert main(["check", str(EXAMPLES[0]), "--emit-c", str(folder)]) == 0
    command = capsys.readouterr().out
    environment = {**os.environ}
    outcome = subprocess.run(
        command, shell=True, capture_output=True, text=True, check=False, env=environment
    )
    assert outcome.returncode == 0, outcome.stderr
    assert '"type":"done"' in outcome.stdout


def test_unreached_statements_are_found_by_both_engines() -> None:
    model = "byte x; init { do :: x == 0 -> x = 1 :: x == 2 -> x = 3 :: x == 1 -> break od }"
    for engine in ("reference", "native"):
        missed = whorl.check(model, engine=engine).unreached
        assert [found.text for found in missed] == ["x == 2", "x = 3"], engine


def test_statements_of_one_line_are_told_apart_by_column() -> None:
    model = "byte x; init { if :: x == 0 -> x = 1 :: x == 2 -> x = 1 fi }"
    for engine in ("reference", "native"):
        missed = whorl.check(model, engine=engine).unreached
        assert [(m.column, m.text) for m in missed] == [(41, "x == 2"), (51, "x = 1")], engine


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_faults_found_by_hand(engine: str) -> None:
    """Each of these was an internal error once."""
    for model, kind in (
        ("chan c; init { c!1 }", "channel"),
        (
            "active proctype P() { enabled(1) } active proctype Q() { enabled(0) }",
            "enabled",
        ),
        ("byte x; init { x = 7 / x }", "division by zero"),
    ):
        trace = whorl.check(model, engine=engine).trace
        assert trace is not None
        assert trace.kind == kind
