"""What suffices for safety: less than C0 to C3.

- Invalid end states: C0 and C1 keep every state in which nothing can move, and nothing more is
  needed (Valmari, "Stubborn sets for reduced state space generation", 1990; Godefroid,
  "Partial-Order Methods", LNCS 1032). There is no proviso and nothing is visible: `Persistent`.
- A step that fails (an assertion, an index out of bounds, a trace assertion): whether it does
  depends on what the step reads, and everything that others may write there is in conflict with it.
  So it is enough that no step is ignored for ever: from every state a fully expanded one is reached
  (Holzmann, Godefroid and Pirottin, "Coverage preserving reduction strategies", 1992). Sticky
  transitions give that in any search, and in a depth-first search the weak proviso does. The same
  keeps every statement that can be executed, which a search tells of; so it is always there.
"""

from __future__ import annotations

from collections.abc import Container, Iterable

from whorl.program.atomic import Run
from whorl.program.semantics import Semantics
from whorl.program.state import State
from whorl.reduction.analysis import Analysis
from whorl.reduction.candidates import Ample, Rule, candidates, situation_of
from whorl.reduction.combined import Combined
from whorl.reduction.scheme import PropertyFacts, SettlingScheme, Soundness
from whorl.reduction.schemes import Reduction, of_state
from whorl.reduction.static import Static
from whorl.search.safety import Select


class Persistent(Static):
    """Ample sets by C0 and C1 alone: for invalid end states.

    States are left out as in `static`: there must be no end to that either.
    """

    name = "persistent"

    def ample(self, state: State) -> Ample:
        situation = situation_of(self.analysis, state)
        found = candidates(situation, self.rule, check_visible=False)
        return found[0] if found else situation.everything

    @staticmethod
    def soundness(facts: PropertyFacts) -> Soundness:
        return Soundness(False, "it may ignore steps for ever: it is for invalid end states alone")


def selector(
    semantics: Semantics, reduction: Reduction, analysis: Analysis | None = None
) -> Select | None:
    """What a search for safety violations takes from a state; None: everything.

    `analysis`, if there is one already, is that of the program without propositions.
    """
    if reduction.scheme == "none":
        return None
    if analysis is None:
        analysis = Analysis(semantics, ())
    if reduction.scheme in ("proviso", "combined"):
        return _by_stack(analysis, reduction)
    scheme = of_state(reduction.scheme, analysis, reduction.rule)
    if reduction.cache == "selective":
        return lambda state, on_stack: (_onward(scheme, r) for r in scheme.stored(state).runs)
    assert not isinstance(scheme, Combined)
    return lambda state, on_stack: scheme.ample(state).runs


def _by_stack(analysis: Analysis, reduction: Reduction) -> Select:
    """The first candidate of which a run leads to a state that is not on the stack ([HGP92])."""
    rule = reduction.rule or Rule.COMPONENT
    combined = reduction.scheme == "combined"
    scheme = Combined(analysis, rule) if combined else Persistent(analysis, rule)
    settles = combined or reduction.cache == "selective"

    def select(state: State, on_stack: Container[State]) -> Iterable[Run]:
        situation = situation_of(analysis, state)
        for ample in (*candidates(situation, rule, check_visible=False), situation.everything):
            found = [_onward(scheme, run) if settles else run for run in ample.runs]
            if ample.full or any(r.state is not None and r.state not in on_stack for r in found):
                return found
        raise AssertionError("everything is always allowed")

    return select


def _onward(scheme: SettlingScheme, run: Run) -> Run:
    """A run from a state that is stored, and the steps after it to the next that is."""
    return run if run.state is None else _joined((run, *scheme.settle(run.state).path))


def _joined(path: tuple[Run, ...]) -> Run:
    steps = tuple(step for run in path for step in run.steps)
    return Run(steps, path[-1].state, any(run.endless for run in path))
