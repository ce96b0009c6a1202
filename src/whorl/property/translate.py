"""LTL to Büchi automata: the routes, and the choice of the smallest result.

The formula is rewritten, translated to a generalised automaton (`tableau`) and made smaller
(`simulation`, `merging`). From there it goes to a Büchi automaton in several ways (`degeneralise`),
each made smaller again; if the formula is an obligation, its minimal deterministic automaton is one
more (`obligations`). An automaton of the negation, made the same way, is what the last two are
checked against. docs/explanation/translation.md tells more.
"""

from __future__ import annotations

from whorl.language.formula import Formula
from whorl.property.automaton import Automaton, Buchi
from whorl.property.effort import TooMuchWork, Work
from whorl.property.implication import Facts
from whorl.property.merging import merge_generalised, merge_states
from whorl.property.obligations import minimal_obligation
from whorl.property.postprocess import candidates, reduce_generalised, renumbered, size
from whorl.property.rewrite import Rewriter
from whorl.property.tableau import tableau

MOST_WORK = 200_000  # for each of the steps that can be left out
MOST_MERGED = 4  # automata that are tried


def translate(formula: Formula, propositions: tuple[str, ...] | None = None) -> Buchi:
    """A small Büchi automaton of the words that satisfy the formula.

    Its letters are over `propositions`, by default those of the formula. Among automata with
    equally many states a deterministic one is preferred, then one with few edges.
    """
    automaton = translate_generalised(formula, propositions)
    automata = candidates(automaton)
    negation = _negation(formula, automaton.propositions)
    if negation is not None:
        automata += _checked(automaton, negation)
        work = Work(MOST_WORK)
        for one in sorted(dict.fromkeys(automata), key=size)[:MOST_MERGED]:
            automata.append(merge_states(one, negation, work))
    return renumbered(min(automata, key=size))


def translate_generalised(
    formula: Formula, propositions: tuple[str, ...] | None = None
) -> Automaton:
    """A generalised Büchi automaton of the words that satisfy the formula."""
    facts = Facts(formula.propositions if propositions is None else propositions)
    return reduce_generalised(tableau(Rewriter(facts).rewrite(formula), facts))


def _negation(formula: Formula, propositions: tuple[str, ...]) -> Automaton | None:
    """An automaton of the negation, if it is not too large to check against."""
    facts = Facts(propositions)
    rewritten = Rewriter(facts).rewrite(~formula)
    try:
        return reduce_generalised(tableau(rewritten, facts, Work(MOST_WORK)))
    except TooMuchWork:
        return None


def _checked(automaton: Automaton, negation: Automaton) -> list[Buchi]:
    """Automata from the steps that need the negation."""
    automata = []
    smaller = merge_generalised(automaton, negation, Work(MOST_WORK))
    if smaller is not automaton:
        automata += candidates(smaller)
    obligation = minimal_obligation(automaton, negation)
    if obligation is not None:
        automata.append(obligation)
    return automata
