"""Variables that take many values in random runs."""

from __future__ import annotations

from whorl.api import load
from whorl.program.semantics import Semantics
from whorl.simulate.values import many_valued


def names(text: str) -> list[str]:
    return [name for name, _, _ in many_valued(Semantics(load(text).program))]


def test_a_counter_that_decides_something() -> None:
    assert names("int x; init { do :: x++ :: x < 0 -> break od }") == ["x"]
    assert names("init { int x; do :: x++ :: x < 0 -> break od }") == ["init.x"]
    assert names("int x[2]; init { do :: x[1]++ :: x[1] < 0 -> break od }") == ["x[1]"]


def test_few_values_or_none_that_anybody_looks_at() -> None:
    assert names("byte x; init { do :: x < 50 -> x++ :: x = 0 od }") == []
    assert names("int x; init { do :: x++ od }") == []


def test_how_many_are_counted() -> None:
    text = "int x; init { do :: x < 150 -> x++ od }"
    assert many_valued(Semantics(load(text).program)) == [("x", 151, 10)]
