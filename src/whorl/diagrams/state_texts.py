"""What stands in the states of a diagram, and beside the steps between them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from whorl.diagrams.space import StateSpace
from whorl.diagrams.texts import shortened
from whorl.program.program import Program
from whorl.program.semantics import Step
from whorl.program.state import TYPE, State
from whorl.search.product import Node
from whorl.trace.describe import positions, values
from whorl.trace.trace import failure_text

CONTENTS = ("auto", "number", "lines", "values")
MOST_LINES = 4  # in a state
MOST_STATES = 60  # with more, numbers and processes must do: pointing at them shows the rest


class StateTexts:
    """The texts of the states of a space; `contents` says what stands in them."""

    def __init__(self, space: StateSpace, contents: str = "auto") -> None:
        self.space = space
        self.program = space.semantics.program
        states = [space.state(n) for n in range(len(space.places))]
        self.values = [values(self.program, state) for state in states]
        self.positions = [positions(self.program, state) for state in states]
        self.varying = self._varying()
        self.many = len(space.places) > MOST_STATES
        self.contents = self._chosen() if contents == "auto" else contents
        numbered = dict.fromkeys(states)
        self.number = {state: n for n, state in enumerate(numbered)}

    def _varying(self) -> list[str]:
        """The global variables that have several values."""
        seen: dict[str, set[str]] = {}
        for all_values in self.values:
            for change in all_values:
                if change.process is None:
                    seen.setdefault(change.name, set()).add(change.value)
        return [name for name, several in seen.items() if len(several) > 1]

    def _chosen(self) -> str:
        if self.many:
            return "number"
        if 0 < len(self.varying) <= MOST_LINES:
            return "values"
        most = max(len(where) for where in self.positions)
        return "lines" if most <= MOST_LINES else "number"

    def name(self, number: int) -> str:
        """The number of the program's state; in a product, behind it that of the automaton."""
        place = self.space.places[number]
        if not isinstance(place, Node):
            return str(number)
        stays = " stays" if place.stuttering else ""
        return f"{self.number[place.state]}·{place.claim}{stays}"

    def lines(self, number: int) -> tuple[str, ...]:
        """What stands in a state."""
        inside: list[str] = []
        if self.contents == "values":
            known = {c.name: c.value for c in self.values[number] if c.process is None}
            inside = [f"{n} = {known[n]}" for n in self.varying if n in known]
        elif self.contents == "lines":
            for at in self.positions[number]:
                inside.append(f"{at.who} {'end' if at.line is None else at.line}")
        if len(inside) > MOST_LINES:
            inside = [*inside[: MOST_LINES - 1], "…"]
        return self.name(number), *(shortened(line, 24) for line in inside)

    def about(self, number: int) -> str:
        """Everything that is known of a state."""
        place = self.space.places[number]
        lines = [f"state {self.name(number)}"]
        if isinstance(place, Node):
            stays = ", the run has stopped" if place.stuttering else ""
            of_program = self.number[place.state]
            lines = [f"state {of_program}, automaton in state {place.claim}{stays}"]
        lines += map(str, self.positions[number])
        lines += map(str, self.values[number])
        return "\n".join(lines)

    def step(self, source: State, steps: Sequence[Step]) -> tuple[str, ...]:
        """Who moves, and the statement; of very many states, only the pid of who moves."""
        shown = [step for step in steps if step.transition.text] or list(steps)
        first, more = shown[0], len(shown) - 1
        if self.many:
            answers = "" if first.partner is None else f"→{first.partner[0]}"
            return (f"{first.pid}{answers}",)
        text = shortened(first.transition.text or "goto", 26)
        return who(self.program, source, first), f"{text} … +{more}" if more else text

    def about_steps(self, source: State, steps: Iterable[Step]) -> str:
        """All steps of a run, a line each, and what fails in them."""
        lines, state = [], source
        for step in steps:
            if step.transition.text:
                line = step.transition.span.line
                lines.append(
                    f"{who(self.program, state, step)} line {line}: {step.transition.text}"
                )
            lines += [failure_text(f.kind, f.message) for f in step.failures]
            state = step.state or state
        return "\n".join(lines)


def who(program: Program, state: State, step: Step) -> str:
    """The process that takes a step, and the one that answers it."""

    def title(pid: int) -> str:
        return f"{program.processes[state.processes[pid][TYPE]].title}:{pid}"

    if step.partner is None:
        return title(step.pid)
    return f"{title(step.pid)} → {title(step.partner[0])}"
