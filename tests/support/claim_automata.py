"""Random claims, and random propositions of a program for them."""

from __future__ import annotations

import random
from dataclasses import replace

from whorl.diagnostics import Span
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
