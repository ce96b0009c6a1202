"""The GPU engine, on a processor that stands in for a GPU: it finds what the native engine does."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import whorl
from support.generator import PROFILES, programs
from support.gpu import check_gpu, stand_in
from whorl.diagnostics import WhorlError
from whorl.native.code.generate import Generated
from whorl.native.gpu import engine, search, store
from whorl.native.gpu.device import DeviceFailed, DeviceFull
from whorl.native.gpu.elimination import Elimination
from whorl.native.gpu.processor import ProcessorDevice
from whorl.search.limits import LEAST, Limits, Progress
from whorl.task import Task
from whorl.verdict import Result

LEVELS = "gcc -O0 -DWHORL_SURVEY_AT=1 -DWHORL_TICK=1"  # the other threads come at once
MOST_STATES = 3_000  # a larger program is left out
EXAMPLES = Path(__file__).parents[3] / "examples"
SCHEMES = [
    ("none", "all"),
    ("static", "all"),
    ("static", "selective"),
    ("two-phase", "all"),
    ("two-phase", "selective"),
]
FEW = [SCHEMES[0], SCHEMES[2], SCHEMES[4]]
FAST_PROFILES = sorted(PROFILES)[::4]

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="this machine has no gcc")

relaxed = settings(
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large], deadline=None
)


def native(model: str | Path, threads: int = 1, **options: Any) -> Result:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WHORL_CC", LEVELS)
        return whorl.check(model, engine="native", safety=True, threads=threads, **options)


def failures(result: Result) -> set[tuple[str, str]]:
    return {(trace.kind, trace.message) for trace in result.traces}


def agree(model: str | Path, schemes: list[tuple[str, str]], **on_device: Any) -> None:
    """The same states, transitions, coverage and failures as the native engine's."""
    for scheme, cache in schemes:
        options: dict[str, Any] = {"por": scheme, "cache": cache, "all_errors": True}
        one = native(model, max_states=MOST_STATES, **options)
        if not one.statistics.complete:
            return
        found = check_gpu(model, **on_device, **options)
        assert found.verdict == one.verdict
        assert failures(found) == failures(one)
        assert found.statistics.states == one.statistics.states
        assert found.statistics.transitions == one.statistics.transitions
        assert found.unreached == one.unreached


def agree_by_levels(model: str | Path, **on_device: Any) -> None:
    """The same depth, and the same counterexamples, as those of threads by levels."""
    for all_errors in (False, True):
        options: dict[str, Any] = {"shortest": True, "all_errors": all_errors}
        one = native(model, 2, max_states=MOST_STATES, **options)
        if not one.statistics.complete and not one.traces:
            return
        found = check_gpu(model, **on_device, **options)
        assert [str(trace) for trace in found.traces] == [str(trace) for trace in one.traces]
        assert (found.verdict, found.statistics.depth) == (one.verdict, one.statistics.depth)


@pytest.mark.parametrize("small", [False, True], ids=["roomy", "small"])
@pytest.mark.parametrize("name", ["two_phase_commit", "lost_update", "philosophers"])
def test_examples(name: str, small: bool) -> None:
    agree(EXAMPLES / f"{name}.pml", FEW, loops=1 + 2 * small, small=small)
    agree_by_levels(EXAMPLES / f"{name}.pml", loops=2, small=small)


@pytest.mark.slow
@pytest.mark.parametrize("model", sorted(EXAMPLES.glob("*.pml")), ids=lambda path: path.stem)
def test_all_examples(model: Path) -> None:
    agree(model, SCHEMES)
    agree(model, FEW, loops=3, small=True)
    agree_by_levels(model, loops=2)


@pytest.mark.parametrize("profile", FAST_PROFILES)
@given(data=st.data())
@settings(relaxed, max_examples=1, derandomize=True)
def test_random_programs(profile: str, data: st.DataObject) -> None:
    text = data.draw(programs(PROFILES[profile]))
    agree(text, [SCHEMES[0], SCHEMES[4]], small=True)
    agree_by_levels(text)


@pytest.mark.slow
@pytest.mark.parametrize("profile", sorted(PROFILES))
@given(data=st.data())
@settings(relaxed, max_examples=40)
def test_many_random_programs(profile: str, data: st.DataObject) -> None:
    text = data.draw(programs(PROFILES[profile]))
    agree(text, SCHEMES)
    agree(text, SCHEMES, loops=3, small=True)
    agree_by_levels(text, loops=2, small=True)


CONSTRUCTS = {
    "timeout": """byte a; active proctype P() { do :: a < 2 -> a++ :: timeout -> break od; a = 9 }
        active proctype Q() { timeout; assert(a == 2) }""",
    "rendezvous": """chan c = [0] of { byte }; byte got;
        active [2] proctype P() { atomic { c!_pid; c!7 } }
        active proctype Q() { byte x; do :: c?x -> got = got + x; assert(got < 9) od }""",
    "faults": """byte a, b[3]; active [2] proctype P() {
        do :: a < 4 -> d_step { b[a] = a; a++ } :: a = a / (3 - a) od }""",
    "round": """bit b; byte n; active proctype P() { atomic { do :: b = 1 - b :: n < 3 -> n++ od } }
        active proctype Q() { n > 1 -> assert(b) }""",
    "births": """byte n; proctype W(byte k) { n = n + k; assert(n < 5) }
        init { byte i; do :: i < 3 -> run W(i); i++ :: else -> break od }""",
    "priorities": """byte n; proctype W(byte k) provided (n < 4) { n++; n++; assert(n < 4) }
        init { atomic { run W(1) priority 3; run W(2) priority 5 } }""",
    # Compilers for a GPU take it that an int does not overflow.
    "wraps": """int a = 2147483646, b; active proctype P() { a++; do
        :: a + 1 > a -> assert(false) :: b == 0 -> b = a * 2; assert(b / 2 == a)
        :: b < 0 -> b = a - -1; assert(-b > 0) od }""",
}


@pytest.mark.parametrize("name", CONSTRUCTS)
def test_constructs(name: str) -> None:
    agree(CONSTRUCTS[name], FEW[::2])
    agree_by_levels(CONSTRUCTS[name], small=True)


def test_two_who_find_the_same_state_at_once_store_it_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """One of them has taken an index in vain: nobody may look at what lies there."""
    text = "byte a, b; active proctype P() { do :: a < 12 -> a++ :: b < 12 -> b++ :: else od }"
    holes: list[int] = []
    close = search.LevelSearch.close

    def counted(self: search.LevelSearch) -> None:
        holes.append(self.tally.holes)
        close(self)

    monkeypatch.setattr(search.LevelSearch, "close", counted)
    for _ in range(5):  # until it happens, which is at once
        found = check_gpu(text, 4, compiler="gcc -O0 -DWHORL_STRESS=1", por="none", merge=False)
        one = native(text, por="none", merge=False)
        assert found.statistics.states == one.statistics.states
        assert found.statistics.transitions == one.statistics.transitions
        if holes[-1]:
            return
    raise AssertionError("no two loops found the same state at once")


COUNTER = "byte a, b; active proctype P() { do :: a++ :: b++ od }"


def test_the_report_names_the_engine_and_a_reduction_that_knows_no_order() -> None:
    found = check_gpu("active [2] proctype P() { byte i; i++; i++; i++ }")
    assert "engine: gpu, reduction: two-phase" in str(found)
    assert check_gpu(COUNTER, shortest=True).statistics.states == 65_536


def test_limits_end_a_search_with_its_figures() -> None:
    states = check_gpu(COUNTER, por="none", max_states=500)
    assert states.verdict == "inconclusive"
    assert "the limit of 500 states" in str(states)
    assert states.statistics.states > 500
    deep = check_gpu(COUNTER, por="none", max_depth=10)
    assert (deep.statistics.complete, deep.statistics.states) == (False, 66)
    full = check_gpu(COUNTER, por="none", memory=3 << 20)
    assert full.verdict == "inconclusive"
    assert "the memory of the GPU is full" in str(full)


def test_the_user_ends_a_search_and_gets_its_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(progress: Progress) -> None:
        if progress.states > 100:
            raise KeyboardInterrupt

    monkeypatch.setattr(search, "PROGRESS_SECONDS", 0.0)
    found = check_gpu(COUNTER, por="none", report=interrupt)
    assert (found.verdict, found.exit_code) == ("inconclusive", 3)
    assert found.statistics.states > 100
    assert "it was interrupted" in str(found)


def test_the_time_ends_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Limits, "seconds_left", lambda self, before: LEAST)
    found = check_gpu(COUNTER, por="none", timeout=60)
    assert found.verdict == "inconclusive"
    assert "the time limit of 60 s was reached" in str(found)
    assert found.statistics.states > 0


def test_all_the_memory_is_used_before_it_is_full() -> None:
    kept: list[search.LevelSearch] = []

    class Kept(search.LevelSearch):
        def close(self) -> None:
            kept.append(self)
            assert self.store.bytes <= self.store.budget
            assert self.world.capacity * 8 * self.shape.words > 0.3 * self.store.budget
            super().close()

    text = "int a, b; active proctype P() { do :: a++ :: b++ od }"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "LevelSearch", Kept)
        found = check_gpu(text, por="none", merge=False, memory=9 << 20)
    assert "the memory of the GPU is full" in str(found)
    assert found.statistics.states >= 0.99 * kept[0].world.capacity


BEGINS = 14  # buffers that a search begins with


class CrowdedDevice(ProcessorDevice):
    """Others take its memory as soon as the store is to grow, and the user may lose patience."""

    left = 100  # how often it still gives memory
    copied: BaseException | None = None

    def allocate(self, size: int) -> int:
        if self.left == 0:
            raise DeviceFull
        self.left -= 1
        return super().allocate(size)

    def copy(self, to: int, source: int, size: int) -> None:
        if self.copied is not None:
            raise self.copied
        super().copy(to, source, size)


def on(device: ProcessorDevice, model: str, **options: Any) -> Result:
    with stand_in(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "device_here", lambda: device)
        patch.setattr(store, "FIRST", 100)
        return whorl.check(model, engine="gpu", safety=True, **options)


def test_a_device_that_others_have_filled_when_the_store_is_to_grow() -> None:
    device = CrowdedDevice()
    device.left = BEGINS
    found = on(device, COUNTER, por="none")
    assert found.verdict == "inconclusive"
    assert "the memory of the GPU is full" in str(found)
    assert found.statistics.states >= 100
    assert device.free_bytes == device.memory


def test_what_fails_before_the_store_cannot_grow_is_told() -> None:
    device = CrowdedDevice()
    device.left = BEGINS
    text = "byte a, b; active proctype P() { do :: a++ :: b++ :: assert(a + b < 12) od }"
    found = on(device, text, por="none")
    assert (found.verdict, len(found.traces[0].steps)) == ("violated", 13)
    assert device.free_bytes == device.memory


def test_the_user_ends_a_search_while_its_store_grows() -> None:
    device = CrowdedDevice()
    device.copied = KeyboardInterrupt()
    found = on(device, COUNTER, por="none")
    assert (found.verdict, found.exit_code) == ("inconclusive", 3)
    assert "it was interrupted" in str(found)
    assert device.free_bytes == device.memory


def test_a_claim_of_which_nothing_was_eliminated_does_not_hold(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Elimination, "anything_left", lambda self: False)
    with pytest.raises(DeviceFailed, match="no round of elimination was done"):
        check_gpu(COUNTER, ltl="[]<> (a == 9)", por="none")


def test_a_claim_that_is_searched_as_safety_is_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search for violations of safety would say of any formula that it holds."""
    shape = engine._shape

    def as_safety(task: Task, generated: Generated) -> search.Shape:
        return replace(shape(task, generated), claim=False)

    monkeypatch.setattr(engine, "_shape", as_safety)
    with pytest.raises(AttributeError, match="whorl_gpu_begin"):  # there is no such kernel
        check_gpu(COUNTER, ltl="[]<> (a == 9)", por="none")


def test_a_formula_is_checked_within_limits() -> None:
    formula = "[]<> (a == 9)"
    few = check_gpu(COUNTER, ltl=formula, por="none", max_states=300)
    assert (few.verdict, few.exit_code) == ("inconclusive", 3)
    assert few.statistics.states > 300
    deep = check_gpu(COUNTER, ltl="<>[] (a < 200)", por="none", max_depth=10)
    assert (deep.verdict, deep.statistics.complete) == ("inconclusive", False)
    full = check_gpu(COUNTER, ltl=formula, por="none", memory=3 << 20)
    assert full.verdict == "inconclusive"
    assert "the memory of the GPU is full" in str(full)
    small = "byte a; active proctype P() { do :: a < 3 -> a++ :: a = 0 od }"
    found = check_gpu(small, ltl="[]<> (a == 3)", por="none")
    assert (found.verdict, found.traces[0].loop is None) == ("violated", False)


def test_a_device_without_room_to_begin() -> None:
    found = check_gpu(COUNTER, memory=1 << 20)
    assert found.verdict == "inconclusive"
    assert "not enough free memory to begin" in str(found)


def test_a_state_that_no_buffer_is_large_enough_for(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "byte a; active proctype P() { atomic { do :: a < 200 -> a++ :: else -> break od } }"
    assert check_gpu(text, por="none").verdict == "holds"
    monkeypatch.setattr(search, "ROOMS", (8, 64))
    found = check_gpu(text, por="none")
    assert found.verdict == "inconclusive"
    assert "the buffers of the GPU are too small" in str(found)


def test_what_fails_before_a_limit_is_told() -> None:
    text = "byte a, b; active proctype P() { do :: a++ :: b++ :: assert(a + b < 31) od }"
    found = check_gpu(text, por="none", max_states=540)  # in the middle of the level that fails
    assert found.verdict == "violated"
    assert len(found.traces[0].steps) == 32


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"ltl": "[] (a < 9)", "fair": True}, "knows no fairness"),
        ({"ltl": "[] (a < 9)", "algorithm": "fig4"}, "goes by a stack"),
        ({"ltl": "[] (a < 9)", "por": "si"}, "looks at the stack"),
        ({"ltl": "[] (a < 9)", "por": "v1"}, "looks at the stack"),
        ({"non_progress": True, "algorithm": "fig5"}, "goes by a stack"),
        ({"safety": True, "por": "auto", "store": "tree"}, "does not go with store"),
        ({"safety": True, "por": "dfs_po"}, "depends on the order of the search"),
        ({"safety": True, "por": "two-phase-ample"}, "depends on the order of the search"),
    ],
)
def test_what_it_does_not_do_is_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(WhorlError, match=said):
        whorl.check(COUNTER, engine="gpu", **options)


def test_embedded_c_is_refused() -> None:
    text = "c_decl { int n; } active proctype P() { c_code { n++; } }"
    with pytest.raises(WhorlError, match="embedded C"):
        whorl.check(text, engine="gpu", safety=True, allow_embedded_c=True)


def test_without_a_gpu_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "cupy", None)
    with pytest.raises(WhorlError) as caught:
        whorl.check(COUNTER, engine="gpu", safety=True)
    assert "needs a GPU" in str(caught.value)
    assert "pip install 'whorl[gpu]'" in str(caught.value)
