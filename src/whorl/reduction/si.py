"""`si`: v1 on the SI normal form of the property's automaton (Siegel, Theorems 1 and 2).

The normal form is never made. A state of it remembers a letter, and in the product all that matters
of that is whether it is the letter of the program's state too (property/normal_form.NormalForm).
"""

from __future__ import annotations

from whorl.reduction import v1
from whorl.reduction.scheme import (
    ByStack,
    Native,
    PropertyFacts,
    Scheme,
    Soundness,
    Use,
    refused,
)


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


SCHEME = Scheme(
    name="si",
    title="v1 on the SI normal form of the automaton",
    origin="[Siegel19], Theorems 1 and 2",
    function_of="q, s",
    formulas=Use(
        cycles=v1.CYCLES,
        soundness=soundness,
        reference=ByStack(all_targets=True),
        native=Native("si.h"),
    ),
    safety="persistent",
    any_order=False,
    normal_form=True,
)
