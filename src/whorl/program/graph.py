"""From chains of elements to the locations and transitions of a process.

First `_emit` gives every element its own transition, or, for an element made of others, the
elements that it may begin with; then `_flatten` replaces the latter by what they begin with, and
puts the transitions of an `unless` first. This is what Spin and its verifier do between them.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from whorl.program.flow import Chain, ChainBuilder, Element, Flow
from whorl.program.program import (
    Action,
    Const,
    DStep,
    Guard,
    Otherwise,
    ReceiveAction,
    SendAction,
    Skip,
    Transition,
)

HOPS = 500  # of gotos and targets in a row; more of them go round in a circle


@dataclass(slots=True)
class ControlFlowGraph:
    """Locations by their numbers, and which of them have which special label."""

    start: int
    locations: dict[int, tuple[Transition, ...]]
    end: set[int]
    accept: set[int]
    progress: set[int]


@dataclass(slots=True)
class _Table:
    """What each element comes to: one transition, or the elements that it may begin with."""

    simple: dict[int, Transition] = field(default_factory=dict)
    composite: dict[int, list[int]] = field(default_factory=dict)
    escapes: dict[int, list[int]] = field(default_factory=dict)
    targets: set[int] = field(default_factory=set)  # elements that only pass control on


def graph(builder: ChainBuilder, chain: Chain) -> ControlFlowGraph:
    """The graph of the process whose body is `chain`."""
    table = _Table()
    emitter = _Emitter(builder, table)
    start = emitter.hunt(chain.first, chain.first.atomic).number
    emitter.sequence(chain)
    marks = _marks(builder)
    marks["end"].add(chain.last.number)
    locations = _flatten(table, marks)
    return ControlFlowGraph(start, locations, marks["end"], marks["accept"], marks["progress"])


def _marks(builder: ChainBuilder) -> dict[str, set[int]]:
    marks: dict[str, set[int]] = {"end": set(), "accept": set(), "progress": set()}
    for label in builder.labels:
        for prefix, marked in marks.items():
            if label.name.startswith(prefix) and label.element is not None:
                marked.add(label.element.number)
    return marks


class _Emitter:
    def __init__(self, builder: ChainBuilder, table: _Table) -> None:
        self.builder = builder
        self.table = table

    # --- where control goes ----------------------------------------------------------------------

    def hunt(self, element: Element, atomic: bool) -> Element:
        """The element where control really is when it comes to `element`.

        Targets, exits and gotos are passed through. From inside an atomic sequence it stops before
        leaving it, because there the end of the sequence is a step of its own.
        """
        for _ in range(HOPS):
            following: Element | None
            if element.kind is Flow.GOTO:
                assert element.label is not None
                following = self.builder.destination(element.label)
                if following is None:
                    return element  # reported
            elif element.kind in (Flow.TARGET, Flow.EXIT):
                following = element.next
                if following is None:
                    return element
            elif element.kind is Flow.UNLESS:
                following = self.hunt(element.options[0].first, atomic)
            else:
                return element
            if atomic and not following.atomic:
                return element
            element = following
        self.builder.reporter.error(element.span, "these gotos go round in a circle")
        return element

    def start(self, element: Element) -> Element:
        """The element that a sequence really begins with."""
        while True:
            if element.kind is Flow.TARGET and element.next is not None:
                element = element.next
            elif element.kind is Flow.UNLESS:
                element = element.options[0].first
            else:
                return element

    # --- emitting --------------------------------------------------------------------------------

    def sequence(self, chain: Chain) -> None:
        element: Element | None = chain.first
        while element is not None:
            if not element.emitted:
                element.emitted = True
                self.emit(element)
            if element is chain.last:
                return
            element = element.next

    def emit(self, element: Element) -> None:
        if element.kind is Flow.UNLESS:
            self.sequence(element.options[0])
        elif element.options:
            begins = []
            for option in element.options:
                first = self.start(option.first)
                never = first.action == Guard(Const(0)) and not first.escapes
                if not never:
                    begins.append(first.number)
            self.table.composite[element.number] = begins
            for option in element.options:
                self.sequence(option)
        elif element.body is not None:
            self.block(element, element.body)
        else:
            self.simple(element)

    def block(self, element: Element, body: Chain) -> None:
        self.patch_gotos(body)
        body.last.next = element.next
        if element.kind is Flow.DSTEP:
            self.dstep(element, body)
            return
        self.table.composite[element.number] = [self.start(body.first).number]
        self.sequence(body)

    def patch_gotos(self, chain: Chain) -> None:
        """A goto out of an atomic sequence ends it; one into another keeps it going."""
        for element in chain.elements(chain.extent):
            if element.kind is Flow.GOTO:
                assert element.label is not None
                target = self.builder.destination(element.label)
                if target is None:
                    continue
                inside = target.atomic or target.last_atomic
                if (element.atomic or element.last_atomic) and not inside:
                    element.atomic, element.last_atomic = False, True
                if element.last_atomic and inside:
                    element.atomic, element.last_atomic = True, False
            else:
                for option in element.options:
                    self.patch_gotos(option)

    def simple(self, element: Element) -> None:
        target = element
        if element.kind is Flow.GOTO:
            assert element.label is not None
            destination = self.builder.destination(element.label)
            if destination is not None:
                self.check_dstep(element, destination)
                target = self.hunt(destination, element.atomic)
        elif element.next is not None:
            target = self.hunt(element.next, element.atomic)
        self.transition(element, target.number, element.action)

    def transition(self, element: Element, target: int, action: Action) -> None:
        self.table.simple[element.number] = Transition(
            number=element.unique,
            source=element.number,
            target=target,
            action=action,
            atomic=element.atomic,
            escape=0,
            span=element.span,
            text=element.text,
        )
        if element.kind is Flow.TARGET:
            self.table.targets.add(element.number)
        elif element.escapes:
            self.table.escapes[element.number] = [
                self.hunt(escape.first, element.atomic).number for escape in element.escapes
            ]
            for escape in element.escapes:
                self.sequence(escape)

    def check_dstep(self, goto: Element, destination: Element) -> None:
        """Reports a goto or break over the border of a d_step.

        What counts is where its label stands. From there control may well pass on over the end of
        the d_step, as it does after a loop that is the last statement.
        """
        if goto.dstep is not destination.dstep:
            way = "into" if goto.dstep is None else "out of"
            what = "break" if goto.text == "break" else "goto"
            self.builder.reporter.error(goto.span, f"a {what} cannot lead {way} a d_step")

    # --- d_step ----------------------------------------------------------------------------------

    def dstep(self, element: Element, body: Chain) -> None:
        inner = _Table()
        _Emitter(self.builder, inner).sequence(body)
        locations = _flatten(inner, {})
        leave = body.last.next
        if leave is not None:
            leave = self.hunt(leave, False)
        action = DStep(
            locations,
            self.start(body.first).number,
            leave.number if leave is not None else 0,
            tuple(_guards(self, body.first)),
        )
        target = element
        if element.next is not None:
            target = self.hunt(element.next, element.atomic)
        self.transition(element, target.number, action)


def _guards(emitter: _Emitter, first: Element) -> list[Action]:
    """The actions of which one must be executable for a d_step to be: Spin's own selection."""
    if first.kind is Flow.UNLESS:
        return _guards(emitter, first.options[0].first)
    if first.kind is Flow.BLOCK:
        assert first.body is not None
        return _guards(emitter, first.body.first)
    if first.kind is Flow.TARGET and first.next is not None and first.next.kind is Flow.DO:
        return _collect(emitter, first.next)
    if first.kind in (Flow.IF, Flow.DO):
        return _collect(emitter, first)
    if isinstance(first.action, Guard | ReceiveAction | SendAction | Otherwise):
        return [first.action]
    return []


def _collect(emitter: _Emitter, choice: Element) -> list[Action]:
    actions: list[Action] = []
    for option in choice.options:
        first = emitter.start(option.first)
        if first.kind is Flow.BLOCK:
            assert first.body is not None
            actions += _collect(emitter, first.body.first)
        elif first.kind in (Flow.IF, Flow.DO):
            actions += _collect(emitter, first)
        elif isinstance(first.action, Otherwise):
            actions.append(Skip())
        elif first.kind is Flow.ACTION and (
            isinstance(first.action, Guard | ReceiveAction | SendAction) or first.is_plain_skip()
        ):
            actions.append(first.action)
    return actions


def _flatten(table: _Table, marks: dict[str, set[int]]) -> dict[int, tuple[Transition, ...]]:
    """Replaces elements made of others by what they begin with, then adds the escapes.

    A special label on an element that disappears in this way moves on, as in Spin: to what it
    begins with, and from there to where that leads.
    """

    def pass_on(source: int, target: int) -> None:
        for entries in marks.values():
            if source in entries:
                entries.add(target)

    composite = table.composite
    changed = True
    while changed:
        changed = False
        for number in sorted(composite):
            begins = composite[number]
            if not any(begin in composite for begin in begins):
                continue
            changed = True
            opened: list[int] = []
            for begin in begins:
                inner = composite.get(begin, [begin])
                for each in inner:
                    pass_on(begin, each)
                opened += inner
            composite[number] = opened
    locations: dict[int, list[Transition]] = {}
    escapes: dict[int, list[list[int]]] = {}
    for number in sorted({*table.simple, *composite}):
        begins = composite.get(number, [number])
        entries = [table.simple[begin] for begin in begins if begin in table.simple]
        if number in composite:
            for begin, transition in zip(begins, entries, strict=False):
                pass_on(begin, transition.target)
        locations[number] = [_from(number, transition) for transition in entries]
        escapes[number] = [table.escapes.get(begin, []) for begin in begins]
    for number, transitions in locations.items():
        _add_escapes(number, transitions, escapes[number], locations)
    for number, transitions in locations.items():
        if len(transitions) == 1 and number in table.targets and number in marks.get("end", ()):
            marks["end"].add(transitions[0].target)
    return {number: tuple(transitions) for number, transitions in locations.items()}


def _from(source: int, transition: Transition) -> Transition:
    return transition if transition.source == source else replace(transition, source=source)


def _add_escapes(
    number: int,
    transitions: list[Transition],
    escapes: list[list[int]],
    locations: dict[int, list[Transition]],
) -> None:
    """Puts the transitions that leave `number` by an unless before the others, the outer first."""
    for ways in escapes:
        for way in reversed(ways):
            for transition in list(locations.get(way, [])):
                if all(other.number != transition.number for other in transitions):
                    transitions.insert(0, replace(transition, source=number, escape=way))
