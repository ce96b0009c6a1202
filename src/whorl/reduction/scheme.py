"""What a reduction scheme is: one record, which everything that runs or describes it reads.

A record says where a scheme comes from, what its ample set is a function of, how it is used for
formulas and for safety, and what the reference engine, the native engine and the laboratory make of
it. `schemes` has them all by name; nothing else asks for a scheme's name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, runtime_checkable

from whorl.program.atomic import Run
from whorl.program.state import State
from whorl.reduction.analysis import Analysis
from whorl.reduction.candidates import Ample, Rule
from whorl.search.sleep import Sleepers


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


SAFETY = PropertyFacts(True, True, True)  # there is no automaton
NOT_STUTTER_INVARIANT = Soundness(
    False, "the property is not stutter-invariant, and a reduced search skips steps"
)
NOT_FAIR = Soundness(False, "weak fairness is not preserved by partial-order reduction")


def refused(facts: PropertyFacts) -> Soundness | None:
    """Why no scheme at all is sound for the property, if that is so."""
    if not facts.stutter_invariant:
        return NOT_STUTTER_INVARIANT
    return NOT_FAIR if facts.fair else None


def because(reason: str) -> Callable[[PropertyFacts], Soundness]:
    """Sound for every property for which a scheme can be."""
    return lambda facts: refused(facts) or Soundness(True, reason)


# --- what the reference engine runs -------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Phase1:
    """Where steps that have no alternative lead, by which runs, and how many states had to be
    remembered on the way.
    """

    end: State
    path: tuple[Run, ...] = ()
    remembered: int = 0


class SelectiveScheme(Protocol):
    """Ample sets that are a function of the program state, where states with a single successor are
    left out: `phase_1` leads from each state to one that is stored, and `stored` is its ample set.
    """

    def phase_1(self, state: State) -> Phase1: ...

    def stored(self, state: State) -> Ample: ...


@runtime_checkable
class StateScheme(SelectiveScheme, Protocol):
    """The same where every state may be stored, too."""

    def ample(self, state: State) -> Ample: ...


@dataclass(frozen=True, slots=True)
class ByStack:
    """An ample set that depends on the stack of the search (stack.py).

    `all_targets`: (q, s) has one ample set for all moves s' of the automaton, or one for each.
    """

    all_targets: bool


@dataclass(frozen=True, slots=True)
class OwnSearch:
    """A search of its own instead of ample sets: Figures 5 and 8 of the Two phase paper (pv.py)."""


@dataclass(frozen=True, slots=True)
class SleepSets:
    """A search with sleep sets (search/sleep.py): what may sleep, and what is taken."""

    sleepers: Callable[[Analysis, Rule], Sleepers]


Reference = Callable[[Analysis, Rule], SelectiveScheme] | ByStack | OwnSearch | SleepSets


# --- what the native engine runs ----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Native:
    """The header that the generated C includes, of runtime/reduction/scheme or elsewhere; and where
    sticky transitions may be taken: in proper ample sets, in steps after which no state is stored.
    """

    header: str | Path
    sticky_in_ample_sets: bool = True
    sticky_on_the_way: bool = False


# --- the record ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Use:
    """A scheme for formulas, or for safety.

    `cycles`: the cycle condition, by which no step is ignored for ever. `selective`: states are
    left out whatever the cache is said to be. `proviso`: one run of a proper ample set has to lead
    to a state that is new, or closed (safety.py).
    """

    cycles: str
    soundness: Callable[[PropertyFacts], Soundness]
    reference: Reference
    native: Native
    selective: bool = False
    proviso: bool = False


@dataclass(frozen=True, slots=True)
class Rules:
    """A scheme in the laboratory: what it says there, and the files of its rules."""

    title: str
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Scheme:
    """A reduction scheme.

    `function_of`: what its ample set is a function of: the program state q, the product state q, s
    or q, s' after the automaton's move. `safety`: how it is used for safety, or which other scheme
    stands for it there; `order_free`: the same where what is stored must not depend on the order of
    the search, if that is another way. `normal_form`: the automaton is read in SI normal form.
    """

    name: str
    title: str
    origin: str
    function_of: str
    formulas: Use | None
    safety: Use | str
    any_order: bool  # it may be used in any search, in any order
    rule: Rule | None = Rule.COMPONENT  # whose steps an ample set may be; None: there is no choice
    caches: tuple[str, ...] = ("all",)
    normal_form: bool = False
    order_free: Use | None = None
    laboratory: Mapping[str, Rules] = field(default_factory=dict)
