"""What the syntax of a formula tells about its language: implication, eventual, universal.

All formulas here are in negation normal form. The answers are sound and not complete: `implies` may
miss an implication, never invent one. The rules are those of Somenzi and Bloem ("Efficient Büchi
automata from LTL formulae", CAV 2000) and of Etessami and Holzmann ("Optimizing Büchi automata",
CONCUR 2000), with Boolean formulas decided by their truth tables.
"""

from __future__ import annotations

from whorl.language.formula import Formula, Op
from whorl.property.automaton import full, literal

_DUAL = {
    Op.TRUE: Op.FALSE, Op.FALSE: Op.TRUE, Op.AND: Op.OR, Op.OR: Op.AND, Op.NEXT: Op.NEXT,
    Op.FINALLY: Op.GLOBALLY, Op.GLOBALLY: Op.FINALLY, Op.UNTIL: Op.RELEASE, Op.RELEASE: Op.UNTIL,
    Op.WEAK: Op.STRONG, Op.STRONG: Op.WEAK,
}  # fmt: skip


class Facts:
    """What is known about formulas over the given propositions; every answer is remembered."""

    def __init__(self, propositions: tuple[str, ...]) -> None:
        self.propositions = propositions
        self.full = full(len(propositions))
        self._atoms = {
            name: literal(index, len(propositions)) for index, name in enumerate(propositions)
        }
        self._labels: dict[Formula, int | None] = {}
        self._negations: dict[Formula, Formula] = {}
        self._eventual: dict[Formula, bool] = {}
        self._universal: dict[Formula, bool] = {}
        self._implies: dict[tuple[Formula, Formula], bool] = {}

    def label(self, formula: Formula) -> int | None:
        """The letters that satisfy a Boolean formula; None for a temporal one."""
        if formula not in self._labels:
            self._labels[formula] = self._label(formula)
        return self._labels[formula]

    def _label(self, formula: Formula) -> int | None:
        match formula.op:
            case Op.TRUE:
                return self.full
            case Op.FALSE:
                return 0
            case Op.ATOM:
                return self._atoms[formula.name]
            case Op.NOT | Op.AND | Op.OR:
                parts = [self.label(part) for part in formula.args]
                if formula.op is Op.NOT:
                    return None if parts[0] is None else self.full & ~parts[0]
                label = self.full if formula.op is Op.AND else 0
                for part in parts:
                    if part is None:
                        return None
                    label = label & part if formula.op is Op.AND else label | part
                return label
        return None

    def negation(self, formula: Formula) -> Formula:
        """The negation, in negation normal form, with the operators replaced by their duals."""
        negated = self._negations.get(formula)
        if negated is None:
            if formula.op is Op.NOT:
                (negated,) = formula.args
            elif formula.op is Op.ATOM:
                negated = ~formula
            else:
                arguments = tuple(self.negation(part) for part in formula.args)
                negated = Formula(_DUAL[formula.op], arguments)
            self._negations[formula] = negated
            self._negations[negated] = formula
        return negated

    def eventual(self, formula: Formula) -> bool:
        """Whether a word satisfies it if one of its suffixes does (so that Ff = f)."""
        is_eventual = self._eventual.get(formula)
        if is_eventual is None:
            parts = formula.args
            match formula.op:
                case Op.TRUE | Op.FALSE | Op.FINALLY:
                    is_eventual = True
                case Op.UNTIL | Op.RELEASE | Op.STRONG:
                    is_eventual = self.eventual(parts[1])
                case Op.ATOM | Op.NOT:
                    is_eventual = False
                case _:
                    is_eventual = all(self.eventual(part) for part in parts)
            self._eventual[formula] = is_eventual
        return is_eventual

    def universal(self, formula: Formula) -> bool:
        """Whether every suffix of a word that satisfies it does so too (so that Gf = f)."""
        return self.eventual(self.negation(formula))

    def lasting(self, formula: Formula) -> bool:
        """Whether a word satisfies it exactly if any suffix does (as GFa; then Xf = f)."""
        return self.eventual(formula) and self.universal(formula)

    def implies(self, f: Formula, g: Formula) -> bool:
        """Whether every word of f is seen to be one of g."""
        if f == g or f.op is Op.FALSE or g.op is Op.TRUE:
            return True
        if g.op is Op.FALSE or f.op is Op.TRUE:
            return False
        implied = self._implies.get((f, g))
        if implied is None:
            implied = self._holds(f, g) or self._holds(self.negation(g), self.negation(f))
            self._implies[f, g] = implied
        return implied

    def _holds(self, f: Formula, g: Formula) -> bool:
        left, right = self.label(f), self.label(g)
        if left is not None and right is not None:
            return left & ~right == 0
        if f.op is Op.OR:
            return all(self.implies(part, g) for part in f.args)
        if g.op is Op.AND:
            return all(self.implies(f, part) for part in g.args)
        return self._from_left(f, g) or self._to_right(f, g)

    def _from_left(self, f: Formula, g: Formula) -> bool:
        """Rules that replace f by something weaker."""
        implies, parts = self.implies, f.args
        match f.op:
            case Op.AND:
                return any(implies(part, g) for part in parts)
            case Op.NEXT:
                return self.eventual(g) and implies(parts[0], g)
            case Op.FINALLY:
                return self.eventual(g) and implies(parts[0], g)
            case Op.GLOBALLY:
                return implies(parts[0], g)
            case Op.UNTIL:
                return implies(parts[1], g) and (self.eventual(g) or implies(parts[0], g))
            case Op.WEAK:
                return implies(parts[0], g) and implies(parts[1], g)
            case Op.RELEASE:
                return implies(parts[1], g)
            case Op.STRONG:
                return implies(parts[1], g) or (self.eventual(g) and implies(parts[0], g))
        return False

    def _to_right(self, f: Formula, g: Formula) -> bool:
        """Rules that look into both."""
        implies, parts = self.implies, f.args
        match g.op:
            case Op.OR:
                return any(implies(f, part) for part in g.args)
            case Op.NEXT:
                (inner,) = g.args
                if self.universal(f) and implies(f, inner):
                    return True
                return f.op is Op.NEXT and implies(parts[0], inner)
            case Op.FINALLY:
                return implies(f, g.args[0])
            case Op.GLOBALLY:
                return self.universal(f) and implies(f, g.args[0])
            case Op.UNTIL | Op.WEAK:
                stay, reach = g.args
                if implies(f, reach):
                    return True
                if g.op is Op.WEAK and self.universal(f) and implies(f, stay):
                    return True
                if f.op is Op.UNTIL or (f.op is Op.WEAK and g.op is Op.WEAK):
                    return implies(parts[0], stay) and implies(parts[1], g)
                if f.op is Op.STRONG or (f.op is Op.RELEASE and g.op is Op.WEAK):
                    # parts[1] holds up to the point where both hold
                    return implies(parts[1], stay) and (
                        implies(parts[0], g) or implies(parts[1], g)
                    )
                return False
            case Op.RELEASE | Op.STRONG:
                release, stay = g.args
                if implies(f, stay) and implies(f, release):
                    return True
                if g.op is Op.RELEASE and self.universal(f) and implies(f, stay):
                    return True
                if f.op is Op.STRONG or (f.op is Op.RELEASE and g.op is Op.RELEASE):
                    return implies(parts[0], release) and implies(parts[1], stay)
                if f.op is Op.UNTIL or (f.op is Op.WEAK and g.op is Op.RELEASE):
                    return implies(parts[0], stay) and implies(parts[1], g)
                return False
        return False
