"""Explanations by brute force: every part of a run, every short run beside it.

Nothing is taken from `whorl.causality`. What a part shows is judged by the replay.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, combinations

import whorl
from whorl.program.atomic import Run, runs
from whorl.program.choice import Choice
from whorl.program.semantics import Semantics, Step
from whorl.program.state import NOBODY, State
from whorl.property.claim import Claim
from whorl.property.reading import Letters
from whorl.property.words import Word, holds
from whorl.selection import Wanted, select
from whorl.trace.describe import is_shown
from whorl.trace.replay import END_STATE, ReplayError, confirm, follow
from whorl.trace.shorten import stuck_processes

Units = tuple[tuple[Choice, ...], ...]


STATEMENTS = (
    "x = 1", "x = 0", "y = 1", "y = 0", "x == 1", "y == 0", "atomic { x = 1; y = 0 }",
    "atomic { y == 0; x = 1 }", "assert(!(x && y))", "if :: x -> y = 1 :: else fi", "c!1", "c?_",
    "d_step { y = x; x = 1 }", "skip", "r!1", "r?_",
)  # fmt: skip
FORMULAS = ("[] !(x && y)", "<> x", "[] (x -> <> y)", "<> [] x", "[] <> !y")


HEAD = "bit x, y; chan c = [1] of { bit }; chan r = [0] of { bit };\n"


def straight(seed: int) -> str:
    """Two or three processes that run through a few statements; the first ends in an assertion."""
    draw = random.Random(seed)
    counts = range(draw.randint(2, 3))
    bodies = [draw.choices(STATEMENTS, k=draw.randint(1, 3)) for _ in counts]
    bodies[0].append(draw.choice(["assert(x == 0)", "assert(y == 0)", "assert(x == y)"]))
    texts = ["; ".join(body) for body in bodies]
    if draw.random() < 0.5:
        texts[1] = f"do :: {texts[1]} od"
    return HEAD + "\n".join(f"active proctype P{n}() {{ {body} }}" for n, body in enumerate(texts))


def looping(seed: int) -> str:
    """Two processes, one or both of which go round."""
    draw = random.Random(seed)
    plain = [text for text in STATEMENTS if "assert" not in text]
    bodies = ["; ".join(draw.choices(plain, k=draw.randint(1, 2))) for _ in range(2)]
    kind = draw.choice(["do :: {0} od", "do :: {0} :: break od", "{0}"])
    texts = [f"do :: {bodies[0]} od", kind.format(bodies[1])]
    return HEAD + "\n".join(f"active proctype P{n}() {{ {text} }}" for n, text in enumerate(texts))


def parts(units: Units) -> Iterator[frozenset[int]]:
    """Every set of places of units."""
    places = range(len(units))
    for count in range(len(units) + 1):
        yield from map(frozenset, combinations(places, count))


@dataclass
class Found:
    """A counterexample of a small model, with what is needed to judge runs beside it."""

    semantics: Semantics
    trace: whorl.Trace
    claim: Claim | None
    fair: bool = False
    end_states: bool = True

    @staticmethod
    def of(
        text: str, ltl: str | None = None, fair: bool = False, end_states: bool = True
    ) -> Found | None:
        model = whorl.load(text, ltl=ltl or ())
        result = whorl.check(
            model,
            engine="reference",
            por="none",
            explain=True,
            shorten=False,
            safety=ltl is None,
            claim=model.given,
            fair=fair,
            end_states=end_states,
        )
        if result.trace is None:
            return None
        wanted = Wanted(safety=ltl is None, formulas=model.given)
        claims = select(model.program, wanted).claims
        semantics = Semantics(model.program)
        claim = claims[0] if claims else None
        return Found(semantics, result.trace, claim, fair, end_states)

    # --- the run ---------------------------------------------------------------------------------

    @cached_property
    def steps(self) -> list[Step]:
        return follow(self.semantics, self.trace.choices)[1]

    @cached_property
    def ends(self) -> list[int]:
        """After how many choices a unit ends."""
        ends = [0]
        for place, step in enumerate(self.steps, 1):
            state = step.state
            if state is None or state.holder == NOBODY or not self.semantics.steps_of_holder(state):
                ends.append(place)
        if ends[-1] != len(self.trace.choices):
            ends.append(len(self.trace.choices))
        return ends

    @cached_property
    def units(self) -> Units:
        pairs = zip(self.ends, self.ends[1:], strict=False)
        return tuple(self.trace.choices[a:b] for a, b in pairs)

    @property
    def stem(self) -> Units:
        loop = self.trace.loop
        return self.units if loop is None else self.units[: self.ends.index(loop)]

    @property
    def around(self) -> Units:
        return self.units[len(self.stem) :]

    def numbers(self, unit: int) -> set[int]:
        """The numbers of the steps of a unit."""
        shown = [0, *accumulate(int(is_shown(step)) for step in self.steps)]
        places = range(self.ends[unit], self.ends[unit + 1])
        return {shown[place + 1] for place in places if is_shown(self.steps[place])}

    # --- what shows the same ---------------------------------------------------------------------

    def shows(
        self, units: Sequence[tuple[Choice, ...]], around: Sequence[tuple[Choice, ...]] = ()
    ) -> bool:
        """Whether a run, with a cycle if it has one, shows the same violation."""
        before = tuple(choice for unit in units for choice in unit)
        again = tuple(choice for unit in around for choice in unit)
        loops: list[int | None] = [len(before)] if again else [None]
        if not again and self.trace.loop is not None:
            loops = [None, len(before)]
        return any(self._shows((*before, *again), loop) for loop in loops)

    def _shows(self, choices: tuple[Choice, ...], loop: int | None) -> bool:
        trace = self.trace
        said = None if self.claim is not None else trace.message
        try:
            shown = confirm(self.semantics, trace.kind, choices, self.claim, loop, self.fair, said)
        except ReplayError:
            return False
        if trace.kind == END_STATE:
            mine = self.semantics.initial() if not self.steps else self.steps[-1].state
            last = shown.first if not shown.steps else shown.steps[-1].state
            assert last is not None
            assert mine is not None
            return stuck_processes(self.semantics, last) == stuck_processes(self.semantics, mine)
        if self.claim is None:
            return bool(shown.steps) and shown.steps[-1].transition is self.steps[-1].transition
        return True

    def dispensable(self) -> set[int]:
        """The units without which some part of the run shows the same."""
        left_out: set[int] = set()
        everything = frozenset(range(len(self.units)))
        for stem in parts(self.stem):
            before = [self.stem[n] for n in sorted(stem)]
            for used, first, again in self._rounds():
                if self.shows([*before, *first], again):
                    shift = {len(self.stem) + n for n in used}
                    left_out |= everything - stem - shift
        return left_out

    def _rounds(self) -> Iterator[tuple[frozenset[int], Units, Units]]:
        """No cycle at all; perhaps one round before it, and one or two that come for ever."""
        yield frozenset(), (), ()
        rounds = [
            (part, tuple(self.around[n] for n in sorted(part))) for part in parts(self.around)
        ]
        if not self.around:
            return
        for lead, first in rounds:
            for one, again in rounds:
                for two, more in rounds:
                    if again or more:
                        yield lead | one | two, first, again + more

    # --- runs that pass --------------------------------------------------------------------------

    def stored_states(self) -> list[State]:
        """The states after each unit, as far as the program gets."""
        first, steps = follow(self.semantics, self.trace.choices)
        states = [first, *(step.state for step in steps if step.state is not None)]
        return [states[n]._replace(holder=NOBODY) for n in self.ends if n < len(states)]

    def passes_from(self, place: int, most: int) -> bool:
        """Whether a short fair run from the state after so many units violates nothing."""
        lead = self.stored_states()[: place + 1]
        return self._passes(lead, place, [], most)

    def _passes(self, states: list[State], start: int, taken: list[Run], most: int) -> bool:
        here = states[-1]
        following = list(runs(self.semantics, here))
        if not following:
            return self._may_stop(states)
        for n in range(start, len(states) - 1):
            if states[n] == here and self._is_good_cycle(states, n, taken[n - start :]):
                return True
        if most == 0:
            return False
        for run in following:
            failing = any(step.failures for step in run.steps)
            if run.state is None or (failing and self.claim is None):
                continue
            if self._passes([*states, run.state], start, [*taken, run], most - 1):
                return True
        return False

    def _may_stop(self, states: list[State]) -> bool:
        if self.claim is None:
            return not self.end_states or self.semantics.is_valid_end(states[-1])
        letters = [self._letters.all(state)[0] for state in states]
        last = self._letters.all(states[-1], stuttering=True)[0]
        return self._satisfied(letters, [last])

    def _is_good_cycle(self, states: list[State], start: int, around: list[Run]) -> bool:
        waiting = set.intersection(
            *({step.pid for step in self.semantics.steps(state)} for state in states[start:])
        )
        for run in around:
            for step in run.steps:
                waiting -= {step.pid} | ({step.partner[0]} if step.partner else set())
        if waiting:
            return False
        if self.claim is None:
            return True
        letters = [self._letters.all(state)[0] for state in states[:-1]]
        return self._satisfied(letters[:start], letters[start:])

    @cached_property
    def _letters(self) -> Letters:
        assert self.claim is not None
        return Letters(self.semantics, self.claim)

    def _satisfied(self, prefix: list[int], cycle: list[int]) -> bool:
        assert self.claim is not None
        assert self.claim.formula is not None
        word = Word(self.claim.automaton.propositions, tuple(prefix), tuple(cycle))
        return holds(self.claim.formula, word)

    # --- the order of two units ------------------------------------------------------------------

    def can_be_taken(self, units: Sequence[tuple[Choice, ...]]) -> bool:
        try:
            choices = [choice for unit in units for choice in unit]
            return len(follow(self.semantics, choices)[1]) == len(choices)
        except ReplayError:
            return False

    def order_matters(self, first: int, second: int) -> bool:
        """Whether no run shows the violation in which the second unit comes before the first.

        What lies between them is taken before, as far as it can be.
        """
        before = list(self.stem[:first])
        after = [self.stem[first]]
        for unit in self.stem[first + 1 : second]:
            waits = any(movers(unit) & movers(other) for other in after[1:])
            if not waits and self.can_be_taken([*before, unit]):
                before.append(unit)
            else:
                after.append(unit)
        before.append(self.stem[second])
        if not self.can_be_taken(before):
            return False
        rest = (*after, *self.stem[second + 1 :])
        for part in parts(rest):
            chosen = [*before, *(rest[n] for n in sorted(part))]
            if any(self.shows([*chosen, *lead], again) for _, lead, again in self._rounds()):
                return False
        return True


def movers(unit: tuple[Choice, ...]) -> set[int]:
    return {pid for choice in unit for pid in (choice.pid, choice.partner) if pid >= 0}
