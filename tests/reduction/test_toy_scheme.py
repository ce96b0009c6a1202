"""A scheme is added by one record, one module and one header: everything else reads the record.

The toy takes the first process that is alone with what it does, unless a step of it is sticky.
"""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

import whorl
from support import doc_tables
from whorl.cli.main import main
from whorl.program.state import State
from whorl.reduction.analysis import Analysis
from whorl.reduction.candidates import Ample, Rule, situation_of
from whorl.reduction.scheme import Native, Phase1, Rules, Scheme, Use, because
from whorl.reduction.schemes import SCHEMES
from whorl.reduction.static import Static

# --- the module ----------------------------------------------------------------------------------


class Toy:
    """The toy for one program and property."""

    def __init__(self, analysis: Analysis, rule: Rule = Rule.PROCESS) -> None:
        self.analysis = analysis
        self.is_sticky = Static(analysis).is_sticky

    def ample(self, state: State) -> Ample:
        situation = situation_of(self.analysis, state)
        if self.analysis.nothing_reducible is None and not situation.waits_for_timeout:
            for pid in range(len(state.processes)):
                run = situation.only_run(pid)
                if run is not None and not self.is_sticky(run):
                    return Ample((run,), (pid,), full=len(situation.runs) == 1)
        return situation.everything

    def stored(self, state: State) -> Ample:
        return self.ample(state)

    def phase_1(self, state: State) -> Phase1:
        return Phase1(state)


# --- the header ----------------------------------------------------------------------------------

HEADER = """
#include "reduction/alone.h"

#define WHORL_REDUCES 1
#define WHORL_TRIES_OTHERS 0
#define WHORL_LEAVES_OUT 0
#define WHORL_PROVISO 0
#define WHORL_LOOKS_AT_STACK 0
#define whorl_is_unfit(c) false
#define whorl_go_on(c, at, everyone) ((void)0)
#define whorl_asks_everyone(c, s) false

static bool whorl_choose(whorl_context *c, const whorl_state *s) {
  whorl_kind_number kinds[WHORL_PROCESSES];
  int count = whorl_kinds(whorl_bytes(s), kinds);
  uint32_t before = c->count;
  for (int pid = 0; pid < count && before > 1; pid++) {
    bool alone = whorl_only_run(c, s, pid, kinds, count) >= 0;
    c->count = before;
    if (!alone) continue;
    whorl_keep(c, whorl_pid(pid));
    break;
  }
  return false;
}
"""

# --- the record ----------------------------------------------------------------------------------


def record(header: Path) -> Scheme:
    use = Use(
        cycles="a sticky transition is in no proper ample set",
        soundness=because("it is a toy"),
        reference=Toy,
        native=Native(header, sticky_in_ample_sets=False),
    )
    return Scheme(
        name="toy",
        title="the first process that is alone",
        origin="this test",
        function_of="q",
        formulas=use,
        safety=use,
        any_order=True,
        rule=None,
        laboratory={
            "toy": Rules(
                "amp(q) of the program state alone, without sticky operations",
                ("c0", "c1", "c2", "source", "by-program-state", "sticky"),
            )
        },
    )


MODEL = """
byte x, done;
active [3] proctype P() { byte mine; mine = 1; mine = 2; x++; mine = 3; done++ }
"""
FORMULA = "<> (done == 3)"
ENGINES = [
    "reference",
    pytest.param(
        "native",
        marks=pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler"),
    ),
]


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Scheme:
    header = tmp_path / "toy.h"
    header.write_text(HEADER)
    made = record(header)
    monkeypatch.setitem(SCHEMES, "toy", made)
    return made


@pytest.mark.usefixtures("toy")
@pytest.mark.parametrize("asked", [{"safety": True}, {"ltl": FORMULA}], ids=["safety", "formula"])
@pytest.mark.parametrize("engine", ENGINES)
def test_it_runs_and_is_audited(engine: str, asked: dict[str, object]) -> None:
    full, reduced = (
        whorl.check(MODEL, por=por, engine=engine, merge=False, audit=True, **asked)  # type: ignore[arg-type]
        for por in ("none", "toy")
    )
    assert (full.verdict, reduced.verdict) == ("holds", "holds")
    assert reduced.engine == engine
    assert reduced.reduction == "toy"
    assert reduced.searches[0].reduction == "toy: it is a toy"
    assert reduced.statistics.states < full.statistics.states
    assert any("nothing is lost" in note for note in reduced.notes)


def test_both_engines_store_the_same(toy: Scheme) -> None:
    assert toy.name in SCHEMES
    counts = {
        whorl.check(MODEL, safety=True, por="toy", engine=e, merge=False).statistics.states
        for e in ("reference", "native")
    }
    assert len(counts) == 1


class TakesAnything(Toy):
    """Wrong: the first process that can move goes first, whatever the others do."""

    def ample(self, state: State) -> Ample:
        situation = situation_of(self.analysis, state)
        first = tuple(run for run in situation.runs if run.steps[0].pid == 0)
        return (
            Ample(first, (0,), full=len(first) == len(situation.runs))
            if first
            else (situation.everything)
        )


@pytest.mark.parametrize("engine", ENGINES)
def test_the_audit_sees_a_wrong_one(
    engine: str, toy: Scheme, monkeypatch: pytest.MonkeyPatch
) -> None:
    native = toy.formulas.native if toy.formulas is not None else None
    assert native is not None
    assert isinstance(native.header, Path)
    native.header.write_text(HEADER.replace("if (!alone) continue;", "(void)alone;"))
    wrong = replace(toy.safety, reference=TakesAnything)  # type: ignore[type-var]
    monkeypatch.setitem(SCHEMES, "toy", replace(toy, safety=wrong))
    text = "byte x; active proctype A() { x = 1 } active proctype B() { assert(x == 1) }"
    found = whorl.check(text, safety=True, por="toy", engine=engine, merge=False, audit=True)
    assert found.verdict == "inconclusive"
    assert any("WRONG" in note for note in found.notes)


@pytest.mark.usefixtures("toy")
def test_the_laboratory_searches_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lab", "--scheme", "toy", "--automaton", "b1", "--states", "3"]) == 0
    assert "without sticky operations" in capsys.readouterr().out


@pytest.mark.usefixtures("toy")
def test_it_is_in_the_help_and_in_the_docs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--help-all"]) == 0
    assert "toy" in capsys.readouterr().out
    tables = doc_tables.tables()
    assert "| `toy` | this test | the first process that is alone |" in tables["schemes"]
    assert "| `toy` |" in tables["schemes of the laboratory"]
