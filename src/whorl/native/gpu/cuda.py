"""A GPU of NVIDIA's, by CuPy: kernels are compiled by NVRTC when a search begins."""

from __future__ import annotations

import ctypes
import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from whorl.diagnostics import Diagnostic, WhorlError
from whorl.native.gpu.device import DeviceFailed, DeviceFull
from whorl.native.gpu.text import NVRTC_OPTIONS

HINT = "pip install 'whorl[gpu]' brings CuPy; the driver comes with the system"
THREADS = 256  # of a block
LAUNCHED = 1 << 24
OUT_OF_MEMORY = 2  # cudaErrorMemoryAllocation, CUDA_ERROR_OUT_OF_MEMORY
NO_ROOM = (OUT_OF_MEMORY, 701)  # cudaErrorLaunchOutOfResources, of the threads' own memory
TO_DEVICE, FROM_DEVICE, ON_DEVICE = 1, 2, 3  # cudaMemcpyKind


class CudaDevice:
    """The current device of CuPy; WhorlError if there is none."""

    def __init__(self) -> None:
        try:
            self.cupy: Any = importlib.import_module("cupy")
            self.numpy: Any = importlib.import_module("numpy")
        except ImportError as error:
            raise _none(f"CuPy cannot be imported ({error})") from None
        self.runtime = self.cupy.cuda.runtime
        try:
            if self.runtime.getDeviceCount() == 0:
                raise _none("this machine has no GPU that CUDA can use")
            number = self.runtime.getDevice()
            found = self.runtime.getDeviceProperties(number)["name"]
        except self.runtime.CUDARuntimeError as error:
            raise _none(f"CUDA says: {error}") from None
        self._name = found.decode() if isinstance(found, bytes) else str(found)

    @property
    def name(self) -> str:
        return self._name

    @property
    def launched(self) -> int:
        return LAUNCHED

    @property
    def free_bytes(self) -> int:
        return int(self.runtime.memGetInfo()[0])

    def compiled(self, text: str, *defines: str) -> _CudaModule:
        # CuPy itself says ALL_ON_DEVICE, and NVRTC does not want to hear it twice.
        options = (*NVRTC_OPTIONS, *(f"-D{define}" for define in defines))
        module = self.cupy.RawModule(code=text, options=options, backend="nvrtc")
        with self.failing():
            module.compile()  # else CuPy would do so when something is launched
        return _CudaModule(self, module)

    @contextmanager
    def failing(self) -> Iterator[None]:
        """What CUDA says in this block: DeviceFull for want of memory, else DeviceFailed."""
        of_cuda = (
            self.runtime.CUDARuntimeError,
            self.cupy.cuda.driver.CUDADriverError,
            self.cupy.cuda.compiler.CompileException,
        )
        try:
            yield
        except of_cuda as error:
            if getattr(error, "status", None) in NO_ROOM:
                raise DeviceFull from None
            raise DeviceFailed(f"{self.name}: {error}") from error

    def allocate(self, size: int) -> int:
        with self.failing():
            address = int(self.runtime.malloc(size))
        self.clear(address, size)
        return address

    def release(self, address: int) -> None:
        with self.failing():
            self.runtime.free(address)

    def clear(self, address: int, size: int) -> None:
        with self.failing():
            self.runtime.memset(address, 0, size)

    def write(self, address: int, data: bytes) -> None:
        held = ctypes.create_string_buffer(data, len(data))
        with self.failing():
            self.runtime.memcpy(address, ctypes.addressof(held), len(data), TO_DEVICE)

    def read(self, address: int, size: int) -> bytes:
        held = ctypes.create_string_buffer(size)
        with self.failing():
            self.runtime.memcpy(ctypes.addressof(held), address, size, FROM_DEVICE)
        return held.raw

    def copy(self, to: int, source: int, size: int) -> None:
        with self.failing():
            self.runtime.memcpy(to, source, size, ON_DEVICE)


class _CudaModule:
    def __init__(self, device: CudaDevice, module: Any) -> None:
        self.device = device
        self.module = module
        self._kernels: dict[str, Any] = {}

    def _kernel(self, name: str) -> Any:
        if name not in self._kernels:
            self._kernels[name] = self.module.get_function(name)
        return self._kernels[name]

    def launch(self, kernel: str, world: int, threads: int) -> None:
        blocks = -(-threads // THREADS)
        arguments = (self.device.numpy.uint64(world),)
        with self.device.failing():
            self._kernel(kernel)((blocks,), (THREADS,), arguments)
            self.device.runtime.deviceSynchronize()

    def needs(self, kernel: str) -> dict[str, int]:
        found = self._kernel(kernel)
        return {"registers": int(found.num_regs), "local_bytes": int(found.local_size_bytes)}


def _none(why: str) -> WhorlError:
    return WhorlError(Diagnostic("error", f"--engine gpu needs a GPU: {why}", None, HINT))
