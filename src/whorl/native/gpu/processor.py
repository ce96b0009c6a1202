"""A device for tests: the same kernels, compiled by the C compiler, and their threads as loops."""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
from pathlib import Path

from whorl.native.compiler import CompilerError, find_compiler
from whorl.native.gpu.device import DeviceFull

# Without -fwrapv, which the native engine has: NVRTC has no such option.
FLAGS = ("-std=c11", "-DNDEBUG", "-w", "-O1", "-shared", "-fPIC", "-pthread")


class ProcessorDevice:
    """The processor, with some loops at a time and so much memory."""

    def __init__(self, loops: int = 1, memory: int = 1 << 28, launched: int = 1 << 16) -> None:
        self.loops = loops
        self.memory = memory
        self._launched = launched
        self._held: dict[int, ctypes.Array[ctypes.c_char]] = {}

    @property
    def name(self) -> str:
        return "the processor"

    @property
    def launched(self) -> int:
        return self._launched

    @property
    def free_bytes(self) -> int:
        return self.memory - sum(map(len, self._held.values()))

    def compiled(self, text: str, *defines: str) -> _ProcessorModule:
        compiler = find_compiler()
        assert compiler is not None
        with tempfile.TemporaryDirectory() as work:  # what is loaded need not be there any more
            source, made = Path(work) / "kernels.c", Path(work) / "kernels.so"
            source.write_text(text, encoding="utf-8")
            words = [*compiler.command, *FLAGS, *(f"-D{define}" for define in defines)]
            words += ["-o", str(made), str(source), *compiler.added]
            ran = subprocess.run(words, capture_output=True, text=True, check=False)
            if ran.returncode != 0:
                raise CompilerError("the kernels cannot be compiled", words, ran.stderr)
            return _ProcessorModule(ctypes.CDLL(str(made)), self.loops)

    def allocate(self, size: int) -> int:
        if size > self.free_bytes:
            raise DeviceFull
        held = ctypes.create_string_buffer(size)
        address = ctypes.addressof(held)
        self._held[address] = held
        return address

    def release(self, address: int) -> None:
        del self._held[address]

    def clear(self, address: int, size: int) -> None:
        ctypes.memset(address, 0, size)

    def write(self, address: int, data: bytes) -> None:
        ctypes.memmove(address, data, len(data))

    def read(self, address: int, size: int) -> bytes:
        return ctypes.string_at(address, size)

    def copy(self, to: int, source: int, size: int) -> None:
        ctypes.memmove(to, source, size)


class _ProcessorModule:
    def __init__(self, library: ctypes.CDLL, loops: int) -> None:
        self.library = library
        self.loops = loops

    def launch(self, kernel: str, world: int, threads: int) -> None:
        begun = self.library.whorl_launch(
            ctypes.cast(self.library[kernel], ctypes.c_void_p),
            ctypes.c_void_p(world),
            ctypes.c_uint64(threads),
            ctypes.c_uint32(self.loops),
        )
        assert begun, "the system refuses threads"

    def needs(self, kernel: str) -> dict[str, int]:
        return {}
