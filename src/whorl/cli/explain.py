"""`whorl explain`: of each location of each process, whether it can be reduced, and why not."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import whorl
from whorl.cli import json_output
from whorl.cli.arguments import add_common, load_model
from whorl.cli.terminal import Terminal
from whorl.engines import reference_semantics
from whorl.figures import counted
from whorl.program.program import Transition
from whorl.property.claim import Claim
from whorl.reduction.analysis import Analysis
from whorl.reduction.explain import CONDITIONAL, FIXED, REDUCIBLE, Explained, Reason, explain
from whorl.reduction.schemes import facts_of, resolve, soundness
from whorl.selection import Wanted, select

if TYPE_CHECKING:
    from whorl.cli.arguments import Subparsers
    from whorl.trace.style import Style

MOST_REASONS = 3  # for one location, unless --all


def add(commands: Subparsers) -> None:
    parser = commands.add_parser(
        "explain",
        help="where partial-order reduction helps, where it cannot, and why",
        description="For each location of each process: whether its steps may be taken first, and"
        " why not: they are visible to the property, depend on a statement of another process, or"
        " break a cycle. What matters in a counterexample is what `whorl check --explain` says.",
        usage="whorl explain [OPTION ...] MODEL",
        allow_abbrev=False,
    )
    add_common(parser)
    parser.add_argument(
        "--ltl",
        metavar="FORMULA",
        action="append",
        default=[],
        help="for a check of this formula (default: for safety alone)",
    )
    parser.add_argument(
        "--claim",
        metavar="NAME",
        action="append",
        default=[],
        help="for the model's ltl block or never claim of that name",
    )
    parser.add_argument("--all", action="store_true", help="show every reason, not only the first")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    model = load_model(arguments)
    for warning in model.warnings:
        terminal.err.line(warning.render(terminal.err.style.color))
    wanted = Wanted(False, model.given, tuple(arguments.claim))
    claims = () if wanted.nothing else select(model.program, wanted).claims
    atoms = tuple(atom for claim in claims for atom in claim.atoms)
    accepts = any(claim.program_accepts for claim in claims)
    analysis = Analysis(reference_semantics(model.program), atoms, accepts)
    locations = list(explain(analysis))
    if arguments.json:
        terminal.out.line(json_output.dumps(as_json(model, analysis, claims, locations)))
        return 0
    for line in lines(analysis, claims, locations, terminal.out.style, arguments.all):
        terminal.out.line(line)
    return 0


def lines(
    analysis: Analysis,
    claims: tuple[Claim, ...],
    explained: list[Explained],
    style: Style,
    everything: bool,
) -> Iterator[str]:
    for claim in claims:
        facts = facts_of(claim)
        sound = soundness("auto", facts)
        yield f"{claim.name}: reduced by '{resolve('auto', facts)}': {sound.reason}"
    if analysis.nothing_reducible is not None:
        yield style.paint(f"nothing can be reduced: {analysis.nothing_reducible}", "bad")
        return
    process = None
    for place in explained:
        if place.process is not process:
            process = place.process
            yield style.paint(f"{process.title}", "strong")
        texts = " | ".join(dict.fromkeys(map(_text, place.statements)))
        line = place.statements[0].span.line
        role = {REDUCIBLE: "good", CONDITIONAL: "faint", FIXED: "bad"}[place.verdict]
        yield f"  line {line:<5} {style.paint(f'{place.verdict:<14}', role)} {texts}"
        shown = place.reasons if everything else place.reasons[:MOST_REASONS]
        for reason in shown:
            yield style.paint(
                f"             {sentence(reason, len(place.statements) > 1)}", "faint"
            )
        if len(shown) < len(place.reasons):
            more = counted(len(place.reasons) - len(shown), "more reason")
            yield style.paint(f"             and {more} (--all)", "faint")
    counts = [sum(p.verdict == verdict for p in explained) for verdict in (REDUCIBLE, CONDITIONAL)]
    yield (
        f"{counts[0]} of {counted(len(explained), 'location')} can always be reduced,"
        f" {counts[1]} sometimes"
    )


def sentence(reason: Reason, several: bool) -> str:
    """A reason in words."""
    what = ", ".join(reason.what)
    who = f"'{_text(reason.statement)}': " if several else ""
    match reason.kind:
        case "visible":
            return f"{who}visible: the property looks at {what}"
        case "sticky":
            return (
                f"{who}sticky: it breaks a cycle, so it goes first only as its process's one step"
            )
        case "timeout":
            return f"{who}it waits until nothing else can move"
        case "everything":
            return f"{who}it may notice any step of any process"
    assert reason.other is not None
    line = reason.other.span.line
    other = f"'{_text(reason.other)}' of {reason.whose} (line {line})"
    until = ", until that is passed" if reason.passing else ""
    match reason.kind:
        case "channel":
            return f"{who}conditionally safe: waits for {other} at the other end of {what}"
        case "index":
            return f"{who}depends on {other} where both mean the same {what}{until}"
    return f"{who}depends on {other}: {what}{until}"


def as_json(
    model: whorl.Model, analysis: Analysis, claims: tuple[Claim, ...], explained: list[Explained]
) -> dict[str, Any]:
    return {
        "whorl": whorl.__version__,
        "model": model.name,
        "warnings": [json_output.diagnostic(warning) for warning in model.warnings],
        "properties": [
            {
                "name": claim.name,
                "scheme": resolve("auto", facts_of(claim)),
                "reason": soundness("auto", facts_of(claim)).reason,
            }
            for claim in claims
        ],
        "nothing_reducible": analysis.nothing_reducible,
        "locations": [
            {
                "process": place.process.title,
                "location": place.location,
                "line": place.statements[0].span.line,
                "statements": [_text(t) for t in place.statements],
                "verdict": place.verdict,
                "reasons": [_reason(r) for r in place.reasons],
            }
            for place in explained
        ],
    }


def _reason(reason: Reason) -> dict[str, Any]:
    data: dict[str, Any] = {
        "kind": reason.kind,
        "statement": _text(reason.statement),
        "about": list(reason.what),
    }
    if reason.other is not None:
        data["process"] = reason.whose
        data["depends_on"] = _text(reason.other)
        data["line"] = reason.other.span.line
        data["until_passed"] = reason.passing
    return data


def _text(transition: Transition) -> str:
    return transition.text or "goto"
