"""A key that is equal only to one of the very same object."""

from __future__ import annotations

from whorl.sharing import Same


def test_the_same_object() -> None:
    one, other = [1], [1]
    assert Same(one) == Same(one)
    assert hash(Same(one)) == hash(Same(one))
    assert Same(one) != Same(other)
    assert Same(one) != one
    cache = {Same(one): "one"}
    assert cache.get(Same(one)) == "one"
    assert cache.get(Same(other)) is None


def test_a_key_keeps_its_object() -> None:
    """Otherwise another object could get its number."""
    key = Same([1])
    assert key.it == [1]
