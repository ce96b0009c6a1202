"""Files of states: what one worker found between two commits, compressed, written whole or not.

A piece is one stream of zstd, or of zlib where the package zstandard is missing. States of a search
are alike, so the fastest level makes 5 to 9 bytes of one, and a better level would take more time
than it saves. A piece is written beside its name, flushed to the disk and renamed. Its size and its
checksum are in the commit, so a piece that is not whole is noticed before a state of it is used.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any, Protocol

BLOCK = 1 << 20  # bytes that are read or written at a time
LEVEL = 1  # of both codecs


class PieceError(Exception):
    """A piece that cannot be written or read; the text says which and why."""


@dataclass(frozen=True, slots=True)
class StateFile:
    """A file of states, as a commit knows it."""

    name: str
    codec: str
    states: int
    bytes: int  # on disk
    checksum: int  # crc32 of what is on disk

    def as_data(self) -> dict[str, Any]:
        return asdict(self)


class _Coder(Protocol):
    def compress(self, data: bytes) -> bytes: ...
    def flush(self) -> bytes: ...


class _Decoder(Protocol):
    def decompress(self, data: bytes) -> bytes: ...


def codec() -> str:
    """The best one that is there."""
    try:
        import zstandard  # noqa: F401
    except ImportError:
        return "zlib"
    return "zstd"


def _coder(name: str) -> _Coder:
    if name == "zlib":
        return zlib.compressobj(LEVEL)
    import zstandard

    coder: _Coder = zstandard.ZstdCompressor(level=LEVEL).compressobj()
    return coder


def _decoder(name: str) -> _Decoder:
    if name == "zlib":
        return zlib.decompressobj()
    try:
        import zstandard
    except ImportError:
        raise PieceError("it was written with the package zstandard, which is missing") from None
    decoder: _Decoder = zstandard.ZstdDecompressor().decompressobj()
    return decoder


def write(folder: Path, name: str, records: Iterable[bytes], stride: int) -> StateFile:
    """Writes records, each of `stride` bytes; PieceError, and no file, where that fails."""
    target, beside = folder / name, folder / f".{name}.part"
    kind = codec()
    coder, length, size, checksum = _coder(kind), 0, 0, 0
    try:
        with beside.open("wb") as file:
            for block in records:
                length += len(block)
                data = coder.compress(block)
                file.write(data)
                size, checksum = size + len(data), zlib.crc32(data, checksum)
            data = coder.flush()
            file.write(data)
            size, checksum = size + len(data), zlib.crc32(data, checksum)
            secured(file)
        beside.replace(target)
    except BaseException as error:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise PieceError(f"cannot write '{target}': {error.strerror or error}") from None
        raise
    assert length % stride == 0
    return StateFile(name, kind, length // stride, size, checksum)


def read(folder: Path, piece: StateFile, stride: int) -> Iterator[bytes]:
    """The records of a piece, whole ones at a time; PieceError before any if it is damaged."""
    path = folder / piece.name
    try:
        with path.open("rb") as file:
            _refuse_damaged(path, file, piece)
            yield from _blocks(file, piece, stride)
    except OSError as error:
        raise PieceError(f"cannot read '{path}': {error.strerror or error}") from None


def _refuse_damaged(path: Path, file: IO[bytes], piece: StateFile) -> None:
    size = checksum = 0
    while data := file.read(BLOCK):
        size, checksum = size + len(data), zlib.crc32(data, checksum)
    if (size, checksum) != (piece.bytes, piece.checksum):
        raise PieceError(f"'{path}' is damaged: it is not what was committed")
    file.seek(0)


def _blocks(file: IO[bytes], piece: StateFile, stride: int) -> Iterator[bytes]:
    decoder, rest, length = _decoder(piece.codec), b"", 0
    while data := file.read(BLOCK):
        rest += decoder.decompress(data)
        whole = len(rest) - len(rest) % stride
        if whole:
            length += whole
            yield rest[:whole]
            rest = rest[whole:]
    assert not rest
    assert length == piece.states * stride


def secured(file: IO[bytes]) -> None:
    """What was written to a file is on the disk."""
    file.flush()
    os.fsync(file.fileno())


def secured_folder(folder: Path) -> None:
    """So is what was renamed in it, where the system can do that for folders."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
