"""Many properties of one model: they share a verifier, and nobody can tell by what is found."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import whorl
from support.claims import random_atom, random_claim
from support.compilers import as_text
from support.generator import PROFILES, programs
from support.many_claims import TIERED, compare
from whorl.reduction.schemes import asked_reduction
from whorl.search.exploration import Options
from whorl.search.limits import Limits, Progress
from whorl.task import NativeOptions
from whorl.verdict import Result

EXAMPLES = Path(__file__).parents[2] / "examples"

# A bit of everything: what claims can see of processes, next, faults, many propositions.
MIXED = """
byte x, y, a[3]; chan c = [2] of { byte };
active proctype P() { byte i, j; do :: i = 1; j = i + 1; x = (x + j) % 6; crit: c!x od }
active proctype Q() { byte m; do :: c?m; m = m % 3; y = m; a[m] = 1 - a[m] od }
ltl below { [] (x < 6) }
ltl more { [] <> (x == 2) }
ltl at { [] (P@crit -> <> !P@crit) }
ltl of_q { [] (Q:m < 200) }
ltl next { [] (x == 0 -> X (x == 0 || x == 2)) }
ltl fails { [] (a[x] < 2) }
ltl last { [] <> (_last == 0) }
ltl can { [] (enabled(0) || enabled(1)) }
ltl many { [] ((x==0 && y==0 && a[0]==0) -> <> ((x==1 || x==2 || x==3) && (y==1 || y==2)
               || a[1]==1 || x==4 || x==5 || y==0 && a[2]==1 || a[0]==1 || len(c)==2)) }
never stays { accept: do :: x == 4 od }
"""

# More processes than random walks see, so that a larger verifier is needed.
GROWING = """
byte n;
proctype W(byte k) { if :: k < 5 -> run W(k + 1) :: else fi; n++ }
init { do :: n < 100 -> n++ :: n > 0 -> n = 0 :: n == 100 -> break od; run W(0) }
ltl never_thirteen { [] (n != 13) }
ltl some_day { <> (n > 0) }
ltl hundred { [] (n == 106 -> [] (n == 106)) }
"""


@pytest.fixture
def tiered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a level of optimisation, as a user has it: verifiers are shared."""
    monkeypatch.setenv("WHORL_CC", as_text(TIERED))


def found(result: Result, name: str) -> tuple[object, ...]:
    """What was found of a property."""
    [judged] = [judged for judged in result.properties if judged.name == name]
    [search] = [search for search in result.searches if search.property == name]
    statistics = replace(search.statistics, seconds=0.0, memory_bytes=0)
    traces = [trace for trace in result.traces if trace.claim == name]
    return judged, replace(search, statistics=statistics), traces


def as_if_alone(model: str | Path, **options: Any) -> None:
    """Checks all that a model asks for, and each of its formulas by itself."""
    loaded = whorl.load(model)
    together = whorl.check(loaded, **options)
    for name in [formula.name for formula in loaded.program.formulas]:
        assert found(together, name) == found(whorl.check(loaded, claim=name, **options), name)


@pytest.mark.usefixtures("tiered")
@pytest.mark.parametrize("options", [{}, {"fair": True}, {"por": "none", "merge": False}])
@pytest.mark.parametrize("model", [MIXED, GROWING, EXAMPLES / "alternating_bit.pml"])
def test_each_property_is_judged_as_if_alone(model: str | Path, options: dict[str, Any]) -> None:
    as_if_alone(model, **options)


@pytest.mark.usefixtures("tiered")
@pytest.mark.parametrize("scheme", ["static", "two-phase", "v0", "si", "dfs_po"])
@pytest.mark.parametrize("algorithm", ["fig2", "colours", "scc"])
def test_with_every_scheme(scheme: str, algorithm: str) -> None:
    as_if_alone(EXAMPLES / "ticket_lock.pml", por=scheme, algorithm=algorithm)


@given(data=st.data(), seed=st.integers(0, 1 << 20))
@settings(suppress_health_check=list(HealthCheck), deadline=None, max_examples=40, derandomize=True)
def test_random_claims_of_random_programs(data: st.DataObject, seed: int) -> None:
    dice = random.Random(seed)
    program = whorl.load(data.draw(programs(PROFILES[dice.choice(sorted(PROFILES))]))).program
    claims = [
        random_claim(dice, tuple(random_atom(dice, program) for _ in range(dice.choice((1, 2)))))
        for _ in range(4)
    ]
    options = Options(
        assertions=False,
        end_states=False,
        algorithm=dice.choice(("fig2", "fig4", "colours", "scc", "owcty")),
        fair=dice.random() < 0.3,
        limits=Limits(states=2_000),
    )
    native = NativeOptions(dice.choice(("exact", "tree")), merge=dice.random() < 0.7)
    asked = asked_reduction(dice.choice(("auto", "none")), "all", None, "number")
    compare(program, claims, options, native, asked)


# --- what is compiled -----------------------------------------------------------------------------


@pytest.fixture
def compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[str]]:
    """What has been compiled: "one" for a claim or safety, "many" for several claims.

    One for many fails where there is a file `refuse`.
    """
    script, log = tmp_path / "logging-cc", tmp_path / "log"
    script.write_text(
        "#!/bin/sh\n"
        'for word; do case "$word" in *.c) model=$word;; esac; done\n'
        f'if grep -q WHORL_CLAIMS "$model"; then echo many >> {log};\n'
        f"  test -e {tmp_path / 'refuse'} && exit 1\n"
        f"else echo one >> {log}; fi\n"
        f'exec {as_text(TIERED)} "$@"\n'
    )
    script.chmod(0o755)
    monkeypatch.setenv("WHORL_CC", str(script))
    monkeypatch.setenv("WHORL_CACHE", str(tmp_path / "cache"))
    return lambda: log.read_text().split()


FOUR = """
byte x; active proctype P() { do :: x = (x + 1) % 5 od }
ltl p1 { [] (x < 5) }
ltl p2 { [] <> (x == 2) }
ltl p3 { [] (x < 4) }
ltl p4 { <> (x == 3) }
"""


@pytest.mark.parametrize("cached", [True, False])
def test_one_verifier_for_all(compiled: Callable[[], list[str]], cached: bool) -> None:
    result = whorl.check(FOUR, no_cache=not cached)
    assert [p.verdict for p in result.properties[-4:]] == ["holds", "holds", "violated", "holds"]
    assert (compiled(), result.engine, result.notes) == (["one", "many"], "native", ())
    whorl.check(FOUR, no_cache=not cached)
    assert compiled() == ["one", "many"] * (1 if cached else 2)


def test_a_verifier_that_is_there_is_taken(compiled: Callable[[], list[str]]) -> None:
    for name in ("p1", "p2", "p3", "p4"):
        whorl.check(FOUR, claim=name)
    whorl.check(FOUR, claim=["p1", "p2", "p3", "p4"])
    assert compiled() == ["one"] * 4


def test_a_larger_one_is_for_all_too(compiled: Callable[[], list[str]]) -> None:
    whorl.check(GROWING, claim=["never_thirteen", "some_day", "hundred"])
    assert compiled() == ["many"] * 3  # for 1 process, for 3 and for 7


def test_each_has_its_own_where_the_one_for_all_fails(
    compiled: Callable[[], list[str]], tmp_path: Path
) -> None:
    (tmp_path / "refuse").touch()
    result = whorl.check(FOUR)
    assert (result.engine, result.notes) == ("native", ())
    assert compiled() == ["one", "many", "one", "one", "one", "one"]


def test_a_search_that_goes_on_gets_its_own(
    compiled: Callable[[], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which is optimised, and searches in the same way."""
    monkeypatch.setattr("whorl.native.tiers.PATIENCE", 0.0)
    text = "int x, y; init { do :: x++ :: y = (y + 1) % 5 od }\n"
    text += "ltl p1 { [] (x >= 0) }\nltl p2 { [] (y < 5) }\n"
    options: dict[str, Any] = {"max_states": 400_000, "claim": ["p1", "p2"], "merge": False}
    result = whorl.check(text, **options)
    assert all("limit of 400,000 states" in p.why for p in result.properties)
    assert compiled()[0] == "many"
    assert result.searches[0].statistics.states == result.searches[1].statistics.states


# --- what is said of it ---------------------------------------------------------------------------


@pytest.mark.usefixtures("compiled")
def test_compiling_is_reported() -> None:
    seen: list[Progress] = []
    whorl.check(FOUR, report=seen.append)
    said = [(p.about, p.doing) for p in seen if p.doing]
    assert said == [
        ("safety (1 of 5)", "compiling"),
        ("p1 (2 of 5)", "compiling for 4 properties at once"),
    ]
    seen.clear()
    whorl.check(FOUR, report=seen.append)
    assert not [p for p in seen if p.doing]
    whorl.check(FOUR.replace("% 5", "% 4"), claim="p2", report=seen.append)
    assert [(p.about, p.doing) for p in seen if p.doing] == [("", "compiling")]
