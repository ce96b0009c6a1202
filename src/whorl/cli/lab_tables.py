"""The tables of `whorl lab`, row by row as they are made, and outcomes as data."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import chain
from typing import Any

import whorl
from whorl.cli import json_output
from whorl.cli.terminal import Terminal
from whorl.diagnostics import WhorlError
from whorl.lab import cycle_facts, gathering_facts
from whorl.lab.default import claims as default_claims
from whorl.lab.default import mutations
from whorl.lab.experiment import Automata, ExperimentOutcome
from whorl.lab.experiment import run as run_experiment
from whorl.lab.facts import Expectation, claims
from whorl.lab.instance import Instance
from whorl.lab.labelling import claims as labelling_claims
from whorl.lab.promela import promela
from whorl.lab.reproduce import Reproduced, beyond, reproduce
from whorl.lab.small_programs import in_a_line
from whorl.lab.two_phase_search import readings, search_two_phase
from whorl.property.hoa_writer import hoa_text


def data(outcome: ExperimentOutcome) -> dict[str, Any]:
    """An outcome for `--json`."""
    experiment, answer = outcome.experiment, outcome.answer
    fields: dict[str, Any] = {
        "whorl": whorl.__version__,
        "scheme": experiment.scheme.name,
        "rules": list(experiment.scheme.files),
        "bounds": outcome.bounds(),
        "verdict": outcome.verdict,
        "seconds": round(outcome.seconds, 3),
        "instance": None,
    }
    if isinstance(answer, Instance):
        fields["instance"] = {
            "labels": list(answer.program.labels),
            "next": [list(row) for row in answer.program.next],
            "ample": [[sorted(chosen) for chosen in row] for row in answer.ample],
            "automaton": hoa_text(answer.automaton),
            "extra": {name: sorted(map(list, rows)) for name, rows in answer.extra},
            "promela": promela(answer),
        }
    return fields


def _rows(
    arguments: argparse.Namespace, terminal: Terminal, rows: Iterator[list[str]], widths: list[int]
) -> None:
    """Prints rows as they come; the first is the heading."""
    heading = next(rows)
    if arguments.json:
        table = [dict(zip(heading, row, strict=True)) for row in rows]
        terminal.out.line(json_output.dumps({"whorl": whorl.__version__, "rows": table}))
        return
    if arguments.markdown:
        terminal.out.line(f"| {' | '.join(heading)} |")
        terminal.out.line("|" + "---|" * len(heading))
    else:
        terminal.out.line(_line(heading, widths))
    for row in rows:
        terminal.out.line(f"| {' | '.join(row)} |" if arguments.markdown else _line(row, widths))
        terminal.out.flush()


def _line(row: list[str], widths: list[int]) -> str:
    return "  ".join(f"{cell:<{w}}" for cell, w in zip(row, widths, strict=True)).rstrip()


def figure(arguments: argparse.Namespace, terminal: Terminal) -> int:
    done: list[Reproduced] = []

    def rows() -> Iterator[list[str]]:
        yield ["scheme", "automaton", "ops", "states", "found", "paper", "s (CPU)", "Alloy s", "x"]
        for one in reproduce():
            done.append(one)
            experiment = one.row.experiment
            yield [
                experiment.scheme.name,
                experiment.automata.name,
                f"<= {experiment.bounds.operations}",
                f"<= {experiment.bounds.states}",
                one.outcome.verdict,
                "counterexample" if one.row.counterexample else "none",
                f"{one.outcome.seconds:.2f}",
                f"{one.row.seconds:.1f}",
                f"{one.faster:.0f}",
            ]

    _rows(arguments, terminal, rows(), [6, 18, 4, 6, 14, 14, 7, 7, 5])
    if not arguments.json:
        agree = sum(one.agrees for one in done)
        terminal.out.line()
        terminal.out.line(f"{agree} of {len(done)} rows as in Figure 5 of the paper")
    return 0 if all(one.agrees for one in done) else 1


def _outcome_row(outcome: ExperimentOutcome) -> list[str]:
    experiment = outcome.experiment
    cycles = [f.removeprefix("cycles-") for f in experiment.scheme.files if "cycles-" in f]
    searched = experiment.bounds.searched
    return [
        experiment.scheme.name,
        "searched" if searched else (cycles or ["-"])[0],
        experiment.automata.bounds(),
        f"<= {experiment.bounds.operations}",
        f"<= {experiment.bounds.states}",
        outcome.verdict,
        f"{outcome.seconds:.1f}",
    ]


_HEADING = ["scheme", "C3'", "automata", "ops", "states", "found", "s (CPU)"]
_WIDTHS = [8, 8, 62, 4, 6, 14, 7]


def larger(arguments: argparse.Namespace, terminal: Terminal) -> int:
    outcomes: list[ExperimentOutcome] = []

    def rows() -> Iterator[list[str]]:
        yield _HEADING
        for outcome in beyond():
            outcomes.append(outcome)
            yield _outcome_row(outcome)

    _rows(arguments, terminal, rows(), _WIDTHS)
    return 0 if all(outcome.answer is None for outcome in outcomes) else 1


def facts(arguments: argparse.Namespace, terminal: Terminal) -> int:
    return _claims(arguments, terminal, claims())


def default(arguments: argparse.Namespace, terminal: Terminal) -> int:
    return _claims(arguments, terminal, default_claims())


def stubborn(arguments: argparse.Namespace, terminal: Terminal) -> int:
    return _claims(arguments, terminal, labelling_claims())


def mutated(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Each mutation, with its smallest counterexample."""
    survived: list[str] = []

    def rows() -> Iterator[list[str]]:
        yield ["scheme", "what is wrong", "automaton", "ops", "states", "found", "s (CPU)"]
        for outcome in mutations():
            scheme, answer = outcome.experiment.scheme, outcome.answer
            size = ["<= 3", "<= 4"]
            if isinstance(answer, Instance):
                size = [str(len(answer.program.operations)), str(len(answer.program.states))]
            else:
                survived.append(scheme.name)
            yield [
                scheme.name,
                scheme.title,
                outcome.experiment.automata.name,
                *size,
                outcome.verdict,
                f"{outcome.seconds:.1f}",
            ]

    _rows(arguments, terminal, rows(), [31, 69, 12, 4, 6, 14, 7])
    return 1 if survived else 0


def threads(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Searches for cycles on several threads: every interleaving on every small graph."""
    unexpected: list[str] = []

    def rows() -> Iterator[list[str]]:
        yield ["search", "what it is", "nodes", "threads", "graphs", "interleaved", "found",
               "s (CPU)"]  # fmt: skip
        for outcome in chain(cycle_facts.right(), cycle_facts.wrong()):
            if outcome.found != outcome.search.wrong:
                unexpected.append(outcome.name)
            found = "none" if outcome.found is None else f"{outcome.found}: {outcome.graph}"
            numbers = [outcome.nodes, outcome.threads, outcome.graphs, outcome.moments]
            yield [outcome.name, outcome.search.title, *map(str, numbers), found,
                   f"{outcome.seconds:.1f}"]  # fmt: skip

    _rows(arguments, terminal, rows(), [30, 48, 5, 7, 6, 11, 62, 7])
    return 1 if unexpected else 0


def gathering(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Searches that one thread begins and several go on with: every small program, every moment."""
    unexpected: list[str] = []

    def rows() -> Iterator[list[str]]:
        yield ["change", "what is anchored when the others come", "ops", "states", "selectors",
               "moments", "can end", "found", "s (CPU)"]  # fmt: skip
        for one in chain(gathering_facts.right(), gathering_facts.wrong()):
            if (one.wrong is None) != (one.name == "right"):
                unexpected.append(one.name)
            numbers = [one.operations, one.states, one.selectors, one.moments, one.ends]
            found = "none" if one.wrong is None else in_a_line(one.wrong)
            yield [one.name, gathering_facts.TITLES[one.name], *map(str, numbers), found,
                   f"{one.seconds:.1f}"]  # fmt: skip

    _rows(arguments, terminal, rows(), [8, 75, 3, 6, 9, 7, 7, 62, 7])
    return 1 if unexpected else 0


def _claims(arguments: argparse.Namespace, terminal: Terminal, made: Iterator[Expectation]) -> int:
    wrong: list[Expectation] = []

    def rows() -> Iterator[list[str]]:
        yield ["fact", *_HEADING]
        for claim in made:
            outcome = run_experiment(claim.experiment)
            if claim.expected not in (None, outcome.verdict):
                wrong.append(claim)
            yield [claim.fact, *_outcome_row(outcome)]

    _rows(arguments, terminal, rows(), [54, *_WIDTHS])
    return 1 if wrong else 0


def two_phase(arguments: argparse.Namespace, terminal: Terminal, chosen: Automata | None) -> int:
    """Every reading of Two phase, run on all programs within bounds for which it may be wrong."""
    if chosen is not None and not chosen.listed:
        message = f"Two phase is run with automata that are listed, and '{chosen.name}' are not"
        raise WhorlError.at(None, message)
    bounds = [f"<= {arguments.operations}", f"<= {arguments.states}"]

    def rows() -> Iterator[list[str]]:
        yield ["safe", "phase 1", "stored", "search", "automaton", "ops", "states", "programs",
               "found"]  # fmt: skip
        for reading, automata in readings(chosen):
            programs, verdict = 0, "none"
            for automaton in automata.candidates():
                tried = search_two_phase(
                    reading, automaton.automaton, arguments.operations, arguments.states
                )
                programs += tried.programs
                if tried.missed is not None:
                    verdict = "counterexample"
                    break
            yield [*reading.words, automata.name, *bounds, str(programs), verdict]

    _rows(arguments, terminal, rows(), [10, 9, 9, 10, 24, 4, 6, 8, 14])
    return 0
