"""Couvreur's translation: from a formula to a generalised Büchi automaton on the fly.

A state is a set of formulas that must hold together. One step expands it into terms (letters, the
formulas that must hold from the next letter on, promises): f U g, for instance, holds if g holds
now, or if f does, f U g holds next, and g is promised. An edge is in the acceptance set of a
promise if it does not make it. Two sets of formulas with the same terms are the same state.

J.-M. Couvreur, "On-the-fly verification of linear temporal logic", FM 1999. Differences: labels are
truth tables, and terms that another one covers are dropped, as Gastin and Oddoux do in "Fast LTL to
Büchi automata translation", CAV 2001.
"""

from __future__ import annotations

from collections.abc import Iterable

from whorl.language.formula import Formula, Op
from whorl.property.automaton import Automaton, Edge
from whorl.property.effort import Work
from whorl.property.implication import Facts

# The letters, the formulas for the next letter and the promises, the last two as sets of bits.
Term = tuple[int, int, int]


def tableau(formula: Formula, facts: Facts, work: Work | None = None) -> Automaton:
    """An automaton for a formula in negation normal form; TooMuchWork if that is so."""
    build = _Tableau(facts, work)
    terms = build.expand(formula)
    numbers: dict[tuple[Term, ...], int] = {terms: 0}
    states = [terms]
    by_set: dict[int, int] = {}  # the state of a set of formulas
    edges: list[list[Edge]] = []
    while len(edges) < len(states):
        out = []
        for label, following, promises in states[len(edges)]:
            target = by_set.get(following)
            if target is None:
                terms = build.expand_set(following)
                target = numbers.setdefault(terms, len(states))
                by_set[following] = target
                if target == len(states):
                    states.append(terms)
            if states[target]:
                out.append(Edge(label, target, promises))
        edges.append(out)
    sets = len(build.promises)
    everything = (1 << sets) - 1
    kept = (
        tuple(Edge(edge.label, edge.target, everything & ~edge.marks) for edge in out)
        for out in edges
    )
    return Automaton(facts.propositions, 0, tuple(kept), sets)


class _Tableau:
    """Formulas and promises that were met, numbered, and their expansions."""

    def __init__(self, facts: Facts, work: Work | None) -> None:
        self.facts = facts
        self.work = work
        self.formulas: list[Formula] = []
        self.promises: dict[Formula, int] = {}
        self._numbers: dict[Formula, int] = {}
        self._expansions: dict[Formula, tuple[Term, ...]] = {}
        self._sets: dict[int, tuple[Term, ...]] = {0: ((facts.full, 0, 0),)}

    def expand_set(self, formulas: int) -> tuple[Term, ...]:
        """The terms of a set of formulas."""
        terms = self._sets.get(formulas)
        if terms is None:
            lowest = formulas & -formulas
            rest = self.expand_set(formulas ^ lowest)
            terms = self.product(self.expand(self.formulas[lowest.bit_length() - 1]), rest)
            self._sets[formulas] = terms
        return terms

    def expand(self, formula: Formula) -> tuple[Term, ...]:
        """The terms of a formula: it holds exactly if one of them does."""
        terms = self._expansions.get(formula)
        if terms is None:
            terms = self._expand(formula)
            self._expansions[formula] = terms
        return terms

    def _expand(self, formula: Formula) -> tuple[Term, ...]:
        label = self.facts.label(formula)
        if label is not None:
            return ((label, 0, 0),) if label else ()
        parts = formula.args
        match formula.op:
            case Op.AND:
                terms: tuple[Term, ...] = ((self.facts.full, 0, 0),)
                for part in parts:
                    terms = self.product(terms, self.expand(part))
                return terms
            case Op.OR:
                return self.least(term for part in parts for term in self.expand(part))
            case Op.NEXT:
                return (self._later(parts[0]),)
            case Op.FINALLY:
                return self.least((*self.expand(parts[0]), self._later(formula, parts[0])))
            case Op.GLOBALLY:
                (inner,) = parts
                if inner.op is Op.FINALLY:  # GFa promises a at every step; Fa need not be kept
                    (goal,) = inner.args
                    now = self.product(self.expand(goal), (self._later(formula),))
                    return self.least((*now, self._later(formula, goal)))
                return self.product(self.expand(inner), (self._later(formula),))
            case Op.UNTIL:
                stay = self.product(self.expand(parts[0]), (self._later(formula, parts[1]),))
                return self.least((*self.expand(parts[1]), *stay))
            case Op.WEAK:
                stay = self.product(self.expand(parts[0]), (self._later(formula),))
                return self.least((*self.expand(parts[1]), *stay))
            case Op.RELEASE:
                last = (*self.expand(parts[0]), self._later(formula))
                return self.product(self.expand(parts[1]), last)
            case _:
                assert formula.op is Op.STRONG
                last = (*self.expand(parts[0]), self._later(formula, parts[0]))
                return self.product(self.expand(parts[1]), last)

    def _later(self, formula: Formula, promise: Formula | None = None) -> Term:
        """The term of a formula that must hold from the next letter on, and of a promise."""
        following = 0
        for part in formula.args if formula.op is Op.AND else (formula,):
            number = self._numbers.setdefault(part, len(self.formulas))
            if number == len(self.formulas):
                self.formulas.append(part)
            following |= 1 << number
        if promise is None:
            return self.facts.full, following, 0
        return (
            self.facts.full,
            following,
            1 << self.promises.setdefault(promise, len(self.promises)),
        )

    def product(self, left: Iterable[Term], right: Iterable[Term]) -> tuple[Term, ...]:
        right = tuple(right)
        return self.least(
            (label & other, following | then, promises | more)
            for label, following, promises in left
            for other, then, more in right
            if label & other
        )

    def least(self, terms: Iterable[Term]) -> tuple[Term, ...]:
        """The terms in a canonical form, without those that others cover.

        A term covers another if it demands a part of what that one does, for at least its letters.
        """
        joined: dict[tuple[int, int], int] = {}
        for label, following, promises in terms:
            key = following, promises
            joined[key] = joined.get(key, 0) | label
        if self.work is not None:
            self.work.spend(len(joined) ** 2, len(self.facts.propositions))
        kept = []
        for (following, promises), label in joined.items():
            for (then, more), other in joined.items():
                if then & ~following or more & ~promises or (then, more) == (following, promises):
                    continue
                label &= ~other
            if label:
                kept.append((label, following, promises))
        return tuple(sorted(kept))
