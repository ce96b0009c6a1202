"""The Python interface: load a model, check it.

    import whorl

    result = whorl.check("model.pml")
    assert result.verdict == "holds", result.trace

The command line is made of the same two functions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from whorl import deadline
from whorl.conclude import (
    claim_property,
    failures_met,
    is_complete,
    notes,
    safety_properties,
)
from whorl.diagnostics import Diagnostic, Reporter, Source, WhorlError
from whorl.engines import search
from whorl.given import macros, paths, seconds, texts, whole_number
from whorl.memory import Allowance, default_limit
from whorl.native.compiler import find_compiler
from whorl.native.embedding import allow_embedded
from whorl.native.engine import NativeOptions
from whorl.program.embedded import Embedded
from whorl.program.lower import lower
from whorl.program.program import Program
from whorl.program.semantics import Semantics
from whorl.promela.frontend import analyse
from whorl.property.claim import Claim
from whorl.reduction.exclusive import broken_declarations
from whorl.reduction.plan import NONE, Plan
from whorl.reduction.schemes import Reduction, asked_reduction
from whorl.search.coverage import unreached
from whorl.search.exploration import Exploration, Options, Violation, settled_algorithm
from whorl.search.limits import Limits, Progress, about
from whorl.searches import Searches
from whorl.selection import Selection, Wanted, select
from whorl.trace.replay import REPLAY_GRACE, REPLAYING, ReplayError, replay
from whorl.trace.shorten import Run, shortened
from whorl.trace.trace import Trace
from whorl.verdict import (
    HOLDS,
    INCONCLUSIVE,
    Property,
    Result,
    Search,
    Statistics,
    overall,
    together,
)

if TYPE_CHECKING:
    from whorl.audit.check import Audit
    from whorl.property.binding import Foreign


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
        return Source(str(path), path.read_text(encoding="utf-8", errors="replace")), path.parent
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


def _foreign(files: tuple[Path, ...]) -> list[Foreign]:
    if not files:
        return []
    from whorl.property.binding import Foreign  # loaded where it is needed, as it takes time

    return [Foreign.read(path) for path in files]


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
    ltl: str | Sequence[str] = (),
    claim: str | Sequence[str] = (),
    hoa: str | Path | Sequence[str | Path] = (),
    acceptance: bool = False,
    non_progress: bool = False,
    safety: bool = False,
    fair: bool = False,
    infinite_only: bool = False,
    algorithm: str = "auto",
    por: str = "auto",
    cache: str = "all",
    candidates: str | None = None,
    keep: str = "number",
    audit: bool = False,
    engine: str = "auto",
    assertions: bool = True,
    end_states: bool = True,
    shortest: bool = False,
    all_errors: bool = False,
    max_states: int | None = None,
    max_depth: int | None = None,
    timeout: float | None = None,
    memory_bytes: int | None = None,
    store: str = "auto",
    bits: int | None = None,
    merge: bool = True,
    shorten: bool = True,
    no_cache: bool = False,
    allow_embedded_c: bool = False,
    defines: Mapping[str, str | int] | None = None,
    include_dirs: str | Path | Sequence[str | Path] = (),
    report: Callable[[Progress], None] | None = None,
) -> Result:
    """Checks a model: that it is safe, and that every run satisfies its LTL formulas and claims.

    Safety is assertions, end states, bounds, divisions, channels. By default everything that the
    model asks for is checked: safety, its ltl blocks, its never claims, its accept labels. To check
    only some of it, or something else, say what: formulas with `ltl`, ltl blocks and never claims
    by name with `claim`, automata of wrong runs in HOA files with `hoa`, accept labels with
    `acceptance`, cycles without progress with `non_progress`, safety with `safety`.

    With `fair`, only runs count in which no process waits for ever although it could always move.
    A run that stops is taken to stay where it is for ever, unless `infinite_only` leaves such runs
    out. `algorithm` chooses how cycles are searched for.

    `por` chooses the partial-order reduction by its name: "none", "static", "two-phase" (`cache`
    says which states these store, "all" or "selective"), "two-phase-ample", "v0", "v1", "si",
    "dfs_po" and, for safety alone, "persistent". "auto" takes "two-phase-ample" wherever a
    reduction is sound for the property. One that is not sound is used where it is asked for, and
    then the verdict is not "holds". `audit` compares what each search stored with the full graph of
    the reference semantics, on models of up to 20,000 states: whether anything was lost.

    A search stops at the first violation, or with `all_errors` goes on and gives a trace for each.
    `shortest` searches by length, so that a safety trace is as short as any; otherwise a trace is
    the run that was found, without steps that have nothing to do with what it shows, unless
    `shorten` is off. A limit that is hit
    makes the result inconclusive unless a violation was found; that of memory is 80 % of what is
    free unless `memory_bytes` sets another. `report` is called with the figures so far every now
    and then, and when a verifier has to be compiled.

    The native engine stores states exactly: as they are, or, where they are large, as shared trees
    (`store` may ask for "exact" or "tree"); or approximately, with `store` as "compact" or
    "bitstate" (`bits` sets the size). It takes local steps that nobody
    can notice together with the step before them, unless `merge` is off.

    Compiled verifiers are kept for another time unless `no_cache` says otherwise. `timeout` is for
    all of it: reading the model, translating formulas, compiling, searching, replaying.

    A model with embedded C is refused unless `allow_embedded_c` says that its code may run here.
    """
    limits = Limits(
        whole_number("max_states", max_states),
        whole_number("max_depth", max_depth),
        seconds("timeout", timeout),
        timeout=timeout,
    )
    memory = whole_number("memory_bytes", memory_bytes)
    limits = limits.with_memory(default_limit() if memory is None else Allowance(memory))
    bits = whole_number("bits", bits)
    given = _Given(model, texts("ltl", ltl), paths("hoa", hoa), defines, include_dirs)
    claims = texts("claim", claim)
    options = Options(
        assertions, end_states, shortest, all_errors, limits, report, algorithm, fair, infinite_only
    )
    native = NativeOptions(store, bits, merge, cached=not no_cache)
    asked = asked_reduction(por, cache, candidates, keep)
    with deadline.within(timeout):
        try:
            model = given.model()
            if allow_embedded_c:
                model = allow(model, cached=not no_cache)
            wanted = Wanted(safety, model.given, claims, model.automata, acceptance, non_progress)
            selection = select(model.program, wanted)
        except deadline.TimeUp as up:
            return _nothing_checked(str(up))
        return _Check(
            model.program, selection, engine, options, native, asked, audit, shorten
        ).result()


@dataclass(frozen=True, slots=True)
class _Given:
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


def _nothing_checked(why: str) -> Result:
    """The result where the time was over before it was known what to check."""
    nothing = Statistics(0, 0, 0, 0.0, 0, complete=False)
    said = Property("model", "time", INCONCLUSIVE, why)
    return Result(INCONCLUSIVE, (said,), nothing, "none", "none")


@dataclass(frozen=True, slots=True)
class _Check:
    """The searches of a check, one after the other."""

    program: Program
    selection: Selection
    engine: str
    options: Options
    native: NativeOptions
    asked: Reduction
    audited: bool
    shorten: bool

    def result(self) -> Result:
        options = self.options
        found = _Findings(self.program, self.shorten and not options.shortest)
        about_runs = options.fair or options.infinite_only or options.algorithm != "auto"
        found.notes += self.selection.notes(self.program, about_runs)
        claims = self.selection.claims
        tasks: list[Claim | None] = [*([None] if self.selection.safety else []), *claims]
        searches = Searches(self.program, claims, options, self.native, self.asked)
        interrupted = False
        for number, task in enumerate(tasks, 1):
            try:
                if interrupted:
                    found.skip(task, "it was interrupted", options)
                else:
                    place = f"{number} of {len(tasks)}" if len(tasks) > 1 else ""
                    interrupted = self._search(task, found, searches, place)
            except deadline.TimeUp as up:
                found.skip(task, str(up), options)
        return found.result()

    def _search(self, task: Claim | None, found: _Findings, searches: Searches, place: str) -> bool:
        """One search, at that place among all; whether it was interrupted."""
        program, options = self.program, self.options
        planned = searches.plan(task)
        left = found.remaining(options)
        if place:
            name = "safety" if task is None else task.name
            left = replace(left, report=about(f"{name} ({place})", options.report))
            if left.report is not None:
                left.report(Progress())
        try:
            outcome = search(program, task, self.engine, left, self.native, planned, searches)
            found.add(task, *outcome, options, planned)
        except ReplayError:
            if program.embedded is None:
                raise
            raise _depends_on_more(program.embedded) from None
        if self.audited and not outcome[0].interrupted:
            from whorl.audit.check import audit  # few ask for it

            try:
                with deadline.phase("auditing"):
                    said = audit(program, task, planned, options, self.native, outcome[1])
                found.audit(task, said)
            except deadline.TimeUp as up:
                found.notes.append(f"the audit was not done: {up}")
        return outcome[0].interrupted


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


class _Findings:
    """What the searches of a check have found so far."""

    def __init__(self, program: Program, shorten: bool) -> None:
        self.program = program
        self.shorten = shorten
        self.properties: list[Property] = []
        self.traces: list[Trace] = []
        self.searches: list[Search] = []
        self.notes: list[str] = []
        self.reached: set[int] | None = None
        self.engine = "none"
        self.complete = True
        self.schemes: list[str] = []
        self.seconds = 0.0

    def remaining(self, options: Options) -> Options:
        """The options with what is left of the time."""
        limits = options.limits
        if limits.seconds is None:
            return options
        left = max(limits.seconds - self.seconds, 0.001)
        of_command = deadline.left()
        if of_command is not None:
            left = max(min(left, of_command), 0.001)
        return replace(options, limits=replace(limits, seconds=left))

    def add(
        self,
        claim: Claim | None,
        found: Exploration,
        engine: str,
        said: tuple[str, ...],
        options: Options,
        planned: Plan,
    ) -> None:
        """Takes note of a search for safety, or for a run that a claim accepts."""
        traces = self._replayed(claim, found, options)
        statistics = Statistics(
            found.progress.states,
            found.progress.transitions,
            found.progress.depth,
            found.seconds,
            found.memory_bytes,
            is_complete(found, options),
            found.store_bytes,
        )
        reduction = planned.sentence
        if claim is None:
            self.properties += safety_properties(self.program, found, traces, options)
            self.searches.append(Search("safety", statistics, reduction))
            self.reached = found.reached
        else:
            self.properties.append(claim_property(claim, found, traces, options, planned))
            self.searches.append(
                Search(
                    claim.name,
                    statistics,
                    reduction,
                    settled_algorithm(options, engine),
                    len(claim.automaton.states),
                    claim.automaton.is_deterministic,
                )
            )
        self.traces += traces
        self.engine = engine
        self.schemes.append(planned.scheme)
        self.seconds += found.seconds_before + found.seconds
        self.notes += (*said, *notes(self.program, found))
        if self.reached is None:  # safety, which reports them, is not checked beside it
            self.notes += failures_met(self.program, found)
        if not planned.soundness.sound:
            self.notes.append(
                f"WARNING: the scheme {planned.scheme} is unsound here, and may miss violations:"
                f" {planned.soundness.reason}"
            )

    def trace(self, found: Violation, claim: Claim | None, fair: bool) -> Trace:
        """The counterexample in words, without what has nothing to do with it."""
        run = Run(found.choices, found.loop)
        if self.shorten:
            run = shortened(Semantics(self.program), found.kind, run, claim, fair, found.message)
        return replay(self.program, found.kind, run.choices, claim, run.loop, fair, found.message)

    def _replayed(
        self, claim: Claim | None, found: Exploration, options: Options
    ) -> tuple[Trace, ...]:
        """The runs that show what was found; where there is no time for that, nothing was."""
        if not found.violations:
            return ()
        try:
            with deadline.phase(REPLAYING, grace=REPLAY_GRACE):
                return tuple(self.trace(v, claim, options.fair) for v in found.violations)
        except deadline.TimeUp as up:
            found.stopped, found.violations = str(up), []
            return ()

    def skip(self, claim: Claim | None, why: str, options: Options) -> None:
        """Takes note of a search that did not come to an end, or not even to its beginning."""
        nothing = Exploration(stopped=why)
        self.complete = False
        if claim is None:
            self.properties += safety_properties(self.program, nothing, (), options)
        else:
            self.properties.append(claim_property(claim, nothing, (), options, NONE))

    def audit(self, claim: Claim | None, said: Audit) -> None:
        """Takes note of an audit; a verdict cannot rest on a search that lost something."""
        name = "safety" if claim is None else claim.name
        self.notes.append(f"audit of {name}: {said.words}")
        if said.problem is not None:
            why = f"the audit found a mistake of ours: {said.problem}"
            self.properties = [
                replace(p, verdict=INCONCLUSIVE, why=why) if p.verdict == HOLDS else p
                for p in self.properties
            ]

    def result(self) -> Result:
        judged = tuple(self.properties)
        figures = together(tuple(search.statistics for search in self.searches))
        return Result(
            overall(judged),
            judged,
            figures if self.complete else replace(figures, complete=False),
            self.engine,
            ", ".join(dict.fromkeys(self.schemes)) or "none",
            tuple(self.traces),
            tuple(dict.fromkeys(self.notes)),
            () if self.reached is None else unreached(self.program, self.reached),
            tuple(self.searches),
        )
