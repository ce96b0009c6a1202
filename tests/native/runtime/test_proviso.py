"""The proviso of a search for safety: in every order and store, with places that are moved.

The models go round and round before somebody else does something. Assertions in the runtime see to
it that the places of states in the log are right (places.h).
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from support.runtime import SANITIZERS
from whorl.cli.main import main

WATCHED = ("-g", "-fsanitize=thread")

# A choice, so that it is not made in phase 1; of more than others have, so that they come first.
LAST = "active proctype Last() { if :: y = 1 :: y = 2 :: y = 3 fi; assert(false) }"
ROUNDS = {
    "one, by a choice": "byte x, y; active proctype A() { do :: x = 1 :: x = 0 od }",
    "one, on a circle": """
        byte i, y;
        active proctype A() { do :: i = (i + 1) % 60 :: i = (i + 61) % 60 od }""",
    "one, by two counters": """
        byte i, j, y;
        active proctype A() { do :: i = (i + 1) % 20 :: j = (j + 1) % 20 od }""",
    "two, by a channel": """
        byte y; chan c = [3] of { bit };
        active proctype A() { do :: c!0 :: c!1 od }
        active proctype B() { do :: c?0 :: c?1 od }""",
}
# Two processes, each of which fills an array with any values and reads it again. Where it is read
# no longer, many states are one: it is known, and closed, and nothing is lost behind it.
FILLED = """
active [2] proctype P() {
    byte a[4], i, s;
    do :: i < 4 -> if :: a[i] = 0 :: a[i] = 1 :: a[i] = 2 fi; i++ :: else -> break od;
    i = 0;
    do :: i < 4 -> s = a[i]; printf("%d\\n", s); i++ :: else -> break od
}
"""
STORES = ("exact", "tree", "hash-compact", "bitstate")
SHARED = STORES[1:]
READERS = Path(__file__).parents[3] / "examples/readers_writer.pml"
FILL = Path(__file__).parents[3] / "benchmarks/models/fill.pml"
# Several threads that give way at random, on tables that are tiny at first.
THREADS = ["-DWHORL_THREADS=1", "-pthread", "-DWHORL_STRESS=50", "-DWHORL_INDEX_SMALL=64",
           "-DWHORL_ROOTS_SMALL=4", "-DWHORL_ROOTS_CHUNK=128", "-DWHORL_LEASE=3"]  # fmt: skip


def built(
    text: str, folder: Path, *options: str, sanitizers: Sequence[str] = tuple(SANITIZERS)
) -> Path:
    (folder / "model.pml").write_text(text)
    main(["check", str(folder / "model.pml"), "--safety", "--emit-c", str(folder / "c")])
    verifier = folder / "verifier"
    source = ["-I", str(folder / "c" / "runtime"), str(folder / "c" / "model.c")]
    command = ["cc", "-std=c11", "-fwrapv", *sanitizers, *options, *source, "-o", str(verifier)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr[:3000]
    return verifier


def ran(
    verifier: Path, *options: str, env: Mapping[str, str] | None = None
) -> list[dict[str, Any]]:
    command = [str(verifier), "--all-errors", "--bits", "24", *options]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=env)
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("name", ROUNDS)
def test_nobody_is_put_off_for_ever(name: str, tmp_path: Path) -> None:
    often = ["-DWHORL_SURVEY_AT=100", "-DWHORL_SURVEY_GAIN=0", "-DWHORL_TICK=64"]
    verifier = built(ROUNDS[name] + LAST, tmp_path, *often)
    for store in STORES:
        for order in ("dfs", "bfs"):
            lines = ran(verifier, "--store", store, "--order", order)
            assert [line["type"] for line in lines].count("violation") == 1, (store, order)


def test_a_state_that_is_closed_is_as_good_as_a_new_one(tmp_path: Path) -> None:
    verifier = built(FILLED, tmp_path, "-DWHORL_SURVEY_AT=100", "-DWHORL_SURVEY_GAIN=0")
    by_depth = {s: ran(verifier, "--store", s)[-1]["states"] for s in STORES}
    by_breadth = ran(verifier, "--order", "bfs")[-1]["states"]
    assert len(set(by_depth.values())) == 1
    assert 10 * by_depth["tree"] < by_breadth


# --- several threads ---------------------------------------------------------------------------


@pytest.mark.parametrize("first", [1, 40])
@pytest.mark.parametrize("name", ROUNDS)
def test_nobody_is_put_off_for_ever_by_several_threads(
    name: str, first: int, tmp_path: Path
) -> None:
    """Whatever one thread has done before the others come."""
    early = [f"-DWHORL_SURVEY_AT={first}", "-DWHORL_TICK=1"]
    verifier = built(ROUNDS[name] + LAST, tmp_path, *THREADS, *early, sanitizers=WATCHED)
    for store in SHARED:
        for count in ("2", "5"):
            lines = ran(verifier, "--store", store, "--threads", count)
            assert [line["type"] for line in lines].count("violation") == 1, (store, count)
            assert lines[-1]["stopped"] is None


# The others come once there are so many states: as many as are wanted for one run.
WHENEVER = ['-DWHORL_SURVEY_AT=((uint64_t)atoi(getenv("WHORL_TEST_AT")))', "-DWHORL_TICK=1"]
EVERY_POINT = {
    "back": "byte i, y; active proctype A() { do :: i = (i + 1) % 8 :: i = (i + 7) % 8 od }",
    "step": """
        byte i, y;
        active proctype A() {
            do :: i = (i + 1) % 9 :: i = (i + 4) % 9 :: i = (i + 7) % 9 od
        }""",
    "two": "byte i, j, y; active proctype A() { do :: i = (i + 1) % 4 :: j = (j + 1) % 4 od }",
}


def test_nobody_is_put_off_for_ever_wherever_the_others_come(tmp_path: Path) -> None:
    """After one state that one thread has stored, after two, and so on to the last but one.

    `whorl lab --gathering` explores the same for the rule. With anything in the log taken for
    anchored that is not, the violation is missed at some of these points.
    """
    assert points_of_change(EVERY_POINT["step"], "tree", 2, tmp_path) == 36


@pytest.mark.slow
@pytest.mark.parametrize("store", ["tree", "hash-compact"])
@pytest.mark.parametrize("name", EVERY_POINT)
def test_the_same_with_more_threads(name: str, store: str, tmp_path: Path) -> None:
    assert points_of_change(EVERY_POINT[name], store, 3, tmp_path) > 30


def points_of_change(model: str, store: str, most: int, folder: Path) -> int:
    """At how many points others may come; the violation is found whatever the point."""
    verifier = built(model + LAST, folder, *THREADS, *WHENEVER, sanitizers=[])
    points, threads = 0, most
    while threads > 1:
        points += 1
        given = {**os.environ, "WHORL_TEST_AT": str(points)}
        lines = ran(verifier, "--store", store, "--threads", str(most), env=given)
        assert [line["type"] for line in lines].count("violation") == 1, points
        threads = lines[-1]["threads"]
    return points - 1


@pytest.mark.parametrize("first", [1, 100, 500])
def test_a_state_that_is_anchored_is_as_good_as_a_new_one(first: int, tmp_path: Path) -> None:
    """One thread stores 896 states, and where they have to be new 87,447 (decision 0032)."""
    early = [f"-DWHORL_SURVEY_AT={first}", "-DWHORL_TICK=1"]
    verifier = built(FILL.read_text(), tmp_path, *THREADS, *early, sanitizers=[])
    for store in ("tree", "hash-compact"):
        for count in ("2", "5"):
            done = ran(verifier, "--store", store, "--threads", count)[-1]
            assert done["threads"] == int(count)
            assert done["states"] < 8_000, (store, count)


def test_what_finds_an_anchored_state_is_anchored_with_it(tmp_path: Path) -> None:
    """Else it is 131 states, as on one thread, rather than 105."""
    early = ["-DWHORL_SURVEY_AT=1", "-DWHORL_TICK=1"]
    verifier = built(READERS.read_text(), tmp_path, *THREADS, *early, sanitizers=[])
    for store in ("tree", "hash-compact"):
        assert ran(verifier, "--store", store, "--threads", "2")[-1]["states"] < 125


def test_one_thread_that_is_alone_searches_as_ever(tmp_path: Path) -> None:
    """The verifier for several threads, before others come: states that are closed will do."""
    plain = ran(built(FILLED, tmp_path), "--store", "tree")[-1]
    verifier = built(FILLED, tmp_path, *THREADS, sanitizers=[])
    shared = ran(verifier, "--store", "tree", "--threads", "3")[-1]
    same = ("states", "transitions", "depth", "reached")
    assert [shared[key] for key in same] == [plain[key] for key in same]
    assert shared["threads"] == 1
