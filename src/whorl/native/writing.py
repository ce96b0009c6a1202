"""What is needed to write any C: lines, and comments that are safe."""

from __future__ import annotations

import re

from whorl.program.program import Transition

Lines = list[str]


def indent(lines: Lines, by: int = 2) -> Lines:
    return [" " * by + line if line else line for line in lines]


def comment(transition: Transition) -> str:
    """The statement as a comment. Text of the model must not end the comment or splice lines."""
    text = " ".join(transition.text.split())
    plain = "".join(ch if 32 <= ord(ch) < 127 and ch != "\\" else "~" for ch in text)
    apart = re.sub(r"([*/?])(?=[*/?])", r"\1 ", plain)  # so there is neither */ nor a trigraph
    return f"/* {transition.number}: {apart[:70]} (line {transition.span.line}) */"
