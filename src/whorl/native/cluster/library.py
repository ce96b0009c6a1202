"""The shared library of a worker (runtime/cluster/partition.h), as typed functions.

The library has one partition in static memory. Each `Library` loads a copy of its own, so there may
be several in a process, one after the other or side by side.
"""

from __future__ import annotations

import ctypes
import itertools
import os
import shutil
import tempfile
from ctypes import POINTER, byref, c_double, c_int, c_int32, c_size_t, c_uint8, c_uint32, c_uint64
from dataclasses import dataclass
from pathlib import Path
from typing import Any

STOPS = (None, "states", "memory", "time", "interrupted", "violation")  # whorl_stop
BROKEN = 100  # workers disagree: never a verdict
REFUSALS = ("room", "limit", "system")  # whorl_refusal
NO_PLACE = 2**64 - 1
MOST_BYTES = 2**64 - 1
MOST_DEPTH = 2**31 - 1
FOR_EVER = 1e300
_COPIES = itertools.count()


class Stopped(Exception):
    """A partition can do no more; `why` is one of STOPS."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


def stopped(code: int) -> Stopped:
    """What a function has answered that could not do its work."""
    return Stopped("broken" if code == BROKEN else str(STOPS[code]))


@dataclass(frozen=True, slots=True)
class PartitionOptions:
    """What a partition is asked; None: no limit."""

    number: int
    count: int
    memory: int | None = None
    max_depth: int | None = None
    seconds: float | None = None
    assertions: bool = True
    end_states: bool = True
    exhaust: bool = False
    claim: bool = False  # what the library was generated for


@dataclass(frozen=True, slots=True)
class LeastFailure:
    """The least failure of a site in a superstep; `site` is -1 for an invalid end state."""

    site: int
    state: bytes
    step: int
    order: int
    place: int  # of the state in the log of its worker

    def key(self, words: int) -> tuple[Any, ...]:
        """Failures are ordered by this: the same on every worker."""
        return (*words_of(self.state, words), self.step, self.order)


def words_of(state: bytes, words: int) -> tuple[int, ...]:
    """The words of a state, by which states are ordered."""
    return tuple(memoryview(state)[: 8 * words].cast("Q"))


class _Options(ctypes.Structure):
    _fields_ = (
        ("memory", c_uint64),
        ("max_depth", c_uint64),
        ("seconds", c_double),
        ("number", c_uint32),
        ("count", c_uint32),
        ("assertions", c_uint8),
        ("end_states", c_uint8),
        ("exhaust", c_uint8),
    )


class _Figures(ctypes.Structure):
    _fields_ = (
        *(
            (name, c_uint64)
            for name in ("states", "transitions", "logged", "cursor", "sent", "spared")
        ),
        *((name, c_uint64) for name in ("received", "memory", "store")),
        *((name, c_uint32) for name in ("supersteps", "stopped", "refused")),
        ("truncated", c_uint8),
        ("endless", c_uint8),
    )


class _Failure(ctypes.Structure):
    _fields_ = (("place", c_uint64), ("site", c_int32), ("step", c_int32), ("order", c_uint32))


# Of each function: what it gives, and what it takes. None: nothing is given.
_SIGNATURES: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "about": (None, (POINTER(c_uint32),)),
    "begin": (c_int, (POINTER(_Options),)),
    "initial": (c_int, (POINTER(c_int32),)),
    "expand": (c_int, (c_uint64, POINTER(c_uint64))),
    "outbox": (c_size_t, (c_uint32, POINTER(ctypes.c_void_p))),
    "insert": (c_int, (ctypes.c_void_p, c_size_t)),
    "next": (c_int, (POINTER(c_uint64),)),
    "figures": (None, (POINTER(_Figures),)),
    "reached": (None, (ctypes.c_char_p,)),
    "failure": (c_uint32, (c_uint32, POINTER(_Failure), ctypes.c_char_p)),
    "told": (None, (c_int32,)),
    "predecessor": (c_int, (c_uint32, ctypes.c_char_p, ctypes.c_char_p, POINTER(c_uint64))),
    "origin": (c_int, (c_uint64, ctypes.c_char_p, POINTER(c_uint32))),
    "steps": (
        c_int,
        (ctypes.c_char_p, ctypes.c_char_p, c_int32, POINTER(c_int32), c_uint32, POINTER(c_uint32)),
    ),
    "records": (c_uint64, (c_uint64, c_uint64, ctypes.c_char_p)),
    "load": (c_int, (ctypes.c_void_p, c_size_t)),
    "resume": (c_int, (POINTER(c_uint64), c_uint32)),
    "begins": (c_uint32, (POINTER(c_uint64), c_uint32)),
    "end": (None, ()),
}


class Library:
    """A partition that has begun."""

    def __init__(self, path: Path, options: PartitionOptions) -> None:
        self.loaded = _loaded(path)
        self._functions = _functions(self.loaded)
        given = _Options(
            MOST_BYTES if options.memory is None else options.memory,
            MOST_DEPTH if options.max_depth is None else options.max_depth,
            FOR_EVER if options.seconds is None else options.seconds,
            options.number,
            options.count,
            options.assertions,
            options.end_states,
            options.exhaust,
        )
        self._functions["begin"](byref(given))  # where that stops, all others do at once
        about = (c_uint32 * 3)()
        self._functions["about"](about)
        self.state_bytes, self.record_bytes, self.transitions = about

    @property
    def is_for_claim(self) -> bool:
        """Whether it was generated for a claim: what it explores is then no verdict yet."""
        return hasattr(self.loaded, "whorl_claims_phase")

    def close(self) -> None:
        """Gives back what is stored; nothing may be called after it."""
        self._functions["end"]()

    def _call(self, name: str, *arguments: Any) -> None:
        """`Stopped` unless all is well."""
        code = self._functions[name](*arguments)
        if code:
            raise stopped(code)

    def initial(self) -> int | None:
        """Stores the initial state if it is ours; the site where the model fails before it."""
        site = c_int32()
        self._call("initial", byref(site))
        return None if site.value < 0 else site.value

    def expand(self, budget: int) -> int:
        """Expands so many states of this superstep at most; how many are left of it."""
        left = c_uint64()
        self._call("expand", budget, byref(left))
        return left.value

    def take_outbox(self, to: int) -> bytes:
        """What is to be sent to a worker; the outbox is then empty."""
        start = ctypes.c_void_p()
        length = self._functions["outbox"](to, byref(start))
        return ctypes.string_at(start.value, length) if length and start.value else b""

    def insert(self, batch: bytes) -> None:
        self._call("insert", batch, len(batch))

    def next(self) -> int:
        """Begins the next superstep; how many states there are to expand."""
        found = c_uint64()
        self._call("next", byref(found))
        return found.value

    def figures(self) -> dict[str, int]:
        """The fields of whorl_part_figures_t."""
        figures = _Figures()
        self._functions["figures"](byref(figures))
        return {field[0]: getattr(figures, field[0]) for field in _Figures._fields_}

    def refusal(self) -> str:
        """Why memory was refused the last time."""
        return REFUSALS[self.figures()["refused"]]

    def reached(self) -> bytes:
        """A byte for each transition: bit 0 if it went well once, bit 1 if it faulted once."""
        room = ctypes.create_string_buffer(self.transitions)
        self._functions["reached"](room)
        return room.raw

    def failures(self) -> list[LeastFailure]:
        """What failed in this superstep, the least of each site."""
        found, failure = list[LeastFailure](), _Failure()
        state = ctypes.create_string_buffer(self.state_bytes)
        while len(found) < self._functions["failure"](len(found), byref(failure), state):
            f = failure
            found.append(LeastFailure(f.site, state.raw, f.step, f.order, f.place))
        return found

    def told(self, site: int) -> None:
        """A site need not be told of again."""
        self._functions["told"](site)

    def predecessor(self, superstep: int, target: bytes) -> tuple[int, bytes] | None:
        """The least state of a superstep from which a run leads to `target`, after its place."""
        place, found = c_uint64(), ctypes.create_string_buffer(self.state_bytes)
        self._call("predecessor", superstep, target, found, byref(place))
        return None if place.value == NO_PLACE else (place.value, found.raw)

    def origin(self, place: int) -> tuple[bytes, int]:
        """The state at a place of the log, and where it was found from (log.h)."""
        state, parent = ctypes.create_string_buffer(self.state_bytes), c_uint32()
        self._call("origin", place, state, byref(parent))
        return state.raw, parent.value

    def steps(self, start: bytes, end: bytes | None, step: int = -1) -> list[tuple[int, ...]]:
        """The choices of the run between two states, or of the one that ends with a step."""
        most, count = 64, c_uint32()
        while True:
            choices = (c_int32 * (4 * most))()
            self._call("steps", start, end, step, choices, most, byref(count))
            if count.value <= most:
                break
            most = count.value
        return [tuple(choices[4 * i : 4 * i + 4]) for i in range(count.value)]

    def records(self, start: int, most: int) -> bytes:
        """Up to so many records of the log, from a place on."""
        room = ctypes.create_string_buffer(most * self.record_bytes)
        count = self._functions["records"](start, most, room)
        return room.raw[: count * self.record_bytes]

    def load(self, records: bytes) -> None:
        """Puts records of a log at its end again."""
        self._call("load", records, len(records))

    def resume(self, begins: list[int]) -> None:
        """After that: where the supersteps began; the last one is to be expanded."""
        self._call("resume", (c_uint64 * len(begins))(*begins), len(begins))

    def begins(self) -> list[int]:
        """Where the supersteps begin in the log."""
        count = self._functions["begins"](None, 0)
        room = (c_uint64 * count)()
        self._functions["begins"](room, count)
        return list(room)


def _loaded(path: Path) -> ctypes.CDLL:
    """A copy of a library, with static memory of its own.

    A file in memory can be loaded even where the system forbids to execute what is in its temporary
    folders. The loader takes a name that it knows for a library that it has: so each name is
    written in another way.
    """
    if not hasattr(os, "memfd_create"):
        return _loaded_from_copy(path)
    handle = os.memfd_create("whorl-partition")
    try:
        with open(handle, "wb", closefd=False) as copy:
            copy.write(path.read_bytes())
        another = "".join("./" if bit == "0" else ".//" for bit in f"{next(_COPIES):b}")
        return ctypes.CDLL(f"/proc/self/fd/{another}{handle}")
    finally:
        os.close(handle)


def _loaded_from_copy(path: Path) -> ctypes.CDLL:
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / f"partition-{next(_COPIES)}"
        shutil.copy(path, copy)
        return ctypes.CDLL(str(copy))


def _functions(library: ctypes.CDLL) -> dict[str, Any]:
    functions = {}
    for name, (result, arguments) in _SIGNATURES.items():
        function = getattr(library, f"whorl_part_{name}")
        function.restype, function.argtypes = result, arguments
        functions[name] = function
    return functions
