"""Channel operations that a guard has made sure of, beside everything that may happen to a channel.

Secured operations (reduction/secured.py) are in few of the pairs: they need a guard, an operation
and control between. Here every two and every three bodies of a family share channels: some secure
what they do, some seem to, some disturb, and some look.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement, product

from systematic.small import Process, SmallProgram, completed
from systematic.vocabulary import ACTIVE, GLOBAL_FEATURES, pointed

FAMILIES: dict[str, dict[str, str]] = {
    # One channel with room for one message, and another one to pass messages on to.
    "one": {
        "room": "atomic { nfull(c); c!1 }; x = 1",
        "room-twice": "atomic { nfull(c); c!1; c!0 }; x = 1",
        "room-and": "atomic { y == 0 && nfull(c); c!1 }",
        "room-choice": "atomic { nfull(c); if :: c!0 :: c!1 :: skip fi }; x = 1",
        "room-else": "atomic { nfull(c); if :: c!1 :: else -> x = 1 fi }",
        "room-wait": "atomic { nfull(c); y == 1; c!1 }; x = 1",
        "room-loop": "do :: atomic { nfull(c); c!1; l++ } :: l == 2 -> break od; x = 1",
        "room-inner-loop": "atomic { nfull(c); do :: c!l; l++ :: break od }; x = 1",
        "room-unless": "{ atomic { nfull(c); c!1 } } unless { y == 1 }; x = 1",
        "room-d_step": "d_step { nfull(c); c!1 }; x = 1",
        "room-handshake": "atomic { nfull(c); r!1; c!0 }; x = 1",
        "room-run": "atomic { nfull(c); run Child(); c!1 }; x = 1",
        "room-fault": "atomic { nfull(c); c!1 / (1 - y) }; x = 1",
        "room-goto": "atomic { nfull(c); goto on; on: c!1 }; x = 1",
        "answer": "atomic { r?l; c!l }; x = 1",
        "message": "atomic { nempty(c); c?l }; x = l",
        "message-match": "atomic { nempty(c); c?1 }; x = 1",
        "message-any": "atomic { nempty(c); c??0 }; x = 1",
        "pass-on": "atomic { nempty(c) && nfull(s); c?l; s!l }; y = 1",
        "pass-back": "atomic { nempty(s) && nfull(c); s?l; c!l }; x = 1",
        "both-wait": "if :: nfull(c) && y == 1 -> x = 1 :: nempty(c) && y == 0 -> c?l fi",
        "send": "c!1; y = 1",
        "send-sorted": "c!!0",
        "receive": "c?x",
        "receive-any": "c??1; x = 1",
        "peek": "c?<x>; y = 1",
        "poll": "if :: c?[1] -> x = 1 :: c??[0] -> y = 1 :: empty(c) -> y = 2 fi",
        "poll-atomic": "atomic { c?[1]; c?1 }; x = 1",
        "else": "if :: c?1 -> x = 1 :: else -> y = 1 fi",
        "else-room": "if :: c!0 -> y = 1 :: else -> x = 1 fi",
        "timeout": "timeout; x = 1",
        "full": "full(c); x = 1",
        "empty": "empty(c); x = 1",
        "length": "len(c) == 1; x = 1",
        "assert": "assert(len(c) == 0); y = 1",
    },
    # Room for two, in the order of what is sent.
    "two": {
        "room": "atomic { nfull(f); f!1 }; x = 1",
        "room-sorted": "atomic { nfull(f); f!!0 }; x = 1",
        "room-twice": "atomic { nfull(f); f!0; f!1 }; x = 1",
        "room-in-turn": "atomic { nfull(f); f!1; nfull(f); f!!0 }; x = 1",
        "message": "atomic { nempty(f); f?l }; x = l",
        "message-twice": "atomic { nempty(f); f?l; f?x }",
        "message-match": "atomic { nempty(f); f?1 }; x = 1",
        "peek-then-take": "atomic { nempty(f); f?<l>; f?l }; x = l",
        "send": "f!1; y = 1",
        "send-sorted": "f!!0",
        "receive": "f?x",
        "receive-any": "f??1; x = 1",
        "fill": "f!0; f!1; x = 1",
        "length": "len(f) == 1; x = 1",
        "full": "full(f); x = 1",
        "else": "if :: f?0 -> x = 1 :: else -> y = 1 fi",
    },
    # A channel that is chosen by a variable, or has another name.
    "named": {
        "room-of-one": "atomic { nfull(e[b]); e[b]!1 }; x = 1",
        "room-of-another": "atomic { nfull(e[0]); e[b]!1 }; x = 1",
        "room-then-choose": "atomic { nfull(e[b]); b = 1 - b; e[b]!1 }; x = 1",
        "room-of-own": "atomic { nfull(e[l]); l = 1; e[l]!1 }; x = 1",
        "alias": "o = e[0]; atomic { nfull(o); o!1 }; x = 1",
        "alias-in-one": "atomic { o = e[1]; nfull(o); e[1]!1 }; x = 1",
        "given": "w?o; atomic { nfull(o); o!1 }; x = 1",
        "give": "w!e[0]; e[0]!0",
        "give-what-ends": "run Maker(); w?o; atomic { nfull(o); o!1 }; x = 1",
        "message-of-one": "atomic { nempty(e[b]); e[b]?l }; x = l",
        "choose": "b = 1; y = 1",
        "send": "e[0]!1; y = 1",
        "send-chosen": "e[b]!0",
        "receive": "e[0]?x",
        "receive-other": "e[1]?x",
        "length": "len(e[0]) == 1; x = 1",
    },
    # What makes a program stand alone.
    "alone": {
        "declared-room": "xs c; atomic { nfull(c); HERE c!1 }; x = 1",
        "declared-message": "xr c; atomic { nempty(c); HERE c?l }; x = l",
        "room": "atomic { nfull(c); HERE c!1 }; x = 1",
        "message": "atomic { nempty(c); c?l }; HERE x = l",
        "number": "_nr_pr == 2; HERE x = 1",
        "enabled": "enabled(0); HERE x = 1",
        "last": "_last == 1; HERE x = 1",
        "place": "Peer[peer]@here; HERE x = 1",
        "own-place": "progress: atomic { nfull(c); c!1 }; HERE x = 1",
        "send": "c!1; HERE y = 1",
        "receive": "HERE c?x",
    },
}
MENUS = (("x == 1",), ("x == 1", "len(c) == 1"), ())


def _program(family: str, names: tuple[str, ...], menu: int) -> SmallProgram:
    bodies = [pointed(FAMILIES[family][name], ACTIVE[at]) for at, name in enumerate(names)]
    processes = [Process(name, body) for name, body in zip(ACTIVE, bodies, strict=False)]
    visible = MENUS[menu] if family == "one" else MENUS[0]
    tags = {f"channels:{family}:{name}" for name in names}
    alone = any(GLOBAL_FEATURES.search(body) or "Peer" in body for body in bodies)
    alone = alone or family == "alone"
    name = f"{family}:{'|'.join(names)}"
    return SmallProgram(name, completed(processes, visible), visible, frozenset(tags), alone)


def pairs() -> Iterator[SmallProgram]:
    """Every two bodies of a family, in every order."""
    for family, bodies in FAMILIES.items():
        for number, names in enumerate(product(bodies, repeat=2)):
            yield _program(family, names, number % len(MENUS))


def trios() -> Iterator[SmallProgram]:
    """Every three bodies of a family, in one order."""
    for family, bodies in FAMILIES.items():
        for number, names in enumerate(combinations_with_replacement(bodies, 3)):
            yield _program(family, names, number % len(MENUS))
