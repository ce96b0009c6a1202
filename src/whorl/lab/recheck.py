"""Is an instance really one? Everything that is claimed of it, from the definitions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from whorl.lab import definitions, threads, visited, walks
from whorl.lab.definitions import Graph
from whorl.lab.evaluate import broken, evaluate
from whorl.lab.instance import FiniteProgram, Instance
from whorl.lab.language import RuleSet
from whorl.lab.schemes import LabScheme, violated


def objection(scheme: LabScheme, rules: RuleSet, instance: Instance, searched: bool) -> str | None:
    """Why the instance is no counterexample to the scheme; None if it is one.

    The conditions must hold by their definitions in Python and by their rules, the full product
    must have an accepting lasso and the reduced one none. With `searched`, C3 must hold in some
    depth-first search. With a scheme for safety a search must lose something.
    """
    reason = violated(scheme, instance)
    if reason is not None:
        return reason
    reason = _nothing_lost(scheme, instance) if scheme.is_safety else _kept(scheme, rules, instance)
    if reason is not None:
        return reason
    rule = broken(rules, evaluate(rules, instance))
    if rule is not None:
        return f"{rule.span.place} does not hold"
    if searched:
        return definitions.c3(instance, scheme.selection)
    return None


def _nothing_lost(scheme: LabScheme, instance: Instance) -> str | None:
    return None if visited.loss(instance, an_order(scheme, instance)) else "nothing is lost"


def an_order(scheme: LabScheme, instance: Instance) -> tuple[int, ...]:
    """The order in which some search expands its states.

    What is stored in the end is the same in every order that the ample sets allow.
    """
    if scheme.thread_proviso is not None:
        order = threads.begun(instance, scheme.thread_proviso)
        assert order is not None
        return order
    proviso = None if scheme.proviso is None else visited.PROVISOS[scheme.proviso]
    return next(visited.orders(instance, proviso))


def _kept(scheme: LabScheme, rules: RuleSet, instance: Instance) -> str | None:
    """Why the verdict of the reduced product is right, if it is."""
    if definitions.accepting_lasso(instance, definitions.full_product(instance)) is None:
        return "the full product has no accepting lasso"
    if definitions.accepting_lasso(instance, reduced(scheme, rules, instance)) is not None:
        return "the reduced product has an accepting lasso"
    return None


def reduced(scheme: LabScheme, rules: RuleSet, instance: Instance) -> Graph:
    """The reduced product of the steps that the rules explore; with phase 1, of positions."""
    if scheme.has_walks:
        return walks.reduced_product(instance)
    explored = evaluate(rules, instance)["explored"]
    graph: dict[tuple[int, int], dict[tuple[int, int], frozenset[int]]] = {}
    todo = [instance.initial]
    while todo:
        node = todo.pop()
        if node not in graph:
            out: dict[tuple[int, int], frozenset[int]] = {}
            for q, s, o, z in explored:
                if (q, s) == node:
                    target = (instance.program.step(q, o), z)
                    out[target] = out.get(target, frozenset()) | {o}
            graph[node] = out
            todo += out
    return graph


# --- making it smaller ---------------------------------------------------------------------------


def shrunk(instance: Instance, still: Callable[[Instance], bool]) -> Instance:
    """The instance with as many full ample sets and as few steps as one change at a time allows."""
    changed = True
    while changed:
        changed = False
        for smaller in _smaller(instance):
            if still(smaller):
                instance, changed = smaller, True
                break
    return instance


def _smaller(instance: Instance) -> list[Instance]:
    program = instance.program
    results = []
    for q in program.states:
        for o in sorted(program.enabled(q)):
            rows = [list(row) for row in program.next]
            rows[q][o] = None
            fewer = FiniteProgram(program.labels, tuple(map(tuple, rows)))
            if not _all_reached(fewer):
                continue
            ample = [list(row) for row in instance.ample]
            ample[q] = [chosen - {o} for chosen in ample[q]]
            results.append(replace(instance, program=fewer, ample=tuple(map(tuple, ample))))
    for q, row in enumerate(instance.ample):
        for s in range(len(row)):
            if not instance.is_full(q, s):
                ample = [list(r) for r in instance.ample]
                ample[q][s] = program.enabled(q)
                results.append(replace(instance, ample=tuple(map(tuple, ample))))
    return results


def _all_reached(program: FiniteProgram) -> bool:
    seen, todo = {0}, [0]
    while todo:
        for _, target in program.steps(todo.pop()):
            if target not in seen:
                seen.add(target)
                todo.append(target)
    return seen == set(program.states)
