"""Judges a configuration: whether what it stores of a program has lost anything.

For safety that means the same failing steps, the same states in which nothing can move and the same
statements executed. For a property of runs it means the same stutter traces over what the property
looks at; then not only this property but every stutter-invariant one over the same propositions has
the verdict of the full graph. A claim of one state that looks at them stands for all properties,
since a reduction that is a function of the program state does not depend on the automaton.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from whorl.audit.full import AuditedGraph, Full, TooLarge, View, full_graph
from whorl.audit.recorded import recorded_claim, recorded_safety
from whorl.audit.remembered import Remembered
from whorl.audit.stored import Problem, read, stored_graph
from whorl.audit.traces import Difference, Undecided, difference
from whorl.native.code.generate import Generated
from whorl.native.compiler import Compiler
from whorl.native.engine import store_graph
from whorl.program.program import Expr, Program
from whorl.program.semantics import Semantics, Step
from whorl.property.automaton import Buchi, Edge, full
from whorl.property.claim import Claim
from whorl.reduction.analysis import Analysis
from whorl.reduction.plan import Plan
from whorl.reduction.schemes import Reduction
from whorl.search.exploration import Options
from whorl.task import NativeOptions, Task

MOST_STATES = 20_000  # of the full graph
MOST_PAIRS = 200_000  # of sets of nodes
MOST_STEPS = 30  # that a message shows


def watching(atoms: Iterable[Expr], names: Iterable[str], *, accepts: bool = False) -> Claim:
    """A claim of one state that looks at these propositions, and accepts nothing by itself."""
    atoms, names = tuple(atoms), tuple(names)
    anything = Buchi(names, 0, ((Edge(full(len(atoms)), 0),),), frozenset())
    return Claim("audit", "audit", anything, atoms, program_accepts=accepts)


NOT_REDUCED = Reduction("none")


@dataclass(frozen=True, slots=True)
class Configuration:
    """One way to run a check. For `safety` nothing is visible; else what the claim looks at."""

    engine: str  # "native" or "reference"
    reduction: Reduction = NOT_REDUCED
    safety: bool = False
    merge: bool = True
    drop_dead: bool = True
    store: str = "auto"
    algorithm: str = "auto"
    shortest: bool = False
    stutters: bool = True  # the property cannot count steps, so local ones may be merged
    threads: int = 1  # of the native engine; several begin with the search

    def __str__(self) -> str:
        r = self.reduction
        words = [self.engine, "safety" if self.safety else "runs", r.scheme]
        words += ["selective"] if r.cache == "selective" else []
        words += ["any-order"] if r.order_free else []
        words += [r.rule.value] if r.rule is not None else []
        words += ["merging"] if self.merge and self.engine == "native" else []
        words += ["dead variables"] if self.drop_dead and self.engine == "native" else []
        words += [w for w in (self.store, self.algorithm) if w != "auto"]
        words += ["breadth-first"] if self.shortest else []
        words += [f"{self.threads} threads"] if self.threads > 1 else []
        return " ".join(words)

    def task(self, semantics: Semantics, claim: Claim) -> Task:
        """The search, of a program for a claim, that this is."""
        return Task(
            semantics,
            None if self.safety else claim,
            Options(all_errors=True, shortest=self.shortest, algorithm=self.algorithm),
            NativeOptions(
                store=self.store, merge=self.merge, drop_dead=self.drop_dead, threads=self.threads
            ),
            Plan(self.reduction),
            stutter_invariant=self.stutters,
        )


@dataclass(frozen=True, slots=True)
class Judgement:
    """What came of it: the numbers of states, and what is wrong, if anything is."""

    full: int
    stored: int
    problem: str | None = None
    lost: Difference | None = None  # as far as the problem is a trace that one of the graphs lacks


class Judge:
    """Compares configurations with the full graph of one program."""

    def __init__(
        self,
        program: Program,
        claim: Claim,
        compiler: Compiler | None,
        most: int = MOST_STATES,
        slots: tuple[int, ...] = (),
    ) -> None:
        self.program = program
        self.claim = claim
        self.compiler = compiler
        self.semantics = Remembered(program)
        self.view = View(self.semantics, claim, slots)
        self.most = most
        self._judged: dict[tuple[object, ...], Judgement] = {}  # what the native engine stored

    @cached_property
    def full(self) -> Full:
        """The full graph; TooLarge if there are too many states."""
        return full_graph(self.semantics, self.view, self.most)

    @cached_property
    def for_safety(self) -> Analysis:
        return Analysis(self.semantics)

    @cached_property
    def for_runs(self) -> Analysis:
        return Analysis(self.semantics, self.claim.atoms, self.claim.program_accepts)

    def task(self, how: Configuration) -> Task:
        return how.task(self.semantics, self.claim)

    def judge(self, how: Configuration) -> Judgement:
        """Whether a configuration keeps everything; TooLarge if that takes too long to decide."""
        if how.engine == "reference":
            return self._compared(how, self.recorded(how))
        generated, lines = self.native_graph(how)
        # What is the same to the letter, and is read in the same way, is judged once.
        key = how.safety, how.stutters, generated.merging.on, generated.kinds, lines
        known = self._judged.get(key)
        if known is None:
            known = self._judged[key] = self._of_native(how, generated, lines)
        return known

    def _of_native(self, how: Configuration, generated: Generated, lines: str) -> Judgement:
        try:
            audited = self.read(generated, lines)
        except Problem as problem:
            return Judgement(len(self.full.states), 0, str(problem))
        return self._compared(how, audited)

    def _compared(self, how: Configuration, audited: AuditedGraph) -> Judgement:
        states, kept = len(self.full.states), len(audited.graph)
        if how.safety:
            return Judgement(states, kept, _lost(self.full.found, audited))
        try:
            lost = difference(
                self.full.found.graph, audited.graph, stutters=how.stutters, most=MOST_PAIRS
            )
        except Undecided:
            raise TooLarge from None
        if lost is None:
            return Judgement(states, kept)
        return Judgement(states, kept, self.in_words(lost), lost)

    def stored(self, how: Configuration) -> AuditedGraph:
        """What a configuration stores; Problem if that is no graph of the program."""
        if how.engine == "reference":
            return self.recorded(how)
        return self.read(*self.native_graph(how))

    def recorded(self, how: Configuration) -> AuditedGraph:
        """What the reference engine walks."""
        if how.reduction.scheme == "none":
            return self.full.found
        options = self.task(how).options
        if how.safety:
            return recorded_safety(self.for_safety, self.view, how.reduction, options)
        graph = recorded_claim(self.for_runs, self.view, self.claim, how.reduction, options)
        return replace(AuditedGraph(), graph=graph)

    def native_graph(self, how: Configuration) -> tuple[Generated, str]:
        """What a verifier was generated from, and what it wrote of the graph that it stored."""
        assert self.compiler is not None
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "graph"
            generated, _ = store_graph(self.task(how), self.compiler, file, self.full.room)
            return generated, file.read_text()

    def read(self, generated: Generated, lines: str) -> AuditedGraph:
        """The graph that a verifier wrote; Problem if that is no graph of the program."""
        sources = read(lines.splitlines())
        return stored_graph(self.semantics, self.view, generated.merging, generated.kinds, sources)

    def in_words(self, lost: Difference) -> str:
        """What a difference is: a run that one of the graphs does not have."""
        whose = "lost" if lost.only_first else "made up"
        path = " ; ".join(map(self.label_in_words, lost.labels))
        words = f"a run was {whose}: {path} ; {lost.ends or '...'}"
        if not lost.only_first:
            return words
        steps = [_in_words(self.program, step) for step in self.full.run(lost)]
        return f"{words}; for example {', '.join(steps[:MOST_STEPS]) or 'at the start'}"

    def label_in_words(self, label: object) -> str:
        assert isinstance(label, tuple)
        letter, accepting, *others = label
        names = self.claim.automaton.propositions
        words = [name if letter >> i & 1 else f"!({name})" for i, name in enumerate(names)]
        words += ["accept"] if accepting else []
        words += [str(value) for value in others]
        return " & ".join(words) or "true"


def _in_words(program: Program, step: Step) -> str:
    return f"process {step.pid} line {step.transition.span.line} ({step.transition.text})"


def _lost(full: AuditedGraph, stored: AuditedGraph) -> str | None:
    """What a search for safety lost or made up."""
    for what, every, kept in (
        ("a failing step", full.failures, stored.failures),
        ("a state in which nothing can move", full.ends, stored.ends),
        ("a statement that is executed", full.taken, stored.taken),
    ):
        if every - kept:
            return f"{what} was lost: {sorted(every - kept, key=str)[0]}"
        if kept - every:
            return f"{what} was made up: {sorted(kept - every, key=str)[0]}"
    return None
