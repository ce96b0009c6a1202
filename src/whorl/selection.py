"""Which properties a check looks at: those asked for or, if none were, all of the model's."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from whorl import deadline
from whorl.diagnostics import Diagnostic, WhorlError, suggest
from whorl.language.formula import Formula, Op
from whorl.program.program import Expr, LtlProperty, Program
from whorl.property.automaton import full
from whorl.property.claim import Claim
from whorl.property.labels import NON_PROGRESS, acceptance, non_progress


@dataclass(frozen=True, slots=True)
class Wanted:
    """What was asked for by name. Nothing: everything that the model itself asks for."""

    safety: bool = False
    formulas: tuple[str, ...] = ()  # names of formulas that were given beside the model
    claims: tuple[str, ...] = ()  # names of the model's ltl blocks and never claims
    automata: tuple[Claim, ...] = ()
    acceptance: bool = False
    non_progress: bool = False

    @property
    def nothing(self) -> bool:
        return self == Wanted()


@dataclass(frozen=True, slots=True)
class WantedSearches:
    """The searches to do: one for safety, if it is wanted, and one for each claim."""

    safety: bool
    claims: tuple[Claim, ...]

    def notes(self, program: Program, about_runs: bool) -> Iterator[str]:
        """What a user may not have meant; `about_runs`: an option is about infinite runs."""
        if about_runs and not self.claims:
            yield "which infinite runs count, and how to look for cycles, has no bearing on safety"
        labelled = any(process.progress_locations for process in program.processes)
        if not labelled and any(claim.kind == NON_PROGRESS for claim in self.claims):
            yield "the model has no progress label, so every cycle is one without progress"


def select(program: Program, wanted: Wanted) -> WantedSearches:
    return WantedSearches(wanted.safety or wanted.nothing, tuple(_claims(program, wanted)))


def _claims(program: Program, wanted: Wanted) -> Iterator[Claim]:
    names = [formula.name for formula in program.formulas] + [n.name for n in program.never]
    for name in wanted.claims:
        if name not in names:
            hint = suggest(name, names) or (
                f"it has: {', '.join(names)}" if names else "it has no ltl block and no never claim"
            )
            raise WhorlError(Diagnostic("error", f"the model has no claim '{name}'", None, hint))
    for formula in program.formulas:
        if wanted.nothing or formula.name in (*wanted.formulas, *wanted.claims):
            from whorl.property.coarse import within_limit  # see ltl_claim

            yield from map(ltl_claim, within_limit(formula))
    for never in program.never:
        if wanted.nothing or never.name in wanted.claims:
            from whorl.property.from_never import from_never  # see ltl_claim

            yield from_never(program, never)
    yield from wanted.automata
    has_accept = any(process.accept_locations for process in program.processes)
    if wanted.acceptance or (wanted.nothing and has_accept):
        if not has_accept:
            raise _no_label("accept", "no state is accepting, so there is nothing to look for")
        yield acceptance()
    if wanted.non_progress:
        yield non_progress()


def ltl_claim(given: LtlProperty) -> Claim:
    """The claim that looks for a run which does not satisfy a formula of the model."""
    names = given.formula.propositions
    return formula_claim(given.name, given.formula, given.atoms, given.text, names)


def formula_claim(
    name: str, formula: Formula, atoms: tuple[Expr, ...], text: str, propositions: tuple[str, ...]
) -> Claim:
    """The claim that looks for a run which does not satisfy a formula."""
    from whorl.property.translate import translate  # most models need none: loading it takes time

    with deadline.phase(f"translating the formula of {name}"):
        automaton = translate(Formula(Op.NOT, (formula,)), propositions)
    everything = full(len(automaton.propositions))
    ends = frozenset(
        state
        for state in automaton.accepting
        if [(edge.target, edge.label) for edge in automaton.edges[state]] == [(state, everything)]
    )
    return Claim(name, "ltl", automaton, atoms, ends, formula=formula, text=text)


def _no_label(word: str, why: str) -> WhorlError:
    return WhorlError(Diagnostic("error", f"the model has no {word} label: {why}"))
