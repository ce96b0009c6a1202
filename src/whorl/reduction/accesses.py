"""Accesses: what expressions and actions touch, before it is known which process evaluates them.

An access says what it may touch whatever the process, and, where that is fixed for a process, how
to find out which one thing it is (`narrow`). `Template` is a set of accesses; the Resolver of
`resolve` turns one into a Footprint.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from whorl.program.assigned import place_slots
from whorl.program.program import (
    Action,
    Assertion,
    AtLocation,
    BinaryOp,
    Builtin,
    ChangePriority,
    ChannelQuery,
    Const,
    DStep,
    EmbeddedAction,
    EmbeddedExpr,
    Expr,
    Guard,
    IfElse,
    Load,
    Match,
    Output,
    Place,
    PollQuery,
    ProcessQuery,
    ProcessType,
    Program,
    ReceiveAction,
    Region,
    RemoteLoad,
    RunProcess,
    SendAction,
    Store,
    Terminate,
    Transition,
    UnaryOp,
)
from whorl.reduction.cells import Cells, Watched, bits_of
from whorl.reduction.fixed import Fixed
from whorl.reduction.footprint import EVERY_CHANNEL, Mode, bits_in


@dataclass(frozen=True, slots=True)
class OwnCells:
    """Of what is watched, the cells that a process touches by moving: those with its pid."""

    cells: tuple[tuple[Watched, int], ...]


Narrow = Place | Expr | OwnCells  # a place of cells, a channel's expression, or one's own cells


@dataclass(frozen=True, slots=True)
class Access:
    """`bits` is what may be touched by any process; `narrow`, if any, says what by a given one."""

    mode: Mode
    bits: int
    narrow: Narrow | None = None


EVERYTHING = Access(Mode.QUERY, -1)  # it may notice any step
Template = frozenset[Access]
NO_ACCESS: Template = frozenset()


class Accesses:
    """Reads a program's expressions and actions."""

    def __init__(self, program: Program, cells: Cells, fixed: Fixed) -> None:
        self.program = program
        self.cells = cells
        self.fixed = fixed
        trace = program.trace
        actions = [] if trace is None else [t.action for t in trace.transitions()]
        self.sends_traced = any(isinstance(action, SendAction) for action in actions)
        self.receives_traced = any(isinstance(action, ReceiveAction) for action in actions)
        self.traced = frozenset(a for action in actions for a in self.of_trace(action))

    # --- expressions -----------------------------------------------------------------------------

    def expr(self, expr: Expr, process: ProcessType | None) -> Iterator[Access]:
        """What evaluating `expr` touches. `process` is None for a proposition."""
        match expr:
            case Const():
                pass
            case Load(place):
                yield from self.load(place, process)
            case UnaryOp():
                yield from self.expr(expr.operand, process)
            case BinaryOp():
                yield from self.expr(expr.left, process)
                yield from self.expr(expr.right, process)
            case IfElse():
                for part in (expr.condition, expr.yes, expr.no):
                    yield from self.expr(part, process)
            case ChannelQuery():
                yield from self.channel(expr.channel, process, Mode.QUERY)
            case PollQuery():
                yield from self.channel(expr.channel, process, Mode.QUERY)
                yield from self.pattern_values(expr.patterns, process)
            case RunProcess():
                yield from self.run(expr, process)
            case Builtin(name):
                yield from self.builtin(name)
            case AtLocation() | RemoteLoad():
                yield Access(Mode.READ, self.cells.watched[self.cells.target(expr)])
                if expr.pid is not None:
                    yield from self.expr(expr.pid, process)
                if isinstance(expr, RemoteLoad):
                    yield from self.indices(expr.place, process)
            case ProcessQuery() | EmbeddedExpr():
                yield EVERYTHING

    def load(self, place: Place, process: ProcessType | None) -> Iterator[Access]:
        yield from self.indices(place, process)
        if place.region is Region.GLOBAL and not self.fixed.place(place, process):
            yield self.place(place, process, Mode.READ)
        elif place.region is Region.PRIORITY:
            yield EVERYTHING

    def indices(self, place: Place, process: ProcessType | None) -> Iterator[Access]:
        for index in place.indices:
            yield from self.expr(index.value, process)

    def place(self, place: Place, process: ProcessType | None, mode: Mode) -> Access:
        """The access to a global place."""
        if all(isinstance(index.value, Const) for index in place.indices):
            slot = place.offset + sum(
                index.value.value * index.stride
                for index in place.indices
                if isinstance(index.value, Const)
            )
            if slot in place_slots(place):
                return Access(mode, 1 << slot)
        narrow = all(self.fixed.expr(index.value, process) for index in place.indices)
        return Access(mode, bits_of(place_slots(place)), place if narrow else None)

    def channel(self, expr: Expr, process: ProcessType | None, *modes: Mode) -> Iterator[Access]:
        """The access to the channel that `expr` names, in every one of `modes`."""
        yield from self.expr(expr, process)
        bits = self.channels(expr)
        narrow = expr if bits.bit_count() > 1 and self.fixed.expr(expr, process) else None
        for mode in modes:
            yield Access(mode, bits, narrow)

    def channels(self, expr: Expr) -> int:
        """The channels that `expr` may name, as bits."""
        if isinstance(expr, Load) and expr.place.region is Region.GLOBAL:
            access = self.place(expr.place, None, Mode.READ)
            slots = [s for s in place_slots(expr.place) if access.bits >> s & 1]
            if all(slot in self.fixed.channels for slot in slots):
                return sum(1 << self.fixed.channels[slot] for slot in slots)
        return EVERY_CHANNEL

    def may_handshake(self, channel: Expr) -> bool:
        """Whether the channel may be a rendezvous channel."""
        return self.has_rendezvous(self.channels(channel))

    def has_rendezvous(self, channels: int) -> bool:
        """Whether one of some channels may be a rendezvous channel."""
        types = self.program.channel_types
        made = [i.value for i in self.program.initials if isinstance(i.value, int)]
        if channels >> len(made) + 1:  # one that a process makes
            return any(kind.capacity == 0 for kind in types)
        return any(types[made[number - 1]].capacity == 0 for number in bits_in(channels))

    def pattern_values(
        self, patterns: Iterable[Match], process: ProcessType | None
    ) -> Iterator[Access]:
        for match in patterns:
            if match.value is not None:
                yield from self.expr(match.value, process)

    def run(self, expr: RunProcess, process: ProcessType | None) -> Iterator[Access]:
        for argument in expr.arguments:
            yield from self.expr(argument, process)
        yield Access(Mode.READ, self.cells.birth | self.cells.death)
        yield Access(Mode.WRITE, self.cells.birth | self.labels(expr.process))
        started = self.program.processes[expr.process]
        for initial in started.initials:
            if not isinstance(initial.value, int):
                # Its own variables may still be changing while it starts: nothing is narrowed.
                for access in self.expr(initial.value, started):
                    yield Access(access.mode, access.bits)
        yield Access(Mode.WRITE, self.all_cells(expr.process).bits)
        yield from self.own_channels(started)

    def builtin(self, name: str) -> Iterator[Access]:
        match name:
            case "_pid":
                return
            case "_nr_pr":
                yield Access(Mode.READ, self.cells.birth | self.cells.death)
            case "np_":
                yield Access(Mode.READ, self.cells.progress)
            case _:
                yield EVERYTHING  # timeout and _last

    # --- what moving itself touches --------------------------------------------------------------

    def labels(self, process: int) -> int:
        """The label cells that a process of this type changes by its start or its end."""
        kind = self.program.processes[process]
        bits = self.cells.progress if kind.progress_locations else 0
        return bits | (self.cells.accept if kind.accept_locations else 0)

    def all_cells(self, process: int) -> Access:
        """All that is watched of a type's processes, as the start or the end of one changes it."""
        cells = self.cells.watched.items()
        return _own(tuple((w, bit) for w, bit in cells if w.concerns(process, None)))

    def moving(self, process: ProcessType, source: int, target: int) -> Iterator[Access]:
        """What going from `source` to `target` changes for those who look where a process is."""
        if source == target:
            return
        for labelled, bit in (
            (process.progress_locations, self.cells.progress),
            (process.accept_locations, self.cells.accept),
        ):
            if (source in labelled) != (target in labelled):
                yield Access(Mode.WRITE, bit)
        cells = tuple(
            (watched, bit)
            for watched, bit in self.cells.watched.items()
            if watched.location in (source, target) and watched.concerns(process.index, None)
        )
        if cells:
            yield _own(cells)

    # --- actions ---------------------------------------------------------------------------------

    def whole(self, action: Action, process: ProcessType) -> Iterator[Access]:
        """What executing `action` touches, its guard included."""
        match action:
            case Guard(condition):
                yield from self.condition(condition, process)
            case Store(place, BinaryOp("+" | "-", Load(same), step)) if (
                same == place and place.region is Region.GLOBAL and not place.indices
            ):
                yield from self.expr(step, process)
                yield self.place(place, process, Mode.ADD)
            case Store(place, value):
                yield from self.expr(value, process)
                yield from self.store(place, process)
            case Assertion():
                yield from self.expr(action.condition, process)
            case Output():
                for argument in action.arguments:
                    yield from self.expr(argument, process)
            case SendAction():
                yield from self.channel(action.channel, process, Mode.SEND)
                if action.sorted:
                    yield from self.channel(action.channel, process, Mode.SORTED)
                for argument in action.arguments:
                    yield from self.expr(argument, process)
                if self.sends_traced:
                    yield from self.event()
            case ReceiveAction():
                mode = Mode.MAY_RECEIVE if action.copy else Mode.RECEIVE
                yield from self.channel(action.channel, process, mode)
                yield from self.pattern_values(action.patterns, process)
                for match in action.patterns:
                    if match.target is not None:
                        yield from self.store(match.target, process)
                if self.receives_traced and not action.copy:
                    yield from self.event()
            case Terminate():
                yield Access(Mode.READ, self.cells.birth)
                # Two ends never meet: only the process that was started last can end.
                yield Access(Mode.ADD, self.cells.death)
                yield Access(Mode.WRITE, self.labels(process.index))
                yield self.all_cells(process.index)
                yield from self.own_channels(process)
            case DStep():
                yield from self.dstep(action, process)
            case ChangePriority() | EmbeddedAction():
                yield EVERYTHING

    def guard(self, action: Action, process: ProcessType) -> Iterator[Access]:
        """What decides whether `action` is executable. Of `else` that is its siblings' guards."""
        match action:
            case Guard(condition):
                yield from self.condition(condition, process)
            case SendAction():
                yield from self.channel(action.channel, process, Mode.MAY_SEND)
                if self.may_handshake(action.channel):  # whether it fits what somebody waits for
                    for argument in action.arguments:
                        yield from self.expr(argument, process)
            case ReceiveAction():
                yield from self.channel(action.channel, process, Mode.MAY_RECEIVE)
                yield from self.pattern_values(action.patterns, process)
            case Terminate():
                yield Access(Mode.READ, self.cells.birth | self.cells.death)
            case DStep():
                for inner in action.guards:
                    yield from self.guard(inner, process)
            case EmbeddedAction():
                yield EVERYTHING

    def not_ready(self, action: Action, process: ProcessType) -> Iterator[Access]:
        """What decides that `action` is *not* executable: for else, and below an unless."""
        yield from map(looking_at_all, self.guard(action, process))
        if isinstance(action, SendAction) and self.may_handshake(action.channel):
            yield EVERYTHING  # whether somebody is there to receive

    def condition(self, condition: Expr, process: ProcessType) -> Iterator[Access]:
        """A condition that is waited for.

        To wait for a channel is like sending or receiving, and to wait for a timeout is to wait for
        the others to do nothing, which `needs_timeout` says.
        """
        for each in conjuncts(condition):
            match each:
                case ChannelQuery(query="nempty") | PollQuery(random=False):
                    yield from self.channel(each.channel, process, Mode.MAY_RECEIVE)
                    if isinstance(each, PollQuery):
                        yield from self.pattern_values(each.patterns, process)
                case ChannelQuery(query="nfull"):
                    yield from self.channel(each.channel, process, Mode.MAY_SEND)
                case Builtin(name="timeout"):
                    pass
                case _:
                    yield from self.expr(each, process)

    def store(self, place: Place, process: ProcessType) -> Iterator[Access]:
        yield from self.indices(place, process)
        if place.region is Region.GLOBAL:
            yield self.place(place, process, Mode.WRITE)
        elif place.region is Region.PRIORITY:
            yield EVERYTHING
        elif place.region is Region.LOCAL:
            slots = set(place_slots(place))
            cells = tuple(
                (watched, bit)
                for watched, bit in self.cells.watched.items()
                if watched.variable_of == process.index and not slots.isdisjoint(watched.slots)
            )
            if cells:
                yield _own(cells)

    def event(self) -> Iterator[Access]:
        """What the trace assertion does with a send or a receive."""
        yield Access(Mode.READ, self.cells.monitor)
        yield Access(Mode.WRITE, self.cells.monitor)
        yield from self.traced

    def of_trace(self, action: Action) -> Iterator[Access]:
        """What decides whether an event is one of the trace assertion's: channels and values."""
        if isinstance(action, SendAction | ReceiveAction):
            yield from self.expr(action.channel, None)
        if isinstance(action, ReceiveAction):
            yield from self.pattern_values(action.patterns, None)

    def own_channels(self, process: ProcessType) -> Iterator[Access]:
        """The channels that come and go with a process: those that are made for it.

        Which numbers they have is not known, but those of the global channels come before them.
        Somebody may still know the number of a channel that has gone, and another may be made in
        its place: so to make one is to change it, as much as to lose it is.
        """
        if any(isinstance(initial.value, int) for initial in process.initials):
            first = 1 + sum(isinstance(i.value, int) for i in self.program.initials)
            later = EVERY_CHANNEL >> first << first
            yield Access(Mode.SEND, later)
            yield Access(Mode.RECEIVE, later)

    def dstep(self, action: DStep, process: ProcessType) -> Iterator[Access]:
        entry = action.locations.get(action.entry, ())
        loops = any(t.target == action.entry for inner in action.locations.values() for t in inner)
        first = entry[0] if len(entry) == 1 and not loops else None
        for inner in action.locations.values():
            for transition in inner:
                accesses = self.whole(transition.action, process)
                yield from accesses if transition is first else map(looking_at_all, accesses)
                if transition is not first:
                    yield from self.not_ready(transition.action, process)


def _own(cells: tuple[tuple[Watched, int], ...]) -> Access:
    bits = 0
    for _, bit in cells:
        bits |= bit
    return Access(Mode.WRITE, bits, OwnCells(cells))


def looking_at_all(access: Access) -> Access:
    """The same access where one cannot wait: a look at a channel is then a look at all of it."""
    if access.mode in (Mode.MAY_SEND, Mode.MAY_RECEIVE):
        return Access(Mode.QUERY, access.bits, access.narrow)
    return access


def conjuncts(condition: Expr) -> Iterator[Expr]:
    """The conditions that must all hold."""
    if isinstance(condition, BinaryOp) and condition.operator == "&&":
        yield from conjuncts(condition.left)
        yield from conjuncts(condition.right)
    else:
        yield condition


def asked_of_ends(condition: Expr) -> Iterator[ChannelQuery | PollQuery]:
    """What a condition that is waited for asks of one end of channels, as `condition` has it."""
    for each in conjuncts(condition):
        match each:
            case ChannelQuery(query="nempty" | "nfull") | PollQuery(random=False):
                yield each


def waits_for_timeout(condition: Expr) -> bool:
    """Whether `condition` is false as long as `timeout` is."""
    return Builtin("timeout") in conjuncts(condition)


def comes_last(process: ProcessType, transition: Transition) -> bool:
    """Whether nothing can begin with a transition as long as something else can move.

    A `provided` clause can fault at any time.
    """
    return process.provided is None and needs_timeout(transition.action)


def needs_timeout(action: Action) -> bool:
    """Whether `action` is executable only where nothing else in the program is."""
    match action:
        case Guard(condition):
            return waits_for_timeout(condition)
        case DStep():
            return bool(action.guards) and all(map(needs_timeout, action.guards))
    return False
