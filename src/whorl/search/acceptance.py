"""Searches a program for a run that a claim accepts: the entry point of the searches for cycles."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from itertools import pairwise
from typing import Generic, Protocol, runtime_checkable

from whorl.diagnostics import Diagnostic, WhorlError
from whorl.program.choice import Choice
from whorl.program.semantics import Semantics
from whorl.program.state import State
from whorl.property import automaton
from whorl.property.claim import Claim
from whorl.property.labels import NON_PROGRESS
from whorl.property.reading import is_at_label
from whorl.search import colours, nested_fig2, nested_fig4, non_progress, owcty, scc, two_phase
from whorl.search.exploration import ALGORITHMS, Exploration, Options, Violation
from whorl.search.fairness import Fair
from whorl.search.graph import Graph, Lasso, N
from whorl.search.product import Node, Product
from whorl.search.two_phase import PhasedGraph, Ways
from whorl.search.watch import Watch


def find_violation(
    semantics: Semantics,
    claim: Claim,
    options: Options,
    reduce: Callable[[Product], Walk[Node] | PhasedWalk[Node] | None] | None = None,
) -> Exploration:
    """Looks for a run of the program that `claim` accepts; it ends at the first one.

    `reduce` gives what a reduction leaves of the product (`reduction.schemes`); None: all of it.

    A proposition that has no value where the claim needs it is a violation, too; it ends at the
    first of those unless all errors are wanted. What fails in the program is none: an assertion
    that fails is a step like any other, and a run that stops, by a fault or otherwise, is extended
    by stuttering. The result says what failed (`met`). Only what the claim follows is seen.

    The violation's kind is the claim's. `states` counts the nodes of the product that were stored
    (with fairness: of its copies), `transitions` the edges that were looked at, by both searches of
    a nested one, the initial node counting as one. `pan -a` counts states alike, except that it
    does not store the node after the first step of stuttering.
    """
    _check(claim, options)
    watch = Watch(options)
    semantics.look = watch.look
    if options.algorithm == "fig5":
        program = Product(semantics, _nothing(claim), watch, infinite_runs=True)

        def is_progress(node: Node) -> bool:
            return is_at_label(semantics.program, node.state, "progress")

        def find(graph: Graph[Node], watch: Watch) -> Lasso[Node] | None:
            return non_progress.find(graph, watch, is_progress)

        _Search(program, program, claim, watch).run(find)
        return watch.result
    product = Product(semantics, claim, watch, options.infinite_runs)
    if options.fair:
        _Search(Fair(product), product, claim, watch).run(_find)
    else:
        walk = None if reduce is None else reduce(product)
        if isinstance(walk, PhasedWalk):
            _Search(walk, product, claim, watch).run_phased(walk)
            return watch.result
        _Search(product if walk is None else walk, product, claim, watch).run(_find)
    return watch.result


def _check(claim: Claim, options: Options) -> None:
    if options.algorithm not in ALGORITHMS:
        hint = f"it is one of: {', '.join(ALGORITHMS)}"
        raise WhorlError(Diagnostic("error", f"unknown search '{options.algorithm}'", None, hint))
    if options.algorithm != "fig5":
        return
    message = "the search 'fig5' looks for non-progress cycles, and for nothing else"
    if claim.kind != NON_PROGRESS:
        raise WhorlError(Diagnostic("error", message, None, "take another one: 'auto', say"))
    if options.fair:
        message = "the search 'fig5' knows no fairness"
        raise WhorlError(Diagnostic("error", message, None, "take another one: 'auto', say"))


def _nothing(claim: Claim) -> Claim:
    """A claim that looks at nothing: its product with the program is the program."""
    anything = automaton.Edge(automaton.full(0), 0)
    alone = automaton.Buchi((), 0, ((anything,),), frozenset())
    return Claim(claim.name, claim.kind, alone, ())


def _find(graph: Graph[N], watch: Watch) -> Lasso[N] | None:
    match watch.options.algorithm:
        case "fig2":
            return nested_fig2.find(graph, watch)
        case "fig4":
            return nested_fig4.find(graph, watch)
        case "auto" if not watch.options.shortest:
            return colours.find(graph, watch)
        case "colours":
            return colours.find(graph, watch)
        case "owcty":
            return owcty.find(graph, watch)
    return scc.find(graph, watch)


class Walk(Graph[N], Protocol[N]):
    """A graph that can say by which steps of the program it goes from a node to the next."""

    def choices(self, node: N, target: N) -> tuple[Choice, ...]: ...

    def program_state(self, node: N) -> State: ...


@runtime_checkable
class PhasedWalk(PhasedGraph[N], Protocol[N]):
    """The same of a graph that is searched in two phases."""

    def choices(self, node: N, target: N) -> tuple[Choice, ...]: ...

    def program_state(self, node: N) -> State: ...

    def successors(self, node: N, stack: Container[N]) -> Iterable[N]: ...


Edge = tuple[State, tuple[Choice, ...]]  # a state of the program, and the choices to the next one


class _Enough(Exception):
    """A violation was found on the way, and one is enough."""


class _Search(Generic[N]):
    """One search: the graph that it walks, how each node was first met, and what comes of it."""

    def __init__(
        self, walk: Walk[N] | PhasedWalk[N], product: Product, claim: Claim, watch: Watch
    ) -> None:
        self.walk = walk
        self.product = product
        self.claim = claim
        self.watch = watch
        self.origin: dict[N, N | None] = {}

    def run(self, find: Callable[[Graph[N], Watch], Lasso[N] | None]) -> None:
        with self.watch.over():
            try:
                lasso = find(self, self.watch)
            except _Enough:
                return
            if lasso is not None:
                self.watch.report(self.violation(lasso))

    def run_phased(self, walk: PhasedWalk[N]) -> None:
        """As Two phase is printed."""
        self.run(lambda _, watch: two_phase.find(_Phased(self, walk), watch))

    # --- the graph, watched ----------------------------------------------------------------------

    def initial(self) -> Iterable[N]:
        for node in self.walk.initial():
            self.origin.setdefault(node, None)
            yield node

    def successors(self, node: N, stack: Container[N]) -> Iterable[N]:
        for target in self.walk.successors(node, stack):
            self.report_failures(node)
            self.origin.setdefault(target, node)
            yield target
        self.report_failures(node)

    def is_accepting(self, node: N) -> bool:
        return self.walk.is_accepting(node)

    def is_error(self, node: N) -> bool:
        return self.walk.is_error(node)

    # --- violations ------------------------------------------------------------------------------

    def report_failures(self, node: N) -> None:
        """Reports what the product found wrong when it expanded `node`."""
        failures = self.product.failures
        while failures:
            kind, last = failures.pop(0)
            self.watch.report(Violation(kind, (*self.path(node), *last)))
        if self.watch.is_done:
            raise _Enough

    def path(self, node: N) -> tuple[Choice, ...]:
        """The choices by which `node` was first met."""
        nodes = [node]
        while (before := self.origin[nodes[-1]]) is not None:
            nodes.append(before)
        return self.choices(reversed(nodes))

    def violation(self, lasso: Lasso[N]) -> Violation:
        if not lasso.cycle:
            return Violation(self.claim.kind, self.choices(lasso.prefix))
        prefix, cycle = _rolled_up(
            self.edges((*lasso.prefix, lasso.cycle[0])), self.edges((*lasso.cycle, lasso.cycle[0]))
        )
        before = tuple(choice for _, choices in prefix for choice in choices)
        again = tuple(choice for _, choices in cycle for choice in choices)
        return Violation(self.claim.kind, (*before, *again), loop=len(before))

    def edges(self, nodes: Iterable[N]) -> list[Edge]:
        """A path through `nodes`, as far as the program sees it."""
        return [(self.walk.program_state(s), self.walk.choices(s, t)) for s, t in pairwise(nodes)]

    def choices(self, nodes: Iterable[N]) -> tuple[Choice, ...]:
        return tuple(choice for _, choices in self.edges(nodes) for choice in choices)


class _Phased(Generic[N]):
    """A graph that is searched in two phases, watched."""

    def __init__(self, search: _Search[N], walk: PhasedWalk[N]) -> None:
        self.search = search
        self.walk = walk
        self.selective = walk.selective
        self.initial = search.initial
        self.is_accepting = search.is_accepting
        self.is_error = search.is_error

    def everything(self, node: N) -> Iterable[N]:
        return self.search.successors(node, ())

    def ways(self, node: N, place: int) -> Ways[N] | None:
        ways = self.walk.ways(node, place)
        self.search.report_failures(node)
        for target in () if ways is None else ways.targets:
            self.search.origin.setdefault(target, node)
        return ways


def _rolled_up(prefix: list[Edge], cycle: list[Edge]) -> tuple[list[Edge], list[Edge]]:
    """The same run of the program with the shortest cycle, and then the shortest prefix.

    The claim may need several turns where the program goes round once.
    """
    for period in range(1, len(cycle) + 1):
        if len(cycle) % period == 0 and cycle == cycle[:period] * (len(cycle) // period):
            cycle = cycle[:period]
            break
    while prefix and prefix[-1] == cycle[-1]:
        prefix, cycle = prefix[:-1], [cycle[-1], *cycle[:-1]]
    return prefix, cycle
