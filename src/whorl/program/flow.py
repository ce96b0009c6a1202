"""Control flow: from statements to elements, numbered and linked as Spin does it.

Spin makes an element of every statement, and some more: a target after each if and do, an exit
after each do. Sequences chain them. Which elements become locations of a process, and where each
transition leads, follows from walking these chains (`graph.py`). State counts agree with Spin's
only if the chains do, so this module keeps to Spin's way of building them, quirks included:

- an element's number is given when it is added to its sequence, so inner ones come first;
- the target of a `do` stands before it, and the loop leads back to that target;
- `for` adds its first assignment before the loop, where a label of the `for` does not reach it;
- a second plain `skip` in a row is dropped from an option.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from itertools import pairwise

from whorl.diagnostics import Reporter, Span, suggest
from whorl.program.program import Action, Otherwise, Output, Skip, Terminate

ALWAYS = Skip()


class Flow(Enum):
    """What an element is."""

    ACTION = "action"
    TARGET = "."  # after an if or unless, before a do
    GOTO = "goto"
    EXIT = "break"  # where a break of a do leads
    IF = "if"
    DO = "do"
    UNLESS = "unless"
    ATOMIC = "atomic"
    DSTEP = "d_step"
    BLOCK = "block"


@dataclass(slots=True, eq=False)
class Element:
    kind: Flow
    number: int  # within the process: Spin's seqno, and the number of a location
    unique: int  # within the program: Spin's transition id
    span: Span
    text: str
    action: Action = ALWAYS
    next: Element | None = None
    options: list[Chain] = field(default_factory=list)  # of if, do, unless
    body: Chain | None = None  # of atomic, d_step, block
    label: Label | None = None  # of goto: where to
    escapes: list[Chain] = field(
        default_factory=list
    )  # by which unless it may be left, outer first
    atomic: bool = False  # control stays with the process after this one
    last_atomic: bool = False  # the last one of an atomic sequence
    sequence: int | None = None  # the atomic sequence that it is in, by its first one's transition
    dstep: Chain | None = None  # the body of the d_step that it is in
    labelled: bool = False
    emitted: bool = False  # graph.py has been here
    blocks: tuple[int, ...] = ()  # those around it, outermost first

    def is_plain_skip(self) -> bool:
        return self.kind is Flow.ACTION and self.action == ALWAYS


@dataclass(slots=True, eq=False)
class Chain:
    """A sequence of elements. `extent` is its own last one; `last` may be a target added after."""

    first: Element
    last: Element
    extent: Element

    def elements(self, end: Element) -> Iterator[Element]:
        element: Element | None = self.first
        while element is not None:
            yield element
            if element is end:
                return
            element = element.next


@dataclass(slots=True, eq=False)
class Label:
    """A label's name as used or set in one block of a process."""

    name: str
    path: tuple[int, ...]  # the blocks around it
    span: Span
    element: Element | None = None


@dataclass(slots=True)
class FlowStatement:
    """A statement ready to become an element."""

    kind: Flow
    span: Span
    text: str
    action: Action = ALWAYS
    options: list[Chain] = field(default_factory=list)
    body: Chain | None = None
    label: Label | None = None
    labels: list[Label] = field(default_factory=list)  # set on it
    exit: Label | None = None  # of a do: the label that its breaks go to


class ChainBuilder:
    """Builds the chains of one process. Sequences open and close like brackets."""

    def __init__(self, reporter: Reporter, first_unique: int) -> None:
        self.reporter = reporter
        self.unique = first_unique
        self.number = 1
        self.open: list[list[Element]] = []
        self.labels: list[Label] = []
        self.named: dict[str, list[Label]] = {}  # the labels by their names
        self.elements: list[Element] = []
        self.blocks: tuple[int, ...] = ()  # those around the next element
        self.call: Span | None = None  # of the inline whose expansion the next element is in

    # --- sequences -------------------------------------------------------------------------------

    def open_sequence(self) -> None:
        self.open.append([])

    def close_sequence(self) -> Chain | None:
        """The chain of what was added since the sequence was opened; None if nothing was."""
        elements = self.open.pop()
        if not elements:
            return None
        for element, following in pairwise(elements):
            element.next = following
        return Chain(elements[0], elements[-1], elements[-1])

    def wrap(self, node: FlowStatement) -> Chain:
        """A sequence of this one statement."""
        self.open_sequence()
        self.add(node)
        chain = self.close_sequence()
        assert chain is not None
        return chain

    # --- elements --------------------------------------------------------------------------------

    def element(self, kind: Flow, span: Span, text: str, action: Action = ALWAYS) -> Element:
        span = _called(span, self.call)
        made = Element(kind, self.number, self.unique, span, text, action, blocks=self.blocks)
        self.number += 1
        self.unique += 1
        self.elements.append(made)
        return made

    def add(self, node: FlowStatement) -> None:
        """Makes an element (or several) of `node` at the end of the open sequence."""
        if node.kind in (Flow.IF, Flow.DO):
            self._add_choice(node)
            return
        if node.kind is Flow.UNLESS:
            self._add_unless(node)
            return
        made = self.element(node.kind, node.span, node.text, node.action)
        made.body = node.body
        made.label = node.label
        self._set(node.labels, made)
        if made.kind is Flow.GOTO and any(_special(label.name) for label in node.labels):
            # A special label on a goto marks a state of its own.
            skip = self.element(Flow.ACTION, node.span, node.text)
            for label in node.labels:
                label.element = skip
            skip.labelled = True
            self._append(skip)
        self._append(made)

    def _append(self, element: Element) -> None:
        self.open[-1].append(element)

    def _set(self, labels: list[Label], element: Element) -> None:
        for label in labels:
            named = self.named.setdefault(label.name, [])
            for other in named:
                if other.path == label.path:
                    self.reporter.error(
                        label.span,
                        f"the label '{label.name}' is set twice (also in line {other.span.line})",
                    )
            label.element = element
            element.labelled = True
            self.labels.append(label)
            named.append(label)

    def _add_choice(self, node: FlowStatement) -> None:
        _else_last(node.options)
        head = self.element(node.kind, node.span, node.text)
        target = self.element(Flow.TARGET, node.span, "")
        head.options = node.options
        for option in node.options:
            option.last.next = target
            option.last = target
        self._set(node.labels, head)
        if node.kind is Flow.IF:
            self._append(head)
            self._append(target)
            return
        self._append(target)
        exit_ = self.element(Flow.EXIT, node.span, "")
        assert node.exit is not None
        node.exit.element = exit_
        self._append(head)
        self._append(exit_)

    def _add_unless(self, node: FlowStatement) -> None:
        head = self.element(Flow.UNLESS, node.span, node.text)
        target = self.element(Flow.TARGET, node.span, "")
        head.options = node.options
        for option in node.options:
            option.last.next = target
            option.last = target
        main, escape = node.options
        _attach(main, escape)
        self._set(node.labels, head)
        self._append(head)
        self._append(target)

    def finish(self, span: Span) -> Chain:
        """Ends the body of the process."""
        self._append(self.element(Flow.ACTION, span, "-end-", Terminate()))
        chain = self.close_sequence()
        assert chain is not None
        self._tie_loose_ends()
        return chain

    def _tie_loose_ends(self) -> None:
        """What follows the last element of a block follows the block."""
        for element in reversed(self.elements):
            if element.body is None or element.next is None:
                continue
            following: Element | None = element.next
            while following is not None and following.kind is Flow.TARGET:
                following = following.next
            if element.body.last.next is None:
                element.body.last.next = following

    # --- labels ----------------------------------------------------------------------------------

    def destination(self, label: Label) -> Element | None:
        """The element that a goto to `label` leads to: the nearest one with that name."""
        if label.element is not None:
            return label.element
        named = self.named.get(label.name, [])
        around = [o for o in named if label.path[: len(o.path)] == o.path]
        best = max(around, key=lambda o: len(o.path)) if around else None
        if best is None and named:
            best = named[-1]
        if best is not None:
            label.element = best.element
            return best.element
        self.reporter.error(
            label.span,
            f"no label '{label.name}' in this process",
            suggest(label.name, self.named),
        )
        return None

    def separate_from_goto(self, label: Label) -> None:
        """A goto whose label another process asks about gets a state of its own."""
        element = label.element
        if element is None or element.kind is not Flow.GOTO:
            return
        jump = self.element(Flow.GOTO, element.span, element.text)
        jump.label, jump.next = element.label, element.next
        jump.atomic, jump.last_atomic = element.atomic, element.last_atomic
        jump.dstep = element.dstep
        element.kind, element.label, element.next = Flow.ACTION, None, jump


def _special(name: str) -> bool:
    return name.startswith(("end", "accept", "progress"))


def _else_last(options: list[Chain]) -> None:
    for option in options:
        if isinstance(option.first.action, Otherwise):
            options.remove(option)
            options.append(option)
            return


def prune_skips(chain: Chain) -> None:
    """Drops the later ones of several plain skips in a row, as Spin does in options."""
    before: Element | None = None
    element: Element | None = chain.first
    count = 0
    while element is not None:
        silent = element.is_plain_skip() or isinstance(element.action, Output)
        if silent and element.kind is Flow.ACTION and not element.labelled:
            count += 1
            inner = element not in (chain.first, chain.last, chain.extent)
            if count > 1 and element.is_plain_skip() and inner:
                assert before is not None
                before.next = element.next
                element = before
        else:
            count = 0
        before, element = element, element.next


def make_atomic(chain: Chain, dstep: bool) -> None:
    """Marks a chain as the body of an atomic or d_step sequence."""
    _walk_atomic(chain.first, chain.last, chain if dstep else None, chain.first.unique)
    last = chain.last
    while last.kind in (Flow.BLOCK, Flow.ATOMIC, Flow.UNLESS):
        inner = last.options[0] if last.kind is Flow.UNLESS else last.body
        assert inner is not None
        last = inner.last
    last.atomic = False
    last.last_atomic = True


def _walk_atomic(first: Element, last: Element, dstep: Chain | None, sequence: int) -> None:
    """Marks the elements from `first` to `last`; `dstep` is the body of the d_step around them."""
    element: Element | None = first
    while element is not None:
        element.atomic = True
        element.sequence = sequence
        element.dstep = dstep or element.dstep
        if element.kind is Flow.ATOMIC or (element.kind is Flow.DSTEP and dstep):
            element.kind = Flow.BLOCK  # it is inside one already
        if element.kind is Flow.BLOCK:
            assert element.body is not None
            _walk_atomic(element.body.first, element.body.last, dstep, sequence)
        for option in element.options:
            _walk_atomic(option.first, option.last, dstep, sequence)
        if element is last:
            return
        element = element.next


def _attach(chain: Chain, escape: Chain) -> None:
    """Lets every element of `chain` be left by `escape`."""
    for element in chain.elements(chain.extent):
        _attach_to(element, escape)


def _attach_to(element: Element, escape: Chain) -> None:
    if escape in element.escapes:
        return
    for inner in list(element.escapes):
        _attach(inner, escape)
    element.escapes.insert(0, escape)
    if element.kind is Flow.UNLESS:
        _attach(element.options[0], escape)
    elif element.kind in (Flow.IF, Flow.DO):
        for option in element.options:
            _attach(option, escape)
    elif element.body is not None and element.kind is not Flow.DSTEP:  # which is left as a whole
        _attach(element.body, escape)


def _called(span: Span, call: Span | None) -> Span:
    """`span` as a part of the expansion that `call` made.

    A statement that begins with an argument of the inline has the argument's place, which is
    outside.
    """
    use = span.via
    while use is not None and use != call:
        use = use.via
    return span if use == call else Span(span.source, span.start, span.end, call)


def left_by_goto(elements: Iterable[Element]) -> frozenset[int]:
    """The atomic sequences that a goto leaves: not as the last statement of one without choices."""
    elements = list(elements)
    choosing = {element.sequence for element in elements if element.options}
    found: set[int] = set()
    for element in elements:
        sequence, label = element.sequence, element.label
        if sequence is None or element.kind is not Flow.GOTO or label is None:
            continue
        outside = label.element is None or label.element.sequence != sequence
        if outside and (not element.last_atomic or sequence in choosing):
            found.add(sequence)
    return frozenset(found)
