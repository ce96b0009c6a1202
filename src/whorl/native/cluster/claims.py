"""One worker's part of a search for cycles: all that is more than exploring (claims.h there)."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from ctypes import POINTER, byref, c_char_p, c_int, c_int32, c_uint32, c_uint64
from enum import IntEnum
from itertools import pairwise
from pathlib import Path
from typing import Any

from whorl.native.cluster.library import NO_PLACE, PartitionOptions, stopped
from whorl.native.cluster.worker import ClusterWorker

Located = tuple[int, bytes]  # a node, after its level


class Phase(IntEnum):
    """What all workers are doing (runtime/cluster/elimination.h)."""

    EXPLORE = 0
    REACH = 1
    ELIMINATE = 2
    SPREAD = 3
    GO_ROUND = 4


# Of each function: what it gives, and what it takes.
_SIGNATURES: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "leave": (c_int, (POINTER(c_uint64),)),
    "phase": (c_int, (c_uint32, c_char_p, c_uint32)),
    "round": (c_int, (POINTER(c_uint64), POINTER(c_uint32))),
    "starts": (c_int, (POINTER(c_uint64),)),
    "count": (c_int, (c_uint32, POINTER(c_uint64), POINTER(c_uint64))),
    "keep": (c_int, (c_uint32, c_uint32, POINTER(c_uint64))),
    "first": (c_int, (POINTER(c_uint64), c_char_p)),
    "closing": (c_uint32, (c_char_p,)),
    "around": (c_int, (c_uint32, c_char_p, c_char_p, POINTER(c_uint64))),
    "owns": (c_uint32, (c_char_p,)),
    "met": (c_int32, (c_int32,)),
    "crowded": (c_int32, ()),
    "facts": (c_uint64, (POINTER(c_uint32),)),
}


class ClaimWorker(ClusterWorker):
    """Owns the nodes of a part of the program states. Nodes are records, and said as bytes."""

    FOR_CLAIM = True

    def __init__(self, library: Path, options: PartitionOptions) -> None:
        super().__init__(library, options)
        self._functions = _functions(self._library.loaded)

    def _call(self, name: str, *arguments: Any) -> None:
        code = self._functions[name](*arguments)
        if code:
            raise stopped(code)

    def _node(self) -> ctypes.Array[ctypes.c_char]:
        return ctypes.create_string_buffer(self._library.state_bytes)

    def left(self) -> int:
        """How many nodes there are to expand in this phase."""
        return self._library.expand(0)

    def leave_all(self) -> int:
        """All nodes have been explored; how many are left at first."""
        count = c_uint64()
        self._call("leave", byref(count))
        return count.value

    def phase(self, phase: Phase, goal: bytes | None = None, bit: int = 0) -> None:
        """Begins a phase."""
        self._call("phase", int(phase), goal, bit)

    def round(self) -> tuple[int, bool]:
        """After elimination: how many nodes are left, and whether all of them accept."""
        count, accepts = c_uint64(), c_uint32()
        self._call("round", byref(count), byref(accepts))
        return count.value, bool(accepts.value)

    def starts(self) -> int:
        """From how many nodes a way round may begin: all that are left and accept."""
        count = c_uint64()
        self._call("starts", byref(count))
        return count.value

    def counts(self, bit: int) -> tuple[int, int]:
        """How many starts are without a bit, and how many have not been visited."""
        without, unvisited = c_uint64(), c_uint64()
        self._call("count", bit, byref(without), byref(unvisited))
        return without.value, unvisited.value

    def keep_unvisited(self) -> int:
        """Goes on with the starts that have not been visited; how many there are."""
        count = c_uint64()
        self._call("keep", 1, 0, byref(count))
        return count.value

    def keep_without(self, bit: int) -> int:
        """Goes on with the starts without a bit; how many there are."""
        count = c_uint64()
        self._call("keep", 0, bit, byref(count))
        return count.value

    def first(self) -> Located | None:
        """Of the starts in the first level the least."""
        level, node = c_uint64(), self._node()
        self._call("first", byref(level), node)
        return None if level.value == NO_PLACE else (level.value, node.raw)

    def closing(self) -> bytes | None:
        """The least node of this level of a way round that leads to where it began."""
        node = self._node()
        return node.raw if self._functions["closing"](node) else None

    def around(self, level: int, target: bytes) -> tuple[int, bytes] | None:
        """As `predecessor`, in a level of a way round."""
        place, found = c_uint64(), self._node()
        self._call("around", level, target, found, byref(place))
        return None if place.value == NO_PLACE else (place.value, found.raw)

    def own_choices(self, way: Sequence[bytes]) -> list[list[tuple[int, ...]] | None]:
        """The choices from each node to the next, where the first one is ours."""
        return [
            self._library.steps(start, end) if self._functions["owns"](start) else None
            for start, end in pairwise(way)
        ]

    def met(self) -> list[tuple[int, int]]:
        """Sites where the program fails, each with a transition."""
        sites = c_uint32()
        self._functions["facts"](byref(sites))
        found = ((site, self._functions["met"](site)) for site in range(sites.value))
        return [(site, transition - 1) for site, transition in found if transition]

    def crowded(self) -> int | None:
        """The site of a limit that this library has, and a larger one need not have."""
        site = self._functions["crowded"]()
        return None if site < 0 else int(site)

    def strangers(self) -> int:
        """How many nodes were met after exploring that had not been explored."""
        return int(self._functions["facts"](byref(c_uint32())))


def _functions(loaded: ctypes.CDLL) -> dict[str, Any]:
    functions = {}
    for name, (result, arguments) in _SIGNATURES.items():
        function = getattr(loaded, f"whorl_claims_{name}")
        function.restype, function.argtypes = result, arguments
        functions[name] = function
    return functions
