"""`whorl check --where`: reads an expression, and tells when it is true along a counterexample."""

from __future__ import annotations

from collections.abc import Iterator

import whorl
from whorl.diagnostics import Diagnostic, Reporter, Source, WhorlError
from whorl.engines import reference_semantics
from whorl.program.lower import lower
from whorl.program.program import LtlProperty, Program
from whorl.promela.frontend import analyse
from whorl.trace.style import Style
from whorl.trace.text import StepTable
from whorl.trace.trace import Trace
from whorl.trace.where import TruthChange, refuse_temporal, truth_changes

NAME = "--where"


def expression(model: whorl.Model, text: str, what: str = NAME) -> LtlProperty:
    """The expression, over what is global in the model; WhorlError if it is none.

    `what` takes it, in messages.

    It is read as a formula is, beside the model, which the search does not come to see: a reference
    to a label could give the process more states.
    """
    origin, reporter = model.origin, Reporter()
    resolved = analyse(
        origin.source,
        reporter,
        defines=origin.defines,
        include_dirs=origin.include_dirs,
        base=origin.base,
        formulas=[(what, Source(what, text))],
    )
    program = lower(resolved, origin.source, reporter)
    reporter.raise_if_errors()
    asked = next(formula for formula in program.formulas if formula.name == what)
    refuse_temporal(asked, what)
    _refuse_more(model, program, asked)
    return asked


def _refuse_more(model: whorl.Model, program: Program, asked: LtlProperty) -> None:
    """Raises a WhorlError where the states of the model do not have what the expression asks."""
    why = hint = None
    if program.uses_last and not model.program.uses_last:
        why = "the model's states do not have _last"
    elif [len(p.blocks) for p in program.processes] != [
        len(p.blocks) for p in model.program.processes
    ]:
        why, hint = "it names the label of a goto, where no process rests", "label a skip before it"
    elif _code(program) != _code(model.program):
        why = "C code in it is not run"
    if why is not None:
        raise WhorlError(Diagnostic("error", f"cannot evaluate this: {why}", asked.span, hint))


def _code(program: Program) -> int:
    return 0 if program.embedded is None else len(program.embedded.fragments)


def where_lines(
    model: whorl.Model, asked: LtlProperty, trace: Trace, style: Style
) -> Iterator[str]:
    """The steps after which the expression has become true or false."""
    semantics = reference_semantics(model.program)
    table = StepTable(style, trace.steps)
    yield style.paint(f"{asked.text}:", "strong")
    for change in truth_changes(semantics, asked, trace.choices):
        if not change.after:
            yield f"  {style.paint(_value(change), 'truth')} at the beginning"
            continue
        yield f"  {style.paint(_value(change), 'truth')} after step {change.after:,}"
        yield from table.lines(trace.steps[change.after - 1])


def _value(change: TruthChange) -> str:
    if change.fault is not None:
        return f"without a value ({change.fault})"
    return "true" if change.value else "false"
