"""Witnesses: runs that show what holds, in the case that is of interest.

A run of interest is one on which every part of the formula counts: with any of its propositions
replaced by what makes it hardest to hold (`property.mutants`), it would not hold of this run. Those
in the condition of an implication are left out: that a promise is kept is of interest, not that
there are states without one. If no single run will do, there is one for each part.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from whorl.findings import Findings
from whorl.language.formula import SPIN, Formula, Op, text
from whorl.mutation import Decided, OtherFormulas
from whorl.program.choice import Choice
from whorl.program.semantics import Semantics
from whorl.property.mutants import folded, mutant, occurrences, without_iff
from whorl.property.operations import accepted_word
from whorl.simulate.simulation import Simulation, SimulationEnd, wander
from whorl.trace.path import path_trace
from whorl.trace.replay import follow
from whorl.trace.trace import WITNESS, Trace
from whorl.verdict import HOLDS, VIOLATED

MOST_TOGETHER = 4  # parts that one run is to show
RUNS, STEPS = 100, 1_000  # random runs, where there is no formula


def witnesses(others: OtherFormulas, findings: Findings) -> tuple[list[Trace], str | None]:
    """Runs that show the formula at work, and what to say where there is none."""
    name = others.task.name
    if accepted_word(others.claim.automaton) is None:
        return [], f"no witness of {name}: it holds of every program"
    goals = list(_goals(others.whole))
    shown: list[Trace] = []
    if 1 < len(goals) <= MOST_TOGETHER:
        shown = _shown(others, findings, folded(Formula(Op.OR, tuple(goals))))
    if not shown:
        shown = [trace for goal in goals for trace in _shown(others, findings, goal)]
    if shown:
        return shown, None
    holding = all(others.decide(goal).verdict == HOLDS for goal in goals)
    why = "it holds vacuously (--vacuity says why)" if holding else "a search did not finish"
    return [], f"no witness of {name}: {why}"


def _goals(formula: Formula) -> Iterator[Formula]:
    """Formulas that a run of interest does not satisfy, each once."""
    whole = without_iff(formula)
    leaves = [each for each in occurrences(whole) if each.formula.op is Op.ATOM]
    promised = [each for each in leaves if not each.condition] or leaves
    yield from dict.fromkeys(mutant(whole, each) for each in promised)


def _shown(others: OtherFormulas, findings: Findings, goal: Formula) -> list[Trace]:
    """A run that satisfies the formula but not the goal, if one was found.

    That it does satisfy the formula is asked for, so that the run goes on until it shows that.
    """
    found: Decided = others.run_against(folded(goal | ~others.whole))
    if found.verdict != VIOLATED:  # perhaps a proposition has no value where the goal is broken
        found = others.run_against(goal)
    if found.task is None or found.violation is None:  # there is none, or no time to look for it
        return []
    trace = findings.trace(found.task, found.violation)
    formula = others.claim.formula_text
    return [replace(trace, kind=WITNESS, message=_said(others, goal), formula=formula)]


def _said(others: OtherFormulas, goal: Formula) -> str:
    """What a run shows."""
    name = others.task.name
    if goal.op is Op.FALSE:
        return f"a run on which {name} holds, as on every one"
    cases = goal.args if goal.op is Op.OR else (goal,)
    happen = [case for case in map(_that_happens, cases) if case is not None]
    if len(happen) == len(cases):
        verb = "comes" if len(happen) == 1 else "come"
        return f"a run on which {name} holds and {' and '.join(happen)} {verb} true"
    return f"a run on which {name} holds, but {text(goal, SPIN)} does not"


def _that_happens(goal: Formula) -> str | None:
    """What happens where the goal does not hold, if that is so simple."""
    if goal.op is Op.GLOBALLY and goal.args[0].op is Op.NOT:
        return text(goal.args[0].args[0], SPIN)
    return None


def run_of(semantics: Semantics) -> Trace:
    """A run of a program without formulas: the shortest random one that ends well.

    If none does, that which executes the most statements.
    """
    ended: Simulation | None = None
    busiest, most = Simulation(semantics), -1
    for seed in range(RUNS):
        simulation = Simulation(semantics)
        *_, end = wander(simulation, seed, STEPS)
        assert isinstance(end, SimulationEnd)
        if end.violated:
            continue
        if end.reason != "steps" and (ended is None or len(simulation.taken) < len(ended.taken)):
            ended = simulation
        executed = len({step.transition.number for step in simulation.taken})
        if executed > most:
            busiest, most = simulation, executed
    said = f"the shortest that ends well, of {RUNS} random runs"
    if ended is None:
        said = f"none of {RUNS} random runs ended within {STEPS:,} steps; this one did the most"
    chosen = busiest if ended is None else ended
    choices = tuple(Choice.of(step) for step in chosen.taken)
    verbose = Semantics(semantics.program, verbose=True)
    return replace(path_trace(verbose, *follow(verbose, choices)), kind=WITNESS, message=said)
