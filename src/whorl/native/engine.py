"""The native engine: generates, compiles and runs a verifier, and reads its answers back."""

from __future__ import annotations

from dataclasses import dataclass, replace

from whorl.native.compiler import Compiler, build
from whorl.native.generate import Generated, generate
from whorl.native.merge import Merging
from whorl.native.sites import CAPACITY
from whorl.native.usage import estimate
from whorl.native.verifier import Outcome, run
from whorl.program.program import Program
from whorl.program.semantics import MOST_CHANNELS, Semantics
from whorl.program.state import TYPE
from whorl.promela.resolve import MOST_PROCESSES
from whorl.search.exploration import END_STATE, Exploration, Options, Violation
from whorl.search.limits import Limits, Progress, size
from whorl.trace.trace import Choice

STORES = ("auto", "exact", "tree", "compact", "bitstate")
TREE_FROM = 12  # words of a state: from here on a tree takes far less memory and hardly more time
APPROXIMATE = ("compact", "bitstate")
CUT = {"states", "memory", "time", "interrupted"}


@dataclass(frozen=True, slots=True)
class NativeOptions:
    """What only the native engine is asked."""

    store: str = "auto"  # exact or tree, by the size of a state
    bits: int | None = None  # of a bitstate search: 2^bits bits
    merge: bool = True


def unsupported(program: Program) -> str | None:
    """Why the native engine cannot run a program; None: it can."""
    if program.embedded is not None:
        return "it has embedded C, which whorl cannot run yet"
    return None


def explore_native(
    program: Program, options: Options, native: NativeOptions, compiler: Compiler
) -> Exploration:
    """Searches the states of a program with a compiled verifier."""
    if options.shortest:
        native = replace(native, merge=False)  # every step counts
    generated, outcome = _run(program, options, native, compiler)
    figures = outcome.figures
    result = Exploration()
    result.seconds = figures["seconds"]
    result.memory_bytes = figures["memory_bytes"]
    result.store_bytes = figures["store_bytes"]
    result.progress = Progress(figures["states"], figures["transitions"], figures["depth"])
    result.truncated = figures["truncated"]
    result.endless = figures["endless"]
    result.coverage = figures.get("coverage_estimate")
    if figures["stopped"] in CUT:
        result.stopped = _why(figures["stopped"], options.limits)
    for found in outcome.violations:
        kind = END_STATE if found.site < 0 else generated.kinds[found.site]
        kind = "limit" if kind == CAPACITY else kind
        choices = expand(program, generated.merging, found.choices, kind == END_STATE)
        result.violations.append(Violation(kind, choices))
    result.reached = _reached(program, generated.merging, figures["reached"])
    return result


def _run(
    program: Program, options: Options, native: NativeOptions, compiler: Compiler
) -> tuple[Generated, Outcome]:
    """Runs a verifier with room for enough processes and channels: a larger one if need be."""
    processes, channels = estimate(program)
    while True:
        generated = generate(
            program, processes_most=processes, channels_most=channels, merge=native.merge
        )
        store = native.store
        if store == "auto":
            store = "tree" if generated.layout.words >= TREE_FROM else "exact"
        only = f"#define WHORL_ONLY WHORL_{store.upper()}\n"  # the rest would cost compile time
        verifier = build(only + generated.text, compiler)
        outcome = run(verifier, arguments(options, native, store), options.report)
        full = any(
            found.site >= 0 and generated.kinds[found.site] == CAPACITY
            for found in outcome.violations
        )
        if not full or (processes == MOST_PROCESSES and channels in (0, MOST_CHANNELS)):
            return generated, outcome
        processes = min(MOST_PROCESSES, 2 * processes + 1)
        channels = min(MOST_CHANNELS, 2 * channels + 1) if channels else 0


def arguments(options: Options, native: NativeOptions, store: str) -> list[str]:
    """The verifier's command line."""
    result = ["--store", store, "--order", "bfs" if options.shortest else "dfs"]
    limits = options.limits
    for name, value in (
        ("--max-states", limits.states),
        ("--max-depth", limits.depth),
        ("--seconds", limits.seconds),
        ("--memory", limits.memory_bytes),
        ("--bits", native.bits),
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


def _why(stopped: str, limits: Limits) -> str:
    match stopped:
        case "states":
            return f"the limit of {limits.states:,} states was reached"
        case "time":
            return f"the time limit of {limits.seconds:g} s was reached"
        case "memory":
            assert limits.memory_bytes is not None
            return f"the memory limit of {size(limits.memory_bytes)} was reached"
    return "it was interrupted"


def expand(
    program: Program, merging: Merging, choices: tuple[Choice, ...], whole: bool
) -> tuple[Choice, ...]:
    """The choices with those put back that merging left out.

    `whole`: what follows the last choice too; otherwise that one is where a step fails.
    """
    if not merging.on:
        return choices
    semantics = Semantics(program)
    state = semantics.initial()
    result: list[Choice] = []
    for position, choice in enumerate(choices):
        step = next(s for s in semantics.steps(state) if Choice.of(s) == choice)
        result.append(choice)
        if step.state is None or (position == len(choices) - 1 and not whole):
            break
        pid, transition = step.partner or (step.pid, step.transition)
        before = state
        state = step.state
        process = program.processes[before.processes[pid][TYPE]]
        for merged in merging.chain(process, transition):
            following = Choice(pid, merged.number)
            step = next(s for s in semantics.steps(state) if Choice.of(s) == following)
            assert step.state is not None
            result.append(following)
            state = step.state
    return tuple(result)


def _reached(program: Program, merging: Merging, bitmap: str) -> set[int]:
    """The transitions that were taken, those that merging put behind others among them."""
    bits = bytes.fromhex(bitmap)
    reached = {
        8 * position + bit
        for position, byte in enumerate(bits)
        for bit in range(8)
        if byte >> bit & 1
    }
    merged: set[int] = set()
    for process in program.processes:
        for transition in process.transitions():
            if transition.number in reached:
                merged |= {t.number for t in merging.chain(process, transition)}
    return reached | merged
