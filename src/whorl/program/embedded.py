"""The C in a model: what it is made of, and how it is run.

Whorl takes C as text. What `c_state` and `c_track` keep in the state is a block of bytes that only
C understands; how long it is, only a C compiler knows. So a program with embedded C is first read
without these blocks, and completed (see native/embedded) once the user allows its C to run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple, Protocol

from whorl.records import dataclass

if TYPE_CHECKING:
    from pathlib import Path

    from whorl.diagnostics import Span
    from whorl.promela.ast import CText
    from whorl.promela.symbols import Struct, Variable


@dataclass(frozen=True, slots=True)
class Fragment:
    """A c_code or c_expr of a process type; `process` is None in a claim."""

    number: int
    process: int | None
    is_expression: bool
    precondition: CText | None
    code: CText
    span: Span


@dataclass(frozen=True, slots=True)
class EmbeddedData:
    """C data: declared by c_state (`declaration`, `name`, `initial`), or tracked where it lies.

    `process` is the type of the process that it belongs to, None where it is global.
    """

    span: Span
    declaration: str = ""
    name: str = ""
    initial: str = ""
    pointer: str = ""
    size: str = ""
    process: int | None = None


class Exchange(NamedTuple):
    """What C sees of a state and may change: values of variables, and blocks of bytes.

    `globals` and `locals` are the values of the slots in `Embedded.seen`, in that order.
    """

    globals: list[int]
    locals: list[int]
    block: bytes  # c_state "Global" and what is tracked
    local_block: bytes  # c_state "Local"
    unmatched: bytes  # tracked, but not compared


class Answer(NamedTuple):
    """What running a fragment gave. `holds`: its precondition did, and so it was run."""

    holds: bool
    value: int
    after: Exchange
    output: str


class Runner(Protocol):
    """Runs fragments, outside this process."""

    initial: bytes  # of all blocks, as Completion lays them out

    def run(self, fragment: int, pid: int, running: int, before: Exchange) -> Answer: ...


@dataclass(frozen=True, slots=True)
class Completion:
    """What is known of a program's C once it is compiled: where the blocks lie, how to run it.

    The initial bytes of all blocks follow one another: the global one, those of the process types
    in order, the one that is not compared.
    """

    start: Callable[[], Runner]
    text: str  # the C part of a generated file
    block_slot: int  # the first slot of the global block
    block_size: int
    local_slots: tuple[int, ...]  # by process type: the first slot of its block
    local_sizes: tuple[int, ...]
    unmatched: int  # bytes

    @property
    def unmatched_at(self) -> int:
        """Where the bytes that are not compared begin among the initial ones."""
        return self.block_size + sum(self.local_sizes)


class Seen(NamedTuple):
    """A slot that C can name: `path` is how, after `now.` or the process's pointer."""

    slot: int
    path: str
    is_channel: bool
    hidden: bool


@dataclass(frozen=True, slots=True)
class Embedded:
    """All the C of a model. `completion` is None as long as nobody allowed it to run."""

    span: Span  # of the first piece
    declarations: tuple[CText, ...]  # c_decl
    functions: tuple[CText, ...]  # c_code outside of processes
    hidden: tuple[EmbeddedData, ...]  # c_state "Hidden": no part of the state
    matched: tuple[EmbeddedData, ...]
    unmatched: tuple[EmbeddedData, ...]
    fragments: tuple[Fragment, ...]
    structs: tuple[Struct, ...]  # the model's typedefs, in order
    variables: tuple[Variable, ...]  # those that C can name
    locals: tuple[tuple[Variable, ...], ...]  # the same, by process type
    seen: tuple[Seen, ...]
    seen_locals: tuple[tuple[Seen, ...], ...]
    folders: tuple[Path, ...] = ()  # where what C includes is looked for
    completion: Completion | None = None

    @property
    def ready(self) -> Completion:
        assert self.completion is not None, "nobody allowed this C to run"
        return self.completion

    def texts(self) -> Iterator[CText]:
        yield from self.declarations
        yield from self.functions
        for fragment in self.fragments:
            if fragment.precondition is not None:
                yield fragment.precondition
            yield fragment.code
