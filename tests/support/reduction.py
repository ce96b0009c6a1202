"""Random properties of random programs, and searches under a reduction scheme, for its tests."""

from __future__ import annotations

from hypothesis import strategies as st

from support.automata import buchis, formulas
from whorl.program.program import AtLocation, BinaryOp, ChannelQuery, Const, Expr, Load, Place
from whorl.program.program import Program, Region
from whorl.program.semantics import Semantics
from whorl.property.automaton import Buchi
from whorl.property.claim import Claim
from whorl.property.normal_form import is_si_normal_form, si_normal_form
from whorl.property.stutter import is_stutter_invariant
from whorl.property.translate import translate
from whorl.promela.symbols import Kind
from whorl.reduction import proviso, si, v0, v1
from whorl.reduction.analysis import Analysis
from whorl.reduction.product import ReducedByStack, ReducedByState, Settled
from whorl.reduction.scheme import PropertyFacts
from whorl.reduction.stack import Choosing, Keep
from whorl.reduction.static import Static
from whorl.reduction.two_phase import TwoPhase
from whorl.search import nested_fig4, scc
from whorl.search.exploration import Options
from whorl.search.graph import Graph
from whorl.search.limits import Limits
from whorl.search.product import Node, Product
from whorl.search.watch import Watch

STACK = {"v0": v0, "v1": v1, "si": si, "proviso": proviso}
STATE = ("static", "two-phase", "selective")


@st.composite
def propositions(draw: st.DrawFn, program: Program) -> Expr:
    """A proposition that some step may change: a variable's value, a channel's length, a place."""
    span = program.source.span(0, 0) if hasattr(program.source, "span") else None
    options: list[Expr] = []
    for variable in program.variables:
        for position, (name, kind) in enumerate(variable.parts):
            place = Place(Region.GLOBAL, variable.offset + position, (), kind, name)
            if kind.kind is Kind.CHAN:
                options.append(ChannelQuery("nempty", Load(place), span))  # type: ignore[arg-type]
            else:
                value = Const(draw(st.integers(0, 2)))
                options.append(BinaryOp("==", Load(place), value, span))  # type: ignore[arg-type]
    for process in program.processes:
        place_in = draw(st.sampled_from(sorted(process.locations)))
        options.append(AtLocation(process.index, None, place_in, "place"))
    return draw(st.sampled_from(options))


def automata(has_next: bool = False) -> st.SearchStrategy[Buchi]:
    """Automata with a stutter-invariant language, over p and q: of formulas, or any that has."""
    of_formulas = formulas(has_next=has_next, leaves=5).map(lambda f: translate(f, ("p", "q")))
    return of_formulas


@st.composite
def invariant_automata(draw: st.DrawFn) -> Buchi:
    """Nondeterministic automata over p, found at random, whose language is stutter-invariant."""
    found = buchis(("p",), largest=4, most=4)
    return draw(found.filter(lambda b: not b.is_deterministic and is_stutter_invariant(b)))


def facts(automaton: Buchi) -> PropertyFacts:
    return PropertyFacts(True, automaton.is_deterministic, is_si_normal_form(automaton))


def violated(
    semantics: Semantics,
    claim: Claim,
    scheme: str = "none",
    keep: Keep = Keep.NUMBER,
    most: int = 20_000,
) -> tuple[bool, int]:
    """Whether the claim accepts a run of what the scheme leaves, and how many nodes that has."""
    if scheme == "si":
        normal = si_normal_form(claim.automaton)
        claim = Claim(claim.name, claim.kind, normal, claim.atoms)
    watch = Watch(Options(limits=Limits(states=most)))
    product = Product(semantics, claim, watch)
    graph: Graph[Node] = product
    analysis = Analysis(semantics, claim.atoms, claim.program_accepts)
    if scheme == "static":
        graph = ReducedByState(product, Static(analysis))
    elif scheme == "two-phase":
        graph = ReducedByState(product, TwoPhase(analysis))
    elif scheme == "selective":
        graph = Settled(product, TwoPhase(analysis))
    elif scheme in STACK:
        module = STACK[scheme]
        choosing = Choosing(analysis, module.RULE, keep)
        graph = ReducedByStack(product, choosing, module.ALL_TARGETS)
    find = nested_fig4.find if scheme in STACK else scc.find
    found = find(graph, watch)
    return found is not None or bool(product.failures), watch.result.progress.states
