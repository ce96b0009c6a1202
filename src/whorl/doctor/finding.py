"""A finding of `whorl doctor`: what was looked at, how it is, and what to do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Level = Literal["ok", "warning", "problem"]


@dataclass(frozen=True, slots=True)
class Finding:
    """How something is: fine, worse than it could be, or so that a check cannot run."""

    name: str
    level: Level
    said: str
    hint: str = ""


def ok(name: str, said: str) -> Finding:
    return Finding(name, "ok", said)


def warning(name: str, said: str, hint: str) -> Finding:
    return Finding(name, "warning", said, hint)


def problem(name: str, said: str, hint: str = "") -> Finding:
    return Finding(name, "problem", said, hint)
