"""What a send or a receive that cannot be executed waits for: room, a message, or a partner."""

from __future__ import annotations

from collections.abc import Iterator

from whorl.explore.hindrance import Hindrance
from whorl.explore.reads import ExpressionReader, ReadValue
from whorl.program.actions import ExecutableTransition
from whorl.program.program import Expr, ReceiveAction, SendAction
from whorl.program.semantics import Semantics
from whorl.program.state import NOBODY, TYPE, Channel, Fault, WorkingState
from whorl.trace.describe import message_text, value_text


class ChannelWaits:
    """Explains sends and receives of a program."""

    def __init__(self, semantics: Semantics, reader: ExpressionReader) -> None:
        self.semantics = semantics
        self.program = semantics.program
        self.reader = reader

    # --- sends -----------------------------------------------------------------------------------

    def send(
        self, action: SendAction, move: ExecutableTransition, store: WorkingState, pid: int
    ) -> Iterator[Hindrance]:
        channel = self._channel(action.channel, store, pid)
        if channel is None:
            return
        values = self.reader.reads(action.channel, store, store.processes[pid])
        name = _name(values, "the channel")
        capacity = self.program.channel_types[channel.type].capacity
        if capacity:
            yield Hindrance("full", f"{name} is full", values)
            return
        try:
            offered = store.fork(pid)
            move.fire(offered, offered.processes[pid])
        except Fault:
            return
        waiting = list(self._receivers(offered, pid))
        if not waiting:
            yield Hindrance("rendezvous", f"no process waits to receive on {name}")
        yield from (Hindrance("rendezvous", text) for text in waiting)

    def _receivers(self, offered: WorkingState, pid: int) -> Iterator[str]:
        """Who waits for a message on the channel of an offer, and why it does not take this one."""
        sent = self._message(offered.channels[offered.offer])
        for other, record in enumerate(offered.processes):
            if other == pid:
                continue
            for answer in self.semantics.moves(record):
                if answer.hears(offered, record):
                    who, place = self._who(offered, other), _place(answer)
                    if not self._provided(offered, other):
                        yield f"{who} waits at {place}, but its provided clause is false"
                    elif not self._ready(answer, offered, other):
                        yield f"{who} waits at {place}, which does not take {sent}"

    # --- receives --------------------------------------------------------------------------------

    def receive(
        self, action: ReceiveAction, move: ExecutableTransition, store: WorkingState, pid: int
    ) -> Iterator[Hindrance]:
        channel = self._channel(action.channel, store, pid)
        if channel is None:
            return
        values = self.reader.reads(action.channel, store, store.processes[pid])
        name = _name(values, "the channel")
        if not self.program.channel_types[channel.type].capacity:
            offers = list(self._offers(action.channel, move, store, pid))
            if not offers:
                yield Hindrance("rendezvous", f"no process offers a message on {name}")
            yield from (Hindrance("rendezvous", text) for text in offers)
        elif not channel.messages:
            yield Hindrance("empty", f"{name} is empty")
        else:
            wanted = self._pattern(action, channel, store, pid)
            first = self._message(channel)
            if action.random:
                text = f"no message in {name} is {wanted}"
            else:
                text = f"the first message in {name} is {first}, and this takes {wanted}"
            yield Hindrance("message", text, values)

    def _offers(
        self, channel: Expr, move: ExecutableTransition, store: WorkingState, pid: int
    ) -> Iterator[str]:
        """Who would send on this rendezvous channel, and why it does not come to that."""
        evaluator = self.semantics.evaluator
        wanted = evaluator.value(channel)(store, store.processes[pid])
        for other, record in enumerate(store.processes):
            if other == pid:
                continue
            for sending in self.semantics.moves(record):
                action = sending.transition.action
                if not isinstance(action, SendAction):
                    continue
                if self.reader.value(action.channel, store, record) != wanted:
                    continue
                try:
                    offered = store.fork(other)
                    sending.fire(offered, offered.processes[other])
                except Fault:
                    continue
                text = f"{self._who(store, other)} offers"
                text += f" {self._message(offered.channels[offered.offer])} at {_place(sending)}"
                if not self._ready(move, offered, pid):
                    yield f"{text}, which this does not take"
                else:
                    yield f"{text}, but {self._prevented(store, other, sending, move, pid)}"

    def _prevented(
        self,
        store: WorkingState,
        sender: int,
        sending: ExecutableTransition,
        move: ExecutableTransition,
        pid: int,
    ) -> str:
        """Why an offer that a receive would take does not lead to a handshake of the two."""
        takers = [
            step.partner
            for step in self.semantics.steps_of(store, [sender])
            if step.transition.way == sending.transition.way and step.partner is not None
        ]
        if not takers or (pid, move.transition.way) in [(who, t.way) for who, t in takers]:
            return "cannot move"
        who, taking = takers[0]
        return f"{self._who(store, who)} takes it first, at line {taking.span.line}, {taking.text}"

    # --- both ------------------------------------------------------------------------------------

    def _channel(self, expr: Expr, store: WorkingState, pid: int) -> Channel | None:
        value = self.reader.value(expr, store, store.processes[pid])
        if value is None or not 0 < value <= len(store.channels):
            return None
        return store.channels[value - 1]

    def _message(self, channel: Channel) -> str:
        fields = self.program.channel_types[channel.type].fields
        return message_text(self.program, channel.messages[0], fields)

    def _pattern(
        self, action: ReceiveAction, channel: Channel, store: WorkingState, pid: int
    ) -> str:
        """What a receive takes, with the values that it asks for: `[ack,_]`."""
        fields = self.program.channel_types[channel.type].fields
        words = []
        for field, match in zip(fields, action.patterns, strict=False):
            value = None
            if match.value is not None:
                value = self.reader.value(match.value, store, store.processes[pid])
            words.append("_" if value is None else value_text(self.program, value, field))
        return f"[{','.join(words)}]"

    def _who(self, store: WorkingState, pid: int) -> str:
        return f"{self.program.processes[store.processes[pid][TYPE]].title}:{pid}"

    def _provided(self, store: WorkingState, pid: int) -> bool:
        try:
            return self.semantics.is_provided(store, pid)
        except Fault:
            return True

    def _ready(self, move: ExecutableTransition, offered: WorkingState, pid: int) -> bool:
        assert offered.offer != NOBODY
        try:
            return move.ready(offered, offered.processes[pid])
        except Fault:
            return True


def _name(values: tuple[ReadValue, ...], otherwise: str) -> str:
    return values[0].name if values else otherwise


def _place(move: ExecutableTransition) -> str:
    return f"line {move.transition.span.line}, {move.transition.text}"
