"""`v1`: the ample set is a function of the source product state (q, s) (Siegel, section 6).

It is rejected if some run of it, after some move of the automaton, leads to a product state on the
stack (C3_1).
"""

from __future__ import annotations

from whorl.reduction.candidates import Rule
from whorl.reduction.scheme import PropertyFacts, Soundness, refused
from whorl.reduction.stack import StackScheme


def soundness(facts: PropertyFacts) -> Soundness:
    if (refusal := refused(facts)) is not None:
        return refusal
    if facts.deterministic:
        return Soundness(True, "the automaton is deterministic, so a word has only one run")
    if facts.si_normal_form:
        return Soundness(True, "the automaton is in SI normal form (Siegel, Theorem 1)")
    return Soundness(
        False,
        "the automaton is nondeterministic and not in SI normal form (Siegel, Figure 3): not even"
        " that every state of it is stutter-invariant would be enough",
    )


SCHEME = StackScheme("v1", Rule.COMPONENT, all_targets=True, soundness=soundness)
