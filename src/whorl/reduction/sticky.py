"""Sticky transitions: some of each process's, so that every cycle of its control flow has one.

If no proper ample set has a sticky transition, every cycle of the reduced graph has a state that is
fully expanded: on a cycle each process that moves comes back to where it was, so it goes round a
cycle of its control flow (design.md, fact 5; Kurshan, Levin, Minea, Peled and Yenigün, "Static
partial order reduction", TACAS 1998, who have the idea; Brunner and Lammich verified a checker that
rests on it). A process that ends and starts again is no exception: whoever starts it moves too, and
of the processes that move on the cycle the one with the least pid is never started.

Which ones are chosen does not matter for soundness, but a state in which a process is about to take
a sticky transition cannot be reduced by that process alone. So a transition has a weight: nothing
if it can never be in a proper ample set anyway (visible, or in conflict with every step), little
where others may hold it up or where there is a choice, most if it touches nothing shared. The set
is found by local ratio (Bar-Yehuda and Even): take a cycle, subtract the least weight on it from
all of it, cut what has none left, until there are no cycles; then put back what is not needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from whorl.program.program import ProcessType, Terminate, Transition
from whorl.reduction.analysis import Analysis
from whorl.reduction.footprint import Footprint, conflict, opposite, visible

Edge = tuple[int, int, int]  # source, target, and the number of the transition


def sticky(analysis: Analysis) -> frozenset[int]:
    """The numbers of the sticky transitions of a program, few and well chosen."""
    found: set[int] = set()
    for process in analysis.program.processes:
        weights = weigh(analysis, process)
        edges = [
            (t.source, analysis.target(process, t), t.number)
            for t in process.transitions()
            if not isinstance(t.action, Terminate)  # after it there is no process to go round
        ]
        found |= feedback(edges, weights)
    return frozenset(found)


def sticky_runs(analysis: Analysis) -> frozenset[int]:
    """The transitions whose run may take a sticky one: these are in no proper ample set."""
    cut = sticky(analysis)
    return frozenset(
        t.number
        for process in analysis.program.processes
        for t in process.transitions()
        if any(inner.number in cut for inner in analysis.region(process, t))
    )


def weigh(analysis: Analysis, process: ProcessType) -> dict[int, int]:
    """How much is lost if a transition is sticky."""
    met = {
        analysis.resolve(analysis.whole[way], None)
        for other in analysis.program.processes
        for way in analysis.after((other.index, other.start))[0]
    }
    begun = {t.number: _worth(analysis, process, t, met) for t in process.transitions()}
    # A transition inside an atomic sequence is part of every run that may come to it.
    weights = dict.fromkeys(begun, 0)
    for transition in process.transitions():
        for inner in analysis.region(process, transition):
            weights[inner.number] += begun[transition.number]
    return weights


def _worth(
    analysis: Analysis, process: ProcessType, transition: Transition, met: set[Footprint]
) -> int:
    """`met`: what all transitions of the program may touch."""
    touched = analysis.resolve(analysis.whole[transition.way], None)
    if touched.everything or visible(touched, analysis.property):
        return 0
    if any(conflict(touched, theirs) for theirs in met):
        return 1
    worth = 4 if any(opposite(touched, theirs) for theirs in met) else 8
    siblings = process.locations[transition.source]
    return max(2, worth // len(siblings))


def feedback(edges: Iterable[Edge], weights: Mapping[int, int]) -> set[int]:
    """Transitions without which the graph has no cycle, of small total weight."""
    left = list(edges)
    worth = dict(weights)
    cut: list[Edge] = []
    while (cycle := find_cycle(left)) is not None:
        least = min(worth[number] for _, _, number in cycle)
        for _, _, number in cycle:
            worth[number] -= least
        gone = [edge for edge in cycle if worth[edge[2]] == 0]
        cut += gone
        left = [edge for edge in left if edge not in gone]
    # The last to be cut may have made an earlier one needless; what costs most goes back first.
    for edge in sorted(cut, key=lambda e: -weights[e[2]]):
        if find_cycle([*left, edge]) is None:
            left.append(edge)
            cut.remove(edge)
    return {number for _, _, number in cut}


def find_cycle(edges: Iterable[Edge]) -> list[Edge] | None:
    """The edges of some cycle."""
    following: dict[int, list[Edge]] = {}
    for edge in edges:
        following.setdefault(edge[0], []).append(edge)
    done: set[int] = set()
    for start in following:
        found = _search(start, lambda at: following.get(at, []), done)
        if found is not None:
            return found
    return None


def _search(
    start: int, following: Callable[[int], list[Edge]], done: set[int]
) -> list[Edge] | None:
    path: list[Edge] = []
    waiting = [iter(following(start))]
    depth = {start: 0}  # of the locations on the path
    at = [start]
    while waiting:
        edge = next(waiting[-1], None)
        if edge is None:
            waiting.pop()
            gone = at.pop()
            del depth[gone]
            done.add(gone)
            if path:
                path.pop()
        elif edge[1] in depth:
            return [*path[depth[edge[1]] :], edge]
        elif edge[1] not in done:
            path.append(edge)
            at.append(edge[1])
            depth[edge[1]] = len(path)
            waiting.append(iter(following(edge[1])))
    return None
