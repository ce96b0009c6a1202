"""CuPy as the host calls it, with a CuPy that runs kernels on the processor: no GPU is needed.

It says what we believe of CuPy, and so it cannot find where we are wrong about it.
"""

from __future__ import annotations

import ctypes
import shutil
import types
from pathlib import Path
from typing import Any

import pytest

import whorl
from support import nvrtc
from support.gpu import COMPILER
from whorl.diagnostics import WhorlError
from whorl.native.gpu import cuda
from whorl.native.gpu.device import DeviceFailed, DeviceFull
from whorl.native.gpu.processor import ProcessorDevice

NO_C = "this is no C"
EXAMPLES = Path(__file__).parents[3] / "examples"

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="this machine has no gcc")


class CudaError(Exception):
    def __init__(self, status: int) -> None:
        super().__init__(f"error {status}")
        self.status = status


class Driver:
    """cupy.cuda.driver."""

    class CUDADriverError(CudaError):
        pass


class Compiler:
    """cupy.cuda.compiler."""

    class CompileException(Exception):
        pass


class Runtime:
    """cupy.cuda.runtime, with the processor's memory."""

    CUDARuntimeError = CudaError

    def __init__(self, devices: int) -> None:
        self.device = ProcessorDevice(2)
        self.devices = devices
        self.waited = 0
        self.failing: tuple[str, Exception] | None = None  # a kernel, and what its launch raises
        self.kernels: list[str] = []

    def getDeviceCount(self) -> int:  # noqa: N802
        return self.devices

    def getDevice(self) -> int:  # noqa: N802
        return 0

    def getDeviceProperties(self, number: int) -> dict[str, bytes]:  # noqa: N802
        return {"name": b"a GPU that is none"}

    def memGetInfo(self) -> tuple[int, int]:  # noqa: N802
        return self.device.free_bytes, self.device.memory

    def malloc(self, size: int) -> int:
        try:
            address = self.device.allocate(size)
        except DeviceFull:
            raise CudaError(cuda.OUT_OF_MEMORY) from None
        ctypes.memset(address, 0xA5, size)  # it is not cleared
        return address

    def free(self, address: int) -> None:
        self.device.release(address)

    def memset(self, address: int, value: int, size: int) -> None:
        ctypes.memset(address, value, size)

    def memcpy(self, to: int, source: int, size: int, kind: int) -> None:
        assert kind in (cuda.TO_DEVICE, cuda.FROM_DEVICE, cuda.ON_DEVICE)
        ctypes.memmove(to, source, size)

    def deviceSynchronize(self) -> None:  # noqa: N802
        self.waited += 1


def cupy(devices: int = 1) -> Any:
    runtime = Runtime(devices)

    def raw_module(code: str, options: tuple[str, ...], backend: str) -> Any:
        assert backend == "nvrtc"
        assert "--device-as-default-execution-space" not in options  # CuPy says it
        defines = [option[2:] for option in options if option.startswith("-D")]
        made: list[Any] = []

        def compile_() -> None:
            if code == NO_C or (
                nvrtc.library() is not None
                and nvrtc.compiled(code, "compute_80", *options)[0] is None
            ):
                raise Compiler.CompileException("it does not compile")
            made.append(runtime.device.compiled(code, *defines))

        def get_function(name: str) -> Any:
            runtime.kernels.append(name)

            class Kernel:
                num_regs, local_size_bytes = 40, 900

                def __call__(
                    self, grid: tuple[int], block: tuple[int], arguments: tuple[Any]
                ) -> None:
                    if runtime.failing is not None and runtime.failing[0] == name:
                        raise runtime.failing[1]
                    made[0].launch(name, arguments[0], grid[0] * block[0])

            return Kernel()

        return types.SimpleNamespace(get_function=get_function, compile=compile_)

    parts = types.SimpleNamespace(runtime=runtime, driver=Driver, compiler=Compiler)
    return types.SimpleNamespace(cuda=parts, RawModule=raw_module)


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Any:
    modules = __import__("sys").modules
    monkeypatch.setenv("WHORL_CC", COMPILER)
    monkeypatch.setitem(modules, "numpy", types.SimpleNamespace(uint64=int))
    monkeypatch.setitem(modules, "cupy", made := cupy())
    return made


def test_a_search_with_cupy(fake: Any) -> None:
    found = whorl.check(EXAMPLES / "lost_update.pml", engine="gpu", safety=True)
    assert found.verdict == "violated", str(found)
    assert len(found.traces[0].steps) == 17
    assert fake.cuda.runtime.waited > 9
    assert fake.cuda.runtime.device.free_bytes == fake.cuda.runtime.device.memory  # all given back
    kernels = fake.cuda.runtime.kernels
    assert kernels.count("whorl_gpu_whole") == 1  # each is asked for once, not for each launch


@pytest.mark.parametrize("status", cuda.NO_ROOM)
def test_a_kernel_whose_threads_have_no_memory(fake: Any, status: int) -> None:
    fake.cuda.runtime.failing = "whorl_gpu_whole", Driver.CUDADriverError(status)
    found = whorl.check(EXAMPLES / "lost_update.pml", engine="gpu", safety=True)
    assert found.verdict == "inconclusive"
    assert "the memory of the GPU is full" in str(found)
    assert fake.cuda.runtime.device.free_bytes == fake.cuda.runtime.device.memory


def test_a_kernel_that_fails_is_never_a_verdict(fake: Any) -> None:
    fake.cuda.runtime.failing = "whorl_gpu_whole", CudaError(700)
    with pytest.raises(DeviceFailed, match="a GPU that is none: error 700"):
        whorl.check(EXAMPLES / "lost_update.pml", engine="gpu", safety=True)


def test_what_nvrtc_does_not_compile_is_said_before_anything_is_launched(fake: Any) -> None:
    with pytest.raises(DeviceFailed, match="it does not compile"):
        cuda.CudaDevice().compiled(NO_C)


def test_what_a_kernel_takes_is_known(fake: Any) -> None:
    module = fake.RawModule("", (), "nvrtc")
    needed = cuda._CudaModule(cuda.CudaDevice(), module).needs("whorl_gpu_whole")
    assert needed == {"registers": 40, "local_bytes": 900}


def test_no_device(monkeypatch: pytest.MonkeyPatch, fake: Any) -> None:
    monkeypatch.setitem(__import__("sys").modules, "cupy", cupy(devices=0))
    with pytest.raises(WhorlError, match="no GPU that CUDA can use"):
        cuda.CudaDevice()


def test_other_errors_of_cuda_are_said(monkeypatch: pytest.MonkeyPatch, fake: Any) -> None:
    def broken() -> int:
        raise CudaError(35)

    monkeypatch.setattr(fake.cuda.runtime, "getDeviceCount", broken)
    with pytest.raises(WhorlError, match="CUDA says: error 35"):
        cuda.CudaDevice()
