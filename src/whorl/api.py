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

from whorl.conclude import is_complete, notes, properties
from whorl.diagnostics import Diagnostic, Reporter, Source, WhorlError
from whorl.native.compiler import find_compiler
from whorl.native.engine import STORES, NativeOptions, explore_native, unsupported
from whorl.program.lower import lower
from whorl.program.program import Program
from whorl.program.semantics import Semantics
from whorl.program.state import Fault
from whorl.promela.frontend import analyse
from whorl.search.coverage import unreached
from whorl.search.exploration import Exploration, Options
from whorl.search.limits import Limits, Progress
from whorl.search.safety import explore
from whorl.trace.replay import replay
from whorl.verdict import Result, Statistics, overall

ENGINES = ("auto", "native", "reference")  # auto: native where it can run the model


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
    ltl: str | Sequence[str] = (),
) -> Model:
    """Reads a model: a Path or a string that names a file, or a string that is Promela text.

    A string with a line break or a brace is text; `name` is then what diagnostics call it. `ltl`
    are formulas that must hold, as if the model had an ltl block for each.
    Raises WhorlError, which has every error found, where the model has any.
    """
    source, base = read(model, name)
    reporter = Reporter()
    given = (ltl,) if isinstance(ltl, str) else tuple(ltl)
    names = [f"formula_{n}" if n > 1 else "formula" for n in range(1, len(given) + 1)]
    resolved = analyse(
        source,
        reporter,
        defines=defines,
        include_dirs=[Path(directory) for directory in include_dirs],
        base=base,
        formulas=[(n, Source("<formula>", text)) for n, text in zip(names, given, strict=True)],
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
    store: str = "auto",
    bits: int | None = None,
    merge: bool = True,
    defines: Mapping[str, str] | None = None,
    include_dirs: Sequence[str | Path] = (),
    report: Callable[[Progress], None] | None = None,
) -> Result:
    """Checks a model's safety: assertions, end states, bounds, divisions, channels.

    It stops at the first violation, or with `all_errors` goes on and gives a trace for each.
    `shortest` searches by length, so that the trace is as short as any. A limit that is hit makes
    the result inconclusive unless a violation was found. `report` is called with the figures so far
    every now and then. `safety_only` leaves LTL properties and never claims out of the verdict.

    The native engine stores states exactly: as they are, or, where they are large, as shared trees
    (`store` may ask for "exact" or "tree"); or approximately, with `store` as "compact" or
    "bitstate" (`bits` sets the size). It takes local steps that nobody
    can notice together with the step before them, unless `merge` is off.
    """
    if not isinstance(model, Model):
        model = load(model, defines=defines, include_dirs=include_dirs)
    program = model.program
    limits = Limits(max_states, max_depth, timeout, memory_bytes)
    options = Options(assertions, end_states, shortest, all_errors, limits, report)
    native = NativeOptions(store, bits, merge)
    found, used, said = _explore(program, engine, options, native)
    traces = tuple(replay(program, v.kind, v.choices) for v in found.violations)
    statistics = Statistics(
        found.progress.states,
        found.progress.transitions,
        found.progress.depth,
        found.seconds,
        found.memory_bytes,
        is_complete(found, options),
        found.store_bytes,
    )
    judged = properties(program, found, traces, options, safety_only)
    return Result(
        overall(judged),
        judged,
        statistics,
        used,
        "none",
        traces,
        (*said, *notes(program, found)),
        unreached(program, found.reached),
    )


def _explore(
    program: Program, engine: str, options: Options, native: NativeOptions
) -> tuple[Exploration, str, tuple[str, ...]]:
    """What the search found, by which engine, and why not by the one that was expected."""
    for name, value, known in (("engine", engine, ENGINES), ("store", native.store, STORES)):
        if value not in known:
            hint = f"it is one of: {', '.join(known)}"
            raise WhorlError(Diagnostic("error", f"unknown {name} '{value}'", None, hint))
    if engine == "reference":
        return explore(reference_semantics(program), options), "reference", ()
    reason = unsupported(program)
    compiler = None
    if reason is None:
        reference_semantics(program)  # refuses what cannot start
        compiler = find_compiler()
        if compiler is not None:
            return explore_native(program, options, native, compiler), "native", ()
        reason = "there is no C compiler (install one, or pip install whorl[zig])"
    if engine == "native" or native.store not in ("auto", "exact"):
        raise WhorlError(
            Diagnostic("error", f"the native engine cannot run this: {reason}", program.embedded)
        )
    said = f"the reference engine ran, which is slow: {reason}"
    return explore(reference_semantics(program), options), "reference", (said,)


def reference_semantics(program: Program, verbose: bool = False) -> Semantics:
    """The reference semantics of a program.

    WhorlError if it has embedded C, or if its variables cannot take their initial values.
    """
    if program.embedded is not None:
        raise WhorlError.at(
            program.embedded,
            "this model has embedded C, which whorl cannot run yet",
            "c_code, c_expr, c_decl, c_state and c_track are read, but not executed",
        )
    semantics = Semantics(program, verbose)
    try:
        semantics.initial()
    except Fault as fault:
        raise WhorlError.at(fault.span, f"the model cannot start: {fault.message}") from None
    return semantics
