"""The programs: all pairs in all positions beside others that touch what they touch, and trios.

`programs()` gives the whole set in a fixed order, `programs(slice(a, b))` a part of it by index,
`sample(n)` a spread of it, and `fast()` a selection that has every ordered pair of core forms.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice, product

from systematic.forms import Form, core_forms, fault_forms, minor_forms, partners
from systematic.others import Other, helper, others, touching
from systematic.positions import Position, few_positions, positions
from systematic.small import Process, SmallProgram, completed
from systematic.trios import Trio, fast_trios, trios
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
UNITED_MENUS = 5  # the last menu has a location, and so stands alone
HELPED = 100  # a helper makes a program with two pairs too large above this weight
_SET = ["x = 1"]


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
    helped: bool = False  # with a process that does what the pairs wait for

    def program(self) -> SmallProgram:
        clause = pointed(self.main.position.clause, "Main")
        processes = [Process("Main", pointed(self.filled(self.main), "Main"), clause)]
        if isinstance(self.beside, Placed):
            bodies = [self.filled(self.beside)]
            tags = {*self.main.tags, *self.beside.tags}
        else:
            bodies = list(self.beside.bodies)
            tags = {*self.main.tags, f"other:{self.beside.name}"}
        help_ = helper(self.needs()) if self.helped else ""
        if help_:
            bodies.append(help_)
            tags.add("helped")
        for name, body in zip(ACTIVE[1:], bodies, strict=False):
            processes.append(Process(name, pointed(body, name)))
        visible = self.visible()
        tags.add(f"menu:{self.menu}")
        return SmallProgram(
            f"{self.main.name}|{self.beside.name}|{self.menu}{'+' * bool(help_)}",
            completed(processes, visible),
            visible,
            frozenset(tags),
            self.main.alone or self.beside.alone or _LOCATION in visible,
        )

    def needs(self) -> Iterator[str]:
        """What the pairs wait for: x is set last, as that ends most waiting."""
        forms: tuple[Form, ...] = self.main.pair
        if isinstance(self.beside, Placed):
            forms = (*forms, *self.beside.pair)
        yield from sorted((need for form in forms for need in form.needs), key=_SET.count)

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


def _births(text: str) -> int:
    """How many processes a body may start, about."""
    return text.count("run ") * (3 if "n++" in text or "n < 1" in text else 1)


def _beside(placed: Placed, turn: int, count: int) -> Iterator[Other]:
    """Some of the others that touch what the pair touches: other ones in every position.

    Where several processes are born, the others are short and start none.
    """
    found = touching(placed.touches, "Peer" in placed.texts)
    births = _births(placed.position.filled(*placed.pair))
    if births:
        found = tuple(other for other in found if _is_short(other, births))
    for step in range(count):
        yield found[(turn * count + step) % len(found)]


def _is_short(other: Other, births: int) -> bool:
    text = "".join(other.bodies)
    if births == 1:
        return len(other.bodies) < 2 and _births(text) < 2
    steps = text.count(";") + ("do" in text)
    return len(other.bodies) < 2 and "run " not in text and steps <= (births == 2)


def _can_help(placed: Placed, other: Other, number: int) -> bool:
    """Whether there is a helper: but in every fourth program, where it does not grow too large."""
    text = placed.position.filled(*placed.pair) + "".join(other.bodies)
    return number % 4 != 3 and len(other.bodies) < 2 and _births(text) < 2


def cases() -> Iterator[Case | Trio]:
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
                    menu = (number + number // MENUS) % MENUS
                    yield Case(placed, other, menu, helped=_can_help(placed, other, number))
                    number += 1
    yield from trios()


@cache
def all_cases() -> tuple[Case | Trio, ...]:
    """The same, kept: for who asks for many parts of it."""
    return tuple(cases())


def count() -> int:
    """How many programs the whole set has."""
    return len(all_cases())


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

    def __init__(self, starts: bool) -> None:
        self.starts = starts  # whether a position may start processes
        self.chosen: Counter[str] = Counter()

    def place(self, pair: Pair) -> Placed:
        more = self.starts and not _starts(pair)
        allowed = [
            position
            for position in positions()
            if position.allows(*pair)
            and not position.alone
            and (more or not re.search(r"run |n\+\+", position.template))
        ]
        best = min(allowed, key=lambda position: self.chosen[position.name])
        self.chosen[best.name] += 1
        return Placed(*pair, best)


def _starts(pair: Pair) -> bool:
    return any("run " in form.text for form in pair)


def _weight(placed: Placed) -> int:
    """About how many places a pair's process has; more where it goes round."""
    text = placed.position.filled(*placed.pair)
    rounds = 1 + ("n++" in text or placed.position.endless)
    return rounds * (2 + text.count(";") + text.count("::")) * (1 + ("d!" in text))


def _couples() -> Iterator[tuple[Pair, Pair]]:
    """The core pairs two by two, so that both touch the same globals where that can be."""
    left = list(core_pairs())
    left = left[::2] + left[1::2][::-1]  # neighbours in the list are not alike
    while left:
        first = left.pop(0)
        names = first[0].touches | first[1].touches
        narrow = names - {"x", "y"}

        touched = [pair[0].touches | pair[1].touches for pair in left[:200]]
        alike = [
            2 * bool(some & narrow) + bool(some & names) - 4 * (_starts(first) and _starts(pair))
            for some, pair in zip(touched, left, strict=False)
        ]
        best = alike.index(max(alike)) if alike else None
        yield first, first if best is None else left.pop(best)


def _fast_cases() -> Iterator[Case | Trio]:
    spread, second_spread = _Spread(starts=True), _Spread(starts=False)
    number = 0
    for first, second in _couples():
        main, beside = spread.place(first), second_spread.place(second)
        starts = "run " in main.texts + main.position.template + beside.texts
        small = _weight(main) * _weight(beside) < (HELPED // 3 if starts else HELPED)
        yield Case(main, beside, number % UNITED_MENUS, helped=small)
        number += 1
    for pair in _rare_pairs():
        placed = spread.place(pair)
        other = next(_beside(placed, number, 1))
        helped = _can_help(placed, other, 0)
        yield Case(placed, other, number % UNITED_MENUS, helped=helped)
        number += 1
    yield from _for_others(spread)
    yield from _for_clauses()
    yield from fast_trios()


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
            yield Case(spread.place(pair), other, (number + step) % UNITED_MENUS)


def _for_clauses() -> Iterator[Case]:
    """What cannot be united, a few times: processes with a clause, and locations to be seen."""
    pairs = list(core_pairs())
    places = [p for p in positions() if p.alone or p.name in ("sequence", "if", "atomic", "loop")]
    for turn, (position, number) in enumerate(product(places, range(8))):
        pair = pairs[(turn * 377) % len(pairs)]
        if position.allows(*pair):
            placed = Placed(*pair, position)
            other = next(_beside(placed, turn, 1))
            yield Case(placed, other, number % UNITED_MENUS if position.alone else MENUS - 1)


@cache
def fast() -> tuple[SmallProgram, ...]:
    """Every ordered pair of core forms, every form, position, other and fault, and every trio."""
    return tuple(case.program() for case in _fast_cases())
