"""NVRTC as a function: it compiles for a GPU where there is none. nvidia-cuda-nvrtc-cu12 has it."""

from __future__ import annotations

import ctypes
import importlib.util
import re
from functools import cache
from pathlib import Path

from whorl.native.gpu.text import ALL_ON_DEVICE, NVRTC_OPTIONS

SIZES = {"PTX": "nvrtcGetPTXSize", "CUBIN": "nvrtcGetCUBINSize"}


@cache
def library() -> ctypes.CDLL | None:
    """The library of the package, if it is installed."""
    try:
        found = importlib.util.find_spec("nvidia.cuda_nvrtc")
    except ModuleNotFoundError:
        return None
    if found is None or not found.submodule_search_locations:
        return None
    for folder in found.submodule_search_locations:
        for path in sorted(Path(folder, "lib").glob("libnvrtc.so*")):
            return ctypes.CDLL(str(path))
    return None


def compiled(text: str, architecture: str, *options: str) -> tuple[bytes | None, str]:
    """What NVRTC makes of a text, or nothing; and what it says.

    `sm_90` is code of the device itself, `compute_90` what the driver makes that of.
    """
    nvrtc = library()
    assert nvrtc is not None
    program, size = ctypes.c_void_p(), ctypes.c_size_t()
    said = nvrtc.nvrtcCreateProgram(
        ctypes.byref(program), text.encode(), b"kernels.cu", 0, None, None
    )
    assert said == 0
    words = [ALL_ON_DEVICE, *NVRTC_OPTIONS, *options, f"--gpu-architecture={architecture}"]
    arguments = (ctypes.c_char_p * len(words))(*(word.encode() for word in words))
    failed = nvrtc.nvrtcCompileProgram(program, len(words), arguments)
    nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size))
    log = ctypes.create_string_buffer(size.value)
    nvrtc.nvrtcGetProgramLog(program, log)
    made = None
    if not failed:
        kind = "CUBIN" if architecture.startswith("sm_") else "PTX"
        getattr(nvrtc, SIZES[kind])(program, ctypes.byref(size))
        made_of = ctypes.create_string_buffer(size.value)
        getattr(nvrtc, f"nvrtcGet{kind}")(program, made_of)
        made = made_of.raw
    nvrtc.nvrtcDestroyProgram(ctypes.byref(program))
    return made, log.value.decode()


_FUNCTION = re.compile(r"^(?:\.visible |\.weak )?\.(?:func|entry)\b([^;{]*)\{(.*?)^}", re.M | re.S)
_NAME = re.compile(r"(?:\([^()]*\)\s*)?([\w$]+)")
_CALL = re.compile(r"^\s*call(?:\.uni)?\s+(?:\([^()]*\),\s*)?([\w$%]+)", re.M)


def in_a_circle(ptx: str) -> list[str]:
    """The functions of a PTX text that may call themselves, or whatever a pointer leads to.

    NVRTC gives no warning of such a function, and nobody knows how much stack it takes.
    """
    calls: dict[str, set[str]] = {}
    for head, body in _FUNCTION.findall(ptx):
        named = _NAME.match(head.strip())
        assert named is not None, head
        calls[named[1]] = set(_CALL.findall(body))
    assert calls
    for _ in calls:  # as far as it goes
        for name, direct in calls.items():
            calls[name] = direct.union(*(calls.get(called, set()) for called in direct))
    return [
        name
        for name, all_called in calls.items()
        if name in all_called or any(called.startswith("%") for called in all_called)
    ]
