"""The programs: all pairs in all positions beside others that touch what they touch.

`programs()` gives the whole set in a fixed order, `programs(slice(a, b))` a part of it by index,
`sample(n)` a spread of it, and `fast()` a selection that has every ordered pair of core forms.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice, product

from systematic.forms import Form, core_forms, fault_forms, minor_forms, partners
from systematic.others import Other, others, touching
from systematic.positions import Position, few_positions, positions
from systematic.small import Process, SmallProgram, completed
from systematic.vocabulary import ACTIVE, pointed

Pair = tuple[Form, Form]
OTHERS_EACH = 2  # others beside a pair of core forms in each position

_NARROW = {
    "b": "b == 1",
    "a": "a[1] == 1",
    "c": "len(c) == 1",
    "d": "len(d) == 1",
    "e": "len(e[0]) == 1",
    "w": "len(w) == 1",
    "s": "len(s) == 1",
    "t": "t.first == 1",
    "k": "k == red",
    "h": "len(h) == 1",
}
_LOCATION = "Main[pid0]@here"
MENUS = 6


@dataclass(frozen=True, slots=True)
class Placed:
    """A pair in a position: the body of a process."""

    first: Form
    second: Form
    position: Position

    @property
    def pair(self) -> Pair:
        return self.first, self.second

    @property
    def texts(self) -> str:
        return f"{self.first.text} {self.second.text} {self.position.clause}"

    @property
    def touches(self) -> frozenset[str]:
        return self.first.touches | self.second.touches

    @property
    def alone(self) -> bool:
        return self.first.alone or self.second.alone or self.position.alone

    @property
    def tags(self) -> Iterator[str]:
        pair = f"{self.first.name},{self.second.name}"
        yield f"pair:{pair}"
        yield f"position:{self.position.name}"
        yield f"placed:{pair}@{self.position.name}"
        for form in self.pair:
            yield f"form:{form.name}"
            if form.fault:
                yield f"fault:{form.fault}@{form.place}"

    @property
    def name(self) -> str:
        return f"{self.first.name},{self.second.name}@{self.position.name}"


@dataclass(frozen=True, slots=True)
class Case:
    """What a program is made of: a pair, and beside it an other or a second pair."""

    main: Placed
    beside: Other | Placed
    menu: int  # which propositions are visible

    def program(self) -> SmallProgram:
        clause = pointed(self.main.position.clause, "Main")
        processes = [Process("Main", pointed(self.filled(self.main), "Main"), clause)]
        if isinstance(self.beside, Placed):
            bodies = [self.filled(self.beside)]
            tags = {*self.main.tags, *self.beside.tags}
        else:
            bodies = list(self.beside.bodies)
            tags = {*self.main.tags, f"other:{self.beside.name}"}
        for name, body in zip(ACTIVE[1:], bodies, strict=False):
            processes.append(Process(name, pointed(body, name)))
        visible = self.visible()
        tags.add(f"menu:{self.menu}")
        return SmallProgram(
            f"{self.main.name}|{self.beside.name}|{self.menu}",
            completed(processes, visible),
            visible,
            frozenset(tags),
            self.main.alone or self.beside.alone or _LOCATION in visible,
        )

    @staticmethod
    def filled(placed: Placed) -> str:
        return placed.position.filled(*placed.pair)

    def visible(self) -> tuple[str, ...]:
        """The propositions of the menu. With fewer of them a reduction can do more."""
        narrow = sorted(self.main.touches & _NARROW.keys())
        return (
            ("x == 1", "y == 1"),
            ("x == 1",),
            (),
            ("y == 1",),
            (_NARROW[narrow[0]],) if narrow else ("x == 2",),
            ("x == 1", _LOCATION),
        )[self.menu]


# --- the whole set ------------------------------------------------------------------------------


def core_pairs() -> Iterator[Pair]:
    return product(core_forms(), core_forms())


def other_pairs() -> Iterator[Pair]:
    """The forms that are not core, before and behind each partner."""
    for form in (*minor_forms(), *fault_forms()):
        for partner in partners():
            yield form, partner
            yield partner, form


def _beside(placed: Placed, turn: int, count: int) -> Iterator[Other]:
    """Some of the others that touch what the pair touches: other ones in every position."""
    found = touching(placed.touches, "Peer" in placed.texts)
    for step in range(count):
        yield found[(turn * count + step) % len(found)]


def cases() -> Iterator[Case]:
    """Every case of the whole set, always in the same order."""
    number = 0
    groups = ((core_pairs(), positions(), OTHERS_EACH), (other_pairs(), few_positions(), 1))
    for pairs, places, count in groups:
        for turn, (first, second) in enumerate(pairs):
            for place, position in enumerate(places):
                if not position.allows(first, second):
                    continue
                placed = Placed(first, second, position)
                for other in _beside(placed, turn + place, count):
                    yield Case(placed, other, (number + number // MENUS) % MENUS)
                    number += 1


@cache
def count() -> int:
    """How many programs the whole set has."""
    return sum(1 for _ in cases())


def programs(part: slice = slice(None)) -> Iterator[SmallProgram]:
    """The programs of the whole set, or of a part of it by index."""
    for case in islice(cases(), part.start, part.stop, part.step):
        yield case.program()


def sample(size: int, seed: int = 0) -> Iterator[SmallProgram]:
    """A sample of the whole set, the same for the same seed."""
    chosen = set(random.Random(seed).sample(range(count()), size))
    for number, case in enumerate(cases()):
        if number in chosen:
            yield case.program()


# --- the fast selection -------------------------------------------------------------------------


class _Spread:
    """Chooses the position that a pair may have and that was chosen least."""

    def __init__(self) -> None:
        self.chosen: Counter[str] = Counter()

    def place(self, pair: Pair, united: bool = False) -> Placed:
        allowed = [p for p in positions() if p.allows(*pair) and not (united and p.alone)]
        best = min(allowed, key=lambda position: self.chosen[position.name])
        self.chosen[best.name] += 1
        return Placed(*pair, best)


def _couples() -> Iterator[tuple[Pair, Pair]]:
    """The core pairs two by two, so that both touch the same globals where that can be."""
    left = list(core_pairs())
    left = left[::2] + left[1::2][::-1]  # neighbours in the list are not alike
    while left:
        first = left.pop(0)
        names = first[0].touches | first[1].touches
        narrow = names - {"x", "y"}

        touched = [pair[0].touches | pair[1].touches for pair in left[:200]]
        alike = [2 * bool(some & narrow) + bool(some & names) for some in touched]
        best = alike.index(max(alike)) if alike else None
        yield first, first if best is None else left.pop(best)


def _fast_cases() -> Iterator[Case]:
    spread = _Spread()
    number = 0
    for first, second in _couples():
        yield Case(spread.place(first), spread.place(second, united=True), number % MENUS)
        number += 1
    rare: Iterator[Pair] = iter(_rare_pairs())
    for pair in rare:
        placed = spread.place(pair)
        other = next(_beside(placed, number, 1))
        yield Case(placed, other, number % MENUS)
        number += 1
    yield from _for_others(spread)


def _rare_pairs() -> Iterator[Pair]:
    """Each form that is not core: a minor one before and behind a partner, a fault once."""
    turn = 0
    for form in minor_forms():
        yield form, partners()[turn % len(partners())]
        yield partners()[(turn + 3) % len(partners())], form
        turn += 1
    for form in fault_forms():
        partner = partners()[turn % len(partners())]
        yield (form, partner) if turn % 2 else (partner, form)
        turn += 1


def _for_others(spread: _Spread) -> Iterator[Case]:
    """Each other twice, beside a pair that touches what it touches."""
    pairs = list(core_pairs())
    for number, other in enumerate(others()):
        fitting = [
            pair
            for pair in pairs
            if other in touching(pair[0].touches | pair[1].touches, False)
            and (other.bodies or not any("Peer" in form.text for form in pair))
        ]
        narrow = other.touches - {"x", "y"}
        close = [p for p in fitting if narrow & p[0].touches] or fitting or pairs
        for step in (1, 2):
            pair = close[(step * len(close)) // 3]
            yield Case(spread.place(pair), other, (number + step) % MENUS)


@cache
def fast() -> tuple[SmallProgram, ...]:
    """A selection with every ordered pair of core forms, every form, position, other and fault."""
    return tuple(case.program() for case in _fast_cases())
