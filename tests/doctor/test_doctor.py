"""`whorl doctor` says what is wrong, and is never wrong itself, whatever the machine is like."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from whorl.doctor import examine, machine, programs, trial
from whorl.doctor.finding import Finding, ok


def doctor(**environment: str) -> tuple[int, dict[str, Any], str]:
    """The exit status, what `--json` has, and what standard error has."""
    done = subprocess.run(
        [sys.executable, "-m", "whorl", "doctor", "--json"],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return done.returncode, json.loads(done.stdout), done.stderr


def by_name(data: dict[str, Any]) -> dict[str, dict[str, str]]:
    return {finding["name"]: finding for finding in data["findings"]}


def test_here_checks_can_run() -> None:
    status, data, said = doctor()
    assert (status, data["ok"], said) == (0, True, "")
    found = by_name(data)
    assert {"python", "whorl", "cache", "memory", "extra lab", "extra zig"} <= found.keys()
    assert "found and replayed" in found["native engine"]["said"]
    assert "found and replayed" in found["reference engine"]["said"]
    assert "extra dev" not in found


@pytest.mark.parametrize("nonsense", ["no-such-compiler -O2", "'", "/", sys.executable, "true"])
def test_a_compiler_that_is_none(nonsense: str) -> None:
    status, data, said = doctor(WHORL_CC=nonsense)
    assert (status, data["ok"], said) == (2, False, "")
    assert by_name(data)["C compiler"]["level"] == "problem"
    assert by_name(data)["reference engine"]["level"] == "ok"


def test_nothing_in_the_path(tmp_path: Path) -> None:
    environment = {"PATH": str(tmp_path), "WHORL_CC": "", "SHELL": "/bin/zsh"}
    status, data, said = doctor(**environment)
    found = by_name(data)
    assert (status, said) == (0, "")
    assert found["C compiler"]["level"] == "warning"
    assert "whorl[zig]" in found["C compiler"]["hint"]
    assert "native engine" not in found
    assert "not installed" in found["spin"]["said"]


def test_a_home_and_a_cache_that_cannot_be_used(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    for variable in ({"WHORL_CACHE": str(blocked)}, {"WHORL_CACHE": "", "HOME": str(blocked)}):
        status, data, said = doctor(**variable)
        cache = by_name(data)["cache"]
        assert (status, said) == (0, "")
        assert cache["level"] == "warning"
        assert "WHORL_CACHE" in cache["hint"]


def test_a_compiler_whose_programs_do_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is a cross compiler, say."""
    fake = tmp_path / "cross"
    fake.write_text('#!/bin/sh\nwhile [ "$1" != -o ]; do shift; done; echo junk > "$2"\n')
    fake.chmod(fake.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("WHORL_CC", str(fake))
    (found,) = programs.compiler()
    assert found.level == "problem"
    assert "does not run" in found.said


def test_a_check_that_raises_is_a_finding_and_the_others_go_on() -> None:
    def bursts() -> Iterator[Finding]:
        raise OSError("the disk is on fire")

    def fine() -> Iterator[Finding]:
        yield ok("fine", "")

    first, second = examine({"bursts": bursts, "fine": fine})
    assert (first.level, first.name) == ("problem", "bursts")
    assert "the disk is on fire" in first.said
    assert second.name == "fine"


def test_an_engine_that_finds_nothing_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial, "LOST_UPDATE", "init { skip }\n")
    (found,) = trial.reference()
    assert found.level == "problem"


def test_extras_are_those_of_the_metadata() -> None:
    required = [
        "ziglang; extra == 'zig'",
        'python-sat>=1.8; extra == "lab"',
        "a.b-c",
        "x;extra=='z'",
    ]
    assert machine.packages_of("zig", required) == ["ziglang"]
    assert machine.packages_of("lab", required) == ["python-sat"]
    assert machine.packages_of("z", required) == ["x"]


@pytest.mark.parametrize(("usable", "said"), [(3, "may use 3 of 8"), (8, "may use 8")])
def test_cores(usable: int, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 8)
    monkeypatch.setattr(machine, "cores", lambda: usable)
    (found,) = machine.processors()
    assert found.said.endswith(said)


@pytest.mark.parametrize(
    ("setting", "level"), [("always [madvise] never", "ok"), ("always madvise [never]", "warning")]
)
def test_huge_pages(setting: str, level: str, tmp_path: Path) -> None:
    (tmp_path / "enabled").write_text(setting)
    (found,) = machine.huge_pages(tmp_path / "enabled")
    assert found.level == level
    assert not [*machine.huge_pages(tmp_path / "none")]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_found_where_it_is_installed(shell: str, tmp_path: Path) -> None:
    environment = {"SHELL": f"/bin/{shell}", "HOME": str(tmp_path)}
    (missing,) = machine.completion(environment)
    assert f"whorl completion {shell}" in missing.said
    read = missing.said.partition(" in ")[2].split()[0]
    (tmp_path / read).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / read).write_text(f'eval "$(whorl completion {shell})"\n')
    (found,) = machine.completion(environment)
    assert found.said == f"{shell}: {tmp_path / read}"
    assert not [*machine.completion({})]


def test_the_report_for_people() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "whorl", "doctor"],
        env={**os.environ, "WHORL_CC": "no-such-compiler"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 2
    assert "problem  C compiler" in done.stdout
    assert "hint: unset it, or name a C compiler" in done.stdout
    assert done.stdout.splitlines()[-1].startswith("✗ 2 problems")


def test_what_a_compiler_says_takes_one_line(tmp_path: Path) -> None:
    fake = tmp_path / "fails"
    fake.write_text("#!/bin/sh\nprintf 'no good\\nno good at all\\n' >&2; exit 1\n")
    fake.chmod(0o700)
    status, data, _ = doctor(WHORL_CC=str(fake))
    assert status == 2
    assert by_name(data)["native engine"]["said"].endswith("failed (exit status 1): no good")
    assert by_name(data)["C compiler"]["said"].endswith("failed (exit status 1): no good")
