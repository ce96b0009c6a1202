"""The GPU engine where there is no GPU: its kernels as loops of the processor."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import whorl
from whorl.native.gpu import engine, search, store
from whorl.native.gpu.processor import ProcessorDevice
from whorl.verdict import Result

COMPILER = "gcc -O0"


@contextmanager
def stand_in(
    loops: int = 1, compiler: str = COMPILER, *, small: bool = False, **of_device: int
) -> Iterator[None]:
    """The processor stands in for the GPU. `small`: all buffers are too small at first, and hashes
    collide.
    """
    with pytest.MonkeyPatch.context() as patch:
        if small:
            of_device = {"launched": 37, **of_device}
            compiler += " -DWHORL_PROCESS_ROOM=2"
            compiler += " -DWHORL_HASH_MASK=0x300000000000003full"  # states have the same hash
            patch.setattr(search, "ROOMS", (1, 3, 1 << 12))
            patch.setattr(store, "FIRST", 3)
            patch.setattr(store, "GROWTH", 2)
        patch.setenv("WHORL_CC", compiler)
        patch.setattr(engine, "device_here", lambda: ProcessorDevice(loops, **of_device))
        yield


def check_gpu(model: str | Path, loops: int = 1, **options: Any) -> Result:
    """A check by kernels that run on the processor: of safety, or of what `options` ask for."""
    if not any(options.get(name) for name in ("ltl", "claim", "acceptance", "non_progress")):
        options["safety"] = True
    asked = {name: options.pop(name) for name in ("compiler", "small") if name in options}
    with stand_in(loops, **asked):
        return whorl.check(model, engine="gpu", **options)


def main() -> None:
    """Checks a model in a process that a sanitizer may watch.

    MODEL SCHEME LOOPS COMPILER [FORMULA]
    """
    model, scheme, loops, compiler, *formula = sys.argv[1:]
    wanted = {"claim": formula[0]} if formula else {}
    cache = "selective" if scheme == "two-phase" else "all"
    found = check_gpu(
        Path(model), int(loops), compiler=compiler, small=True, por=scheme, cache=cache, **wanted
    )
    print(found.verdict, found.statistics.states, [len(trace.steps) for trace in found.traces])


if __name__ == "__main__":
    main()
