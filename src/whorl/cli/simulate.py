"""`whorl simulate`: a run of a model, random, guided by a trail, or chosen step by step."""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import whorl
from whorl.cli import json_output
from whorl.cli.arguments import STDIN, add_common, add_embedded, load_allowed_model
from whorl.cli.interactive import Session
from whorl.cli.numbers import positive, whole
from whorl.cli.spin_trails import understood
from whorl.cli.terminal import OutputStream, Terminal
from whorl.diagnostics import Diagnostic, WhorlError
from whorl.engines import reference_semantics
from whorl.figures import counted
from whorl.files import read_text
from whorl.program.program import Program
from whorl.program.semantics import Step
from whorl.simulate.simulation import Simulation, SimulationEnd, outcome, retrace, wander
from whorl.trace import spin_trail
from whorl.trace import trail as trails
from whorl.trace.as_json import final_data, steps_data
from whorl.trace.describe import Narrator, describe, is_shown, positions, values
from whorl.trace.moments import moments
from whorl.trace.spin_trail import SpinTrail, is_spin_trail
from whorl.trace.text import StepTable, cycle_end, final_lines, live_lines
from whorl.trace.trace import Change, Position, TraceStep
from whorl.trace.trail import Trail
from whorl.verdict import EXIT_CODES, HOLDS, VIOLATED

if TYPE_CHECKING:
    from whorl.cli.arguments import Subparsers

STEPS = 10_000


def add(commands: Subparsers) -> None:
    parser = commands.add_parser(
        "simulate",
        help="run a model: random, guided by a trail, or step by step",
        description="Runs a model once and shows its steps. Exit status 1: the run ends in an"
        " assertion that fails, an invalid end state or another violation.",
        usage="whorl simulate [OPTION ...] MODEL",
        allow_abbrev=False,
    )
    add_common(parser)
    add_embedded(parser)
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument(
        "--seed", type=whole, metavar="N", help="of the random choices (default: new)"
    )
    mode.add_argument(
        "--trail", metavar="FILE", help="follow a trail of `whorl check --trail`, or of Spin"
    )
    mode.add_argument(
        "-i", "--interactive", action="store_true", help="choose each step from a list"
    )
    parser.add_argument(
        "--steps",
        type=positive,
        metavar="N",
        help=f"stop after so many steps (default: {STEPS:,}; with --runs, 1,000 each)",
    )
    parser.add_argument(
        "--runs",
        type=positive,
        metavar="N",
        help="take so many random runs, and show how they ended; --seed is that of the first",
    )
    parser.add_argument(
        "--print-only", action="store_true", help="show nothing but what printf prints"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    if arguments.interactive and arguments.model == STDIN:
        raise WhorlError(
            Diagnostic("error", "standard input cannot be both the model and the choices")
        )
    if arguments.runs is not None:
        return run_many(arguments, terminal)
    arguments.steps = arguments.steps or STEPS
    recorded = None if arguments.trail is None else read_trail(arguments.trail)
    if isinstance(recorded, Trail):
        arguments.defines = list({**recorded.defines, **dict(arguments.defines)}.items())
    model = load_allowed_model(arguments)
    trail: Trail | None
    if isinstance(recorded, SpinTrail):
        trail = understood(recorded, model, dict(arguments.defines))
    else:
        trail = recorded
    warn(model, trail, terminal.err)
    simulation = Simulation(reference_semantics(model.program, verbose=True))
    seed: int | None = None
    events: Iterable[Step | SimulationEnd]
    if arguments.interactive:
        if sys.stdin is None:
            raise WhorlError(Diagnostic("error", "cannot read choices: standard input is closed"))
        screen = terminal.err if arguments.json or arguments.print_only else terminal.out
        events = Session(simulation, screen, sys.stdin).events(arguments.steps)
    elif trail is not None:
        events = retrace(simulation, trail, arguments.steps)
    else:
        seed = seed_of(arguments)
        events = wander(simulation, seed, arguments.steps)
    if arguments.json:
        end = play(events, ignore)
        data = simulation_data(simulation, model, dict(arguments.defines), seed, end, trail)
        terminal.out.line(json_output.dumps(data))
    elif arguments.print_only:
        end = play(events, lambda step: terminal.out.write("".join(step.output)))
        if end.violated:
            terminal.error(f"whorl: {end.message}")
    else:
        end = show(simulation, events, seed, arguments.interactive, terminal.out, trail)
    terminal.verdict = stopped(simulation, end)
    return EXIT_CODES[VIOLATED if end.violated else HOLDS]


def run_many(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """`--runs`, which few ask for."""
    from whorl.cli import simulate_runs

    simulate_runs.refuse_others(arguments)
    model = load_allowed_model(arguments)
    warn(model, None, terminal.err)
    semantics = reference_semantics(model.program)
    return simulate_runs.run(arguments, model, semantics, seed_of(arguments), terminal)


def seed_of(arguments: argparse.Namespace) -> int:
    """The seed that was given, or a new one."""
    given: int | None = arguments.seed
    return random.SystemRandom().randrange(2**32) if given is None else given


def warn(model: whorl.Model, trail: Trail | None, err: OutputStream) -> None:
    warnings = list(model.warnings)
    if trail is not None and trail.digest != trails.digest(model.program.source):
        warnings.append(
            Diagnostic("warning", "the model's text is not the one that the trail was made with")
        )
    for warning in warnings:
        err.line(warning.render(err.style.color))


def read_trail(name: str) -> Trail | SpinTrail:
    try:
        text = read_text(Path(name))
    except OSError as error:
        reason = error.strerror or str(error)
        raise WhorlError(Diagnostic("error", f"cannot read '{name}': {reason}")) from None
    return spin_trail.loads(text, name) if is_spin_trail(text) else trails.loads(text, name)


def play(events: Iterable[Step | SimulationEnd], see: Callable[[Step], None]) -> SimulationEnd:
    """Takes the steps one after the other; why there are no more."""
    for event in events:
        if isinstance(event, SimulationEnd):
            return event
        see(event)
    raise AssertionError("a simulation ends with an outcome")


def ignore(step: Step) -> None:
    """Steps that are told all together in the end."""


def show(
    simulation: Simulation,
    events: Iterable[Step | SimulationEnd],
    seed: int | None,
    interactive: bool,
    out: OutputStream,
    trail: Trail | None,
) -> SimulationEnd:
    """Every step, then why it stopped and where each process is."""
    program, style = simulation.semantics.program, out.style
    if seed is not None:
        out.line(style.paint(f"random simulation, --seed {seed}", "faint"))
    if interactive:
        end = play(events, ignore)  # the session shows its own steps
    else:
        ends: list[SimulationEnd] = []
        table = StepTable(style)
        table.fit_program(program)
        narrator = Narrator(simulation.semantics, simulation.first)
        cycle = repeated(program, trail)
        for line in live_lines(told(events, narrator, ends), table, cycle):
            out.line(line)
            if out.closed and out.lost is None and trail is None:  # nobody reads any more
                return outcome("user")
        (end,) = ends
        if cycle is not None and end.reason == "property":
            out.line(cycle_end(cycle.start, cycle.stop - 1, style, simulation.broken))
    out.line()
    out.line(style.paint(stopped(simulation, end), "bad" if end.violated else "good"))
    for line in final_lines(*ending(simulation, end), style):
        out.line(line)
    return end


def stopped(simulation: Simulation, end: SimulationEnd) -> str:
    """How a run ended, in one line."""
    steps = counted(sum(map(is_shown, simulation.taken)), "step")
    return f"Stopped after {steps}: {end.message}"


def ending(
    simulation: Simulation, end: SimulationEnd
) -> tuple[tuple[Position, ...], tuple[Change, ...]]:
    """Where each process is, and the values of variables."""
    program, state = simulation.semantics.program, simulation.state
    last = simulation.taken[-1] if end.reason == "failure" else None
    return positions(program, state, last), values(program, state, last)


def repeated(program: Program, trail: Trail | None) -> range | None:
    """The numbers of the steps that come again and again, counting those that are shown."""
    if trail is None or trail.cycle is None:
        return None
    silent = {t.number for p in program.processes for t in p.transitions() if not t.text}
    shown = [choice.transition not in silent for choice in trail.choices]
    return range(sum(shown[: trail.cycle - 1]) + 1, sum(shown) + 1)


def told(
    events: Iterable[Step | SimulationEnd], narrator: Narrator, ends: list[SimulationEnd]
) -> Iterator[TraceStep]:
    """The steps in words; the outcome goes into `ends`."""
    for event in events:
        if isinstance(event, SimulationEnd):
            ends.append(event)
        elif (step := narrator.tell(event)) is not None:
            yield step


def simulation_data(
    simulation: Simulation,
    model: whorl.Model,
    defines: dict[str, str],
    seed: int | None,
    end: SimulationEnd,
    trail: Trail | None,
) -> dict[str, Any]:
    """What `--json` prints."""
    cycle = repeated(model.program, trail)
    first, taken = simulation.first, simulation.taken
    steps = describe(simulation.semantics, taken, first)
    failed = taken[-1] if end.reason == "failure" else None
    return {
        "whorl": whorl.__version__,
        "model": model.name,
        "defines": defines,
        "seed": seed,
        "outcome": {
            "reason": end.reason,
            "message": end.message,
            "violated": end.violated,
        },
        **steps_data(steps, moments(model.program, first, taken, failed)),
        "cycle": None if cycle is None else cycle.start,
        "output": "".join(text for step in simulation.taken for text in step.output),
        "final": final_data(*ending(simulation, end)),
        "warnings": [json_output.diagnostic(warning) for warning in model.warnings],
    }
