"""What printf and printm print."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from whorl.program.program import Load, Output, Program

if TYPE_CHECKING:
    from whorl.program.program import Expr

_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", '"': '"', "'": "'"}
_PIECE = re.compile(r"\\(.)|%([-0-9.]*)(.)", re.DOTALL)


def formatted(program: Program, action: Output, values: list[int]) -> str:
    """The text that `action` prints when its arguments have these values."""
    if not action.format:
        return mtype(program, action.arguments[0], values[0])
    waiting = list(zip(action.arguments, values, strict=True))

    def piece(match: re.Match[str]) -> str:
        if match[1] is not None:
            return _ESCAPES.get(match[1], match[1])
        if match[3] == "%":
            return "%"
        if not waiting:
            return match[0]
        expr, value = waiting.pop(0)
        match match[3]:
            case "d" | "i":
                text = str(value)
            case "u":
                text = str(value & 0xFFFFFFFF)
            case "c":
                text = chr(value & 0xFF)
            case "x":
                text = format(value & 0xFFFFFFFF, "x")
            case "o":
                text = format(value & 0xFFFFFFFF, "o")
            case "e":
                text = mtype(program, expr, value)
            case _:
                return match[0]
        width = re.match(r"(-?)(\d*)", match[2])
        if width is not None and width[2]:
            size = int(width[2])
            fill = text.zfill if width[2].startswith("0") else text.rjust
            text = text.ljust(size) if width[1] else fill(size)
        return text

    return _PIECE.sub(piece, action.format[1:-1])


def mtype(program: Program, expr: Expr, value: int) -> str:
    """The name of an mtype value; the number where it has none."""
    subtype = expr.place.type.subtype if isinstance(expr, Load) else None
    name = program.mtype_name(value, subtype)
    if name is None:
        names = [constant.name for constant in program.mtypes if constant.value == value]
        name = names[0] if names else None
    return str(value) if name is None else name
