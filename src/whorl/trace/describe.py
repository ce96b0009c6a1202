"""Describes steps and states in words: what a Trace and a simulation are made of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from whorl.diagnostics import Span
from whorl.language.types import Basic, TypeKind
from whorl.program.naming import Blocks, in_scope
from whorl.program.program import Program, SendAction, Transition, VariableInfo
from whorl.program.semantics import Semantics, Step
from whorl.program.state import LOCALS, LOCATION, NOBODY, TYPE, Channel, Fault, State, WorkingState
from whorl.trace.trace import Change, InlineCall, Message, Position, TraceStep, failure_text

# --- states --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Value:
    """The value in one slot of a variable; `name` is the slot's, without what tells it apart."""

    owner: str | None
    slot: int
    variable: VariableInfo
    name: str
    text: str

    @property
    def tagged(self) -> str:
        variable = self.variable
        return f"{variable.name}{variable.tag}{self.name.removeprefix(variable.name)}"


def values(program: Program, state: State, last: Step | None = None) -> tuple[Change, ...]:
    """The variables and channels that are in scope, with their values, after the step `last`."""
    blocks = _scopes(program, state, last)
    all_values = _values(program, state)
    return _shown([value for value in all_values if in_scope(value.variable, blocks[value.owner])])


def _scopes(program: Program, state: State, last: Step | None = None) -> dict[str | None, Blocks]:
    """The blocks that each process is in, after the step `last`."""
    blocks: dict[str | None, Blocks] = {None: ()}
    for pid, record in enumerate(state.processes):
        process = program.processes[record[TYPE]]
        here = failed_assertion(last, pid)
        location = record[LOCATION] if here is None else here.source
        blocks[f"{process.title}:{pid}"] = process.blocks.get(location, ())
    return blocks


def changed_values(program: Program, before: State, after: State) -> tuple[Change, ...] | None:
    """Of `values`, those that differ; None where their names, too, or channels may differ."""
    blocks = _scopes(program, after)
    if _scopes(program, before) != blocks:
        return None
    numbers = _changed_numbers(program, before, after)
    if numbers is None:
        return None
    return _shown([value for value in numbers if in_scope(value.variable, blocks[value.owner])])


def changes(program: Program, before: State, after: State) -> tuple[Change, ...]:
    """What differs between two states, process locations aside."""
    numbers = _changed_numbers(program, before, after)
    if numbers is not None:
        return _shown(numbers)
    old = {(known.owner, known.slot): known.text for known in _values(program, before)}
    all_values = _values(program, after)
    return _shown([new for new in all_values if old.get((new.owner, new.slot), "0") != new.text])


def _changed_numbers(program: Program, before: State, after: State) -> list[_Value] | None:
    """As `changes`, and sooner, where only numbers differ; None where channels or processes do."""
    old, new = before.processes, after.processes
    if before.channels != after.channels or [r[TYPE] for r in old] != [r[TYPE] for r in new]:
        return None
    regions: list[tuple[str | None, tuple[VariableInfo, ...], tuple[int, ...], tuple[int, ...]]]
    regions = [(None, program.variables, before.globals, after.globals)]
    for pid, (record, changed) in enumerate(zip(old, new, strict=True)):
        if record[LOCALS:] != changed[LOCALS:]:
            process = program.processes[record[TYPE]]
            who = f"{process.title}:{pid}"
            regions.append((who, process.variables, record[LOCALS:], changed[LOCALS:]))
    numbers: list[_Value] = []
    for owner, variables, first, second in regions:
        for variable in variables:
            end = variable.offset + len(variable.parts)
            if variable.foreign or first[variable.offset : end] == second[variable.offset : end]:
                continue
            for slot, (name, kind) in enumerate(variable.parts, variable.offset):
                if first[slot] != second[slot]:
                    if kind.kind is TypeKind.CHAN:
                        return None
                    text = value_text(program, second[slot], kind)
                    numbers.append(_Value(owner, slot, variable, name, text))
    return numbers


def _shown(items: list[_Value]) -> tuple[Change, ...]:
    """The values under their plain names, but for those that another variable may have, too."""
    times = Counter((value.owner, value.name) for value in items)
    return tuple(
        Change(
            value.tagged
            if value.variable.overlaps or times[value.owner, value.name] > 1
            else value.name,
            value.text,
            value.owner,
        )
        for value in items
    )


def _values(program: Program, state: State) -> Iterator[_Value]:
    """The value in every slot.

    A channel's messages are told under the first name that it has; other variables that hold the
    channel have that name as their value.
    """
    names: dict[int, str] = {}
    yield from _variables(program, None, program.variables, state.globals, state, names)
    for pid, record in enumerate(state.processes):
        process = program.processes[record[TYPE]]
        owner = f"{process.title}:{pid}"
        slots = record[LOCALS:]
        yield from _variables(program, owner, process.variables, slots, state, names)


def _variables(
    program: Program,
    owner: str | None,
    variables: Iterable[VariableInfo],
    slots: tuple[int, ...],
    state: State,
    names: dict[int, str],
) -> Iterator[_Value]:
    for variable in variables:
        if variable.foreign:
            continue
        for slot, (name, kind) in enumerate(variable.parts, variable.offset):
            value = slots[slot]
            if kind.kind is not TypeKind.CHAN:
                text = value_text(program, value, kind)
            elif value in names:
                text = names[value]
            else:
                text = channel_text(program, state, value)
            entry = _Value(owner, slot, variable, name, text)
            if kind.kind is TypeKind.CHAN and value:
                shown = entry.tagged if variable.overlaps else name
                names.setdefault(value, shown if owner is None else f"{owner}.{shown}")
            yield entry


def value_text(program: Program, value: int, kind: Basic) -> str:
    name = program.mtype_name(value, kind.subtype) if kind.kind is TypeKind.MTYPE else None
    return name or str(value)


def channel_text(program: Program, state: State, value: int) -> str:
    """The messages in a channel, as ``[a,1] [b,2]``."""
    if not 0 < value <= len(state.channels):
        return "(none)"
    channel = state.channels[value - 1]
    fields = program.channel_types[channel.type].fields
    shown = (message_text(program, message, fields) for message in channel.messages)
    return " ".join(shown) or "empty"


def message_text(program: Program, message: Iterable[int], fields: Iterable[Basic]) -> str:
    words = (value_text(program, v, f) for v, f in zip(message, fields, strict=False))
    return "[" + ",".join(words) + "]"


def positions(program: Program, state: State, last: Step | None = None) -> tuple[Position, ...]:
    """Where each process is; one whose assertion failed in the step `last` is still at it."""
    return tuple(
        position(program, pid, record, failed_assertion(last, pid))
        for pid, record in enumerate(state.processes)
    )


def failed_assertion(last: Step | None, pid: int) -> Transition | None:
    """The statement of process `pid` whose assertion failed in the last step, if one did."""
    if last is None or last.pid != pid or all(f.kind != "assertion" for f in last.failures):
        return None
    return last.transition


def position(
    program: Program, pid: int, record: tuple[int, ...], failed: Transition | None = None
) -> Position:
    """Where a process is; `failed` is its assertion that has just failed."""
    process = program.processes[record[TYPE]]
    location = record[LOCATION] if failed is None else failed.source
    valid = location in process.end_locations
    labels = tuple(name for name, at in process.labels.items() if at == location)
    if location == process.final:
        return Position(pid, process.title, None, None, (), valid, labels=labels)
    leaving = [t for t in process.locations.get(location, ()) if t.text]
    if failed is not None:
        leaving = [failed]
    waiting = tuple(dict.fromkeys(t.text for t in leaving))
    lines = {t.span.line for t in leaving}
    span = leaving[0].span if len(lines) == 1 else process.lines.get(location, process.span)
    name, line = span.source.name, span.line
    return Position(pid, process.title, name, line, waiting, valid, calls(span), labels)


def calls(span: Span) -> tuple[InlineCall, ...]:
    """The calls of the inlines that a place is in the expansion of, outermost first."""
    stack: list[InlineCall] = []
    while span.via is not None:
        span = span.via
        stack.append(InlineCall(span.text, span.source.name, span.line, span.column))
    return tuple(reversed(stack))


# --- steps ---------------------------------------------------------------------------------------


def is_shown(step: Step) -> bool:
    """Whether a step is worth a line: those that only pass control on, inside atomic, are not."""
    return bool(step.transition.text or step.failures)


def describe(semantics: Semantics, steps: Iterable[Step], first: State) -> tuple[TraceStep, ...]:
    """The steps of a run from `first` that are shown, numbered from 1."""
    narrator = Narrator(semantics, first)
    return tuple(shown for step in steps if (shown := narrator.tell(step)) is not None)


class Narrator:
    """Describes the steps of one run as they are taken.

    It remembers for each message in a channel which step sent it, in the order of the channel.
    """

    def __init__(self, semantics: Semantics, first: State) -> None:
        self.semantics = semantics
        self.program = semantics.program
        self.state = first
        self.number = 0
        self.senders: list[list[int | None]] = [[None] * len(c.messages) for c in first.channels]

    def tell(self, step: Step) -> TraceStep | None:
        """The step in words, or None if it is not one to show; then goes on from its state."""
        shown = None
        if is_shown(step):
            self.number += 1
            shown = self._describe(step)
        if step.state is not None:
            self._keep_senders(step.state)
            self.state = step.state
        return shown

    def _describe(self, step: Step) -> TraceStep:
        transition, before, after = step.transition, self.state, step.state
        process = self.program.processes[before.processes[step.pid][TYPE]]
        partner = partner_pid = None
        answer: Transition | None = None
        if step.partner is not None:
            partner_pid, answer = step.partner
            partner = self.program.processes[before.processes[partner_pid][TYPE]].title
        return TraceStep(
            number=self.number,
            pid=step.pid,
            process=process.title,
            file=transition.span.source.name,
            line=transition.span.line,
            text=transition.text or "goto",
            changes=() if after is None else changes(self.program, before, after),
            partner=partner,
            partner_pid=partner_pid,
            partner_file=None if answer is None else answer.span.source.name,
            partner_line=None if answer is None else answer.span.line,
            partner_text=None if answer is None else answer.text,
            output=step.output,
            atomic=after is not None and after.holder != NOBODY,
            failures=tuple(failure_text(f.kind, f.message) for f in step.failures),
            message=self._message(step),
            calls=calls(transition.span),
        )

    def _message(self, step: Step) -> Message | None:
        if step.partner is not None:
            return self._handshake(step)
        if step.state is None:
            return None
        for at, (old, new) in enumerate(
            zip(self.state.channels, step.state.channels, strict=False)
        ):
            fields = self.program.channel_types[old.type].fields
            if len(new.messages) == len(old.messages) + 1:
                text = message_text(self.program, new.messages[_added(old, new)], fields)
                return Message("send", self._channel_name(at), text)
            if len(new.messages) == len(old.messages) - 1:
                which = _added(new, old, last=False)
                text = message_text(self.program, old.messages[which], fields)
                return Message("receive", self._channel_name(at), text, self.senders[at][which])
        return None

    def _handshake(self, step: Step) -> Message | None:
        action = step.transition.action
        if not isinstance(action, SendAction):
            return None
        evaluator, store = self.semantics.evaluator, WorkingState(self.state)
        record = self.state.processes[step.pid]
        try:
            at = evaluator.channel(action.channel, step.transition.span)(store, record)
            sent = [evaluator.value(argument)(store, record) for argument in action.arguments]
        except Fault:
            return None
        fields = self.program.channel_types[self.state.channels[at].type].fields
        kept = [field.truncate(value) for field, value in zip(fields, sent, strict=False)]
        text = message_text(self.program, kept, fields)
        return Message("handshake", self._channel_name(at), text)

    def _channel_name(self, at: int) -> str:
        """The global variable that holds the channel, or the name that it was made under."""
        for variable in self.program.variables:
            for position, (name, kind) in enumerate(variable.parts):
                value = self.state.globals[variable.offset + position]
                if kind.kind is TypeKind.CHAN and value == at + 1:
                    return name
        return self.program.channel_types[self.state.channels[at].type].name

    def _keep_senders(self, after: State) -> None:
        kept: list[list[int | None]] = []
        for at, new in enumerate(after.channels):
            count = len(new.messages)
            if at >= len(self.state.channels):
                kept.append([None] * count)
                continue
            old, senders = self.state.channels[at], list(self.senders[at])
            if count == len(old.messages) + 1:
                senders.insert(_added(old, new), self.number)
            elif count == len(old.messages) - 1:
                del senders[_added(new, old, last=False)]
            elif new.messages != old.messages:
                senders = [None] * count
            kept.append(senders)
        self.senders = kept


def _added(short: Channel, long: Channel, last: bool = True) -> int:
    """Which message of `long` is not in `short`; the last such place, or the first."""
    places = range(len(long.messages))
    for place in reversed(places) if last else places:
        if long.messages[:place] + long.messages[place + 1 :] == short.messages:
            return place
    return len(long.messages) - 1 if last else 0
