"""The Python interface: load a model, check it.

    import whorl

    result = whorl.check("model.pml")
    assert result.verdict == "holds", result.trace

The command line is made of the same two functions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from whorl.diagnostics import Diagnostic, Reporter, Source, WhorlError
from whorl.memory import peak_bytes
from whorl.program.lower import lower
from whorl.program.program import Program
from whorl.program.semantics import Semantics
from whorl.program.state import Fault
from whorl.promela.frontend import analyse
from whorl.search.limits import Limits, Progress
from whorl.search.safety import Exploration, Options, explore
from whorl.trace.replay import replay
from whorl.trace.trace import Choice, Trace
from whorl.verdict import (
    HOLDS,
    INCONCLUSIVE,
    VIOLATED,
    Property,
    Result,
    Statistics,
    Verdict,
    overall,
)

ENGINES = ("auto", "reference")  # auto: the fastest one that can run the model

# What is always looked at: the kind, its name in a report, and what "holds" means.
CHECKED = (
    ("assertion", "assertions", "no assertion fails"),
    ("end state", "end states", "no invalid end state is reachable"),
    ("array bounds", "array bounds", "every index is within bounds"),
    ("division by zero", "division", "no division by zero"),
    ("channel", "channels", "no channel is misused"),
)


@dataclass(frozen=True, slots=True)
class Model:
    """A model that was read without errors."""

    program: Program
    warnings: tuple[Diagnostic, ...] = ()

    @property
    def name(self) -> str:
        return self.program.source.name


def read(model: str | Path, name: str = "<text>") -> tuple[Source, Path | None]:
    """A model's text, as `load` takes it, and the folder that it lies in if it is a file's."""
    if not isinstance(model, Path) and ("\n" in model or "{" in model):
        return Source(name, model), None
    path = Path(model)
    try:
        return Source(str(path), path.read_text(encoding="utf-8", errors="replace")), path.parent
    except (OSError, ValueError) as error:  # ValueError: a null character in the name
        reason = (isinstance(error, OSError) and error.strerror) or str(error)
        raise WhorlError(Diagnostic("error", f"cannot read '{path}': {reason}")) from None


def load(
    model: str | Path,
    *,
    defines: Mapping[str, str] | None = None,
    include_dirs: Sequence[str | Path] = (),
    name: str = "<text>",
) -> Model:
    """Reads a model: a Path or a string that names a file, or a string that is Promela text.

    A string with a line break or a brace is text; `name` is then what diagnostics call it.
    Raises WhorlError, which has every error found, where the model has any.
    """
    source, base = read(model, name)
    reporter = Reporter()
    resolved = analyse(
        source,
        reporter,
        defines=defines,
        include_dirs=[Path(directory) for directory in include_dirs],
        base=base,
    )
    program = lower(resolved, source, reporter)
    reporter.raise_if_errors()
    return Model(program, tuple(reporter.warnings))


def check(
    model: Model | str | Path,
    *,
    engine: str = "auto",
    assertions: bool = True,
    end_states: bool = True,
    safety_only: bool = False,
    shortest: bool = False,
    all_errors: bool = False,
    max_states: int | None = None,
    max_depth: int | None = None,
    timeout: float | None = None,
    memory_bytes: int | None = None,
    defines: Mapping[str, str] | None = None,
    include_dirs: Sequence[str | Path] = (),
    report: Callable[[Progress], None] | None = None,
) -> Result:
    """Checks a model's safety: assertions, end states, bounds, divisions, channels.

    It stops at the first violation, or with `all_errors` goes on and gives a trace for each.
    `shortest` searches by length, so that the trace is as short as any. A limit that is hit makes
    the result inconclusive unless a violation was found. `report` is called with the figures so far
    every now and then. `safety_only` leaves LTL properties and never claims out of the verdict.
    """
    if not isinstance(model, Model):
        model = load(model, defines=defines, include_dirs=include_dirs)
    if engine not in ENGINES:
        known = ", ".join(ENGINES)
        raise WhorlError(
            Diagnostic("error", f"unknown engine '{engine}'", None, f"the engines are: {known}")
        )
    program = model.program
    semantics = reference_semantics(program)
    options = Options(
        assertions,
        end_states,
        shortest,
        all_errors,
        Limits(max_states, max_depth, timeout, memory_bytes),
        report,
    )
    found = explore(semantics, options)
    traces = tuple(
        replay(program, v.kind, v.message, tuple(map(Choice.of, v.steps))) for v in found.violations
    )
    progress = found.progress
    complete = found.stopped is None and not found.truncated and not _cut_short(found, all_errors)
    statistics = Statistics(
        progress.states,
        progress.transitions,
        progress.depth,
        progress.seconds,
        peak_bytes(),
        complete,
    )
    properties = _properties(program, found, traces, options, safety_only)
    return Result(
        overall(properties),
        properties,
        statistics,
        "reference",
        "none",
        traces,
        _notes(program, found),
    )


def reference_semantics(program: Program, verbose: bool = False) -> Semantics:
    """The reference semantics of a program.

    WhorlError if it has embedded C, or if its variables cannot take their initial values.
    """
    if program.embedded is not None:
        raise WhorlError.at(
            program.embedded,
            "the reference engine cannot run embedded C",
            "models with c_code, c_expr, c_decl, c_state or c_track need the native engine",
        )
    semantics = Semantics(program, verbose)
    try:
        semantics.initial()
    except Fault as fault:
        raise WhorlError.at(fault.span, f"the model cannot start: {fault.message}") from None
    return semantics


def _cut_short(found: Exploration, all_errors: bool) -> bool:
    return bool(found.violations) and not all_errors


def _properties(
    program: Program,
    found: Exploration,
    traces: tuple[Trace, ...],
    options: Options,
    safety_only: bool,
) -> tuple[Property, ...]:
    left_out = {
        kind
        for kind, wanted in (("assertion", options.assertions), ("end state", options.end_states))
        if not wanted
    }
    checked = [entry for entry in CHECKED if entry[0] not in left_out]
    if program.trace is not None:
        checked.append(("trace", "trace assertion", "every run follows it"))
    known = {kind for kind, _, _ in checked}
    extra = dict.fromkeys(trace.kind for trace in traces if trace.kind not in known)
    checked += [(kind, kind, "") for kind in extra]
    incomplete = _why_incomplete(found, options)
    result = []
    for kind, name, holds in checked:
        messages = list(dict.fromkeys(t.message for t in traces if t.kind == kind))
        verdict: Verdict
        if messages:
            verdict, why = VIOLATED, "; ".join(messages)
        elif incomplete is not None:
            verdict, why = INCONCLUSIVE, incomplete
        else:
            verdict, why = HOLDS, holds
        result.append(Property(name, kind, verdict, why))
    if not safety_only:
        reason = "not checked: this version checks safety properties only"
        result += [
            Property(formula.name, "ltl", INCONCLUSIVE, reason) for formula in program.formulas
        ]
        result += [Property(c.name, "never claim", INCONCLUSIVE, reason) for c in program.never]
    return tuple(result)


def _why_incomplete(found: Exploration, options: Options) -> str | None:
    """Why "no violation" cannot be said of everything; None if it can."""
    if found.stopped is not None:
        return f"not all states were seen: {found.stopped}"
    if found.truncated:
        return (
            f"not all states were seen: the depth limit of {options.limits.depth:,} cut runs short"
        )
    if _cut_short(found, options.all_errors):
        return "not all states were seen: the search stopped at the first violation"
    return None


def _notes(program: Program, found: Exploration) -> tuple[str, ...]:
    notes = []
    if found.endless is not None:
        step = found.endless.steps[-1]
        notes.append(f"the atomic sequence at line {step.transition.span.line} can go on for ever")
    if any(variable.hidden for variable in program.variables):
        notes.append("hidden variables are part of the state here, unlike in Spin")
    return tuple(notes)
