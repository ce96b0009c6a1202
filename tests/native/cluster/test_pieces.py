"""Files of states: what was written comes back, and what is not whole is noticed."""

from __future__ import annotations

import errno
import random
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from whorl.native.cluster import pieces
from whorl.native.cluster.pieces import PieceError, codec, read, write

CODECS = ["zlib", "zstd"]


@pytest.fixture(params=CODECS)
def each_codec(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    name: str = request.param
    if name == "zstd":
        pytest.importorskip("zstandard")
    else:
        monkeypatch.setitem(sys.modules, "zstandard", None)
    assert codec() == name
    return name


def states(count: int, stride: int, seed: int = 1) -> bytes:
    """Records that are alike, as states of a search are."""
    drawn = random.Random(seed)
    last = bytearray(stride)
    result = bytearray()
    for _ in range(count):
        last[drawn.randrange(stride)] = drawn.randrange(5)
        result += last
    return bytes(result)


@pytest.mark.parametrize("stride", [8, 24, 100])
@pytest.mark.parametrize("count", [0, 1, 50_000])
def test_what_was_written_comes_back(
    each_codec: str, tmp_path: Path, count: int, stride: int
) -> None:
    data = states(count, stride)
    blocks = [data[at : at + 64 * stride] for at in range(0, len(data), 64 * stride)]
    piece = write(tmp_path, "some.states", blocks, stride)
    assert (piece.codec, piece.states) == (each_codec, count)
    assert [path.name for path in tmp_path.iterdir()] == ["some.states"]
    assert (tmp_path / "some.states").stat().st_size == piece.bytes
    found = list(read(tmp_path, piece, stride))
    assert b"".join(found) == data
    assert all(block and len(block) % stride == 0 for block in found)


@pytest.mark.parametrize("kind", ["a bit", "shorter", "longer", "empty", "another's"])
def test_what_is_not_whole_is_noticed(tmp_path: Path, kind: str) -> None:
    piece = write(tmp_path, "some.states", [states(5000, 16)], 16)
    path = tmp_path / "some.states"
    data = bytearray(path.read_bytes())
    if kind == "a bit":
        data[len(data) // 2] ^= 4
    elif kind == "shorter":
        del data[-1]
    elif kind == "longer":
        data += b"\0"
    elif kind == "empty":
        data.clear()
    else:
        write(tmp_path, "other.states", [states(5000, 16, seed=2)], 16)
        data = bytearray((tmp_path / "other.states").read_bytes())
    path.write_bytes(data)
    with pytest.raises(PieceError, match="damaged"):
        next(read(tmp_path, piece, 16))
    path.unlink()
    with pytest.raises(PieceError, match=r"cannot read .*No such file"):
        next(read(tmp_path, piece, 16))


def test_a_full_disk_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(pieces, "secured", full)
    with pytest.raises(PieceError, match=r"cannot write .*some\.states.*No space left"):
        write(tmp_path, "some.states", [states(100, 8)], 8)
    assert not list(tmp_path.iterdir())


def test_records_that_fail_leave_nothing(tmp_path: Path) -> None:
    def failing() -> Iterator[bytes]:
        yield states(100, 8)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write(tmp_path, "some.states", failing(), 8)
    assert not list(tmp_path.iterdir())


def test_states_that_are_alike_take_few_bytes(each_codec: str, tmp_path: Path) -> None:
    piece = write(tmp_path, "some.states", [states(100_000, 64)], 64)
    assert piece.bytes / piece.states < 16, each_codec


def test_without_the_package_what_it_wrote_cannot_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("zstandard")
    piece = write(tmp_path, "some.states", [states(10, 8)], 8)
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(PieceError, match="the package zstandard, which is missing"):
        next(read(tmp_path, piece, 8))
