"""Which reduction a search uses, and whether its verdict may rest on it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from whorl.diagnostics import Diagnostic, WhorlError
from whorl.program.program import Program
from whorl.property.claim import Claim
from whorl.reduction.scheme import SAFETY, OwnSearch, PropertyFacts, Soundness, refused
from whorl.reduction.schemes import (
    DEFAULT,
    NOTHING,
    Reduction,
    facts_of,
    for_formulas,
    for_safety,
    looks_at_stack,
)
from whorl.reduction.stack import Keep

FORGETS = Soundness(
    False,
    "the second search of a nested one does not know what the first one chose (Holzmann, Peled,"
    " Yannakakis, section 5.2)",
)
AUTO = Reduction(DEFAULT.name, cache="selective")  # docs/decisions/0017


@dataclass(frozen=True, slots=True)
class Plan:
    """A reduction whose scheme is decided; `why_none` says why `auto` took none.

    `facts` are those of the claim, as far as they had to be found out.
    """

    reduction: Reduction
    soundness: Soundness = NOTHING
    why_none: str | None = None
    facts: PropertyFacts | None = None

    @property
    def scheme(self) -> str:
        return self.reduction.scheme

    @property
    def sentence(self) -> str:
        """What goes into a report."""
        if self.scheme == "none":
            return "none" if self.why_none is None else f"none: {self.why_none}"
        order = f", processes {self.reduction.order.value}" if self.depends_on_order else ""
        if not self.soundness.sound:
            return f"{self.scheme}{order}, UNSOUND here: {self.soundness.reason}"
        return f"{self.scheme}{order}: {self.soundness.reason}"

    @property
    def depends_on_order(self) -> bool:
        """Whether it matters in which order processes are tried."""
        return self.reduction.depends_on_order


NONE = Plan(Reduction("none"))


def plan(
    program: Program,
    claim: Claim | None,
    asked: Reduction,
    *,
    fair: bool,
    shortest: bool,
    algorithm: str = "auto",
) -> Plan:
    """The reduction for a search for safety violations, or for a run that `claim` accepts.

    An unsound scheme is taken where it is asked for by name. Where none can be sound, whatever the
    automaton, a scheme that is asked for is refused.
    """
    if asked.scheme == "none":
        return NONE
    why, facts = _never(program, claim, shortest, algorithm), None
    if why is None and claim is not None:
        facts = facts_of(claim, fair)
        no_scheme = refused(facts)
        why = None if no_scheme is None else no_scheme.reason
    if why is not None:
        if asked.scheme == "auto":
            return replace(NONE, why_none=why, facts=facts)
        message = f"the reduction '{asked.scheme}' cannot be used: {why}"
        raise WhorlError(Diagnostic("error", message, None, "--por none searches everything"))
    chosen = asked
    if asked.scheme == "auto":
        chosen = replace(AUTO, order_free=asked.order_free)
    if facts is None:
        name, use = for_safety(chosen.scheme, order_free=chosen.order_free)
        return Plan(replace(chosen, scheme=name), use.soundness(SAFETY))
    use = for_formulas(chosen.scheme)
    if isinstance(use.reference, OwnSearch) and (shortest or algorithm != "auto"):
        option = "--shortest" if shortest else "--algorithm"
        message = f"the scheme '{chosen.scheme}' is a search of its own: {option} is of others"
        raise WhorlError(Diagnostic("error", message, None, f"leave out {option}, or --por"))
    if looks_at_stack(chosen.scheme) and algorithm == "owcty":
        message = (
            f"the scheme '{chosen.scheme}' looks at the stack, and the search 'owcty' has none"
        )
        raise WhorlError(Diagnostic("error", message, None, "leave out --algorithm, or --por"))
    sound = use.soundness(facts)
    if looks_at_stack(chosen.scheme) and chosen.keep is Keep.NOTHING:
        if algorithm == "scc" or (algorithm == "auto" and shortest):  # which searches once
            chosen = replace(chosen, keep=Keep.NUMBER)
        else:
            sound = FORGETS
    return Plan(chosen, sound, facts=facts)


def _never(program: Program, claim: Claim | None, shortest: bool, algorithm: str) -> str | None:
    """Why no scheme can be sound, whatever the automaton, if that is so."""
    if program.embedded is not None:
        return "nothing is known of what embedded C touches"
    if claim is None:
        return "a reduced search need not find the shortest run" if shortest else None
    if algorithm == "fig5":  # Holzmann, Peled and Yannakakis, section 6
        return "no reduction is known to be right for the search 'fig5'"
    return None
