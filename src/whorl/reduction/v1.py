"""`v1`: the ample set is a function of the source product state (q, s) (Siegel, section 6).

It is rejected if some run of it, after some move of the automaton, leads to a product state on the
stack (C3_1).
"""

from __future__ import annotations

from whorl.reduction.candidates import Rule
from whorl.reduction.scheme import PropertyFacts, Soundness, refused

NAME = "v1"
RULE = Rule.COMPONENT
ALL_TARGETS = True  # one ample set for all moves of the automaton


def soundness(facts: PropertyFacts) -> Soundness:
    if reason := refused(facts):
        return reason
    if facts.deterministic:
        return Soundness(True, "the automaton is deterministic, so a word has only one run")
    if facts.si_normal_form:
        return Soundness(True, "the automaton is in SI normal form (Siegel, Theorem 1)")
    return Soundness(
        False,
        "the automaton is nondeterministic and not in SI normal form (Siegel, Figure 3): not even"
        " that every state of it is stutter-invariant would be enough",
    )
