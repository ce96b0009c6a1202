"""From rules to clauses: one for each way to fill in a rule's variables.

A clause says that a body is false or a head is true, and nothing says that a head needs a body: a
derived relation of a model may be larger than the rules ask for. As long as it is not negated, the
least one is in a model whenever larger ones are, so this loses nothing. Relations that are negated
do not depend on themselves; for these clauses say that a head needs one of its bodies (Clark's
completion).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, permutations, product

from whorl.lab.language import SETS, SORTS, Atom, Literal, LogicRule, RuleSet

Facts = Mapping[str, frozenset[tuple[int, ...]]]


class Clauses:
    """Clauses over the ground atoms of relations, which get their numbers when first asked for."""

    def __init__(self, sizes: Mapping[str, int], relations: Mapping[str, tuple[str, ...]]) -> None:
        self.sizes = dict(sizes)
        self.clauses: list[list[int]] = []
        self.count = 0
        self._first: dict[str, tuple[int, tuple[int, ...]]] = {}  # first number, strides
        self._numbers: dict[str, range] = {}
        for name, places in relations.items():
            if name not in SETS:
                self.relation(name, places)

    def relation(self, name: str, places: Sequence[str]) -> None:
        """Numbers the ground atoms of a relation, one after another."""
        strides: list[int] = []
        size = 1
        for place in reversed(places):
            strides.insert(0, size)
            size *= self.sizes[place]
        self._first[name] = (self.count + 1, tuple(strides))
        self._numbers[name] = range(self.count + 1, self.count + 1 + size)
        self.count += size

    def number(self, name: str, *args: int) -> int:
        """The variable of a ground atom."""
        first, strides = self._first[name]
        return first + sum(stride * arg for stride, arg in zip(strides, args, strict=True))

    def numbers(self, name: str) -> range:
        """The variables of all ground atoms of a relation."""
        return self._numbers[name]

    def new(self) -> int:
        """A variable of no relation."""
        self.count += 1
        return self.count

    def add(self, *literals: int) -> None:
        self.clauses.append(list(literals))

    def places(self, name: str) -> tuple[int, tuple[int, ...]]:
        return self._first[name]


def ground(rules: RuleSet, clauses: Clauses, facts: Facts) -> None:
    """Adds the clauses of the rules. `facts` are the relations whose content is known already."""
    edges: list[tuple[LogicRule, Mapping[str, str]]] = []
    for rule, sorts in zip(rules.rules, rules.variables, strict=True):
        if rule.kind == "edge":
            edges.append((rule, sorts))
        elif rule.kind == "rule":
            _ground(rule, sorts, clauses, facts)
        else:
            _confine(rule, sorts, clauses, facts)
    for name in sorted(rules.exact):
        _complete(name, rules, clauses, facts)
    for number, (rule, sorts) in enumerate(edges):
        _acyclic(number, rule, sorts, clauses, facts)


def _ground(rule: LogicRule, sorts: Mapping[str, str], clauses: Clauses, facts: Facts) -> None:
    free = {v for atom in rule.alternatives for v in atom.args}
    free -= {v for literal in rule.body for v in literal.atom.args}
    names = [v for v in sorts if v not in free]
    literals = [_literal(literal, names, clauses) for literal in rule.body
                if literal.atom.name not in facts]  # fmt: skip
    heads: list[tuple[int, list[tuple[int, int]]]] = []
    if rule.head is not None:
        assert rule.head.name not in facts
        for values in product(*(range(clauses.sizes[sorts[v]]) for v in sorted(free))):
            fixed = dict(zip(sorted(free), values, strict=True))
            heads.append(_index(rule.head, names, clauses, fixed))
    out = clauses.clauses
    for values in bindings(rule, names, sorts, clauses.sizes, facts):
        clause = {
            sign * (first + sum(stride * values[i] for i, stride in places))
            for sign, first, places in literals
        }
        clause.update(
            first + sum(stride * values[i] for i, stride in places) for first, places in heads
        )
        if not any(-literal in clause for literal in clause):
            out.append(list(clause))


def _complete(name: str, rules: RuleSet, clauses: Clauses, facts: Facts) -> None:
    """Each atom of a derived relation needs the body of one of its rules."""
    bodies: dict[int, list[int]] = {number: [] for number in clauses.numbers(name)}
    for rule, sorts in zip(rules.rules, rules.variables, strict=True):
        if rule.kind != "rule" or rule.head is None or rule.head.name != name:
            continue
        assert not rule.alternatives
        names = list(sorts)
        first, places = _index(rule.head, names, clauses, {})
        literals = [_literal(literal, names, clauses) for literal in rule.body
                    if literal.atom.name not in facts]  # fmt: skip
        for values in bindings(rule, names, sorts, clauses.sizes, facts):
            head = first + sum(stride * values[i] for i, stride in places)
            body = [
                -sign * (start + sum(stride * values[i] for i, stride in strides))
                for sign, start, strides in literals
            ]
            if len(body) != 1:
                whole = clauses.new()
                for literal in body:
                    clauses.add(-whole, literal)
                body = [whole]
            bodies[head] += body
    for head, ways in bodies.items():
        clauses.add(-head, *ways)


def _confine(rule: LogicRule, sorts: Mapping[str, str], clauses: Clauses, facts: Facts) -> None:
    """An atom of a choice implies the body; where that is known to be true, it is free."""
    assert rule.head is not None
    names = list(sorts)
    head = _index(rule.head, names, clauses, {})
    literals = [_literal(lit, names, clauses) for lit in rule.body
                if lit.atom.name not in SORTS and lit.atom.name not in SETS]  # fmt: skip
    left = set(clauses.numbers(rule.head.name))
    for values in bindings(rule, names, sorts, clauses.sizes, facts):
        number = head[0] + sum(stride * values[i] for i, stride in head[1])
        left.discard(number)
        for sign, first, places in literals:
            body = first + sum(stride * values[i] for i, stride in places)
            clauses.add(-number, -sign * body)
    for number in sorted(left):
        clauses.add(-number)


def bindings(
    rule: LogicRule,
    names: Sequence[str],
    sorts: Mapping[str, str],
    sizes: Mapping[str, int],
    facts: Facts,
) -> Iterator[tuple[int, ...]]:
    """The values of the variables `names` that the known facts and the comparisons allow."""
    partial: list[dict[str, int]] = [{}]
    for literal in rule.body:
        if literal.positive and literal.atom.name in facts:
            partial = [
                extended
                for binding in partial
                for row in facts[literal.atom.name]
                if (extended := _joined(binding, literal.atom.args, row)) is not None
            ]
    negated = [lit.atom for lit in rule.body if not lit.positive and lit.atom.name in facts]
    for binding in partial:
        domains = [(binding[v],) if v in binding else range(sizes[sorts[v]]) for v in names]
        for values in product(*domains):
            if rule.comparisons or negated:
                whole = dict(zip(names, values, strict=True))
                if not all(comparison.holds(whole) for comparison in rule.comparisons):
                    continue
                if any(tuple(whole[v] for v in a.args) in facts[a.name] for a in negated):
                    continue
            yield values


def _joined(
    binding: Mapping[str, int], args: Sequence[str], row: Sequence[int]
) -> dict[str, int] | None:
    extended = dict(binding)
    for variable, value in zip(args, row, strict=True):
        if extended.setdefault(variable, value) != value:
            return None
    return extended


def _literal(
    literal: Literal, names: Sequence[str], clauses: Clauses
) -> tuple[int, int, list[tuple[int, int]]]:
    """A body's literal as part of a clause: sign, first number, and the stride of each variable."""
    return (-1 if literal.positive else 1, *_index(literal.atom, names, clauses, {}))


def _index(
    atom: Atom, names: Sequence[str], clauses: Clauses, fixed: Mapping[str, int]
) -> tuple[int, list[tuple[int, int]]]:
    first, strides = clauses.places(atom.name)
    places = []
    for variable, stride in zip(atom.args, strides, strict=True):
        if variable in fixed:
            first += stride * fixed[variable]
        else:
            places.append((names.index(variable), stride))
    return first, places


def _acyclic(
    number: int, rule: LogicRule, sorts: Mapping[str, str], clauses: Clauses, facts: Facts
) -> None:
    """The edges lie in an order: a relation `before` that is transitive and antisymmetric."""
    assert rule.head is not None
    half = len(rule.head.args) // 2
    ends = [sorts[v] for v in rule.head.args[:half]]
    name = f"before {number}"
    clauses.relation(name, ends + ends)
    nodes = list(product(*(range(clauses.sizes[sort]) for sort in ends)))
    head = Atom(name, rule.head.args, rule.head.span)
    _ground(
        LogicRule("rule", head, (), rule.body, rule.comparisons, rule.span), sorts, clauses, facts
    )
    before = {(x, y): clauses.number(name, *x, *y) for x in nodes for y in nodes}
    for x in nodes:
        clauses.add(-before[x, x])
    for x, y in combinations(nodes, 2):
        clauses.add(-before[x, y], -before[y, x])
    for x, y, z in permutations(nodes, 3):
        clauses.add(-before[x, y], -before[y, z], before[x, z])
