"""The systematic programs: no class of the syntax tree is forgotten, all pairs are met, all parse,
their graphs are small, and a member of a union has the states it has alone."""

from __future__ import annotations

import dataclasses
from collections import Counter

import pytest

from systematic.coverage import coverage
from systematic.forms import WITHOUT_FORM, all_forms
from systematic.others import by_name
from systematic.positions import positions
from systematic.programs import Case, Placed, count, fast, programs, sample
from systematic.small import SmallProgram
from systematic.unions import Unit, union, units
from whorl.api import load
from whorl.diagnostics import Reporter, Source
from whorl.program.atomic import runs
from whorl.program.semantics import Semantics
from whorl.program.state import Fault, State
from whorl.promela import ast
from whorl.promela.frontend import analyse
from whorl.promela.walk import nodes

MOST_STATES = 600  # most have fewer than 60


def states(text: str) -> set[State]:
    """The states of a program's full graph, in the reference semantics."""
    semantics = Semantics(load(text).program)
    found = {semantics.initial()}
    waiting = list(found)
    while waiting and len(found) <= 10 * MOST_STATES:
        for run in runs(semantics, waiting.pop()):
            if run.state is not None and run.state not in found:
                found.add(run.state)
                waiting.append(run.state)
    return found


def is_restrained(program: SmallProgram) -> bool:
    """Whether a clause or a function looks at what others can do, and a fault may stand there.

    What these faults mean is tested where both engines are compared.
    """
    return program.alone and any(word in program.text for word in ("provided", "prior", "enabled"))


def test_every_class_of_the_syntax_tree_has_a_form_or_a_reason() -> None:
    skip = next(form for form in all_forms() if form.name == "skip")
    sequence = positions()[0]
    met: set[str] = set()
    for form in all_forms():
        text = Case(Placed(form, skip, sequence), by_name()["steps"], 0).program().text
        resolved = analyse(Source(form.name, text), Reporter())
        met |= {type(node).__name__ for node in nodes(resolved.model)}
    classes = {
        name
        for name, value in vars(ast).items()
        if dataclasses.is_dataclass(value) and value.__module__ == ast.__name__
    }
    assert classes - met == set(WITHOUT_FORM)


def test_the_fast_selection_meets_all_pairs() -> None:
    found = coverage(fast())
    for kind in (
        "forms",
        "core pairs",
        "positions",
        "others",
        "faults x places",
        "trios' bodies",
        "propositions",
    ):
        assert not found.missed(kind), kind
    assert 1000 < found.programs < 2500


def test_names_tell_the_fast_programs_apart() -> None:
    names = Counter(program.name for program in fast())
    assert [name for name, times in names.items() if times > 1] == []


def test_the_whole_set_is_large_and_its_order_fixed() -> None:
    assert 100_000 <= count() <= 330_000
    some = list(programs(slice(5000, 5010)))
    assert [p.text for p in some] == [p.text for p in programs(slice(5000, 5010))]
    assert some[3] == next(programs(slice(5003, 5004)))


@pytest.mark.parametrize("part", range(4))
def test_fast_programs_parse_and_are_small(part: int) -> None:
    for number, program in enumerate(fast()):
        if number % 4 != part:
            continue
        if is_restrained(program) or number % 3:
            load(program.text)
        else:
            assert len(states(program.text)) <= MOST_STATES, program.name


@pytest.mark.slow
def test_programs_of_the_whole_set_parse_and_are_small() -> None:
    for program in sample(4000, seed=1):
        try:
            assert len(states(program.text)) <= MOST_STATES, program.name
        except Fault:
            assert is_restrained(program), program.name


def test_a_member_of_a_union_has_the_states_that_it_has_alone() -> None:
    members = [program for program in fast() if not program.alone][::40]
    unit = union(members)
    found = Counter(state.globals[0] for state in states(unit.text))
    assert found[0] == 1  # before init has chosen
    for number, program in enumerate(members, 1):
        alone = states(program.text)
        # init dies last: that is a step more where all processes are gone
        gone = sum(1 for state in alone if not state.processes)
        assert found[number] == len(alone) + gone, program.name


def test_units_have_every_program_once() -> None:
    found: list[SmallProgram] = []
    chosen = fast()[::7]
    for unit in units(chosen, 20):
        if isinstance(unit, Unit):
            assert len(unit.members) <= 20
            assert len({member.visible for member in unit.members}) == 1
            found += unit.members
        else:
            assert unit.alone
            found.append(unit)
    assert sorted(p.name for p in found) == sorted(p.name for p in chosen)
