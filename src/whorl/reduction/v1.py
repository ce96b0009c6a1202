"""`v1`: the ample set is a function of the source product state (q, s) (Siegel, section 6).

It is rejected if some run of it, after some move of the automaton, leads to a product state on the
stack (C3_1).
"""

from __future__ import annotations

from whorl.reduction.scheme import (
    ByStack,
    Native,
    PropertyFacts,
    Rules,
    Scheme,
    Soundness,
    Use,
    refused,
)


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


CYCLES = "no run of an ample set leads, after any move, to a product state on the stack (C3_1)"

SCHEME = Scheme(
    name="v1",
    title="one ample set for all moves of the automaton",
    origin="[Siegel19], section 6",
    function_of="q, s",
    formulas=Use(
        cycles=CYCLES,
        soundness=soundness,
        reference=ByStack(all_targets=True),
        native=Native("v1.h"),
    ),
    safety="persistent",
    any_order=False,
    laboratory={
        "v1": Rules(
            "amp(q, s) of the product state that is left, C3'",
            ("c0", "c1", "c2", "source", "cycles-full"),
        )
    },
)
