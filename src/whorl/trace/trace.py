"""A Trace: a run in words, with each step's place in the source and what it changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from whorl.program.program import Program, VariableInfo
from whorl.program.semantics import Step
from whorl.program.state import LOCALS, LOCATION, TYPE, State
from whorl.promela.symbols import Kind


@dataclass(frozen=True, slots=True)
class Choice:
    """Which step is taken: enough to take it again. -1: no partner."""

    pid: int
    transition: int
    partner: int = -1
    partner_transition: int = -1

    @staticmethod
    def of(step: Step) -> Choice:
        if step.partner is None:
            return Choice(step.pid, step.transition.number)
        pid, transition = step.partner
        return Choice(step.pid, step.transition.number, pid, transition.number)


@dataclass(frozen=True, slots=True)
class Change:
    """A variable or channel whose value a step changed; `process` is None for what is global."""

    name: str
    value: str
    process: str | None


@dataclass(frozen=True, slots=True)
class TraceStep:
    """A step, as shown."""

    number: int
    pid: int
    process: str
    file: str
    line: int
    text: str
    changes: tuple[Change, ...]
    partner: str | None = None  # who received, in a handshake
    partner_pid: int | None = None
    partner_line: int | None = None
    partner_text: str | None = None
    output: tuple[str, ...] = ()
    atomic: bool = False  # the process goes on without interruption


@dataclass(frozen=True, slots=True)
class Trace:
    """A run that shows something. `cycle` is the step at which a cycle begins, if there is one."""

    kind: str
    message: str
    steps: tuple[TraceStep, ...]
    choices: tuple[Choice, ...]
    final: tuple[str, ...]  # where each process is at the end
    cycle: int | None = None


def values(program: Program, state: State) -> Iterator[tuple[str | None, str, str]]:
    """Every variable and channel: whose it is (None: global), its name, its value in words."""
    yield from _variables(program, None, program.variables, state.globals, 0, state)
    for pid, record in enumerate(state.processes):
        process = program.processes[record[TYPE]]
        owner = f"{process.title}:{pid}"
        yield from _variables(program, owner, process.variables, record, LOCALS, state)


def _variables(
    program: Program,
    owner: str | None,
    variables: Iterable[VariableInfo],
    slots: tuple[int, ...],
    base: int,
    state: State,
) -> Iterator[tuple[str | None, str, str]]:
    for variable in variables:
        for position, (name, kind) in enumerate(variable.parts):
            value = slots[base + variable.offset + position]
            if kind.kind is Kind.CHAN:
                yield owner, name, channel_text(program, state, value)
            elif kind.kind is Kind.MTYPE:
                yield owner, name, program.mtype_name(value, kind.subtype) or str(value)
            else:
                yield owner, name, str(value)


def channel_text(program: Program, state: State, value: int) -> str:
    """The messages in a channel, as ``[a,1] [b,2]``."""
    if not 0 < value <= len(state.channels):
        return "(none)"
    channel = state.channels[value - 1]
    fields = program.channel_types[channel.type].fields
    shown = []
    for message in channel.messages:
        words = [
            (program.mtype_name(v, f.subtype) or str(v)) if f.kind is Kind.MTYPE else str(v)
            for v, f in zip(message, fields, strict=True)
        ]
        shown.append("[" + ",".join(words) + "]")
    return " ".join(shown) or "empty"


def changes(program: Program, before: State, after: State) -> tuple[Change, ...]:
    """What differs between two states, process locations aside."""
    old = {(owner, name): value for owner, name, value in values(program, before)}
    found = []
    for owner, name, value in values(program, after):
        if old.get((owner, name), "0" if owner else None) != value:
            found.append(Change(name, value, owner))
    return tuple(found)


def positions(program: Program, state: State) -> tuple[str, ...]:
    """Where each process is, in words."""
    lines = []
    for pid, record in enumerate(state.processes):
        process = program.processes[record[TYPE]]
        location = record[LOCATION]
        span = process.lines.get(location)
        where = "at its end" if location == process.final else "at line ?"
        if span is not None and location != process.final:
            waiting = {t.text for t in process.locations.get(location, ()) if t.text}
            where = f"at line {span.line}: {' | '.join(sorted(waiting))}"
        valid = " (valid end)" if location in process.end_locations else ""
        lines.append(f"{process.title}:{pid} {where}{valid}")
    return tuple(lines)


def describe(program: Program, steps: Iterable[Step], first: State) -> tuple[TraceStep, ...]:
    """The steps as shown; those that only pass control on, inside atomic, are left out."""
    shown: list[TraceStep] = []
    state = first
    for number, step in enumerate(steps, 1):
        after = step.state
        if step.transition.text or step.failures:
            shown.append(_describe_one(program, number, step, state, after))
        if after is not None:
            state = after
    return tuple(shown)


def _describe_one(
    program: Program, number: int, step: Step, before: State, after: State | None
) -> TraceStep:
    transition = step.transition
    process = program.processes[before.processes[step.pid][TYPE]]
    partner, partner_pid, partner_line, partner_text = None, None, None, None
    if step.partner is not None:
        partner_pid, answer = step.partner
        partner = program.processes[before.processes[partner_pid][TYPE]].title
        partner_line, partner_text = answer.span.line, answer.text
    return TraceStep(
        number,
        step.pid,
        process.title,
        transition.span.source.name,
        transition.span.line,
        transition.text or "goto",
        () if after is None else changes(program, before, after),
        partner,
        partner_pid,
        partner_line,
        partner_text,
        step.output,
        transition.atomic,
    )
