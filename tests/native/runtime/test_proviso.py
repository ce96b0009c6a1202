"""The proviso of a search for safety: in every order and store, with places that are moved.

The models go round and round before somebody else does something. Assertions in the runtime see to
it that the places of states in the log are right (places.h).
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from support.runtime import SANITIZERS
from whorl.cli.main import main

LAST = "active proctype Last() { y = 1; assert(false) }"
ROUNDS = {
    "one, by a choice": "byte x, y; active proctype A() { do :: x = 1 :: x = 0 od }",
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


def built(text: str, folder: Path, *options: str) -> Path:
    (folder / "model.pml").write_text(text)
    main(["check", str(folder / "model.pml"), "--safety", "--emit-c", str(folder / "c")])
    verifier = folder / "verifier"
    source = ["-I", str(folder / "c" / "runtime"), str(folder / "c" / "model.c")]
    command = ["cc", "-std=c11", "-fwrapv", *SANITIZERS, *options, *source, "-o", str(verifier)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr[:3000]
    return verifier


def ran(verifier: Path, *options: str) -> list[dict[str, Any]]:
    command = [str(verifier), "--all-errors", "--bits", "24", *options]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
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
