"""Declared exclusive ends of channels, xr and xs: whether somebody else uses such an end.

whorl infers who uses a channel, so here nothing rests on these declarations. Spin's reduction rests
on them: its verifier looks at every step whether one is broken, and then stops. What counts as a use
is therefore what counts for Spin's verifier: to ask whether a channel is empty, full, or how long
it is, is to use both ends. A declaration counts from the start of its process, wherever it stands.

The answer is static, for the processes that a walk meets: of each, all statements that it can come
to from where it is when the declaration begins to count. Nothing is said of a channel that is not
known before the program runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from whorl.diagnostics import Diagnostic, Span
from whorl.program.program import (
    ChannelQuery,
    DStep,
    Exclusive,
    Expr,
    PollQuery,
    Program,
    ReceiveAction,
    SendAction,
    Transition,
)
from whorl.program.semantics import Semantics
from whorl.program.state import LOCATION, PID, TYPE, Fault, Record, State
from whorl.reduction.analysis import Analysis
from whorl.reduction.cells import nodes_of
from whorl.reduction.explain import locations
from whorl.reduction.footprint import EVERY_CHANNEL
from whorl.reduction.tables import walk

HINT = (
    "whorl infers exclusive ends by itself, so its verdict does not rest on this;"
    " Spin's reduction does, and stops"
)
BOTH = ("xr", "xs")


class Use(NamedTuple):
    """A use of one or both ends of a channel."""

    ends: tuple[str, ...]
    channel: Expr
    what: str


def broken_declarations(program: Program) -> Iterator[Diagnostic]:
    """A warning for each xr and xs that may not be so."""
    if program.embedded is not None or not any(p.exclusive for p in program.processes):
        return
    try:
        analysis = Analysis(Semantics(program))
    except Fault:  # it cannot start
        return
    states = list(walk(analysis))
    said: set[tuple[str, Span]] = set()
    met: set[tuple[int, ...]] = set()
    for number, state in enumerate(states):
        for record in state.processes:
            signature = analysis.signature(record)
            if signature in met:
                continue
            met.add(signature)
            for declared in program.processes[record[TYPE]].exclusive:
                why = _why_broken(analysis, declared, record, states[number:])
                if why is not None and (declared.keyword, declared.span) not in said:
                    said.add((declared.keyword, declared.span))
                    yield Diagnostic("warning", why, declared.span, HINT)


def _why_broken(
    analysis: Analysis, declared: Exclusive, record: Record, states: list[State]
) -> str | None:
    """Why a declaration is broken that counts for process `record` from the first state on."""
    processes = analysis.program.processes
    owner = processes[record[TYPE]]
    said = f"'{declared.keyword} {declared.text}' of {owner.title}"
    claimed = 0
    for channel in declared.channels:
        claimed |= _channels(analysis, channel, record) if _known(analysis, channel, record) else 0
    for number, made in enumerate(states[0].channels, 1):
        if claimed >> number & 1 and analysis.program.channel_types[made.type].capacity == 0:
            return f"{said} is about a rendezvous channel, which has no ends of its own"
    # Each of the others, as it is at first from then on.
    others = {analysis.signature(r): r for state in reversed(states) for r in state.processes}
    for other in others.values():
        if other[PID] == record[PID]:
            continue
        kind = processes[other[TYPE]]
        for line, use in sorted(_uses(analysis, other), key=lambda found: found[0]):
            if declared.keyword in use.ends and claimed & _channels(analysis, use.channel, other):
                who = f"another {kind.title}" if kind is owner else kind.title
                return f"{said} is not so: {who} {use.what} (line {line})"
    return None


def _known(analysis: Analysis, channel: Expr, record: Record) -> bool:
    return analysis.fixed.expr(channel, analysis.program.processes[record[TYPE]])


def _channels(analysis: Analysis, channel: Expr, record: Record) -> int:
    """The channels that a process may mean, as bits; none where it may be any."""
    if not _known(analysis, channel, record):
        found = analysis.accesses.channels(channel)
        return 0 if found == EVERY_CHANNEL else found
    try:
        return 1 << analysis.semantics.evaluator.value(channel)(analysis.start, record) & ~1
    except Fault:
        return 0


def _uses(analysis: Analysis, record: Record) -> Iterator[tuple[int, Use]]:
    """What a process may still do to channels, each with its line."""
    process = analysis.program.processes[record[TYPE]]
    for declared in process.exclusive:
        for channel in declared.channels:
            yield declared.span.line, Use((declared.keyword,), channel, "declares it, too")
    for node in nodes_of([process.provided]):
        yield from ((process.span.line, use) for use in _use(node))
    ahead = (process.locations.get(at, ()) for at in locations(process, record[LOCATION]))
    for transition in nodes_of(ahead):
        if isinstance(transition, Transition) and not isinstance(transition.action, DStep):
            for node in nodes_of([transition.action]):
                yield from ((transition.span.line, use) for use in _use(node))


def _use(node: object) -> Iterator[Use]:
    match node:
        case SendAction(sorted=True):
            yield Use(BOTH, node.channel, "may put a message before others in it")
        case SendAction():
            yield Use(("xs",), node.channel, "may send to it")
        case ReceiveAction():
            yield Use(("xr",), node.channel, "may receive from it")
        case ChannelQuery(query="nempty"):
            yield Use(("xr",), node.channel, "may look at it")
        case ChannelQuery(query="nfull"):
            yield Use(("xs",), node.channel, "may look at it")
        case ChannelQuery() | PollQuery():
            yield Use(BOTH, node.channel, "may look at it")
