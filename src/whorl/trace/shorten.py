"""Makes counterexamples shorter: leaves out what a run does beside what it shows.

A search by depth finds long runs: other processes go on meanwhile, and phase 1 takes all that one
process can do by itself. These are left out.

- What nothing later looks at: from the end of the run backwards, a step is needed if a later step
  of its process is, or if it changes what a needed one reads (a dynamic slice, Korel and Laski,
  1988). Steps of one atomic sequence stay together.
- What lies between two equal states, and processes that need not move in the cycle of a lasso.

Nothing rests on this: each shorter run is taken again and checked like any other counterexample,
and one that does not show the same is dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial

from whorl.program.choice import Choice
from whorl.program.noted import GLOBAL, PROCESS, NotedStore, Part, read_by, written
from whorl.program.semantics import Semantics, Step
from whorl.program.state import NOBODY, Fault, State
from whorl.property.claim import Claim
from whorl.property.reading import NO_PROCESS
from whorl.trace.replay import END_STATE, ReplayError, Shown, confirm

ROUNDS = 4
MOST_STEPS = 1_000_000  # of a run that is looked at


@dataclass(frozen=True, slots=True)
class ChosenRun:
    """The choices of a run; `choices[loop:]` come again and again, if there is a loop."""

    choices: tuple[Choice, ...]
    loop: int | None


@dataclass(slots=True)
class StepBlock:
    """Steps that stay together, `start` to `end`: one, or all of an atomic sequence."""

    start: int
    end: int
    processes: set[int] = field(default_factory=set)
    reads: set[Part] = field(default_factory=set)
    writes: set[Part] = field(default_factory=set)


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

    if len(run.choices) > MOST_STEPS:
        return run
    shown = confirmed(run)
    ways: list[Callable[[ChosenRun, Shown], ChosenRun]] = [_without_rounds]
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
                    run, shown = shorter, confirmed(shorter)
        if len(run.choices) == len(before.choices):
            break
    return run


def _can_be_sliced(semantics: Semantics, kind: str, claim: Claim | None) -> bool:
    """Whether all that counts is noted: not who moved last, C code, events, labels, or an end."""
    program = semantics.program
    if program.uses_last or semantics.foreign is not None or semantics.monitor is not None:
        return False
    if claim is not None and kind == claim.kind:
        return bool(claim.atoms) and not claim.program_accepts
    return kind != END_STATE


def _sliced(semantics: Semantics, claim: Claim | None, run: ChosenRun, shown: Shown) -> ChosenRun:
    """The run without what nothing later looks at."""
    states = [shown.first, *(step.state for step in shown.steps if step.state is not None)]
    stem = len(run.choices) if run.loop is None else run.loop
    found = list(_blocks(semantics, states, shown.steps))
    if run.loop is not None and run.loop not in {0, *(block.end for block in found)}:
        return run
    always = set() if claim is None else _looked_at(semantics, claim, states)
    wanted = set(always)
    processes: set[int] = set()
    kept: list[StepBlock] = []
    for block in reversed(found):
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


def _blocks(semantics: Semantics, states: list[State], steps: list[Step]) -> Iterator[StepBlock]:
    block: StepBlock | None = None
    for number, (state, step) in enumerate(zip(states, steps, strict=False)):
        if block is None or state.holder == NOBODY or step.pid != state.holder:
            if block is not None:
                yield _closed(block)
            block = StepBlock(number, number)
        block.end = number + 1
        block.processes |= {step.pid} if step.partner is None else {step.pid, step.partner[0]}
        block.reads |= read_by(semantics, state, step)
        if step.state is not None:
            block.writes |= written(state, step.state)
            born = range(len(state.processes), len(step.state.processes))
            block.processes.update(born)
    if block is not None:
        yield _closed(block)


def _closed(block: StepBlock) -> StepBlock:
    """The block, in which a process's own record is no part to be read, but one that changes."""
    own = {(PROCESS, pid) for pid in block.processes}
    block.reads -= own
    block.writes |= own
    return block


def _looked_at(semantics: Semantics, claim: Claim, states: list[State]) -> set[Part]:
    """What the propositions of a claim look at."""
    values = [semantics.evaluator.value(atom) for atom in claim.atoms]
    found: set[Part] = set()
    for state in states:
        store = NotedStore(state)
        for value in values:
            with suppress(Fault):
                value(store, NO_PROCESS)
        found |= store.read
    return found


def _without_rounds(run: ChosenRun, shown: Shown) -> ChosenRun:
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
