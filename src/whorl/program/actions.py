"""What actions do: for each one, when it is executable and how it changes a store."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from whorl.diagnostics import counted
from whorl.program.evaluate import Evaluator
from whorl.program.monitor import Monitor
from whorl.program.output import formatted
from whorl.program.program import (
    Action,
    Assertion,
    ChangePriority,
    DStep,
    EmbeddedAction,
    Expr,
    Guard,
    Otherwise,
    Output,
    Program,
    ReceiveAction,
    SendAction,
    Skip,
    Store,
    Terminate,
    Transition,
    contains_run,
)
from whorl.program.state import NOBODY, PID, PRIORITY, Channel, Failure, Fault, Record, WorkingState

Ready = Callable[[WorkingState, Record], bool]
Fire = Callable[[WorkingState, Record], None]
DSTEP_LIMIT = 1_000_000  # steps in one d_step; Spin would go on for ever
DSTEP_WATCHED = 64  # after so many, whether it comes back to where it has been


@dataclass(frozen=True, slots=True)
class ExecutableTransition:
    """A transition with what it does. `ready` and `fire` take the process's own record."""

    transition: Transition
    ready: Ready
    fire: Fire
    hears: Ready  # in the middle of a handshake: whether it receives on the channel of the offer
    otherwise: bool  # executable only if nothing before it is
    sends: bool  # may begin a handshake


class Actions:
    """Makes transitions executable: what each asks for and does."""

    def __init__(self, program: Program, evaluator: Evaluator, monitor: Monitor | None) -> None:
        self.program = program
        self.evaluator = evaluator
        self.monitor = monitor

    def move(self, transition: Transition) -> ExecutableTransition:
        action = transition.action
        otherwise = isinstance(action, Otherwise) or (
            isinstance(action, DStep) and action.guards[:1] == (Otherwise(),)
        )
        return ExecutableTransition(
            transition,
            self.ready(action, transition),
            self.fire(action, transition),
            self.hears(action),
            otherwise,
            isinstance(action, SendAction),
        )

    # --- when ------------------------------------------------------------------------------------

    def ready(self, action: Action, transition: Transition) -> Ready:
        """When `action` is executable. Only a receive is while a message waits in a handshake."""
        match action:
            case Guard(condition):
                return self.guard(condition)
            case SendAction():
                position = self.evaluator.channel(action.channel, transition.span)
                types = self.program.channel_types

                def has_room(s: WorkingState, p: Record) -> bool:
                    if s.offer != NOBODY:
                        return False
                    channel = s.channels[position(s, p)]
                    return len(channel.messages) < max(1, types[channel.type].capacity)

                return has_room
            case ReceiveAction():
                return self.can_receive(action, transition)
            case Terminate():
                return lambda s, p: s.offer == NOBODY and p[PID] == len(s.processes) - 1
            case DStep():
                return self.dstep_ready(action, transition)
        return lambda s, p: s.offer == NOBODY

    def guard(self, condition: Expr) -> Ready:
        value = self.evaluator.value(condition)
        if not contains_run(condition):
            return lambda s, p: s.offer == NOBODY and value(s, p) != 0

        def ready(s: WorkingState, p: Record) -> bool:
            if s.offer != NOBODY:
                return False
            trial = s.fork(p[PID])
            return value(trial, trial.processes[p[PID]]) != 0

        return ready

    def hears(self, action: Action) -> Ready:
        """Whether `action` receives on the channel of an offer, whatever the message is.

        A channel that has no value is not that one: the fault is met in a step of its own.
        """
        if isinstance(action, DStep):
            guards = [self.hears(guard) for guard in action.guards]
            return lambda s, p: any(guard(s, p) for guard in guards)
        if not isinstance(action, ReceiveAction):
            return lambda s, p: False
        position = self.evaluator.channel(action.channel, None)

        def is_offered(s: WorkingState, p: Record) -> bool:
            try:
                return position(s, p) == s.offer
            except Fault:
                return False

        return is_offered

    def can_receive(self, action: ReceiveAction, transition: Transition) -> Ready:
        position = self.evaluator.channel(action.channel, transition.span)
        find = self.evaluator.finder(action.patterns, action.random)
        hears = self.hears(action)
        types = self.program.channel_types

        def has_message(s: WorkingState, p: Record) -> bool:
            if s.offer != NOBODY and not hears(s, p):
                return False
            channel = s.channels[position(s, p)]
            if types[channel.type].capacity == 0:
                if s.offer == NOBODY:
                    return False
                if action.copy:
                    raise Fault("channel", "a rendezvous channel cannot be polled", transition.span)
            return find(s, p, channel.messages) >= 0

        return has_message

    def dstep_ready(self, action: DStep, transition: Transition) -> Ready:
        guards = [self.ready(guard, transition) for guard in action.guards]
        if not guards:
            return lambda s, p: s.offer == NOBODY
        return lambda s, p: any(guard(s, p) for guard in guards)

    # --- what ------------------------------------------------------------------------------------

    def fire(self, action: Action, transition: Transition) -> Fire:
        """What `action` does to a store that was forked for the process."""
        match action:
            case Skip() | Otherwise():
                return _nothing
            case Guard(condition):
                if not contains_run(condition):
                    return _nothing
                value = self.evaluator.value(condition)
                return lambda s, p: _discard(value(s, p))
            case Store(place, expression):
                assign, value = self.evaluator.store(place), self.evaluator.value(expression)
                return lambda s, p: assign(s, p, value(s, p))
            case Assertion(condition, text):
                return self.assertion(condition, text)
            case Output():
                return self.output(action)
            case SendAction():
                return self.send(action, transition)
            case ReceiveAction():
                return self.receive(action, transition)
            case ChangePriority():
                return self.change_priority(action, transition)
            case Terminate():
                return _terminate
            case DStep():
                return self.dstep(action, transition)
            case EmbeddedAction(fragment):
                assert self.evaluator.foreign is not None
                return self.evaluator.foreign.action(fragment)

    def assertion(self, condition: Expr, text: str) -> Fire:
        value = self.evaluator.value(condition)

        def check(s: WorkingState, p: Record) -> None:
            if not value(s, p):
                s.failures.append(Failure("assertion", text))

        return check

    def output(self, action: Output) -> Fire:
        arguments = [self.evaluator.value(argument) for argument in action.arguments]
        program = self.program

        def show(s: WorkingState, p: Record) -> None:
            values = [argument(s, p) for argument in arguments]
            if s.output is not None:
                s.output.append(formatted(program, action, values))

        return show

    def send(self, action: SendAction, transition: Transition) -> Fire:
        position = self.evaluator.channel(action.channel, transition.span)
        arguments = [self.evaluator.value(argument) for argument in action.arguments]
        types = self.program.channel_types

        def put(s: WorkingState, p: Record) -> None:
            at = position(s, p)
            channel = s.channels[at]
            kind = types[channel.type]
            if len(arguments) != len(kind.fields):
                raise Fault(
                    "channel",
                    f"this sends {counted(len(arguments), 'value')},"
                    f" but a message has {len(kind.fields)}",
                    transition.span,
                )
            values = [argument(s, p) for argument in arguments]
            message = tuple([f.truncate(v) for f, v in zip(kind.fields, values, strict=True)])
            place = len(channel.messages)
            if action.sorted:
                # As in Spin, the values are compared before they are cut to the fields' types.
                wanted = tuple(values)
                later = (i for i, other in enumerate(channel.messages) if wanted < other)
                place = next(later, place)
            messages = (*channel.messages[:place], message, *channel.messages[place:])
            assert isinstance(s.channels, list)
            s.channels[at] = Channel(channel.type, channel.owner, messages)
            if kind.capacity == 0:
                s.offer = at
            if self.monitor is not None:
                self.monitor.event(s, "send", at, message)

        return put

    def receive(self, action: ReceiveAction, transition: Transition) -> Fire:
        position = self.evaluator.channel(action.channel, transition.span)
        find = self.evaluator.finder(action.patterns, action.random)
        stores = [
            (field, self.evaluator.store(match.target))
            for field, match in enumerate(action.patterns)
            if match.target is not None
        ]

        def take(s: WorkingState, p: Record) -> None:
            at = position(s, p)
            channel = s.channels[at]
            which = find(s, p, channel.messages)
            assert which >= 0
            message = channel.messages[which]
            if len(action.patterns) != len(message):
                raise Fault(
                    "channel",
                    f"this receives {counted(len(action.patterns), 'value')},"
                    f" but a message has {len(message)}",
                    transition.span,
                )
            for field, assign in stores:
                assign(s, p, message[field])
            if not action.copy:
                if self.monitor is not None:
                    self.monitor.event(s, "receive", at, message)
                rest = channel.messages[:which] + channel.messages[which + 1 :]
                assert isinstance(s.channels, list)
                s.channels[at] = Channel(channel.type, channel.owner, rest)
            if s.offer == at:
                s.offer = NOBODY

        return take

    def change_priority(self, action: ChangePriority, transition: Transition) -> Fire:
        pid, priority = self.evaluator.value(action.pid), self.evaluator.value(action.priority)

        def change(s: WorkingState, p: Record) -> None:
            which, value = pid(s, p), priority(s, p)
            if not 0 <= which < len(s.processes):
                return
            if not 1 <= value <= 255:
                raise Fault("priority", f"{value} is no priority: it is 1 to 255", transition.span)
            assert isinstance(s.processes, list)
            record = p if which == p[PID] else list(s.processes[which])
            assert isinstance(record, list)
            record[PRIORITY] = value
            s.processes[which] = record

        return change

    def dstep(self, action: DStep, transition: Transition) -> Fire:
        table = {
            number: [self.move(inner) for inner in inners]
            for number, inners in action.locations.items()
        }

        def run(s: WorkingState, p: Record) -> None:
            at = action.entry
            mark: tuple[object, ...] = ()
            for count in range(DSTEP_LIMIT):
                moves = table.get(at)
                if moves is None:
                    return
                taken = next((m for m in moves if m.ready(s, p)), None)
                if taken is None:
                    raise Fault(
                        "d_step", "a statement inside this d_step blocks", moves[0].transition.span
                    )
                taken.fire(s, p)
                if taken.sends and s.offer != NOBODY:
                    raise Fault(
                        "d_step", "a rendezvous send inside a d_step", taken.transition.span
                    )
                at = taken.transition.target
                # It goes one way only: what comes back once, comes back for ever (Brent, 1980).
                if count >= DSTEP_WATCHED and (mark[:1] == (at,) or count & (count - 1) == 0):
                    everyone = tuple(map(tuple, s.processes))
                    rest = s.monitor, bytes(s.unmatched)
                    here = (at, *s.globals, everyone, *s.channels, *rest)
                    if here == mark:
                        break
                    if count & (count - 1) == 0:
                        mark = here
            raise Fault("d_step", "this d_step does not end", transition.span)

        return run


def _nothing(s: WorkingState, p: Record) -> None:
    """Skip."""


def _discard(value: int) -> None:
    """Evaluated for its effect alone: run."""


def _terminate(s: WorkingState, p: Record) -> None:
    """The process goes, and with it the channels that were made for it."""
    assert isinstance(s.processes, list)
    assert isinstance(s.channels, list)
    gone = s.processes.pop()
    while s.channels and s.channels[-1].owner == gone[PID]:
        s.channels.pop()
