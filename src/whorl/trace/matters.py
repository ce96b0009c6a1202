"""Says in lines of text what matters in a counterexample: its explanation."""

from __future__ import annotations

from collections.abc import Iterator

from whorl.diagnostics import visible
from whorl.figures import counted
from whorl.trace.style import PLAIN, Style
from whorl.trace.text import StepTable, bracket, cycle_start
from whorl.trace.trace import Explanation, PassingRun, Trace, TraceStep

MOST_RACES = 5  # pairs that are told
MOST_STEPS = 12  # of the run that passes


def matters_lines(trace: Trace, style: Style = PLAIN, full: bool = False) -> Iterator[str]:
    """The explanation of a trace, if it has one; `full`: every step of the run that passes."""
    said = trace.explanation
    if said is None:
        return
    yield style.paint("What matters:", "strong")
    if said.unexplained and not said.marked:
        yield f"  nothing could be said: {said.unexplained[0]}"
        return
    for text in (*_needed(trace, said, style), *_orders(trace, said), *_fate(trace, said)):
        yield f"  {text}"
    if said.passing is not None:
        yield from _passing_lines(trace, said.passing, style, full)


def _needed(trace: Trace, said: Explanation, style: Style) -> Iterator[str]:
    """Which steps are needed, in words."""
    count, marked = len(trace.steps), len(said.marked)
    sign = style.symbols.needed
    if not count:
        return
    if not marked:
        yield "no step is needed by itself: without any one of them, a part of the run shows it"
        return
    which = "every step" if count > 1 else "the one step"
    if marked < count:
        which = f"{sign} {marked:,} of {counted(count, 'step')}"
    singular = marked in (1, count)
    verb = ("is" if singular else "are") if said.needed else ("seems" if singular else "seem")
    without = "it" if marked == 1 else "any one of them"
    shows = "shows it" if said.needed else "was found that shows it"
    yield f"{which} {verb} needed: without {without}, no part of the run {shows}"
    if said.undecided and said.needed:
        yield f"of {len(said.undecided):,} of them that is not certain: not every part was tried"


def _orders(trace: Trace, said: Explanation) -> Iterator[str]:
    for first, second in said.races[:MOST_RACES]:
        one, other = _step_text(trace.steps[first - 1]), _step_text(trace.steps[second - 1])
        yield f"with {other} before {one}, it does not happen"
    more = len(said.races) - MOST_RACES
    if more > 0:
        yield f"so does that of {counted(more, 'other pair')}"


def _step_text(step: TraceStep) -> str:
    return f"{step.number:,} ({step.who} `{visible(step.said)}`)"


def _fate(trace: Trace, said: Explanation) -> Iterator[str]:
    """Up to where it can go well, in words."""
    if said.unexplained:
        yield f"no run that passes was looked for: {said.unexplained[0]}"
        return
    looked_at = f"{counted(said.states, 'state')} were looked at"
    if said.passing is None:
        if said.certain:
            yield "it cannot go well: no fair run passes"
        else:
            yield f"no run that passes was found: {looked_at}"
        return
    after = said.passing.after
    if after >= len(trace.steps):
        yield "it can go well all along: no step makes it inevitable"
        return
    up_to = f"up to step {after:,}" if after else "at the beginning"
    if said.certain:
        yield f"it can go well {up_to}; after step {after + 1:,} no fair run passes"
    else:
        yield f"it can go well {up_to}; for later steps no run that passes was found ({looked_at})"


def _passing_lines(trace: Trace, passing: PassingRun, style: Style, full: bool) -> Iterator[str]:
    yield f"  {_how(passing)}"
    steps = passing.steps
    shown = steps if full or len(steps) <= MOST_STEPS + 1 else steps[:MOST_STEPS]
    table = StepTable(style, (*trace.steps, *shown))
    for position, step in enumerate(shown):
        if step.number == passing.cycle:
            yield cycle_start(steps[-1].number + 1 - step.number, style)
        yield from table.lines(step, bracket(steps, position))
    left_out = len(steps) - len(shown)
    if left_out:
        dots = style.symbols.ellipsis
        yield style.paint(f"  {dots} {counted(left_out, 'more step')} {dots}", "faint")


def _how(passing: PassingRun) -> str:
    count = len(passing.steps)
    more = counted(count, "other step") if passing.after else counted(count, "step")
    if not count:
        return "a run that passes: it stops there"
    match passing.ending:
        case "stops":
            return f"a run that passes, with {more} from there on; then it stops:"
        case "cycle":
            assert passing.cycle is not None
            again = passing.steps[-1].number + 1 - passing.cycle
            last = "all of them" if again == count else "the last"
            last = f"the last {again:,}" if 1 < again < count else last
            return f"a run that passes, with {more} from there on, {last} for ever:"
    return f"a run that violates nothing for {more} from there on, as far as it was followed:"
