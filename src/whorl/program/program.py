"""The Program: what both engines run.

A program is a set of process types. Each is a graph of locations and transitions over typed
variables and channels. Variables are flat: a `Place` is an offset into the global variables or into
the running process's own, plus indices; arrays and typedefs are gone. Locations have the numbers
that Spin gives them, so that state counts and trails can be compared one to one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from enum import Enum
from typing import TYPE_CHECKING

from whorl.records import dataclass

if TYPE_CHECKING:
    from whorl.diagnostics import Source, Span
    from whorl.language.formula import Formula
    from whorl.language.types import Basic, MtypeConstant
    from whorl.program.embedded import Embedded

# --- expressions ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Const:
    value: int


@dataclass(frozen=True, slots=True)
class Index:
    """One index of a place: it moves by `stride` slots and must be below `length`."""

    value: Expr
    stride: int
    length: int
    span: Span


class Region(Enum):
    GLOBAL = "global"
    LOCAL = "local"
    PRIORITY = "priority"  # of the running process
    NOWHERE = "_"  # what is written there is lost


@dataclass(frozen=True, slots=True)
class Place:
    """Where a value of a basic type is kept."""

    region: Region
    offset: int
    indices: tuple[Index, ...]
    type: Basic
    text: str


@dataclass(frozen=True, slots=True)
class Load:
    place: Place


@dataclass(frozen=True, slots=True)
class UnaryOp:
    operator: str
    operand: Expr


@dataclass(frozen=True, slots=True)
class BinaryOp:
    operator: str
    left: Expr
    right: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class IfElse:
    condition: Expr
    yes: Expr
    no: Expr


@dataclass(frozen=True, slots=True)
class ChannelQuery:
    """len, empty, nempty, full or nfull of a channel."""

    query: str
    channel: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class PollQuery:
    channel: Expr
    patterns: tuple[Match, ...]
    random: bool
    span: Span


@dataclass(frozen=True, slots=True)
class RunProcess:
    process: int  # index into Program.processes
    arguments: tuple[Expr, ...]
    priority: int
    span: Span


@dataclass(frozen=True, slots=True)
class ProcessQuery:
    """enabled, pc_value or get_priority of a process."""

    query: str
    pid: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Builtin:
    """timeout, np_, _pid, _nr_pr, _last"""

    name: str


@dataclass(frozen=True, slots=True)
class AtLocation:
    """Whether process `pid` (or the only process of that type) is at `location`."""

    process: int
    pid: Expr | None
    location: int
    text: str


@dataclass(frozen=True, slots=True)
class RemoteLoad:
    """A variable of another process."""

    process: int
    pid: Expr | None
    place: Place


@dataclass(frozen=True, slots=True)
class EmbeddedExpr:
    """c_expr, by the number of its fragment."""

    fragment: int
    text: str


@dataclass(frozen=True, slots=True)
class InitialByte:
    """One of the bytes that C data begins with, by its position among all of them."""

    position: int


Expr = (
    Const
    | Load
    | UnaryOp
    | BinaryOp
    | IfElse
    | ChannelQuery
    | PollQuery
    | RunProcess
    | ProcessQuery
    | Builtin
    | AtLocation
    | RemoteLoad
    | EmbeddedExpr
    | InitialByte
)


def contains_run(expr: Expr) -> bool:
    """Whether evaluating `expr` starts a process."""
    match expr:
        case RunProcess():
            return True
        case UnaryOp():
            return contains_run(expr.operand)
        case BinaryOp():
            return contains_run(expr.left) or contains_run(expr.right)
        case IfElse():
            return any(map(contains_run, (expr.condition, expr.yes, expr.no)))
    return False


def subexpressions(expr: Expr) -> Iterator[Expr]:
    """`expr`, and every expression in it."""
    yield expr
    inner: tuple[Expr | None, ...] = ()
    match expr:
        case Load(place):
            inner = tuple(index.value for index in place.indices)
        case UnaryOp():
            inner = (expr.operand,)
        case BinaryOp():
            inner = (expr.left, expr.right)
        case IfElse():
            inner = (expr.condition, expr.yes, expr.no)
        case ChannelQuery():
            inner = (expr.channel,)
        case PollQuery():
            inner = (expr.channel, *(match.value for match in expr.patterns))
        case RunProcess():
            inner = expr.arguments
        case ProcessQuery() | AtLocation():
            inner = (expr.pid,)
        case RemoteLoad():
            inner = (expr.pid, *(index.value for index in expr.place.indices))
    for each in inner:
        if each is not None:
            yield from subexpressions(each)


@dataclass(frozen=True, slots=True)
class Match:
    """One field of a receive: it must equal `value`, or is stored in `target` (None: dropped)."""

    value: Expr | None
    target: Place | None


# --- actions -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Skip:
    """Always executable, changes nothing but the location: skip, goto, break."""


@dataclass(frozen=True, slots=True)
class Guard:
    condition: Expr


@dataclass(frozen=True, slots=True)
class Otherwise:
    """else: executable when no transition before it, from the same location, is."""


@dataclass(frozen=True, slots=True)
class Store:
    place: Place
    value: Expr


@dataclass(frozen=True, slots=True)
class Assertion:
    condition: Expr
    text: str


@dataclass(frozen=True, slots=True)
class Output:
    """printf, or printm where the format is empty."""

    format: str
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class SendAction:
    channel: Expr
    arguments: tuple[Expr, ...]
    sorted: bool


@dataclass(frozen=True, slots=True)
class ReceiveAction:
    channel: Expr
    patterns: tuple[Match, ...]
    random: bool
    copy: bool


@dataclass(frozen=True, slots=True)
class ChangePriority:
    pid: Expr
    priority: Expr


@dataclass(frozen=True, slots=True)
class Terminate:
    """The end of a process: it goes once every process started after it has gone."""


@dataclass(frozen=True, slots=True)
class EmbeddedAction:
    """c_code, by the number of its fragment."""

    fragment: int


@dataclass(frozen=True, slots=True)
class DStep:
    """A d_step: its transitions run one after the other, the first executable one at each point.

    `entry` is where it begins and `exit` where it is done; `guards` are the actions of which one
    must be executable for the whole to be (none: it always is).
    """

    locations: dict[int, tuple[Transition, ...]] = field(hash=False, compare=False)
    entry: int
    exit: int
    guards: tuple[Action, ...]


Action = (
    Skip
    | Guard
    | Otherwise
    | Store
    | Assertion
    | Output
    | SendAction
    | ReceiveAction
    | ChangePriority
    | Terminate
    | EmbeddedAction
    | DStep
)


Way = tuple[int, int]  # a location, and the number of a transition that can be taken there


@dataclass(frozen=True, slots=True)
class Transition:
    """An edge of a process's graph.

    `atomic`: the process keeps control after it. `escape`: from which `unless` it comes (0: none);
    when one of an escape is taken, transitions with another number are not.
    """

    number: int  # of its statement in the program: Spin's transition id
    source: int
    target: int
    action: Action
    atomic: bool
    escape: int
    span: Span
    text: str

    @property
    def way(self) -> Way:
        """What tells it from all others: what begins an option can be taken from several places."""
        return self.source, self.number


# --- processes and the whole ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ChannelType:
    """Where and how a channel is made: its capacity (0: rendezvous) and message fields."""

    name: str
    capacity: int
    fields: tuple[Basic, ...]


@dataclass(frozen=True, slots=True)
class VariableInfo:
    """A variable as the user declared it, for showing states."""

    name: str
    offset: int
    size: int
    type: Basic | None  # None: a typedef
    length: int | None
    parts: tuple[tuple[str, Basic], ...]  # the name and type of each slot
    hidden: bool = False
    foreign: bool = False  # bytes that only C understands
    blocks: tuple[int, ...] = ()  # those around its declaration, outermost first
    tag: str = ""  # tells it from others of its name in its process
    overlaps: bool = False  # another of its name can be in scope beside it


@dataclass(frozen=True, slots=True)
class Initial:
    """An initial value: of a slot, an expression or the index of a channel type to make."""

    offset: int
    value: Expr | int


@dataclass(frozen=True, slots=True)
class Exclusive:
    """One channel of an xr or xs, or all those of an array: nobody else uses that end of them."""

    keyword: str
    channels: tuple[Expr, ...]
    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class ProcessType:
    """A proctype (or init, or a claim) as a graph. A location without transitions is a dead end."""

    name: str
    index: int
    start: int
    locations: dict[int, tuple[Transition, ...]]
    slots: tuple[Basic, ...]
    parameters: int  # how many of the slots are parameters
    initials: tuple[Initial, ...]
    variables: tuple[VariableInfo, ...]
    end_locations: frozenset[int]
    accept_locations: frozenset[int]
    progress_locations: frozenset[int]
    labels: dict[str, int]
    final: int  # the location of the end of the body
    provided: Expr | None
    lines: dict[int, Span]
    blocks: dict[int, tuple[int, ...]]  # those around each location, outermost first
    span: Span
    exclusive: tuple[Exclusive, ...] = ()
    # Of statements in atomic sequences, by their numbers: in which one, by its first one's number.
    sequences: dict[int, int] = field(default_factory=dict, hash=False, compare=False)
    left_by_goto: frozenset[int] = frozenset()  # the sequences with a goto out, before their ends

    @property
    def title(self) -> str:
        return "init" if self.name == ":init:" else self.name

    def transitions(self) -> Iterator[Transition]:
        for outgoing in self.locations.values():
            yield from outgoing


@dataclass(frozen=True, slots=True)
class LtlProperty:
    """A formula that must hold of every run; `atoms` are the expressions of its propositions."""

    name: str
    formula: Formula
    atoms: tuple[Expr, ...]
    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Program:
    source: Source
    processes: tuple[ProcessType, ...]
    active: tuple[tuple[int, int], ...]  # process type and priority, in the order of their pids
    slots: tuple[Basic, ...]
    initials: tuple[Initial, ...]
    variables: tuple[VariableInfo, ...]
    channel_types: tuple[ChannelType, ...]
    mtypes: tuple[MtypeConstant, ...]
    never: tuple[ProcessType, ...]
    trace: ProcessType | None
    trace_negated: bool  # notrace: the events must not match
    formulas: tuple[LtlProperty, ...]
    embedded: Embedded | None  # the C in the model, if it has any
    uses_priorities: bool
    uses_last: bool

    def mtype_name(self, value: int, subtype: str | None) -> str | None:
        for constant in self.mtypes:
            if constant.value == value and constant.subtype == subtype:
                return constant.name
        return None
