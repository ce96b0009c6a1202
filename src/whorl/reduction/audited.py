"""The audit of a planned reduction: runs it on the reference semantics, judges what it chose."""

from __future__ import annotations

from whorl.program.semantics import Semantics
from whorl.program.state import State
from whorl.property.claim import Claim
from whorl.property.normal_form import LazyNormalForm
from whorl.reduction.abstract import V0, V1, Op, X
from whorl.reduction.analysis import Analysis
from whorl.reduction.audit import (
    Report,
    audit_product,
    audit_program,
    audit_settled,
    explicit,
    operation,
)
from whorl.reduction.candidates import Rule
from whorl.reduction.combined import Combined
from whorl.reduction.fixed import Fixed
from whorl.reduction.plan import Plan
from whorl.reduction.product import ReducedByStack
from whorl.reduction.safety import Persistent
from whorl.reduction.schemes import STACK_SCHEMES, facts_of, of_state, prepared, reduced
from whorl.search.acceptance import Walk, find_violation
from whorl.search.exploration import Options
from whorl.search.product import Node, Product


def audit(semantics: Semantics, claim: Claim | None, planned: Plan, options: Options) -> Report:
    """C0 to C3 of every ample set that the reduction chooses; TooLarge if there are too many."""
    if planned.scheme in STACK_SCHEMES and claim is not None:
        return _by_stack(semantics, claim, planned, options)
    atoms = () if claim is None else claim.atoms
    analysis = Analysis(semantics, atoms, claim is not None and claim.program_accepts)
    visible = claim is not None
    if planned.scheme in ("proviso", "combined") and claim is None:
        # A proviso sees to the rest, which depends on the order of the search.
        persistent = Persistent(analysis, planned.reduction.rule or Rule.COMPONENT)
        return audit_program(semantics, persistent.ample, visible=False, cycles=False)
    scheme = of_state(planned.scheme, analysis, planned.reduction.rule)
    if isinstance(scheme, Combined) or planned.reduction.cache == "selective":
        return audit_settled(semantics, scheme, atoms, visible=visible)
    return audit_program(semantics, scheme.ample, atoms, visible=visible)


def conditions(claim: Claim | None, planned: Plan) -> str:
    """Which conditions the audit looks at: all that the property needs."""
    if claim is not None:
        return "C0, C1, C2 and C3"
    by_proviso = planned.scheme == "combined" or planned.scheme in STACK_SCHEMES
    return "C0 and C1" if by_proviso else "C0, C1 and C3"


def _by_stack(semantics: Semantics, claim: Claim, planned: Plan, options: Options) -> Report:
    """Of a scheme that looks at the stack: what a search of the product chose."""
    graphs: list[ReducedByStack] = []
    facts = facts_of(claim)
    claim = prepared(claim, planned.scheme)

    def reduce(product: Product) -> Walk[Node] | None:
        graph = reduced(product, planned.reduction, facts)
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
    program = explicit(semantics, claim.atoms)
    form = claim.normal_form
    if form is None:
        return audit_product(program, claim.automaton, chosen, scheme)

    def place(x: X) -> X:
        return x[0], form.met_as(x[1], program.letter[x[0]])

    return audit_product(program, LazyNormalForm(claim.automaton), chosen, scheme, place)


def _names(fixed: Fixed, graph: ReducedByStack, state: State, number: int) -> frozenset[Op]:
    runs = graph.choosing.selected(state, number).runs
    return frozenset(operation(fixed, state, run) for run in runs)
