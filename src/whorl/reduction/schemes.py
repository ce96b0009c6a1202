"""All schemes by name: which one to take, whether it is sound, and the graph that it leaves.

`auto` takes `combined`: it is sound for every stutter-invariant property, needs no stack, and
stores the fewest states (docs/decisions/0017). Where no scheme is sound `auto` takes none.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from whorl.diagnostics import Diagnostic, WhorlError
from whorl.property.claim import Claim
from whorl.reduction import proviso, si, v0, v1
from whorl.reduction.analysis import Analysis
from whorl.reduction.candidates import Rule
from whorl.reduction.combined import Combined
from whorl.reduction.product import ReducedByStack, ReducedByState, Settled
from whorl.reduction.scheme import PropertyFacts, Soundness, refused
from whorl.reduction.stack import Choosing, Keep, StackScheme
from whorl.reduction.static import Static
from whorl.reduction.two_phase import TwoPhase
from whorl.search.product import Product

STACK_SCHEMES: dict[str, StackScheme] = {
    scheme.name: scheme for scheme in (v0.SCHEME, v1.SCHEME, si.SCHEME, proviso.SCHEME)
}
BY_STATE: dict[str, type[Static | TwoPhase | Combined]] = {
    "static": Static,
    "two-phase": TwoPhase,
    "combined": Combined,
}
SCHEMES = ("auto", "none", *STACK_SCHEMES, *BY_STATE)
CACHES = ("all", "selective")
CANDIDATES = tuple(rule.value for rule in Rule)
KEEPS = (Keep.NUMBER.value, Keep.BIT.value)  # to keep nothing is wrong
SELECTIVE = ("auto", *BY_STATE, "proviso")  # the last one for safety


@dataclass(frozen=True, slots=True)
class Reduction:
    """What was asked for: a scheme by name, and how it is to be carried out."""

    scheme: str = "auto"
    cache: str = "all"  # of static and two-phase: which states are stored; combined: as selective
    keep: Keep = Keep.NUMBER  # of those that look at the stack: what the second search is told
    rule: Rule | None = None  # which sets of processes are tried; None: those of the scheme

    def __post_init__(self) -> None:
        for what, value, known in (
            ("scheme", self.scheme, SCHEMES),
            ("cache", self.cache, CACHES),
        ):
            if value not in known:
                hint = f"it is one of: {', '.join(known)}"
                raise WhorlError(
                    Diagnostic("error", f"unknown reduction {what} '{value}'", None, hint)
                )
        if self.rule is not None and self.scheme in ("auto", "none", "two-phase"):
            hint = "take it with a scheme by its name: combined, static, v0, v1, si or proviso"
            message = f"the scheme '{self.scheme}' does not try sets of processes by a rule"
            raise WhorlError(Diagnostic("error", message, None, hint))
        if self.cache == "selective" and self.scheme not in SELECTIVE:
            raise no_selective_caching(self.scheme)


def asked_reduction(
    scheme: str, cache: str = "all", candidates: str | None = None, keep: str = "number"
) -> Reduction:
    """A Reduction by the words that users have for it."""
    for what, value, known in (
        ("way to find candidates", candidates, CANDIDATES),
        ("way to keep a choice", keep, KEEPS),
    ):
        if value is not None and value not in known:
            hint = f"it is one of: {', '.join(known)}"
            raise WhorlError(Diagnostic("error", f"unknown {what} '{value}'", None, hint))
    rule = None if candidates is None else Rule(candidates)
    return Reduction(scheme, cache, Keep(keep), rule)


def no_selective_caching(scheme: str) -> WhorlError:
    hint = "take it with the scheme static or two-phase"
    message = f"the scheme '{scheme}' has no selective caching"
    return WhorlError(Diagnostic("error", message, None, hint))


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


def resolve(scheme: str, facts: PropertyFacts) -> str:
    """The scheme that a name stands for: `auto` stands for one that is sound, or for none."""
    if scheme != "auto":
        return scheme
    return "none" if refused(facts) else "combined"


def soundness(scheme: str, facts: PropertyFacts) -> Soundness:
    """Whether a scheme, by its name, keeps the verdict of a property; and why."""
    scheme = resolve(scheme, facts)
    if scheme == "none":
        return Soundness(True, "nothing is left out")
    if scheme in STACK_SCHEMES:
        return STACK_SCHEMES[scheme].soundness(facts)
    return BY_STATE[scheme].soundness(facts)


def prepared(claim: Claim, scheme: str) -> Claim:
    """The claim as the scheme wants it: `si` has it read in SI normal form.

    Not where accept labels of processes count: the normal form is made for the automaton's own
    acceptance, and leaves out what the automaton by itself does not accept.
    """
    if scheme != "si" or claim.program_accepts:
        return claim
    from whorl.property.normal_form import is_si_normal_form, normal_form

    if is_si_normal_form(claim.automaton):
        return claim
    return replace(claim, normal_form=normal_form(claim.automaton), ends=frozenset())


ReducedGraph = ReducedByState | ReducedByStack | Settled


def reduced(
    product: Product,
    reduction: Reduction,
    facts: PropertyFacts,
    analysis: Analysis | None = None,
) -> ReducedGraph | None:
    """What a reduction leaves of a product, as a graph to search; None: all of it.

    The product must be of the `prepared` claim. `analysis`, if there is one already, is that of the
    program with the claim's propositions.
    """
    scheme = resolve(reduction.scheme, facts)
    if scheme == "none":
        return None
    claim = product.claim
    if analysis is None:
        analysis = Analysis(product.semantics, claim.atoms, claim.program_accepts)
    if scheme in STACK_SCHEMES:
        looking = STACK_SCHEMES[scheme]
        choosing = Choosing(analysis, reduction.rule or looking.rule, reduction.keep)
        return ReducedByStack(product, choosing, looking.all_targets)
    by_state = of_state(scheme, analysis, reduction.rule)
    if isinstance(by_state, Combined) or reduction.cache == "selective":
        return Settled(product, by_state)
    return ReducedByState(product, by_state)


def of_state(scheme: str, analysis: Analysis, rule: Rule | None) -> Static | TwoPhase | Combined:
    """A scheme that is a function of the program state, by its name."""
    if scheme == "two-phase":
        return TwoPhase(analysis)
    return (Static if scheme == "static" else Combined)(analysis, rule or Rule.COMPONENT)
