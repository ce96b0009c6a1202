"""`si`: v1 on the SI normal form of the property's automaton (Siegel, Theorems 1 and 2).

The normal form is never made. A state of it remembers a letter, and in the product all that matters
of that is whether it is the letter of the program's state too (property/normal_form.NormalForm).
"""

from __future__ import annotations

from whorl.reduction.candidates import Rule
from whorl.reduction.scheme import PropertyFacts, Soundness, refused
from whorl.reduction.stack import StackScheme


def soundness(facts: PropertyFacts) -> Soundness:
    if (refusal := refused(facts)) is not None:
        return refusal
    if facts.accept_labels and not facts.deterministic:
        return Soundness(
            False, "accept labels of processes count, which the SI normal form knows nothing of"
        )
    if facts.accept_labels:
        return Soundness(True, "the automaton is deterministic, so a word has only one run")
    return Soundness(True, "the automaton was brought into SI normal form (Siegel, Theorem 1)")


SCHEME = StackScheme("si", Rule.COMPONENT, all_targets=True, soundness=soundness)
