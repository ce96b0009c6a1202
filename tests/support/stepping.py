"""A model, step by step on the reference semantics: which steps there are, and what they change.

A step is written as its process and its statement, `0 x = 1`; a handshake as both of its sides,
`0 c!1 / 1 c?x`; a d_step as `0 d_step`, and the end of a process as `0 -end-`. A step without a
text, as that which leaves an atomic loop, is `0 (goes on)`. ` | ` separates several steps.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from whorl.api import load
from whorl.program.program import DStep, Program, Transition, VariableInfo
from whorl.program.semantics import Semantics, Step
from whorl.program.state import LOCALS, TYPE


@dataclass(frozen=True)
class Case:
    """What to expect after some steps of a model: which are possible then, what has which value.

    `fails` is what is wrong with the last step, in kinds; `prints` what it prints. Nothing is wrong
    with those before it.
    """

    model: str
    path: str = ""
    enabled: str | None = None  # None: whatever it is
    values: Mapping[str, object] = field(default_factory=dict)
    fails: str = ""
    prints: str = ""

    def check(self) -> None:
        run = Stepping(self.model, self.path)
        assert not run.failed_before, f"{run.failed_before} on the way of {self.path}"
        found = {name: run.value(name) for name in self.values}
        assert found == dict(self.values), f"{found} after {self.path}"
        assert ", ".join(run.failures) == self.fails, f"{run.failures} after {self.path}"
        assert run.output == self.prints, f"prints {run.output!r}"
        if self.enabled is not None:
            possible = run.enabled()
            assert possible == listed(self.enabled), f"{sorted(possible)} after {self.path}"


class Stepping:
    """A run of a model: the state that it is in, and the step that led there."""

    def __init__(self, text: str, path: str = "") -> None:
        self.semantics = Semantics(load(text).program, verbose=True)
        self.state = self.semantics.initial()
        self.last: Step | None = None
        self.failed_before: list[str] = []  # what was wrong with the steps before the last
        for step in path.split(" | ") if path else ():
            self.take(step)

    @property
    def program(self) -> Program:
        return self.semantics.program

    def steps(self) -> list[Step]:
        if self.last is not None and self.last.state is None:
            return []  # nothing follows a fault
        return self.semantics.steps(self.state)

    def enabled(self) -> set[str]:
        """Every step that is possible now, each of them once."""
        found = [words(step) for step in self.steps()]
        assert len(set(found)) == len(found)
        return set(found)

    def take(self, wanted: str) -> None:
        found = [step for step in self.steps() if words(step) == wanted]
        assert len(found) == 1, f"'{wanted}' is {len(found)} of the steps {sorted(self.enabled())}"
        self.failed_before += self.failures
        self.last = found[0]
        if self.last.state is not None:
            self.state = self.last.state

    @property
    def failures(self) -> list[str]:
        """What is wrong with the last step: the kind of each failure."""
        return [] if self.last is None else [failure.kind for failure in self.last.failures]

    @property
    def output(self) -> str:
        return "" if self.last is None else "".join(self.last.output)

    # --- values ----------------------------------------------------------------------------------

    def value(self, name: str) -> object:
        """A global variable (`x`, `a[1]`, `t.f`), or that of a process (`0:x`).

        Of a channel, its messages; those of one field without parentheses.
        """
        pid, colon, local = name.partition(":")
        if not colon:
            return self._shown(self.program.variables, name, self.state.globals)
        record = self.state.processes[int(pid)]
        kind = self.program.processes[record[TYPE]]
        return self._shown(kind.variables, local, record[LOCALS:])

    def _shown(
        self, variables: Iterable[VariableInfo], name: str, slots: tuple[int, ...]
    ) -> object:
        (found,) = [
            self._messages(slots[at]) if kind.name == "chan" else slots[at]
            for variable in variables
            for at, (part, kind) in enumerate(variable.parts, variable.offset)
            if part == name
        ]
        return found

    def _messages(self, channel: int) -> list[object]:
        messages = self.state.channels[channel - 1].messages
        return [message[0] if len(message) == 1 else message for message in messages]


def words(step: Step) -> str:
    """A step, as the tests write it."""
    sides = [(step.pid, step.transition)]
    if step.partner is not None:
        sides.append(step.partner)
    return " / ".join(f"{pid} {_text(side)}" for pid, side in sides)


def _text(side: Transition) -> str:
    return "d_step" if isinstance(side.action, DStep) else side.text or "(goes on)"


def listed(steps: str) -> set[str]:
    return set(steps.split(" | ")) if steps else set()
