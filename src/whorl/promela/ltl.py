"""Parses LTL formulas, in Spin's spelling and in that of the automata literature.

    [] (request -> <> grant)        always (request implies eventually grant)
    G (request -> F grant)          GFp0 & !(p1 U p2)

An atom is any Promela expression, so one grammar has the operators of both. From loosest to
tightest, as in Spin's: `->` and `<->`; `||`; `&&`; `U V W R M`; those of Promela; `! [] <> X`.
`&` and `|` are Promela's, between formulas they are `&&` and `||`. Chains on which tools disagree
(`a -> b -> c`, `a U b U c`) are read as Spin reads them, with a warning.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import NoReturn

from whorl.diagnostics import Span
from whorl.language.formula import FALSE, TRUE, Formula, Op, atom
from whorl.language.operators import LEVELS
from whorl.promela import unparse
from whorl.promela.ast import Binary, Expression, Number, Unary
from whorl.promela.expressions import primary
from whorl.promela.lexer import Token
from whorl.promela.stream import Stream

MOST_HIGH = 200  # operators within operators; later stages use Python's stack

UNARY = {
    "[]": Op.GLOBALLY, "<>": Op.FINALLY, "X": Op.NEXT, "G": Op.GLOBALLY, "F": Op.FINALLY,
    "always": Op.GLOBALLY, "eventually": Op.FINALLY, "next": Op.NEXT,
}  # fmt: skip
BINARY = {
    "->": Op.IMPLIES, "implies": Op.IMPLIES, "<->": Op.IFF, "equivalent": Op.IFF,
    "||": Op.OR, "&&": Op.AND,
    "U": Op.UNTIL, "until": Op.UNTIL, "stronguntil": Op.UNTIL, "W": Op.WEAK, "weakuntil": Op.WEAK,
    "V": Op.RELEASE, "R": Op.RELEASE, "release": Op.RELEASE, "M": Op.STRONG,
}  # fmt: skip
_LEVEL = {Op.IMPLIES: 0, Op.IFF: 0, Op.OR: 1, Op.AND: 2}
_TEMPORAL_LEVEL = 3
_PROMELA = {  # the operators of Promela that bind tighter than those of LTL
    operator: 2 + level
    for level, operators in enumerate(LEVELS)
    if level >= 2
    for operator in operators
}
_TIGHTEST = max(_PROMELA.values())
_BITWISE = {"&": Op.AND, "|": Op.OR}
_SPLIT = re.compile(r"([GFX]+)([a-z_0-9]\w*)?")  # GFp is G F p


@dataclass(slots=True)
class Operand:
    """What was read so far: an expression of Promela, or a formula with a temporal operator."""

    span: Span
    expression: Expression | None
    formula: Formula | None = None
    chain: int = -1  # the level of its operator, where that stands without parentheses


class LtlParser:
    """Reads one formula from a stream. `atoms` has the expressions that its propositions name.

    `repeated` has those that stand in it more than once. With `bare`, nothing is known of the
    names, and `&` and `|` always join formulas.
    """

    def __init__(self, stream: Stream, bare: bool = False) -> None:
        self.stream = stream
        self.bare = bare
        self.atoms: dict[str, Expression] = {}
        self.repeated: list[tuple[str, Expression]] = []  # atoms that are written again

    def parse(self) -> Formula:
        """The formula, which must reach to the end of the stream."""
        try:
            formula = self.whole()
        except RecursionError:
            self.too_high()
        if formula.height > MOST_HIGH:
            self.too_high()
        return formula

    def whole(self) -> Formula:
        self.stream.parentheses += 1  # the end of a line ends nothing here
        result = self.operators(0)
        self.stream.parentheses -= 1
        if self.stream.token.kind != "eof":
            if self.stream.at(")"):
                self.stream.fail("this ')' closes nothing", span=self.stream.token.span)
            self.no_assignment()
            self.stream.fail(
                "an operator or the end of the formula expected",
                "the operators are ! [] <> X U V W && || -> <->, or G F R M & |",
            )
        return self.formula(result)

    def too_high(self) -> NoReturn:
        self.stream.fail(
            f"more than {MOST_HIGH} operators are nested in this formula",
            "a macro stands for what it is defined as, and counts as one proposition",
            self.stream.tokens[0].span,
        )

    def no_assignment(self) -> None:
        if self.stream.at("="):
            self.stream.fail("'=' assigns", "to compare, write '=='", self.stream.token.span)

    # --- operators -------------------------------------------------------------------------------

    def operators(self, level: int) -> Operand:
        self.stream.deeper()
        left = self.unary()
        while (ahead := self.operator()) is not None and ahead[1] >= level:
            operator, own, length = ahead
            first = self.stream.token
            for _ in range(length):
                self.stream.advance()
            right = self.operators(own + 1)
            if isinstance(operator, str):
                left = self.arithmetic(operator, first, left, right, own)
            else:
                left = self.combine(operator, first, left, right, own)
        self.stream.depth -= 1
        return left

    def operator(self) -> tuple[Op | str, int, int] | None:
        """The binary operator here, how tightly it binds, and its number of tokens."""
        stream = self.stream
        token = stream.token
        if token.kind == "op" and token.text == "<" and self.joined("<", "->"):
            return Op.IFF, _LEVEL[Op.IFF], 2
        if token.kind not in ("op", "name"):
            return None
        if self.bare and token.kind == "op" and token.text in _BITWISE:
            op = _BITWISE[token.text]
            return op, _LEVEL[op], 1
        if token.text in BINARY:
            op = BINARY[token.text]
            return op, _LEVEL.get(op, _TEMPORAL_LEVEL), 1
        if token.kind == "op" and token.text in _PROMELA:
            return token.text, _PROMELA[token.text], 1
        return None

    def combine(self, op: Op, where: Token, left: Operand, right: Operand, level: int) -> Operand:
        span = left.span.until(right.span)
        if op in (Op.AND, Op.OR) and left.expression and right.expression:
            operator = "&&" if op is Op.AND else "||"
            return Operand(span, Binary(span, operator, left.expression, right.expression))
        if left.chain == level and level in (_LEVEL[Op.IMPLIES], _TEMPORAL_LEVEL):
            self.ambiguous(where)
        formula = Formula(op, (self.formula(left), self.formula(right)))
        return Operand(span, None, formula, level)

    def ambiguous(self, where: Token) -> None:
        message = f"the operator before '{where.text}' is applied first here, as Spin does it"
        hint = "other tools read this the other way round: add parentheses"
        if self.bare:
            self.stream.fail("this can be read in two ways", "add parentheses", where.span)
        self.stream.reporter.warning(where.span, message, hint)

    def arithmetic(
        self, operator: str, where: Token, left: Operand, right: Operand, level: int
    ) -> Operand:
        """An operator of Promela; between formulas `&` and `|` join them."""
        span = left.span.until(right.span)
        if left.expression is not None and right.expression is not None:
            return Operand(span, Binary(span, operator, left.expression, right.expression))
        if operator in _BITWISE:
            parts = (self.formula(left), self.formula(right))
            return Operand(span, None, Formula(_BITWISE[operator], parts), level)
        self.not_temporal(where)

    def not_temporal(self, operator: Token) -> NoReturn:
        self.stream.fail(
            f"'{operator.text}' cannot be applied to a temporal formula",
            "temporal operators bind tightly: write [] (x > 0), not [] x > 0",
            operator.span,
        )

    # --- operands --------------------------------------------------------------------------------

    def unary(self) -> Operand:
        stream = self.stream
        self.split()
        if stream.at("!!"):  # which is a send elsewhere
            token = stream.token
            middle = token.span.start + 1
            stream.tokens[stream.position : stream.position + 1] = [
                replace(token, text="!", span=replace(token.span, end=middle)),
                replace(token, text="!", span=replace(token.span, start=middle), spaced=False),
            ]
        prefix = self.prefix()
        if prefix is not None:
            op, length = prefix
            first = stream.token
            for _ in range(length):
                stream.advance()
            operand = self.inner_unary()
            span = first.span.until(operand.span)
            return Operand(span, None, Formula(op, (self.formula(operand),)))
        if stream.at("!", "~", "-"):
            operator = stream.advance()
            operand = self.inner_unary()
            span = operator.span.until(operand.span)
            if operand.expression is not None:
                return Operand(span, _applied(operator, operand.expression, span))
            if operator.text != "!":
                self.not_temporal(operator)
            return Operand(span, None, Formula(Op.NOT, (self.formula(operand),)))
        if stream.at("("):
            return self.parenthesised()
        if stream.token.kind == "string" and self.bare:
            token = stream.advance()
            return Operand(token.span, None, atom(token.text[1:-1]))
        if stream.token.kind == "eof":
            stream.fail("the formula ends where more is expected", span=stream.token.span)
        if stream.token.kind == "name" and stream.token.text in BINARY and not self.is_name():
            stream.fail(f"a formula expected before '{stream.token.text}'", span=stream.token.span)
        expression = primary(stream)
        return Operand(expression.span, expression)

    def inner_unary(self) -> Operand:
        self.stream.deeper()
        operand = self.unary()
        self.stream.depth -= 1
        return operand

    def parenthesised(self) -> Operand:
        stream = self.stream
        if self.is_conditional():
            expression = primary(stream)
            return Operand(expression.span, expression)
        opening = stream.advance()
        inner = self.operators(0)
        if not stream.at(")"):
            where = f"to close the '(' of column {opening.span.column}"
            if stream.token.kind == "eof":
                stream.fail(f"')' expected {where}", span=stream.token.span)
            self.no_assignment()
            stream.fail(f"')' expected {where}")
        span = opening.span.until(stream.advance().span)
        if inner.expression is not None:
            inner.expression.span = span
        return replace(inner, span=span, chain=-1)

    def is_conditional(self) -> bool:
        """Whether the parenthesis here is Promela's ``(condition -> yes : no)``."""
        depth, arrow = 0, False
        for token in self.stream.tokens[self.stream.position :]:
            depth += token.text in ("(", "[") and token.kind == "op"
            depth -= token.text in (")", "]") and token.kind == "op"
            if depth == 0:
                return False
            if depth == 1 and token.kind == "op":
                arrow = arrow or token.text == "->"
                if token.text == ":" and arrow:
                    return True
        return False

    def prefix(self) -> tuple[Op, int] | None:
        """The unary temporal operator here, and its number of tokens."""
        stream = self.stream
        for brackets, op in (("[]", Op.GLOBALLY), ("<>", Op.FINALLY)):
            if self.joined(*brackets):
                return op, 2
        token = stream.token
        if token.kind == "name" and token.text in UNARY and self.begins_operand():
            return UNARY[token.text], 1
        return None

    def is_name(self) -> bool:
        """Whether the word here, which might be an operator, names a variable."""
        return self.stream.token.text in self.stream.names.declared or (
            self.bare and not self.begins_operand()
        )

    def begins_operand(self) -> bool:
        """Whether an operand comes after the name here, which is then no variable."""
        stream = self.stream
        after = stream.ahead(1)
        if after.kind == "name":
            return after.text not in BINARY or (
                after.text in UNARY and stream.ahead(2).kind in ("name", "op", "number")
            )
        if after.kind == "op":
            following = stream.ahead(2).text
            return (
                after.text in ("!", "(", "~")
                or (after.text == "[" and following == "]")
                or (after.text == "<" and following == ">")
            )
        return after.kind in ("number", "string", "char")

    def joined(self, first: str, second: str) -> bool:
        """Whether `first` and `second` stand here, with nothing between them."""
        here, after = self.stream.token, self.stream.ahead(1)
        return (
            here.kind == after.kind == "op"
            and (here.text, after.text) == (first, second)
            and not after.spaced
        )

    def split(self) -> None:
        """Cuts a name like GFp into G, F and p, unless it is declared."""
        stream, known = self.stream, self.stream.names.declared
        pieces = split_operators(stream.token)
        if pieces is None or stream.token.text in known:
            return
        last = pieces[-1]
        if self.bare or last.kind == "number" or last.text in known or last.text in UNARY:
            stream.tokens[stream.position : stream.position + 1] = pieces

    # --- from expressions to propositions --------------------------------------------------------

    def formula(self, operand: Operand) -> Formula:
        if operand.formula is not None:
            return operand.formula
        assert operand.expression is not None
        return self.proposition(operand.expression)

    def proposition(self, node: Expression) -> Formula:
        """The formula of an expression: its Boolean operators, over atoms without any.

        What a macro stands for is one atom, with the macro's name.
        """
        if isinstance(node, Number):
            return TRUE if node.value else FALSE
        macro = _macro(node)
        if macro is not None:
            known = self.atoms.setdefault(macro, node)
            if known is node or unparse.expression(known) == unparse.expression(node):
                return self.atom(macro, node)
        match node:
            case Unary(operator="!"):
                return Formula(Op.NOT, (self.proposition(node.operand),))
            case Binary(operator="&&" | "||"):
                op = Op.AND if node.operator == "&&" else Op.OR
                return Formula(op, (self.proposition(node.left), self.proposition(node.right)))
        text = unparse.expression(node)
        return self.atom(text, node)

    def atom(self, text: str, node: Expression) -> Formula:
        """The proposition of that text, which `node` is."""
        if self.atoms.setdefault(text, node) is not node:
            self.repeated.append((text, node))
        return atom(text)


def split_operators(token: Token) -> list[Token] | None:
    """A name like GFp as G, F and p; None if it is not like that."""
    match = _SPLIT.fullmatch(token.text) if token.kind == "name" else None
    if match is None or len(token.text) == 1:
        return None
    start = token.span.start
    pieces = [(letter, start + n) for n, letter in enumerate(match.group(1))]
    if match.group(2):
        pieces.append((match.group(2), start + len(pieces)))
    return [
        replace(
            token,
            kind="number" if text.isdigit() else "name",
            text=text,
            span=Span(token.span.source, begin, begin + len(text), token.span.via),
        )
        for text, begin in pieces
    ]


def _macro(node: Expression) -> str | None:
    """The macro without arguments that all of `node` comes from, if it comes from one."""
    span = node.span
    name = span.text
    if not name.isidentifier() or name == unparse.expression(node):
        return None
    called = span.source.text[span.end :].lstrip().startswith("(")
    return None if called else name


def _applied(operator: Token, operand: Expression, span: Span) -> Expression:
    if operator.text == "-" and isinstance(operand, Number) and not operand.text:
        return Number(span, -operand.value)
    return Unary(span, operator.text, operand)
