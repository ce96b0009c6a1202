"""What the fault tests need: a cache and a model of their own, and compilers that fail."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from support.machine import LARGE, SMALL


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache of verifiers, and no temporary files elsewhere."""
    folder, temporary = tmp_path / "cache", tmp_path / "tmp"
    temporary.mkdir()
    monkeypatch.setenv("WHORL_CACHE", str(folder))
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    return folder


@pytest.fixture
def small(tmp_path: Path) -> Path:
    path = tmp_path / "small.pml"
    path.write_text(SMALL)
    return path


@pytest.fixture
def large(tmp_path: Path) -> Path:
    path = tmp_path / "large.pml"
    path.write_text(LARGE)
    return path


@pytest.fixture
def compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Takes a script for the C compiler."""

    def take(text: str) -> Path:
        script = tmp_path / "fake-cc"
        script.write_text(text)
        script.chmod(0o755)
        monkeypatch.setenv("WHORL_CC", str(script))
        return script

    return take


@pytest.fixture(autouse=True)
def only_linux() -> None:
    if not sys.platform.startswith("linux"):
        pytest.skip("looks at /proc, which only Linux has")
