"""The cache of compiled verifiers: nothing of others is run, and a verdict comes in any case."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import whorl
from support.machine import SMALL, WAIT, children, command, finish, mounted, wait_for
from whorl.cli import main
from whorl.native import cache as kept
from whorl.native import tiers
from whorl.native.compiler import Builder
from whorl.native.verifier import NotStarted, Outcome

PLANTED = "#!/bin/sh\ntouch $(dirname $0)/../executed\nexit 1\n"
OTHER = "byte other; init { other = 2 }"


def check(model: str = SMALL, *, no_cache: bool = False) -> None:
    result = whorl.check(model, no_cache=no_cache)
    assert (result.verdict, result.engine) == ("holds", "native")


def entries(folder: Path) -> list[Path]:
    return sorted(folder.iterdir())


def plant(entry: Path) -> None:
    entry.write_text(PLANTED)


def truncate(entry: Path) -> None:
    os.truncate(entry, entry.stat().st_size // 2)


def damage(entry: Path) -> None:
    data = bytearray(entry.read_bytes())
    data[len(data) // 2] ^= 0xFF
    entry.write_bytes(data)


def link(entry: Path) -> None:
    entry.rename(entry.parent.parent / "moved")
    entry.symlink_to(entry.parent.parent / "moved")


def open_to_all(entry: Path) -> None:
    entry.chmod(0o777)


def not_executable(entry: Path) -> None:
    entry.chmod(0o600)


@pytest.mark.parametrize("harm", [plant, truncate, damage, link, open_to_all, not_executable])
def test_a_file_that_cannot_be_trusted_is_replaced(
    cache: Path, harm: Callable[[Path], None]
) -> None:
    check()
    [entry] = entries(cache)
    harm(entry)
    check()
    assert not (cache.parent / "executed").exists()
    [healed] = entries(cache)
    assert healed.is_file()
    assert not healed.is_symlink()
    assert kept.find(cache, healed.name.partition("-")[0]) == healed


def test_a_verifier_under_the_name_of_another_is_not_run(cache: Path) -> None:
    check()
    [own] = entries(cache)
    check(OTHER)
    [other] = [entry for entry in entries(cache) if entry != own]
    key, check_of_other = own.name.partition("-")[0], other.name.partition("-")[2]
    own.unlink()
    swapped = other.rename(cache / f"{key}-{check_of_other}")
    check()
    assert not swapped.exists()
    assert len(entries(cache)) == 1


def test_the_folder_of_another_user_is_not_used(cache: Path) -> None:
    if os.getuid() != 0:
        pytest.skip("only root can give a folder to another user")
    check()
    [entry] = entries(cache)
    entry.write_text(PLANTED)
    os.chown(cache, 1, 1)
    assert kept.problem(cache) == "it belongs to another user"
    check()
    assert not (cache.parent / "executed").exists()
    assert entries(cache) == [entry]


def test_a_file_of_another_user_is_not_run(cache: Path) -> None:
    if os.getuid() != 0:
        pytest.skip("only root can give a file to another user")
    check()
    [entry] = entries(cache)
    os.chown(entry, 1, 1)
    check()
    assert entries(cache)[0].stat().st_uid == 0


def test_a_folder_that_others_can_write_to_is_closed_to_them(cache: Path) -> None:
    cache.mkdir()
    cache.chmod(0o777)
    check()
    assert cache.stat().st_mode & 0o077 == 0o055
    assert len(entries(cache)) == 1


def test_a_new_folder_is_for_its_user_alone(cache: Path) -> None:
    check()
    assert cache.stat().st_mode & 0o777 == 0o700


def test_without_a_place_for_it(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.write_text("a file")
    check()
    assert cache.read_text() == "a file"
    monkeypatch.delenv("WHORL_CACHE")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", lambda: (_ for _ in ()).throw(RuntimeError("no home")))
    check()
    assert not list((cache.parent / "tmp").iterdir())


@pytest.mark.parametrize(
    ("options", "after"),
    [
        ("size=64m,noexec", ""),
        ("size=64m,ro", ""),
        ("size=64k", ""),
        ("size=1m", "head -c 2m /dev/zero > {0}/full 2> /dev/null;"),
    ],
    ids=["noexec", "read-only", "small", "full"],
)
def test_a_file_system_that_fails(cache: Path, small: Path, options: str, after: str) -> None:
    cache.mkdir()
    said = mounted(options, cache, after.format(cache), "check", small)
    assert "status 0" in said, said
    assert "engine: native" in said


def test_without_the_cache(cache: Path, small: Path) -> None:
    check(no_cache=True)
    ran = finish("check", "-q", "--no-cache", small)
    assert ran.returncode == 0
    assert not cache.exists()
    assert not list((cache.parent / "tmp").iterdir())


def test_show_and_clear(cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check()
    (cache / "notes").write_text("not ours")
    assert main(["cache", "show"]) == 0
    said = capsys.readouterr().out
    assert str(cache) in said
    assert "1 verifier" in said
    assert main(["cache", "clear"]) == 0
    assert "1 verifier" in capsys.readouterr().out
    assert entries(cache) == [cache / "notes"]


def test_only_verifiers_are_pruned(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "KEPT", 1)
    cache.mkdir()
    (cache / "notes").write_text("not ours")
    (cache / ("0" * 40)).write_text("of an earlier version")
    check()
    check(OTHER)
    assert len(entries(cache)) == 2
    assert (cache / "notes").exists()


def test_a_verifier_that_is_pruned_before_it_runs(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built: list[Path] = []

    def build_and_lose(self: Builder, text: str, level: str) -> Path:
        verifier = build(self, text, level)
        if not built:
            verifier.unlink()
        built.append(verifier)
        return verifier

    build = Builder.build
    monkeypatch.setattr(Builder, "build", build_and_lose)
    check()
    assert len(built) == 2


def test_what_cannot_be_run_anywhere(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def not_started(*_: object) -> Outcome:
        raise NotStarted("Permission denied")

    monkeypatch.setattr(tiers, "run", not_started)
    result = whorl.check(SMALL)
    assert (result.verdict, result.engine) == ("holds", "reference")
    assert "cannot be run: Permission denied" in result.notes[0]


def test_leftovers_of_a_killed_run_are_removed(
    cache: Path, small: Path, compiler: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = os.environ["WHORL_CC"]
    compiler("#!/bin/sh\nsleep 60\n")
    with subprocess.Popen(command("check", small), stderr=subprocess.DEVNULL) as process:
        wait_for(lambda: len(children(process.pid)) >= 2)
        started = children(process.pid)
        [work] = entries(cache)
        os.utime(work, (0, 0))
        assert not list(kept.leftovers())  # it is in use
        process.kill()
        process.wait(WAIT)
    for child in started:
        os.kill(child, signal.SIGKILL)
    assert list(kept.leftovers()) == [work]
    young = cache / f"{kept.WORK}young"
    young.mkdir()
    monkeypatch.setenv("WHORL_CC", before)
    check()
    assert not work.exists()
    assert young.exists()
    os.utime(young, (0, time.time() - 3600))
    assert main(["cache", "clear"]) == 0
    assert entries(cache) == []
    shutil.rmtree(cache)
    assert main(["cache", "clear"]) == 0
