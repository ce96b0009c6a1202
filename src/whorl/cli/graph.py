"""`whorl graph`: pictures of process automata, property automata and state spaces."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

import whorl
from whorl.cli import json_output
from whorl.cli.arguments import add_common, add_embedded, load_allowed_model
from whorl.cli.numbers import positive
from whorl.cli.terminal import Terminal
from whorl.diagnostics import Diagnostic, WhorlError
from whorl.diagrams.state_texts import CONTENTS
from whorl.files import write_file
from whorl.graphs import MOST_STATES, Drawn, Picture, picture
from whorl.reduction.schemes import names
from whorl.selection import Wanted

if TYPE_CHECKING:
    from whorl.cli.arguments import Subparsers

FORMATS = ("svg", "dot")
SUFFIXES = {".svg": "svg", ".dot": "dot", ".gv": "dot"}


def add(commands: Subparsers) -> None:
    parser = commands.add_parser(
        "graph",
        help="draw process automata, property automata and small state spaces",
        description="Draws the automata of the processes; with --claim or --ltl the automaton of a"
        " property; with --states the state space, and with --por what a reduction leaves of it.",
        usage="whorl graph [OPTION ...] MODEL",
        allow_abbrev=False,
    )
    add_common(parser)
    _add_what(parser)
    _add_how(parser)
    add_embedded(parser)
    parser.set_defaults(run=run)


def _add_what(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("what to draw")
    group.add_argument(
        "--process",
        metavar="NAME",
        action="append",
        default=[],
        help="this process type alone (repeatable)",
    )
    group.add_argument(
        "--claim", metavar="NAME", help="the automaton of this ltl block or never claim"
    )
    group.add_argument("--ltl", metavar="FORMULA", help="the automaton of this formula")
    group.add_argument("--hoa", metavar="FILE", help="the automaton in this file")
    group.add_argument(
        "--states", action="store_true", help="the state space; with a claim, the product with it"
    )
    group.add_argument(
        "--por",
        metavar="NAME",
        choices=names(),
        help="the state space, and beside it what this reduction leaves of it, the rest dashed",
    )
    group.add_argument(
        "--reduced", action="store_const", const="auto", dest="por", help="--por auto"
    )
    group.add_argument(
        "--overlay", action="store_true", help="with --por: the second of the two pictures alone"
    )


def _add_how(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("how to draw it")
    group.add_argument(
        "--contents",
        metavar="NAME",
        default="auto",
        choices=CONTENTS,
        help="what stands in a state, beside its number: nothing (number), the lines where the"
        " processes are, or the values of global variables (default: auto, by the size)",
    )
    group.add_argument(
        "--max-states",
        metavar="N",
        type=positive,
        default=MOST_STATES,
        help=f"draw state spaces of up to N states (default: {MOST_STATES})",
    )
    group.add_argument(
        "-o", "--output", metavar="FILE", help="write the picture there, and not to standard output"
    )
    group.add_argument(
        "--format",
        choices=FORMATS,
        help="svg, or dot for Graphviz (default: as FILE ends, else svg)",
    )


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    if arguments.output == "-":
        arguments.output = None  # standard output, as elsewhere
    written = _format(arguments)
    for name in ("ltl", "hoa"):  # one of each at most
        given = getattr(arguments, name)
        setattr(arguments, name, () if given is None else (given,))
    model = load_allowed_model(arguments)
    for warning in model.warnings:
        terminal.err.line(warning.render(terminal.err.style.color))
    claims = () if arguments.claim is None else (arguments.claim,)
    wanted = Wanted(formulas=model.given, claims=claims, automata=model.automata)
    drawn = picture(
        model,
        wanted,
        Drawn(
            tuple(arguments.process),
            arguments.states,
            arguments.por,
            arguments.overlay,
            arguments.contents,
            arguments.max_states,
        ),
    )
    text = drawn.dot if written == "dot" else drawn.svg
    if arguments.output is not None:
        write_file(Path(arguments.output), text, "picture")
    if arguments.json:
        said = facts(model, drawn) | {"file": arguments.output}
        if arguments.output is None:
            said[written] = text
        terminal.out.line(json_output.dumps(said))
    elif arguments.output is None:
        terminal.out.lines(text)
    else:
        for diagram in drawn.diagrams:
            terminal.out.line(diagram.caption)
        terminal.out.line(f"picture: {arguments.output}")
    if not arguments.json:
        for note in drawn.notes:
            terminal.err.line(note)
    return 0


def _format(arguments: argparse.Namespace) -> str:
    """The format that is asked for, by --format or by the name of the file."""
    if arguments.format is not None or arguments.output is None:
        return arguments.format or "svg"
    suffix = Path(arguments.output).suffix
    if suffix and suffix.lower() not in SUFFIXES:
        name = f"{arguments.output.removesuffix(suffix)}.svg"
        message = f"'{arguments.output}': pictures are drawn as SVG and not as {suffix[1:]}"
        raise WhorlError(Diagnostic("error", message, None, f"write {name}, or say --format"))
    return SUFFIXES.get(suffix.lower(), "svg")


def facts(model: whorl.Model, drawn: Picture) -> dict[str, Any]:
    """What `--json` prints of a picture: its parts, in the order of their numbers."""
    return {
        "whorl": whorl.__version__,
        "model": model.name,
        "title": drawn.title,
        "notes": list(drawn.notes),
        "diagrams": [
            {
                "caption": diagram.caption,
                "initial": diagram.initial,
                "vertices": [
                    {
                        "text": list(v.text),
                        "about": v.about,
                        "looks": sorted(x.value for x in v.looks),
                    }
                    for v in diagram.vertices
                ],
                "arcs": [
                    {
                        "source": a.source,
                        "target": a.target,
                        "text": list(a.text),
                        "about": a.about,
                        "looks": sorted(x.value for x in a.looks),
                    }
                    for a in diagram.arcs
                ],
            }
            for diagram in drawn.diagrams
        ],
    }
