"""`v0`: the combined algorithm of Peled, which Spin uses (Siegel, section 3).

The ample set is a function of the intermediate state (q, s'): the property automaton has moved and
the program has not. It is rejected if some run of it leads to a product state on the stack (C3).
Siegel notes that (q, s') may be met from more than one (q, s), with different stacks, and that no
paper says what happens then; here each (q, s) decides for itself, as Spin does, and remembers.
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
        return Soundness(True, "the automaton is in SI normal form (Siegel, Remark 1)")
    return Soundness(
        False,
        "the automaton is nondeterministic: its choice and the stack may work together to miss a"
        " violation (Siegel, Figure 1)",
    )


SCHEME = Scheme(
    name="v0",
    title="the combined algorithm, as in Spin",
    origin="[Peled96], as Siegel states it ([Siegel19], section 3)",
    function_of="q, s'",
    formulas=Use(
        cycles="no run of an ample set leads to a product state on the stack (C3)",
        soundness=soundness,
        reference=ByStack(all_targets=False),
        native=Native("v0.h"),
    ),
    safety="persistent",
    any_order=False,
    laboratory={
        "v0": Rules(
            "the combined algorithm: amp(q, s') after the automaton's move, C3'",
            ("c0", "c1", "c2", "intermediate", "cycles-full"),
        )
    },
)
