"""`whorl property`: what automaton a formula or a file is, and what can be said of it."""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import whorl
from whorl.api import read
from whorl.cli import json_output
from whorl.cli.arguments import STDIN, add_output, read_stdin
from whorl.cli.from_table import svg_name
from whorl.cli.terminal import Terminal
from whorl.diagnostics import Source, WhorlError
from whorl.figures import counted
from whorl.files import is_file, write_file
from whorl.language.formula import Formula
from whorl.property.automaton import Buchi
from whorl.property.complement import complement
from whorl.property.draw import draw
from whorl.property.hoa import read_hoa
from whorl.property.hoa_writer import hoa_text
from whorl.property.never import read_never
from whorl.property.never_writer import never_text
from whorl.property.normal_form import si_normal_form, why_not_si_normal_form
from whorl.property.operations import accepted_word, is_weak
from whorl.property.parse import parse_formula
from whorl.property.state_based import as_buchi
from whorl.property.stutter import Witness, stutter_witness
from whorl.property.translate import translate
from whorl.property.words import Word

if TYPE_CHECKING:
    from whorl.cli.arguments import Subparsers

SUFFIXES = (".hoa", ".never")
WIDTH = 20  # of the first column


@dataclass(frozen=True, slots=True)
class GivenProperty:
    """A property as it was given, and its automaton."""

    kind: str  # "formula", "hoa", "never claim"
    title: str
    automaton: Buchi
    formula: Formula | None = None


@dataclass(frozen=True, slots=True)
class Stuttering:
    """Whether a language is stutter-invariant, where that could be decided."""

    invariant: bool | None
    witness: Witness | None = None
    why: str = ""


def add(commands: Subparsers) -> None:
    parser = commands.add_parser(
        "property",
        help="a formula's automaton: its size, whether it is stutter-invariant, HOA, pictures",
        description="Shows the Büchi automaton of an LTL formula or of a file.",
        usage="whorl property [OPTION ...] FORMULA|FILE",
        allow_abbrev=False,
    )
    parser.add_argument(
        "property",
        metavar="FORMULA|FILE",
        help="an LTL formula, a file with an automaton in HOA or with a never claim, or - for"
        " standard input",
    )
    parser.add_argument("--negate", action="store_true", help="take the negation")
    parser.add_argument(
        "--si-normal-form", action="store_true", help="bring the automaton into SI normal form"
    )
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument("--hoa", action="store_true", help="print the automaton in the HOA format")
    shown.add_argument("--never", action="store_true", help="print it as a never claim")
    parser.add_argument("--svg", metavar="FILE", type=svg_name, help="draw the automaton")
    add_output(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    given = given_property(arguments.property)
    if arguments.negate:
        given = negated(given)
    stuttering = Stuttering(None)
    if not (arguments.hoa or arguments.never) or arguments.si_normal_form or arguments.json:
        stuttering = stutters(given)
    if arguments.si_normal_form:
        given = in_normal_form(given, stuttering)
    if arguments.svg is not None:
        write_file(Path(arguments.svg), draw(given.automaton, given.title), "picture")
    if arguments.json:
        data = facts(given, arguments.negate, stuttering)
        if arguments.hoa:
            data["hoa"] = hoa_text(given.automaton, given.title)
        if arguments.never:
            data["never"] = never_text(given.automaton, given.title)
        terminal.out.line(json_output.dumps(data))
    elif arguments.hoa:
        terminal.out.lines(hoa_text(given.automaton, given.title))
    elif arguments.never:
        terminal.out.lines(never_text(given.automaton, given.title))
    else:
        _report(given, stuttering, terminal)
    return 0


# --- the property --------------------------------------------------------------------------------


def given_property(text: str) -> GivenProperty:
    if text == STDIN:
        return _from_text(Source("<stdin>", read_stdin()))
    if text.endswith(SUFFIXES) or is_file(text):
        source, _ = read(Path(text))
        return _from_text(source)
    return _from_formula(text, "<formula>")


def _from_text(source: Source) -> GivenProperty:
    """An automaton or a formula, by how the text begins."""
    words = source.text.split(maxsplit=1)
    if words and words[0] == "HOA:":
        automaton = as_buchi(read_hoa(source.text, source.name))
        return GivenProperty("hoa", source.name, automaton)
    if source.name.endswith(".hoa"):
        read_hoa(source.text, source.name)  # says what is wrong
    if (words and words[0].startswith("never")) or source.name.endswith(".never"):
        return GivenProperty("never claim", source.name, read_never(source.text, source.name))
    return _from_formula(source.text, source.name)


def _from_formula(text: str, name: str) -> GivenProperty:
    formula = parse_formula(text, name)
    return GivenProperty("formula", str(formula), translate(formula), formula)


def negated(given: GivenProperty) -> GivenProperty:
    if given.formula is not None:
        formula = ~given.formula
        automaton = translate(formula, given.automaton.propositions)
        return GivenProperty("formula", str(formula), automaton, formula)
    return replace(given, title=f"not {given.title}", automaton=complement(given.automaton))


def stutters(given: GivenProperty) -> Stuttering:
    """The answer for a formula is that for its automaton, and is quicker to find."""
    what = given.automaton if given.formula is None else given.formula
    try:
        witness = stutter_witness(what)
    except WhorlError as error:
        return Stuttering(None, why=error.diagnostics[0].message)
    return Stuttering(witness is None, witness)


def in_normal_form(given: GivenProperty, stuttering: Stuttering) -> GivenProperty:
    if stuttering.witness is not None:
        witness = stuttering.witness
        raise WhorlError.at(
            None,
            "SI normal form is for stutter-invariant languages, and this one is not",
            f"it has the word {witness.accepted} but not {witness.refused}",
        )
    if stuttering.invariant is None:
        raise WhorlError.at(None, f"no SI normal form: {stuttering.why}")
    return replace(given, automaton=si_normal_form(given.automaton))


# --- what is said of it --------------------------------------------------------------------------


def facts(given: GivenProperty, negate: bool, stuttering: Stuttering) -> dict[str, Any]:
    """What `--json` prints."""
    automaton = given.automaton
    witness = stuttering.witness
    example = accepted_word(automaton)
    return {
        "whorl": whorl.__version__,
        "property": given.title,
        "kind": given.kind,
        "negated": negate,
        "propositions": list(automaton.propositions),
        "states": len(automaton.states),
        "edges": automaton.edge_count,
        "accepting": sorted(automaton.accepting),
        "deterministic": automaton.is_deterministic,
        "complete": automaton.is_complete,
        "weak": is_weak(automaton),
        "empty": example is None,
        "example": None if example is None else _word(example),
        "stutter_invariant": stuttering.invariant,
        "witness": None
        if witness is None
        else {"accepted": _word(witness.accepted), "refused": _word(witness.refused)},
        "si_normal_form": why_not_si_normal_form(automaton) is None,
    }


def _word(word: Word) -> dict[str, Any]:
    """A word as lists of letters, a letter as the list of what is true in it."""

    def names(letter: int) -> list[str]:
        return [name for i, name in enumerate(word.propositions) if letter >> i & 1]

    return {
        "text": str(word),
        "prefix": [names(letter) for letter in word.prefix],
        "cycle": [names(letter) for letter in word.cycle],
    }


def _report(given: GivenProperty, stuttering: Stuttering, terminal: Terminal) -> None:
    style, automaton = terminal.out.style, given.automaton

    def row(name: str, value: str) -> None:
        terminal.out.line(f"{style.paint(f'{name:{WIDTH}}', 'faint')}{value}")

    def answer(name: str, yes: bool, why: str = "") -> None:
        row(name, ("yes" if yes else "no") + why)

    row(given.kind, style.paint(given.title, "strong"))
    states = counted(len(automaton.states), "state")
    accepting = f"{len(automaton.accepting)} accepting"
    row("automaton", f"{states} ({accepting}), {counted(automaton.edge_count, 'edge')}")
    names = automaton.propositions
    row("propositions", ", ".join(names) or "none")
    answer("deterministic", automaton.is_deterministic)
    answer("complete", automaton.is_complete)
    answer("weak", is_weak(automaton))
    answer("SI normal form", why_not_si_normal_form(automaton) is None)
    if stuttering.invariant is None:
        row("stutter-invariant", f"not known: {stuttering.why}")
    else:
        no_next = given.formula is not None and not given.formula.has_next
        answer("stutter-invariant", stuttering.invariant, ", it has no X" if no_next else "")
    if stuttering.witness is not None:
        row("  has the word", str(stuttering.witness.accepted))
        row("  but not", str(stuttering.witness.refused))
    example = accepted_word(automaton)
    row("accepts", "no word" if example is None else f"{example}, for example")
