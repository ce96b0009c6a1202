"""Which reduction a search uses, and whether its verdict may rest on it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from whorl.diagnostics import Diagnostic, WhorlError
from whorl.program.program import Program
from whorl.property.claim import Claim
from whorl.reduction.scheme import SAFETY, Soundness, refused
from whorl.reduction.schemes import (
    DEFAULT,
    NOTHING,
    Reduction,
    facts_of,
    for_formulas,
    for_safety,
    stutters,
)

AUTO = Reduction(DEFAULT.name, cache="selective")  # docs/decisions/0017


@dataclass(frozen=True, slots=True)
class Plan:
    """A reduction whose scheme is settled; `why_none` says why `auto` took none."""

    reduction: Reduction
    soundness: Soundness = NOTHING
    why_none: str | None = None

    @property
    def scheme(self) -> str:
        return self.reduction.scheme

    @property
    def sentence(self) -> str:
        """What goes into a report."""
        if self.scheme == "none":
            return "none" if self.why_none is None else f"none: {self.why_none}"
        if not self.soundness.sound:
            return f"{self.scheme}, UNSOUND here: {self.soundness.reason}"
        return f"{self.scheme}: {self.soundness.reason}"


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
    why = _why_none(program, claim, fair, shortest, algorithm)
    if why is not None:
        if asked.scheme == "auto":
            return replace(NONE, why_none=why)
        message = f"the reduction '{asked.scheme}' cannot be used: {why}"
        raise WhorlError(Diagnostic("error", message, None, "--por none searches everything"))
    settled = AUTO if asked.scheme == "auto" else asked
    if claim is None:
        name, use = for_safety(settled.scheme)
        return Plan(replace(settled, scheme=name), use.soundness(SAFETY))
    use = for_formulas(settled.scheme)
    return Plan(settled, use.soundness(facts_of(claim, fair)))


def _why_none(
    program: Program, claim: Claim | None, fair: bool, shortest: bool, algorithm: str
) -> str | None:
    """Why no scheme can be sound, if that is so."""
    if program.embedded is not None:
        return "nothing is known of what embedded C touches"
    if claim is None:
        return "a reduced search need not find the shortest run" if shortest else None
    if algorithm == "fig5":  # Holzmann, Peled and Yannakakis, section 6
        return "no reduction is known to be right for the search 'fig5'"
    found = refused(facts_of(claim, fair))
    return None if found is None else found.reason


def may_merge(claim: Claim, planned: Plan) -> bool:
    """Whether a claim is known not to notice that steps which it cannot see are taken together."""
    if planned.scheme != "none":
        return planned.soundness.sound  # which a scheme is only if it is stutter-invariant
    try:
        return stutters(claim)
    except WhorlError:  # it takes too long to decide
        return False
