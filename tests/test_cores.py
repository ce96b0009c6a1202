"""How many cores a process may use: what the system says, and what its control groups leave."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from support.control_groups import group
from whorl.cores import cores


@pytest.fixture(autouse=True)
def eight_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)), raising=False)


def test_without_control_groups_it_is_what_the_system_says(tmp_path: Path) -> None:
    assert cores(tmp_path / "missing", tmp_path) == 8


def test_version_2(tmp_path: Path) -> None:
    membership = tmp_path / "cgroup"
    membership.write_text("0::/outer/inner\n")
    group(tmp_path / "outer" / "inner", cpu_max="max 100000\n")
    assert cores(membership, tmp_path) == 8
    group(tmp_path / "outer", cpu_max="250000 100000\n")
    assert cores(membership, tmp_path) == 3
    group(tmp_path / "outer" / "inner", cpu_max="50000 100000\n")
    assert cores(membership, tmp_path) == 1
    group(tmp_path / "outer" / "inner", cpu_max="1600000 100000\n")
    assert cores(membership, tmp_path) == 3


def test_version_1(tmp_path: Path) -> None:
    membership = tmp_path / "cgroup"
    membership.write_text("5:memory:/a\n4:cpu,cpuacct:/a/b\n")
    folder = tmp_path / "cpu,cpuacct" / "a" / "b"
    group(folder, cpu_cfs_quota_us="-1\n", cpu_cfs_period_us="100000\n")
    assert cores(membership, tmp_path) == 8
    group(folder, cpu_cfs_quota_us="200000\n")
    assert cores(membership, tmp_path) == 2


def test_what_makes_no_sense_is_no_limit(tmp_path: Path) -> None:
    membership = tmp_path / "cgroup"
    membership.write_text("0::/a\n")
    for text in ("", "x y\n", "100000\n", "0 0\n", "100000 0\n"):
        group(tmp_path / "a", cpu_max=text)
        assert cores(membership, tmp_path) == 8


def test_a_system_that_does_not_tell(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert cores(tmp_path / "missing", tmp_path) == 1
