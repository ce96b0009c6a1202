"""What is done for a program before it runs is linear in its length."""

from __future__ import annotations

from collections.abc import Callable
from cProfile import Profile

import pytest

import whorl
from whorl.native.code.generate import generate
from whorl.native.job import selection_of
from whorl.program.semantics import Semantics
from whorl.program.walks import estimate
from whorl.reduction.plan import AUTO

OTHER = "active proctype Q() { x = 1 }"
SHAPES: dict[str, Callable[[int], str]] = {
    "statements": lambda n: "x++; " * n,
    "options": lambda n: "if " + "".join(f":: x == {i} -> x = {i}; " for i in range(n)) + "fi",
    "an atomic sequence": lambda n: (
        "atomic { " + "".join(f"if :: x == {i} -> x++ :: else fi; " for i in range(n)) + "}"
    ),
    "a loop": lambda n: (
        "do :: "
        + "".join(f"if :: x == {i} -> x = 1 :: else -> x = 2 fi; " for i in range(n))
        + "od"
    ),
    "many loops": lambda n: "do :: x++ :: break od; " * n,
    "labels": lambda n: "".join(f"L{i}: if :: x > {i} -> goto L0 :: else fi; " for i in range(n)),
    "variables of its own": lambda n: "".join(f"own[{i}] = own[{n - 1 - i}]; " for i in range(n)),
}


def calls(text: str) -> int:
    """How many functions are called to generate C for a model."""
    with Profile() as profile:
        semantics = Semantics(whorl.load(text).program)
        selection = selection_of(AUTO)
        generate(semantics, processes_most=2, channels_most=0, merge=True, selection=selection)
    return sum(entry.callcount for entry in profile.getstats())


def many_types(n: int) -> str:
    types = (f"active proctype T{i}(byte k) {{ own[_pid] = 1; own[k] = x }} " for i in range(n))
    return "int x, own[9]; " + "".join(types)


def test_four_times_as_many_process_types() -> None:
    short, long = (calls(many_types(n)) for n in (50, 200))
    assert long < 4 * short


def test_where_processes_are_started_is_found_in_one_pass() -> None:
    def asked(n: int) -> int:
        text = f"int x; proctype P() {{ skip }} init {{ {'x++; ' * n} run P() }}"
        semantics = Semantics(whorl.load(text).program)
        with Profile() as profile:
            estimate(semantics)
        return sum(entry.callcount for entry in profile.getstats())

    assert asked(400) < 5 * asked(100)


@pytest.mark.parametrize("shape", SHAPES)
def test_four_times_as_long_takes_about_four_times_as_long(shape: str) -> None:
    short, long = (
        calls(f"int x, own[{n}]; active proctype P() {{ {SHAPES[shape](n)} }} {OTHER}")
        for n in (20, 80)
    )
    assert long < 4 * short
