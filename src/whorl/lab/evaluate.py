"""Rules read on one instance, by plain iteration: what they derive, and which of them are broken.

This is how an instance is checked against rules that a user wrote; no solver and no clauses.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from whorl.lab.instance import Instance, sets_of
from whorl.lab.language import Atom, LogicRule, RuleSet

Relations = dict[str, set[tuple[int, ...]]]


def evaluate(rules: RuleSet, instance: Instance) -> Relations:
    """All relations of the instance: the given ones, and the least ones that the rules define."""
    relations = _given(instance)
    relations |= {name: set(rows) for name, rows in instance.extra}
    for name in rules.derived:
        relations[name] = set()
    for part in rules.strata():
        changed = True
        while changed:
            changed = False
            for rule in rules.rules:
                if rule.kind == "rule" and rule.head is not None and rule.head.name in part:
                    rows = relations[rule.head.name]
                    new = {_row(rule.head, found) for found in _matches(rule, relations)} - rows
                    rows |= new
                    changed = changed or bool(new)
    return relations


def broken(rules: RuleSet, relations: Relations) -> LogicRule | None:
    """A rule that does not hold of the instance, if there is one."""
    for rule in rules.rules:
        if rule.kind == "edge":
            if _has_cycle(rule, relations):
                return rule
        elif rule.kind == "choice":
            assert rule.head is not None
            allowed = {_row(rule.head, binding) for binding in _matches(rule, relations)}
            if not relations[rule.head.name] <= allowed:
                return rule
        elif rule.head is None:
            if next(_matches(rule, relations), None) is not None:
                return rule
        elif rule.head.name not in rules.derived:
            for binding in _matches(rule, relations):
                if not any(
                    _row(rule.head, extended) in relations[rule.head.name]
                    for extended in _alternatives(rule, binding, relations)
                ):
                    return rule
    return None


def _given(instance: Instance) -> Relations:
    program, automaton = instance.program, instance.automaton
    letters = range(1 << len(automaton.propositions))
    return {
        **{name: set(rows) for name, rows in sets_of(program.states).items()},
        "state": {(q,) for q in program.states},
        "operation": {(o,) for o in program.operations},
        "property": {(s,) for s in automaton.states},
        "letter": {(a,) for a in letters},
        "initial": {instance.initial},
        "next": {(q, o, r) for q in program.states for o, r in program.steps(q)},
        "enabled": {(q, o) for q in program.states for o in program.enabled(q)},
        "label": {(q, program.labels[q]) for q in program.states},
        "ample": {
            (q, s, o)
            for q in program.states
            for s in automaton.states
            for o in instance.ample[q][s]
        },
        "delta": {
            (s, a, z) for s in automaton.states for a in letters for z in automaton.successors(s, a)
        },
        "accepting": {(s,) for s in automaton.accepting},
    }


def _matches(rule: LogicRule, relations: Relations) -> Iterator[Mapping[str, int]]:
    """The ways in which the rule's body holds."""
    positive = [literal.atom for literal in rule.body if literal.positive]
    negative = [literal.atom for literal in rule.body if not literal.positive]
    tables = []  # of each atom the rows by the places whose variables are known before
    known: set[str] = set()
    for atom in positive:
        places = [place for place, variable in enumerate(atom.args) if variable in known]
        rows: dict[tuple[int, ...], list[tuple[int, ...]]] = {}
        for row in relations[atom.name]:
            rows.setdefault(tuple(row[place] for place in places), []).append(row)
        tables.append((places, rows))
        known.update(atom.args)

    def extend(index: int, binding: dict[str, int]) -> Iterator[dict[str, int]]:
        if index == len(positive):
            yield binding
            return
        places, rows = tables[index]
        key = tuple(binding[positive[index].args[place]] for place in places)
        for row in rows.get(key, ()):
            extended = dict(binding)
            if all(
                extended.setdefault(variable, value) == value
                for variable, value in zip(positive[index].args, row, strict=True)
            ):
                yield from extend(index + 1, extended)

    for binding in extend(0, {}):
        if all(comparison.holds(binding) for comparison in rule.comparisons) and not any(
            _row(atom, binding) in relations[atom.name] for atom in negative
        ):
            yield binding


def _alternatives(
    rule: LogicRule, binding: Mapping[str, int], relations: Relations
) -> Iterator[Mapping[str, int]]:
    if not rule.alternatives:
        yield binding
        return
    (atom,) = rule.alternatives
    for row in relations[atom.name]:
        extended = dict(binding)
        if all(
            extended.setdefault(variable, value) == value
            for variable, value in zip(atom.args, row, strict=True)
        ):
            yield extended


def _row(atom: Atom, binding: Mapping[str, int]) -> tuple[int, ...]:
    return tuple(binding[variable] for variable in atom.args)


def _has_cycle(rule: LogicRule, relations: Relations) -> bool:
    assert rule.head is not None
    half = len(rule.head.args) // 2
    after: dict[tuple[int, ...], set[tuple[int, ...]]] = {}
    for binding in _matches(rule, relations):
        row = _row(rule.head, binding)
        after.setdefault(row[:half], set()).add(row[half:])
    left = dict(after)
    while left:  # take away what leads nowhere else
        ends = [node for node, targets in left.items() if not targets & left.keys()]
        if not ends:
            return True
        for node in ends:
            del left[node]
    return False
