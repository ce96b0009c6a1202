"""States: the values of everything, immutable to be stored and mutable to be changed.

A process is a record: its pid, type, location and priority, then its variables. A channel is its
type, the pid of the process it was made for (-1: it is global) and its messages. A channel's value,
as a variable holds it, is its position plus one; 0 is no channel.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from whorl.diagnostics import Span

PID, TYPE, LOCATION, PRIORITY, LOCALS = range(5)  # positions in a process's record
NOBODY = -1

Message = tuple[int, ...]
Record = Sequence[int]


class Channel(NamedTuple):
    type: int
    owner: int
    messages: tuple[Message, ...]


class Unmatched(bytes):
    """C data that goes along with a state but does not tell states apart: all are equal."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Unmatched)

    def __ne__(self, other: object) -> bool:
        return not isinstance(other, Unmatched)

    def __hash__(self) -> int:
        return 0


NOTHING = Unmatched()


class State(NamedTuple):
    """A state, as the search stores it. `holder` is in the middle of an atomic sequence.

    Few states with a holder are stored: those to which an atomic sequence comes back.
    """

    globals: tuple[int, ...]
    processes: tuple[tuple[int, ...], ...]
    channels: tuple[Channel, ...]
    holder: int = NOBODY
    last: int = 0  # who made the last step; kept only where the program asks for _last
    monitor: int = 0  # where the trace assertion is
    unmatched: Unmatched = NOTHING


class Fault(Exception):
    """A step that has no meaning: an index out of bounds, a division by zero, a lost channel."""

    def __init__(self, kind: str, message: str, span: Span | None = None) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.span = span


class Failure(NamedTuple):
    """What is wrong with a step: an assertion that fails, or a fault."""

    kind: str
    message: str


class WorkingState:
    """A state being read or changed. Reading works on the tuples of a State as they are.

    `offer` is the rendezvous channel on which a message waits to be taken, in the middle of a
    handshake; `timeout` whether nothing else can move; `stuttering` whether the run has stopped and
    only a claim goes on.
    """

    __slots__ = (
        "channels",
        "failures",
        "globals",
        "last",
        "monitor",
        "offer",
        "output",
        "processes",
        "stuttering",
        "timeout",
        "unmatched",
    )

    globals: Sequence[int]
    processes: Sequence[Record]
    channels: Sequence[Channel]

    def __init__(self, state: State, timeout: bool = False, stuttering: bool = False) -> None:
        self.globals = state.globals
        self.processes = state.processes
        self.channels = state.channels
        self.last = state.last
        self.monitor = state.monitor
        self.unmatched = state.unmatched
        self.offer = NOBODY
        self.timeout = timeout
        self.stuttering = stuttering
        self.failures: list[Failure] = []
        self.output: list[str] | None = None

    def fork(self, pid: int) -> WorkingState:
        """A copy in which process `pid`, the globals and the channels can be changed."""
        made = WorkingState.__new__(WorkingState)
        made.globals = list(self.globals)
        processes = list(self.processes)
        processes[pid] = list(processes[pid])
        made.processes = processes
        made.channels = list(self.channels)
        made.last = self.last
        made.monitor = self.monitor
        made.unmatched = self.unmatched
        made.offer = self.offer
        made.timeout = self.timeout
        made.stuttering = self.stuttering
        made.failures = list(self.failures)
        made.output = None if self.output is None else list(self.output)
        return made

    def freeze(self, holder: int) -> State:
        return State(
            tuple(self.globals),
            tuple([r if type(r) is tuple else tuple(r) for r in self.processes]),
            tuple(self.channels),
            holder,
            self.last,
            self.monitor,
            self.unmatched,
        )
