"""`whorl lab`: is there a program that a reduction scheme gets wrong?"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from whorl.api import read
from whorl.cli import json_output, lab_tables
from whorl.cli.arguments import add_output
from whorl.cli.from_table import svg_name
from whorl.cli.numbers import quoted
from whorl.cli.property import given_property
from whorl.cli.terminal import Terminal
from whorl.diagnostics import Diagnostic, WhorlError
from whorl.files import write_file
from whorl.lab.default import NO_AUTOMATON
from whorl.lab.describe import describe
from whorl.lab.draw import draw
from whorl.lab.experiment import Automata, Experiment, ExperimentOutcome, Sort
from whorl.lab.experiment import run as run_experiment
from whorl.lab.instance import Instance
from whorl.lab.promela import promela
from whorl.lab.schemes import SCHEMES, LabScheme, named
from whorl.lab.search import Bounds, UndecidedAnswer
from whorl.property import siegel
from whorl.property.stutter import stutter_witness
from whorl.verdict import EXIT_CODES, HOLDS, INCONCLUSIVE, VIOLATED

if TYPE_CHECKING:
    from whorl.cli.arguments import Subparsers
    from whorl.trace.style import Style

MOST = 100  # of anything that has a bound; the search would not end
CYCLES = ("full", "reduced", "searched")
CLASSES = {kind.value: kind for kind in Sort if kind is not Sort.FIXED}
FIGURES = {"b1": siegel.b1, "b2": siegel.b2, "b3": siegel.b3, "b4": siegel.b4}


def add(commands: Subparsers) -> None:
    parser = commands.add_parser(
        "lab",
        help="look for a program that a reduction scheme gets wrong",
        description="Looks for the smallest program, automaton and ample selector, within bounds,"
        " that satisfy a scheme's conditions and whose reduced product has lost every accepting"
        " lasso.",
        usage="whorl lab [OPTION ...]",
        epilog="Exit status: 0 none within the bounds, 1 a counterexample, 3 undecided.",
        allow_abbrev=False,
    )
    asked = parser.add_argument_group("what is asked")
    asked.add_argument("--scheme", metavar="NAME", help=f"one of {', '.join(SCHEMES)}, or one of"
                       " those that --mutations has")  # fmt: skip
    asked.add_argument(
        "--conditions",
        metavar="FILE",
        help="rules of your own: a whole scheme, or more conditions for --scheme",
    )
    asked.add_argument(
        "--without",
        metavar="RULES",
        action="append",
        default=[],
        help="leave conditions of the scheme out, such as c2 (repeatable)",
    )
    asked.add_argument(
        "--automaton",
        metavar="WHAT",
        help="b1 (the default) to b4 of the paper, a formula, a HOA file, or a class:"
        f" {', '.join(CLASSES)}",
    )
    asked.add_argument(
        "--cycles",
        choices=CYCLES,
        help="the cycle condition of v0 and v1: C3' over the full product, as in the paper (the"
        " default), over the reduced one, or C3 in some depth-first search",
    )
    bounds = parser.add_argument_group("bounds")
    for option, default, text in (
        ("operations", 2, "operations of the program"),
        ("states", 2, "states of the program"),
        ("automaton-states", 3, "states of an automaton that is looked for"),
        ("letters", 2, "letters of an automaton in SI normal form"),
    ):
        bounds.add_argument(
            f"--{option}",
            metavar="N",
            type=_positive,
            default=default,
            help=f"{text} (%(default)s)",
        )
    bounds.add_argument(
        "--transitions", metavar="N", type=_positive, help="transitions of an automaton"
    )
    tables = parser.add_mutually_exclusive_group()
    tables.add_argument("--reproduce", action="store_true", help="Figure 5 of Siegel's paper")
    tables.add_argument(
        "--beyond", action="store_true", help="its rows without a counterexample, at larger bounds"
    )
    tables.add_argument(
        "--facts", action="store_true", help="what whorl's reductions rest on, at small bounds"
    )
    tables.add_argument(
        "--default", action="store_true", help="the default scheme, for formulas and for safety"
    )
    tables.add_argument(
        "--mutations", action="store_true", help="the default scheme and stubborn sets, made wrong"
    )
    tables.add_argument(
        "--stubborn", action="store_true", help="stubborn sets: which conditions keep the labels"
    )
    tables.add_argument(
        "--two-phase", action="store_true", help="the readings of Two phase, on small programs"
    )
    tables.add_argument(
        "--threads", action="store_true", help="searches for cycles on threads, on small graphs"
    )
    tables.add_argument(
        "--gathering",
        action="store_true",
        help="searches that one thread begins and several go on with, on small programs",
    )
    shown = parser.add_argument_group("what is shown")
    shown.add_argument("--svg", metavar="FILE", type=svg_name, help="draw the counterexample")
    shown.add_argument(
        "--promela", metavar="FILE", help="write it as a Promela model, if it is one"
    )
    shown.add_argument("--markdown", action="store_true", help="print tables as Markdown")
    add_output(parser)
    parser.set_defaults(run=run)


def _positive(text: str) -> int:
    if not text.isdecimal() or len(text) > 9 or not 1 <= int(text) <= MOST:
        raise argparse.ArgumentTypeError(f"{quoted(text)} is not a number from 1 to {MOST}")
    return int(text)


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    if arguments.reproduce:
        return lab_tables.figure(arguments, terminal)
    if arguments.beyond:
        return lab_tables.larger(arguments, terminal)
    if arguments.facts:
        return lab_tables.facts(arguments, terminal)
    if arguments.default:
        return lab_tables.default(arguments, terminal)
    if arguments.mutations:
        return lab_tables.mutated(arguments, terminal)
    if arguments.stubborn:
        return lab_tables.stubborn(arguments, terminal)
    if arguments.two_phase:
        chosen = None if arguments.automaton is None else _automata(arguments)
        return lab_tables.two_phase(arguments, terminal, chosen)
    if arguments.threads:
        return lab_tables.threads(arguments, terminal)
    if arguments.gathering:
        return lab_tables.gathering(arguments, terminal)
    outcome = run_experiment(_experiment(arguments))
    terminal.verdict = _verdict(outcome, terminal.err.style)
    problems: list[Diagnostic] = []
    if isinstance(outcome.answer, Instance):
        problems = _write_files(arguments, terminal, outcome, outcome.answer)
    if arguments.json:
        terminal.out.line(json_output.dumps(lab_tables.data(outcome)))
    else:
        _report(outcome, terminal)
    for problem in problems:
        terminal.error(problem.render(terminal.err.style.color))
    if outcome.answer is None:
        return EXIT_CODES[HOLDS]
    return EXIT_CODES[INCONCLUSIVE if isinstance(outcome.answer, UndecidedAnswer) else VIOLATED]


# --- the question --------------------------------------------------------------------------------


def _experiment(arguments: argparse.Namespace) -> Experiment:
    scheme = _scheme(arguments)
    searched = arguments.cycles == "searched"
    if arguments.cycles is not None:
        if not scheme.looks_at_the_stack:
            message = f"the scheme '{scheme.name}' has no cycle condition on product states"
            raise WhorlError.at(None, message, "--cycles is for v0 and v1")
        scheme = scheme.cycles("reduced" if searched else arguments.cycles)
    bounds = Bounds(arguments.operations, arguments.states, searched)
    if not scheme.is_safety:
        return Experiment(scheme, _automata(arguments), bounds)
    for option in ("automaton", "svg", "promela"):
        if getattr(arguments, option) is not None:
            message = f"the scheme '{scheme.name}' is for safety: there is no automaton"
            raise WhorlError.at(None, message, f"leave --{option} out")
    return Experiment(scheme, NO_AUTOMATON, bounds)


def _scheme(arguments: argparse.Namespace) -> LabScheme:
    scheme = None if arguments.scheme is None else named(arguments.scheme)
    if arguments.conditions is not None:
        source, _ = read(Path(arguments.conditions))
        if scheme is None:
            scheme = LabScheme(source.name, "rules of your own", ())
        scheme = replace(scheme, name=f"{scheme.name} + {source.name}", own=(source,))
        if arguments.scheme is None:
            scheme = replace(scheme, name=source.name)
    if scheme is None:
        raise WhorlError.at(
            None,
            "nothing is asked",
            "give --scheme, --conditions, --reproduce, --beyond, --facts, --default, --mutations,"
            " --stubborn, --two-phase, --threads or --gathering",
        )
    for name in arguments.without:
        if name not in scheme.files:
            known = ", ".join(scheme.files)
            raise WhorlError.at(None, f"the scheme has no condition '{name}'", f"it has {known}")
        scheme = scheme.without(name)
    return scheme


def _automata(arguments: argparse.Namespace) -> Automata:
    what = arguments.automaton or "b1"
    if what in CLASSES:
        kind = CLASSES[what]
        letters = arguments.letters if kind is Sort.NORMAL_FORM else 2
        return Automata(
            kind, what, None, arguments.automaton_states, letters, arguments.transitions
        )
    if what.lower() in FIGURES:
        return Automata(Sort.FIXED, what.lower(), FIGURES[what.lower()]())
    given = given_property(what)
    return Automata(Sort.FIXED, given.title, given.automaton)


# --- the answer ----------------------------------------------------------------------------------


def _verdict(outcome: ExperimentOutcome, style: Style) -> str:
    """What was found, in one line."""
    name, answer = outcome.experiment.scheme.name, outcome.answer
    if isinstance(answer, Instance):
        return style.paint(f"{style.symbols.violated} {name}: wrong", "bad") + ", a counterexample"
    if answer is None:
        verdict = style.paint(f"{style.symbols.holds} {name}: no counterexample", "good")
        return f"{verdict} within the bounds"
    return f"{name}: undecided; in {answer.refused} instances C3' held, and C3 in no search"


def _report(outcome: ExperimentOutcome, terminal: Terminal) -> None:
    scheme = outcome.experiment.scheme
    _warn(outcome, terminal)
    terminal.out.line(_verdict(outcome, terminal.out.style))
    if isinstance(outcome.answer, Instance):
        terminal.out.line()
        for line in describe(outcome.answer, scheme, outcome.reduced()):
            terminal.out.line(line)
        terminal.out.line()
    terminal.out.line(f"scheme: {scheme.title} ({', '.join(scheme.files) or 'own rules'})")
    terminal.out.line(f"bounds: {outcome.bounds()}")
    if outcome.asked is not None and outcome.asked != 1:
        terminal.out.line(f"automata: {outcome.asked}, up to the names of states and letters")
    terminal.out.line(f"time: {outcome.seconds:.2f} s of CPU")


def _warn(outcome: ExperimentOutcome, terminal: Terminal) -> None:
    automaton = outcome.experiment.automata.automaton
    if automaton is None:
        return
    witness = stutter_witness(automaton)
    if witness is not None:
        terminal.err.line(
            "warning: the automaton's language is not stutter-invariant, so every scheme may be"
            f" wrong for it: it has {witness.accepted} but not {witness.refused}"
        )


def _write_files(
    arguments: argparse.Namespace,
    terminal: Terminal,
    outcome: ExperimentOutcome,
    instance: Instance,
) -> list[Diagnostic]:
    """Writes the files that were asked for; what could not be."""
    files: list[tuple[str, str, str]] = []
    if arguments.svg is not None:
        text = draw(instance, outcome.experiment.scheme, outcome.reduced())
        files.append((arguments.svg, text, "picture"))
    if arguments.promela is not None:
        model = promela(instance)
        if model is None:
            terminal.err.line(
                "note: no Promela model was written: the program is no product of processes"
            )
        else:
            files.append((arguments.promela, model, "model"))
    problems: list[Diagnostic] = []
    for name, text, what in files:
        try:
            write_file(Path(name), text, what)
        except WhorlError as error:
            problems += error.diagnostics
    return problems
