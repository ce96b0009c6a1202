"""Three processes that wait for one another: every three of some bodies that share one thing.

In a pair beside an other two wait at most. That a third one is waiting too, and is changed by its
own steps meanwhile, is what handshakes and stubborn sets are about.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement, product

from systematic.small import Process, SmallProgram, completed
from systematic.vocabulary import ACTIVE

BODIES = {
    "r": {
        "send": "r!1",
        "send-own": "do :: r!l -> break :: l == 0 -> l = 1 od",
        "send-or-receive": "if :: r!0 :: r?1 -> x = 1 fi",
        "receive": "r?x",
        "match": "r?1; y = 1",
        "match-own": "do :: r?eval(l) -> x = 1; break :: l = 1 - l od",
        "match-then-fail": "do :: r?eval(l) -> assert(false) :: l == 0 -> l = 1 od",
        "match-shared": "if :: r?eval(x) -> y = 1 :: x = 1 fi",
        "drain": "do :: r?_ od",
        "atomic": "atomic { r?l; x = l }",
    },
    "c": {
        "send": "c!1",
        "send-own": "do :: c!l -> break :: l == 0 -> l = 1 od",
        "send-or-receive": "if :: c!0 :: c?1 -> x = 1 fi",
        "receive": "c?x",
        "match-own": "do :: c?eval(l) -> assert(false) :: l == 0 -> l = 1 od",
        "look": "nempty(c); x = 1",
        "atomic": "atomic { c?l; x = l }; c!0",
    },
    "b": {
        "lock": "atomic { b == 0; b = 1 }; x = 1; y = x; b = 0",
        "lock-own": "do :: b == l -> b = 1 - l; x = l; break :: l = 1 - l od",
        "wait": "b == 1; x = 2",
        "either": "if :: b == 1 -> y = 1 :: x == 1 -> b = 1 fi",
        "assert": "l = b; assert(l == x)",
    },
}
MENU = ("x == 1",)


@dataclass(frozen=True, slots=True)
class Trio:
    """Three bodies, by name, that share one thing."""

    shared: str
    names: tuple[str, ...]

    def program(self) -> SmallProgram:
        bodies = [BODIES[self.shared][name] for name in self.names]
        processes = [Process(name, body) for name, body in zip(ACTIVE, bodies, strict=True)]
        tags = {f"trio:{self.shared}:{name}" for name in self.names}
        name = f"{self.shared}:{'|'.join(self.names)}"
        return SmallProgram(name, completed(processes, MENU), MENU, frozenset(tags), alone=False)


def trios() -> Iterator[Trio]:
    """Every three bodies, in every order."""
    for shared, bodies in BODIES.items():
        for names in product(bodies, repeat=3):
            yield Trio(shared, names)


def fast_trios() -> Iterator[Trio]:
    """Every three bodies, in one order."""
    for shared, bodies in BODIES.items():
        for names in combinations_with_replacement(bodies, 3):
            yield Trio(shared, names)
