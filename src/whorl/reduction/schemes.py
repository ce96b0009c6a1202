"""All schemes by name: which one to take, whether it is sound, and the graph that it leaves.

`auto` takes `two-phase-ample`: it is sound for every stutter-invariant property, needs no stack,
and stores the fewest states (docs/decisions/0017). Where no scheme is sound `auto` takes none.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from whorl.diagnostics import Diagnostic, WhorlError, suggest
from whorl.property.claim import Claim
from whorl.reduction import (
    dfs_po,
    persistent,
    persistent_sleep,
    pv,
    si,
    sleep,
    static,
    two_phase,
    two_phase_ample,
    v0,
    v1,
)
from whorl.reduction.analysis import Analysis
from whorl.reduction.candidates import ProcessOrder, Rule
from whorl.reduction.product import ReducedByStack, ReducedByState, ReducedByWay, SelectivelyCached
from whorl.reduction.scheme import (
    ByStack,
    OwnSearch,
    PropertyFacts,
    Scheme,
    SelectiveScheme,
    SleepSets,
    Soundness,
    StateScheme,
    Use,
    refused,
)
from whorl.reduction.stack import Choosing, Keep
from whorl.search.product import Product

SCHEMES: dict[str, Scheme] = {
    module.SCHEME.name: module.SCHEME
    for module in (
        two_phase_ample,
        static,
        two_phase,
        v0,
        v1,
        si,
        dfs_po,
        persistent,
        pv,
        sleep,
        persistent_sleep,
    )
}
DEFAULT = two_phase_ample.SCHEME
NOTHING = Soundness(True, "nothing is left out")
CACHES = ("all", "selective")
CANDIDATES = tuple(rule.value for rule in Rule)
KEEPS = tuple(keep.value for keep in Keep)
PROCESS_ORDERS = tuple(order.value for order in ProcessOrder)
OLD_NAMES = {
    "combined": "it is called two-phase-ample: the literature's combined algorithm is v0",
    "proviso": "for formulas it is called dfs_po, for safety persistent",
}


def names() -> tuple[str, ...]:
    """What a user may ask for."""
    return ("auto", "none", *SCHEMES)


def scheme_of(name: str) -> Scheme:
    """The scheme of this name."""
    if name not in SCHEMES:
        hint = (
            OLD_NAMES.get(name) or suggest(name, names()) or f"it is one of: {', '.join(names())}"
        )
        raise WhorlError(Diagnostic("error", f"unknown reduction scheme '{name}'", None, hint))
    return SCHEMES[name]


@dataclass(frozen=True, slots=True)
class Reduction:
    """What was asked for: a scheme by name, and how it is to be carried out."""

    scheme: str = "auto"
    cache: str = "all"  # which states are stored: of some schemes not all
    keep: Keep = Keep.NUMBER  # of those that look at the stack: what the second search is told
    rule: Rule | None = None  # which sets of processes are tried; None: those of the scheme
    order: ProcessOrder = ProcessOrder.DESCENDING  # in which processes are, where one at a time is
    order_free: bool = (
        False  # for safety, what is stored must not depend on the order of the search
    )

    def __post_init__(self) -> None:
        if self.cache not in CACHES:
            raise _unknown("reduction cache", self.cache, CACHES)
        scheme = self.named
        if self.rule is not None and (scheme is None or scheme.rule is None):
            with_rule = ", ".join(s.name for s in SCHEMES.values() if s.rule is not None)
            hint = f"take it with a scheme by its name: {with_rule}"
            message = f"the scheme '{self.scheme}' does not try sets of processes by a rule"
            raise WhorlError(Diagnostic("error", message, None, hint))
        asks_all = scheme is not None and scheme.formulas is None and self.cache == "all"
        if self.rule is Rule.SAFE and not (asks_all or looks_at_stack(self.scheme)):
            hint = f"these do: {', '.join(filter(looks_at_stack, SCHEMES))}"
            message = f"the scheme '{self.scheme}' does not know what is safe as the paper has it"
            raise WhorlError(Diagnostic("error", message, None, hint))
        caches = CACHES if self.scheme == "auto" else ("all",) if scheme is None else scheme.caches
        if self.cache not in caches:
            selective = ", ".join(s.name for s in SCHEMES.values() if "selective" in s.caches)
            message = f"the scheme '{self.scheme}' has no selective caching"
            raise WhorlError(Diagnostic("error", message, None, f"these have: {selective}"))

    @property
    def named(self) -> Scheme | None:
        """The scheme, if there is one by this name already."""
        return None if self.scheme in ("auto", "none") else scheme_of(self.scheme)

    @property
    def depends_on_order(self) -> bool:
        """Whether the order matters in which processes are tried."""
        scheme = self.named
        if scheme is None or scheme.formulas is None:
            return False
        if isinstance(scheme.formulas.reference, OwnSearch):
            return True
        return looks_at_stack(scheme.name) and self.rule_of(scheme).is_of_one

    def rule_of(self, scheme: Scheme) -> Rule:
        return self.rule or scheme.rule or Rule.COMPONENT

    def leaves_out(self, use: Use) -> bool:
        """Whether states are left out that have a single successor anyway."""
        return use.selective or self.cache == "selective"


def _unknown(what: str, value: str, known: tuple[str, ...]) -> WhorlError:
    hint = f"it is one of: {', '.join(known)}"
    return WhorlError(Diagnostic("error", f"unknown {what} '{value}'", None, hint))


def asked_reduction(
    scheme: str,
    cache: str = "all",
    candidates: str | None = None,
    keep: str = "number",
    process_order: str | None = None,
) -> Reduction:
    """A Reduction by the words that users have for it."""
    if candidates is not None and candidates not in CANDIDATES:
        raise _unknown("way to find candidates", candidates, CANDIDATES)
    if keep not in KEEPS:
        raise _unknown("way to keep a choice", keep, KEEPS)
    if process_order is not None and process_order not in PROCESS_ORDERS:
        raise _unknown("order of processes", process_order, PROCESS_ORDERS)
    rule = None if candidates is None else Rule(candidates)
    order = ProcessOrder.DESCENDING if process_order is None else ProcessOrder(process_order)
    reduction = Reduction(scheme, cache, Keep(keep), rule, order)
    if reduction.keep is not Keep.NUMBER and scheme not in filter(looks_at_stack, SCHEMES):
        hint = f"these do: {', '.join(filter(looks_at_stack, SCHEMES))}"
        message = f"the scheme '{scheme}' does not look at the stack, so there is nothing to keep"
        raise WhorlError(Diagnostic("error", message, None, hint))
    if process_order is not None and not reduction.depends_on_order:
        of_one = ", ".join(rule.value for rule in Rule if rule.is_of_one)
        looking = ", ".join(s for s in SCHEMES if looks_at_stack(s))
        own = ", ".join(s for s in SCHEMES if Reduction(s).depends_on_order)
        hint = f"these do: {own}; with --candidates {of_one}: {looking}"
        message = f"the scheme '{scheme}' does not try one process after the other"
        raise WhorlError(Diagnostic("error", message, None, hint))
    return reduction


def for_formulas(name: str) -> Use:
    """How a scheme is used for formulas."""
    use = scheme_of(name).formulas
    if use is None:
        message = f"the scheme '{name}' is for safety alone, and may lose a cycle"
        raise WhorlError(
            Diagnostic("error", message, None, "check safety alone (--safety), or leave out --por")
        )
    return use


def for_safety(name: str, *, order_free: bool = False) -> tuple[str, Use]:
    """How a scheme is used for safety, and which one that is: there is no automaton on which those
    that look at it could differ.
    """
    scheme = scheme_of(name)
    if isinstance(scheme.safety, str):
        return for_safety(scheme.safety, order_free=order_free)
    return name, (order_free and scheme.order_free) or scheme.safety


def facts_of(claim: Claim, fair: bool = False) -> PropertyFacts:
    """What the schemes ask about a claim."""
    from whorl.property.normal_form import is_si_normal_form  # safety needs neither

    automaton = claim.automaton
    return PropertyFacts(
        stutters(claim),
        automaton.is_deterministic,
        not claim.program_accepts and is_si_normal_form(automaton),
        fair,
        claim.program_accepts,
    )


def stutters(claim: Claim) -> bool:
    """Whether a run that a claim accepts is still accepted where letters are repeated or left out.

    A formula without X is stutter-invariant (Lamport); of anything else it is decided.

    Where accept labels of processes count, being at one is part of a letter. A run that comes to
    them for ever is accepted if the claim has any infinite run on it, and every other one if the
    automaton accepts it. So both languages have to be stutter-invariant. That is also enough: runs
    that are stutter-equivalent come both to accept labels for ever, or neither does.
    """
    from whorl.property.stutter import is_stutter_invariant

    if claim.formula is not None and not claim.formula.has_next:
        return True
    automaton = claim.automaton
    if not is_stutter_invariant(automaton):
        return False
    if not claim.program_accepts:
        return True
    return is_stutter_invariant(replace(automaton, accepting=frozenset(automaton.states)))


def use_of(reduction: Reduction, *, for_runs: bool) -> tuple[str, Use]:
    """How a scheme is used for formulas (`for_runs`) or for safety, and which one that is."""
    if for_runs:
        return reduction.scheme, for_formulas(reduction.scheme)
    return for_safety(reduction.scheme, order_free=reduction.order_free)


def resolve(scheme: str, facts: PropertyFacts) -> str:
    """The scheme that a name stands for: `auto` stands for one that is sound, or for none."""
    if scheme != "auto":
        return scheme
    return "none" if refused(facts) else DEFAULT.name


def soundness(scheme: str, facts: PropertyFacts) -> Soundness:
    """Whether a scheme, by its name, keeps the verdict of a formula; and why."""
    scheme = resolve(scheme, facts)
    return NOTHING if scheme == "none" else for_formulas(scheme).soundness(facts)


def has_own_search(reduction: Reduction, *, for_runs: bool) -> bool:
    """Whether a scheme is a search of its own."""
    if reduction.scheme == "none":
        return False
    return isinstance(use_of(reduction, for_runs=for_runs)[1].reference, OwnSearch)


def looks_at_stack(scheme: str) -> bool:
    """Whether the ample sets of a scheme depend on the stack, for formulas."""
    use = None if scheme == "none" else scheme_of(scheme).formulas
    return use is not None and isinstance(use.reference, ByStack)


def prepared(claim: Claim, scheme: str) -> Claim:
    """The claim as the scheme wants it: `si` has it read in SI normal form.

    Not where accept labels of processes count: the normal form is made for the automaton's own
    acceptance, and leaves out what the automaton by itself does not accept. Nor where it accepts
    nothing, as a claim that only watches the propositions (audit/judge.py).
    """
    if scheme == "none" or not scheme_of(scheme).normal_form:
        return claim
    if claim.program_accepts or not claim.automaton.accepting:
        return claim
    from whorl.property.normal_form import is_si_normal_form, normal_form

    if is_si_normal_form(claim.automaton):
        return claim
    return replace(claim, normal_form=normal_form(claim.automaton), ends=frozenset())


ReducedGraph = ReducedByState | ReducedByStack | SelectivelyCached | ReducedByWay


def reduced(
    product: Product, reduction: Reduction, analysis: Analysis | None = None
) -> ReducedGraph | None:
    """What a reduction by a scheme of this name leaves of a product; None: all of it.

    The product must be of the `prepared` claim. `analysis`, if there is one already, is that of the
    program with the claim's propositions.
    """
    name = reduction.scheme
    if name == "none":
        return None
    claim, use = product.claim, for_formulas(name)
    if analysis is None:
        analysis = Analysis(product.semantics, claim.atoms, claim.program_accepts)
    rule = reduction.rule_of(scheme_of(name))
    if isinstance(use.reference, ByStack):
        choosing = Choosing(analysis, rule, reduction.keep, order=reduction.order)
        return ReducedByStack(product, choosing, use.reference.all_targets)
    if isinstance(use.reference, OwnSearch):
        return ReducedByWay(product, phases(analysis, reduction, use))
    assert not isinstance(use.reference, SleepSets), "they are for safety alone"
    scheme = use.reference(analysis, rule)
    if reduction.leaves_out(use):
        return SelectivelyCached(product, scheme)
    return ReducedByState(product, stepwise(scheme))


def phases(analysis: Analysis, reduction: Reduction, use: Use) -> pv.Pv:
    """Phase 1 of a scheme that is a search of its own."""
    assert isinstance(use.reference, OwnSearch)
    return pv.Pv(analysis, reduction.order, reduction.leaves_out(use))


def stepwise(scheme: SelectiveScheme) -> StateScheme:
    """The scheme where every state is stored."""
    assert isinstance(scheme, StateScheme)
    return scheme
