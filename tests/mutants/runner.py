"""Plants mutants and runs tests on each: the one that killed it last, its own, related ones."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from queue import SimpleQueue
from threading import Lock

from mutants.catalogue import Area, Mutant
from mutants.sandbox import Sandbox

OWN_SECONDS = 300.0  # for tests that should kill
RELATED_SECONDS = 240.0


@dataclass(frozen=True, slots=True)
class Result:
    """What became of a mutant: `killer` is None if it survived.

    `late`: its own tests took too long, and that may be the machine's fault.
    """

    mutant: Mutant
    killer: str | None
    seconds: float
    broken: bool = False
    late: bool = False

    @property
    def fate(self) -> str:
        if self.broken:
            return f"IS NO PROGRAM: {self.killer}"
        if self.late:
            return "TOOK TOO LONG"
        if self.killer is not None:
            return f"killed by {self.killer}"
        return "survived, as is argued" if self.mutant.survives else "SURVIVED"

    @property
    def is_wrong(self) -> bool:
        """Whether it is one that somebody has to look at."""
        return self.broken or (self.killer is None and self.mutant.survives is None)

    @property
    def is_killed(self) -> bool:
        return self.killer is not None and not self.broken


def try_one(
    sandbox: Sandbox,
    mutant: Mutant,
    area: Area,
    known: str | None,
    related: bool,
    seconds_of_own: float,
) -> Result:
    """Plants a mutant and runs tests until one fails. `known`: the test that killed it last."""
    started = time.monotonic()
    own = mutant.tests or area.tests
    stages: list[tuple[Sequence[str], bool]] = [((known,), True)] if known else []
    stages.append((own, True))
    if related:
        stages.append((area.related, False))
    with sandbox.planted(mutant):
        for tests, is_own in stages:
            outcome = sandbox.test(tests, seconds_of_own if is_own else RELATED_SECONDS)
            seconds = time.monotonic() - started
            if outcome.killer is not None:
                return Result(mutant, outcome.killer, seconds, outcome.broken)
            if outcome.late and is_own:
                said = "the time limit" if mutant.endless else None
                return Result(mutant, said, seconds, late=not mutant.endless)
    return Result(mutant, None, time.monotonic() - started)


def try_all(
    places: list[Sandbox],
    wanted: list[Mutant],
    areas: dict[str, Area],
    known: dict[str, str],
    related: bool,
    seconds: float,
    tell: Callable[[Result], None],
) -> list[Result]:
    """Tries mutants, one in each sandbox at a time; `tell` is called as each one is done."""
    telling = Lock()
    free: SimpleQueue[Sandbox] = SimpleQueue()
    for place in places:
        free.put(place)

    def run(mutant: Mutant) -> Result:
        sandbox = free.get()
        try:
            title = mutant.title
            area = areas[mutant.area]
            result = try_one(sandbox, mutant, area, known.get(title), related, seconds)
        finally:
            free.put(sandbox)
        with telling:
            tell(result)
        return result

    with ThreadPoolExecutor(len(places)) as pool:
        try:
            return list(pool.map(run, wanted))
        except BaseException:  # an interrupt, say
            pool.shutdown(wait=False, cancel_futures=True)
            for place in places:
                place.stop()
            raise


def summary(results: list[Result]) -> list[str]:
    """A table in Markdown: how many of each area were killed."""
    lines = ["| area | planted | killed | survived |", "|---|---|---|---|"]
    names = list(dict.fromkeys(result.mutant.area for result in results))
    for name in [*names, "all"]:
        here = [r for r in results if name in ("all", r.mutant.area)]
        killed = sum(r.is_killed for r in here)
        lines.append(f"| {name} | {len(here)} | {killed} | {len(here) - killed} |")
    return lines
