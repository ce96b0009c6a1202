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
from whorl.native.gpu.device import DeviceFull
from whorl.native.gpu.processor import ProcessorDevice

EXAMPLES = Path(__file__).parents[3] / "examples"

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="this machine has no gcc")


class CudaError(Exception):
    def __init__(self, status: int) -> None:
        super().__init__(f"error {status}")
        self.status = status


class Runtime:
    """cupy.cuda.runtime, with the processor's memory."""

    CUDARuntimeError = CudaError

    def __init__(self, devices: int) -> None:
        self.device = ProcessorDevice(2)
        self.devices = devices
        self.waited = 0

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
        if nvrtc.library() is not None:
            assert nvrtc.compiled(code, "compute_80", *options)[0] is not None
        defines = [option[2:] for option in options if option.startswith("-D")]
        module = runtime.device.compiled(code, *defines)

        def get_function(name: str) -> Any:
            def launch(grid: tuple[int], block: tuple[int], arguments: tuple[Any]) -> None:
                module.launch(name, arguments[0], grid[0] * block[0])

            return launch

        return types.SimpleNamespace(get_function=get_function)

    return types.SimpleNamespace(cuda=types.SimpleNamespace(runtime=runtime), RawModule=raw_module)


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
