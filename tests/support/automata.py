"""Hypothesis strategies: words, formulas and small automata over the propositions p and q."""

from __future__ import annotations

from hypothesis import strategies as st

from whorl.language.formula import FALSE, TRUE, Formula, Op, atom
from whorl.property.automaton import Automaton, Buchi, Edge, full
from whorl.property.words import Word

PROPOSITIONS = ("p", "q")

_UNARY = (Op.NOT, Op.NEXT, Op.FINALLY, Op.GLOBALLY)
_BINARY = (
    Op.AND, Op.OR, Op.IMPLIES, Op.IFF, Op.UNTIL, Op.RELEASE, Op.WEAK, Op.STRONG,
)  # fmt: skip


@st.composite
def words(draw: st.DrawFn, propositions: tuple[str, ...] = PROPOSITIONS, longest: int = 4) -> Word:
    letter = st.integers(0, (1 << len(propositions)) - 1)
    prefix = draw(st.lists(letter, max_size=longest))
    cycle = draw(st.lists(letter, min_size=1, max_size=longest))
    return Word(propositions, tuple(prefix), tuple(cycle))


def formulas(
    propositions: tuple[str, ...] = PROPOSITIONS, *, has_next: bool = True, leaves: int = 8
) -> st.SearchStrategy[Formula]:
    atoms = st.sampled_from([TRUE, FALSE, *map(atom, propositions)])
    unary = [op for op in _UNARY if has_next or op is not Op.NEXT]

    def larger(inner: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
        return st.one_of(
            st.builds(lambda op, f: Formula(op, (f,)), st.sampled_from(unary), inner),
            st.builds(lambda op, f, g: Formula(op, (f, g)), st.sampled_from(_BINARY), inner, inner),
        )

    return st.recursive(atoms, larger, max_leaves=leaves)


@st.composite
def _edges(
    draw: st.DrawFn, states: int, propositions: int, sets: int, most: int
) -> tuple[tuple[Edge, ...], ...]:
    edge = st.builds(
        Edge,
        st.integers(1, full(propositions)),
        st.integers(0, states - 1),
        st.integers(0, (1 << sets) - 1),
    )
    return tuple(tuple(draw(st.lists(edge, max_size=most))) for _ in range(states))


@st.composite
def buchis(
    draw: st.DrawFn, propositions: tuple[str, ...] = PROPOSITIONS, largest: int = 4, most: int = 3
) -> Buchi:
    states = draw(st.integers(1, largest))
    edges = draw(_edges(states, len(propositions), 0, most))
    accepting = draw(st.frozensets(st.integers(0, states - 1)))
    return Buchi(propositions, draw(st.integers(0, states - 1)), edges, accepting)


@st.composite
def automata(
    draw: st.DrawFn, propositions: tuple[str, ...] = PROPOSITIONS, largest: int = 4, most: int = 3
) -> Automaton:
    states = draw(st.integers(1, largest))
    sets = draw(st.integers(0, 3))
    edges = draw(_edges(states, len(propositions), sets, most))
    return Automaton(propositions, draw(st.integers(0, states - 1)), edges, sets)
