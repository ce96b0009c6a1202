"""What to try next where a search did not finish, for each limit and each option that matters."""

from __future__ import annotations

from typing import Any

import pytest

from whorl import Result, check
from whorl.advice import Unfinished, advice, seen
from whorl.api import load
from whorl.program.semantics import Semantics
from whorl.search.exploration import Exploration, Options
from whorl.search.limits import INTERRUPTED, Limits, Progress
from whorl.task import NativeOptions, Task

LARGE = """#ifndef N
#define N 4
#endif
#define LENGTH 3
#define RED 7
byte x[N];
chan c = [LENGTH] of { byte };
active [N] proctype p() { do :: x[_pid]++ :: x[_pid] > RED -> x[_pid] = 0 :: c!1 :: c?_ od }
"""


def limited(text: str = LARGE, **options: Any) -> Result:
    given: dict[str, Any] = {"max_states": 200, "por": "none"} | options
    result = check(text, **given)
    assert result.verdict == "inconclusive"
    return result


def has(result: Result, start: str) -> bool:
    return any(line.startswith(start) for line in result.advice)


def test_nothing_is_said_of_a_search_that_finished() -> None:
    assert check("init { skip }").advice == ()
    assert check("init { assert(false) }").advice == ()


def test_states() -> None:
    result = limited(safety=True)
    assert result.advice[0] == "max_states above 200, or leave it out"
    assert any("before safety stopped, 200 states were seen" in note for note in result.notes)


def test_depth() -> None:
    result = check("byte x; init { do :: x++ od }", max_depth=3, merge=False, por="none")
    assert result.advice == ("max_depth above 3, or leave it out: there is no limit then",)


def test_constants_that_can_be_smaller() -> None:
    result = limited(safety=True)
    assert has(result, 'defines={"N": 3}: a smaller instance shows most errors (it is 4)')
    assert has(result, "a smaller LENGTH (it is 3)")
    assert not any("RED" in line for line in result.advice)  # no size
    given = limited(safety=True, defines={"N": 3})
    assert has(given, 'defines={"N": 2}: a smaller instance shows most errors (it is 3)')


def test_a_constant_of_which_the_value_is_not_known() -> None:
    either = "#ifdef SMALL\n#define LENGTH 2\n#else\n#define LENGTH 3\n#endif"
    result = limited(LARGE.replace("#define LENGTH 3", either), safety=True, defines={"SMALL": ""})
    assert not any("LENGTH" in line for line in result.advice)
    result = limited(safety=True, defines={"N": "(2 + 1)"})
    assert not any('"N"' in line for line in result.advice)


def test_a_counter() -> None:
    text = """int seq, unseen; bit b;
    active proctype p() { do :: seq++; unseen++ :: seq < 0 -> b = 1 od }"""
    result = limited(text, safety=True)
    (line,) = (line for line in result.advice if line.startswith("a bound for"))
    assert line.startswith("a bound for seq: it took ")
    assert not has(limited(safety=True, defines={"N": 2}), "a bound for p")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"por": "none"}, 'without por="none"'),
        ({"por": "auto", "shortest": True}, "without shortest=True"),
        ({"merge": False}, "without merge=False"),
        ({"engine": "reference"}, "a C compiler"),
        ({"por": "auto", "max_states": 20}, "`whorl explain MODEL`"),
    ],
)
def test_options_that_make_it_larger(options: dict[str, Any], said: str) -> None:
    result = limited(safety=True, **options)
    assert has(result, said), result.advice


def test_why_nothing_was_reduced() -> None:
    result = limited(f"{LARGE}\nltl x {{ [] X (x[0] < 300) }}", claim="x", por="auto")
    assert any("nothing was reduced, because" in line for line in result.advice)


def test_an_approximate_search() -> None:
    result = check("init { skip }", store="bitstate", bits=20)
    (line,) = result.advice
    assert line.startswith('store="tree", which is exact')


def test_an_unsound_reduction() -> None:
    result = check("bit p; active proctype a() { do :: p = 1 - p od }", ltl="[] <> p", por="v0")
    assert result.verdict == "inconclusive"
    (line,) = result.advice
    assert line.startswith('por="auto", which takes a reduction that is sound')


# --- causes that are not easily had, from what a search would say of them ------------------------


def unfinished(exploration: Exploration, limits: Limits, **native: Any) -> Unfinished:
    semantics = Semantics(load("init { skip }").program)
    task = Task(semantics, None, Options(limits=limits), NativeOptions(**native))
    return Unfinished(task, exploration, "native")


def stopped(why: str, states: int = 500_000) -> Exploration:
    progress = Progress(states, 2 * states, 9)
    return Exploration(progress, stopped=why, seconds=0.5, store_bytes=8 * states)


def test_time() -> None:
    limits = Limits(seconds=3)
    each = unfinished(stopped(limits.time_reached), limits)
    first, second, *_ = advice([each], 2, {})
    assert first == "--timeout above 3: it saw 1,000,000 states a second"
    assert second.startswith("one property at a time: the time is that of all 2 searches")
    assert not any("one property" in line for line in advice([each], 1, {}))
    assert seen(each) == (
        "before safety stopped, 500,000 states were seen to depth 9, 8.0 bytes a state,"
        " 50 % of the transitions led to a new state"
    )


def test_figures_of_a_search_that_has_hardly_begun() -> None:
    limits = Limits(states=1)
    begun = Exploration(Progress(1, 0, 0), stopped=limits.states_reached)
    assert begun.stopped == "the limit of 1 state was reached"
    assert seen(unfinished(begun, limits)) == "before safety stopped, 1 state was seen to depth 0"
    # a step is counted when it ends, and it may come to many states on its way
    begun = Exploration(Progress(10, 2, 2), stopped=Limits(states=10).states_reached)
    assert (
        seen(unfinished(begun, limits)) == "before safety stopped, 10 states were seen to depth 2"
    )


def test_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("whorl.advice.available_bytes", lambda: 10 << 30)
    limits = Limits(memory_bytes=1 << 30)
    said = advice([unfinished(stopped(limits.memory_reached), limits)], 1, {})
    assert said[0] == (
        "--memory 8192M, 80 % of what is free: as many states for their memory as here would be"
        " some 4,000,000"
    )
    assert any(line.startswith("--store hash-compact") for line in said)
    assert any(line.startswith("--store bitstate") for line in said)
    said = advice([unfinished(stopped(limits.memory_reached), limits, store="exact")], 1, {})
    assert any(line.startswith("--store tree") for line in said)
    shared = Limits(memory_bytes=1 << 30, share_of="what was free")
    said = advice([unfinished(stopped(shared.memory_reached), shared)], 1, {})
    assert said[0] == "more memory, or free some: this was 80 % of what was free"


def test_no_more_memory_than_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("whorl.advice.available_bytes", lambda: 1 << 20)
    limits = Limits(memory_bytes=1 << 30)
    said = advice([unfinished(stopped(limits.memory_reached), limits)], 1, {})
    assert not any(line.startswith("--memory") for line in said)


def test_an_interrupt() -> None:
    said = advice([unfinished(stopped(INTERRUPTED), Limits())], 1, {})
    assert said[0] == "let it run, or set a limit with --timeout or --memory"


def test_a_search_that_did_not_begin_has_no_figures() -> None:
    each = unfinished(Exploration(stopped="the time limit of 1 s was reached"), Limits(seconds=1))
    assert seen(each) is None
