"""The question to the solver: all programs, automata and ample selectors within bounds, as clauses.

The rules of a scheme say what is wrong with a selector, and that the reduced product has no
accepting lasso. Here is the rest: what a program is, that the full product *has* an accepting lasso
(which rules cannot say, as they never say that something is needed), and the order in which states
and operations are numbered, which leaves out instances that differ only in names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product

from whorl.lab.grounding import Clauses, Facts, ground
from whorl.lab.instance import FiniteProgram, Instance, Node, sets_of
from whorl.lab.language import RuleSet
from whorl.property.automaton import Buchi, Edge
from whorl.property.letters import classes, first_letter


@dataclass(frozen=True, slots=True)
class Size:
    """How many operations, program states, automaton states and letters an instance has.

    Operations may be never enabled, so their number is a bound. States are all reachable.
    """

    operations: int
    states: int
    property: int
    letters: int


class Encoding:
    """Clauses whose models are the instances of one size.

    With an automaton, that is the one; without, the automaton is looked for too, among all of the
    size, with state 0 initial.
    """

    def __init__(
        self, rules: RuleSet, size: Size, automaton: Buchi | None, letters: Sequence[int]
    ) -> None:
        assert len(letters) == size.letters
        self.rules = rules
        self.size = size
        self.automaton = automaton
        self.letters = tuple(letters)  # the letters of the automaton that ours stand for
        sizes = {
            "operation": size.operations,
            "state": size.states,
            "property": size.property,
            "letter": size.letters,
            "set": 1 << size.states,
        }
        self.clauses = Clauses(sizes, rules.relations)
        self.facts = self._facts()
        ground(rules, self.clauses, self.facts)
        self._program()
        self._numbering()
        if "walk" in rules.chosen:
            self._operations_in_order()
        if "lost" in rules.chosen:
            self._loss()
        else:
            self._accepting_lasso()

    # --- atoms -----------------------------------------------------------------------------------

    def next(self, q: int, o: int, r: int) -> int:
        return self.clauses.number("next", q, o, r)

    def delta(self, s: int, a: int, z: int) -> int:
        return self.clauses.number("delta", s, a, z)

    def accepting(self, s: int) -> int:
        return self.clauses.number("accepting", s)

    def _facts(self) -> Facts:
        size = self.size
        facts = {
            **sets_of(range(size.states)),
            "state": frozenset((q,) for q in range(size.states)),
            "operation": frozenset((o,) for o in range(size.operations)),
            "property": frozenset((s,) for s in range(size.property)),
            "letter": frozenset((a,) for a in range(size.letters)),
            "initial": frozenset([(0, 0)]),
        }
        if self.automaton is not None:
            automaton = self.automaton
            facts["initial"] = frozenset([(0, automaton.initial)])
            facts["accepting"] = frozenset((s,) for s in automaton.accepting)
            facts["delta"] = frozenset(
                (s, a, z)
                for s in automaton.states
                for a, letter in enumerate(self.letters)
                for z in automaton.successors(s, letter)
            )
        return facts

    # --- programs --------------------------------------------------------------------------------

    def _program(self) -> None:
        """`next` is a partial function, `enabled` its domain; a state has one label; amp <= en."""
        clauses, size = self.clauses, self.size
        states, letters = range(size.states), range(size.letters)
        for q in states:
            for o in range(size.operations):
                enabled = clauses.number("enabled", q, o)
                targets = [self.next(q, o, r) for r in states]
                clauses.add(-enabled, *targets)
                for target in targets:
                    clauses.add(-target, enabled)
                for one, other in combinations(targets, 2):
                    clauses.add(-one, -other)
                for s in range(size.property):
                    clauses.add(-clauses.number("ample", q, s, o), enabled)
            labels = [clauses.number("label", q, a) for a in letters]
            clauses.add(*labels)
            for one, other in combinations(labels, 2):
                clauses.add(-one, -other)

    def _numbering(self) -> None:
        """States are numbered as a breadth-first search finds them, operations by what they are.

        First those that are invisible, among equals those that are enabled in the initial state,
        among equals those that stay there.

        The search takes the operations in their order. The parent of a state is the first one
        that leads to it: parents never decrease, and of two states with one parent the first is
        the one that the lesser operation leads to.
        """
        clauses, size = self.clauses, self.size
        operations = range(size.operations)
        lead = {
            (r, q): clauses.new() for q in range(size.states) for r in range(size.states)
        }  # some operation leads from r to q
        for (r, q), variable in lead.items():
            clauses.add(-variable, *(self.next(r, o, q) for o in operations))
            for o in operations:
                clauses.add(-self.next(r, o, q), variable)
        self.lead = lead
        parent = {(q, r): clauses.new() for q in range(1, size.states) for r in range(q)}
        for q in range(1, size.states):
            clauses.add(*(parent[q, r] for r in range(q)))
            for r in range(q):
                clauses.add(-parent[q, r], lead[r, q])
                for earlier in range(r):
                    clauses.add(-parent[q, r], -lead[earlier, q])
                    if q + 1 < size.states:
                        clauses.add(-parent[q, r], -parent[q + 1, earlier])
                if q + 1 < size.states:
                    for o in operations:  # leads to q + 1, and no lesser one leads to q
                        lesser = [self.next(r, p, q) for p in range(o)]
                        clauses.add(
                            -parent[q, r], -parent[q + 1, r], -self.next(r, o, q + 1), *lesser
                        )
        for o in range(size.operations - 1):
            visible, then_visible = (clauses.number("visible", p) for p in (o, o + 1))
            clauses.add(-visible, then_visible)
            for alike in (-visible, then_visible):  # one of them is false where both are alike
                for name, args in (("enabled", (0,)), ("next", (0, 0))):
                    first, second = (
                        clauses.number(name, args[0], p, *args[1:]) for p in (o, o + 1)
                    )
                    clauses.add(alike, -second, first)

    def _operations_in_order(self) -> None:
        """Among equals in visibility, operations are numbered by where they lead: from state 0, if
        that is the same from state 1, and so on; where they are not enabled comes last.

        Of all orders of the operations, each with the numbering of states that it gives, the one
        whose table of targets is the least, row by row, has this: two neighbours in the wrong
        order could be swapped, and up to their first difference states keep their numbers.
        """
        clauses, size = self.clauses, self.size
        for o in range(size.operations - 1):
            one, two = o, o + 1
            alike = clauses.new()  # the targets are the same so far
            seen = [clauses.number("visible", p) for p in (one, two)]
            clauses.add(*seen, alike)
            clauses.add(*(-number for number in seen), alike)
            for q in range(size.states):
                still = clauses.new()
                stuck = [clauses.number("enabled", q, p) for p in (one, two)]
                clauses.add(-alike, *stuck, still)
                for r in range(size.states):
                    lesser = [self.next(q, one, t) for t in range(r + 1)]
                    clauses.add(-alike, -self.next(q, two, r), *lesser)
                    both = (-self.next(q, one, r), -self.next(q, two, r))
                    clauses.add(-alike, *both, still)
                alike = still

    # --- safety ----------------------------------------------------------------------------------

    def _loss(self) -> None:
        """An operation is lost, or a state in which nothing is enabled; one of them is enough."""
        losses = [*self.clauses.numbers("lost"), *self.clauses.numbers("stuck")]
        self.clauses.add(*losses)
        for one, other in combinations(losses, 2):
            self.clauses.add(-one, -other)

    # --- the full product ------------------------------------------------------------------------

    def _accepting_lasso(self) -> None:
        """A seed that is accepting, within reach of the initial state and of itself."""
        clauses, size = self.clauses, self.size
        edges = self._product_edges()
        nodes = [(q, s) for q in range(size.states) for s in range(size.property)]
        known = self.facts.get("accepting")
        seed = {x: clauses.new() for x in nodes if known is None or (x[1],) in known}
        clauses.add(*seed.values())
        for one, other in combinations(seed.values(), 2):
            clauses.add(-one, -other)
        if known is None:
            for x, variable in seed.items():
                clauses.add(-variable, self.accepting(x[1]))
        ((q0, s0),) = self.facts["initial"]
        within = {x: (self._always if x == (q0, s0) else 0) for x in nodes}
        after: dict[Node, int] = {}
        for y in nodes:
            steps = [
                self._both(seed[x], edge) for (x, z), edge in edges.items() if z == y and x in seed
            ]
            after[y] = self._some(steps)
        for start in (within, after):
            reached = self._layers(start, edges)
            for x, variable in seed.items():
                clauses.add(-variable, *([reached[x]] if reached[x] else []))

    @property
    def _always(self) -> int:
        variable = self.clauses.new()
        self.clauses.add(variable)
        return variable

    def _product_edges(self) -> Mapping[tuple[Node, Node], int]:
        """A variable for each step of the full product, that is true only if the step is there."""
        clauses, size = self.clauses, self.size
        known = self.facts.get("delta")
        edges = {}
        for s in range(size.property):
            for z in range(size.property):
                if known is None:
                    reads = list(range(size.letters))
                else:
                    reads = [a for a in range(size.letters) if (s, a, z) in known]
                if not reads:
                    continue
                for q in range(size.states):
                    labels = [clauses.number("label", q, a) for a in reads]
                    if known is None:
                        labels = [
                            self._both(label, self.delta(s, a, z))
                            for a, label in zip(reads, labels, strict=True)
                        ]
                    for r in range(size.states):
                        edge = clauses.new()
                        clauses.add(-edge, self.lead[q, r])
                        if known is None or len(reads) < size.letters:
                            clauses.add(-edge, *labels)
                        edges[(q, s), (r, z)] = edge
        return edges

    def _layers(
        self, start: Mapping[Node, int], edges: Mapping[tuple[Node, Node], int]
    ) -> Mapping[Node, int]:
        """What can be reached from `start`, in as many steps as there can be: a layer a step."""
        layer = start
        steps_to: dict[Node, list[tuple[Node, int]]] = {x: [] for x in start}
        for (x, y), edge in edges.items():
            if x != y:
                steps_to[y].append((x, edge))
        for _ in range(len(start) - 1):
            following = {}
            for y in start:
                ways = [self._both(layer[x], edge) for x, edge in steps_to[y] if layer[x]]
                if layer[y]:
                    ways.append(layer[y])
                following[y] = self._some(ways)
            layer = following
        return layer

    def _both(self, one: int, other: int) -> int:
        """A variable that is true only if two others are."""
        variable = self.clauses.new()
        self.clauses.add(-variable, one)
        self.clauses.add(-variable, other)
        return variable

    def _some(self, variables: Sequence[int]) -> int:
        """A variable that is true only if one of others is; 0 if there are none."""
        if not variables:
            return 0
        variable = self.clauses.new()
        self.clauses.add(-variable, *variables)
        return variable

    # --- models ----------------------------------------------------------------------------------

    def instance(self, model: frozenset[int]) -> Instance:
        """The instance that a model stands for."""
        size, number = self.size, self.clauses.number
        states, operations = range(size.states), range(size.operations)

        def holds(name: str, *args: int) -> bool:
            return number(name, *args) in model

        labels = tuple(
            next(self.letters[a] for a in range(size.letters) if holds("label", q, a))
            for q in states
        )
        steps = tuple(
            tuple(next((r for r in states if holds("next", q, o, r)), None) for o in operations)
            for q in states
        )
        ample = tuple(
            tuple(
                frozenset(o for o in operations if holds("ample", q, s, o))
                for s in range(size.property)
            )
            for q in states
        )
        extra = tuple(
            (name, frozenset(self._rows(name, model))) for name in sorted(self.rules.chosen)
        )
        return Instance(FiniteProgram(labels, steps), self.automaton_of(model), ample, extra)

    def assume(self, automaton: Buchi) -> list[int]:
        """Literals that say which automaton is meant, where the encoding leaves it open."""
        assert self.automaton is None
        states = range(self.size.property)
        literals = []
        for s in states:
            sign = 1 if s in automaton.accepting else -1
            literals.append(sign * self.accepting(s))
            for a, letter in enumerate(self.letters):
                targets = set(automaton.successors(s, letter))
                literals += [(1 if z in targets else -1) * self.delta(s, a, z) for z in states]
        return literals

    def another(self, model: frozenset[int], names: Sequence[str] = ()) -> list[int]:
        """A clause that the model breaks, and every model satisfies that differs in a relation.

        By default the relations are all those that make an instance.
        """
        if not names:
            names = ["next", "label", "ample", *sorted(self.rules.chosen)]
            if self.automaton is None:
                names += ["delta", "accepting"]
        return [
            -number if number in model else number
            for name in names
            for number in self.clauses.numbers(name)
        ]

    def _rows(self, name: str, model: frozenset[int]) -> list[tuple[int, ...]]:
        """A chosen relation; letters are written as the automaton has them."""
        sorts = self.rules.relations[name]
        rows = product(*(range(self.clauses.sizes[sort]) for sort in sorts))
        return [
            tuple(
                self.letters[x] if sort == "letter" else x
                for x, sort in zip(row, sorts, strict=True)
            )
            for row in rows
            if self.clauses.number(name, *row) in model
        ]

    def automaton_of(self, model: frozenset[int]) -> Buchi:
        """The automaton that a model stands for."""
        if self.automaton is not None:
            return self.automaton
        states = range(self.size.property)
        propositions = propositions_for(self.size.letters)
        edges = []
        for s in states:
            labels = {
                z: sum(
                    1 << self.letters[a]
                    for a in range(self.size.letters)
                    if self.delta(s, a, z) in model
                )
                for z in states
            }
            edges.append(tuple(Edge(label, z) for z, label in labels.items() if label))
        accepting = frozenset(s for s in states if self.accepting(s) in model)
        return Buchi(propositions, 0, tuple(edges), accepting)


def propositions_for(letters: int) -> tuple[str, ...]:
    """Names for as many propositions as so many letters need."""
    return ("p", "q", "r", "s")[: max(1, (letters - 1).bit_length())]


def letters_of(automaton: Buchi) -> list[int]:
    """A letter for each class that the automaton can tell apart; others would add nothing."""
    labels = (edge.label for out in automaton.edges for edge in out)
    return sorted(map(first_letter, classes(labels, len(automaton.propositions))))
