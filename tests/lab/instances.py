"""Instances by hand: those of the papers, and that of the open question."""

from __future__ import annotations

from whorl.lab.instance import FiniteProgram, Instance
from whorl.property.automaton import Buchi, Edge
from whorl.property.siegel import NOT_P, P, b1, b2

# Operation a stays where it is; b goes from A to B.
FIGURE_1_PROGRAM = FiniteProgram((0, 1), ((0, 1), (1, None)))


def ample(*rows: tuple[str, ...]) -> tuple[tuple[frozenset[int], ...], ...]:
    """Ample sets from the names of operations."""
    return tuple(tuple(frozenset(ord(o) - ord("a") for o in cell) for cell in row) for row in rows)


def figure_1() -> Instance:
    """Siegel, Figure 1: V0 is wrong for B1."""
    return Instance(FIGURE_1_PROGRAM, b1(), ample(("ab", "a"), ("a", "a")))


def figure_3() -> Instance:
    """Siegel, Figure 3: V1 is wrong for B2."""
    rows = ample(("a", "ab", "a", "ab"), ("a", "a", "a", "a"))
    return Instance(FIGURE_1_PROGRAM, b2(), rows)


def open_question() -> Instance:
    """V1 is wrong for an automaton all of whose states have a stutter-invariant language.

    The states w, acc, c0, c1, d0, d1, d2 are 0 to 6; operations a, b and g are 0, 1 and 2.
    """
    w, acc, c0, c1, d0, d1, d2 = range(7)
    on_empty = {w: (c0, d0), acc: (c0, d0), c0: (c1,), c1: (c0,), d0: (d1,), d1: (d2,), d2: (d1,)}
    on_p = {w: w, acc: w, c0: w, c1: acc, d0: acc, d1: w, d2: acc}
    edges = tuple((*(Edge(NOT_P, z) for z in on_empty[s]), Edge(P, on_p[s])) for s in range(7))
    automaton = Buchi(("p",), w, edges, frozenset([acc]))
    program = FiniteProgram((0, 1), ((0, 1, None), (1, None, 0)))
    proper = {w, acc, c0, d1}
    rows = ample(
        tuple("a" if s in proper else "ab" for s in range(7)), tuple("ac" for _ in range(7))
    )
    return Instance(program, automaton, rows)
