"""A device: what the host asks of one, whether it is a GPU or stands in for one in tests."""

from __future__ import annotations

from typing import Protocol


class DeviceFull(Exception):
    """There is no more memory on the device."""


class DeviceFailed(Exception):
    """The device or its compiler failed: a bug of ours or of theirs, never a verdict."""


class Module(Protocol):
    """Kernels that were compiled together."""

    def launch(self, kernel: str, world: int, threads: int) -> None:
        """Runs a kernel of a WHORL_KERNEL's name; `world` is the address of its argument.

        What comes of it is there for whoever reads. DeviceFull: it did not run, for want of memory.
        """

    def needs(self, kernel: str) -> dict[str, int]:
        """What a thread of a kernel takes, by name, as far as that is known."""


class Device(Protocol):
    """A machine with memory of its own; addresses are those of its memory."""

    @property
    def name(self) -> str:
        """What a report calls it."""

    @property
    def launched(self) -> int:
        """How many threads a launch has, at most: between two launches a search can be stopped."""

    @property
    def free_bytes(self) -> int: ...

    def compiled(self, text: str, *defines: str) -> Module:
        """The kernels of a text, with macros like `NAME=VALUE`, ready to be launched."""

    def allocate(self, size: int) -> int:
        """So many bytes, all of them 0; DeviceFull if there are not."""

    def release(self, address: int) -> None: ...

    def clear(self, address: int, size: int) -> None: ...

    def write(self, address: int, data: bytes) -> None: ...

    def read(self, address: int, size: int) -> bytes: ...

    def copy(self, to: int, source: int, size: int) -> None: ...
