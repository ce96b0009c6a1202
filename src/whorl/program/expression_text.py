"""Writes an expression of a Program as text: the name of a proposition."""

from __future__ import annotations

from whorl.language.operators import LEVEL, LEVELS
from whorl.language.types import TypeKind
from whorl.program.program import (
    AtLocation,
    BinaryOp,
    Builtin,
    ChannelQuery,
    Const,
    EmbeddedExpr,
    Expr,
    IfElse,
    InitialByte,
    Load,
    Match,
    PollQuery,
    ProcessQuery,
    Program,
    RemoteLoad,
    RunProcess,
    UnaryOp,
)

_TIGHT = len(LEVELS)


def expression_text(expr: Expr, program: Program, level: int = 0) -> str:
    """The text of `expr`, with parentheses where it stands beside an operator that binds tighter.

    An mtype constant has its name where it is compared with a variable of that type.
    """

    def inner(each: Expr, level: int = 0) -> str:
        return expression_text(each, program, level)

    match expr:
        case Const(value):
            return str(value)
        case Load(place):
            return place.text
        case RemoteLoad():
            return expr.place.text
        case AtLocation():
            return expr.text
        case Builtin(name):
            return name
        case UnaryOp():
            return f"{expr.operator}{inner(expr.operand, _TIGHT)}"
        case BinaryOp():
            own = LEVEL[expr.operator]
            sides = (
                _mtype_name(expr.left, expr.right, program),
                _mtype_name(expr.right, expr.left, program),
            )
            left = sides[0] or inner(expr.left, own)
            right = sides[1] or inner(expr.right, own + 1)
            text = f"{left} {expr.operator} {right}"
            return f"({text})" if own < level else text
        case IfElse():
            return f"({inner(expr.condition)} -> {inner(expr.yes)} : {inner(expr.no)})"
        case ChannelQuery():
            return f"{expr.query}({inner(expr.channel)})"
        case PollQuery():
            fields = ", ".join(_pattern(match, program) for match in expr.patterns)
            return f"{inner(expr.channel)}{'??' if expr.random else '?'}[{fields}]"
        case ProcessQuery():
            return f"{expr.query}({inner(expr.pid)})"
        case RunProcess():
            arguments = ", ".join(map(inner, expr.arguments))
            return f"run {program.processes[expr.process].title}({arguments})"
        case EmbeddedExpr():
            return f"c_expr {{ {expr.text} }}"
        case InitialByte():
            return "an initial byte of C data"


def _mtype_name(side: Expr, other: Expr, program: Program) -> str | None:
    """The name of the constant `side`, where `other` is a variable of an mtype."""
    if not isinstance(side, Const) or not isinstance(other, Load | RemoteLoad):
        return None
    if other.place.type.kind is not TypeKind.MTYPE:
        return None
    return program.mtype_name(side.value, other.place.type.subtype)


def _pattern(match: Match, program: Program) -> str:
    if match.value is not None:
        return expression_text(match.value, program)
    return "_" if match.target is None else match.target.text
