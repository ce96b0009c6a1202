"""Ten faults, each planted in a model that is too large for an exact search.

Each is a mistake that people make: a case that is forgotten, writes in the wrong order, a table or
a counter that is too small, a guard that is left out where it seems not to matter.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[1]
BENCH, EXAMPLES = "benchmarks/models", "examples"


@dataclass(frozen=True, slots=True)
class Fault:
    """A mistake in a model of some size.

    `replaced` is what is another text where it is planted, and `flaw` the macros that are then set.
    """

    name: str
    about: str
    model: str
    size: Mapping[str, int]
    replaced: tuple[tuple[str, str], ...] = ()
    flaw: Mapping[str, int] = field(default_factory=dict)

    def text(self, *, planted: bool = True) -> str:
        """The model at its size, with the fault or without it."""
        text = (ROOT / self.model).read_text(encoding="utf-8")
        for old, new in self.replaced if planted else ():
            assert text.count(old) == 1, (self.name, old)
            text = text.replace(old, new)
        defines = {**self.size, **(self.flaw if planted else {})}
        return "".join(f"#define {name} {value}\n" for name, value in defines.items()) + text


FAULTS = (
    Fault(
        "peterson-forgets",
        "Peterson's exclusion, 6 processes: on the last level process 0 does not look at process 5",
        f"{BENCH}/peterson.pml",
        {"N": 6},
        (("|| higher(5, l))", "|| (higher(5, l) && !(_pid == 0 && l == N - 1)))"),),
    ),
    Fault(
        "peterson-order",
        "the same: who says that it is the last to arrive before it says how high it is",
        f"{BENCH}/peterson.pml",
        {"N": 6},
        (
            (
                "level[_pid] = l;\n        last[l] = _pid;",
                "last[l] = _pid;\n        level[_pid] = l;",
            ),
        ),
    ),
    Fault(
        "szymanski-enters",
        "Szymanski's exclusion, 5 processes: who enters does not wait for who waits",
        f"{BENCH}/szymanski.pml",
        {"N": 5},
        ((":: j < _pid -> flag[j] < 2; j++", ":: j < _pid -> flag[j] < 3; j++"),),
    ),
    Fault(
        "szymanski-leaves",
        "Szymanski's exclusion, 5 processes: who leaves does not wait for who waits",
        f"{BENCH}/szymanski.pml",
        {"N": 5},
        (("(flag[j] < 2 || flag[j] > 3); j++", "(flag[j] < 3 || flag[j] > 3); j++"),),
    ),
    Fault(
        "directory-pointers",
        "a cache directory, 6 caches: it has room for five sharers, and forgets the sixth",
        f"{BENCH}/directory_cache.pml",
        {"N": 6},
        (
            (
                "sharers = sharers | (1 << who);",
                "sharers = (sharers == 31 -> sharers : sharers | (1 << who));",
            ),
        ),
    ),
    Fault(
        "window-size",
        "selective repeat with 12 sequence numbers: a window of 7, which is more than half of them",
        f"{EXAMPLES}/sliding_window.pml",
        {"NUMBERS": 12, "WINDOW": 6, "SLOTS": 4},
        flaw={"WINDOW": 7},
    ),
    Fault(
        "bakery-drawing",
        "the bakery, 5 customers: the last does not wait while the first draws a ticket",
        f"{EXAMPLES}/bakery.pml",
        {"N": 5, "LIMIT": 7},
        (("    !drawing[other];\n", "    (_pid == N - 1 && other == 0 || !drawing[other]);\n"),),
    ),
    Fault(
        "directory-waits",
        "the cache directory: it takes the line back for a reader, and does not wait for it",
        f"{BENCH}/directory_cache.pml",
        {"N": 6},
        (
            (
                "answer[owner] ! recall;\n            reply ? done, other;\n            owner = N",
                "answer[owner] ! recall;\n            owner = N",
            ),
        ),
    ),
    Fault(
        "raft-restart",
        "Raft, 5 servers, 3 terms, 2 crashes: a vote is not on disk before it is sent",
        f"{EXAMPLES}/raft_restart.pml",
        {"N": 5, "TERMS": 3, "CRASHES": 2, "FIXED": 1},
        flaw={"FIXED": 0},
    ),
    Fault(
        "queue-tags",
        "a lock-free queue, 12 operations: the counters beside pointers count to two only",
        f"{EXAMPLES}/lock_free_queue.pml",
        {"OPERATIONS": 12, "FIXED": 1},
        (
            (
                "((FIXED -> ((word) / 10 + 1) * 10 : 0) + (node))",
                "((((word) / 10 + 1) % 3) * 10 + (node))",
            ),
        ),
    ),
)
