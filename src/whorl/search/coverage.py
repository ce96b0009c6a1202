"""Which statements were executed, and which never: dead code, or a model that does less."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from whorl.program.parts import parts
from whorl.program.program import (
    Assertion,
    BinaryOp,
    Const,
    DStep,
    Guard,
    IfElse,
    Index,
    Load,
    Output,
    Place,
    ProcessType,
    Program,
    Skip,
    Store,
    Terminate,
    UnaryOp,
    subexpressions,
)
from whorl.program.program import Transition as Edge

_HARMLESS = (Skip, Guard, Store, Assertion, Output, Const, Place, Load, UnaryOp, IfElse)


@dataclass(frozen=True, slots=True)
class Unreached:
    """A statement that the search never executed."""

    process: str
    file: str
    line: int
    column: int
    text: str


@dataclass(frozen=True, slots=True)
class CoveredStatement:
    """A statement of a process type, and whether it was executed.

    `executed` is None inside a d_step, which is one step, where that depends on the state.
    `option`: it is the first of an option of an `if` or `do`. `width`: how many characters it has
    on its line.
    """

    process: str
    file: str
    line: int
    column: int
    width: int
    text: str
    executed: bool | None
    option: bool = False
    assertion: bool = False  # about the state: not `assert(false)`, which must not be reached


@dataclass(frozen=True, slots=True)
class Coverage:
    """Every statement of a program; `complete`: those not executed can never be."""

    statements: tuple[CoveredStatement, ...]
    complete: bool

    @property
    def missed(self) -> tuple[CoveredStatement, ...]:
        return tuple(statement for statement in self.statements if statement.executed is False)

    @property
    def processes(self) -> tuple[str, ...]:
        """The process types that have statements, in the order of the model."""
        return tuple(dict.fromkeys(statement.process for statement in self.statements))


def coverage(program: Program, reached: set[int], complete: bool) -> Coverage:
    """The statements of a program, with those executed whose transitions are among `reached`.

    A statement written once may be several transitions, as where an inline is called twice; it was
    executed if one of them was. Where it is written tells it from others, and its text: what a
    macro stands for is all in one place.
    """
    found: dict[tuple[object, ...], CoveredStatement] = {}
    for process in program.processes:
        for statement in _of(process, reached):
            key = (*_place(statement), statement.text)
            known = found.get(key)
            if known is None or _rank(statement) > _rank(known):
                found[key] = statement
    order = {process.title: number for number, process in enumerate(program.processes)}
    every = sorted(found.values(), key=lambda s: (order[s.process], *_place(s)))
    return Coverage(tuple(every), complete)


def unreached(program: Program, reached: set[int]) -> tuple[Unreached, ...]:
    """The statements that were not executed, in the order of the source; a d_step is one."""
    found: dict[tuple[str, str, int, int, str], bool] = {}
    for process in program.processes:
        for statement in _of(process, reached, inside=False):
            key = (*_place(statement), statement.text)
            found[key] = found.get(key, False) or bool(statement.executed)
    missed = (key for key, executed in found.items() if not executed)
    return tuple(Unreached(*key) for key in sorted(missed, key=lambda key: key[:4]))


def _place(statement: CoveredStatement) -> tuple[str, str, int, int]:
    return statement.process, statement.file, statement.line, statement.column


def _rank(statement: CoveredStatement) -> int:
    """Of several transitions, which one speaks for the statement: one that was taken."""
    return {True: 2, None: 1, False: 0}[statement.executed]


def _of(process: ProcessType, reached: set[int], inside: bool = True) -> Iterator[CoveredStatement]:
    """The statements of a process type, one for each transition; `inside`: of d_steps, too."""
    options = _options(process.locations.values())
    for edge in process.transitions():
        option = edge.number in options
        if _passed_over(edge) and not (option and edge.text):
            continue
        taken = edge.number in reached
        yield _statement(process, edge, taken, option)
        if inside and isinstance(edge.action, DStep):
            yield from _inside(process, edge.action, taken)


def _inside(process: ProcessType, step: DStep, taken: bool) -> Iterator[CoveredStatement]:
    """The statements of a d_step, which is one step."""
    always = set(_straight(step))
    options = _options(step.locations.values())
    for edges in step.locations.values():
        for edge in edges:
            option = edge.number in options
            if not _passed_over(edge) or (option and edge.text):
                sure = not taken or edge.number in always
                yield _statement(process, edge, taken if sure else None, option)


def _straight(step: DStep) -> Iterator[int]:
    """The transitions of a d_step that are taken whenever it is.

    They come before its first choice, and before what may block or fault: a d_step that fails
    half-way was executed, too.
    """
    location, seen = step.entry, set[int]()
    while location not in seen:
        edges = step.locations.get(location, ())
        if len(edges) != 1:
            return
        yield edges[0].number
        action = edges[0].action
        if not (
            _goes_on(action) or (not seen and isinstance(action, Guard) and _has_value(action))
        ):
            return
        seen.add(location)
        location = edges[0].target


def _goes_on(action: object) -> bool:
    """Whether an action can always be taken."""
    return isinstance(action, Skip | Store | Assertion | Output) and _has_value(action)


def _has_value(action: object) -> bool:
    """Whether no expression of an action can fault."""
    return all(
        isinstance(part, _HARMLESS)
        or (isinstance(part, BinaryOp) and part.operator not in ("/", "%"))
        or (isinstance(part, Index) and isinstance(part.value, Const))
        for part in parts(action)
    )


def _options(locations: Iterable[tuple[Edge, ...]]) -> set[int]:
    """The transitions that are one of several that a process may choose from."""
    chosen: set[int] = set()
    for edges in locations:
        numbers = {edge.number for edge in edges if not edge.escape}
        if len(numbers) > 1:
            chosen |= numbers
    return chosen


def _statement(
    process: ProcessType, edge: Edge, taken: bool | None, option: bool
) -> CoveredStatement:
    span = edge.span
    text = "d_step" if isinstance(edge.action, DStep) else edge.text
    rest = len(span.source.line_at(span.line)) - span.column + 1
    width = max(1, min(span.end - span.start, rest))
    place = (process.title, span.source.name, span.line, span.column)
    return CoveredStatement(*place, width, text, taken, option, _can_hold(edge))


def _can_hold(edge: Edge) -> bool:
    """Whether it is an assertion about the state: not `assert(false)`, a mark of what is wrong."""
    if not isinstance(edge.action, Assertion):
        return False
    plain = (Const, UnaryOp, BinaryOp)
    return any(not isinstance(e, plain) for e in subexpressions(edge.action.condition))


def _passed_over(edge: Edge) -> bool:
    """Whether it is no statement to miss.

    Control usually passes a goto, a break and the end of an if without a step; and many a process
    is not meant to end.
    """
    if isinstance(edge.action, Terminate):
        return True
    return isinstance(edge.action, Skip) and (
        edge.text in ("", "break") or edge.text.startswith("goto ")
    )
