"""What a random program is made of while it is written: types, variables, places, lines of text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal


@dataclass(frozen=True)
class Kind:
    """A type of variable: its name, its bit width if unsigned, and the values that it holds."""

    name: str
    lo: int
    hi: int
    width: int = 0

    @property
    def narrow(self) -> bool:
        """Whether the type alone keeps the number of values small."""
        return self.lo >= 0 and self.hi <= 7 and self.name != "mtype"

    def declare(self, name: str) -> str:
        return f"{self.name} {name} : {self.width}" if self.width else f"{self.name} {name}"


BIT = Kind("bit", 0, 1)
BOOL = Kind("bool", 0, 1)
BYTE = Kind("byte", 0, 255)
PID = Kind("pid", 0, 255)
SHORT = Kind("short", -32768, 32767)
# Not the whole range: nothing larger is ever stored (see `EDGES`), which leaves room to compute.
INT = Kind("int", -70000, 70000)
MTYPE = Kind("mtype", 0, 255)
CHAN = Kind("chan", 0, 255)
UNSIGNED = tuple(Kind("unsigned", 0, 2**width - 1, width) for width in (2, 1, 3))

EDGES = {
    "byte": (255, 256, -1),
    "pid": (255, 256, -1),
    "short": (32767, 32768, -1, 65535),
    "int": (-1, 65536, -70000),
}
MTYPE_NAMES = ("red", "green", "blue")


@dataclass(frozen=True)
class Expr:
    """The text of an expression and an interval that holds its values."""

    text: str
    lo: int
    hi: int


@dataclass(frozen=True)
class Var:
    """A variable, a field, or an array of either (`size` > 0)."""

    name: str
    kind: Kind
    size: int = 0
    shared: bool = True
    """Another process may write it."""
    writable: bool = True


@dataclass(frozen=True)
class Chan:
    """A channel, an array of channels (`size` > 0), or a variable that holds a channel."""

    name: str
    fields: tuple[Kind, ...]
    rendezvous: bool
    size: int = 0
    local: bool = False
    variable: bool = False

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Inline:
    """An inline definition: it writes a variable of a kind, and reads a value."""

    name: str
    kind: Kind


@dataclass(frozen=True)
class Proctype:
    """The head of a proctype, drawn before any body so that every body can run it."""

    name: str
    parameters: tuple[Kind, ...]
    instances: int
    """How many are active from the start."""
    runs: int
    """How many `init` runs."""


Mode = Literal["plain", "atomic", "d_step"]


@dataclass(frozen=True)
class Where:
    """What surrounds a statement."""

    mode: Mode
    depth: int
    variables: tuple[Var, ...]
    channels: tuple[Chan, ...]
    breakable: bool = False
    counted: bool = False
    """In a loop that counts: a backward jump into it would count further at each turn."""

    def with_variable(self, variable: Var) -> Where:
        return replace(self, variables=(*self.variables, variable))


@dataclass
class Body:
    """The process whose text is being written."""

    proctype: Proctype
    observer: bool
    """May use enabled(), and is the only one that may."""
    budget: int
    declarations: list[str] = field(default_factory=list)
    back_labels: list[str] = field(default_factory=list)
    pending: list[str] = field(default_factory=list)
    """Forward jumps' labels that have no place yet."""
    labels: list[str] = field(default_factory=list)
    locals: list[Var] = field(default_factory=list)
    names: int = 0
    immortal: bool = False

    def fresh(self, stem: str) -> str:
        self.names += 1
        return f"{stem}{self.names - 1}"


Lines = list[str]


def indented(lines: Sequence[str]) -> Lines:
    return ["    " + line for line in lines]


def block(head: str, lines: Sequence[str], tail: str = "}") -> Lines:
    return [head, *indented(lines), tail]


def ended(lines: Lines) -> Lines:
    return [*lines[:-1], lines[-1] + ";"]


def labelled(label: str, lines: Lines) -> Lines:
    return [f"{label}: {lines[0]}", *lines[1:]]


def has_d_step(lines: Lines) -> bool:
    return any("d_step {" in line for line in lines)


def has_loop(lines: Lines) -> bool:
    return any(line.endswith("do") or "for (" in line or "select (" in line for line in lines)


def hull(*values: int) -> tuple[int, int]:
    return min(values), max(values)


def channel_declaration(name: str, capacity: int, fields: Sequence[Kind]) -> str:
    return f"chan {name} = [{capacity}] of {{ {', '.join(kind.name for kind in fields)} }};"
