"""Random properties of random programs: never claims and formulas as text, claims as objects.

What is text is also for Spin: its conditions are of global variables, and a formula has parentheses
wherever Spin would read it otherwise (`[] x > 0` is `([] x) > 0` to it).
"""

from __future__ import annotations

import random
from dataclasses import replace

from hypothesis import strategies as st

import whorl
from whorl.diagnostics import Span
from whorl.language.types import TypeKind
from whorl.program.program import (
    AtLocation,
    BinaryOp,
    Builtin,
    Const,
    Expr,
    Load,
    Place,
    ProcessQuery,
    Program,
    Region,
    RemoteLoad,
)
from whorl.property.automaton import Buchi, Edge, full
from whorl.property.claim import Claim

_NUMBERS = (TypeKind.BIT, TypeKind.BYTE, TypeKind.SHORT, TypeKind.INT, TypeKind.UNSIGNED)


@st.composite
def never_claims(draw: st.DrawFn, text: str) -> str:
    """The program with a never claim that follows."""
    program = whorl.load(text).program
    conditions = _conditions(program)
    count = draw(st.integers(1, 4))
    accepting = draw(st.sets(st.integers(0, count - 1)))
    names = [f"accept_S{n}" if n in accepting else f"S{n}" for n in range(count)]
    targets = st.sampled_from(names if draw(st.booleans()) else [*names, "bad"])
    lines = []
    for name in names:
        options = [
            f":: {draw(conditions)} -> goto {draw(targets)}" for _ in range(draw(st.integers(1, 3)))
        ]
        if draw(st.booleans()):
            options.append(f":: else -> goto {draw(targets)}")
        lines.append(f"{name}: if {' '.join(options)} fi;")
    body = "\n  ".join([*lines, "bad: skip"])
    return f"{text}\nnever {{\n  {body}\n}}\n"


def _conditions(program: Program) -> st.SearchStrategy[str]:
    names = [
        variable.name
        for variable in program.variables
        if variable.length is None
        and variable.type is not None
        and variable.type.kind in _NUMBERS
        and not variable.hidden
    ]
    if not names:
        return st.just("true")
    simple = st.builds(
        "{} {} {}".format,
        st.sampled_from(names),
        st.sampled_from(["==", "!=", "<", ">"]),
        st.integers(0, 3),
    )
    return st.one_of(
        st.just("true"),
        simple,
        st.builds("({}) && ({})".format, simple, simple),
        st.builds("({}) || !({})".format, simple, simple),
    )


def formulas(text: str) -> st.SearchStrategy[str]:
    """Formulas for a program: what people write, and anything else of a small size."""
    atoms = st.builds("({})".format, _conditions(whorl.load(text).program))
    literals = st.one_of(atoms, st.builds("!{}".format, atoms))
    patterns = st.one_of(
        st.builds("[] {}".format, literals),
        st.builds("<> {}".format, literals),
        st.builds("[]<> {}".format, literals),
        st.builds("<>[] {}".format, literals),
        st.builds("[] ({} -> <> {})".format, literals, literals),
        st.builds("[]<> {} -> []<> {}".format, literals, literals),
        st.builds("[] ({} -> ({} U {}))".format, literals, literals, literals),
    )
    return st.one_of(patterns, st.recursive(literals, _larger, max_leaves=4))


def _larger(part: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.builds("({} {})".format, st.sampled_from(["[]", "<>", "!"]), part),
        st.builds(
            "({} {} {})".format, part, st.sampled_from(["U", "V", "W", "&&", "||", "->"]), part
        ),
    )


def random_automaton(dice: random.Random, propositions: int) -> Buchi:
    count = dice.randint(1, 4)
    letters = 1 << propositions
    edges = []
    for _ in range(count):
        targets = {dice.randrange(count) for _ in range(dice.randint(1, 3))}
        labels = {
            t: dice.randrange(1, 1 << letters) | dice.randrange(1 << letters) for t in targets
        }
        edges.append(tuple(Edge(label, target) for target, label in sorted(labels.items())))
    accepting = frozenset(s for s in range(count) if dice.random() < 0.5)
    names = tuple(f"p{i}" for i in range(propositions))
    return Buchi(names, 0, tuple(edges), accepting)


def random_claim(dice: random.Random, atoms: tuple[Expr, ...]) -> Claim:
    automaton = random_automaton(dice, len(atoms))
    ends = frozenset[int]()
    if dice.random() < 0.2:  # one more state: the end
        end = len(automaton.edges)
        way = Edge(dice.randrange(1, full(len(atoms)) + 1), end)
        edges = [*automaton.edges, (Edge(full(len(atoms)), end),)]
        leaving = dice.randrange(end)
        edges[leaving] = (*edges[leaving], way)
        ends = frozenset({end})
        automaton = replace(automaton, edges=tuple(edges), accepting=automaton.accepting | ends)
    return Claim("random", "ltl", automaton, atoms, ends, program_accepts=dice.random() < 0.2)


def random_atom(dice: random.Random, program: Program) -> Expr:
    """Something that a claim may ask of a program."""
    span = Span(program.source, 0, 1)
    process = dice.choice(program.processes)
    pid = Const(dice.randrange(3))
    choices: list[Expr] = [
        Builtin("np_"),
        Builtin("timeout"),
        BinaryOp(">", Builtin("_nr_pr"), Const(dice.randrange(1, 4)), span),
        ProcessQuery("enabled", pid, span),
        AtLocation(process.index, None, dice.choice(list(process.locations)), "at"),
    ]
    if program.uses_last:
        choices.append(BinaryOp("==", Builtin("_last"), pid, span))
    for variable in program.variables:
        if variable.type is not None and variable.length is None:
            place = Place(Region.GLOBAL, variable.offset, (), variable.type, variable.name)
            number = Const(dice.randrange(3))
            choices += [BinaryOp(dice.choice(("==", ">")), Load(place), number, span)] * 3
    for variable in process.variables:
        if variable.type is not None and variable.length is None:
            place = Place(Region.LOCAL, variable.offset, (), variable.type, variable.name)
            choices.append(RemoteLoad(process.index, dice.choice((None, pid)), place))
    return dice.choice(choices)
