"""Statements with several ways, beside visible steps: for the inconsistent labelling problem.

In counterexamples to D1 [NVW20] an invisible action that is nondeterministic, or disabled for a
while, is put before visible ones, and leads beside them. In Promela an action has
several ways by a handshake with several partners, by a choice inside an atomic sequence, or by
`select`; it is disabled for a while by what it waits for. Each program has three of these bodies.
Some change x, which the proposition is about; some change other things, and what they do decides
what others may do with x.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement, product

from systematic.small import Process, SmallProgram, completed
from systematic.vocabulary import ACTIVE

BODIES = {
    "r": {
        "send": "r!1; b = 1",
        "send-either": "if :: r!0 :: r!1 fi; b = 1",
        "receive": "r?l; x = l",
        "receive-unseen": "r?l; b = l; y = l",
        "receive-twice": "r?l; r?l; x = l",
        "pulse-then-send": "x = 1; x = 0; r!1",
        "receive-in-pulse": "x = 1; r?l; x = 0",
        "toggle": "do :: r?l -> x = l od",
        "atomic-choice": "atomic { r?l; if :: b = l :: b = 1 - l fi }",
        "wait-then-pulse": "b == 1; x = 1; x = 0",
    },
    "c": {
        "send-either": "if :: c!0 :: c!1 fi; x = 1",
        "receive": "c?l; b = l",
        "receive-either": "if :: c?0 -> x = 1 :: c?1 -> b = 1 fi",
        "receive-any": "if :: c??1 -> x = 1; x = 0 :: c??0 -> b = 1 fi",
        "atomic-choice": "atomic { if :: l = 0 :: l = 1 fi; c!l }; x = l",
        "select": "atomic { select(l : 0..1); c!l }; b = l",
        "pulse-then-send": "x = 1; x = 0; c!1",
        "copy": "do :: c?l -> x = l od",
    },
    "b": {
        "choice": "atomic { if :: l = 0 :: l = 1 fi }; b = l; x = l",
        "choice-again": "do :: atomic { if :: l = 0 :: l = 1 fi } :: b == l -> break od; x = 1",
        "locked": "atomic { b == 0; b = 1 }; x = 1; x = 0; b = 0",
        "locked-choice": "atomic { b == 0; b = 1; if :: l = 0 :: l = 1 fi }; x = l; b = 0",
        "unseen-then-locked": "y = 1 - y; atomic { b == 0; b = 1 }; l = y; x = l; b = 0",
        "pulse": "x = 1; x = 0; b == 1; x = 1",
        "open-and-shut": "do :: b == 0 -> x = 1; b = 1 :: b == 1 -> b = 0; x = 0 od",
        "flip": "atomic { if :: b = 0 :: b = 1 fi }; y = 1",
        "wait": "b == 1; x = 1; x = 0",
    },
}
MENU = ("x == 1",)


def _program(shared: str, names: tuple[str, ...]) -> SmallProgram:
    bodies = [BODIES[shared][name] for name in names]
    processes = [Process(name, body) for name, body in zip(ACTIVE, bodies, strict=True)]
    tags = {f"ways:{shared}:{name}" for name in names}
    name = f"{shared}:{'|'.join(names)}"
    return SmallProgram(name, completed(processes, MENU), MENU, frozenset(tags), alone=False)


def every() -> Iterator[SmallProgram]:
    """Every three bodies, in every order."""
    for shared, bodies in BODIES.items():
        for names in product(bodies, repeat=3):
            yield _program(shared, names)


def fast() -> Iterator[SmallProgram]:
    """Every three bodies, in one order."""
    for shared, bodies in BODIES.items():
        for names in combinations_with_replacement(bodies, 3):
            yield _program(shared, names)
