"""Random Promela programs: small, valid, free of undefined behaviour, odd in many ways at once.

`programs(profile)` is a Hypothesis strategy for the text of a program that Spin accepts and whose
full state space is finite and small. The tests search such a program with several engines and
compare what they find. How validity and finiteness are kept, whatever is drawn:

- *No undefined C.* Every expression carries the interval of its values; an operator that could
  leave the range of a 31 bit integer, divide by zero, shift too far or index out of bounds is
  masked (`& 3`, `% 2`) or replaced by its left operand.
- *Few values.* What is stored in a wide variable (byte, short, int, mtype) is a constant, a copy,
  a truth value or something taken modulo a small number (`_Builder.stored`). Wrapping is reached
  by constants at the edges of a type. Only narrow variables (bit, bool, unsigned) take anything.
- *Few processes.* `run` stands in `init`, outside loops, or behind a global counter.
- *No endless atomic chain.* pan does not store the states inside an atomic sequence, so a loop
  there would run to the depth limit. Inside atomic and d_step a loop counts a variable of its own
  that nothing else writes, or leaves at the end of each option; a backward jump goes to a plain
  statement outside every atomic sequence. All other jumps go forward.

What is left out, because Spin refuses it or pan misbehaves:

- a local that hides a global or an outer local, two equal names in options of one selection
  (6.5.2: "redeclaration"); an array list initialiser after the first statement (refused);
- `c?[..]` and `c?<..>` on a rendezvous channel (a run-time error), enabled() or priorities in a
  model that has a rendezvous channel (pan.c does not compile);
- enabled(_pid) (pan stops), enabled() used by two processes about each other (pan recurses for
  ever and crashes): only the last proctype, if it is a single instance, uses enabled();
- a remote reference to a pid that may belong to another proctype (pan reads that process's memory
  as if it were of the named type): targets are single active processes that were declared, hence
  created, before the observer, so that they cannot be removed, nor their pid reused, before it;
- a local channel used after its process was removed (its number may be used again): a process
  that hands out a local channel never ends;
- unless, atomic, run, remote references and rendezvous sends inside d_step (refused or an error),
  jumps and breaks that cross the border of a d_step, or that lead to its beginning (also refused:
  a loop followed by a d_step counts as such a jump), a d_step that ends in a selection (sometimes
  refused: "goto S_027_0 breaks from d_step seq");
- a d_step that begins with an assertion, a print, a jump, or a selection with an option that is
  always executable: pan forgets to test that no rendezvous is under way, and runs it in the middle
  of another process's handshake; and `d_step { if :: y == 1 :: x = 1 fi }` blocks until y is 1;
- a copying receive at the beginning of a d_step (with a rendezvous channel in the model, pan.m may
  lack a parenthesis);
- receives that pan cannot undo. It puts the *values of the variables* back into the channel, not
  the message, and evaluates every index and eval() again before it restores them. So these leave
  a wrong message or memory behind, and the search goes on from there with wrong verdicts: a
  variable that is narrower than the field (`byte` into `bit`), an index of the channel or of the
  variable that the receive changes (`c[x]?x`, `c?a[x],x`), an eval of such a variable or of the
  channel's length (`c?x,eval(x)`);
- a poll as the operand of an operator, in a model with a rendezvous channel: pan.m lacks the
  parentheses around it (`x <= not_RV(c) && q_len(c) > 0`), so a poll stands in a condition of its
  own, `((c?[..]) -> 1 : 0)`;
- an initial value out of the range of its type ("truncated in assignment", exit status 1), a
  variable as the argument for a parameter of type mtype (refused);
- pc_value(), whose values are Spin's own numbering of states.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeVar

from hypothesis import strategies as st

T = TypeVar("T")


@dataclass(frozen=True)
class Profile:
    """Which features a program may use, and how large it may become."""

    globals: int = 3
    processes: int = 3
    statements: int = 12
    """Statements of all proctypes together, nested ones counted, about."""
    depth: int = 2
    wide: bool = True
    mtypes: bool = False
    arrays: bool = False
    structs: bool = False
    rendezvous: bool = False
    buffered: bool = False
    random_receive: bool = False
    """Sorted send, random receive, copying receive."""
    polls: bool = False
    channel_arrays: bool = False
    local_channels: bool = False
    channel_passing: bool = False
    """Channels as parameters, in messages, and in variables that alias them."""
    dubious_else: bool = False
    """`else` beside i/o: Spin prints "dubious use of 'else'", and goes on."""
    loops: bool = True
    counted_loops: bool = False
    jumps: bool = False
    timeout: bool = False
    atomic: bool = False
    d_step: bool = False
    unless: bool = False
    run: bool = False
    parameters: bool = False
    provided: bool = False
    priority: bool = False
    enabled: bool = False
    remote: bool = False
    last: bool = False
    inlines: bool = False
    inner_declarations: bool = False

    def __post_init__(self) -> None:
        assert not (self.rendezvous and (self.priority or self.enabled)), "Spin refuses this"

    @property
    def channels(self) -> bool:
        return self.rendezvous or self.buffered


PROFILES: dict[str, Profile] = {
    "core": Profile(jumps=True, inner_declarations=True, timeout=True, depth=3),
    "types": Profile(
        globals=4,
        statements=9,
        processes=2,
        mtypes=True,
        arrays=True,
        structs=True,
        counted_loops=True,
        inner_declarations=True,
        inlines=True,
        buffered=True,
    ),
    "atomic": Profile(
        atomic=True,
        jumps=True,
        rendezvous=True,
        buffered=True,
        counted_loops=True,
        depth=3,
    ),
    "rendezvous": Profile(
        rendezvous=True,
        mtypes=True,
        atomic=True,
        channel_arrays=True,
        channel_passing=True,
        parameters=True,
        run=True,
        timeout=True,
    ),
    "buffered": Profile(
        buffered=True,
        mtypes=True,
        random_receive=True,
        polls=True,
        channel_arrays=True,
        local_channels=True,
        processes=2,
    ),
    "channels": Profile(
        rendezvous=True,
        buffered=True,
        random_receive=True,
        polls=True,
        channel_arrays=True,
        local_channels=True,
        channel_passing=True,
        run=True,
        parameters=True,
    ),
    "dubious": Profile(
        rendezvous=True,
        buffered=True,
        dubious_else=True,
        atomic=True,
        d_step=True,
        random_receive=True,
        polls=True,
    ),
    "dstep": Profile(
        d_step=True,
        atomic=True,
        jumps=True,
        buffered=True,
        rendezvous=True,
        counted_loops=True,
        arrays=True,
        inlines=True,
        depth=3,
    ),
    "unless": Profile(
        unless=True,
        atomic=True,
        d_step=True,
        buffered=True,
        rendezvous=True,
        jumps=True,
        timeout=True,
        depth=3,
    ),
    "processes": Profile(
        statements=10,
        run=True,
        parameters=True,
        atomic=True,
        jumps=True,
        last=True,
        buffered=True,
        local_channels=True,
        timeout=True,
    ),
    "provided": Profile(
        provided=True,
        run=True,
        atomic=True,
        d_step=True,
        unless=True,
        rendezvous=True,
        buffered=True,
        timeout=True,
    ),
    "priority": Profile(
        priority=True,
        run=True,
        atomic=True,
        d_step=True,
        buffered=True,
        timeout=True,
        provided=True,
    ),
    "remote": Profile(
        remote=True,
        enabled=True,
        run=True,
        atomic=True,
        unless=True,
        buffered=True,
        jumps=True,
        last=True,
        statements=10,
    ),
    "mixed": Profile(
        mtypes=True,
        arrays=True,
        structs=True,
        rendezvous=True,
        buffered=True,
        polls=True,
        random_receive=True,
        channel_arrays=True,
        local_channels=True,
        channel_passing=True,
        counted_loops=True,
        jumps=True,
        timeout=True,
        atomic=True,
        d_step=True,
        unless=True,
        run=True,
        parameters=True,
        provided=True,
        remote=True,
        last=True,
        inlines=True,
        inner_declarations=True,
        depth=3,
    ),
}


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


_BIT = Kind("bit", 0, 1)
_BOOL = Kind("bool", 0, 1)
_BYTE = Kind("byte", 0, 255)
_PID = Kind("pid", 0, 255)
_SHORT = Kind("short", -32768, 32767)
# Not the whole range: nothing larger is ever stored (see `_EDGES`), which leaves room to compute.
_INT = Kind("int", -70000, 70000)
_MTYPE = Kind("mtype", 0, 255)
_CHAN = Kind("chan", 0, 255)
_UNSIGNED = tuple(Kind("unsigned", 0, 2**width - 1, width) for width in (2, 1, 3))

_EDGES = {
    "byte": (255, 256, -1),
    "pid": (255, 256, -1),
    "short": (32767, 32768, -1, 65535),
    "int": (-1, 65536, -70000),
}
_MTYPE_NAMES = ("red", "green", "blue")


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


def _indented(lines: Sequence[str]) -> Lines:
    return ["    " + line for line in lines]


def _block(head: str, lines: Sequence[str], tail: str = "}") -> Lines:
    return [head, *_indented(lines), tail]


def _ended(lines: Lines) -> Lines:
    return [*lines[:-1], lines[-1] + ";"]


def _labelled(label: str, lines: Lines) -> Lines:
    return [f"{label}: {lines[0]}", *lines[1:]]


class _Builder:
    """Draws one program. Every choice lists the simplest alternative first, for shrinking."""

    def __init__(self, draw: st.DrawFn, profile: Profile) -> None:
        self.draw = draw
        self.profile = profile
        self.globals: list[Var] = []
        self.channels: list[Chan] = []
        self.inlines: list[Inline] = []
        self.proctypes: list[Proctype] = []
        self.finished: list[Body] = []
        self.spawns = False
        self.records = False

    # Drawing.

    def flip(self, percent: int = 50) -> bool:
        return self.draw(st.integers(0, 99)) >= 100 - percent

    def number(self, lo: int, hi: int) -> int:
        return self.draw(st.integers(lo, hi))

    def pick(self, options: Sequence[T]) -> T:
        return options[self.number(0, len(options) - 1)] if len(options) > 1 else options[0]

    def pick_weighted(self, options: Sequence[tuple[T, int]]) -> T:
        point = self.number(0, sum(weight for _, weight in options) - 1)
        for option, weight in options:
            if point < weight:
                return option
            point -= weight
        raise AssertionError("weights are positive")

    def repeat(self, least: int, most: int) -> Iterator[int]:
        for index in range(most):
            if index >= least and not self.flip(75):
                return
            yield index

    # Expressions.

    def constant(self, kind: Kind, edges: bool = True) -> Expr:
        """A constant that is worth storing in a variable of this kind, in or out of range."""
        if kind.name == "mtype" and self.flip(90):
            index = self.number(0, len(_MTYPE_NAMES) - 1)
            value = len(_MTYPE_NAMES) - index  # Spin numbers the names from the last one.
            return Expr(_MTYPE_NAMES[index], value, value)
        if edges and self.profile.wide and kind.name in _EDGES and self.flip(12):
            value = self.pick(_EDGES[kind.name])
        else:
            value = self.number(0, 3)
        return Expr(str(value), value, value)

    def element(self, variable: Var, where: Where) -> str:
        if not variable.size:
            return variable.name
        return f"{variable.name}[{self.index(variable.size, where)}]"

    def index(self, size: int, where: Where) -> str:
        """The text of an index of an array of this size: within its bounds."""
        match self.number(0, 2):
            case 0:
                return str(self.number(0, size - 1))
            case 1:
                return f"_pid % {size}"
            case _:
                expression = self.variable(where, scalars=True)
                if expression.lo >= 0 and expression.hi < size:
                    return expression.text
                if expression.lo >= 0:
                    return f"{expression.text} % {size}"
                return f"({expression.text} & 7) % {size}"

    def variable(self, where: Where, scalars: bool = False) -> Expr:
        readable = [
            v for v in where.variables if v.kind.name != "chan" and not (scalars and v.size)
        ]
        if not readable:
            return Expr("_pid", 0, 255)
        variable = self.pick(readable)
        return Expr(self.element(variable, where), variable.kind.lo, variable.kind.hi)

    def atom(self, where: Where, body: Body | None) -> Expr:
        profile = self.profile
        options: list[tuple[str, int]] = [("variable", 8), ("constant", 3), ("_pid", 1)]
        if profile.run:
            options.append(("_nr_pr", 1))
        if profile.last:
            options.append(("_last", 1))
        if profile.inlines:
            options.append(("macro", 1))
        if where.channels:
            options.append(("len", 1))
        if profile.polls and any(not c.rendezvous for c in where.channels):
            options.append(("poll", 2))
        if body is not None and where.mode != "d_step":
            if profile.remote and self.targets():
                options.append(("remote", 6))
            if profile.enabled and body.observer:
                options.append(("enabled", 6))
            if profile.priority:
                options.append(("_priority", 1))
                options.append(("get_priority", 1))
        match self.pick_weighted(options):
            case "variable":
                return self.variable(where)
            case "constant":
                return self.constant(_BYTE, edges=False)
            case "len":
                return Expr(f"len({self.channel_text(self.pick(where.channels), where)})", 0, 3)
            case "poll":
                channel = self.pick([c for c in where.channels if not c.rendezvous])
                operator = "??" if profile.random_receive and self.flip() else "?"
                pattern = ", ".join(self.patterns(channel, where))
                text = self.channel_text(channel, where)
                return Expr(f"(({text}{operator}[{pattern}]) -> 1 : 0)", 0, 1)
            case "macro":
                if self.flip():
                    return Expr("LIMIT", 2, 2)
                return Expr(f"ODD({self.variable(where).text})", 0, 1)
            case "remote":
                return self.remote()
            case "enabled":
                last = self.first_pid(len(self.finished)) - 1
                return Expr(f"enabled({self.number(0, last)})", 0, 1)
            case "get_priority":
                return Expr("get_priority(_pid)", 0, 255)
            case name:
                return Expr(name, 0, 255)

    def targets(self) -> list[tuple[int, Body]]:
        """The processes that a remote reference may name, with their pids."""
        return [
            (self.first_pid(index), body)
            for index, body in enumerate(self.finished)
            if body.proctype.instances == 1 and (body.labels or body.locals)
        ]

    def first_pid(self, index: int) -> int:
        """The pid of the first instance of the proctype with this index, if it has any."""
        return sum(proctype.instances for proctype in self.proctypes[:index])

    def remote(self) -> Expr:
        pid, body = self.pick(self.targets())
        name = body.proctype.name
        prefix = f"{name}[{pid}]" if self.flip(80) else name
        if body.labels and (not body.locals or self.flip()):
            return Expr(f"{prefix}@{self.pick(body.labels)}", 0, 1)
        variable = self.pick(body.locals)
        return Expr(f"{prefix}:{variable.name}", variable.kind.lo, variable.kind.hi)

    def expression(self, where: Where, body: Body | None, depth: int = 2) -> Expr:
        if depth == 0 or self.flip(35):
            return self.atom(where, body)
        form = self.pick_weighted(
            [
                ("+", 3),
                ("-", 2),
                ("%", 2),
                ("compare", 3),
                ("*", 1),
                ("/", 1),
                ("bits", 2),
                ("shift", 1),
                ("~", 1),
                ("negative", 1),
                ("conditional", 2),
                ("logic", 2),
                ("!", 1),
            ]
        )
        left = self.expression(where, body, depth - 1)
        match form:
            case "+" | "-" | "*":
                right = self.expression(where, body, depth - 1)
                return self.arithmetic(form, left, right)
            case "%" | "/":
                if self.flip(75):
                    divisor = Expr(str(value := self.number(2, 4)), value, value)
                else:
                    divisor = Expr(f"(1 + ({self.atom(where, body).text} & 3))", 1, 4)
                if form == "/":
                    return Expr(f"({left.text} / {divisor.text})", *_hull(left.lo, 0, left.hi))
                top = divisor.hi - 1
                low = -top if left.lo < 0 else 0
                return Expr(f"({left.text} % {divisor.text})", low, top)
            case "bits":
                right = self.expression(where, body, depth - 1)
                low, high = _hull(left.lo, left.hi, right.lo, right.hi, 0)
                bound = 1 << max(abs(low), abs(high) + 1).bit_length()
                operator = self.pick(("&", "|", "^"))
                return Expr(
                    f"({left.text} {operator} {right.text})", -bound if low < 0 else 0, bound
                )
            case "shift":
                right = self.atom(where, body)
                if self.flip():
                    return Expr(f"({left.text} >> ({right.text} & 3))", *_hull(left.lo, 0, left.hi))
                return Expr(f"(({left.text} & 7) << ({right.text} & 3))", 0, 56)
            case "~":
                return Expr(f"(~{left.text})", ~left.hi, ~left.lo)
            case "negative":
                return Expr(f"(-({left.text}))", -left.hi, -left.lo)
            case "conditional":
                right = self.expression(where, body, depth - 1)
                condition = self.condition(where, body, depth - 1)
                return Expr(
                    f"({condition} -> {left.text} : {right.text})",
                    *_hull(left.lo, left.hi, right.lo, right.hi),
                )
            case "!":
                return Expr(f"(!({left.text}))", 0, 1)
            case _:
                return Expr(f"({self.condition(where, body, depth - 1)})", 0, 1)

    def arithmetic(self, operator: str, left: Expr, right: Expr) -> Expr:
        match operator:
            case "+":
                corners = (left.lo + right.lo, left.hi + right.hi)
            case "-":
                corners = (left.lo - right.hi, left.hi - right.lo)
            case _:
                corners = _hull(*(a * b for a in (left.lo, left.hi) for b in (right.lo, right.hi)))
        if max(map(abs, corners)) >= 2**30:
            return left
        return Expr(f"({left.text} {operator} {right.text})", *corners)

    def condition(self, where: Where, body: Body | None, depth: int = 1) -> str:
        """A truth value, most often a comparison."""
        left = self.expression(where, body, max(depth - 1, 0))
        if depth > 0 and self.flip(25):
            right = self.condition(where, body, depth - 1)
            return f"({left.text} {self.pick(('&&', '||'))} {right})"
        operator = self.pick(("!=", "==", "<", ">", "<=", ">="))
        if self.flip(70):
            right_text = self.constant(_BYTE, edges=self.flip(10)).text
        else:
            right_text = self.expression(where, body, max(depth - 1, 0)).text
        return f"({left.text} {operator} {right_text})"

    def probe(self, where: Where, body: Body | None) -> str:
        """`full(c)` and its like, which stand at the top of a condition only."""
        name = self.pick(("nfull", "nempty", "empty", "full"))
        text = f"{name}({self.channel_text(self.pick(where.channels), where)})"
        if self.flip(25):
            return f"({text} {self.pick(('&&', '||'))} {self.condition(where, body, 0)})"
        return text

    def stored(self, kind: Kind, where: Where, body: Body | None) -> str:
        """A value for a variable of this kind, from a set that stays small (see the module)."""
        if kind.name == "chan":
            return self.alias(where, body)
        if kind.name == "mtype":
            names = [v for v in where.variables if v.kind.name == "mtype" and not v.size]
            if names and self.flip(40):
                return self.pick(names).name
            return self.constant(kind).text
        if kind.narrow:
            return self.expression(where, body).text
        match self.pick_weighted(
            [("constant", 4), ("modulo", 5), ("copy", 2), ("truth", 1), ("step", 2), ("mask", 1)]
        ):
            case "constant":
                return self.constant(kind).text
            case "modulo":
                return f"{self.expression(where, body).text} % {self.number(2, 4)}"
            case "copy":
                return self.variable(where).text
            case "truth":
                return self.condition(where, body)
            case "mask":
                return f"{self.expression(where, body).text} & {self.number(1, 3)}"
            case _:
                old = self.variable(where)
                operator, low, high = self.pick((("+", -1, 3), ("-", 0, 4)))
                return f"({old.text} > {low} && {old.text} < {high} -> " + (
                    f"{old.text} {operator} 1 : {self.constant(kind).text})"
                )

    # Channels.

    def channel_text(self, channel: Chan, where: Where, fixed: bool = False) -> str:
        """The text of a channel; `fixed` says that its index must not depend on a variable."""
        if not channel.size:
            return channel.name
        here = replace(where, variables=()) if fixed else where
        return f"{channel.name}[{self.index(channel.size, here)}]"

    def alias(self, where: Where, body: Body | None) -> str:
        """A channel to put in a variable, a message or a parameter."""
        channel = self.pick([c for c in where.channels if self.may_alias(c)])
        if channel.local and body is not None:
            body.immortal = True
        return self.channel_text(channel, where)

    def may_alias(self, channel: Chan) -> bool:
        first = self.channels[0]
        return (channel.fields, channel.rendezvous) == (first.fields, first.rendezvous)

    def patterns(self, channel: Chan, where: Where) -> list[str]:
        """The arguments of a receive or of a poll: such that pan can undo it (see the module)."""
        received: list[Var | None] = []
        for kind in channel.fields:
            names = [v.name for v in received if v is not None]
            free = [v for v in self.receivers(kind, where) if v.name not in names]
            received.append(self.pick(free) if free and self.flip(80) else None)
        names = [v.name for v in received if v is not None]
        kept = replace(where, variables=tuple(v for v in where.variables if v.name not in names))
        fixed = replace(where, variables=())
        return [
            self.constraint(kind, kept) if variable is None else self.element(variable, fixed)
            for kind, variable in zip(channel.fields, received, strict=True)
        ]

    def receivers(self, kind: Kind, where: Where) -> list[Var]:
        """The variables that hold every value of a field of this kind."""
        if kind == _CHAN:
            return [Var(c.name, _CHAN) for c in where.channels if c.variable]
        if kind == _MTYPE:
            return [v for v in where.variables if v.writable and v.kind == _MTYPE]
        return [
            v
            for v in where.variables
            if v.writable and v.kind != _MTYPE and v.kind.lo <= kind.lo and kind.hi <= v.kind.hi
        ]

    def constraint(self, kind: Kind, where: Where) -> str:
        """What a receive has in the place of a variable; it may read the variables of `where`."""
        if kind == _CHAN:
            return "_"
        same = [v for v in where.variables if not v.size and (v.kind == _MTYPE) == (kind == _MTYPE)]
        match self.number(0, 3):
            case 0 | 3:
                return "_"
            case 1 if same:
                name = self.pick(same).name
                return f"eval({name} + 1)" if kind != _MTYPE and self.flip(25) else f"eval({name})"
            case _:
                return self.constant(kind).text

    def send(self, where: Where, body: Body, buffered: bool = False) -> str:
        channel = self.pick([c for c in where.channels if not (buffered and c.rendezvous)])
        operator = "!!" if self.profile.random_receive and self.flip(30) else "!"
        values = [self.stored(kind, where, body) for kind in channel.fields]
        text = self.channel_text(channel, where)
        if len(values) > 1 and self.flip(20):
            return f"{text}{operator}{values[0]}({', '.join(values[1:])})"
        return f"{text}{operator}{', '.join(values)}"

    def receive(self, where: Where, plain: bool = False) -> str:
        """A receive; a `plain` one takes the first message away."""
        channel = self.pick(where.channels)
        patterns = ", ".join(self.patterns(channel, where))
        text = self.channel_text(channel, where, fixed=True)
        if self.profile.random_receive and not plain and self.flip(50):
            options = ["??"] if channel.rendezvous else ["??", "?<", "??<"]
            operator = self.pick(options)
            return f"{text}{operator}{patterns}" + (">" if "<" in operator else "")
        return f"{text}?{patterns}"

    # Statements.

    def sequence(
        self, where: Where, body: Body, least: int = 1, most: int = 4, opening: bool = False
    ) -> Lines:
        """Statements; `opening` says that they are the first of a block, where no label may be."""
        lines: Lines = []
        for index in self.repeat(least, most):
            if body.budget <= 0 and index >= least:
                break
            if self.profile.inner_declarations and where.mode != "d_step" and self.flip(12):
                variable = Var(body.fresh("m"), self.kind(), shared=False)
                text = variable.kind.declare(variable.name)
                if self.flip(70):
                    text += f" = {self.initial(variable.kind, where)}"
                lines += [text + ";"]
                where = where.with_variable(variable)
            if opening and index == 0:
                statement = self.statement(where, body)
            else:
                statement = self.labelled_statement(where, body)
            if _has_d_step(statement) and _has_loop(lines):
                # The break of a loop must not lead to a d_step: "jump into d_step sequence".
                lines.append("skip;")
            lines += _ended(statement)
        return lines

    def labelled_statement(self, where: Where, body: Body) -> Lines:
        profile = self.profile
        place = bool(body.pending) and self.flip(30)
        label = body.pending.pop(0) if place else ""
        lines = self.statement(where, body)
        if "} unless {" in lines:
            # Spin refuses some labels in front of an unless, depending on how it starts.
            return [f"{label}: skip;", *lines] if label else lines
        if label:
            # A jump to a goto could be a loop of jumps, one to a d_step is refused.
            direct = not lines[0].startswith("goto") and not _has_d_step(lines)
            lines = _labelled(label, lines) if direct else [f"{label}: skip;", *lines]
        if where.mode == "d_step":
            return lines
        plain = where.mode == "plain" and not where.counted
        plain = plain and len(lines) == 1 and "goto" not in lines[0]
        if profile.jumps and plain and lines != ["break"] and self.flip(20):
            label = body.fresh("B")
            lines = _labelled(label, lines)
            body.back_labels.append(label)
            body.labels.append(label)
        if self.flip(8):
            label = body.fresh("end")
            lines = _labelled(label, lines)
        if profile.remote and self.flip(25) and "goto" not in lines[0] and "break" not in lines[0]:
            label = body.fresh("at")
            lines = _labelled(label, lines)
            body.labels.append(label)
        return lines

    def statement(self, where: Where, body: Body) -> Lines:
        profile = self.profile
        body.budget -= 1
        free = where.mode != "d_step"
        options: list[tuple[str, int]] = [("assign", 10), ("skip", 1), ("assert", 4)]
        if self.inlines:
            options.append(("inline", 3))
        if where.channels:
            if free:
                options += [("send", 5), ("receive", 5)]
            elif any(not c.rendezvous for c in where.channels):
                options.append(("careful", 3))
        if free:
            options.append(("guard", 1))
            if profile.timeout:
                options.append(("timeout", 1))
            if self.records:
                options.append(("record", 3))
        if profile.jumps:
            options.append(("goto", 3))
        if where.breakable:
            options.append(("break", 1))
        if profile.priority and free:
            options.append(("set_priority", 2))
        if where.depth > 0 and body.budget > 0:
            options.append(("if", 4))
            if profile.loops:
                options.append(("do", 3))
            if profile.counted_loops:
                options += [("for", 3), ("select", 2)]
            if free:
                options.append(("block", 1))
                if profile.atomic:
                    options.append(("atomic", 5))
                if profile.d_step:
                    options.append(("d_step", 5))
                if profile.unless:
                    options.append(("unless", 5))
            if profile.run and where.mode == "plain" and body.proctype.name != "init":
                options.append(("spawn", 1))
        inner = replace(where, depth=where.depth - 1)
        match self.pick_weighted(options):
            case "assign":
                return [self.assignment(where, body)]
            case "assert":
                return [f"assert{self.claim(where, body)}"]
            case "skip":
                return [self.pick(("skip", f'printf("%d\\n", {self.atom(where, None).text})'))]
            case "inline":
                return self.inline_call(where, body)
            case "send":
                return [self.send(where, body)]
            case "receive":
                return [self.receive(where)]
            case "record":
                return [self.pick(("records!s", "records?s"))]
            case "careful":
                return self.careful(inner, body)
            case "guard":
                return [self.condition(where, body)]
            case "timeout":
                return ["timeout"]
            case "goto":
                return self.goto(where, body)
            case "break":
                return ["break"]
            case "set_priority":
                return [f"set_priority(_pid, {self.number(1, 3)})"]
            case "if":
                return self.selection(inner, body)
            case "do":
                return self.repetition(inner, body)
            case "for":
                return self.counted(inner, body)
            case "select":
                return self.select(where, body)
            case "block":
                return _block("{", self.sequence(inner, body, 1, 3, opening=True))
            case "atomic":
                return self.atomic(inner, body)
            case "d_step":
                return self.d_step(inner, body)
            case "unless":
                main = self.sequence(inner, body, 1, 3, opening=True)
                first, _ = self.guard(inner, body, escape=True)
                rest = self.sequence(inner, body, 0, 2)
                return [*_block("{", main, "} unless {"), *_indented([*_ended(first), *rest]), "}"]
            case _:
                return self.spawn(where, body)

    def assignment(self, where: Where, body: Body) -> str:
        writable = [v for v in where.variables if v.writable]
        aliases = [c for c in where.channels if c.variable]
        if aliases and (not writable or self.flip(15)):
            return f"{self.pick(aliases).name} = {self.alias(where, body)}"
        if not writable:
            return "skip"
        variable = self.pick(writable)
        target = self.element(variable, where)
        if variable.kind.narrow and self.flip(40):
            return target + self.pick(("++", "--"))
        return f"{target} = {self.stored(variable.kind, where, body)}"

    def claim(self, where: Where, body: Body) -> str:
        """What an assertion says: often something that holds nearly always."""
        if self.flip(40):
            return self.condition(where, body)
        left, right = self.condition(where, body, 0), self.condition(where, body, 0)
        return f"({left} || {right})"

    def goto(self, where: Where, body: Body) -> Lines:
        if where.mode != "d_step" and body.back_labels and self.flip(40):
            return [f"goto {self.pick(body.back_labels)}"]
        label = body.fresh("F")
        body.pending.append(label)
        return [f"goto {label}"]

    def guard(self, where: Where, body: Body, escape: bool = False) -> tuple[Lines, bool]:
        """The first statement of an option, and whether it keeps Spin from accepting `else`."""
        options: list[tuple[str, int]] = [("condition", 6)]
        if not escape:
            options.append(("assign", 1))
        if where.mode != "d_step":
            if where.channels:
                options += [("send", 3), ("receive", 3)]
            if self.profile.timeout and where.mode == "plain":
                options.append(("timeout", 1))
        if where.channels:
            options.append(("probe", 1))
        match self.pick_weighted(options):
            case "send":
                return [self.send(where, body)], True
            case "receive":
                return [self.receive(where)], True
            case "probe":
                return [self.probe(where, body)], True
            case "timeout":
                return ["timeout"], False
            case "assign":
                return [self.assignment(where, body)], False
            case _:
                return [self.condition(where, body)], False

    def option(self, where: Where, body: Body, tail: Lines, condition: bool = False) -> Lines:
        """One option without its `::`, and in front the mark of i/o in its guard."""
        if condition:
            first, io = [self.condition(where, body)], False
        else:
            first, io = self.guard(where, body)
        rest = self.sequence(where, body, 0, 2) + tail
        return ["io" if io else "", *first, *rest]

    def options(self, options: Sequence[Lines], other: Lines | None) -> Lines:
        """The options with, where Spin has no complaint or none is minded, `else`."""
        lines: Lines = []
        for _, first, *rest in options:
            lines += [f":: {first}" + (" ->" if rest else ""), *_indented(rest)]
        if other is not None:
            position = "first" if self.flip(10) else "last"
            text = [":: else" + (" ->" if other else ""), *_indented(other)]
            lines = text + lines if position == "first" else lines + text
        return lines

    def may_else(self, options: Sequence[Lines]) -> bool:
        return self.profile.dubious_else or not any(option[0] for option in options)

    def selection(self, where: Where, body: Body) -> Lines:
        only_conditions = where.mode == "d_step" and not self.profile.dubious_else
        options = [
            self.option(where, body, [], condition=only_conditions) for _ in self.repeat(1, 3)
        ]
        other: Lines | None = None
        if where.mode == "d_step" or (self.may_else(options) and self.flip(60)):
            other = self.sequence(where, body, 0, 2)
        return ["if", *self.options(options, other), "fi"]

    def repetition(self, where: Where, body: Body) -> Lines:
        """A loop: in an atomic sequence one that surely ends."""
        inside = replace(where, breakable=True)
        if where.mode != "plain":
            if self.flip():
                options = [
                    self.option(inside, body, ["break;"], condition=where.mode == "d_step")
                    for _ in self.repeat(1, 2)
                ]
                other = ["break;"] if where.mode == "d_step" or self.may_else(options) else None
                return ["do", *self.options(options, other), "od"]
            counter = self.counter(body)
            rest = [f"{counter.name}++;", *self.sequence(inside, body, 0, 2)]
            options = [["", f"({counter.name} < {self.number(1, 2)})", *rest]]
            return ["do", *self.options(options, ["break;"]), "od"]
        options = [self.option(inside, body, []) for _ in self.repeat(1, 2)]
        match self.number(0, 3):
            case 0 if self.may_else(options):
                return ["do", *self.options(options, ["break;"]), "od"]
            case 0 | 1:
                options.append(["", "break"])
            case 2:
                options.append(["", self.condition(where, body), "break;"])
            case _:
                pass
        return ["do", *self.options(options, None), "od"]

    def counter(self, body: Body) -> Var:
        """A new local variable for one loop to count in."""
        name = body.fresh("i")
        body.declarations.append(f"byte {name};")
        return Var(name, _BYTE, shared=False, writable=False)

    def counted(self, where: Where, body: Body) -> Lines:
        counter = self.counter(body)
        inside = replace(where.with_variable(counter), breakable=True, counted=True)
        arrays = [v for v in where.variables if v.size and "." not in v.name]
        lines = self.sequence(inside, body, 1, 2)
        if arrays and self.flip(40):
            return _block(f"for ({counter.name} in {self.pick(arrays).name}) {{", lines)
        low = self.number(0, 1)
        high = str(self.number(low, 2))
        if self.flip(25):
            high = f"({self.variable(where).text} & 1)"
        return _block(f"for ({counter.name} : {low} .. {high}) {{", lines)

    def select(self, where: Where, body: Body) -> Lines:
        targets = [
            v
            for v in where.variables
            if v.writable and not v.shared and not v.size and v.kind.name in ("byte", "short")
        ]
        low, high = str(self.number(0, 1)), str(self.number(1, 2))
        if not targets:
            return [self.assignment(where, body)]
        if self.flip(30):
            low = f"({self.variable(where).text} & 1)"
        return [f"select ({self.pick(targets).name} : {low} .. {high})"]

    def careful(self, where: Where, body: Body) -> Lines:
        """A channel operation that cannot block, for a d_step."""
        channel = self.pick([c for c in where.channels if not c.rendezvous])
        text = self.channel_text(replace(channel, size=0), where)
        if channel.size:
            text = f"{channel.name}[{self.number(0, channel.size - 1)}]"
        if self.flip():
            values = ", ".join(self.stored(kind, where, body) for kind in channel.fields)
            guard, operation, negated = f"nfull({text})", f"{text}!{values}", f"full({text})"
        else:
            wild = ", ".join("_" for _ in channel.fields)
            guard, operation, negated = f"nempty({text})", f"{text}?{wild}", f"empty({text})"
        return ["if", f":: {guard} ->", f"    {operation};", f":: {negated}", "fi"]

    def atomic(self, where: Where, body: Body) -> Lines:
        inside = replace(where, mode="atomic")
        return _block("atomic {", self.sequence(inside, body, 1, 4, opening=True))

    def d_step(self, where: Where, body: Body) -> Lines:
        """A d_step: it may block at its first statement only, and jumps stay inside it."""
        outer, body.pending = body.pending, []
        inside = replace(where, mode="d_step", breakable=False)
        lines: Lines = []
        match self.number(0, 5):
            case 0:
                lines = [self.condition(inside, body) + ";"]
            case 1 if where.channels:
                lines = [self.receive(where, plain=True) + ";"]
            case 2 if any(not c.rendezvous for c in where.channels):
                lines = [self.send(where, body, buffered=True) + ";"]
            case 3:
                options = [self.option(inside, body, [], condition=True) for _ in self.repeat(1, 2)]
                lines = ["if", *self.options(options, None), "fi;"]
            case _:
                lines = [self.assignment(inside, body) + ";"]
        lines += self.sequence(inside, body, 1, 3)
        for label in body.pending:
            lines.append(f"{label}: skip;")
        body.pending = outer
        if not lines[-1].endswith(": skip;"):
            lines.append("skip;")
        return _block("d_step {", lines)

    def inline_call(self, where: Where, body: Body) -> Lines:
        inline = self.pick(self.inlines)
        targets = [v for v in where.variables if v.writable and v.kind == inline.kind]
        if not targets:
            return [self.assignment(where, body)]
        target = self.element(self.pick(targets), where)
        # A name or a number: a poll of two fields, `(c?[1, 2])`, is a syntax error here.
        value = self.variable(where, scalars=True) if self.flip(70) else self.constant(_BYTE)
        return [f"{inline.name}({target}, {value.text})"]

    def spawn(self, where: Where, body: Body) -> Lines:
        """A `run` in the body of a proctype, no more often in all than the counter allows."""
        self.spawns = True
        choices = [p for p in self.proctypes if self.can_pass(p, where)]
        if not choices:
            return ["skip"]
        call = self.run(self.pick(choices), where, body)
        return _block("atomic {", ["(spawned < 1) -> spawned++;", f"{call};"])

    def can_pass(self, proctype: Proctype, where: Where) -> bool:
        return _CHAN not in proctype.parameters or any(self.may_alias(c) for c in where.channels)

    def run(self, proctype: Proctype, where: Where, body: Body) -> str:
        arguments = ", ".join(self.stored(kind, where, body) for kind in proctype.parameters)
        call = f"run {proctype.name}({arguments})"
        if self.profile.priority and self.flip():
            call += f" priority {self.number(1, 3)}"
        targets = [
            v
            for v in where.variables
            if v.writable and not v.size and v.kind.name in ("byte", "int", "pid")
        ]
        return f"{self.pick(targets).name} = {call}" if targets and self.flip(40) else call

    # Declarations.

    def kind(self) -> Kind:
        kinds = [_BYTE, _BIT, _BOOL, *_UNSIGNED]
        if self.profile.wide:
            kinds += [_SHORT, _INT]
        if self.profile.mtypes:
            kinds.append(_MTYPE)
        return self.pick(kinds)

    def initial(self, kind: Kind, where: Where | None) -> str:
        """An initial value: within range, or `spin -a` says that it was truncated, and fails."""
        same = [v for v in where.variables if v.kind == kind and not v.size] if where else []
        if same and self.flip(30):
            return self.pick(same).name
        if kind.name == "mtype":
            return self.constant(kind, edges=False).text
        return str(self.pick([v for v in (0, 1, 2, 3, kind.hi) if v <= kind.hi]))

    def declare(self, name: str, where: Where | None) -> tuple[str, Var]:
        """A declaration, among the first of its scope, and the variable."""
        kind = self.kind()
        shared = where is None
        if self.profile.arrays and not kind.width and self.flip(30):
            size = self.pick((2, 3))
            text = kind.declare(f"{name}[{size}]")
            match self.number(0, 2):
                case 1 if kind != _MTYPE:
                    text += f" = {self.initial(kind, None)}"
                case 2 if kind != _MTYPE:
                    values = ", ".join(self.initial(kind, None) for _ in range(size))
                    text += f" = {{ {values} }}"
                case _:
                    pass
            return text + ";", Var(name, kind, size, shared)
        text = kind.declare(name)
        if self.flip():
            text += f" = {self.initial(kind, where)}"
        return text + ";", Var(name, kind, 0, shared)

    def structure(self) -> tuple[Lines, list[Var]]:
        """A typedef, and its fields with a dot in front."""
        lines: Lines = []
        fields: list[Var] = []
        for index in self.repeat(1, 3):
            kind = self.kind()
            size = 2 if not kind.width and self.flip(40) else 0
            name = f"f{index}"
            text = kind.declare(f"{name}[2]" if size else name)
            if self.flip(30) and kind != _MTYPE:
                text += f" = {self.initial(kind, None)}"
            lines.append(text + ";")
            fields.append(Var(f".{name}", kind, size))
        return _block("typedef Record {", lines), fields

    def global_declarations(self) -> Lines:
        lines: Lines = []
        if self.profile.inlines:
            lines += ["#define LIMIT 2", "#define ODD(v) ((v) & 1)"]
        if self.profile.mtypes:
            lines.append(f"mtype = {{ {', '.join(_MTYPE_NAMES)} }};")
        for index in self.repeat(1, self.profile.globals):
            text, variable = self.declare(f"g{index}", None)
            lines.append(text)
            self.globals.append(variable)
        if self.profile.structs and self.flip(70):
            text_lines, fields = self.structure()
            lines += text_lines
            names = ["s"]
            if self.flip(30):
                lines.append("Record s[2];")
                names = ["s[0]", "s[1]"]
            else:
                lines.append("Record s;")
                # A message has no unsigned field, not even inside a record.
                if self.profile.buffered and not any(f.kind.width for f in fields):
                    lines.append("chan records = [1] of { Record };")
                    self.records = True
            self.globals += [replace(f, name=name + f.name) for name in names for f in fields]
        if self.profile.channels:
            lines += self.channel_declarations()
        if self.profile.inlines:
            lines += self.inline_definitions()
        return lines

    def fields(self) -> tuple[Kind, ...]:
        kinds = [_BYTE, _BIT, _BOOL] + ([_SHORT, _INT] if self.profile.wide else [])
        if self.profile.mtypes:
            kinds.append(_MTYPE)
        # Often the kind of a variable that can receive it.
        kinds += [v.kind for v in self.globals for _ in "12" if not v.kind.width]
        return tuple(self.pick(kinds) for _ in self.repeat(1, 3))

    def capacity(self) -> int:
        profile = self.profile
        if not profile.buffered:
            return 0
        if profile.rendezvous and self.flip(60):
            return 0
        return self.pick_weighted([(1, 14), (2, 5), (3, 1)])

    def channel_declarations(self) -> Lines:
        lines: Lines = []
        first: tuple[int, tuple[Kind, ...]] | None = None
        for index in self.repeat(1, 2 + self.profile.channel_passing):
            capacity, fields = self.capacity(), self.fields()
            fields = fields[: max(4 - capacity, 1)]
            if len(fields) == 1 and fields[0].name in ("bit", "bool"):
                # pan keeps the only field of a message in a byte: then a bit is narrower than it.
                fields = (_BYTE,)
            if first is None:
                first = capacity, fields
            elif self.profile.channel_passing and self.flip():
                fields = first[1]
                capacity = min(capacity, 1) if first[0] else 0
                capacity = max(capacity, 1) if first[0] else 0
            elif self.profile.channel_passing and self.flip(60):
                fields = (_CHAN, *fields[:1])
            size = 2 if self.profile.channel_arrays and self.flip(30) else 0
            name = f"c{index}"
            lines.append(_channel(f"{name}[2]" if size else name, capacity, fields))
            self.channels.append(Chan(name, fields, capacity == 0, size))
        return lines

    def inline_definitions(self) -> Lines:
        lines: Lines = []
        for index in self.repeat(0, 2):
            kind = self.pick([v.kind for v in self.globals])
            name = f"step{index}"
            target = Var("target", kind)
            # The value is substituted as text, so its range is that of any atom.
            value = Var("value", _INT, writable=False)
            where = Where("d_step", 1, (*self.globals, target, value), tuple(self.channels))
            body = Body(Proctype(name, (), 0, 0), observer=False, budget=3)
            jumps_off = replace(self.profile, jumps=False, loops=False, counted_loops=False)
            self.profile, profile = jumps_off, self.profile
            text = [f"target = {self.stored(kind, where, None)};"]
            text += self.sequence(where, body, 0, 2)
            self.profile = profile
            lines += _block(f"inline {name}(target, value) {{", text)
            self.inlines.append(Inline(name, kind))
        return lines

    def heads(self) -> None:
        """Draw the heads of all proctypes."""
        profile = self.profile
        alive = 0
        for index in self.repeat(1, profile.processes):
            parameters: tuple[Kind, ...] = ()
            if profile.parameters:
                kinds = [_BYTE, _BIT, _SHORT]
                if profile.channel_passing and self.channels:
                    kinds += [_CHAN, _CHAN]
                parameters = tuple(self.pick(kinds) for _ in self.repeat(0, 2))
            by_run = profile.run and (_CHAN in parameters or self.flip(30))
            if _CHAN in parameters and not profile.run:
                parameters = ()
            count = 2 if alive + 2 <= profile.processes and self.flip(40) else 1
            if alive + count > profile.processes:
                break
            alive += count
            instances, runs = (0, count) if by_run else (count, 0)
            self.proctypes.append(Proctype(f"P{index}", parameters, instances, runs))

    def proctype(self, index: int, budget: int) -> Lines:
        profile = self.profile
        head = self.proctypes[index]
        first = self.first_pid(index)
        observer = first > 0 and head.instances == 1 and index == len(self.proctypes) - 1
        body = Body(head, observer, budget)
        where = Where("plain", profile.depth, tuple(self.globals), tuple(self.channels))
        parameters: Lines = []
        for number, kind in enumerate(head.parameters):
            name = f"p{number}"
            parameters.append(f"{kind.name} {name}")
            if kind == _CHAN:
                where = self.with_alias(where, name)
            else:
                where = where.with_variable(Var(name, kind, shared=False))
        declarations: Lines = []
        where = self.local_channels(where, body, declarations)
        for _ in self.repeat(0, 2):
            # No two proctypes share a name: Spin takes the variable of a remote reference for the
            # observer's own of that name, and asks for an index if that one is an array.
            name = body.fresh("uvwxyz"[index])
            text, variable = self.declare(name, where)
            declarations.append(text)
            where = where.with_variable(variable)
            if not variable.size:
                body.locals.append(variable)
        lines = self.sequence(where, body, min(budget, 3), 6)
        lines += [f"{label}: skip;" for label in body.pending]
        if body.immortal:
            lines.append("end: false;")
        text = "proctype"
        if head.instances:
            text = f"active [{head.instances}] proctype" if head.instances > 1 else f"active {text}"
        text += f" {head.name}({'; '.join(parameters)})"
        if profile.priority and head.instances and self.flip(70):
            text += f" priority {self.number(1, 3)}"
        if profile.provided and self.flip(60):
            text += f" provided ({self.enabler()})"
        self.finished.append(body)
        return _block(text + " {", declarations + body.declarations + lines)

    def with_alias(self, where: Where, name: str) -> Where:
        first = self.channels[0]
        alias = Chan(name, first.fields, first.rendezvous, variable=True)
        return replace(where, channels=(*where.channels, alias))

    def local_channels(self, where: Where, body: Body, declarations: Lines) -> Where:
        profile = self.profile
        if profile.local_channels and self.flip(40):
            first = self.channels[0]
            capacity = 0 if first.rendezvous else self.number(1, 2)
            name = body.fresh("k")
            declarations.append(_channel(name, capacity, first.fields))
            channel = Chan(name, first.fields, first.rendezvous, local=True)
            where = replace(where, channels=(*where.channels, channel))
        if profile.channel_passing and self.flip(40):
            name = body.fresh("a")
            declarations.append(f"chan {name} = {self.alias(where, None)};")
            where = self.with_alias(where, name)
        return where

    def enabler(self) -> str:
        """The condition of a provided clause: over globals, and true at the start more often."""
        where = Where("plain", 0, tuple(self.globals), ())
        variable = self.variable(where)
        return f"{variable.text} {self.pick(('!=', '<', '!=', '>='))} {self.number(1, 3)}"

    def init(self) -> Lines:
        body = Body(Proctype("init", (), 1, 0), observer=False, budget=2)
        where = Where("plain", 1, tuple(self.globals), tuple(self.channels))
        declarations: Lines = []
        where = self.local_channels(where, body, declarations)
        if self.flip(40):
            declarations.append("pid child;")
            where = where.with_variable(Var("child", _PID, shared=False))
        calls = [
            _ended([self.run(head, where, body)])
            for head in self.proctypes
            for _ in range(head.runs)
        ]
        lines = [line for call in calls for line in call]
        if self.flip(40):
            inside = replace(where, mode="atomic")
            lines = _block("atomic {", [*lines, *self.sequence(inside, body, 0, 1)], "};")
        lines += self.sequence(where, body, 0, 2)
        lines += [f"{label}: skip;" for label in body.pending]
        if body.immortal:
            lines.append("end: false;")
        return _block("init {", declarations + body.declarations + lines)

    def echo(self) -> Lines:
        """A process that goes on sending and receiving, so that others are rarely stuck."""
        where = Where("plain", 0, tuple(self.globals), tuple(self.channels))
        options: list[Lines] = []
        for channel in self.channels[:2]:
            here = replace(where, channels=(channel,))
            if _CHAN not in channel.fields:
                values = ", ".join(self.constant(kind).text for kind in channel.fields)
                text = f"{self.channel_text(channel, where)}!{values}"
                options += [["", text]] if self.flip(60) else []
            options += [["", self.receive(here)]] if self.flip(60) else []
        options = options or [["", self.receive(where)]]
        loop = ["do", *self.options(options, None), "od;"]
        return _block("active proctype Echo() {", _labelled("end", loop))

    def program(self) -> str:
        lines = self.global_declarations()
        self.heads()
        total = sum(head.instances + head.runs for head in self.proctypes)
        total += any(head.runs for head in self.proctypes)
        echo = bool(self.channels) and total < 4 and self.flip(80)
        budget = max(self.profile.statements // (total + echo), 2)
        bodies: Lines = []
        for index in range(len(self.proctypes)):
            bodies += ["", *self.proctype(index, budget)]
        if any(head.runs for head in self.proctypes):
            # After the others, so that pids follow the order of the proctypes.
            bodies += ["", *self.init()]
        if echo:
            bodies += ["", *self.echo()]
        if self.spawns:
            lines.append("byte spawned;")
        return "\n".join(lines + bodies) + "\n"


def _has_d_step(lines: Lines) -> bool:
    return any("d_step {" in line for line in lines)


def _has_loop(lines: Lines) -> bool:
    return any(line.endswith("do") or "for (" in line or "select (" in line for line in lines)


def _hull(*values: int) -> tuple[int, int]:
    return min(values), max(values)


def _channel(name: str, capacity: int, fields: Sequence[Kind]) -> str:
    return f"chan {name} = [{capacity}] of {{ {', '.join(kind.name for kind in fields)} }};"


def programs(profile: Profile = PROFILES["core"]) -> st.SearchStrategy[str]:
    """Texts of valid Promela programs that use the features of the profile."""

    @st.composite
    def text(draw: st.DrawFn) -> str:
        return _Builder(draw, profile).program()

    return text()
