"""Which steps of an atomic sequence may come back to a state that it has passed.

States in the middle of an atomic sequence are not stored, so one that goes round for ever has to
be noticed on the way (`runtime/model/atomic.h`), by looking at all that it has passed; and where
one does, the state that it comes back to is stored with its holder. Most models need neither.

A round is one of the *places* at which control is: a process type and a location. Control stays
with a process after a step inside its atomic sequence, and a handshake passes it on to the receiver
if that is inside one. Who may answer whom is told by the channels, where these are known. A step
that starts a process is on no round: as long as control is kept, no other process ends. Nor is one
that counts a variable up to a bound (`counted`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from whorl.native.passes.counted import around, without_counting
from whorl.native.passes.merge import Merging
from whorl.program.parts import parts
from whorl.program.program import (
    Expr,
    Load,
    ProcessType,
    Program,
    ReceiveAction,
    Region,
    RunProcess,
    SendAction,
    Transition,
)

Place = tuple[int, int]  # a process type and a location


class Kept(NamedTuple):
    """A step after which control is kept: the transition that begins it, from where to where.

    `taken` are all that it takes, of a process by itself.
    """

    number: int
    source: Place
    target: Place
    taken: tuple[Transition, ...] = ()


def rounds(program: Program, merging: Merging) -> frozenset[int]:
    """The numbers of the transitions after which to look."""
    kept, places = _rounds(program, merging)
    return frozenset(step.number for step in kept if step.target in places)


def going_round(program: Program, merging: Merging) -> frozenset[int]:
    """The process types that may have control in such a round."""
    _, places = _rounds(program, merging)
    return frozenset(kind for kind, _ in places)


def _rounds(program: Program, merging: Merging) -> tuple[list[Kept], set[Place]]:
    """The steps after which control is kept, and the places on a round of them."""
    kept = [*_steps(program, merging), *_handshakes(program, merging)]
    return kept, around(without_counting(step[1:] for step in kept))


def _steps(program: Program, merging: Merging) -> Iterator[Kept]:
    """Those of a process by itself."""
    for process in program.processes:
        for transition in process.transitions():
            target = _kept(process, transition, merging)
            if target is None or _is_handshake(program, merging, transition):
                continue
            if not any(isinstance(node, RunProcess) for node in parts(transition.action)):
                taken = (transition, *merging.chain(process, transition))
                source = (process.index, transition.source)
                yield Kept(transition.number, source, target, taken)


def _handshakes(program: Program, merging: Merging) -> Iterator[Kept]:
    """Those that pass control on: the sender's transition, from there to the receiver."""
    if all(kind.capacity for kind in program.channel_types):
        return
    answers = [
        (target, channels)
        for process in program.processes
        for transition in process.transitions()
        if (target := _kept(process, transition, merging)) is not None
        and (channels := _channels(program, merging, transition, ReceiveAction))
    ]
    for process in program.processes:
        for transition in process.transitions():
            sent = _channels(program, merging, transition, SendAction)
            for target, channels in answers:
                if sent and (None in sent or None in channels or sent & channels):
                    yield Kept(transition.number, (process.index, transition.source), target)


def _kept(process: ProcessType, transition: Transition, merging: Merging) -> Place | None:
    """Where a process has control after a transition, if it keeps it."""
    last = [transition, *merging.chain(process, transition)][-1]
    return (process.index, last.target) if last.atomic else None


def _is_handshake(program: Program, merging: Merging, transition: Transition) -> bool:
    """Whether a transition can be nothing but one side of a handshake."""
    if not isinstance(transition.action, SendAction | ReceiveAction):
        return False
    known = _channel(program, merging, transition.action.channel)
    return known is not None and program.channel_types[known[1]].capacity == 0


def _channels(
    program: Program,
    merging: Merging,
    transition: Transition,
    sort: type[SendAction | ReceiveAction],
) -> set[int | None]:
    """The channels without a buffer at one end of which a transition may be; None: any."""
    channels: set[int | None] = set()
    for node in parts(transition.action):  # the first statement of a d_step may be one, too
        if not isinstance(node, sort):
            continue
        known = _channel(program, merging, node.channel)
        if known is None:
            channels.add(None)
        elif program.channel_types[known[1]].capacity == 0:
            channels.add(known[0])
    return channels


def _channel(program: Program, merging: Merging, channel: Expr) -> tuple[int, int] | None:
    """The slot and the type of a channel that is known from the text."""
    if not isinstance(channel, Load) or channel.place.region is not Region.GLOBAL:
        return None
    place = channel.place
    if place.indices or place.offset not in merging.usage.fixed:
        return None
    for initial in program.initials:
        if initial.offset == place.offset and isinstance(initial.value, int):
            return place.offset, initial.value
    return None
