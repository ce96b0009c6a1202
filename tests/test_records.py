"""Dataclasses that load quickly behave as those of the standard library."""

from __future__ import annotations

import dataclasses
import pickle

import pytest

from whorl.records import dataclass


@dataclass(frozen=True, slots=True)
class Point:
    x: int
    y: int = 0
    seen: list[int] = dataclasses.field(default_factory=list, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Other:
    x: int
    y: int = 0


@dataclass(frozen=True, slots=True)
class Nothing:
    pass


@dataclass(slots=True)
class Open:
    x: int


@dataclass(slots=True, eq=False)
class Itself:
    x: int


@dataclass(frozen=True, slots=True)
class Own:
    x: int

    def __repr__(self) -> str:
        return "mine"

    def __hash__(self) -> int:
        return 7


def test_values_are_equal_by_their_fields() -> None:
    assert Point(1, 2) == Point(1, 2, [5])
    assert hash(Point(1, 2)) == hash(Point(1, 2, [5]))
    assert Point(1, 2) != Point(2, 1)
    other: object = Other(1, 2)
    assert Point(1, 2) != other
    assert Nothing() == Nothing()
    assert len({Nothing(), Nothing(), Point(1), Point(1), Other(1)}) == 3


def test_what_can_change_has_no_hash() -> None:
    assert Open(1) == Open(1)
    with pytest.raises(TypeError, match="unhashable"):
        hash(Open(1))
    assert Itself(1) != Itself(1)
    assert len({Itself(1), Itself(1)}) == 2


def test_methods_of_the_class_itself_stay() -> None:
    assert repr(Own(1)) == "mine"
    assert hash(Own(1)) == 7
    assert Own(1) == Own(1)


def test_they_are_dataclasses() -> None:
    point = Point(1)
    assert repr(point) == "Point(x=1, y=0)"
    assert dataclasses.replace(point, y=3) == Point(1, 3)
    assert [f.name for f in dataclasses.fields(point)] == ["x", "y", "seen"]
    assert pickle.loads(pickle.dumps(point)) == point
    assert not hasattr(point, "__dict__")
    match point:
        case Point(1, y):
            assert y == 0
        case _:
            pytest.fail("it has no positions")
