"""A C compiler that fails, in whatever way: the search is still done, and the user hears why."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import whorl
from support.machine import SMALL
from whorl.cli import main

FAILING = {
    "refuses": ("#!/bin/sh\necho 'model.c:1: no thanks' >&2\nexit 1\n", "no thanks"),
    "is killed": ("#!/bin/sh\necho begins >&2\nkill -9 $$\n", "signal 9"),
    "makes nothing": ("#!/bin/sh\nexit 0\n", "exit status 0"),
    "cannot be run": ("#!/no/such/interpreter\n", "cannot be run: No such file"),
    "is no program": ("\x00\x01\x02", "cannot be run: Exec format error"),
    "says a lot": ("#!/bin/sh\nseq 1 1000000 >&2\nexit 1\n", "\n3\n"),
}


@pytest.mark.parametrize("how", FAILING)
def test_the_reference_engine_takes_over(
    how: str, cache: Path, compiler: Callable[[str], Path]
) -> None:
    text, says = FAILING[how]
    script = compiler(text)
    result = whorl.check(SMALL)
    assert (result.verdict, result.engine) == ("holds", "reference")
    [note] = result.notes
    assert "the reference engine ran, which is slow" in note
    assert says in note
    assert f"the command was: {script}" in note
    assert len(note.splitlines()) < 20
    assert not list(cache.iterdir())


def test_for_every_property(cache: Path, compiler: Callable[[str], Path]) -> None:
    compiler(FAILING["refuses"][0])
    result = whorl.check(SMALL + "ltl p1 { [] (x < 2) }\nltl p2 { <> (x == 2) }\n")
    assert [p.verdict for p in result.properties[-2:]] == ["holds", "violated"]
    assert result.engine == "reference"
    assert all("no thanks" in note for note in result.notes)
    assert not list(cache.iterdir())


def test_asked_for_by_name_it_is_an_error(
    small: Path, cache: Path, compiler: Callable[[str], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    compiler(FAILING["refuses"][0])
    for option in (["--engine", "native"], ["--store", "bitstate"]):
        assert main(["check", str(small), *option]) == 2
        said = capsys.readouterr().err
        assert "the native engine cannot run this: " in said
        assert "no thanks" in said
        assert "the command was: " in said
        assert "bug" not in said


def test_notes_of_several_lines_are_set_in(
    small: Path, cache: Path, compiler: Callable[[str], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    compiler(FAILING["refuses"][0])
    assert main(["check", str(small)]) == 0
    assert "\n      model.c:1: no thanks\n      the command was: " in capsys.readouterr().out


def test_there_is_no_folder_to_compile_in(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("whorl.native.cache.ROOM", 1 << 80)
    result = whorl.check(SMALL)
    assert (result.verdict, result.engine) == ("holds", "reference")
    assert "no folder to compile in" in result.notes[0]
