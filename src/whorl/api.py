"""The Python interface: load a model, check it.

    import whorl

    result = whorl.check("model.pml")
    assert result.verdict == "holds", result.trace

The command line is made of the same two functions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Never

from whorl import deadline
from whorl.diagnostics import Diagnostic, Reporter, Source, WhorlError
from whorl.engines import cluster_of, reference_semantics, search
from whorl.files import read_text
from whorl.findings import Findings
from whorl.given import macros, paths, texts, valid_options
from whorl.memory import Allowance, default_limit
from whorl.native.compiler import find_compiler
from whorl.native.embedded.embedding import allow_embedded
from whorl.native.gpu.fitting import fitted
from whorl.native.series import Series
from whorl.options import KEYWORDS
from whorl.program.embedded import Embedded
from whorl.program.lower import lower
from whorl.program.program import Program
from whorl.program.semantics import Semantics
from whorl.promela.frontend import analyse
from whorl.property.claim import Claim
from whorl.reduction.exclusive import broken_declarations
from whorl.reduction.schemes import asked_reduction
from whorl.search.exploration import Options
from whorl.search.limits import INTERRUPTED, Limits, Progress, about
from whorl.selection import Wanted, WantedSearches, select
from whorl.spelling import in_python, refuse_keyword, speak_python
from whorl.task import ClusterOptions, NativeOptions, Task
from whorl.trace.replay import ReplayError
from whorl.verdict import INCONCLUSIVE, Property, Result, Statistics

if TYPE_CHECKING:
    from whorl.property.binding import UnboundAutomaton


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a model comes from: enough to read it again, beside other formulas."""

    source: Source
    base: Path | None
    defines: Mapping[str, str]
    include_dirs: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class Model:
    """A model that was read without errors; `given` names the formulas given beside it."""

    program: Program
    warnings: tuple[Diagnostic, ...]
    origin: Origin
    given: tuple[str, ...] = ()
    automata: tuple[Claim, ...] = ()  # from files that were given beside it

    @property
    def name(self) -> str:
        return self.program.source.name


def read(model: str | Path, name: str = "<text>") -> tuple[Source, Path | None]:
    """A model's text, as `load` takes it, and the folder that it lies in if it is a file's."""
    if not isinstance(model, str | Path):
        raise TypeError(f"{model!r} is no model: neither a Path nor text")
    if not isinstance(model, Path) and ("\n" in model or "{" in model):
        return Source(name, model), None
    path = Path(model)
    try:
        return Source(str(path), read_text(path)), path.parent
    except (OSError, ValueError) as error:  # ValueError: a null character in the name
        reason = (isinstance(error, OSError) and error.strerror) or str(error)
        raise WhorlError(Diagnostic("error", f"cannot read '{path}': {reason}")) from None


def load(
    model: str | Path,
    *,
    defines: Mapping[str, str | int] | None = None,
    include_dirs: str | Path | Sequence[str | Path] = (),
    name: str = "<text>",
    ltl: str | Sequence[str] = (),
    hoa: str | Path | Sequence[str | Path] = (),
) -> Model:
    """Reads a model: a Path or a string that names a file, or a string that is Promela text.

    A string with a line break or a brace is text; `name` is then what diagnostics call it. `ltl`
    are formulas that must hold, as if the model had an ltl block for each. `hoa` are files of
    automata that accept the runs that are wrong; their propositions are Promela expressions.
    Raises WhorlError, which has every error found, where the model has any.
    """
    source, base = read(model, name)
    folders = paths("include_dirs", include_dirs)
    origin = Origin(source, base, macros(defines), folders)
    return _load(origin, texts("ltl", ltl), paths("hoa", hoa))


def _foreign(files: tuple[Path, ...]) -> list[UnboundAutomaton]:
    if not files:
        return []
    from whorl.property.binding import UnboundAutomaton  # loaded here, as it takes time

    return [UnboundAutomaton.read(path) for path in files]


def _load(origin: Origin, ltl: tuple[str, ...], hoa: tuple[Path, ...]) -> Model:
    reporter = Reporter()
    given = tuple(f"formula_{n}" if n > 1 else "formula" for n in range(1, len(ltl) + 1))
    formulas = [(name, Source("<formula>", text)) for name, text in zip(given, ltl, strict=True)]
    automata = _foreign(hoa)
    resolved = analyse(
        origin.source,
        reporter,
        defines=origin.defines,
        include_dirs=origin.include_dirs,
        base=origin.base,
        formulas=[*formulas, *(part for foreign in automata for part in foreign.formulas())],
    )
    with deadline.phase("analysing the model"):
        program = lower(resolved, origin.source, reporter)
    reporter.raise_if_errors()
    if program.embedded is not None:
        base = () if origin.base is None else (origin.base,)
        embedded = replace(program.embedded, folders=(*base, *origin.include_dirs))
        program = replace(program, embedded=embedded)
    with deadline.phase("reading the automata"):
        claims = tuple(foreign.claim(program) for foreign in automata)
    names = {name for foreign in automata for name, _ in foreign.formulas()}
    own = tuple(formula for formula in program.formulas if formula.name not in names)
    with deadline.phase("analysing the model"):
        warnings = (*reporter.warnings, *broken_declarations(program))
    return Model(replace(program, formulas=own), warnings, origin, given, claims)


def check(
    model: Model | str | Path,
    *,
    defines: Mapping[str, str | int] | None = None,
    include_dirs: str | Path | Sequence[str | Path] = (),
    allow_embedded_c: bool = False,
    no_cache: bool = False,
    safety: bool = False,
    ltl: str | Sequence[str] = (),
    claim: str | Sequence[str] = (),
    hoa: str | Path | Sequence[str | Path] = (),
    acceptance: bool = False,
    non_progress: bool = False,
    assertions: bool = True,
    end_states: bool = True,
    fair: bool = False,
    infinite_runs: bool = False,
    shortest: bool = False,
    all_errors: bool = False,
    engine: str = "auto",
    store: str = "auto",
    bits: int | None = None,
    threads: int | None = None,
    cluster: str | bool | None = None,
    workers: int | None = None,
    checkpoint: str | Path | None = None,
    resume: str | Path | None = None,
    max_states: int | None = None,
    max_depth: int | None = None,
    timeout: float | None = None,
    memory: int | str | None = None,
    shorten: bool = True,
    explain: bool = False,
    vacuity: bool = False,
    witness: bool = False,
    report: Callable[[Progress], None] | None = None,
    por: str = "auto",
    cache: str = "all",
    candidates: str | None = None,
    keep: str = "number",
    process_order: str | None = None,
    algorithm: str = "auto",
    audit: bool = False,
    merge: bool = True,
    **unknown: Never,
) -> Result:
    """Checks a model: that it is safe, and that every run satisfies its LTL formulas and claims.

    By default everything that the model asks for is checked: safety (assertions, end states,
    bounds, divisions, channels), its ltl blocks, never claims and accept labels. `safety`, `ltl`,
    `claim`, `hoa`, `acceptance` and `non_progress` say what to check instead.

    Each keyword is the option of `whorl check` with that name, and means the same: `no_cache=True`
    is `--no-cache`, `merge=False` is `--no-merge`. `whorl.options` has all of them, and so has
    docs/reference/api.md.

    Raises WhorlError for a model with errors and for options that do not go together, TypeError and
    ValueError for a value that an option cannot have.
    """
    values = locals()
    for name in unknown:
        raise refuse_keyword(name)
    try:
        asked = valid_options({name: values[name] for name in KEYWORDS})
        result = run(GivenModel(model, asked.ltl, asked.hoa, defines, include_dirs).model, asked)
    except WhorlError as error:
        speak_python(error)
        raise
    notes, advice = (tuple(map(in_python, said)) for said in (result.notes, result.advice))
    return replace(result, notes=notes, advice=advice)


def run(load_model: Callable[[], Model], asked: SimpleNamespace) -> Result:
    """A check with options of `given.valid_options`. What it says spells them as flags."""
    with deadline.within(asked.timeout):
        try:
            model = load_model()
            if asked.allow_embedded_c:
                model = allow(model, cached=not asked.no_cache)
            selection = select(model.program, _wanted(model, asked))
            semantics = reference_semantics(model.program)
            tasks = tasks_of(semantics, selection, asked)
            if asked.cluster is not None:
                tasks = order_free(tasks)
            if asked.engine == "gpu":
                tasks = fitted(tasks, asked.audit)
        except deadline.TimeUp as up:
            return nothing_checked(str(up))
        findings = Findings(model.program, asked.shorten and not asked.shortest, asked.explain)
        about_runs = asked.fair or asked.infinite_runs or asked.algorithm != "auto"
        findings.notes += selection.notes(model.program, about_runs)
        series = Series(semantics, tasks)
        with cluster_of(tasks):
            result = _Check(tasks, series, asked.engine, asked.audit, findings).result()
        if result.verdict == INCONCLUSIVE:
            return _advised(result, findings, len(tasks), model.origin.defines)
        if not (asked.vacuity or asked.witness):
            return result
        from whorl.understanding import understood  # few ask for it

        wanted = {"with_vacuity": asked.vacuity, "with_witness": asked.witness}
        return understood(result, tasks, findings, asked.engine, **wanted)


def _advised(
    result: Result, findings: Findings, searches: int, defines: Mapping[str, str]
) -> Result:
    """The result with what to try next."""
    from whorl.advice import Unfinished, advice, seen  # most searches finish

    unfinished = [Unfinished(*each) for each in findings.unfinished]
    came = tuple(said for each in unfinished if (said := seen(each)) is not None)
    next_ = advice(unfinished, searches, defines)
    return replace(result, notes=(*result.notes, *came), advice=next_)


def tasks_of(
    semantics: Semantics, selection: WantedSearches, asked: SimpleNamespace
) -> tuple[Task, ...]:
    """The searches of a check, as they are asked for."""
    memory = default_limit() if asked.memory is None else Allowance(asked.memory)
    limits = Limits(asked.max_states, asked.max_depth, asked.timeout).with_memory(memory)
    options = Options(
        asked.assertions,
        asked.end_states,
        asked.shortest,
        asked.all_errors,
        limits,
        asked.report,
        asked.algorithm,
        asked.fair,
        asked.infinite_runs,
    )
    native = NativeOptions(
        asked.store,
        asked.bits,
        asked.merge,
        threads=asked.threads,
        cached=not asked.no_cache,
        cluster=_cluster(asked),
    )
    reduction = asked_reduction(
        asked.por, asked.cache, asked.candidates, asked.keep, asked.process_order
    )
    claims = [*([None] if selection.safety else []), *selection.claims]
    tasks = [Task(semantics, claim, options, native, reduction) for claim in claims]
    if len(tasks) == 1:
        return tuple(tasks)
    return tuple(
        replace(task, options=replace(options, report=about(said, options.report)))
        for number, task in enumerate(tasks, 1)
        for said in [f"{task.name} ({number} of {len(tasks)})"]
    )


def _cluster(asked: SimpleNamespace) -> ClusterOptions | None:
    if asked.cluster is None:
        return None
    return ClusterOptions(asked.cluster, asked.workers, asked.checkpoint, asked.resume)


def order_free(tasks: tuple[Task, ...]) -> tuple[Task, ...]:
    """The tasks as workers can do them: what they find does not depend on who comes first."""
    from whorl.native.cluster.engine import planned  # few ask for it

    return tuple(map(planned, tasks))


def _wanted(model: Model, asked: SimpleNamespace) -> Wanted:
    return Wanted(
        asked.safety,
        model.given,
        asked.claim,
        model.automata,
        asked.acceptance,
        asked.non_progress,
    )


@dataclass(frozen=True, slots=True)
class GivenModel:
    """What to check, as it was given."""

    what: Model | str | Path
    formulas: tuple[str, ...]
    files: tuple[Path, ...]
    defines: Mapping[str, str | int] | None
    include_dirs: str | Path | Sequence[str | Path]

    def model(self) -> Model:
        what, formulas, files = self.what, self.formulas, self.files
        if not isinstance(what, Model):
            folders = self.include_dirs
            return load(what, defines=self.defines, include_dirs=folders, ltl=formulas, hoa=files)
        if self.defines or self.include_dirs:
            raise TypeError("defines and include_dirs are for a model that is not loaded yet")
        return _load(what.origin, formulas, files) if formulas or files else what


def nothing_checked(why: str) -> Result:
    """The result where the time was over before it was known what to check."""
    nothing = Statistics(0, 0, 0, 0.0, 0, complete=False)
    said = Property("model", "time", INCONCLUSIVE, why)
    return Result(INCONCLUSIVE, (said,), nothing, "none", "none")


@dataclass(frozen=True, slots=True)
class _Check:
    """The tasks of a check, done one after the other."""

    tasks: tuple[Task, ...]
    series: Series
    engine: str
    audited: bool
    findings: Findings

    def result(self) -> Result:
        findings, interrupted = self.findings, False
        for task in self.tasks:
            try:
                if interrupted:
                    findings.skip(task, INTERRUPTED)
                else:
                    interrupted = self._search(task)
            except deadline.TimeUp as up:
                findings.skip(task, str(up))
        return findings.result()

    def _search(self, task: Task) -> bool:
        """Does one of them; whether it was interrupted."""
        report = task.options.report
        if len(self.tasks) > 1 and report is not None:
            report(Progress())
        with goes_again(task):
            searched = search(task, self.engine, self.series)
            self.findings.add(task, searched)
        if self.audited and not searched.exploration.interrupted:
            from whorl.audit.check import audit  # few ask for it

            try:
                with deadline.phase("auditing"):
                    said = audit(task, searched.engine)
                self.findings.audit(task, said)
            except deadline.TimeUp as up:
                self.findings.notes.append(f"the audit was not done: {up}")
        return searched.exploration.interrupted


@contextmanager
def goes_again(task: Task) -> Iterator[None]:
    """WhorlError where the C of the model makes of a counterexample another run."""
    try:
        yield
    except ReplayError:
        embedded = task.program.embedded
        if embedded is None:
            raise
        raise _depends_on_more(embedded) from None


def _depends_on_more(embedded: Embedded) -> WhorlError:
    return WhorlError.at(
        embedded.span,
        "a counterexample was found, but going the same way again shows something else: what"
        " the C of this model does depends on data that is no part of the state",
        "c_state and c_track make data part of the state",
    )


def allow(model: Model, cached: bool = True) -> Model:
    """The model with its embedded C, if it has any, ready to run: code that came with the model."""
    if model.program.embedded is None:
        return model
    return replace(model, program=allow_embedded(model.program, find_compiler(cached)))
