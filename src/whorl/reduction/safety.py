"""What suffices for safety: less than C0 to C3.

- Invalid end states: C0 and C1 keep every state in which nothing can move, and nothing more is
  needed (Valmari, "Stubborn sets for reduced state space generation", 1990; Godefroid,
  "Partial-Order Methods", LNCS 1032). There is no proviso and nothing is visible.
- A step that fails (an assertion, an index out of bounds, a trace assertion): whether it does
  depends on what the step reads, and everything that others may write there is in conflict with it.
  So it is enough that no step is ignored for ever: from every state a fully expanded one is reached
  (Holzmann, Godefroid and Pirottin, "Coverage preserving reduction strategies", 1992). Sticky
  transitions give that in any search, and in a depth-first search the weak proviso does. The same
  keeps every statement that can be executed, which a search tells of; so it is always there.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from itertools import chain

from whorl.program.atomic import Run
from whorl.program.semantics import Semantics
from whorl.program.state import State
from whorl.reduction.analysis import Analysis
from whorl.reduction.candidates import Rule, situation_of, tries
from whorl.reduction.scheme import ByStack, OwnSearch, SelectiveScheme, SleepSets
from whorl.reduction.schemes import Reduction, for_safety, phases, scheme_of, stepwise
from whorl.reduction.stack import Choosing
from whorl.search.safety import Select
from whorl.search.sleep import Sleepers
from whorl.search.two_phase import Phases


def selector(
    semantics: Semantics, reduction: Reduction, analysis: Analysis | None = None
) -> Select | Phases | Sleepers | None:
    """What a search for safety violations takes from a state; None: everything.

    `analysis`, if there is one already, is that of the program without propositions.
    """
    if reduction.scheme == "none":
        return None
    if analysis is None:
        analysis = Analysis(semantics, ())
    name, use = for_safety(reduction.scheme, order_free=reduction.order_free)
    rule, leaves_out = reduction.rule_of(scheme_of(name)), reduction.leaves_out(use)
    if isinstance(use.reference, ByStack):
        return _by_stack(Choosing(analysis, rule, reduction.keep, order=reduction.order))
    if isinstance(use.reference, OwnSearch):
        return phases(analysis, reduction, use)
    if isinstance(use.reference, SleepSets):
        return use.reference.sleepers(analysis, rule)
    scheme = use.reference(analysis, rule)
    if use.proviso:
        return _with_proviso(analysis, scheme, rule, leaves_out)
    if leaves_out:
        return lambda state, on_stack: (_onward(scheme, r) for r in scheme.stored(state).runs)
    every = stepwise(scheme)
    return lambda state, on_stack: every.ample(state).runs


def _by_stack(choosing: Choosing) -> Select:
    """The first candidate of which no run leads to a state on the stack (Figure 3 of [NG98])."""

    def select(state: State, on_stack: Container[State]) -> Iterable[Run]:
        return choosing.selected(state, choosing.choose(state, on_stack.__contains__)).runs

    return select


def _with_proviso(
    analysis: Analysis, scheme: SelectiveScheme, rule: Rule, leaves_out: bool
) -> Select:
    """The first candidate of which a run leads to a state that is new or closed: in a depth-first
    search one that is not on the stack ([HGP92]).
    """

    def select(state: State, on_stack: Container[State]) -> Iterable[Run]:
        situation = situation_of(analysis, state)
        for ample in chain(tries(situation, rule, check_visible=False), [situation.everything]):
            runs = [_onward(scheme, run) if leaves_out else run for run in ample.runs]
            if ample.full or any(r.state is not None and r.state not in on_stack for r in runs):
                return runs
        raise AssertionError("everything is always allowed")

    return select


def _onward(scheme: SelectiveScheme, run: Run) -> Run:
    """A run from a state that is stored, and the steps after it to the next that is."""
    return run if run.state is None else _joined((run, *scheme.phase_1(run.state).path))


def _joined(path: tuple[Run, ...]) -> Run:
    steps = tuple(step for run in path for step in run.steps)
    return Run(steps, path[-1].state, any(run.endless for run in path))
