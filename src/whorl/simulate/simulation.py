"""A Simulation: one run, that goes forwards a step at a time and can go back."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from whorl.diagnostics import Diagnostic, WhorlError
from whorl.program.choice import Choice
from whorl.program.semantics import Semantics, Step
from whorl.program.state import NOBODY, State
from whorl.trace.trace import failure_text
from whorl.trace.trail import Trail

Reason = Literal[
    "ended", "valid end", "invalid end state", "failure", "property", "steps", "trail", "user"
]

WORDS: dict[Reason, str] = {
    "ended": "every process has ended",
    "valid end": "no process can move, and each one is at a valid end",
    "invalid end state": "no process can move, and not every one is at a valid end",
    "failure": "a step failed",
    "property": "the run violates a property",
    "steps": "the limit of steps was reached",
    "trail": "the trail ends here",
    "user": "you stopped it",
}
VIOLATIONS: frozenset[Reason] = frozenset({"invalid end state", "failure", "property"})


@dataclass(frozen=True, slots=True)
class SimulationEnd:
    """Why a simulation stopped."""

    reason: Reason
    message: str

    @property
    def violated(self) -> bool:
        return self.reason in VIOLATIONS


class Simulation:
    """A run so far: the state it has reached and the steps that led there."""

    def __init__(self, semantics: Semantics) -> None:
        self.semantics = semantics
        self.first = self.state = semantics.initial()
        self.taken: list[Step] = []
        self.broken = False  # the last step had no meaning, so there is no state after it

    def possible(self) -> list[Step]:
        return [] if self.broken else self.semantics.steps(self.state)

    def take(self, step: Step) -> None:
        self.taken.append(step)
        if step.state is None:
            self.broken = True
        else:
            self.state = step.state

    def undo(self) -> bool:
        """Takes the last step back; False if there is none."""
        if not self.taken:
            return False
        self.taken.pop()
        self.broken = False
        self.state = self._state_before_now()
        return True

    def _state_before_now(self) -> State:
        if not self.taken:
            return self.first
        last = self.taken[-1].state
        assert last is not None  # nothing can follow a step without a state
        return last

    def goes_round(self, taken: int) -> bool:
        """Whether the run is back where it was after so many steps, or stays where it is."""
        if taken == len(self.taken):
            return not self.possible()
        then = self.taken[taken - 1].state if taken else self.first
        return then is not None and self._seen(then) == self._seen(self.state)

    def _seen(self, state: State) -> State:
        """The state without the right to go on of an atomic sequence that cannot."""
        waits = state.holder != NOBODY and not self.semantics.steps_of_holder(state)
        return state._replace(holder=NOBODY) if waits else state

    def stuck(self) -> SimulationEnd:
        """Why no step is possible."""
        if not self.state.processes:
            return outcome("ended")
        valid = self.semantics.is_valid_end(self.state)
        return outcome("valid end" if valid else "invalid end state")


def outcome(reason: Reason) -> SimulationEnd:
    return SimulationEnd(reason, WORDS[reason])


def failed(step: Step) -> SimulationEnd | None:
    """The end of a run at a step with which something is wrong."""
    if not step.failures:
        return None
    return SimulationEnd(
        "failure", "; ".join(failure_text(f.kind, f.message) for f in step.failures)
    )


def pick(steps: Sequence[Step], source: random.Random) -> Step:
    """A random step, as Spin picks: first a process, then one of its steps."""
    pids = sorted({step.pid for step in steps})
    pid = source.choice(pids)
    return source.choice([step for step in steps if step.pid == pid])


def wander(simulation: Simulation, seed: int, limit: int) -> Iterator[Step | SimulationEnd]:
    """Random steps as they are taken; the last thing that comes is why it stopped."""
    source = random.Random(seed)
    for _ in range(limit):
        steps = simulation.possible()
        if not steps:
            yield simulation.stuck()
            return
        step = pick(steps, source)
        simulation.take(step)
        yield step
        end = failed(step)
        if end is not None:
            yield end
            return
    yield outcome("steps") if simulation.possible() else simulation.stuck()


def retrace(simulation: Simulation, trail: Trail, limit: int) -> Iterator[Step | SimulationEnd]:
    """The steps of a trail; a failing step ends it only if it is the last."""
    choices = trail.choices
    for number, choice in enumerate(choices[:limit], 1):
        step = next((s for s in simulation.possible() if Choice.of(s) == choice), None)
        if step is None:
            raise _does_not_fit(f"its step {number:,} cannot be taken")
        simulation.take(step)
        yield step
    end = failed(simulation.taken[-1]) if simulation.taken else None
    if len(choices) > limit:
        yield outcome("steps")
    elif trail.cycle is not None and not simulation.goes_round(trail.cycle - 1):
        raise _does_not_fit(f"its cycle, from step {trail.cycle:,} on, does not close")
    elif trail.claim is not None:
        yield SimulationEnd("property", f"{trail.claim}: {trail.message}")
    elif end is not None:
        yield end
    else:
        yield outcome("trail") if simulation.possible() else simulation.stuck()


def _does_not_fit(why: str) -> WhorlError:
    hint = "use the model and the -D options that the trail was made with"
    return WhorlError(Diagnostic("error", f"the trail does not fit the model: {why}", None, hint))
