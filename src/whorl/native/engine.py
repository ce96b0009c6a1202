"""The native engine: generates, compiles and runs a verifier, and reads its answers back."""

from __future__ import annotations

import signal
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from whorl import deadline
from whorl.language.limits import MOST_CHANNELS, MOST_PROCESSES
from whorl.memory import refusal
from whorl.native import tiers
from whorl.native.claim_search import MOST_FAIR, check_fair
from whorl.native.code.generate import Generated
from whorl.native.code.sites import ASSERTION, CAPACITY
from whorl.native.compiler import Compiler, CompilerError
from whorl.native.embedded.embedding import crashed, refused
from whorl.native.job import Job, Room, is_most, job_of, write
from whorl.native.passes.merge import Merging
from whorl.native.series import Series
from whorl.native.threads import threaded, threaded_job, threads_of
from whorl.native.verifier import Outcome, VerifierError
from whorl.program.atomic import stored
from whorl.program.choice import Choice
from whorl.program.program import Program
from whorl.program.semantics import Semantics
from whorl.program.state import TYPE
from whorl.search.exploration import END_STATE, Exploration, Options, Violation
from whorl.search.limits import INTERRUPTED, Limits, Progress
from whorl.task import Task
from whorl.trace.replay import REPLAY_GRACE, REPLAYING, follow, take

OF_CLAIM = -2  # instead of a site: a run that the claim accepts
CUT = {"states", "memory", "time", "interrupted", "killed"}


def explore_native(task: Task, compiler: Compiler, series: Series | None = None) -> Exploration:
    """Does a task with a compiled verifier, as one of a series of searches or by itself.

    With a claim it looks for a run that the claim accepts, and for nothing else.
    """
    series = Series(task.semantics) if series is None else series
    job = series.job(task)
    generated, outcome = _run(task, compiler, job, series)
    figures = outcome.figures
    stopped = why(figures, task.options.limits) if figures["stopped"] in CUT else None
    return explored(task, generated, outcome, stopped)


def explored(
    task: Task, generated: Generated, outcome: Outcome, stopped: str | None
) -> Exploration:
    """What was found, by a verifier's figures; why it stopped before it was done, if it did."""
    options, figures = task.options, outcome.figures
    result = Exploration()
    result.seconds = figures["seconds"]
    result.seconds_before = outcome.seconds_before
    result.memory_bytes = figures["memory_bytes"]
    result.store_bytes = figures["store_bytes"]
    result.threads = figures.get("threads", 1)
    result.largest_list = figures.get("largest_list")
    result.progress = Progress(figures["states"], figures["transitions"], figures["depth"])
    result.truncated = figures["truncated"]
    result.endless = figures["endless"]
    result.collision = figures.get("collision")
    result.stopped = stopped
    result.interrupted = figures["stopped"] == "interrupted"
    if outcome.violations:
        try:
            with deadline.phase(REPLAYING, grace=REPLAY_GRACE):
                result.violations = violations_of(task, generated, outcome)
        except deadline.TimeUp as up:
            result.stopped = str(up)
    result.reached = reached_by(task.program, generated.merging, figures)
    result.met = met_by(generated, figures["met"], options)
    return result


def violations_of(task: Task, generated: Generated, outcome: Outcome) -> list[Violation]:
    """What a verifier found, with the choices of the program itself."""
    result: list[Violation] = []
    semantics, options, claim = task.semantics, task.options, task.claim
    # Breadth first, an end state that is nearer is printed after a step that fails.
    one = claim is None and options.shortest and not options.all_errors
    for violation in outcome.violations[-1:] if one else outcome.violations:
        if claim is not None:
            if violation.site == OF_CLAIM:
                choices, places = expand(
                    semantics, generated.merging, violation.choices, whole=True
                )
                loop = None if violation.loop is None else places[violation.loop]
                if loop is not None and generated.liveness.on:
                    choices, loop = closed(semantics, choices, loop)
                result.append(Violation(claim.kind, choices, loop))
            elif generated.kinds[violation.site] != CAPACITY:  # a proposition that has no value
                choices, _ = expand(semantics, generated.merging, violation.choices, whole=True)
                result.append(Violation(generated.kinds[violation.site], choices))
            continue
        kind = END_STATE if violation.site < 0 else generated.kinds[violation.site]
        kind = "limit" if kind == CAPACITY else kind
        choices, _ = expand(
            semantics, generated.merging, violation.choices, whole=kind == END_STATE
        )
        said = generated.said.get(violation.site)
        result.append(Violation(kind, choices, message=said))
    return result


def store_graph(
    task: Task, compiler: Compiler, graph: Path, room: Room | None = None
) -> tuple[Generated, Outcome]:
    """Does a task, and writes the graph that is stored to a file.

    Several threads that are asked for begin with the search, however small the model is.
    """
    threads = threads_of(task, compiler) if task.native.threads is not None else 1
    job = threaded_job(job_of(task)) if threads > 1 else job_of(task)
    job = replace(job, graph=graph, graph_threads=threads, room=room)
    return _run(task, compiler, job, Series(task.semantics))


def graph_verifier(task: Task, graph: Path, room: Room) -> tuple[Generated, str, list[str]]:
    """What is generated to write a graph, the text to compile, and its command line."""
    written = write(task.semantics, replace(job_of(task), graph=graph), room)
    words = arguments(task, written.store, graph=graph)
    return written.generated, written.text, words


def met_by(
    generated: Generated, sites: list[tuple[int, int]], options: Options
) -> set[tuple[str, int]]:
    """The failures that a search for a claim met, by kind and transition."""
    failures = {(generated.kinds[site], transition) for site, transition in sites}
    named = {("limit" if kind == CAPACITY else kind, number) for kind, number in failures}
    return {met for met in named if met[0] != ASSERTION or options.assertions}


def _run(task: Task, compiler: Compiler, job: Job, series: Series) -> tuple[Generated, Outcome]:
    """Runs a verifier with room for enough processes and channels: a larger one if need be."""
    search = job.search
    room = job.room or series.estimated
    while True:
        if search is not None:
            check_fair(search, room[0])
        with deadline.phase("analysing the model"):
            written = series.written(job, room)
        generated = written.generated
        given = None if job.graph_threads == 1 else job.graph_threads
        words = partial(arguments, task, written.store, graph=job.graph, threads=given)
        threads = 1 if job.graph else threads_of(task, compiler)
        final = None
        if threads > 1:
            many, theirs = series.written(threaded_job(job), room), _on_threads(task)
            final = tiers.Final(
                threaded(many.text), partial(arguments, theirs, many.store, threads=threads)
            )
        outcome = _search(series, job, room, words, final, task.options, compiler)
        if _is_to_be_shorter(task, outcome) and not is_full(generated, outcome):
            later = partial(_later, words, _spent(outcome))
            shorter = _search(series, job, room, later, None, task.options, compiler)
            outcome = _shorter(outcome, shorter)
        if not is_full(generated, outcome) or is_most(room):
            return generated, outcome
        room = larger(*room, search is not None and search.fair)


def _on_threads(task: Task) -> Task:
    """What several threads do of a task: for cycles, see whether there is any."""
    if task.claim is None:
        return task
    return replace(task, options=replace(task.options, shortest=False))


def _is_to_be_shorter(task: Task, found: Outcome) -> bool:
    """Whether several threads have found a cycle where a short one is wanted."""
    return (
        task.claim is not None
        and task.options.shortest
        and "threads" in found.figures
        and bool(found.violations)
    )


def _spent(found: Outcome) -> float:
    return found.seconds_before + float(found.figures["seconds"])


def _later(words: tiers.Words, before: float, spent: float) -> list[str]:
    """A command line, where so many seconds have been spent before."""
    return words(before + spent)


def _shorter(found: Outcome, shorter: Outcome) -> Outcome:
    """The outcome of the search for a short cycle. If it did not find one, that which was found
    counts.
    """
    shorter.seconds_before += _spent(found)
    shorter.violations = shorter.violations or found.violations
    return shorter


def is_full(generated: Generated, outcome: Outcome) -> bool:
    """Whether a verifier had no room for more processes or channels."""
    return any(
        violation.site >= 0 and generated.kinds[violation.site] == CAPACITY
        for violation in outcome.violations
    )


def larger(processes: int, channels: int, fair: bool) -> tuple[int, int]:
    """Room for more processes and channels, but if it may do not for too many to be fair to."""
    may_do = processes < MOST_FAIR or 0 < channels < MOST_CHANNELS
    most = MOST_FAIR if fair and may_do else MOST_PROCESSES
    more = min(MOST_CHANNELS, 2 * channels + 1) if channels else 0
    return min(most, 2 * processes + 1), more


def _search(
    series: Series,
    job: Job,
    room: Room,
    words: tiers.Words,
    final: tiers.Final | None,
    options: Options,
    compiler: Compiler,
) -> Outcome:
    """Compiles and runs a verifier. What the C of a model does wrong is no bug of ours."""
    text, shared = series.written(job, room).text, partial(series.shared, job, room)
    embedded = series.program.embedded
    try:
        return tiers.search(text, series.builder(compiler), words, options.report, shared, final)
    except CompilerError as error:
        if embedded is None:
            raise
        raise refused(embedded, error) from None
    except VerifierError as error:
        if embedded is None:
            raise
        raise crashed(embedded.span, error.code, error.said) from None


def arguments(
    task: Task,
    store: str,
    seconds_before: float = 0.0,
    graph: Path | None = None,
    threads: int | None = None,
) -> list[str]:
    """The verifier's command line, after so many seconds that count for the limit of time."""
    options, limits = task.options, task.options.limits
    result = ["--store", store, "--order", "bfs" if options.shortest else "dfs"]
    for name, value in (
        ("--max-states", limits.states),
        ("--max-depth", limits.depth),
        ("--seconds", limits.seconds_left(seconds_before)),
        ("--memory", limits.memory_bytes),
        ("--bits", task.native.bits),
        ("--graph", graph),
        ("--threads", threads),
    ):
        if value is not None:
            result += [name, str(value)]
    for name, wanted in (
        ("--no-assertions", not options.assertions),
        ("--no-end-states", not options.end_states),
        ("--all-errors", options.all_errors),
    ):
        if wanted:
            result.append(name)
    return result


def why(figures: dict[str, Any], limits: Limits) -> str:
    """Why a search ended before it was done, in words."""
    match figures["stopped"]:
        case "states":
            return limits.states_reached
        case "time":
            return limits.time_reached
        case "memory":
            match figures["refused"]:
                case "limit":
                    return limits.memory_reached
                case "system":
                    return refusal()
            return "the store has no room for more states"
        case "killed":
            name = signal.Signals(figures["signal"]).name
            cause = ", perhaps by the system for want of memory" if name == "SIGKILL" else ""
            return f"the verifier was killed from outside ({name}{cause})"
    return INTERRUPTED


def expand(
    semantics: Semantics, merging: Merging, choices: tuple[Choice, ...], *, whole: bool
) -> tuple[tuple[Choice, ...], list[int]]:
    """The choices with those put back that merging left out, and where each one then is.

    `whole`: what follows the last choice too; otherwise that one is where a step fails. The places
    have one for the end, too.
    """
    if not merging.on:
        return choices, list(range(len(choices) + 1))
    program, state = semantics.program, semantics.initial()
    result: list[Choice] = []
    places: list[int] = []
    for position, choice in enumerate(choices):
        places.append(len(result))
        step = take(semantics, state, choice, len(result) + 1)
        result.append(choice)
        if step.state is None or (position == len(choices) - 1 and not whole):
            break
        pid, transition = step.partner or (step.pid, step.transition)
        before = state
        state = step.state
        process = program.processes[before.processes[pid][TYPE]]
        for merged in merging.chain(process, transition):
            following = Choice(pid, merged.number)
            step = take(semantics, state, following, len(result) + 1)
            assert step.state is not None
            result.append(following)
            state = step.state
    return tuple(result), [*places, len(result)]


def closed(
    semantics: Semantics, choices: tuple[Choice, ...], loop: int
) -> tuple[tuple[Choice, ...], int]:
    """The same run with a cycle that comes back to its first state, dead variables and all.

    At the latest that is the second round (see `dead`).
    """
    around = choices[loop:]
    if not around:  # the program stays where it is
        return choices, loop
    first, steps = follow(semantics, choices + around)
    states = [first, *(step.state for step in steps if step.state is not None)]
    assert len(states) == len(choices) + len(around) + 1
    if states[loop].processes == states[len(choices)].processes:
        return choices, loop
    ends = dict(stored(semantics, states))
    start = loop + 1
    while start < len(choices) and (
        start not in ends or ends[start] != ends.get(start + len(around))
    ):
        start += 1
    return (choices + around)[: start + len(around)], start


def reached_by(program: Program, merging: Merging, figures: dict[str, Any]) -> set[int]:
    """The transitions that were taken, those that merging put behind others among them.

    Behind one that faulted each time nothing was taken.
    """
    reached, finished = _numbers(figures["reached"]), _numbers(figures["finished"])
    merged: set[int] = set()
    for process in program.processes:
        for transition in process.transitions():
            if transition.number in finished:
                merged |= {t.number for t in merging.chain(process, transition)}
    return reached | merged


def _numbers(bitmap: str) -> set[int]:
    """The numbers of the bits that are set."""
    return {
        8 * position + bit
        for position, byte in enumerate(bytes.fromhex(bitmap))
        for bit in range(8)
        if byte >> bit & 1
    }
