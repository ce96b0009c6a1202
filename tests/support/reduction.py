"""Random properties of random programs, and searches under a reduction, for its tests."""

from __future__ import annotations

import random

from hypothesis import strategies as st

from support.automata import formulas
from whorl.diagnostics import Span
from whorl.language.types import TypeKind
from whorl.program.program import (
    AtLocation,
    BinaryOp,
    ChannelQuery,
    Const,
    Expr,
    Load,
    Place,
    Program,
    Region,
)
from whorl.program.semantics import Semantics
from whorl.property.automaton import Buchi, Edge
from whorl.property.claim import Claim
from whorl.property.operations import accepted_word
from whorl.property.stutter import is_stutter_invariant
from whorl.property.translate import translate
from whorl.reduction.schemes import (
    SCHEMES,
    Reduction,
    looks_at_stack,
    prepared,
    reduced,
)
from whorl.search import nested_fig4, scc
from whorl.search.exploration import Options
from whorl.search.graph import Graph
from whorl.search.limits import Limits
from whorl.search.product import Node, Product
from whorl.search.watch import Watch

NONE = Reduction("none")
SOUND = (
    *(Reduction(name, cache) for name in ("static", "two-phase") for cache in ("all", "selective")),
    Reduction("two-phase-ample", "selective"),
)
LOOKING = tuple(Reduction(name) for name in SCHEMES if looks_at_stack(name))


@st.composite
def propositions(draw: st.DrawFn, program: Program) -> Expr:
    """A proposition that some step may change: a variable's value, a channel's length, a place."""
    span = Span(program.source, 0, 0)
    options: list[Expr] = []
    for variable in program.variables:
        for position, (name, kind) in enumerate(variable.parts):
            place = Place(Region.GLOBAL, variable.offset + position, (), kind, name)
            if kind.kind is TypeKind.CHAN:
                options.append(ChannelQuery("nempty", Load(place), span))
            else:
                value = Const(draw(st.integers(0, 2)))
                options.append(BinaryOp("==", Load(place), value, span))
    for process in program.processes:
        place_in = draw(st.sampled_from(sorted(process.locations)))
        options.append(AtLocation(process.index, None, place_in, "place"))
    return draw(st.sampled_from(options))


def automata() -> st.SearchStrategy[Buchi]:
    """Automata of formulas without X, over p and q."""
    return formulas(has_next=False, leaves=5).map(lambda f: translate(f, ("p", "q")))


def nondeterministic(dice: random.Random, base: Buchi, copies: int = 2) -> Buchi:
    """A nondeterministic automaton over p whose language is stutter-invariant, made from `base`.

    Each state is split into copies, and each edge leads to some of them: so a run may have to guess
    something about the rest of the word, as in Siegel's Figure 3.
    """
    while True:
        edges = []
        for out in base.edges:
            for _ in range(copies):
                split = [
                    Edge(label, edge.target * copies + copy)
                    for edge in out
                    for label in (1, 2)
                    if edge.label & label
                    for copy in range(copies)
                    if dice.random() < 1.2 / copies
                ]
                dice.shuffle(split)
                edges.append(tuple(split))
        accepting = [
            s * copies + c for s in base.accepting for c in range(copies) if dice.random() < 0.7
        ]
        made = Buchi(("p",), base.initial * copies, tuple(edges), frozenset(accepting))
        if (
            not made.is_deterministic
            and accepted_word(made) is not None
            and is_stutter_invariant(made)
        ):
            return made


def proposition_p(program: Program) -> Expr:
    """The first global variable, as a proposition."""
    return Load(Place(Region.GLOBAL, 0, (), program.slots[0], "p"))


def violated(
    semantics: Semantics, claim: Claim, reduction: Reduction, most: int = 20_000
) -> tuple[bool, int]:
    """Whether the claim accepts a run of what a reduction leaves, and how many nodes that has.

    Raises Stop if there are more than `most`. A step that fails counts as a violation too.
    """
    watch = Watch(Options(limits=Limits(states=most)))
    product = Product(semantics, prepared(claim, reduction.scheme), watch)
    graph: Graph[Node] = reduced(product, reduction) or product
    find = nested_fig4.find if looks_at_stack(reduction.scheme) else scc.find
    found = find(graph, watch)
    return found is not None or bool(product.failures), watch.result.progress.states
