"""Makes counterexamples shorter: leaves out what a run does beside what it shows.

A search by depth finds long runs: other processes go on meanwhile, and phase 1 takes all that one
process can do by itself. These are left out.

- What nothing later looks at: from the end of the run backwards, a step is needed if a later step
  of its process is, or if it changes what a needed one reads (a dynamic slice, Korel and Laski,
  1988). Steps of one atomic sequence stay together.
- Rounds that some processes make and nobody notices, of runs that fail or end (`rounds.py`).
- What lies between two equal states, and processes that need not move in the cycle of a lasso.

An invalid end state stays the same deadlock: the same processes are stuck, at the same places. The
values of variables may be others.

Nothing rests on this: each shorter run is taken again and checked like any other counterexample,
and one that does not show the same is dropped.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from whorl.program.choice import Choice
from whorl.program.noted import GLOBAL, NotedStore, Part
from whorl.program.semantics import Semantics
from whorl.program.state import LOCATION, TYPE, Fault, State
from whorl.property.claim import Claim
from whorl.property.reading import NO_PROCESS
from whorl.trace.blocks import StepBlock, blocks_of
from whorl.trace.replay import END_STATE, ReplayError, Shown, confirm
from whorl.trace.rounds import Rounds, read_at_end

ROUNDS = 8
MOST_STEPS = 1_000_000  # of a run that is looked at


@dataclass(frozen=True, slots=True)
class ChosenRun:
    """The choices of a run; `choices[loop:]` come again and again, if there is a loop."""

    choices: tuple[Choice, ...]
    loop: int | None


def shortened(
    semantics: Semantics,
    kind: str,
    run: ChosenRun,
    claim: Claim | None = None,
    fair: bool = False,
    said: str | None = None,
) -> ChosenRun:
    """A run that shows the same, with fewer steps if they are found."""

    def confirmed(run: ChosenRun) -> Shown:
        return confirm(semantics, kind, run.choices, claim, run.loop, fair, said)

    def same(run: ChosenRun) -> Shown:
        replayed = confirmed(run)
        if kind == END_STATE and _stuck(semantics, replayed) != _stuck(semantics, shown):
            raise ReplayError("the run ends in another invalid end state")
        return replayed

    if len(run.choices) > MOST_STEPS:
        return run
    shown = confirmed(run)
    ways: list[Callable[[ChosenRun, Shown], ChosenRun]] = [_without_returns]
    if claim is None and _is_noted(semantics):
        ways.insert(0, lambda run, shown: _without_rounds(semantics, kind, run, shown))
    if _can_be_sliced(semantics, kind, claim):
        ways.insert(0, lambda run, shown: _sliced(semantics, claim, run, shown))
    if run.loop is not None:
        who = {choice.pid for choice in run.choices[run.loop :]}
        ways += [partial(_resting, pid) for pid in sorted(who)]
    for _ in range(ROUNDS):
        before = run
        for way in ways:
            shorter = way(run, shown)
            if len(shorter.choices) < len(run.choices):
                with suppress(ReplayError):
                    run, shown = shorter, same(shorter)
        if len(run.choices) == len(before.choices):
            break
    return run


def _stuck(semantics: Semantics, shown: Shown) -> frozenset[tuple[int, int, int]]:
    last = shown.steps[-1].state if shown.steps else shown.first
    return frozenset() if last is None else stuck_processes(semantics, last)


def stuck_processes(semantics: Semantics, state: State) -> frozenset[tuple[int, int, int]]:
    """The processes that are not at a valid end, and where they are."""
    processes = semantics.program.processes
    return frozenset(
        (pid, record[TYPE], record[LOCATION])
        for pid, record in enumerate(state.processes)
        if record[LOCATION] not in processes[record[TYPE]].end_locations
    )


def _is_noted(semantics: Semantics) -> bool:
    """Whether all that steps read is noted: not who moved last, C code, or events."""
    uses_last = semantics.program.uses_last
    return not uses_last and semantics.foreign is None and semantics.monitor is None


def _can_be_sliced(semantics: Semantics, kind: str, claim: Claim | None) -> bool:
    """Whether what counts at the end is read by a step: not labels, nor that nobody can move."""
    if claim is not None and kind == claim.kind:
        return _is_noted(semantics) and bool(claim.atoms) and not claim.program_accepts
    return _is_noted(semantics) and kind != END_STATE


def _without_rounds(semantics: Semantics, kind: str, run: ChosenRun, shown: Shown) -> ChosenRun:
    """The run without rounds of some processes; the step that fails stays."""
    states = [shown.first, *(step.state for step in shown.steps if step.state is not None)]
    blocks = list(blocks_of(semantics, states, shown.steps))
    if kind == END_STATE:
        rounds = Rounds(semantics, states, blocks, set(), read_at_end(semantics, states[-1]))
    else:
        rounds = Rounds(semantics, states, blocks, {len(blocks) - 1}, set())
    return ChosenRun(tuple(c for b in rounds.without() for c in run.choices[b.start : b.end]), None)


def _sliced(semantics: Semantics, claim: Claim | None, run: ChosenRun, shown: Shown) -> ChosenRun:
    """The run without what nothing later looks at."""
    states = [shown.first, *(step.state for step in shown.steps if step.state is not None)]
    stem = len(run.choices) if run.loop is None else run.loop
    blocks = list(blocks_of(semantics, states, shown.steps))
    if run.loop is not None and run.loop not in {0, *(block.end for block in blocks)}:
        return run
    always = set() if claim is None else _looked_at(semantics, claim, states)
    wanted = set(always)
    processes: set[int] = set()
    kept: list[StepBlock] = []
    for block in reversed(blocks):
        last = claim is None and not kept
        in_loop = block.start >= stem
        if not (last or in_loop or block.processes & processes or block.writes & wanted):
            continue
        kept.append(block)
        processes |= block.processes
        overwritten = {p for p in block.writes - block.reads if p[0] == GLOBAL}
        wanted = (wanted - overwritten) | block.reads | always
        if in_loop:  # what it changes has to be the same when it comes round
            wanted |= block.writes
            always |= block.writes
    kept.reverse()
    choices = tuple(c for block in kept for c in run.choices[block.start : block.end])
    loop = None if run.loop is None else sum(b.end - b.start for b in kept if b.start < stem)
    return ChosenRun(choices, loop)


def _looked_at(semantics: Semantics, claim: Claim, states: list[State]) -> set[Part]:
    """What the propositions of a claim look at."""
    values = [semantics.evaluator.value(atom) for atom in claim.atoms]
    reads: set[Part] = set()
    for state in states:
        store = NotedStore(state)
        for value in values:
            with suppress(Fault):
                value(store, NO_PROCESS)
        reads |= store.read
    return reads


def _without_returns(run: ChosenRun, shown: Shown) -> ChosenRun:
    """The run without what lies between two equal states, up to its loop or its failing step."""
    stem = len(run.choices) if run.loop is None else run.loop
    if run.loop is None and shown.steps and shown.steps[-1].failures:
        stem -= 1
    states = [shown.first, *(step.state for step in shown.steps[:stem])]
    last = {state: place for place, state in enumerate(states)}
    choices: list[Choice] = []
    place = 0
    while True:
        place = last[states[place]]
        if place >= stem:
            break
        choices.append(run.choices[place])
        place += 1
    loop = None if run.loop is None else len(choices)
    return ChosenRun((*choices, *run.choices[stem:]), loop)


def _resting(pid: int, run: ChosenRun, shown: Shown) -> ChosenRun:
    """The run with a loop in which a process does not move."""
    assert run.loop is not None
    around = [
        choice for choice in run.choices[run.loop :] if pid not in (choice.pid, choice.partner)
    ]
    return ChosenRun((*run.choices[: run.loop], *around), run.loop) if around else run
