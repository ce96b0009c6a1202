"""Vacuity: whether a formula holds for a reason that has nothing to do with what it says.

A part of a formula does not matter if the formula still holds with the part replaced by what makes
that hardest (`property.mutants`); a formula that has such a part holds vacuously. It is enough to
look at the propositions, as a larger part matters if one of its propositions does; of a proposition
that does not matter, the largest part around it that does not matter either is told.
"""

from __future__ import annotations

from whorl.language.formula import SPIN, Formula, Op, text
from whorl.mutation import OtherFormulas
from whorl.property.mutants import Occurrence, mutant, occurrences, without_iff
from whorl.property.operations import accepted_word
from whorl.verdict import HOLDS, INCONCLUSIVE, Vacuity, VacuousPart


def vacuity(others: OtherFormulas) -> Vacuity:
    """Which parts of a formula that holds do not matter."""
    name = others.task.name
    if accepted_word(others.claim.automaton) is None:
        return Vacuity(name, "vacuous", valid=True)
    whole = without_iff(others.whole)
    every = {occurrence.path: occurrence for occurrence in occurrences(whole)}
    leaves = [each for each in every.values() if each.formula.op is Op.ATOM]
    others.prepare(mutant(whole, leaf) for leaf in leaves)
    found: list[Occurrence] = []
    undecided = 0
    for leaf in leaves:
        if any(leaf.path[: len(part.path)] == part.path for part in found):
            continue
        verdict = others.decide(mutant(whole, leaf)).verdict
        if verdict == HOLDS:
            found.append(_largest(others, whole, every, leaf))
        undecided += verdict == INCONCLUSIVE
    parts = tuple(_part(others, whole, occurrence) for occurrence in found)
    figures = (parts, undecided, others.searches)
    if found:
        return Vacuity(name, "vacuous", False, *figures)
    return Vacuity(name, "undecided" if undecided else "not vacuous", False, *figures)


def _largest(
    others: OtherFormulas,
    whole: Formula,
    every: dict[tuple[int, ...], Occurrence],
    leaf: Occurrence,
) -> Occurrence:
    """The largest part around one that does not matter which does not matter either."""
    while leaf.path:
        around = every[leaf.path[:-1]]
        if others.decide(mutant(whole, around)).verdict != HOLDS:
            break
        leaf = around
    return leaf


def _part(others: OtherFormulas, whole: Formula, occurrence: Occurrence) -> VacuousPart:
    replaced = text(occurrence.hardest)
    changed = text(mutant(whole, occurrence), SPIN)
    part = text(occurrence.formula, SPIN)
    said = _said(others, whole, occurrence, part, changed)
    return VacuousPart(part, replaced, changed, said, occurrence.condition)


def _said(
    others: OtherFormulas, whole: Formula, occurrence: Occurrence, part: str, changed: str
) -> str:
    """Why a part does not matter, in words."""
    runs = others.task.options.runs
    if not occurrence.path:
        return f"no {runs} counts, so every formula holds"
    if whole.op is Op.GLOBALLY and whole.args[0].op is Op.IMPLIES and occurrence.path == (0, 1):
        never = text(whole.args[0].args[0], SPIN)
        where = f" on any {runs}" if runs != "run" else ""
        return f"{never} never holds{where}, so {part} does not matter"
    return f"{part} does not matter: {changed} holds, too"


def vacuity_note(found: Vacuity) -> str | None:
    """What the report says; None if it was said before."""
    if found.valid:
        return None
    if found.verdict == "vacuous":
        how = "holds vacuously"
        if all(part.condition for part in found.parts):
            how = "does not need its condition"
        return f"{found.property} {how}: {'; '.join(part.said for part in found.parts)}"
    if found.verdict == "undecided":
        return f"whether {found.property} holds vacuously is not known: a search did not finish"
    return f"{found.property} does not hold vacuously: every part of it matters"
