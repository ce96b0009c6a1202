"""Declared exclusive ends of channels, xr and xs: whether somebody else uses such an end.

whorl infers who uses a channel, so here nothing rests on these declarations. Spin's reduction rests
on them: its verifier looks at each step whether one is broken, and then stops. So a use is what is
one for Spin: to ask for the length of a channel, say, is to use both ends. A declaration counts
from the start of its process, wherever it stands, and is itself a use.

The answer is static, for the processes that a walk meets: of each, all statements that it can come
to from where it is when the declaration begins to count. Nothing is said of a channel that is not
known before the program runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from whorl.diagnostics import Diagnostic
from whorl.program.assigned import place_slots
from whorl.program.parts import parts
from whorl.program.program import (
    ChannelQuery,
    DStep,
    Exclusive,
    Expr,
    Load,
    PollQuery,
    Program,
    ReceiveAction,
    Region,
    SendAction,
    Transition,
)
from whorl.program.semantics import Semantics
from whorl.program.state import LOCALS, LOCATION, PID, TYPE, Fault, Record, State, WorkingState
from whorl.program.walks import starting_walk
from whorl.reduction.explain import locations
from whorl.reduction.fixed import Fixed

HINT = (
    "whorl infers exclusive ends by itself, so its verdict does not rest on this;"
    " Spin's reduction does, and stops"
)


class ChannelUse(NamedTuple):
    line: int
    ends: str  # "xr", "xs" or both
    channel: Expr
    what: str


def broken_declarations(program: Program) -> list[Diagnostic]:
    """A warning for each xr and xs that may not be so."""
    if program.embedded is not None or not any(p.exclusive for p in program.processes):
        return []
    semantics = Semantics(program)
    try:
        states = list(starting_walk(semantics))
    except Fault:  # it cannot start
        return []
    uses = _Uses(semantics, states)
    broken: dict[Exclusive, str] = {}
    for record, since in uses.first.values():
        for declared in program.processes[record[TYPE]].exclusive:
            why = None if declared in broken else uses.why_broken(declared, record, since)
            if why is not None:
                broken[declared] = why
    return [Diagnostic("warning", why, declared.span, HINT) for declared, why in broken.items()]


class _Uses:
    def __init__(self, semantics: Semantics, states: list[State]) -> None:
        self.program = semantics.program
        self.evaluator = semantics.evaluator
        self.states = states
        self.start = WorkingState(states[0])
        self.fixed = Fixed(self.program)
        self.ahead: dict[tuple[int, int], list[ChannelUse]] = {}
        # Each process, known by what is fixed about it, and the first state that it is in.
        self.first: dict[tuple[int, ...], tuple[Record, int]] = {}
        for number, state in enumerate(states):
            for record in state.processes:
                self.first.setdefault(self.signature(record), (record, number))

    def signature(self, record: Record) -> tuple[int, ...]:
        own = sorted(self.fixed.locals[record[TYPE]])
        return (record[PID], record[TYPE], *[record[LOCALS + slot] for slot in own])

    def why_broken(self, declared: Exclusive, record: Record, since: int) -> str | None:
        """Why a declaration of process `record` is broken, which counts from that state on."""
        owner = self.program.processes[record[TYPE]]
        said = f"'{declared.keyword} {declared.text}' of {owner.title}"
        claimed = 0
        for channel in declared.channels:
            claimed |= self.channels(channel, record) if self.fixed.expr(channel, owner) else 0
        for number, made in enumerate(self.states[since].channels, 1):
            if claimed >> number & 1 and self.program.channel_types[made.type].capacity == 0:
                return f"{said} is about a rendezvous channel, whose two ends move together"
        there = {self.signature(r): r for r in self.states[since].processes}
        later = {key: r for key, (r, number) in self.first.items() if number > since}
        for other in (there | later).values():
            if other[PID] == record[PID]:
                continue
            for use in self.uses(other):
                if declared.keyword in use.ends and claimed & self.channels(use.channel, other):
                    name = self.program.processes[other[TYPE]].title
                    who = f"another {name}" if other[TYPE] == record[TYPE] else name
                    return f"{said} is not so: {who} {use.what} (line {use.line})"
        return None

    def channels(self, channel: Expr, record: Record) -> int:
        """The channels that a process may mean, as bits; none where it may be any."""
        if not self.fixed.expr(channel, self.program.processes[record[TYPE]]):
            if not isinstance(channel, Load) or channel.place.region is not Region.GLOBAL:
                return 0
            slots = place_slots(channel.place)  # of an array
            return sum(1 << self.fixed.channels.get(slot, 0) for slot in slots) & ~1
        try:
            return 1 << self.evaluator.value(channel)(self.start, record) & ~1
        except Fault:
            return 0

    def uses(self, record: Record) -> list[ChannelUse]:
        """What a process may do to channels from where it is, in the order of lines."""
        key = record[TYPE], record[LOCATION]
        if key not in self.ahead:
            process = self.program.processes[record[TYPE]]
            ahead = [process.locations.get(at, ()) for at in locations(process, record[LOCATION])]
            channel_uses = [
                ChannelUse(declared.span.line, declared.keyword, channel, "declares it, too")
                for declared in process.exclusive
                for channel in declared.channels
            ]
            channel_uses += _uses_in([process.provided], process.span.line)
            for t in parts(list(ahead)):
                if isinstance(t, Transition) and not isinstance(t.action, DStep):
                    channel_uses += _uses_in([t.action], t.span.line)
            self.ahead[key] = sorted(channel_uses, key=lambda use: use.line)
        return self.ahead[key]


def _uses_in(roots: list[object], line: int) -> Iterator[ChannelUse]:
    for node in parts(list(roots)):
        match node:
            case SendAction(sorted=True):
                yield ChannelUse(
                    line, "xr xs", node.channel, "may put a message before others in it"
                )
            case SendAction():
                yield ChannelUse(line, "xs", node.channel, "may send to it")
            case ReceiveAction():
                yield ChannelUse(line, "xr", node.channel, "may receive from it")
            case ChannelQuery(query="nempty" | "nfull"):
                end = "xr" if node.query == "nempty" else "xs"
                yield ChannelUse(line, end, node.channel, "may look at it")
            case ChannelQuery() | PollQuery():
                yield ChannelUse(line, "xr xs", node.channel, "may look at it")
