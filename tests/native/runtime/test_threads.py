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

ANY_STORE = ["-DWHORL_THREADS=1", "-pthread"]
THREADS = [*ANY_STORE, "-DWHORL_ONLY=WHORL_TREE"]
EXACT = [*ANY_STORE, "-DWHORL_ONLY=WHORL_EXACT"]
WATCHED = ["-g", "-O1", "-fsanitize=thread", "-DWHORL_STRESS=7"]
OFTEN = ["-O2", "-DWHORL_STRESS=7", "-DTRIALS=20000"]  # giving way takes long on a busy machine
TINY = [
    "-DWHORL_INDEX_SMALL=64",
    "-DWHORL_INDEX_CHUNK=512",
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
APPROXIMATE = ["hash-compact", "bitstate"]


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


@pytest.mark.parametrize(
    "options",
    [
        pytest.param([*SANITIZERS], id="addresses"),
        pytest.param(OFTEN, id="optimised"),
        pytest.param(
            [*OFTEN, "-DWHORL_WORDS=12", "-DWHORL_STORE_NARROW=15", *TINY],
            id="packed-and-wide",
        ),
        pytest.param(
            [*OFTEN, "-DWHORL_WORDS=40", "-DWHORL_STORE_NARROW=19", *TINY],
            id="40-words-and-wide",
        ),
        pytest.param([*WATCHED, "-DTRIALS=6000"], id="watched"),
        pytest.param([*WATCHED, "-DTRIALS=6000", "-DWHORL_STORE_NARROW=13", *TINY], id="wide"),
        pytest.param([*WATCHED, "-DTRIALS=800", "-DWHORL_HASH_MASK=0x300000000"], id="4-hashes"),
        pytest.param(
            [
                *[*WATCHED, *TINY, "-DTRIALS=800"],
                *["-DWHORL_HASH_MASK=0x300000000", "-DWHORL_STORE_NARROW=11"],
            ],
            id="4-hashes-and-wide",
        ),
    ],
)
def test_a_state_is_put_to_the_exact_store_once(build: Build, options: list[str]) -> None:
    driver = build("exact.c", "-pthread", "-Wno-unused-function", *options)
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
    as_on_one_thread(plain, done, order, count)


@pytest.fixture(scope="module", params=["watched", "tiny", "packed"])
def exact(build: Build, request: pytest.FixtureRequest) -> Path:
    options = {
        "watched": WATCHED,
        "tiny": ["-O1", "-DWHORL_STRESS=7", "-DWHORL_STORE_NARROW=12", *TINY],
        "packed": ["-O1", "-DWHORL_STRESS=7", "-DWHORL_WORDS=9", "-DWHORL_STORE_NARROW=12", *TINY],
    }
    return build("peterson.c", *EXACT, *EARLY, *options[request.param])


@pytest.mark.parametrize(("order", "count"), SEARCHES)
def test_the_same_is_found_with_the_exact_store(
    build: Build, exact: Path, order: str, count: str
) -> None:
    plain, _ = run(build("peterson.c", "-O2"), "--order", order, "--store", "exact")
    done, violations = run(exact, "--order", order, "--threads", count)
    assert violations == []
    assert done["store"] == "exact"
    as_on_one_thread(plain, done, order, count)


def as_on_one_thread(plain: dict[str, Any], done: dict[str, Any], order: str, count: str) -> None:
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


@pytest.mark.parametrize("store", APPROXIMATE)
@pytest.mark.parametrize(("order", "count"), SEARCHES)
def test_approximate_stores(
    build: Build, approximate: list[Path], store: str, order: str, count: str
) -> None:
    """Two threads may find a state new where each sets a bit; no hash is new twice."""
    right, broken = approximate
    options = ["--store", store, "--bits", "22", "--order", order]
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

    if order == "bfs":
        assert done["depth"] == plain["depth"]

    done, [violation] = run(broken, *options, "--threads", count)
    assert (done["stopped"], violation["site"]) == ("violation", 0)
    assert follow_peterson(violation["choices"], 3) == 2


@pytest.mark.parametrize("words", ["3", "9"])
def test_by_levels_the_way_is_the_same_in_every_store(build: Build, words: str) -> None:
    """It is made of least states, however they are kept."""
    options = [*ANY_STORE, *SOON, "-O1", "-DWHORL_STRESS=31", "-DN=3", "-DBROKEN", *TINY]
    verifier = build("peterson.c", *options, f"-DWHORL_WORDS={words}", "-DWHORL_ARENA_BLOCK=64")
    ways = []
    for store, count in itertools.product(["tree", "exact", *APPROXIMATE], COUNTS):
        options = ["--store", store, "--order", "bfs", "--bits", "22", "--threads", count]
        _, [violation] = run(verifier, *options, "--max-states", "100000")
        ways.append(violation["choices"])
    assert follow_peterson(ways[0], 3) == 2
    assert len(ways[0]) == 2 * (1 + 2 * 6 + 1)
    assert all(way == ways[0] for way in ways)


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


@pytest.mark.parametrize("store", ["tree", "exact", *APPROXIMATE])
@pytest.mark.parametrize(("order", "count"), SEARCHES)
def test_violations_and_their_trails(build: Build, store: str, order: str, count: str) -> None:
    verifier = build("faults.c", *ANY_STORE, *AT_ONCE, *WATCHED)
    options = ["--order", order, "--threads", count, "--store", store, "--bits", "20"]
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
@pytest.mark.parametrize("store", ["tree", "exact", "hash-compact"])
def test_limits(build: Build, store: str, order: str) -> None:
    grid = build("grid.c", *ANY_STORE, *EARLY, *WATCHED)
    options = ["--order", order, "--threads", "3", "--store", store]
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
    return build("grid.c", *ANY_STORE, "-O2", "-DNDEBUG", "-DDIGITS=8", "-DBASE=30")


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("store", ["tree", "exact", "hash-compact"])
def test_the_memory_limit_is_kept(large: Path, store: str, order: str) -> None:
    limit = 48 << 20
    options = ["--order", order, "--threads", "3", "--memory", str(limit), "--store", store]
    done, _ = run(large, *options)
    assert done["stopped"] == "memory"
    assert done["states"] > 300_000
    assert done["threads"] == 3
    assert done["memory_bytes"] < limit + (16 << 20)  # what each thread has met lately, and stacks


@pytest.mark.parametrize(("order", "number"), [("dfs", signal.SIGINT), ("bfs", signal.SIGTERM)])
@pytest.mark.parametrize("store", ["tree", "exact", "hash-compact"])
def test_an_interrupt_gives_the_figures_so_far(
    large: Path, store: str, order: str, number: signal.Signals
) -> None:
    command = [str(large), "--threads", "3", "--order", order, "--store", store]
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
