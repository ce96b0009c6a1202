"""A small program: its processes, its propositions, and its text, by itself or as a member."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from systematic.vocabulary import (
    ALWAYS,
    CHILDREN,
    GLOBALS,
    INLINES,
    LOCALS,
    TYPED,
    TYPES,
    declared,
    placed,
    proctypes,
    with_children,
    words,
)

_EXCLUSIVE = re.compile(r"\bx[rs] \w; ")  # such a declaration stands first, as no label may precede


@dataclass(frozen=True, slots=True)
class Process:
    """A process that starts with the program. `body` has its pids open (`pid0`)."""

    name: str
    body: str
    clause: str = ""

    @property
    def all(self) -> str:
        return f"{self.clause} {self.body}"

    def written(self, base: int, member: int | None) -> str:
        first = _EXCLUSIVE.findall(self.body)[:1] + declared(words(self.body), LOCALS)
        locals_ = " ".join(first)
        body = _EXCLUSIVE.sub("", self.body)
        active = "active " if member is None else ""
        head = f"{active}proctype {self.name}() {self.clause}".rstrip()
        return placed(f"{head} {{ {locals_}{' ' * bool(locals_)}{body} }}", base, member)


@dataclass(frozen=True, slots=True)
class SmallProgram:
    """A program of a few states. Its globals have the same declarations in all programs.

    `visible` are boolean expressions over globals, the propositions. `alone`: it means something
    else as a member of a union, and is never made one. `tags` say what it covers: `form:set`,
    `pair:set,send`, `position:if`, `other:x-set`, `placed:set,send@if`, `fault:index@guard`.
    """

    name: str
    processes: tuple[Process, ...]
    visible: tuple[str, ...]
    tags: frozenset[str]
    alone: bool

    @property
    def text(self) -> str:
        return "\n".join([*declarations([self]), *self.proctypes(), ""])

    @property
    def globals(self) -> frozenset[str]:
        text = " ".join([*(p.all for p in self.processes), *self.visible])
        return frozenset(words(with_children(text)) & GLOBALS.keys()) | {*ALWAYS}

    def proctypes(self, base: int = 0, member: int | None = None) -> list[str]:
        """Its process types: as its own, or as those of a member of a union."""
        named = proctypes(" ".join(p.all for p in self.processes))
        children = [text for name, text in CHILDREN.items() if name in named]
        own = [process.written(base, member) for process in self.processes]
        return [*(placed(text, base, member) for text in children), *own]


def declarations(programs: Iterable[SmallProgram]) -> list[str]:
    """The globals and inlines that the programs need."""
    found: set[str] = set()
    used: set[str] = set()
    for program in programs:
        found |= program.globals
        for process in program.processes:
            used |= words(process.body)
    types = [TYPES] if (found | used) & TYPED else []
    return [*types, *declared(found, GLOBALS), *declared(used, INLINES)]


_HERE = re.compile(r"\bHERE ")


def completed(processes: list[Process], visible: tuple[str, ...]) -> tuple[Process, ...]:
    """The processes with the label and the variable that others look at, where some do."""
    result = []
    for process in processes:
        outside = [other.all for other in processes if other is not process]
        looking = [text for text in (*outside, *visible) if process.name in proctypes(text)]
        label = "here: " if any("@here" in text for text in looking) else ""
        body = _HERE.sub(label, process.body, count=1)
        if any(":v" in text for text in looking):
            body += "; v = 1"
        result.append(Process(process.name, body, process.clause))
    return tuple(result)
