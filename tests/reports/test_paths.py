"""Names of files, relative to the root of the repository."""

from __future__ import annotations

from pathlib import Path, PurePath

import pytest

from whorl.reports.paths import path_text, relative, repository_root, uri


def test_the_root_is_that_of_the_repository(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / "a" / ".git").mkdir()
    assert repository_root(inner) == tmp_path / "a"


def test_names_below_the_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inner = tmp_path / "models"
    inner.mkdir()
    monkeypatch.chdir(inner)
    assert path_text("m.pml", tmp_path) == "models/m.pml"
    assert path_text(str(inner / "m.pml"), tmp_path) == "models/m.pml"
    assert path_text("../m.pml", tmp_path) == "m.pml"
    assert relative("../../m.pml", tmp_path) is None
    assert path_text("/elsewhere/m.pml", tmp_path) == "/elsewhere/m.pml"


def test_uri() -> None:
    assert uri(PurePath("a b/c#d?.pml")) == "a%20b/c%23d%3F.pml"
