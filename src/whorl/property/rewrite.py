"""Formulas rewritten so that their automata are small.

The result is in negation normal form. A rule and its dual are written once: the smart constructor
of `|` negates, applies that of `&`, and negates back, and likewise for G, R and W, whose rules are
those of F, U and M. The rules are from Somenzi and Bloem (CAV 2000), Etessami and Holzmann (CONCUR
2000), Babiak, Křetínský, Řehák and Strejček ("LTL to Büchi automata translation: fast and more
deterministic", TACAS 2012) and from the list in the documentation of Spot, as far as they paid on
the published formula sets.
"""

from __future__ import annotations

from collections.abc import Iterable

from whorl.language.formula import FALSE, TRUE, Formula, Op
from whorl.property.implication import Facts


class Rewriter:
    """Rewrites formulas over the propositions of `facts`; every result is remembered.

    The methods `conjunction`, `finally_` and so on take rewritten formulas and give rewritten ones.
    """

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self._done: dict[tuple[Formula, bool], Formula] = {}
        self._order: dict[Formula, int] = {}  # when a formula was first seen: the order of operands

    def rewrite(self, formula: Formula, negated: bool = False) -> Formula:
        """A formula with the language of this one, or of its negation."""
        key = formula, negated
        if key not in self._done:
            self._done[key] = self._rewrite(formula, negated)
        return self._done[key]

    def _rewrite(self, formula: Formula, negated: bool) -> Formula:
        arguments = formula.args
        match formula.op:
            case Op.TRUE:
                return FALSE if negated else TRUE
            case Op.FALSE:
                return TRUE if negated else FALSE
            case Op.ATOM:
                return ~formula if negated else formula
            case Op.NOT:
                return self.rewrite(arguments[0], not negated)
            case Op.IMPLIES:
                left, right = arguments
                return self.rewrite(~left | right, negated)
            case Op.IFF:
                left, right = arguments
                if negated:
                    return self.rewrite((left & ~right) | (~left & right))
                return self.rewrite((left & right) | (~left & ~right))
        parts = [self.rewrite(part) for part in arguments]
        match formula.op:
            case Op.AND:
                rewritten = self.conjunction(parts)
            case Op.OR:
                rewritten = self.disjunction(parts)
            case Op.NEXT:
                rewritten = self.next_(*parts)
            case Op.FINALLY:
                rewritten = self.finally_(*parts)
            case Op.GLOBALLY:
                rewritten = self.globally(*parts)
            case Op.UNTIL:
                rewritten = self.until(*parts)
            case Op.RELEASE:
                rewritten = self.release(*parts)
            case Op.WEAK:
                rewritten = self.weak(*parts)
            case _:
                assert formula.op is Op.STRONG
                rewritten = self.strong(*parts)
        return self.facts.negation(rewritten) if negated else rewritten

    # --- the duals --------------------------------------------------------------------------------

    def disjunction(self, parts: Iterable[Formula]) -> Formula:
        negation = self.facts.negation
        return negation(self.conjunction([negation(part) for part in parts]))

    def globally(self, f: Formula) -> Formula:
        negation = self.facts.negation
        return negation(self.finally_(negation(f)))

    def release(self, f: Formula, g: Formula) -> Formula:
        negation = self.facts.negation
        return negation(self.until(negation(f), negation(g)))

    def weak(self, f: Formula, g: Formula) -> Formula:
        negation = self.facts.negation
        return negation(self.strong(negation(f), negation(g)))

    # --- X, F, U, M -------------------------------------------------------------------------------

    def next_(self, f: Formula) -> Formula:
        if self.facts.lasting(f):
            return f
        if f.op in (Op.AND, Op.OR):
            # what lasts need not wait
            lasting = [part for part in f.args if self.facts.lasting(part)]
            if lasting:
                rest = [part for part in f.args if not self.facts.lasting(part)]
                join = self.conjunction if f.op is Op.AND else self.disjunction
                return join([self.next_(join(rest)), *lasting])
        return Formula(Op.NEXT, (f,))

    def finally_(self, f: Formula) -> Formula:
        facts = self.facts
        if facts.eventual(f):
            return f
        match f.op:
            case Op.NEXT:
                return self.next_(self.finally_(f.args[0]))
            case Op.UNTIL:
                return self.finally_(f.args[1])
            case Op.STRONG:
                return self.finally_(self.conjunction(f.args))
            case Op.OR:
                # F(f | e) = Ff | e, and F(f | u) = Ff | Fu where Fu lasts
                apart = [part for part in f.args if self._comes(part) or self._stays(part)]
                if apart:
                    rest = [part for part in f.args if part not in apart]
                    return self.disjunction(
                        [self.finally_(self.disjunction(rest)), *map(self.finally_, apart)]
                    )
            case Op.AND:
                lasting = [part for part in f.args if facts.lasting(part)]
                if lasting:
                    rest = [part for part in f.args if part not in lasting]
                    return self.conjunction([self.finally_(self.conjunction(rest)), *lasting])
            case Op.GLOBALLY:  # FG(f | u) = FGf | FGu if u is universal
                (inner,) = f.args
                if inner.op is Op.OR:
                    stays = [part for part in inner.args if self._stays(part)]
                    if stays:
                        rest = [part for part in inner.args if part not in stays]
                        parts = [*stays, self.disjunction(rest)]
                        return self.disjunction(
                            [self.finally_(self.globally(part)) for part in parts]
                        )
        return Formula(Op.FINALLY, (f,))

    def _comes(self, f: Formula) -> bool:
        """Whether it is eventual, or X of such a formula."""
        while f.op is Op.NEXT:
            (f,) = f.args
        return self.facts.eventual(f)

    def _stays(self, f: Formula) -> bool:
        """Whether it is universal, or X of such a formula."""
        while f.op is Op.NEXT:
            (f,) = f.args
        return self.facts.universal(f)

    def until(self, f: Formula, g: Formula) -> Formula:
        facts = self.facts
        if facts.eventual(g) or facts.implies(f, g):
            return g
        if facts.implies(facts.negation(f), g):
            return self.finally_(g)
        if f.op is Op.NEXT and g.op is Op.NEXT:
            return self.next_(self.until(f.args[0], g.args[0]))
        if g.op is Op.UNTIL and facts.implies(f, g.args[0]):
            return g
        if f.op is Op.UNTIL and f.args[1] == g:
            return f
        if g.op is Op.OR:
            eventual = [part for part in g.args if facts.eventual(part)]
            if eventual:
                rest = self.disjunction([part for part in g.args if part not in eventual])
                return self.disjunction([self.until(f, rest), *eventual])
            for_ever = Formula(Op.GLOBALLY, (f,))
            if for_ever in g.args:  # f U (g | Gf) = f W g
                return self.weak(f, self.disjunction([p for p in g.args if p != for_ever]))
        if g.op is Op.AND:
            lasting = [part for part in g.args if facts.lasting(part)]
            if lasting:
                rest = self.conjunction([part for part in g.args if part not in lasting])
                return self.conjunction([self.until(f, rest), *lasting])
            if f in g.args:
                return self.strong(self.conjunction([p for p in g.args if p != f]), f)
        shorter = self._shorter_left(f, g)
        if shorter != f:
            return self.until(shorter, g)
        return Formula(Op.UNTIL, (f, g))

    def _shorter_left(self, f: Formula, g: Formula) -> Formula:
        """f without what f U g does not need: (f | h) U g = f U g if h implies g, and the dual."""
        facts = self.facts
        if f.op is Op.OR:
            return self.disjunction([part for part in f.args if not facts.implies(part, g)])
        if f.op is Op.AND:
            return self.conjunction(
                [part for part in f.args if not facts.implies(facts.negation(part), g)]
            )
        return f

    def strong(self, f: Formula, g: Formula) -> Formula:
        """f M g: g holds up to and with the first point where f does, and there is one."""
        facts = self.facts
        if facts.eventual(f) or facts.implies(g, f):
            return self.conjunction([f, g])
        if facts.universal(g):
            return self.conjunction([self.finally_(f), g])
        if facts.implies(f, facts.negation(g)):
            return FALSE
        if f.op is Op.NEXT and g.op is Op.NEXT:
            return self.next_(self.strong(f.args[0], g.args[0]))
        if g.op is Op.STRONG and facts.implies(g.args[0], f):
            return g
        if g.op is Op.OR and f in g.args:  # f M (f | g) = g U f
            return self.until(self.disjunction([part for part in g.args if part != f]), f)
        if g.op is Op.AND:
            universal = [part for part in g.args if facts.universal(part)]
            if universal:
                rest = self.conjunction([part for part in g.args if part not in universal])
                return self.conjunction([self.strong(f, rest), *universal])
        if f.op is Op.AND:
            kept = [part for part in f.args if not facts.implies(g, part)]
            if len(kept) < len(f.args):
                return self.strong(self.conjunction(kept), g)
        return Formula(Op.STRONG, (f, g))

    # --- conjunctions -----------------------------------------------------------------------------

    def conjunction(self, parts: Iterable[Formula]) -> Formula:
        """The conjunction, flattened, without what the rest implies, alike operands joined."""
        facts = self.facts
        flat: list[Formula] = []
        for part in parts:
            flat.extend(part.args if part.op is Op.AND else (part,))
        flat = list(dict.fromkeys(flat))
        while True:
            kept = self._irredundant(flat)
            if kept is None:
                return FALSE
            joined = self._joined(kept)
            if joined is None:
                break
            flat = []
            for part in joined:
                flat.extend(part.args if part.op is Op.AND else (part,))
            flat = list(dict.fromkeys(flat))
        if not kept:
            return TRUE
        if len(kept) == 1:
            return kept[0]
        for part in kept:
            self._order.setdefault(part, len(self._order))
        kept.sort(key=lambda part: (facts.label(part) is None, self._order[part]))
        return Formula(Op.AND, tuple(kept))

    def _irredundant(self, parts: list[Formula]) -> list[Formula] | None:
        """The parts that no other one implies; None if two exclude each other."""
        facts = self.facts
        boolean = facts.full
        kept: list[Formula] = []
        for part in parts:
            label = facts.label(part)
            if label is not None:
                boolean &= label
            if any(facts.implies(part, facts.negation(other)) for other in kept):
                return None
            if any(facts.implies(other, part) for other in kept):
                continue
            kept = [other for other in kept if not facts.implies(part, other)]
            kept.append(part)
        if boolean == 0:
            return None
        return [part for part in kept if part.op is not Op.TRUE]

    def _joined(self, parts: list[Formula]) -> list[Formula] | None:
        """The parts with two of them replaced by one that says the same; None if no rule fits."""
        for index, f in enumerate(parts):
            for g in parts[index + 1 :]:
                one = self._join(f, g)
                if one is None:
                    one = self._join(g, f)
                if one is not None and set(one) != {f, g}:
                    return [part for part in parts if part != f and part != g] + one
        return None

    def _join(self, f: Formula, g: Formula) -> list[Formula] | None:
        """What f & g may be replaced by."""
        facts = self.facts
        match f.op, g.op:
            case Op.NEXT, Op.NEXT:
                return [self.next_(self.conjunction((f.args[0], g.args[0])))]
            case Op.GLOBALLY, Op.GLOBALLY:
                if not self._comes(f.args[0]) and not self._comes(g.args[0]):
                    return [self.globally(self.conjunction((f.args[0], g.args[0])))]
            case Op.FINALLY, Op.FINALLY:
                (a,), (b,) = f.args, g.args
                if a.op is Op.GLOBALLY and b.op is Op.GLOBALLY:  # FGa & FGb = FG(a & b)
                    return [self.finally_(self.conjunction((a, b)))]
            case Op.GLOBALLY, (Op.UNTIL | Op.STRONG):
                stay, reach = g.args if g.op is Op.UNTIL else g.args[::-1]
                if facts.implies(f, stay):  # Ga & (a U b) = Ga & Fb
                    return [f, self.finally_(reach)]
            case Op.UNTIL, (Op.UNTIL | Op.WEAK):
                if f.args[1] == g.args[1]:
                    return [self.until(self.conjunction((f.args[0], g.args[0])), f.args[1])]
            case Op.WEAK, Op.WEAK:
                if f.args[1] == g.args[1]:
                    return [self.weak(self.conjunction((f.args[0], g.args[0])), f.args[1])]
            case Op.RELEASE, Op.RELEASE:
                if f.args[0] == g.args[0]:
                    return [self.release(f.args[0], self.conjunction((f.args[1], g.args[1])))]
            case Op.STRONG, (Op.STRONG | Op.RELEASE):
                if f.args[0] == g.args[0]:
                    return [self.strong(f.args[0], self.conjunction((f.args[1], g.args[1])))]
            case Op.FINALLY, Op.WEAK:
                if f.args[0] == g.args[1]:  # Fb & (a W b) = a U b
                    return [self.until(*g.args)]
            case Op.FINALLY, Op.RELEASE:
                if f.args[0] == g.args[0]:  # Fa & (a R b) = a M b
                    return [self.strong(*g.args)]
            case _, Op.NEXT:
                (inner,) = g.args
                if inner.op is Op.GLOBALLY and inner.args[0] == f:  # a & XGa = Ga
                    return [inner]
        return None
