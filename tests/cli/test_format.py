"""`whorl format`: files in place, or what would change."""

from __future__ import annotations

import io
import json
import os
import sys
from pathlib import Path

import pytest

from whorl.cli.main import main

UGLY = "init   {\nbyte x;\n x=1\n}\n"
NEAT = "init {\n    byte x;\n    x = 1\n}\n"


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "m.pml"
    path.write_text(UGLY, encoding="utf-8")
    return path


def test_in_place(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model.chmod(0o640)
    link = model.with_name("link.pml")
    link.symlink_to(model)
    assert main(["format", str(link)]) == 0
    assert model.read_text(encoding="utf-8") == NEAT
    assert link.is_symlink()
    assert model.stat().st_mode & 0o777 == 0o640
    assert "1 file formatted, 0 left" in capsys.readouterr().err
    assert main(["format", str(model.parent)]) == 0
    assert "0 files formatted, 2 left" in capsys.readouterr().err
    assert sorted(path.name for path in model.parent.iterdir()) == ["link.pml", "m.pml"]


@pytest.mark.parametrize("option", ["--check", "--diff"])
def test_what_would_change(model: Path, option: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["format", option, str(model)]) == 1
    assert model.read_text(encoding="utf-8") == UGLY
    said = capsys.readouterr()
    assert "would be formatted" in said.err
    assert ("+    x = 1" in said.out) == (option == "--diff")
    model.write_text(NEAT, encoding="utf-8")
    assert main(["format", option, str(model)]) == 0
    assert capsys.readouterr().out == ""


def test_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(UGLY.encode())))
    assert main(["format", "-"]) == 0
    assert capsys.readouterr() == (NEAT, "")


def test_json(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["format", "--json", "--check", str(model)]) == 1
    said = json.loads(capsys.readouterr().out)
    assert (said["changed"], said["written"]) == ([str(model)], False)


def test_line_ends_are_kept(model: Path) -> None:
    model.write_bytes(UGLY.replace("\n", "\r\n").encode())
    assert main(["format", str(model)]) == 0
    assert model.read_bytes() == NEAT.replace("\n", "\r\n").encode()


def test_bad_files(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model.write_bytes(b"/* \xff */   byte x;")
    assert main(["format", str(model)]) == 2
    assert "it is not UTF-8" in capsys.readouterr().err
    assert model.read_bytes() == b"/* \xff */   byte x;"
    assert main(["format", str(model.with_name("none.pml"))]) == 2
    assert "cannot read" in capsys.readouterr().err
    empty = model.with_name("empty")
    empty.mkdir()
    assert main(["format", str(empty)]) == 2
    assert "no models in the folder" in capsys.readouterr().err


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model.parent.chmod(0o500)
    assert main(["format", str(model)]) == 2
    assert "it is as it was" in capsys.readouterr().err
    assert model.read_text(encoding="utf-8") == UGLY


def test_a_file_that_cannot_be_replaced_is_as_it_was(
    model: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(_self: Path, _target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    assert main(["format", str(model)]) == 2
    assert "it is as it was" in capsys.readouterr().err
    assert model.read_text(encoding="utf-8") == UGLY
    assert list(model.parent.iterdir()) == [model]
