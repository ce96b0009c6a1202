"""The C runtime on several threads: its store on its own, and searches of written models."""

from __future__ import annotations

import itertools
import json
import math
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

from support.runtime import ATOMIC, SANITIZERS, Build, builder, follow_peterson, run

THREADS = ["-DWHORL_THREADS=1", "-DWHORL_ONLY=WHORL_TREE", "-pthread"]
WATCHED = ["-g", "-O1", "-fsanitize=thread", "-DWHORL_STRESS=7"]
TINY = [
    "-DWHORL_INDEX_SMALL=64",
    "-DWHORL_ROOTS_SMALL=4",
    "-DWHORL_ROOTS_CHUNK=128",
    "-DWHORL_RECENT=4",
    "-DWHORL_LEASE=3",
]
EARLY = ["-DWHORL_SURVEY_AT=1000", "-DWHORL_TICK=64"]  # states before the other threads come
SOON = ["-DWHORL_SURVEY_AT=20", "-DWHORL_TICK=4"]
AT_ONCE = ["-DWHORL_SURVEY_AT=1", "-DWHORL_TICK=1"]
COUNTS = ["1", "2", "3", "8"]
ORDERS = ["dfs", "bfs"]
SEARCHES = list(itertools.product(ORDERS, COUNTS))


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    return builder(tmp_path_factory.mktemp("threads"))


@pytest.mark.parametrize(
    "options",
    [
        pytest.param([*SANITIZERS], id="addresses"),
        pytest.param(["-O2", "-DWHORL_STRESS=3", "-DTRIALS=20000"], id="optimised"),
        pytest.param(["-O2", "-DWHORL_WORDS=12", "-DWHORL_STRESS=7", *TINY], id="12-words"),
        pytest.param([*WATCHED, "-DTRIALS=6000"], id="watched"),
        pytest.param([*WATCHED, "-DTRIALS=6000", *TINY], id="tiny"),
        pytest.param([*WATCHED, "-DTRIALS=1000", "-DWHORL_HASH_MASK=0x300000000"], id="4-hashes"),
    ],
)
def test_what_several_threads_store_is_new_once(build: Build, options: list[str]) -> None:
    driver = build("shared.c", "-pthread", "-Wno-unused-function", *options)
    result = subprocess.run([driver], capture_output=True, text=True, timeout=300)
    assert (result.returncode, result.stdout) == (0, "ok\n"), result.stderr


@pytest.mark.parametrize(
    "options",
    [
        pytest.param([*SANITIZERS, "-DTRIALS=5000"], id="addresses"),
        pytest.param(["-O2", "-DWHORL_STRESS=3"], id="optimised"),
        pytest.param([*WATCHED, "-DTRIALS=3000", *TINY], id="tiny"),
        pytest.param([*WATCHED, "-DTRIALS=500", "-DWHORL_HASH_MASK=0x300000000"], id="4-hashes"),
    ],
)
def test_a_root_has_one_number(build: Build, options: list[str]) -> None:
    driver = build("numbers.c", "-pthread", "-Wno-unused-function", *options)
    result = subprocess.run([driver], capture_output=True, text=True, timeout=120)
    assert (result.returncode, result.stdout) == (0, "ok\n"), result.stderr


@pytest.fixture(scope="module", params=["watched", "tiny", "optimised"])
def peterson(build: Build, request: pytest.FixtureRequest) -> Path:
    options = {"watched": WATCHED, "tiny": ["-O1", "-DWHORL_STRESS=7", *TINY], "optimised": ["-O2"]}
    return build("peterson.c", *THREADS, *EARLY, *options[request.param])


@pytest.mark.parametrize(("order", "count"), SEARCHES)
def test_the_same_is_found_by_any_number_of_threads(
    build: Build, peterson: Path, order: str, count: str
) -> None:
    plain, _ = run(build("peterson.c", "-O2"), "--order", order, "--store", "tree")
    done, violations = run(peterson, "--order", order, "--threads", count)
    assert violations == []
    assert done["stopped"] is None
    assert done["threads"] == int(count)
    same = ["states", "transitions", "reached", "finished", "truncated", "endless"]
    assert [done[key] for key in same] == [plain[key] for key in same]
    if order == "bfs":
        assert done["depth"] == plain["depth"]


@pytest.fixture(scope="module")
def approximate(build: Build) -> list[Path]:
    """peterson.c with the approximate stores, as it is and with a mistake."""
    options = ["-DWHORL_THREADS=1", "-pthread", *WATCHED, "-DWHORL_INDEX_SMALL=128"]
    right = build("peterson.c", *options, "-DWHORL_LEASE=3", *EARLY)
    return [right, build("peterson.c", *options, *SOON, "-DN=3", "-DBROKEN")]


@pytest.mark.parametrize("store", ["hash-compact", "bitstate"])
@pytest.mark.parametrize("count", COUNTS)
def test_approximate_stores(build: Build, approximate: list[Path], store: str, count: str) -> None:
    """Two threads may find a state new where each sets a bit; no hash is new twice."""
    right, broken = approximate
    options = ["--store", store, "--bits", "22"]
    plain, _ = run(build("peterson.c", "-O2"), *options)
    done, violations = run(right, *options, "--threads", count)
    assert violations == []
    assert (done["stopped"], done["threads"]) == (None, int(count))
    same = ["reached", "finished", "truncated", "endless"]
    assert [done[key] for key in same] == [plain[key] for key in same]
    assert plain["states"] <= done["states"] <= plain["states"] * (1 + 0.1 * (store == "bitstate"))
    assert done["collision"] == pytest.approx(
        plain["collision"], rel=1e-6, abs=0
    )  # what is set is the same

    done, [violation] = run(broken, *options, "--threads", count)
    assert (done["stopped"], violation["site"]) == ("violation", 0)
    assert follow_peterson(violation["choices"], 3) == 2


def test_by_levels_states_are_in_the_tree(approximate: list[Path]) -> None:
    command = [str(approximate[0]), "--store", "bitstate", "--order", "bfs"]
    refused = subprocess.run(command, capture_output=True, text=True)
    assert refused.returncode == 2
    assert "by levels" in refused.stderr


@pytest.mark.parametrize("order", ORDERS)
def test_a_trail_can_be_followed(build: Build, order: str) -> None:
    verifier = build("peterson.c", *THREADS, *SOON, *WATCHED, "-DN=3", "-DBROKEN")
    found = []
    for count in COUNTS:
        done, [violation] = run(verifier, "--order", order, "--threads", count)
        assert (done["stopped"], violation["site"]) == ("violation", 0)
        assert follow_peterson(violation["choices"], 3) == 2
        assert follow_peterson(violation["choices"][:-1], 3) == 1
        found.append(violation["choices"])
    if order == "bfs":  # the same one, and as short as any
        assert len(found[0]) == 2 * (1 + 2 * 6 + 1)
        assert all(choices == found[0] for choices in found)


@pytest.mark.parametrize(("order", "count"), SEARCHES)
def test_violations_and_their_trails(build: Build, order: str, count: str) -> None:
    verifier = build("faults.c", *THREADS, *AT_ONCE, *WATCHED)
    options = ["--order", order, "--threads", count]
    done, [violation] = run(verifier, *options)
    assert done["stopped"] == "violation"
    if order == "bfs":
        assert violation["site"] == 0
        assert violation["choices"] == ATOMIC[:2]

    done, violations = run(verifier, *options, "--all-errors")
    assert (done["stopped"], done["states"], done["transitions"]) == (None, 7, 9)
    assert done["reached"] == "ff"
    trails = {violation["site"]: violation["choices"] for violation in violations}
    assert len(violations) == len(trails) == 3
    assert trails[1][-1] == [0, 3, -1, -1]
    assert trails[-1][-1] == [1, 6, 0, 7]
    assert [choice for choice in trails[-1] if choice[0] == 0] == ATOMIC
    if order == "bfs":
        assert trails[0] == ATOMIC[:2]
        assert trails[1] == [*ATOMIC, [0, 3, -1, -1]]

    _, violations = run(verifier, *options, "--all-errors", "--no-assertions", "--no-end-states")
    assert [violation["site"] for violation in violations] == [1]


@pytest.mark.parametrize("order", ORDERS)
def test_limits(build: Build, order: str) -> None:
    grid = build("grid.c", *THREADS, *EARLY, *WATCHED)
    options = ["--order", order, "--threads", "3"]
    done, _ = run(grid, *options, "--max-states", "10000")
    assert (done["stopped"], done["states"]) == ("states", 10000)
    done, _ = run(grid, *options, "--max-states", str(6**6))
    assert (done["stopped"], done["states"]) == (None, 6**6)
    done, _ = run(grid, *options, "--max-depth", "12")
    assert (done["stopped"], done["truncated"]) == (None, True)
    assert done["states"] <= 6**6
    if order == "bfs":
        assert (done["states"], done["depth"]) == (grid_states(12), 12)
    done, _ = run(grid, *options, "--seconds", "0")
    assert done["stopped"] == "time"
    done, _ = run(grid, *options, "--memory", "1000")
    assert (done["stopped"], done["states"]) == ("memory", 0)


def grid_states(depth: int) -> int:
    """How many states of the grid, of six digits below six, have this sum or less."""
    return sum(
        (-1) ** k * math.comb(6, k) * math.comb(depth - 6 * k + 6, 6) for k in range(depth // 6 + 1)
    )


@pytest.fixture(scope="module")
def large(build: Build) -> Path:
    return build("grid.c", *THREADS, "-O2", "-DNDEBUG", "-DDIGITS=8", "-DBASE=30")


@pytest.mark.parametrize("order", ORDERS)
def test_the_memory_limit_is_kept(large: Path, order: str) -> None:
    limit = 48 << 20
    options = ["--order", order, "--threads", "3", "--memory", str(limit)]
    done, _ = run(large, *options)
    assert done["stopped"] == "memory"
    assert done["states"] > 300_000
    assert done["threads"] == 3
    assert done["memory_bytes"] < limit + (16 << 20)  # what each thread has met lately, and stacks


@pytest.mark.parametrize(("order", "number"), [("dfs", signal.SIGINT), ("bfs", signal.SIGTERM)])
def test_an_interrupt_gives_the_figures_so_far(
    large: Path, order: str, number: signal.Signals
) -> None:
    command = [str(large), "--threads", "3", "--order", order]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        progress: dict[str, Any] = {"states": 0}
        while progress["states"] < 400_000:  # they are all there
            progress = json.loads(process.stdout.readline())
        process.send_signal(number)
        *_, last = process.stdout
        assert process.wait(timeout=20) == 0
    done = json.loads(last)
    assert done["stopped"] == "interrupted"
    assert done["states"] >= progress["states"]
    assert done["threads"] == 3
