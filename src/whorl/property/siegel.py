"""The property automata of Siegel's paper, over the one proposition p.

What's Wrong With On-the-fly Partial Order Reduction (CAV 2019). Letter 0 is the empty set, letter 1
is {p}.
"""

from __future__ import annotations

from whorl.property.automaton import Buchi, Edge

NOT_P, P, ANY = 0b01, 0b10, 0b11  # labels: which of the two letters


def b1() -> Buchi:
    """Figure 1: a nonempty finite number of letters without p, then p for ever."""
    edges = ((Edge(NOT_P, 0), Edge(NOT_P, 1)), (Edge(P, 1),))
    return Buchi(("p",), 0, edges, frozenset([1]))


def b2() -> Buchi:
    """Figure 3: the language of B1, with one run for odd prefixes, one for even.

    State 1 is entered when the rest of the prefix has even length, state 2 when it has odd length.
    """
    edges = (
        (Edge(NOT_P, 1), Edge(NOT_P, 2)),
        (Edge(NOT_P, 2), Edge(P, 3)),
        (Edge(NOT_P, 1),),
        (Edge(P, 3),),
    )
    return Buchi(("p",), 0, edges, frozenset([3]))


def b3() -> Buchi:
    """Figure 4, left: p holds only finitely often."""
    edges = ((Edge(ANY, 0), Edge(NOT_P, 1)), (Edge(NOT_P, 1),))
    return Buchi(("p",), 0, edges, frozenset([1]))


def b4() -> Buchi:
    """Figure 4, right: B3 in SI normal form, 4 states and 9 edges."""
    edges = (
        (Edge(NOT_P, 1), Edge(P, 2), Edge(NOT_P, 3)),
        (Edge(NOT_P, 1), Edge(P, 2)),
        (Edge(P, 2), Edge(NOT_P, 1), Edge(NOT_P, 3)),
        (Edge(NOT_P, 3),),
    )
    return Buchi(("p",), 0, edges, frozenset([3]))
