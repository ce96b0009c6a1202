"""A Trace: a run in words, with each step's place in the source and what it changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from whorl.program.choice import Choice
from whorl.property.automaton import Buchi

NOTHING_WRONG = "run"  # the kind of a run with which nothing is wrong, as far as is known
WITNESS = "witness"  # the kind of a run that shows what holds
Ending = Literal["stops", "cycle", "cut"]  # of a run that passes


def failure_text(kind: str, message: str) -> str:
    """What is wrong with a run, in a phrase."""
    match kind:
        case "assertion":
            return f"assertion violated: {message}"
        case "end state":
            return "invalid end state"
        case "ltl":
            return message
        case "witness":  # WITNESS
            return f"Witness: {message}"
    return f"{kind}: {message}"


@dataclass(frozen=True, slots=True)
class Change:
    """The value of a variable or channel; `process` is None for what is global."""

    name: str
    value: str
    process: str | None

    def __str__(self) -> str:
        owner = "" if self.process is None else f"{self.process}."
        return f"{owner}{self.name} = {self.value}"


@dataclass(frozen=True, slots=True)
class Message:
    """What a step put into a channel or took out of it; `sent_at` is the step that had sent it."""

    direction: str  # "send", "receive" or "handshake"
    channel: str
    text: str
    sent_at: int | None = None


@dataclass(frozen=True, slots=True)
class InlineCall:
    """The place where an inline is called."""

    name: str
    file: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class TraceStep:
    """A step, as shown."""

    number: int
    pid: int
    process: str
    file: str
    line: int
    text: str
    changes: tuple[Change, ...]
    partner: str | None = None  # who received, in a handshake
    partner_pid: int | None = None
    partner_file: str | None = None
    partner_line: int | None = None
    partner_text: str | None = None
    output: tuple[str, ...] = ()
    atomic: bool = False  # the process goes on without interruption
    failures: tuple[str, ...] = ()  # what is wrong with the step
    message: Message | None = None
    calls: tuple[InlineCall, ...] = ()  # of the inlines around the statement, outermost first

    @property
    def who(self) -> str:
        return f"{self.process}:{self.pid}"

    @property
    def partner_who(self) -> str | None:
        return None if self.partner is None else f"{self.partner}:{self.partner_pid}"

    @property
    def said(self) -> str:
        """The statement; of a send or receive, with the channel and the values of the message."""
        if self.message is None:
            return self.text
        depth = 0
        for position, letter in enumerate(self.text):
            depth += (letter in "([") - (letter in ")]")
            if letter in "!?" and not depth and position:
                twice = self.text[position + 1 :].startswith(letter)
                operator = letter * 2 if twice else letter
                return f"{self.message.channel}{operator}{self.message.text[1:-1]}"
        return self.text

    @property
    def next_pid(self) -> int:
        """The process that goes on, where the step is `atomic`."""
        return self.pid if self.partner_pid is None else self.partner_pid


@dataclass(frozen=True, slots=True)
class Position:
    """Where a process is; `line` is None at the end of its body. `waiting`: what it may do next."""

    pid: int
    process: str
    file: str | None
    line: int | None
    waiting: tuple[str, ...]
    valid_end: bool
    calls: tuple[InlineCall, ...] = ()  # of the inlines that it is in, outermost first
    labels: tuple[str, ...] = ()  # that it is at

    @property
    def who(self) -> str:
        return f"{self.process}:{self.pid}"

    @property
    def where(self) -> str:
        if self.line is None:
            return "at its end"
        valid = " (a valid end)" if self.valid_end else ""
        return f"at line {self.line}: {' | '.join(self.waiting)}{valid}"

    def __str__(self) -> str:
        return f"{self.who} {self.where}"


@dataclass(frozen=True, slots=True)
class TraceMoment:
    """A state of a run, as what is different from the state before it."""

    moved: tuple[Position, ...]  # the processes that are new or elsewhere
    ended: tuple[int, ...]  # the pids of those that are gone
    values: tuple[Change, ...]  # what is new in scope, or has changed
    gone: tuple[tuple[str | None, str], ...]  # what is no longer in scope: process and name


@dataclass(frozen=True, slots=True)
class PassingRun:
    """A run that violates nothing: the first `after` steps of the counterexample, then `steps`.

    These are numbered on. It stops; or it takes the steps from number `cycle` on for ever; or it
    is `cut`, and was only followed so far without a violation.
    """

    after: int
    steps: tuple[TraceStep, ...]
    ending: Ending
    cycle: int | None = None


@dataclass(frozen=True, slots=True)
class Explanation:
    """What is known of a counterexample's steps, by their numbers, and of runs beside it.

    `needed`: without one of them the others, in their order, do not show the violation, nor do some
    of them. `undecided`: so it seems, but not every way to leave out others was tried. `races`:
    pairs of neighbours of different processes; both can be taken the other way round, and then
    what follows does not show the violation.

    `passing` is the run that violates nothing and parts from the counterexample last; None if there
    is none, or if none was found. `certain`: there is none that parts later, or none at all;
    otherwise a limit was hit. `unexplained` says why there is no more.
    """

    needed: tuple[int, ...] = ()
    undecided: tuple[int, ...] = ()
    races: tuple[tuple[int, int], ...] = ()
    passing: PassingRun | None = None
    certain: bool = False
    states: int = 0  # that were looked at for a passing run
    unexplained: tuple[str, ...] = ()

    @property
    def marked(self) -> frozenset[int]:
        """The steps that matter, as far as is known."""
        return frozenset(self.needed + self.undecided)


@dataclass(frozen=True, slots=True)
class Trace:
    """A run that shows something.

    `cycle` is the number of the step that begins the cycle of an infinite run: `steps[cycle - 1:]`
    come again and again; if there are none, the program stays for ever where it is. `loop` is how
    many choices come before: steps that only pass control on are choices, too, but not shown.

    Of a run that a claim accepts, `letters[i]` is the letter of the state after `i` steps (bit n is
    the truth of `propositions[n]`); None where the claim does not look, in an atomic sequence. If
    its automaton is one to show, `run[i]` is the state in which it reads that letter; where a
    cycle brings it there in several states, all of them, in their order.

    `moments[0]` is the initial state, as a difference from nothing, and `moments[i]` that after i
    steps. All together they lead to `final` and `values`.
    """

    kind: str
    message: str
    steps: tuple[TraceStep, ...]
    choices: tuple[Choice, ...]
    final: tuple[Position, ...]  # where each process is at the end
    cycle: int | None = None
    loop: int | None = None
    propositions: tuple[str, ...] = ()
    letters: tuple[int | None, ...] = ()
    values: tuple[Change, ...] = ()  # of every variable and channel at the end
    claim: str | None = None  # the property that the run violates, by name
    formula: str | None = None  # the text of the formula that the run does not satisfy
    fault: str | None = None  # by which the last step ends a run that a claim accepts
    moments: tuple[TraceMoment, ...] = ()
    automaton: Buchi | None = None
    run: tuple[tuple[int, ...] | None, ...] = ()
    explanation: Explanation | None = None  # if it was asked for

    def truth(self, after: int) -> dict[str, bool] | None:
        """The truth of each proposition after so many steps; None where the claim does not look."""
        letter = self.letters[after] if after < len(self.letters) else None
        if letter is None:
            return None
        return {name: bool(letter >> n & 1) for n, name in enumerate(self.propositions)}

    def __str__(self) -> str:
        """The run as `whorl check` shows it: what a failing test should print."""
        from whorl.trace.text import trace_lines

        lines = trace_lines(self, all_of_it="Trace.steps")
        return "\n".join([failure_text(self.kind, self.message), *lines])

    def _repr_html_(self) -> str:
        """The run as a sequence chart, for a notebook."""
        from whorl.trace.notebook import trace_html

        return trace_html(self)
