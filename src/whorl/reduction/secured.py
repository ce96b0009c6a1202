"""Secured channel operations: those in an atomic sequence that its guard has made sure of.

    atomic { nempty(in) && nfull(out) -> in?x; out!x }

What follows the first step of a run cannot wait, so a send or a receive there asks how full the
channel is, which the other end may change. Not so where the run begins with a guard that has asked
`nfull` or `nempty` of this channel, and no operation at the same end comes between: then there is
room, or a message, whatever is done at the other end. Such an operation commutes with those at the
other end, as it does where it begins a run: it is conditionally safe.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from whorl.program.parts import parts
from whorl.program.program import (
    ChannelQuery,
    Expr,
    Guard,
    ProcessType,
    ReceiveAction,
    SendAction,
    Transition,
    Way,
)
from whorl.reduction.accesses import conjuncts
from whorl.reduction.runs import Runs

Channels = Callable[[Expr], int]  # as bits; a single one, if that is always the one that is meant
Use = tuple[type, int]  # the end of a channel: SendAction or ReceiveAction, and the channels


def secured(
    process: ProcessType,
    transition: Transition,
    runs: Runs,
    channels: Channels,
    has_rendezvous: Callable[[int], bool],
) -> frozenset[Way]:
    """The operations that are secured in the run that `transition` begins."""
    asked = {use for use in _asked(transition, channels) if not has_rendezvous(use[1])}
    if not asked:
        return frozenset()
    inner = runs.region(process, transition)[1:]
    found = {t.way: use for t in inner if (use := _operation(t, channels)) in asked}
    for before in inner if found else ():
        for end, used in _changes(before, channels):
            for behind in runs.region(process, before)[1:]:
                operation = found.get(behind.way)
                if operation is not None and operation[0] is end and operation[1] & used:
                    del found[behind.way]
    return frozenset(found)


def _asked(transition: Transition, channels: Channels) -> Iterator[Use]:
    """What the guard of a run asks: of which channels there is room at an end, or a message."""
    if not isinstance(transition.action, Guard):
        return
    for query in conjuncts(transition.action.condition):
        if isinstance(query, ChannelQuery) and query.query in ("nfull", "nempty"):
            bits = channels(query.channel)
            if bits.bit_count() == 1:
                yield (SendAction if query.query == "nfull" else ReceiveAction), bits


def _operation(transition: Transition, channels: Channels) -> Use | None:
    """The operation that a transition is, unless it looks for a message behind the first one."""
    match transition.action:
        case SendAction(channel) | ReceiveAction(channel, random=False):
            return type(transition.action), channels(channel)
    return None


def _changes(transition: Transition, channels: Channels) -> Iterator[Use]:
    """What a transition, a d_step too, does at the ends of channels."""
    for part in parts(transition):
        if isinstance(part, SendAction) or (isinstance(part, ReceiveAction) and not part.copy):
            yield type(part), channels(part.channel)
