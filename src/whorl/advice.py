"""What to try next where a search did not finish: what fits this model, these options, this limit.

Every number in it was measured, by the search itself or by a few short random runs.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from whorl.figures import bytes_text, count_text, counted
from whorl.given import MOST_BITS
from whorl.memory import SHARE, available_bytes
from whorl.program.program import Program
from whorl.search.exploration import Exploration
from whorl.search.limits import INTERRUPTED
from whorl.task import Task

MANY_STATES = 100_000  # from which on bytes a state are more than what a search takes anyway
_SHARE = f"{100 * SHARE:.0f} %"
APPROXIMATE = ("hash-compact", "bitstate")
LIKELY = 1e-3  # a chance of losing a state that is worth more memory

_DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+(\d+)[ \t]*(?:/[/*].*)?$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A search that does not allow to say that something holds."""

    task: Task
    exploration: Exploration
    engine: str

    @property
    def cause(self) -> str:
        """What stopped it: interrupt, states, time, memory, depth, approximate, unsound, other."""
        exploration, limits = self.exploration, self.task.options.limits
        stopped = exploration.stopped
        if stopped is not None:
            if exploration.interrupted or stopped == INTERRUPTED:
                return "interrupt"
            if limits.states is not None and stopped == limits.states_reached:
                return "states"
            if stopped.startswith("the time limit"):
                return "time"
            return "memory" if _is_about_memory(stopped) else "other"
        if exploration.truncated:
            return "depth"
        if exploration.collision is not None:
            return "approximate"
        return "unsound" if not self.task.plan.soundness.sound else "other"


def _is_about_memory(stopped: str) -> bool:
    words = ("memory", "address-space limit", "limit on data", "room for more states")
    return any(word in stopped for word in words)


def seen(unfinished: Unfinished) -> str | None:
    """How far a search came; None if it did not begin."""
    exploration = unfinished.exploration
    progress, stored = exploration.progress, exploration.store_bytes
    if not progress.states or unfinished.cause in ("approximate", "unsound"):
        return None
    were = "was" if progress.states == 1 else "were"
    words = [f"{counted(progress.states, 'state')} {were} seen to depth {progress.depth:,}"]
    if stored and progress.states >= MANY_STATES:
        words.append(f"{stored / progress.states:.1f} bytes a state")
    if unfinished.task.claim is None and progress.transitions >= progress.states:
        share = 100 * progress.states / progress.transitions
        words.append(f"{share:.0f} % of the transitions led to a new state")
    return f"before {unfinished.task.name} stopped, {', '.join(words)}"


def advice(
    all_unfinished: Sequence[Unfinished], searches: int, defines: Mapping[str, str]
) -> tuple[str, ...]:
    """What to try next, the most promising first."""
    said: list[str] = []
    for unfinished in all_unfinished:
        said += _for_limit(unfinished, searches)
        said += _for_options(unfinished)
    exhausted = [each for each in all_unfinished if each.cause in ("states", "time", "memory")]
    if exhausted:
        program = exhausted[0].task.program
        said += _smaller(program, defines)
        said += _counters(exhausted[0].task)
        if any(each.task.claim is None for each in exhausted):
            said.append("`whorl simulate --runs 1000` may find an error sooner; it proves nothing")
    return tuple(dict.fromkeys(said))


def _for_limit(unfinished: Unfinished, searches: int) -> Iterator[str]:
    """What can be done about the limit that was reached."""
    limits = unfinished.task.options.limits
    cluster = unfinished.exploration.cluster
    if cluster is not None and cluster.folder is not None:
        kept = counted(cluster.committed_states, "state")
        yield f"--resume {cluster.folder}, beside the other options: it goes on from {kept}"
    match unfinished.cause:
        case "states":
            yield f"--max-states above {limits.states:,}, or leave it out"
        case "depth":
            yield f"--max-depth above {limits.depth:,}, or leave it out: there is no limit then"
        case "time":
            yield f"--timeout above {limits.seconds:g}{_rate(unfinished.exploration)}"
            if searches > 1:
                yield (
                    "one property at a time: the time is that of all"
                    f" {searches} searches (--safety, --claim NAME)"
                )
        case "memory":
            yield from _for_memory(unfinished)
        case "approximate":
            yield from _for_approximate(unfinished)
        case "unsound":
            yield "--por auto, which takes a reduction that is sound for the property, or none"
        case "interrupt":
            yield "let it run, or set a limit with --timeout or --memory"


def _rate(exploration: Exploration) -> str:
    states, seconds = exploration.progress.states, exploration.seconds
    if states < MANY_STATES or seconds <= 0:
        return ""
    return f": it saw {count_text(round(states / seconds))} states a second"


def _for_memory(unfinished: Unfinished) -> Iterator[str]:
    task, limits = unfinished.task, unfinished.task.options.limits
    if limits.share_of is not None:
        yield f"more memory, or free some: this was {_SHARE} of {limits.share_of}"
    elif limits.memory_bytes is not None:
        yield from _more_memory(limits.memory_bytes, unfinished.exploration.progress.states)
    if task.native.cluster is not None:
        yield "--workers on more machines: --memory is what all workers have together"
        return
    if task.native.store == "exact":
        yield "--store tree, which keeps states compressed"
    approximate = task.native.store in APPROXIMATE
    if task.claim is None and not approximate and unfinished.engine == "native":
        but = "it finds errors, but proves nothing"
        yield f"--store hash-compact, which keeps a hash of 64 bits of each state: {but}"
        yield f"--store bitstate, which keeps three bits of each state: {but}"


def _more_memory(limit: int, states: int) -> Iterator[str]:
    free = available_bytes()
    most = 0 if free is None else int(free * SHARE)
    if most > limit:
        room = ""
        if states >= MANY_STATES:
            digits = str(most * states // limit)
            about = int(digits[0] + "0" * (len(digits) - 1))  # it is no more than a guess
            room = f": as many states for their memory as here would be some {count_text(about)}"
        yield f"--memory {most >> 20}M, {_SHARE} of what is free{room}"


def _for_approximate(unfinished: Unfinished) -> Iterator[str]:
    task, collision = unfinished.task, unfinished.exploration.collision
    if task.native.store == "bitstate" and collision is not None and collision > LIKELY:
        chance = f"a new state was taken for a known one with a chance of {100 * collision:.2g} %"
        bits = task.native.bits
        more = "a larger --bits" if bits is None else f"--bits {min(bits + 3, MOST_BITS)}"
        yield f"{more}: {chance}"
    stored = unfinished.exploration.memory_bytes
    yield f"--store tree, which is exact, if memory allows (this took {bytes_text(stored)})"


def _for_options(unfinished: Unfinished) -> Iterator[str]:
    """Options that make a search larger, and what stands in the way of a reduction."""
    task = unfinished.task
    if unfinished.cause not in ("states", "time", "memory", "interrupt"):
        return
    if unfinished.engine == "none":  # it did not even begin
        return
    why = task.plan.why_none
    if unfinished.engine == "reference" and task.semantics.foreign is None:
        yield "a C compiler: the native engine is many times faster than the reference engine"
    if task.options.shortest:
        yield "without --shortest, which takes more memory and leaves out reductions"
    elif task.plan.scheme == "none" and why is None:
        yield "without --por none: a reduction may leave out most of the states"
    elif why is not None:
        yield f"nothing was reduced, because {why}"
    elif task.plan.scheme != "none":
        yield "`whorl explain MODEL` says which statements stand in the way of the reduction"
    if not task.native.merge:
        yield "without --no-merge, which keeps states that nobody can tell apart"


def _smaller(program: Program, defines: Mapping[str, str]) -> Iterator[str]:
    """Constants of the model that look like sizes, and can be made smaller."""
    text = program.source.text
    guarded = set(re.findall(r"^[ \t]*#[ \t]*ifndef[ \t]+(\w+)", text, re.MULTILINE))
    values: dict[str, set[str]] = defaultdict(set)
    for name, value in _DEFINE.findall(text):
        values[name].add(value)
    values |= {name: {value} for name, value in defines.items()}
    for name, (value, *others) in values.items():
        if others or not value.isdecimal():  # which one counts is not known
            continue
        if int(value) < 2 or not re.search(rf"(?:\[|\.\.)[ \t]*{re.escape(name)}\b", text):
            continue
        if name in guarded or name in defines:
            yield f"-D{name}={int(value) - 1}: a smaller instance shows most errors (it is {value})"
        else:
            yield f"a smaller {name} (it is {value}): a smaller instance shows most errors"


def _counters(task: Task) -> Iterator[str]:
    from whorl.simulate.values import many_valued

    for name, count, runs in many_valued(task.semantics):
        yield (
            f"a bound for {name}: it took {count:,} different values in {runs} short random runs"
            " (see whether a smaller range will do)"
        )
