"""Spin's error trails: written for `spin -t -k FILE`, and read from what pan has written.

A line `depth:pid:id` is a step: of process `pid`, by the statement that Spin numbered `id` while it
parsed the model (`Transition.number` counts in the same way). A handshake is two lines. A line with
a negative depth says something else: -1 that the cycle begins here, -2 that a claim runs as process
0, so that the others are one higher, -4 that statements were merged, of which only the first is
written.

Trails that we write have no steps of the claim: Spin shows the same run without it.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from whorl.diagnostics import Diagnostic, WhorlError
from whorl.program.choice import Choice
from whorl.program.program import Program
from whorl.program.semantics import Semantics, Step
from whorl.program.state import NOBODY, State

_FIRST = re.compile(r"\s*-?\d+:-?\d+:-?\d+\s")
CYCLE, CLAIM, MERGED = -1, -2, -4
SKIPPED = 1_000  # merged steps that are looked for at once

HINT = "use the model that the trail was made with; pan of `spin -o3 -a` writes every step"


def is_spin_trail(text: str) -> bool:
    return _FIRST.match(text) is not None


# --- numbers --------------------------------------------------------------------------------------


def spin_numbers(program: Program) -> dict[int, int]:
    """Spin's number of each statement, by ours. WhorlError where it cannot be told.

    Where a claim stands between processes, Spin numbers its statements there, and we do so last.
    """
    claims = [*program.never, *([] if program.trace is None else [program.trace])]
    everyone = [*program.processes, *claims]
    order = everyone
    if claims:
        if len({process.span.source.name for process in everyone}) > 1:
            message = "Spin's numbers of statements are not known: a claim or process is included"
            hint = "put the never claim or trace assertion into the file of the processes"
            raise WhorlError(Diagnostic("error", message, claims[0].span, hint))
        order = sorted(everyone, key=lambda process: process.span.start)
    if any(len(process.blocks) > process.final for process in everyone):
        # Spin makes an element more while it parses the reference, in the midst of another process.
        message = "Spin's numbers of statements are not known: a remote reference names a goto"
        hint = "put a skip behind the label: L: skip; goto M"
        raise WhorlError(Diagnostic("error", message, None, hint))
    starts: dict[int, int] = {}
    number = 0
    for process in order:
        starts[id(process)] = number
        number += len(process.blocks)
    numbers: dict[int, int] = {}
    for process in everyone:
        own = len(numbers)
        numbers |= {own + n: starts[id(process)] + n for n in range(len(process.blocks))}
    return numbers


# --- writing --------------------------------------------------------------------------------------


def spin_trail(program: Program, choices: tuple[Choice, ...], loop: int | None) -> str:
    """The text of a trail for Spin."""
    numbers = spin_numbers(program)
    lines: list[str] = []
    depth = 0
    for position, choice in enumerate(choices):
        if position == loop:
            lines.append("-1:-1:-1")
        for pid, number in _actors(choice):
            depth += 1
            lines.append(f"{depth}:{pid}:{numbers[number]}")
    if loop == len(choices):
        lines.append("-1:-1:-1")
    return "".join(f"{line}\n" for line in lines)


def _actors(choice: Choice) -> Iterator[tuple[int, int]]:
    yield choice.pid, choice.transition
    if choice.partner >= 0:
        yield choice.partner, choice.partner_transition


# --- reading --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SpinTrail:
    """What a trail of Spin's says: processes with Spin's numbers of statements."""

    name: str
    lines: tuple[tuple[int, int], ...]
    cycle: int | None  # how many lines come before the cycle
    claim: bool
    merged: bool


def loads(text: str, name: str) -> SpinTrail:
    """The trail in a file's text; WhorlError if a line is none of a trail."""
    lines: list[tuple[int, int]] = []
    cycle: int | None = None
    claim = merged = False
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        match = re.fullmatch(r"\s*(-?\d{1,9}):(-?\d{1,9}):(-?\d{1,9})\s*", line)
        if match is None:
            raise _bad(name, f"line {number} is not of the form depth:pid:id")
        depth, pid, statement = map(int, match.groups())
        if depth >= 0:
            if not (claim and pid == 0):
                lines.append((pid - claim, statement))
        elif depth == CYCLE:
            cycle = len(lines)
        elif depth == CLAIM:
            claim = True
        elif depth == MERGED:
            merged = True
        else:
            raise _bad(name, f"line {number} has the depth {depth}, which is not known")
    return SpinTrail(name, tuple(lines), cycle, claim, merged)


def follow_spin(semantics: Semantics, trail: SpinTrail) -> tuple[tuple[Choice, ...], int | None]:
    """The choices that a trail makes, and how many come before its cycle."""
    return _Follower(semantics, trail).choices()


class _Follower:
    """Takes the steps of a trail, and those that Spin has merged with the ones before."""

    def __init__(self, semantics: Semantics, trail: SpinTrail) -> None:
        self.semantics = semantics
        self.trail = trail
        self.ours: Mapping[int, int] = {
            spin: own for own, spin in spin_numbers(semantics.program).items()
        }
        self.state = semantics.initial()
        self.taken: list[Step] = []

    def choices(self) -> tuple[tuple[Choice, ...], int | None]:
        lines, position, loop = self.trail.lines, 0, None
        while position < len(lines):
            if position == self.trail.cycle:
                self._release()
                loop = len(self.taken)
            step = self._next(position)
            self._take(step)
            if step.state is None:
                break
            position += 1 if step.partner is None else 2
        self._release()
        if self.trail.cycle == len(lines):
            loop = len(self.taken)
        if self.trail.merged and loop is None:
            self._finish()
        return tuple(map(Choice.of, self.taken)), loop

    def _take(self, step: Step) -> None:
        self.taken.append(step)
        if step.state is not None:
            self.state = step.state

    def _next(self, position: int) -> Step:
        pid, number = self.trail.lines[position]
        next_step = self._step(self.state, position)
        if next_step is None and self.trail.merged:
            for who in dict.fromkeys((self.state.holder, pid)):
                way = self._way(who, position) if who != NOBODY else None
                if way is not None:
                    for step in way:
                        self._take(step)
                    next_step = self._step(self.state, position)
                    break
        if next_step is None:
            why = f"process {pid} cannot do statement {number} as step {position + 1:,}"
            message = f"the trail does not fit the model: {why}"
            raise WhorlError(Diagnostic("error", message, None, HINT))
        return next_step

    def _step(self, state: State, position: int) -> Step | None:
        """The step of a line, or of a line and the next one, a handshake."""
        lines = self.trail.lines
        pid, number = lines[position]
        answer = lines[position + 1] if position + 1 < len(lines) else None
        own = self.ours.get(number)
        for step in self.semantics.steps_by(state, pid):
            if (step.pid, step.transition.number) != (pid, own):
                continue
            if step.partner is None:
                return step
            partner, transition = step.partner
            if answer is not None and (partner, transition.number) == (
                answer[0],
                self.ours.get(answer[1]),
            ):
                return step
        return None

    def _way(self, pid: int, position: int) -> list[Step] | None:
        """The fewest steps of one process alone after which a line's step is possible."""
        queue: deque[tuple[State, list[Step]]] = deque([(self.state, [])])
        seen = {self.state}
        while queue and len(seen) < SKIPPED:
            state, way = queue.popleft()
            for step in self._alone(state, pid):
                after = step.state
                if after is None or after in seen:
                    continue
                seen.add(after)
                if self._step(after, position) is not None:
                    return [*way, step]
                queue.append((after, [*way, step]))
        return None

    def _alone(self, state: State, pid: int) -> list[Step]:
        steps = self.semantics.steps_by(state, pid)
        return [step for step in steps if step.pid == pid and step.partner is None]

    def _release(self) -> None:
        """Takes what was merged in an atomic sequence: Spin does so at once."""
        for _ in range(SKIPPED):
            if not self.trail.merged or self.state.holder == NOBODY:
                return
            steps = self._alone(self.state, self.state.holder)
            if len(steps) != 1 or any(step.failures for step in self.taken[-1:]):
                return
            self._take(steps[0])

    def _finish(self) -> None:
        """Takes what was merged with the last steps, where nothing is to be chosen."""
        if any(step.failures for step in self.taken[-1:]):
            return
        for _ in range(SKIPPED):
            steps = self.semantics.steps(self.state)
            if len(steps) != 1:
                return
            self._take(steps[0])
            if steps[0].failures:
                return


def _bad(name: str, why: str) -> WhorlError:
    return WhorlError(Diagnostic("error", f"'{name}' is no trail of Spin's: {why}"))
