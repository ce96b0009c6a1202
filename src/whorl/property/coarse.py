"""Fewer propositions: what is done with a formula that has more than a truth table can have.

A truth table has a bit for each letter, so there is a limit to how many propositions a formula may
have. Two things help.

- The parts of a formula without temporal operators are each taken as one proposition: any state
  predicate will do.
- A conjunction holds if each of its conjuncts does, and these are claims of their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from whorl.diagnostics import Span, WhorlError
from whorl.language.formula import SPIN, Formula, Op, atom, text
from whorl.program.program import BinaryOp, Const, Expr, LtlProperty, UnaryOp
from whorl.property.automaton import MOST_PROPOSITIONS

_BOOLEAN = {Op.AND: "&&", Op.OR: "||", Op.IMPLIES: "||", Op.IFF: "=="}


def within_limit(given: LtlProperty) -> tuple[LtlProperty, ...]:
    """Properties that hold together if this one does, each with as many propositions as a claim
    may have; WhorlError if there are none.
    """
    if len(given.atoms) <= MOST_PROPOSITIONS:
        return (given,)
    known = dict(zip(given.formula.propositions, given.atoms, strict=True))
    meanings: dict[str, Expr] = {}
    formula = _coarse(given.formula, known, meanings, given.span)
    whole = _with(given, formula, meanings)
    if len(whole.atoms) <= MOST_PROPOSITIONS:
        return (whole,)
    each = tuple(conjuncts(formula))
    most = max(len(part.propositions) for part in each)
    if most > MOST_PROPOSITIONS:
        which = "the formula" if len(each) == 1 else f"one of the {len(each)} conjuncts"
        raise WhorlError.at(
            given.span,
            f"{which} has {most} propositions; at most {MOST_PROPOSITIONS} are possible",
            "the conjuncts of a formula are checked one by one, and what has no temporal operator"
            " is one proposition: write it as a conjunction, or as several ltl blocks",
        )
    named = (
        replace(given, name=f"{given.name} ({number} of {len(each)})", text=text(part, SPIN))
        for number, part in enumerate(each, 1)
    )
    return tuple(_with(one, part, meanings) for one, part in zip(named, each, strict=True))


def _with(given: LtlProperty, formula: Formula, meanings: Mapping[str, Expr]) -> LtlProperty:
    return replace(
        given, formula=formula, atoms=tuple(meanings[name] for name in formula.propositions)
    )


def conjuncts(formula: Formula) -> Iterator[Formula]:
    """Formulas that hold of a run, all of them, if and only if this one does."""
    match formula:
        case Formula(Op.AND, args):
            parts = args
        case Formula(Op.GLOBALLY | Op.NEXT as op, (Formula() as inner,)):
            parts = tuple(Formula(op, (part,)) for part in conjuncts(inner))
        case Formula(Op.IMPLIES, (condition, inner)):
            parts = tuple(Formula(Op.IMPLIES, (condition, part)) for part in conjuncts(inner))
        case Formula(Op.NOT, (Formula(Op.NOT, (inner,)),)):
            parts = (inner,)
        case Formula(Op.NOT, (Formula(Op.OR, args),)):
            parts = tuple(map(Formula.__invert__, args))
        case Formula(Op.NOT, (Formula(Op.IMPLIES, (condition, inner)),)):
            parts = (condition, ~inner)
        case Formula(Op.NOT, (Formula(Op.FINALLY, (inner,)),)):
            parts = tuple(Formula(Op.GLOBALLY, (part,)) for part in conjuncts(~inner))
        case _:
            parts = (formula,)
    if parts == (formula,):
        yield formula
    else:
        for part in parts:
            yield from conjuncts(part)


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
