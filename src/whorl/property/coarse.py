"""Fewer propositions: the parts of a formula without temporal operators, each taken as one.

A truth table has a bit for each letter, so there is a limit to how many propositions a formula may
have. A formula over more of them mostly has few parts that are not temporal, however large these
are, and any state predicate will do as a proposition.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from whorl.diagnostics import Span, WhorlError
from whorl.language.formula import SPIN, Formula, Op, atom, text
from whorl.program.program import BinaryOp, Const, Expr, LtlProperty, UnaryOp
from whorl.property.automaton import MOST_PROPOSITIONS

_BOOLEAN = {Op.AND: "&&", Op.OR: "||", Op.IMPLIES: "||", Op.IFF: "=="}


def within_limit(found: LtlProperty) -> LtlProperty:
    """The same property with as many propositions as a claim may have; WhorlError if it cannot."""
    if len(found.atoms) <= MOST_PROPOSITIONS:
        return found
    known = dict(zip(found.formula.propositions, found.atoms, strict=True))
    meanings: dict[str, Expr] = {}
    formula = _coarse(found.formula, known, meanings, found.span)
    names = formula.propositions
    if len(names) > MOST_PROPOSITIONS:
        raise WhorlError.at(
            found.span,
            f"the formula has {len(names)} propositions; at most {MOST_PROPOSITIONS} are possible",
            "a macro or a variable that stands for several of them makes it smaller",
        )
    return replace(found, formula=formula, atoms=tuple(meanings[name] for name in names))


def _coarse(
    formula: Formula, known: Mapping[str, Expr], meanings: dict[str, Expr], span: Span
) -> Formula:
    """The formula with each largest part that is not temporal as an atom; `meanings` has those."""
    if any(part.op.is_temporal for part in formula.subformulas()):
        args = tuple(_coarse(part, known, meanings, span) for part in formula.args)
        return Formula(formula.op, args)
    if formula.op in (Op.TRUE, Op.FALSE):
        return formula
    name = formula.name or text(formula, SPIN)
    meanings[name] = predicate(formula, known, span)
    return atom(name)


def predicate(formula: Formula, known: Mapping[str, Expr], span: Span) -> Expr:
    """A formula without temporal operators as one expression; `known` has that of each atom."""
    match formula.op:
        case Op.TRUE | Op.FALSE:
            return Const(int(formula.op is Op.TRUE))
        case Op.ATOM:
            return known[formula.name]
    first, *others = (predicate(part, known, span) for part in formula.args)
    if formula.op in (Op.NOT, Op.IMPLIES):
        first = UnaryOp("!", first)
    for other in others:
        if formula.op is Op.IFF:  # of truth, not of values
            first, other = UnaryOp("!", first), UnaryOp("!", other)
        first = BinaryOp(_BOOLEAN[formula.op], first, other, span)
    return first
