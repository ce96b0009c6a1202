"""Writes a trace as lines of text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from dataclasses import replace
from pathlib import PurePath

from whorl.diagnostics import visible
from whorl.program.program import Program
from whorl.property.words import letter_text
from whorl.trace.fold import folded
from whorl.trace.grouped import in_lines
from whorl.trace.style import PLAIN, Style
from whorl.trace.trace import Change, Position, Trace, TraceStep

LONG = 60  # steps from which on the middle of a trace is left out
WIDEST = 44  # columns for the statement, if what follows is to line up
MANY_VALUES = 24


def trace_lines(
    trace: Trace,
    style: Style = PLAIN,
    full: bool = False,
    all_of_it: str = "--full-trace",
    fold: bool = False,
) -> Iterator[str]:
    """The steps, one below the other; `all_of_it` is said to have those that are left out.

    `fold`: an atomic sequence or the call of an inline is one line.
    """
    rows = [(step, step.number) for step in trace.steps]
    if fold:
        rows = folded(trace.steps, trace.cycle)
    steps = [step for step, _ in rows]
    table = StepTable(style, steps)
    cut = not full and len(rows) > LONG
    gap = range(LONG // 2, len(rows) - LONG // 2) if cut else range(0)
    margin = " " * (table.number + 5)
    yield from truth_lines(trace, 0, style, margin)
    marked = None if trace.explanation is None else trace.explanation.marked
    told = 0  # after how many steps the truth was last told
    for position, (step, last) in enumerate(rows):
        if step.number == trace.cycle:
            yield cycle_start(len(trace.steps) + 1 - step.number, style)
        if position not in gap:
            wrong = position == len(rows) - 1 and bool(step.failures)
            inside = range(step.number, last + 1)
            matters = None if marked is None else any(number in marked for number in inside)
            yield from table.lines(step, bracket(steps, position), wrong, matters)
            yield from truth_lines(trace, last, style, margin, told)
            told = last
        elif position == gap.start:
            dots = style.symbols.ellipsis
            count = steps[gap.stop].number - step.number
            left_out = f"  {dots} {count:,} steps left out; {all_of_it} shows them {dots}"
            yield style.paint(left_out, "faint")
    if trace.cycle is not None:
        yield cycle_end(trace.cycle, len(trace.steps), style, trace.fault is not None)


def cycle_start(count: int, style: Style) -> str:
    """Stands before the `count` steps that a run without end takes again and again."""
    repeated = f"these {count:,} steps" if count > 1 else "this step"
    return _rule(f"from here on, {repeated} again and again", style)


def cycle_end(cycle: int, count: int, style: Style, stops: bool = False) -> str:
    """Stands after the last of `count` steps: how a run without end goes on."""
    return _rule(cycle_text(cycle, count, stops), style)


def cycle_text(cycle: int, count: int, stops: bool = False) -> str:
    """How a run that never ends goes on after its last step; `stops`: that is a fault."""
    if stops:
        return "the run ends in a fault: the program stays for ever as it was before that step"
    if cycle > count:
        return "no step follows: the program stays as it is for ever"
    if cycle == 1:
        return "back to the beginning"
    return f"back to the state after step {cycle - 1}"


def truth_lines(
    trace: Trace, after: int, style: Style, margin: str, told: int | None = None
) -> Iterator[str]:
    """The truth of the propositions after so many steps, where it is not as it was before.

    `told`: after how many steps it was last told; without it, after the step before.
    """
    letter = trace.letters[after] if after < len(trace.letters) else None
    before = trace.letters[: after if told is None else told + 1]
    known = [n for n in before if n is not None]
    if letter is not None and trace.propositions and letter not in known[-1:]:
        yield style.paint(f"{margin}{letter_text(trace.propositions, letter)}", "truth")


def _rule(text: str, style: Style) -> str:
    return style.paint(f"  {style.symbols.rule * 2} {text} {style.symbols.rule * 2}", "unsure")


def live_lines(
    steps: Iterable[TraceStep], table: StepTable, cycle: range | None = None
) -> Iterator[str]:
    """The steps of a run that still goes on, each as soon as the one after it is known.

    `cycle` are the numbers of those that come again and again.
    """
    window: list[TraceStep] = []  # the step before, the one to show, the one after

    def shown(position: int, wrong: bool = False) -> Iterator[str]:
        if cycle and window[position].number == cycle.start:
            yield cycle_start(len(cycle), table.style)
        yield from table.lines(window[position], bracket(window, position), wrong)

    for step in steps:
        window = [*window[-2:], step]
        if len(window) > 1:
            yield from shown(len(window) - 2)
    if window:
        window = window[-2:]
        yield from shown(len(window) - 1, bool(window[-1].failures))


def final_lines(
    positions: Sequence[Position], values: Sequence[Change], style: Style = PLAIN
) -> Iterator[str]:
    """Where each process is with the values of its variables, then those of the global ones."""
    width = max((len(position.who) for position in positions), default=0)
    for position in positions:
        place = visible(position.where)
        yield f"  {style.paint(position.who.ljust(width), 'name')}  {place}"
        yield from _values_of(position.who, values, " " * (width + 4), style)
    yield from _values_of(None, values, "  ", style)


def _values_of(
    owner: str | None, values: Sequence[Change], margin: str, style: Style
) -> Iterator[str]:
    own = (value for value in values if value.process == owner)
    known = [f"{name} = {text}" for name, text in in_lines(own)]
    if len(known) > MANY_VALUES:
        known = [*known[:MANY_VALUES], f"{style.symbols.ellipsis} ({len(known):,} in all)"]
    yield from _wrapped(known, margin)


def bracket(steps: Sequence[TraceStep], position: int) -> int | None:
    """Which part of an atomic sequence a step is: 0 its first, 1 inside, 2 its last; None: none."""
    before = position > 0 and _goes_on(steps[position - 1], steps[position])
    after = position + 1 < len(steps) and _goes_on(steps[position], steps[position + 1])
    if before:
        return 1 if after else 2
    return 0 if after else None


def _goes_on(step: TraceStep, following: TraceStep) -> bool:
    return step.atomic and following.pid == step.next_pid


class StepTable:
    """Lays steps out in columns, which fit the steps that are known and grow with others."""

    def __init__(self, style: Style = PLAIN, steps: Iterable[TraceStep] = ()) -> None:
        self.style = style
        self.number = self.who = self.place = self.text = 0
        for step in steps:
            self.fit(step)

    def fit_program(self, program: Program) -> None:
        """Makes room for the steps that the program may take."""
        self.number = max(self.number, 4)
        for process in program.processes:
            self.who = max(self.who, len(process.title) + 2)
            for transition in process.transitions():
                span = transition.span
                self.place = max(self.place, len(_place(span.source.name, span.line)))
                self.text = max(self.text, min(len(transition.text), WIDEST))

    def fit(self, step: TraceStep) -> None:
        self.number = max(self.number, len(str(step.number)))
        self.who = max(self.who, len(step.who), len(step.partner_who or ""))
        self.place = max(self.place, len(_place(step.file, step.line)))
        text = max(len(step.said), len(step.partner_text or ""))
        self.text = max(self.text, min(text, WIDEST))

    def lines(
        self,
        step: TraceStep,
        part: int | None = None,
        wrong: bool = False,
        matters: bool | None = None,
    ) -> Iterator[str]:
        """The step; below it the other side of a handshake, what it printed, what is wrong.

        `matters`: whether the step is one to be marked, or one to be dimmed.
        """
        self.fit(step)
        if matters is False and self.style.color:
            bare = copy(self)
            bare.style = replace(self.style, color=False)
            yield from (self.style.paint(line, "faint") for line in bare.lines(step, part, wrong))
            return
        paint, symbols = self.style.paint, self.style.symbols
        mark = " " if part is None else symbols.atomic[part]
        number = str(step.number).rjust(self.number)
        sign = paint(symbols.needed, "strong") if matters else " "
        sign = paint(symbols.violated, "bad") if wrong else sign
        head = f"{sign} {number} {paint(mark, 'faint')}"
        changed = ", ".join(map(str, step.changes))
        yield self._row(head, step.who, _place(step.file, step.line), step.said, changed)
        # What belongs to the step stands below it, inside the bracket of its atomic sequence.
        below = " " if part in (None, 2) else symbols.atomic[1]
        margin = f"  {' ' * self.number} {paint(below, 'faint')}"
        if step.partner_who is not None:
            place = _place(step.partner_file or step.file, step.partner_line or 0)
            yield self._row(margin, step.partner_who, place, step.partner_text or "", "")
        for line in "".join(step.output).splitlines():
            yield f"{margin} {paint(f'{symbols.arrow} {visible(line)}', 'said')}"
        for failure in step.failures:
            yield f"{margin} {paint(f'{symbols.violated} {failure}', 'bad')}"

    def _row(self, head: str, who: str, place: str, text: str, changed: str) -> str:
        paint, text = self.style.paint, visible(text)
        actor, source = who.ljust(self.who), place.ljust(self.place)
        row = f"{head} {paint(actor, 'name')}  {paint(source, 'faint')}"
        if not changed:
            return f"{row}  {text}"
        return f"{row}  {text.ljust(self.text)}  {paint(changed, 'strong')}"


def _place(file: str, line: int) -> str:
    return f"{visible(PurePath(file).name)}:{line}"


def _wrapped(words: Sequence[str], margin: str, width: int = 96) -> Iterator[str]:
    line = ""
    for word in words:
        if line and len(line) + len(word) > width:
            yield line
            line = ""
        line = f"{line}, {word}" if line else f"{margin}{word}"
    if line:
        yield line
