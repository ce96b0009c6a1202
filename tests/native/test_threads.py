"""Searches on several threads: the verdict of one thread, whatever the scheme and the order.

The other threads come at once here, so that small programs are searched by all of them; as in
test_random_programs.py the fast tests draw the same programs every time.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import whorl
from support.generator import PROFILES, programs
from support.siegel import PROCESSES
from whorl.native import threads as threads_module
from whorl.native import tiers
from whorl.native.compiler import THREADED
from whorl.verdict import Result

GCC = "gcc -O0 -DWHORL_SURVEY_AT=1 -DWHORL_TICK=1"
WATCHED = f"{GCC} -g -fsanitize=thread -DWHORL_STRESS=5"
MOST_STATES = 3_000  # a larger program is left out
FEW, MANY = 2, 40  # programs a profile, in the fast and in the slow tests; the first is the least
SCHEMES = ["auto", "none", "static", "two-phase", "persistent"]
STORES: list[dict[str, Any]] = [
    {"store": "exact"},
    {"store": "hash-compact"},
    {"store": "bitstate", "bits": 24},
]
EXAMPLES = Path(__file__).parents[2] / "examples"
WIDE = """
byte x[5];
active [5] proctype P() { byte i; do :: i < 9 -> i++; x[_pid] = i :: else -> break od }
"""

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="this machine has no gcc")

relaxed = settings(
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large], deadline=None
)


def check(model: str | Path, threads: int, compiler: str = GCC, **options: Any) -> Result:
    with pytest.MonkeyPatch.context() as patch:
        if threads > 1:
            patch.setenv("WHORL_CC", compiler)
        return whorl.check(model, engine="native", safety=True, threads=threads, **options)


def failures(result: Result) -> set[tuple[str, str]]:
    return {(trace.kind, trace.message) for trace in result.traces}


def agree(text: str, schemes: list[str], **given: Any) -> None:
    for scheme in schemes:
        for shortest in (False, True):
            options = {
                "por": scheme,
                "shortest": shortest,
                "all_errors": True,
                "merge": False,
                **given,
            }
            one = check(text, 1, max_states=MOST_STATES, **options)
            if one.statistics.states >= MOST_STATES:
                return
            for threads in (2, 3, 8):
                many = check(text, threads, **options)
                assert many.verdict == one.verdict
                assert failures(many) == failures(one)
                assert many.statistics.threads in (1, threads)  # 1: nothing was left to do
                # By who comes first, or by whose bit is set first.
                varies = scheme in ("auto", "persistent") or given.get("store") == "bitstate"
                if not varies:
                    assert many.statistics.states == one.statistics.states
                    assert many.statistics.transitions == one.statistics.transitions
                    assert many.unreached == one.unreached
                if shortest and not varies:
                    assert many.statistics.depth == one.statistics.depth
                    lengths = [len(trace.steps) for trace in one.traces]
                    assert sorted(len(trace.steps) for trace in many.traces) == sorted(lengths)


by_profile = pytest.mark.parametrize("profile", sorted(PROFILES))


@by_profile
@given(data=st.data())
@settings(relaxed, max_examples=FEW, derandomize=True)
def test_random_programs(profile: str, data: st.DataObject) -> None:
    agree(data.draw(programs(PROFILES[profile])), ["auto", "none"])


@by_profile
@given(data=st.data())
@settings(relaxed, max_examples=FEW, derandomize=True)
def test_random_programs_in_another_store(profile: str, data: st.DataObject) -> None:
    store = STORES[sorted(PROFILES).index(profile) % len(STORES)]
    agree(data.draw(programs(PROFILES[profile])), ["none"], **store)


@pytest.mark.slow
@by_profile
@given(data=st.data())
@settings(relaxed, max_examples=MANY)
def test_many_random_programs(profile: str, data: st.DataObject) -> None:
    agree(data.draw(programs(PROFILES[profile])), SCHEMES)


@pytest.mark.slow
@by_profile
@given(data=st.data(), store=st.sampled_from(STORES))
@settings(relaxed, max_examples=MANY)
def test_many_random_programs_in_another_store(
    profile: str, data: st.DataObject, store: dict[str, Any]
) -> None:
    agree(data.draw(programs(PROFILES[profile])), ["auto", "none", "static"], **store)


@pytest.mark.parametrize("order", ["dfs", "bfs"])
@pytest.mark.parametrize("name", ["peterson", "philosophers", "leader_election"])
def test_examples_under_a_sanitizer(name: str, order: str) -> None:
    model = next(EXAMPLES.glob(f"{name}*.pml"), None)
    if model is None:
        pytest.skip(f"there is no example {name}")
    one = check(model, 1, shortest=order == "bfs")
    many = check(model, 3, WATCHED, shortest=order == "bfs")
    assert many.verdict == one.verdict


@pytest.mark.slow
@pytest.mark.parametrize("model", sorted(EXAMPLES.glob("*.pml")), ids=lambda path: path.stem)
def test_all_examples_under_a_sanitizer(model: Path) -> None:
    for shortest in (False, True):
        one = check(model, 1, shortest=shortest, max_states=200_000)
        if one.statistics.complete:
            assert check(model, 3, WATCHED, shortest=shortest).verdict == one.verdict


def test_the_statistics_and_the_report_say_how_many_threads() -> None:
    found = check(WIDE, 3, por="none")
    assert found.statistics.threads == 3
    assert "engine: native, 3 threads, reduction: none" in str(found)
    assert not any("thread" in note for note in found.notes)
    assert check(WIDE, 1).statistics.threads == 1


@pytest.mark.parametrize("shortest", [False, True])
@pytest.mark.parametrize("options", [{"store": "hash-compact"}, {"store": "bitstate", "bits": 22}])
def test_approximate_stores_report_as_on_one_thread(
    options: dict[str, Any], shortest: bool
) -> None:
    model = WIDE.replace("[5]", "[3]")
    one = check(model, 1, por="none", shortest=shortest, **options)
    found = check(model, 3, por="none", shortest=shortest, **options)
    assert (found.verdict, found.statistics.threads) == (one.verdict, 3)
    assert found.statistics.states >= one.statistics.states
    chances = [line for line in str(one).splitlines() if "chance" in line]
    assert chances
    assert all(chance in str(found) for chance in chances)
    assert any("both find" in note for note in found.notes) == (options["store"] == "bitstate")


def test_where_counts_may_vary_the_report_says_so() -> None:
    shared = WIDE.replace("_pid", "i % 5")
    found = check(shared, 3)
    assert found.statistics.threads == 3
    assert any("who comes first: the number of states may" in note for note in found.notes)


def test_what_goes_by_one_stack_says_so() -> None:
    found = check(WIDE, 4, por="dfs_po")
    assert any("one thread did safety: the reduction dfs_po" in note for note in found.notes)
    reference = whorl.check(PROCESSES, safety=True, engine="reference", threads=2)
    assert any("the reference engine has one" in note for note in reference.notes)


@pytest.mark.parametrize("store", ["exact", "hash-compact", "bitstate"])
def test_the_counterexample_of_threads_is_the_same_in_every_store(store: str) -> None:
    """The shortest one, of least states."""
    model = WIDE.replace("od }", "od; assert(x[0] + x[1] < 9) }").replace("[5]", "[3]")
    ways = {}
    for threads, kept in ((2, "tree"), (2, store), (3, store)):
        found = check(model, threads, por="none", shortest=True, store=kept)
        assert (found.verdict, found.statistics.threads) == ("violated", threads)
        ways[threads, kept] = [(step.pid, step.text) for step in found.traces[0].steps]
    assert len(set(map(str, ways.values()))) == 1


def test_a_small_search_is_over_before_the_others_come(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WHORL_CC", "gcc")
    monkeypatch.setattr(tiers, "PATIENCE", 60)
    assert whorl.check(WIDE, safety=True, threads=4).statistics.threads == 1


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, "5"),
        ({"threads": 2}, "2"),
        ({"threads": 1}, None),
        ({"por": "static"}, "5"),
        ({"por": "auto"}, "5"),
        ({"por": "auto", "shortest": True}, "5"),
        ({"por": "auto", "threads": 3}, "3"),
        ({"por": "auto", "store": "bitstate"}, None),
        ({"por": "dfs_po"}, None),
        ({"store": "bitstate"}, None),
        ({"store": "exact"}, "5"),
        ({"store": "hash-compact", "shortest": True}, "5"),
        ({"max_depth": 9}, None),
        ({"ltl": "[] (x[0] < 99)"}, "5"),
        ({"ltl": "[] (x[0] < 99)", "shortest": True}, "5"),
        ({"ltl": "[] (x[0] < 99)", "fair": True}, None),
        ({"ltl": "[] (x[0] < 99)", "fair": True, "threads": 2}, "2"),
    ],
)
def test_without_a_number_there_is_a_thread_for_each_core(
    monkeypatch: pytest.MonkeyPatch, options: dict[str, Any], expected: str | None
) -> None:
    """Where several store about what one does."""
    assert threads_wanted(monkeypatch, "gcc", 5, options) == expected


def test_verifiers_to_measure_have_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are all compiled in one way."""
    assert threads_wanted(monkeypatch, "gcc -O1", 5, {}) is None


@pytest.mark.parametrize(("there", "expected"), [(3, None), (4, "4")])
def test_cycles_have_several_threads_on_four_cores(
    monkeypatch: pytest.MonkeyPatch, there: int, expected: str | None
) -> None:
    assert threads_wanted(monkeypatch, "gcc", there, {"ltl": "[] (x[0] < 99)"}) == expected


def threads_wanted(
    monkeypatch: pytest.MonkeyPatch, compiler: str, there: int, options: dict[str, Any]
) -> str | None:
    """What the optimised verifier is told, if it is one for several threads."""
    finals: list[tiers.Final | None] = []
    search: Any = tiers.search

    def spy(*given: Any) -> Any:
        finals.append(given[-1])
        return search(*given[:-1], None)

    monkeypatch.setenv("WHORL_CC", compiler)
    monkeypatch.setattr(threads_module, "cores", lambda: there)
    monkeypatch.setattr(tiers, "search", spy)
    asked = {"por": "none", "safety": "ltl" not in options, **options}
    small = WIDE.replace("[5]", "[3]")  # what is wanted is known before the search
    assert whorl.check(small, **asked).verdict in ("holds", "inconclusive")
    (final,) = finals
    if final is None:
        return None
    assert final.text.startswith(THREADED)
    words = final.words(0)
    return words[words.index("--threads") + 1]
