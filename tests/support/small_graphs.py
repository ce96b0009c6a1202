"""Small graphs whose edges are moves of processes, and what a search for cycles has to say of each.

The definition, plainly: two nodes are in one component if each reaches the other, by the closure of
the edges. Nothing is shared with any search.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, permutations, product

PROCESSES = range(3)
ACCEPTS = -2  # a mark: the edge leaves an accepting node. The others: it is fair to a process

Edge = tuple[int, int, int, int]  # from, to, process, partner
NOBODY = -1


@dataclass(frozen=True)
class Claim:
    """A Büchi automaton over one proposition: for each state and letter, where it may go."""

    moves: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]
    accepting: frozenset[int]


ANYTHING = Claim((((0,), (0,)),), frozenset())  # good nodes accept, by a label


@dataclass(frozen=True)
class Small:
    """A graph; it begins in node 0. `good` are the nodes where the proposition is true."""

    size: int
    good: frozenset[int]
    edges: tuple[Edge, ...]

    def __str__(self) -> str:
        edges = ", ".join(" ".join(map(str, e if e[3] != NOBODY else e[:3])) for e in self.edges)
        return f"{' '.join(map(str, sorted(self.good)))} /{edges}"

    def able(self, node: int) -> set[int]:
        """The processes that can begin a step."""
        return {p for a, _, p, _ in self.edges if a == node}

    def fair_to(self, node: int, *movers: int) -> frozenset[int]:
        return frozenset(PROCESSES) - self.able(node) | frozenset(movers)

    def marked(self, infinite_runs: bool) -> list[tuple[int, int, frozenset[int]]]:
        """Edges with the processes that they are fair to; a node that ends a run has a loop."""
        found = [(a, b, self.fair_to(a, p, q)) for a, b, p, q in self.edges]
        if not infinite_runs:
            ends = (n for n in range(self.size) if not self.able(n))
            found += [(n, n, self.fair_to(n)) for n in ends]
        return found

    def lasso(self, choices: list[list[int]], loop: int) -> Small | None:
        """The run of these choices as a graph of its own; None if it is none."""
        path = [0]
        for pid, number, *_ in choices:
            start, end, process, _ = self.edges[number]
            if (start, process) != (path[-1], pid):
                return None
            path.append(end)
        if path[loop] != path[-1] or (loop == len(choices) and self.able(path[-1])):
            return None
        size = max(len(choices), loop + 1)
        edges = []
        for at, (_, number, *_) in enumerate(choices):
            _, _, process, partner = self.edges[number]
            edges.append((at, loop if at + 1 == len(choices) > loop else at + 1, process, partner))
        return Run(
            size,
            frozenset(at for at in range(size) if path[at] in self.good),
            tuple(edges),
            tuple(frozenset(self.able(path[at])) for at in range(size)),
        )


@dataclass(frozen=True)
class Run(Small):
    """A run as a graph: who could have moved is known from where it comes from."""

    could: tuple[frozenset[int], ...]

    def able(self, node: int) -> set[int]:
        return set(self.could[node])


def accepts(
    graph: Small, claim: Claim = ANYTHING, *, fair: bool = False, infinite_runs: bool = False
) -> bool:
    """Whether the claim accepts a run of the graph; of ANYTHING, one with good nodes again."""
    states = len(claim.moves)
    edges = []
    for a, b, marks in graph.marked(infinite_runs):
        for state, moves in enumerate(claim.moves):
            good = a in graph.good
            label = claim is ANYTHING and good
            met = marks | {ACCEPTS} if label or state in claim.accepting else marks
            edges += [(a * states + state, b * states + to, met) for to in moves[good]]
    wanted = frozenset({ACCEPTS, *PROCESSES}) if fair else frozenset({ACCEPTS})
    return has_component(graph.size * states, edges, wanted)


def has_non_progress_cycle(graph: Small) -> bool:
    """Whether there is a cycle of good nodes alone."""
    reached = closure(graph.size, ((a, b) for a, b, *_ in graph.edges))[0] | 1
    without_progress = [
        (a, b)
        for a, b, *_ in graph.edges
        if reached >> a & 1 and a in graph.good and b in graph.good
    ]
    after = closure(graph.size, without_progress)
    return any(after[n] >> n & 1 for n in range(graph.size))


def has_component(
    size: int, edges: list[tuple[int, int, frozenset[int]]], wanted: frozenset[int]
) -> bool:
    """Whether a component that node 0 reaches has, on the edges within it, all the marks."""
    after = closure(size, ((a, b) for a, b, _ in edges))
    reached = after[0] | 1
    met: dict[int, frozenset[int]] = {}
    for a, b, marks in edges:
        if reached >> a & 1 and after[b] >> a & 1:  # on a cycle
            first = min(n for n in range(size) if after[a] >> n & 1 and after[n] >> a & 1)
            met[first] = met.get(first, frozenset()) | marks
    return any(marks >= wanted for marks in met.values())


def closure(size: int, edges: Iterable[tuple[int, int]]) -> list[int]:
    """For each node, as bits, those that one or more edges lead to."""
    after = [0] * size
    for a, b in edges:
        after[a] |= 1 << b
    for middle in range(size):
        for node in range(size):
            if after[node] >> middle & 1:
                after[node] |= after[middle]
    return after


# --- which graphs --------------------------------------------------------------------------------


def every(size: int, processes: int = 1) -> Iterator[Small]:
    """Every graph of so many nodes, each with every set of good nodes."""
    possible = [(*e, NOBODY) for e in product(range(size), range(size), range(processes))]
    for chosen in range(1 << len(possible)):
        edges = tuple(e for i, e in enumerate(possible) if chosen >> i & 1)
        for marks in range(1 << size):
            good = frozenset(n for n in range(size) if marks >> n & 1)
            yield Small(size, good, edges)


def drawn(dice: random.Random, most: int, processes: int = 1) -> Small:
    """A graph of up to `most` nodes; with several processes there are handshakes, too."""
    size = dice.randint(2, most)
    edges = set()
    for _ in range(dice.randint(1, 2 * size + processes)):
        process, partner = dice.sample(range(-1, processes), 2)
        if process == NOBODY:
            process, partner = partner, NOBODY
        if dice.random() < 0.7:
            partner = NOBODY
        edges.add((dice.randrange(size), dice.randrange(size), process, partner))
    density = dice.choice((0.2, 0.5, 0.8))
    good = frozenset(n for n in range(size) if dice.random() < density)
    return Small(size, good, tuple(sorted(edges)))


def around(graph: Small) -> Iterator[Small]:
    """A graph with its nodes in every order, and what differs in one good node or in one edge."""
    for order in permutations(range(1, graph.size)):
        to = (0, *order)
        good = frozenset(to[n] for n in graph.good)
        edges = frozenset((to[a], to[b], p, q) for a, b, p, q in graph.edges)
        yield Small(graph.size, good, tuple(sorted(edges)))
        for node in range(graph.size):
            yield Small(graph.size, good ^ {node}, tuple(sorted(edges)))
        for a, b in product(range(graph.size), range(graph.size)):
            changed = edges ^ {(a, b, 0, NOBODY)}
            yield Small(graph.size, good, tuple(sorted(changed)))


def drawn_claim(dice: random.Random, states: int = 4) -> Claim:
    """An automaton; it has transient, weak and mixed components, often several of them."""

    def targets() -> tuple[int, ...]:
        return tuple(sorted(dice.sample(range(states), dice.choice((0, 1, 1, 1, 2, 3)))))

    moves = tuple((targets(), targets()) for _ in range(states))
    return Claim(moves, frozenset(s for s in range(states) if dice.random() < 0.4))


def every_and_drawn(size: int, count: int, most: int, seed: str, processes: int = 1) -> list[Small]:
    dice = random.Random(seed)
    more = (drawn(dice, most, processes) for _ in range(count))
    return list(chain(every(size, min(processes, 2)), more))
