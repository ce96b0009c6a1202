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
    audit_selective,
    explicit,
    operation,
)
from whorl.reduction.fixed import Fixed
from whorl.reduction.persistent import Persistent
from whorl.reduction.plan import Plan
from whorl.reduction.product import ReducedByStack
from whorl.reduction.scheme import ByStack, OwnSearch, SleepSets
from whorl.reduction.schemes import Reduction, prepared, reduced, scheme_of, stepwise, use_of
from whorl.search.acceptance import Walk, find_violation
from whorl.search.exploration import Options
from whorl.search.product import Node, Product


def audit(semantics: Semantics, claim: Claim | None, planned: Plan, options: Options) -> Report:
    """C0 to C3 of every ample set that the reduction chooses; TooLarge if there are too many."""
    name, use = use_of(planned.reduction, for_runs=claim is not None)
    reduction = planned.reduction
    if isinstance(use.reference, ByStack) and claim is not None:
        return _by_stack(semantics, claim, planned, use.reference, options)
    atoms = () if claim is None else claim.atoms
    analysis = Analysis(semantics, atoms, claim is not None and claim.program_accepts)
    rule, visible = reduction.rule_of(scheme_of(name)), claim is not None
    assert not isinstance(use.reference, OwnSearch | SleepSets), "what it takes depends on its way"
    if use.proviso or isinstance(use.reference, ByStack):
        # The search sees to the rest, which depends on its order.
        persistent = Persistent(analysis, rule)
        return audit_program(semantics, persistent.ample, visible=False, cycles=False)
    scheme = use.reference(analysis, rule)
    if reduction.leaves_out(use):
        return audit_selective(semantics, scheme, atoms, visible=visible)
    return audit_program(semantics, stepwise(scheme).ample, atoms, visible=visible)


def conditions(claim: Claim | None, planned: Plan) -> str:
    """Which conditions the audit looks at: all that the property needs."""
    if claim is not None:
        return "C0, C1, C2 and C3"
    return "C0 and C1" if _has_proviso(planned.reduction) else "C0, C1 and C3"


def _has_proviso(reduction: Reduction) -> bool:
    """Whether a search for safety sees to the cycles itself."""
    use = use_of(reduction, for_runs=False)[1]
    return use.proviso or isinstance(use.reference, ByStack)


def _by_stack(
    semantics: Semantics, claim: Claim, planned: Plan, looking: ByStack, options: Options
) -> Report:
    """Of a scheme that looks at the stack: what a search of the product chose."""
    graphs: list[ReducedByStack] = []
    claim = prepared(claim, planned.scheme)

    def reduce(product: Product) -> Walk[Node] | None:
        graph = reduced(product, planned.reduction)
        assert isinstance(graph, ReducedByStack)
        graphs.append(graph)
        return graph

    find_violation(semantics, claim, options, reduce)
    (graph,) = graphs
    fixed = Fixed(semantics.program)
    chosen: dict[tuple[object, int], frozenset[Op]] = {}
    for (state, source, target), number in graph.chosen.items():
        names = _names(fixed, graph, state, number)
        at = (state, source if looking.all_targets else target)
        # Two choices for one place of the paper's function: what both allow counts as chosen.
        chosen[at] = chosen.get(at, frozenset()) | names
    scheme = V1 if looking.all_targets else V0
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
