"""The graph that the reference engine walks under a reduction, as it walks it."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Protocol

from whorl.audit.full import AuditedGraph, View, add_fault, failures, place, transitions
from whorl.audit.traces import TraceGraph
from whorl.program.atomic import Run, runs
from whorl.program.choice import Choice
from whorl.program.semantics import Semantics
from whorl.program.state import State
from whorl.property.claim import Claim
from whorl.reduction.analysis import Analysis
from whorl.reduction.product import ReducedByWay
from whorl.reduction.safety import selector
from whorl.reduction.schemes import Reduction, reduced
from whorl.search.acceptance import Walk, find_violation
from whorl.search.exploration import Options
from whorl.search.product import Node, Product
from whorl.search.safety import explore
from whorl.search.sleep import Sleep, Sleepers, SleepVisit
from whorl.search.two_phase import OwnStep, Phases


def recorded_safety(
    analysis: Analysis, view: View, reduction: Reduction, options: Options
) -> AuditedGraph:
    """What a search for violations of safety walks."""
    semantics = analysis.semantics
    select = selector(semantics, reduction, analysis)
    assert select is not None, "without a reduction it is the full graph"
    audited = AuditedGraph()
    nodes: dict[State, int] = {}

    def node(state: State) -> int:
        if state not in nodes:
            nodes[state] = audited.graph.add(view.label(state))
        return nodes[state]

    def note(state: State, taken: list[Run], *, moves: bool = False) -> None:
        source = node(state)
        audited.walked.setdefault(state, []).extend(run.steps for run in taken)
        for run in taken:
            audited.failures |= failures(run.steps)
            audited.taken |= transitions(run.steps)
            if run.state is not None:
                audited.graph.edges[source].add(node(run.state))
        if not taken and not moves:
            audited.graph.stops[source].add(view.stop(state))
            audited.ends.add(place(state))

    def watched(state: State, on_stack: Container[State]) -> Iterable[Run]:
        assert not isinstance(select, Phases | Sleepers)
        taken = list(select(state, on_stack))
        note(state, taken)
        return taken

    if isinstance(select, Phases):
        explore(semantics, options, _RecordedPhases(select, semantics, note))
    elif isinstance(select, Sleepers):
        explore(semantics, options, _RecordedSleepers(select, note))
    else:
        explore(semantics, options, watched)
    return audited


class _Note(Protocol):
    """Takes note of the runs that are taken from a state; `moves`: it has others."""

    def __call__(self, state: State, taken: list[Run], *, moves: bool = False) -> None: ...


class _RecordedSleepers:
    """Sleepers that take note of what is taken."""

    def __init__(self, sleepers: Sleepers, note: _Note) -> None:
        self.sleepers = sleepers
        self.note = note

    def visit(self, state: State, sleep: Sleep, stored: Sleep | None) -> SleepVisit:
        visit = self.sleepers.visit(state, sleep, stored)
        self.note(state, [run for run, _ in visit.taken], moves=visit.moves)
        return visit


class _RecordedPhases:
    """Phases that take note of what is taken: where phase 1 does not go on, everything is."""

    def __init__(self, phases: Phases, semantics: Semantics, note: _Note) -> None:
        self.phases = phases
        self.selective = phases.selective
        self.semantics = semantics
        self.note = note

    def step(self, state: State, place: int) -> OwnStep | None:
        step = self.phases.step(state, place)
        self.note(state, list(runs(self.semantics, state)) if step is None else [step.run])
        return step


def recorded_claim(
    analysis: Analysis, view: View, claim: Claim, reduction: Reduction, options: Options
) -> TraceGraph:
    """What a search for a run that the claim accepts walks of the program.

    The claim has one state, so that its product with the program is the program.
    """
    walks: list[_Recorded] = []

    def reduce(product: Product) -> Walk[Node]:
        walk = reduced(product, reduction, analysis)
        assert walk is not None, "without a reduction it is the full graph"
        assert not isinstance(walk, ReducedByWay), "what it takes depends on the automaton"
        walks.append(_Recorded(walk, product, view))
        return walks[0]

    find_violation(analysis.semantics, claim, options, reduce)
    return walks[0].graph


class _Recorded:
    """A walk that takes note of where it leads."""

    def __init__(self, walk: Walk[Node], product: Product, view: View) -> None:
        self.walk = walk
        self.product = product
        self.view = view
        self.graph = TraceGraph()
        self.nodes: dict[Node, int] = {}

    def node(self, node: Node) -> int:
        if node not in self.nodes:
            self.nodes[node] = self.graph.add(self.view.label(node.state))
        return self.nodes[node]

    def initial(self) -> Iterable[Node]:
        nodes = list(self.walk.initial())
        for node in nodes:
            self.node(node)
        return nodes

    def successors(self, node: Node, stack: Container[Node]) -> Iterable[Node]:
        source = -1 if node.stuttering else self.node(node)
        for target in self.walk.successors(node, stack):
            if not node.stuttering and self.product.expand(node.state).stopped:
                self.graph.stops[source].add(self.view.stop(node.state))
            elif not node.stuttering and target.stuttering:
                add_fault(self.graph, source, self.view.label(target.state))
            elif not node.stuttering:
                self.graph.edges[source].add(self.node(target))
            yield target

    def is_accepting(self, node: Node) -> bool:
        return False  # so that the search sees everything

    def is_error(self, node: Node) -> bool:
        return self.walk.is_error(node)

    def program_state(self, node: Node) -> State:
        return self.walk.program_state(node)

    def choices(self, node: Node, target: Node) -> tuple[Choice, ...]:
        return self.walk.choices(node, target)
