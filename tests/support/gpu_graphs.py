"""Graphs (graph.c) that the kernels of the GPU search on the processor."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from support.graph_searches import text
from support.small_graphs import Claim, Small
from whorl.native.code.generate import Generated
from whorl.native.gpu.claims import ClaimRun
from whorl.native.gpu.device import Module
from whorl.native.gpu.processor import ProcessorDevice
from whorl.native.gpu.search import GpuRequest, LevelSearch, Shape
from whorl.native.gpu.text import DEVICE, TELLING, flattened
from whorl.search.limits import Limits

GRAPH = Path(__file__).parents[1] / "native/runtime/graph.c"
WORDS = 2  # of graph.c
Kernels = tuple[ProcessorDevice, Module]


def kernels(
    claim: int,
    *,
    infinite_runs: bool = False,
    loops: int = 1,
    collide: bool = False,
    edit: Any = None,
) -> Kernels:
    """What searches graphs with a claim of a kind; `edit` changes the text of it.

    `collide`: hashes do.
    """
    defined = {"CLAIM": claim, "WHORL_INFINITE_RUNS": int(infinite_runs)}
    if collide:
        defined["WHORL_HASH_MASK"] = 0x3000000000000003
    lines = [f"#define {name} {value:#x}\n" for name, value in defined.items()]
    model = GRAPH.read_text(encoding="utf-8").replace("search/verifier.h", "gpu/claims.h")
    whole = DEVICE + "".join(lines) + flattened(model)
    if edit is not None:
        whole = edit(whole)
    device = ProcessorDevice(loops, memory=1 << 23, launched=3)
    return device, device.compiled(whole, *TELLING)


def found_in(made: Kernels, line: str) -> tuple[list[list[int]], int] | None:
    """The violation of a graph, as choices and where they come again."""
    device, module = made
    os.environ["GRAPH"] = line
    shape = Shape(WORDS + 1, 256, 0, by_process=False, claim=True)
    asked = GpuRequest(b"\1", Limits(), device.free_bytes)
    search = LevelSearch(device, module, shape, asked)
    run = _Run(search, module)
    try:
        run.to_end()
    finally:
        search.close()
    if not run.found:
        assert run.rounds > 0
        return None
    (found,) = run.found
    assert found.loop is not None
    choices = [[c.pid, c.transition, c.partner, c.partner_transition] for c in found.choices]
    return choices, found.loop


class _Run(ClaimRun):
    """One whose kernels tell, too."""

    def __init__(self, search: LevelSearch, module: Module) -> None:
        from whorl.native.gpu.elimination import Lassos

        nothing: Any = None
        generated: Generated = nothing
        super().__init__(search, generated, False)
        self._lassos = Lassos(search, module)


def compare(
    made: Kernels,
    graphs: list[tuple[Small, Claim]],
    is_violated: Callable[[Small, Claim], bool],
) -> None:
    """What is found in each is what the definition says, and a run that it is true of."""
    violated = 0
    for graph, claim in graphs:
        line = str(graph) + text(claim)
        found = found_in(made, line)
        assert (found is not None) == is_violated(graph, claim), line
        if found is not None:
            violated += 1
            run = graph.lasso(*found)
            assert run is not None, (line, found)
            assert is_violated(run, claim), (line, found)
    assert 0.05 < violated / len(graphs) < 0.95
