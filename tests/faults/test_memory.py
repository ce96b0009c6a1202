"""Memory that is refused, by whatever limit: inconclusive, and the report names the limit."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import whorl
from support.control_groups import group
from support.machine import SMALL, in_shell, joined, memory_group
from whorl.memory import Allowance, default_limit, group_bytes, refusal
from whorl.search.limits import Limits

# What each says in the middle of an atomic sequence whose states are never stored.
ATOMIC = "byte a, b, c, d; init { atomic { do :: a++ :: b++ :: c++ :: d++ :: break od } }"


# States of two kilobytes each.
WIDE = "int x, pad[500]; active proctype P() { do :: pad[x]++ :: x = (x + 1) % 500 od }"


@pytest.fixture
def wide(tmp_path: Path) -> Path:
    path = tmp_path / "wide.pml"
    path.write_text(WIDE)
    return path


def ulimit(kilobytes: int) -> str:
    """The limit counts what the C library reserves for each thread, 64 MB; in one run the search
    comes before a thread of ours, in the next after it.
    """
    return f"export MALLOC_ARENA_MAX=1\nulimit -v {kilobytes} || exit 77"


EXACT = pytest.mark.parametrize(
    "options",
    [["--store", "exact"], ["--ltl", "<> (x == 499)", "--store", "exact", "--no-merge"]],
    ids=["safety", "claim"],
)


@EXACT
def test_an_address_space_limit(cache: Path, wide: Path, options: list[str]) -> None:
    limits = ["--memory", "4G", "--timeout", "60"]
    ran = in_shell(ulimit(160_000), "check", *limits, *options, wide)
    assert ran.returncode == 3, ran.stdout + ran.stderr
    assert "the address-space limit of 156 MB (ulimit -v) was reached" in ran.stdout
    assert " states, " in ran.stdout


def test_without_an_option_it_is_kept_away_from(cache: Path, wide: Path) -> None:
    ran = in_shell(ulimit(160_000), "check", "--store", "exact", "--timeout", "60", wide)
    assert ran.returncode == 3, ran.stdout + ran.stderr
    limit = "the memory limit of 125 MB (80% of the address-space limit, ulimit -v) was reached"
    assert limit in ran.stdout


def test_a_small_model_needs_little_of_it(cache: Path, small: Path) -> None:
    ran = in_shell(ulimit(120_000), "check", small)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "engine: native" in ran.stdout


def test_the_reference_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> bool:
        raise MemoryError

    monkeypatch.setattr("whorl.search.safety._Search.add", refused)
    result = whorl.check(SMALL, engine="reference")
    assert result.verdict == "inconclusive"
    assert "the system gave no more memory" in result.properties[0].why


def test_a_limit_that_was_set_is_named_alone() -> None:
    limits = Limits().with_memory(Allowance(1 << 30))
    assert limits.memory_reached == "the memory limit of 1,024 MB was reached"
    limits = Limits().with_memory(Allowance(1 << 30, "what was free"))
    share = "80% of what was free"
    assert limits.memory_reached == f"the memory limit of 1,024 MB ({share}) was reached"


# --- inside an atomic sequence -------------------------------------------------------------------


def test_the_memory_of_an_atomic_sequence_counts() -> None:
    result = whorl.check(ATOMIC, merge=False, memory=40 << 20, timeout=60)
    assert result.verdict == "inconclusive"
    assert "the memory limit of 40 MB was reached" in result.properties[0].why
    assert result.statistics.memory_bytes < 60 << 20


@pytest.mark.parametrize("engine", ["native", "reference"])
@pytest.mark.parametrize("ltl", [(), "[] (a < 3)"], ids=["safety", "claim"])
def test_the_time_of_an_atomic_sequence_counts(engine: str, ltl: str) -> None:
    model = whorl.load(ATOMIC)
    if engine == "native":  # it is compiled beforehand
        whorl.check(model, engine=engine, merge=False, memory=8 << 20, ltl=ltl)
    found = whorl.check(model, engine=engine, merge=False, timeout=1, ltl=ltl)
    assert found.verdict == "inconclusive"
    assert "not all states were seen: the time limit of 1 s was reached" in found.properties[0].why
    assert found.statistics.states == 1


def test_the_reference_looks_at_memory_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("whorl.search.limits.resident_bytes", lambda: 2 << 30)
    result = whorl.check(ATOMIC, engine="reference", memory=1 << 30)
    assert "the memory limit of 1,024 MB was reached" in result.properties[0].why
    assert result.statistics.states == 1


# --- control groups: a real one, where whoever runs the tests may make one -----------------------

GROUP = 200 << 20


def test_a_real_control_group(cache: Path, wide: Path) -> None:
    with memory_group(GROUP) as group:
        ran = in_shell(joined(group), "check", "--timeout", "90", "--store", "exact", wide)
    assert ran.returncode == 3, ran.stdout + ran.stderr
    limit = re.search(
        r"the memory limit of (\d+) MB \(80% of what its control group left", ran.stdout
    )
    assert limit is not None, ran.stdout
    assert int(limit[1]) <= 0.8 * GROUP / 2**20
    assert " states, " in ran.stdout


@EXACT
def test_a_real_kill_for_want_of_memory(cache: Path, wide: Path, options: list[str]) -> None:
    with memory_group(6 * GROUP) as group:  # so that it takes some seconds, and reports
        limits = ["--memory", "8G", "--timeout", "90"]
        ran = in_shell(joined(group), "check", *limits, *options, wide)
    assert ran.returncode == 3, ran.stdout + ran.stderr
    assert ran.stderr == ""
    assert "the verifier was killed from outside (SIGKILL" in ran.stdout
    figures = next(line for line in ran.stdout.splitlines() if " states, " in line)
    assert not figures.startswith("0 ")


# --- and a tree of files that looks like one -----------------------------------------------------


def test_a_control_group_of_version_2(tmp_path: Path) -> None:
    membership = tmp_path / "cgroup"
    membership.write_text("0::/outer/inner\n")
    inner = tmp_path / "outer" / "inner"
    group(inner, memory_max="max\n", memory_current="5000\n")
    assert group_bytes(membership, tmp_path) is None
    group(tmp_path / "outer", memory_max="100000\n", memory_current="60000\n")
    assert group_bytes(membership, tmp_path) == 40_000
    group(inner, memory_max="10000\n", memory_stat="anon 1\ninactive_file 2000\n")
    assert group_bytes(membership, tmp_path) == 7000


def test_a_control_group_of_version_1(tmp_path: Path) -> None:
    membership = tmp_path / "cgroup"
    membership.write_text("5:cpu:/a\n4:memory:/a/b\n0::/\n")
    folder = tmp_path / "memory" / "a" / "b"
    group(folder, memory_limit_in_bytes=f"{2**63 - 4096}\n", memory_usage_in_bytes="7\n")
    assert group_bytes(membership, tmp_path) is None
    group(folder, memory_limit_in_bytes="1000\n", memory_stat="total_inactive_file 3\n")
    assert group_bytes(membership, tmp_path) == 996
    assert group_bytes(tmp_path / "missing", tmp_path) is None


def test_the_least_of_all_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("whorl.memory.available_bytes", lambda: 1 << 40)
    monkeypatch.setattr("whorl.memory.group_bytes", lambda: 1 << 20)
    found = default_limit()
    assert found is not None
    assert (found.size, found.share_of) == (838_860, "what its control group left")
    assert refusal() == "the system gave no more memory"


def test_the_whole_check_goes_by_the_group(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("whorl.memory.group_bytes", lambda: 50 << 20)
    result = whorl.check(WIDE, store="exact", timeout=60)
    assert "80% of what its control group left" in result.properties[0].why
