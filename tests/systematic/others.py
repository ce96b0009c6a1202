"""The others: processes that watch or disturb what a pair of forms touches.

A body may have `HERE`, where a label stands that the pair's process looks at.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from systematic.vocabulary import GLOBAL_FEATURES, touched


@dataclass(frozen=True, slots=True)
class Other:
    """One or two processes (or none) beside the pair's."""

    name: str
    bodies: tuple[str, ...]

    @property
    def touches(self) -> frozenset[str]:
        return frozenset().union(*(touched(body) for body in self.bodies))

    @property
    def looks(self) -> bool:
        return any("Peer" in body for body in self.bodies)

    @property
    def alone(self) -> bool:
        return any(GLOBAL_FEATURES.search(body) for body in self.bodies)


_ONE = {
    # variables
    "x-set": "x = 1; HERE skip",
    "x-pulse": "x = 1; HERE x = 0",
    "x-count": "do :: x < 2 -> x++ :: else -> HERE break od",
    "x-loop": "HERE do :: x = 1 :: x = 0 od",
    "x-assert": "HERE assert(x == 0)",
    "x-busy": "do :: x == 1 -> break :: else od; HERE y = 1",
    "x-read": "l = x; HERE l == 1; y = 2",
    "x-then-y": "x == 1; HERE assert(y == 1)",
    "y-then-x": "y == 1; HERE x = 1",
    "y-set": "HERE y = 1; x = 1",
    "xy-atomic": "atomic { x = 1; y = 1 }; HERE skip",
    "xy-d_step": "d_step { x == 0; y = 1; x = 1 }; HERE skip",
    "b-pulse": "b == 1; HERE b = 0",
    "b-assert": "HERE assert(b == 0); b = 1",
    "a-set": "a[1] = 1; HERE a[0] = 2",
    "a-assert": "HERE assert(a[1] == 0); a[0] == 1; x = 1",
    "t-set": "t.second == 1; HERE t.first = 2",
    "h-send": "t.first = 1; HERE h!t",
    "k-set": "k == 0; HERE k = green",
    "z-set": "z = 1; HERE x = 1",
    # both ends of a buffered channel
    "c-send": "c!1; HERE skip",
    "c-send-two": "c!0; HERE c!1",
    "c-receive": "c?x; HERE skip",
    "c-match": "c?1; HERE y = 1",
    "c-drain": "HERE do :: c?_ od",
    "c-look": "if :: c?[1] -> x = 1 :: full(c) -> HERE y = 1 fi",
    "c-empty": "empty(c); HERE x = 1",
    "c-steal": "atomic { nempty(c); c?_ }; HERE y = 1",
    "c-feed": "HERE do :: c!0 :: c!1 od",
    "d-send": "d!0,1; HERE d!!2,2",
    "d-receive": "d?x,y; HERE skip",
    "e-receive": "e[0]?x; HERE e[1]!1",
    "e-send": "e[0]!0; HERE skip",
    "s-receive": "s?x; HERE skip",
    # both ends of a rendezvous
    "r-receive": "r?x; HERE skip",
    "r-send": "r!1; HERE x = 1",
    "r-drain": "HERE do :: r?_ od",
    "r-offer-or": "do :: r!1 :: x = 1; HERE break od",
    "r-choose": "if :: r?0 -> x = 1 :: r?1 -> y = 1 :: x == 1 fi; HERE skip",
    "r-atomic": "atomic { r?x; y = 1 }; HERE skip",
    "r-d_step": "d_step { r?x; y = x }; HERE skip",
    "r-send-atomic": "atomic { r!1; y = 1; x = 1 }; HERE skip",
    # channels as values, births and deaths
    "w-use": "w?o; HERE o?x",
    "w-give": "w!q; HERE q?x",
    "w-die": "w!q; HERE skip",
    "g-make": "g = q; HERE g!1",
    "birth": "run Child(); HERE skip",
    "birth-maker": "run Maker(); HERE skip",
    "births": "run Idle(); HERE run Idle()",
    "death": "HERE skip",
    # locations
    "location": "Peer[peer]@here; HERE y = 1",
    "location-assert": "HERE assert(!Peer[peer]@here)",
    "location-variable": "Peer[peer]:v == 1; HERE x = 1",
    "location-loop": "do :: Peer[peer]@here -> x = 1 :: else -> HERE break od",
    # what the others can do
    "enabled": "enabled(pid0); HERE y = 1",
    "processes": "_nr_pr == 2; HERE y = 1",
    "provided-turn": "y = 1; HERE y = 0",
    "timeout": "timeout; HERE x = 1",
    # nothing in common
    "steps": "l = 1; HERE l = 2",
    "spin": "HERE do :: l = 1 - l od",
    "progress": "HERE do :: progress: l = 1 - l od",
    "stuck": "HERE false",
}
_TWO = {
    "x-set-assert": ("x = 1; HERE x = 0", "assert(x == 0)"),
    "x-set-busy": ("x = 1; HERE x = 0", "do :: x == 1 -> break :: else od; y = 1"),
    "x-two-wait": ("x == 1; HERE y = 1", "y == 1; x = 2"),
    "c-both": ("c!0; HERE c!1", "c?x; y = 1"),
    "r-both": ("r!1; HERE skip", "r?x; y = 1"),
    "r-rivals": ("r?x; HERE skip", "r?y"),
    "steps-spin": ("l = 1; HERE skip", "do :: l = 1 - l od"),
    "w-makers": ("run Maker(); HERE w?o; o!1", "skip"),
}
MOST_NEEDS = 4


def helper(needs: Iterable[str]) -> str:
    """The body of a process that does what others wait for; empty where they need nothing."""
    found: list[str] = []
    for need in needs:
        if "=" not in need or need not in found:  # setting a variable twice helps nobody
            found.append(need)
    return "; ".join(found[:MOST_NEEDS])


# For every pair, whatever it touches.
_ANY = ("none", "death", "steps", "spin", "stuck", "birth-maker", "births", "timeout")
_ANY_LOCATION = ("location", "location-assert", "location-loop")


@cache
def others() -> tuple[Other, ...]:
    none = Other("none", ())
    one = [Other(name, (body,)) for name, body in _ONE.items()]
    two = [Other(name, bodies) for name, bodies in _TWO.items()]
    return (none, *one, *two)


@cache
def by_name() -> dict[str, Other]:
    return {other.name: other for other in others()}


@cache
def touching(names: frozenset[str], needs_peer: bool) -> tuple[Other, ...]:
    """The others that touch one of these globals, first those that touch something else than x.

    Behind them come those that are for any pair. `needs_peer`: there must be one.
    """
    narrow = names - {"x", "y"}
    rank = [(other.touches & narrow, other.touches & names, other) for other in others()]
    found = [other for some, _, other in rank if some]
    found += [other for some, any_, other in rank if any_ and not some]
    known = by_name()
    found += [known[name] for name in (*_ANY, *_ANY_LOCATION) if known[name] not in found]
    return tuple(other for other in found if other.bodies or not needs_peer)
