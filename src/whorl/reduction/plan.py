"""Which reduction a search uses, and whether its verdict may rest on it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from whorl.diagnostics import Diagnostic, WhorlError
from whorl.program.program import Program
from whorl.property.claim import Claim
from whorl.reduction.scheme import Soundness, refused
from whorl.reduction.schemes import (
    STACK_SCHEMES,
    Reduction,
    facts_of,
    no_selective_caching,
    soundness,
    stutters,
)

AUTO = Reduction("combined", cache="selective")  # docs/decisions/0017
FULL = Soundness(True, "nothing is left out")


@dataclass(frozen=True, slots=True)
class Plan:
    """A reduction whose scheme is settled; `why_none` says why `auto` took none."""

    reduction: Reduction
    soundness: Soundness = FULL
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
    if claim is None:
        return _for_safety(asked)
    facts = facts_of(claim, fair)
    settled = AUTO if asked.scheme == "auto" else asked
    if settled.scheme in STACK_SCHEMES and settled.cache == "selective":
        raise no_selective_caching(settled.scheme)
    return Plan(settled, soundness(settled.scheme, facts))


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


def _for_safety(asked: Reduction) -> Plan:
    if asked.scheme == "auto":
        asked = AUTO
    if asked.scheme in STACK_SCHEMES:
        # There is no automaton that they could differ on.
        reason = "persistent sets keep every end state, and a proviso every step that fails"
        return Plan(replace(asked, scheme="proviso"), Soundness(True, reason))
    if asked.scheme == "two-phase":
        return Plan(asked, Soundness(True, "phase 1 takes only steps that concern nobody else"))
    if asked.scheme == "combined":
        reason = "phase 1 and persistent sets keep every end state, a proviso every step that fails"
        return Plan(asked, Soundness(True, reason))
    reason = "persistent sets keep every end state, sticky transitions every step that fails"
    return Plan(asked, Soundness(True, reason))


def may_merge(claim: Claim, planned: Plan) -> bool:
    """Whether a claim is known not to notice that steps which it cannot see are taken together."""
    if planned.scheme != "none":
        return planned.soundness.sound  # which a scheme is only if it is stutter-invariant
    try:
        return stutters(claim)
    except WhorlError:  # it takes too long to decide
        return False
