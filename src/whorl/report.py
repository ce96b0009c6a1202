"""The report of a check, as people read it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import PurePath

from whorl.diagnostics import visible
from whorl.figures import bytes_text, count_text, counted, seconds_text
from whorl.search.exploration import ClusterFigures
from whorl.trace.style import Style
from whorl.trace.text import StepTable, final_lines, trace_lines
from whorl.trace.trace import WITNESS, Trace, failure_text
from whorl.trace.whole import whole_states
from whorl.verdict import HOLDS, VIOLATED, Property, Result, Statistics, Swarm

_ROLES = {"holds": "good", "violated": "bad", "inconclusive": "unsure"}


@dataclass(frozen=True, slots=True)
class Detail:
    """How much of a counterexample is shown.

    `fold`: an atomic sequence or an inline as one line. `step`: not the steps, but the whole state
    after this one. `more`: what is said of each counterexample besides.
    """

    full: bool = False
    fold: bool = False
    step: int | None = None
    more: Callable[[Trace], Iterable[str]] = lambda trace: ()


def report_lines(
    result: Result,
    style: Style,
    detail: Detail,
    unreached: bool = False,
    spelled: Callable[[str], str] = str,
) -> Iterator[str]:
    """Everything but the last line; `spelled` writes a flag as the reader would."""
    width = max((len(checked.name) for checked in result.properties), default=0)
    for checked in result.properties:
        yield property_line(checked, width, style)
    for number, trace in enumerate(result.traces, 1):
        yield ""
        all_of_it = spelled("--full-trace")
        yield from counterexample_lines(trace, number, len(result.traces), style, detail, all_of_it)
    for trace in result.witnesses:
        yield ""
        yield from counterexample_lines(trace, 1, 1, style, detail, spelled("--full-trace"))
    yield ""
    yield statistics_line(result.statistics, len(result.searches))
    threads = searched_by(result.statistics)
    for reduction in dict.fromkeys(search.reduction for search in result.searches):
        yield style.paint(f"engine: {result.engine}{threads}, reduction: {reduction}", "faint")
    if result.statistics.cluster is not None:
        yield from cluster_lines(result.statistics.cluster)
    if result.swarm is not None:
        yield from swarm_lines(result.swarm)
    yield from unreached_lines(result, style, unreached, spelled("--unreached"))
    yield from note_lines(result.notes, style)
    if result.advice:
        yield style.paint("Try next:", "strong")
        yield from (f"  {line}" for line in result.advice)


def searched_by(statistics: Statistics) -> str:
    """How many did the search, after a comma; nothing where it was one."""
    if statistics.cluster is not None:
        return f", {counted(statistics.cluster.workers, 'worker')}"
    return f", {statistics.threads} threads" if statistics.threads > 1 else ""


def cluster_lines(cluster: ClusterFigures) -> Iterator[str]:
    """What the workers of a cluster have done, and what is kept."""
    sent = f"{counted(cluster.sent, 'state')} ({bytes_text(cluster.sent_bytes)}) sent"
    line = f"cluster: {counted(cluster.supersteps, 'superstep')}, {sent}"
    if cluster.seconds and sum(cluster.seconds) > 0:
        mean = sum(cluster.seconds) / len(cluster.seconds)
        line += f", the slowest worker took {max(cluster.seconds) / mean:.2f} times the mean"
    yield line
    if cluster.committed_states:
        each = cluster.committed_bytes / cluster.committed_states
        commits = f"{counted(cluster.commits, 'checkpoint')} of {each:.1f} bytes a state"
        yield f"{commits}, {seconds_text(cluster.commit_seconds)}"


def swarm_lines(swarm: Swarm) -> Iterator[str]:
    """What the searches of a swarm have seen together, and which of them found something."""
    cut = f" and {swarm.cut:,} cut short" if swarm.cut else ""
    workers = counted(swarm.workers, "worker")
    done = f"swarm: {counted(swarm.searches, 'search')} done{cut} by {workers}"
    yield f"{done}, seed {swarm.seed}, {seconds_text(swarm.cpu_seconds)} of CPU time"
    about = f"{swarm.states:,}"
    if swarm.error:
        about = f"about {about} (± {100 * swarm.error:.1f} %)"
    lately = ""
    if swarm.new_lately is not None:
        lately = f"; new in the last searches: {100 * swarm.new_lately:.1f} %"
    yield f"different states seen: {about}{lately}"
    if swarm.coverage_at_most is not None and swarm.found_by is None:
        share = f"{100 * swarm.coverage_at_most:.1f} %"
        yield f"coverage: at most {share} of what such searches can come to (an estimate)"
    if swarm.found_by is not None:
        found = swarm.found_by
        yield f"found by search {found.number}: {found.settings}"
        yield f"again: {found.repeat}"


def note_lines(notes: Iterable[str], style: Style) -> Iterator[str]:
    """What else should be known."""
    for note in notes:
        first, *more = note.splitlines()
        yield f"{style.paint('note:', 'unsure')} {first}"
        yield from (f"      {line}" for line in more)


def short_lines(
    result: Result, style: Style, detail: Detail, unreached: bool = False
) -> Iterator[str]:
    """Of one check among several: what does not hold, the counterexamples, what was asked for."""
    wrong = [checked for checked in result.properties if checked.verdict == result.verdict != HOLDS]
    width = max((len(checked.name) for checked in wrong), default=0)
    for checked in wrong:
        yield property_line(checked, width, style)
    for number, trace in enumerate(result.traces, 1):
        yield ""
        yield from counterexample_lines(trace, number, len(result.traces), style, detail)
    for trace in result.witnesses:
        yield ""
        yield from counterexample_lines(trace, 1, 1, style, detail)
    if result.traces or result.witnesses:
        yield ""
    if unreached:
        yield from unreached_lines(result, style, True, "")


def unreached_lines(result: Result, style: Style, every: bool, listed: str) -> Iterator[str]:
    """Which statements were never executed: how many, or, where asked for, each of them."""
    missed = result.unreached
    if not missed or not (every or result.statistics.complete):
        return
    counted_ = counted(len(missed), "statement")
    hint = "" if every else f" ({listed} lists them)"
    yield style.paint(f"never executed: {counted_}{hint}", "faint")
    if every:
        for statement in missed:
            place = f"{PurePath(statement.file).name}:{statement.line}:{statement.column}"
            yield f"  {statement.process}  {place}  {statement.text}"


def property_line(checked: Property, width: int, style: Style) -> str:
    symbol = getattr(style.symbols, checked.verdict)
    role = _ROLES[checked.verdict]
    why = checked.why
    if checked.verdict == VIOLATED:
        why = style.paint(f"violated: {why}", "strong")
    return f"{style.paint(symbol, role)} {checked.name.ljust(width)}  {why}"


def counterexample_lines(
    trace: Trace,
    number: int,
    count: int,
    style: Style,
    detail: Detail,
    all_of_it: str = "--full-trace",
) -> Iterator[str]:
    """A counterexample; of a long one in part, `all_of_it` is said to have the rest."""
    which = f" {number} of {count}" if count > 1 else ""
    about = failure_text(trace.kind, trace.message)
    what = about if trace.kind == WITNESS else f"Counterexample{which}: {about}"
    yield style.paint(f"{what} {_length(trace)}", "strong")
    if detail.step is None:
        yield from trace_lines(trace, style, detail.full, all_of_it, detail.fold)
        yield style.paint("At the end:", "strong")
        yield from final_lines(trace.final, trace.values, style)
    else:
        yield from step_lines(trace, detail.step, style)
    if trace.explanation is not None:
        from whorl.trace.matters import matters_lines  # few ask for it

        yield from matters_lines(trace, style, detail.full)
    yield from detail.more(trace)


def step_lines(trace: Trace, number: int, style: Style) -> Iterator[str]:
    """A step, and the whole state after it."""
    if number > len(trace.steps):
        steps = counted(len(trace.steps), "step")
        yield style.paint(f"There is no step {number:,}: it has {steps}.", "unsure")
        return
    yield from StepTable(style, trace.steps).lines(trace.steps[number - 1])
    yield style.paint(f"After step {number:,}:", "strong")
    state = next(islice(whole_states(trace), number, None))
    yield from final_lines(state.positions, state.values, style)


def _length(trace: Trace) -> str:
    if trace.cycle is None:
        return f"after {counted(len(trace.steps), 'step')}"
    before = trace.cycle - 1
    again = len(trace.steps) - before
    if not again:
        return f"({counted(before, 'step')}, then nothing more)"
    lead = f"{counted(before, 'step')}, then " if before else ""
    return f"({lead}a cycle of {counted(again, 'step')})"


def statistics_line(figures: Statistics, searches: int = 1) -> str:
    """The figures of a check; states and transitions of several searches are those of all."""
    summed = f" in {searches} searches" if searches > 1 else ""
    rate = count_text(round(figures.states / max(figures.seconds, 1e-9)))
    memory = f" {bytes_text(figures.memory_bytes)}," if figures.memory_bytes else ""
    return (
        f"{counted(figures.states, 'state')}, {counted(figures.transitions, 'transition')}{summed},"
        f" depth {figures.depth:,}; {seconds_text(figures.seconds)},{memory} {rate} states/s"
    )


def _seen(result: Result) -> str:
    states = result.statistics.states
    if any(not search.reduction.startswith("none") for search in result.searches):
        return f"{counted(states, 'state')} after reduction"
    return "its one state was seen" if states == 1 else f"all {states:,} states were seen"


def verdict_line(result: Result, model: str | None, style: Style) -> str:
    """The last line: the overall verdict, plainly."""
    symbol = getattr(style.symbols, result.verdict)
    about = "" if model is None else f"{visible(model)}: "
    verdict = style.paint(f"{symbol} {about}{result.verdict}", _ROLES[result.verdict])
    if result.verdict == HOLDS:
        return f"{verdict} ({_seen(result)})"
    if result.verdict == VIOLATED:
        names = [p.name for p in result.properties if p.verdict == VIOLATED]
        return f"{verdict} ({', '.join(names)})"
    reasons = dict.fromkeys(p.why for p in result.properties if p.verdict == result.verdict)
    return f"{verdict} ({'; '.join(reasons)})"
