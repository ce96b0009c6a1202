"""The C runtime of the native engine: its stores on their own, and searches of written models."""

from __future__ import annotations

import itertools
import json
import math
import signal
import subprocess
from pathlib import Path

import pytest

from support.runtime import ATOMIC, SANITIZERS, Build, builder, follow_peterson, run

STORES = ["exact", "tree", "hash-compact", "bitstate"]
ORDERS = ["dfs", "bfs"]
SEARCHES = list(itertools.product(STORES, ORDERS))


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    return builder(tmp_path_factory.mktemp("runtime"))


@pytest.mark.parametrize(
    ("options", "language"),
    [
        pytest.param(["-DWHORL_WORDS=3"], "c", id="3-words"),
        pytest.param(["-DWHORL_WORDS=3"], "c++", id="3-words-c++"),
        pytest.param(["-DWHORL_WORDS=1"], "c", id="1-word"),
        pytest.param(["-DWHORL_WORDS=2"], "c", id="2-words"),
        pytest.param(["-DWHORL_WORDS=1", "-U__SSE2__"], "c", id="1-word-no-sse"),
        pytest.param(["-DWHORL_WORDS=7", "-U__SSE2__"], "c", id="7-words-no-sse"),
        pytest.param(["-DWHORL_WORDS=7", "-DWHORL_RECENT=4"], "c", id="7-words"),
        pytest.param(["-DWHORL_WORDS=12"], "c", id="12-words-packed"),
        pytest.param(["-DWHORL_WORDS=32"], "c++", id="32-words-packed-c++"),
        pytest.param(["-DWHORL_WORDS=40"], "c", id="40-words"),
        pytest.param(["-DWHORL_HASH_MASK=0x300000000", "-DTRIALS=3000"], "c", id="4-hashes"),
        pytest.param(
            ["-DWHORL_HASH_MASK=0xff00000000000000", "-DTRIALS=9000"], "c", id="256-hashes"
        ),
    ],
)
def test_units(build: Build, options: list[str], language: str) -> None:
    driver = build("unit.c", *SANITIZERS, *options, language=language)
    result = subprocess.run([driver], capture_output=True, text=True, timeout=60)
    assert (result.returncode, result.stdout) == (0, "ok\n"), result.stderr


@pytest.fixture(scope="module", params=["sanitized", "optimised", "c++"])
def grid(build: Build, request: pytest.FixtureRequest) -> Path:
    if request.param == "sanitized":
        return build("grid.c", *SANITIZERS)
    language = "c++" if request.param == "c++" else "c"
    return build("grid.c", "-O2", "-DNDEBUG", language=language)


@pytest.mark.parametrize(("store", "order"), SEARCHES)
def test_the_grid_has_as_many_states_as_it_should(grid: Path, store: str, order: str) -> None:
    done, violations = run(grid, "--store", store, "--order", order, "--bits", "28")
    assert violations == []
    assert done["stopped"] is None
    assert not done["truncated"]
    assert not done["endless"]
    # A bit array may lose a state, and says that it may.
    assert done["states"] == pytest.approx(6**6, abs=1 if store == "bitstate" else 0)
    assert done["transitions"] == pytest.approx(
        1 + 6 * 5 * 6**5, abs=6 if store == "bitstate" else 0
    )
    assert done["depth"] == 30
    assert done["reached"] == "3f"
    assert done["store"] == store
    assert ("collision" in done) == (store in ("hash-compact", "bitstate"))
    if store in ("hash-compact", "bitstate"):
        assert 0 < done["collision"] < 0.001


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(
    "options",
    [
        pytest.param(["-DWHORL_SURVEY_AT=100", "-DWHORL_SURVEY_GAIN=0"], id="surveyed-twice"),
        # References of 11 bits are soon too short.
        pytest.param(["-DWHORL_SURVEY_AT=100000000", "-DWHORL_MIXED_HALF=11"], id="more-bits"),
    ],
)
def test_a_tree_that_is_replanted_has_the_same_states(
    build: Build, order: str, options: list[str]
) -> None:
    driver = build("peterson.c", *SANITIZERS, "-DWHORL_TICK=64", *options)
    plain, _ = run(driver, "--store", "exact", "--order", order)
    replanted, _ = run(driver, "--store", "tree", "--order", order)
    assert replanted["states"] == plain["states"] > 16 * 100
    assert replanted["transitions"] == plain["transitions"]
    broken = build("peterson.c", *SANITIZERS, "-DWHORL_TICK=64", "-DBROKEN", *options)
    for store in ("exact", "tree"):
        _, violations = run(broken, "--store", store, "--order", order)
        assert len(violations) == 1
        assert violations[0]["choices"]


@pytest.mark.parametrize(("store", "order"), SEARCHES)
def test_limits(grid: Path, store: str, order: str) -> None:
    options = ["--store", store, "--order", order, "--bits", "28"]
    done, _ = run(grid, *options, "--max-states", "1000")
    assert (done["stopped"], done["states"]) == ("states", 1000)
    done, _ = run(grid, *options, "--max-states", str(6**6))
    assert (done["stopped"], done["states"]) == (None, 6**6)
    done, _ = run(grid, *options, "--max-depth", "5")
    assert (done["stopped"], done["truncated"]) == (None, True)
    assert done["states"] == math.comb(5 + 6, 6)
    assert done["depth"] == 5
    done, _ = run(grid, *options, "--seconds", "0")
    assert done["stopped"] == "time"
    done, _ = run(grid, *options, "--memory", "1000")
    assert (done["stopped"], done["states"]) == ("memory", 0)


@pytest.fixture(scope="module")
def large(build: Build) -> Path:
    return build("grid.c", "-O2", "-DNDEBUG", "-DDIGITS=8", "-DBASE=30")


@pytest.mark.parametrize(("store", "order"), SEARCHES)
def test_the_memory_limit_is_kept(large: Path, store: str, order: str) -> None:
    limit = 24 << 20
    endless = (store, order) == ("bitstate", "dfs")  # its frontier stays small
    seconds = "1" if endless else "30"
    options = ["--store", store, "--order", order, "--memory", str(limit), "--seconds", seconds]
    done, _ = run(large, *options)
    if not endless:
        assert done["stopped"] == "memory"
        assert done["states"] > 100_000
    assert done["memory_bytes"] < limit + (8 << 20)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_gives_the_figures_so_far(large: Path, number: signal.Signals) -> None:
    with subprocess.Popen([large], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        progress = json.loads(process.stdout.readline())
        process.send_signal(number)
        *_, last = process.stdout
        assert process.wait(timeout=20) == 0
    done = json.loads(last)
    assert progress["type"] == "progress"
    assert progress.keys() == {
        "type", "states", "transitions", "depth", "seconds", "memory_bytes",
    }  # fmt: skip
    assert done["stopped"] == "interrupted"
    assert done["states"] >= progress["states"] > 0


def test_an_unknown_option_is_refused(grid: Path) -> None:
    for options in (["--speed", "9"], ["--store", "large"], ["--max-states", "-1"], ["--seconds"]):
        result = subprocess.run([grid, *options], capture_output=True, text=True)
        assert result.returncode == 2
        assert result.stdout == ""
        assert options[0] in result.stderr


@pytest.fixture(scope="module")
def faults(build: Build) -> Path:
    return build("faults.c", *SANITIZERS)


@pytest.mark.parametrize(("store", "order"), SEARCHES)
def test_violations_and_their_trails(faults: Path, store: str, order: str) -> None:
    options = ["--store", store, "--order", order, "--bits", "24"]
    done, [violation] = run(faults, *options)
    assert done["stopped"] == "violation"
    assert violation["site"] == 0
    assert violation["choices"][-2:] == ATOMIC[:2]

    done, violations = run(faults, *options, "--all-errors")
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

    _, violations = run(faults, *options, "--all-errors", "--no-assertions", "--no-end-states")
    assert [violation["site"] for violation in violations] == [1]


@pytest.mark.parametrize(("store", "order"), SEARCHES)
def test_a_trail_can_be_followed(build: Build, store: str, order: str) -> None:
    verifier = build("peterson.c", "-O1", "-DN=3", "-DBROKEN")
    done, [violation] = run(verifier, "--store", store, "--order", order, "--bits", "24")
    assert (done["stopped"], violation["site"]) == ("violation", 0)
    choices = violation["choices"]
    assert follow_peterson(choices, 3) == 2
    assert follow_peterson(choices[:-1], 3) == 1
    if order == "bfs":
        assert len(choices) == 2 * (1 + 2 * 6 + 1)  # both go straight there
    else:
        assert len(choices) <= done["depth"] + 1


def test_one_store_can_be_compiled_alone(build: Build) -> None:
    for store in STORES:
        kind = store.upper().replace("-", "_")
        verifier = build("grid.c", "-O1", f"-DWHORL_ONLY=WHORL_{kind}")
        done, _ = run(verifier, "--bits", "28")
        assert (done["store"], done["states"]) == (store, 6**6)
