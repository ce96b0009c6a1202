"""What a reduction scheme is to a search, and when it may be trusted.

Two sorts of schemes. One is a function of the program state alone: `ample(state)`. The other looks
at the stack of the search (`stack.py`). Either says of a property whether it is sound for it, and
why, in a sentence that goes into the verdict.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from whorl.program.atomic import Run
from whorl.program.state import State
from whorl.reduction.candidates import Ample


@dataclass(frozen=True, slots=True)
class Soundness:
    """Whether a scheme keeps the verdict, and why or why not."""

    sound: bool
    reason: str


@dataclass(frozen=True, slots=True)
class PropertyFacts:
    """What a scheme may ask about a property's automaton."""

    stutter_invariant: bool  # its language, with accept labels of processes where they count
    deterministic: bool
    si_normal_form: bool
    fair: bool = False  # only weakly fair runs count
    accept_labels: bool = False  # those of processes count, too


NOT_STUTTER_INVARIANT = Soundness(
    False, "the property is not stutter-invariant, and a reduced search skips steps"
)
NOT_FAIR = Soundness(False, "weak fairness is not preserved by partial-order reduction")


def refused(facts: PropertyFacts) -> Soundness | None:
    """Why no scheme at all is sound for the property, if that is so."""
    if not facts.stutter_invariant:
        return NOT_STUTTER_INVARIANT
    return NOT_FAIR if facts.fair else None


@dataclass(frozen=True, slots=True)
class Phase1:
    """Where steps that have no alternative lead, by which runs, and how many states had to be
    remembered on the way.
    """

    end: State
    path: tuple[Run, ...] = ()
    remembered: int = 0


class StateScheme(Protocol):
    """A reduction that is a function of the program state."""

    @property
    def name(self) -> str: ...

    def ample(self, state: State) -> Ample: ...

    def soundness(self, facts: PropertyFacts) -> Soundness: ...


class SettlingScheme(Protocol):
    """One that leaves out states that have a single successor anyway."""

    def settle(self, state: State) -> Phase1: ...

    def stored(self, state: State) -> Ample:
        """What is taken from a state that is not left out."""
        ...
