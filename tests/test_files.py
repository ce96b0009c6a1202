"""Files are written whole or not at all. (tests/faults has full disks and closed streams.)"""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from whorl.diagnostics import WhorlError
from whorl.files import is_file, refuse_without_folder, write_file


def test_a_file_is_written(tmp_path: Path) -> None:
    path = tmp_path / "a b"
    path.write_text("before, and longer")
    write_file(path, "→ text\n")
    assert path.read_text(encoding="utf-8") == "→ text\n"


def test_what_utf_8_has_no_bytes_for(tmp_path: Path) -> None:
    write_file(tmp_path / "t", "a\udc80b")
    assert (tmp_path / "t").read_bytes() == b"a\\udc80b"


def test_a_place_that_cannot_be_written_to(tmp_path: Path) -> None:
    with pytest.raises(WhorlError, match="there is no trail") as caught:
        write_file(tmp_path / "missing" / "t", "text", "trail")
    assert str(tmp_path / "missing" / "t") in str(caught.value)
    with pytest.raises(WhorlError, match="there is no file"):
        write_file(tmp_path, "text")
    with pytest.raises(WhorlError, match="cannot write"):
        write_file(Path("a\0b"), "text")


def test_no_half_file_stays_after_an_interrupt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Interrupted(io.FileIO):
        def write(self, data: object) -> int:
            super().write(b"half")
            raise KeyboardInterrupt

    monkeypatch.setattr(Path, "open", lambda path, _: Interrupted(path, "wb"))
    path = tmp_path / "t"
    with pytest.raises(KeyboardInterrupt):
        write_file(path, "text")
    assert not path.exists()


def test_a_dash_is_no_file_to_write(tmp_path: Path) -> None:
    with pytest.raises(WhorlError, match="'-' is no name of a file here"):
        refuse_without_folder("-")
    refuse_without_folder(str(tmp_path / "-"))


def test_is_file(tmp_path: Path) -> None:
    (tmp_path / "t").write_text("")
    assert is_file(str(tmp_path / "t"))
    assert not is_file(str(tmp_path))
    assert not is_file(str(tmp_path / "missing"))
    assert not is_file("a\0b")
    assert not is_file("a" * 100_000)
