"""The dialogue of `whorl simulate --interactive`: shows what is possible and asks."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import TextIO

from whorl.cli.terminal import OutputStream
from whorl.program.semantics import Step
from whorl.program.state import TYPE
from whorl.simulate.simulation import Simulation, SimulationEnd, failed, outcome, pick
from whorl.trace.describe import Narrator, positions, values
from whorl.trace.text import StepTable, final_lines

HELP = "a number takes that step, Enter a random one; u undo, s show the state, q quit"


class Session:
    """Asks for each step on `screen`, reads the answers from `answers`, shows what was done."""

    def __init__(self, simulation: Simulation, screen: OutputStream, answers: TextIO) -> None:
        self.simulation = simulation
        self.screen = screen
        self.answers = answers
        self.random = random.Random()
        self.program = simulation.semantics.program
        self.narrator = Narrator(simulation.semantics, simulation.first)
        self.table = StepTable(screen.style)
        self.table.fit_program(self.program)

    def events(self, limit: int) -> Iterator[Step | SimulationEnd]:
        """The steps that are taken, then why it ended. A step may be taken back later."""
        self.screen.line(self.screen.style.paint(HELP, "faint"))
        while len(self.simulation.taken) < limit:
            steps = self.simulation.possible()
            if not steps:
                yield self.simulation.stuck()
                return
            step = self._ask(steps)
            if step is None:
                yield outcome("user")
                return
            self.simulation.take(step)
            self._show(step)
            yield step
            end = failed(step)
            if end is not None:
                yield end
                return
        yield outcome("steps")

    def _ask(self, steps: list[Step]) -> Step | None:
        """The step that the user wants; None: no more."""
        self._list(steps)
        while True:
            self.screen.write(f"step 1-{len(steps)}> ")
            self.screen.flush()
            line = self.answers.readline()
            if not line:
                self.screen.line()
                return None
            if not self.answers.isatty():
                self.screen.line(line.strip())  # nobody sees what comes from a pipe
            match line.strip():
                case "q" | "quit":
                    return None
                case "":
                    return pick(steps, self.random)
                case "u" | "undo":
                    if self._undo():
                        steps = self.simulation.possible()
                        self._list(steps)
                    else:
                        self.screen.line("there is no step to take back")
                case "s" | "state":
                    self._show_state()
                case "?" | "h" | "help":
                    self.screen.line(HELP)
                case answer if answer.isdecimal() and 1 <= int(answer) <= len(steps):
                    return steps[int(answer) - 1]
                case answer:
                    self.screen.line(f"'{answer}' is none of the steps; {HELP}")

    def _list(self, steps: list[Step]) -> None:
        for number, step in enumerate(steps, 1):
            self.screen.line(f"  {number}) {self._option(step)}")

    def _option(self, step: Step) -> str:
        """What would be done, not what would come of it."""
        sides = [(step.pid, step.transition)]
        if step.partner is not None:
            sides.append(step.partner)
        paint = self.screen.style.paint
        words = []
        for pid, transition in sides:
            record = self.simulation.state.processes[pid]
            who = f"{self.program.processes[record[TYPE]].title}:{pid}"
            place = f"line {transition.span.line}"
            text = transition.text or "(goes on)"
            words.append(f"{paint(who, 'name')} {paint(place, 'faint')}: {text}")
        return f"  {self.screen.style.symbols.arrow} ".join(words)

    def _show(self, step: Step) -> None:
        shown = self.narrator.tell(step)
        if shown is not None:
            for line in self.table.lines(shown, wrong=bool(shown.failures)):
                self.screen.line(line)

    def _undo(self) -> bool:
        if not self.simulation.undo():
            return False
        self.narrator = Narrator(self.simulation.semantics, self.simulation.first)
        for step in self.simulation.taken:
            self.narrator.tell(step)
        return True

    def _show_state(self) -> None:
        program, state = self.program, self.simulation.state
        variables = values(program, state)
        for line in final_lines(positions(program, state), variables, self.screen.style):
            self.screen.line(line)
