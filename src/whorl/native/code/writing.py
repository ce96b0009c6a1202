"""What is needed to write any C: lines, parentheses, names, and comments that are safe."""

from __future__ import annotations

import re
from collections.abc import Iterable

from whorl.program.program import ProcessType, Transition

Lines = list[str]

_SIMPLE = re.compile(r"\w+(\[[^][]*\])?")  # a name, a number, or an element
_LONGEST_NAME = 40


def indent(lines: Lines, by: int = 2) -> Lines:
    return [" " * by + line if line else line for line in lines]


def plain(text: str) -> str:
    """Text of a model for a comment, which it must neither end nor splice."""
    words = " ".join(text.split())
    printable = "".join(ch if 32 <= ord(ch) < 127 and ch != "\\" else "~" for ch in words)
    return re.sub(r"([*/?])(?=[*/?])", r"\1 ", printable)  # so there is neither */ nor a trigraph


def comment(transition: Transition) -> str:
    """The statement as a comment."""
    return f"/* {transition.number}: {plain(transition.text)[:70]} (line {transition.span.line}) */"


def section(title: str) -> Lines:
    """What separates the parts of a generated model."""
    return ["", f"/* --- {plain(title)} --- */", ""]


def names(processes: Iterable[ProcessType]) -> list[str]:
    """A name for each process type, as part of the names of its functions: no two are the same.

    It is the only text of a model that gets into the code, and so only letters, digits and
    underscores of it do.
    """
    result: list[str] = []
    for process in processes:
        name = re.sub(r"\W", "_", process.title, flags=re.ASCII)
        if name in result or len(name) > _LONGEST_NAME:
            name = f"{name[:_LONGEST_NAME]}_{process.index}_"
        result.append(name)
    return result


def enclosed(text: str) -> bool:
    """Whether one pair of parentheses is around all of an expression."""
    if not text.startswith("("):
        return False
    depth = 0
    for position, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if depth == 0:
            return position == len(text) - 1
    return False


def operand(text: str) -> str:
    """An expression as the operand of a cast or of a unary operator."""
    return text if _SIMPLE.fullmatch(text) or enclosed(text) else f"({text})"


def bare(text: str) -> str:
    """An expression without the parentheses around it, where something else separates it."""
    return text[1:-1] if enclosed(text) and not text.startswith("({") else text
