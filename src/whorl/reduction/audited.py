"""The audit of a planned reduction: runs it on the reference semantics, judges what it chose."""

from __future__ import annotations

from whorl.program.semantics import Semantics
from whorl.program.state import State
from whorl.property.claim import Claim
from whorl.reduction.abstract import V0, V1, Op
from whorl.reduction.analysis import Analysis
from whorl.reduction.audit import Report, audit_product, audit_program, explicit, operation
from whorl.reduction.candidates import Rule
from whorl.reduction.fixed import Fixed
from whorl.reduction.plan import Plan
from whorl.reduction.product import ReducedByStack
from whorl.reduction.safety import Persistent
from whorl.reduction.scheme import StateScheme
from whorl.reduction.schemes import STACK_SCHEMES, facts_of, prepared, reduced
from whorl.reduction.static import Static
from whorl.reduction.two_phase import TwoPhase
from whorl.search.acceptance import Walk, find_violation
from whorl.search.exploration import Options
from whorl.search.product import Node, Product


def audit(semantics: Semantics, claim: Claim | None, planned: Plan, options: Options) -> Report:
    """C0 to C3 of every ample set that the reduction chooses; TooLarge if there are too many."""
    if planned.scheme in STACK_SCHEMES and claim is not None:
        return _by_stack(semantics, prepared(claim, planned.scheme), planned, options)
    atoms = () if claim is None else claim.atoms
    analysis = Analysis(semantics, atoms, claim is not None and claim.program_accepts)
    rule = planned.reduction.rule or Rule.COMPONENT
    scheme: StateScheme
    match planned.scheme:
        case "two-phase":
            scheme = TwoPhase(analysis)
        case "static":
            scheme = Static(analysis, rule)
        case _:  # a proviso sees to the rest, which depends on the order of the search
            scheme = Persistent(analysis, rule)
    cycles = not isinstance(scheme, Persistent)
    return audit_program(semantics, scheme.ample, atoms, visible=claim is not None, cycles=cycles)


def conditions(claim: Claim | None, planned: Plan) -> str:
    """Which conditions the audit looks at: all that the property needs."""
    if claim is not None:
        return "C0, C1, C2 and C3"
    return "C0 and C1" if planned.scheme in STACK_SCHEMES else "C0, C1 and C3"


def _by_stack(semantics: Semantics, claim: Claim, planned: Plan, options: Options) -> Report:
    """Of a scheme that looks at the stack: what a search of the product chose."""
    graphs: list[ReducedByStack] = []

    def reduce(product: Product) -> Walk[Node] | None:
        graph = reduced(product, planned.reduction, facts_of(claim))
        assert isinstance(graph, ReducedByStack)
        graphs.append(graph)
        return graph

    find_violation(semantics, claim, options, reduce)
    (graph,) = graphs
    fixed = Fixed(semantics.program)
    chosen: dict[tuple[object, int], frozenset[Op]] = {}
    for (state, source, target), number in graph.chosen.items():
        names = _names(fixed, graph, state, number)
        at = (state, target if planned.scheme == V0 else source)
        # Two choices for one place of the paper's function: what both allow counts as chosen.
        chosen[at] = chosen.get(at, frozenset()) | names
    scheme = V0 if planned.scheme == V0 else V1
    return audit_product(explicit(semantics, claim.atoms), claim.automaton, chosen, scheme)


def _names(fixed: Fixed, graph: ReducedByStack, state: State, number: int) -> frozenset[Op]:
    runs = graph.choosing.selected(state, number).runs
    return frozenset(operation(fixed, state, run) for run in runs)
