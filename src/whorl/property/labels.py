"""Claims of the labels in a model: acceptance cycles, and cycles without progress."""

from __future__ import annotations

from whorl.program.program import Builtin
from whorl.property.automaton import Buchi, Edge, full, literal
from whorl.property.claim import Claim

ACCEPTANCE = "acceptance"
NON_PROGRESS = "non-progress"


def acceptance() -> Claim:
    """Runs in which some process is at an accept label again and again (`pan -a`, no claim)."""
    anything = Buchi((), 0, ((Edge(full(0), 0),),), frozenset())
    return Claim("acceptance cycles", ACCEPTANCE, anything, (), program_accepts=True)


def non_progress() -> Claim:
    """Runs without progress from some point on: Holzmann, Peled and Yannakakis, Figure 6.

    never {                                /* <>[] np_ */
            do
            :: skip
            :: np_ -> break
            od;
    accept: do
            :: np_
            od
    }
    """
    no_progress = literal(0, 1)
    edges = ((Edge(full(1), 0), Edge(no_progress, 1)), (Edge(no_progress, 1),))
    automaton = Buchi(("np_",), 0, edges, frozenset((1,)))
    return Claim("non-progress cycles", NON_PROGRESS, automaton, (Builtin("np_"),))
