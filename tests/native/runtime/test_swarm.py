"""The C of a swarm: orders of successors, samples of states, and searches that differ by seeds."""

from __future__ import annotations

import random
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from support.runtime import SANITIZERS, Build, builder, run

ARRANGEMENTS = ["written", "reversed", "shuffled", "by-process"]
OF_SWARM = ["-DWHORL_SWARM=1", "-DWHORL_ONLY=WHORL_BITSTATE"]
KEPT = 50
PIDS = [3, 0, 1, 0, 3, 2, 0]


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    return builder(tmp_path_factory.mktemp("swarm"))


@pytest.fixture(scope="module")
def parts(build: Build) -> Path:
    return build("swarm.c", *SANITIZERS, f"-DWHORL_SKETCH={KEPT}", "-DWHORL_SWARM=1")


@pytest.fixture(scope="module")
def grid(build: Build) -> Path:
    return build("grid.c", "-O1", *OF_SWARM)


def said(driver: Path, *words: object) -> list[list[int]]:
    done = subprocess.run([driver, *map(str, words)], capture_output=True, text=True, check=True)
    return [list(map(int, line.split())) for line in done.stdout.splitlines()]


def test_orders(parts: Path) -> None:
    places = list(range(len(PIDS)))
    assert said(parts, "order", "written", 1, 2, *PIDS) == [places] * 2
    assert said(parts, "order", "reversed", 1, 2, *PIDS) == [places[::-1]] * 2
    assert said(parts, "order", "reversed", 1, 2, *PIDS[1:]) == [places[-2::-1]] * 2
    first, again = said(parts, "order", "shuffled", 1, 2, *PIDS)
    assert sorted(first) == sorted(again) == places
    assert first != again  # another order in each state
    assert [first, again] == said(parts, "order", "shuffled", 1, 2, *PIDS)


def test_shuffled_takes_every_order_as_often(parts: Path) -> None:
    found = Counter(tuple(order) for order in said(parts, "order", "shuffled", 1, 12000, 0, 1, 2))
    assert len(found) == 6
    assert all(1800 < times < 2200 for times in found.values()), found  # 5 standard deviations


def test_by_process_keeps_one_order_of_processes(parts: Path) -> None:
    orders = set()
    for seed in range(20):
        first, again = said(parts, "order", "by-process", seed, 2, *PIDS)
        assert first == again
        met = [PIDS[place] for place in first]
        by_pid = list(dict.fromkeys(met))
        assert met == sorted(met, key=by_pid.index)  # those of a process together
        assert first == sorted(first, key=lambda place: (by_pid.index(PIDS[place]), place))
        orders.add(tuple(by_pid))
    assert len(orders) > 8  # of 24


def test_draws_are_below_and_everywhere(parts: Path) -> None:
    drawn = [number for (number,) in said(parts, "draw", 7, 10, 2000)]
    assert drawn == [number for (number,) in said(parts, "draw", 7, 10, 2000)]
    assert drawn != [number for (number,) in said(parts, "draw", 8, 10, 2000)]
    found = Counter(drawn)
    assert set(found) == set(range(10))
    assert all(140 < times < 260 for times in found.values()), found


@pytest.mark.parametrize("count", [0, 1, KEPT - 1, KEPT, KEPT + 1, 700])
@pytest.mark.parametrize("order", ["random", "ascending", "descending"])
def test_a_sketch_has_the_least(parts: Path, count: int, order: str) -> None:
    draw = random.Random(count)
    numbers = [draw.getrandbits(64) for _ in range(count)]
    if order != "random":
        numbers.sort(reverse=order == "descending")
    kept = [number for (number,) in said(parts, "least", *numbers)]
    assert kept == sorted(numbers)[:KEPT]


def search(grid: Path, *options: str) -> dict[str, Any]:
    done, violations = run(grid, "--bits", "24", *options)
    assert violations == []
    return done


@pytest.mark.parametrize("order", ["dfs", "bfs"])
@pytest.mark.parametrize("arrangement", ARRANGEMENTS)
def test_with_room_all_searches_see_everything(grid: Path, arrangement: str, order: str) -> None:
    found = search(grid, "--arrange", arrangement, "--seed", "5", "--order", order)
    assert found["states"] == pytest.approx(6**6, abs=2)
    assert len(found["sample"]) == len(set(found["sample"])) == 1024
    assert max(found["sample"]) < 2**64 * 1024 / 6**6 * 1.15
    whole = search(grid)
    assert len(set(found["sample"]) ^ set(whole["sample"])) <= 4  # the same states, but for 2


def test_where_there_is_little_room_seeds_and_orders_lead_elsewhere(grid: Path) -> None:
    samples = {}
    for seed in ("1", "2"):
        for arrangement in ARRANGEMENTS:
            words = ("--bits", "14", "--seed", seed, "--arrange", arrangement)
            found = search(grid, *words)
            assert 2**11 < found["states"] < 2**14
            assert search(grid, *words)["sample"] == found["sample"]
            samples[seed, arrangement] = set(found["sample"])
    for one in samples:
        for other in samples:
            assert (samples[one] == samples[other]) == (one == other)


def test_reversed_is_the_order_of_the_model_that_is_written_so(grid: Path, build: Build) -> None:
    other = build("grid.c", "-O1", *OF_SWARM, "-DASCENDING")
    for order in ("dfs", "bfs"):
        words = ("--bits", "14", "--order", order)
        one = search(grid, *words, "--arrange", "reversed")
        assert one["sample"] == search(other, *words)["sample"]
        assert one["sample"] != search(other, *words, "--arrange", "reversed")["sample"]


def test_a_depth_limit_cuts_short(grid: Path) -> None:
    found = search(grid, "--max-depth", "3", "--arrange", "shuffled")
    assert found["truncated"]
    assert found["depth"] == 3


@pytest.mark.parametrize("words", [["--arrange", "sideways"], ["--seed", "x"], ["--seed", "-1"]])
def test_what_is_no_value_is_refused(grid: Path, words: list[str]) -> None:
    assert subprocess.run([grid, *words], capture_output=True).returncode == 2


def test_other_verifiers_have_no_such_options(build: Build) -> None:
    plain = build("grid.c", "-O0", OF_SWARM[1])
    assert subprocess.run([plain, "--seed", "1"], capture_output=True).returncode == 2
    assert "sample" not in run(plain, "--bits", "20")[0]
