"""The list of searches of a swarm: a function of its seed, with everything in it."""

from __future__ import annotations

from collections import Counter

import pytest

from whorl.native.swarm.listed import ARRANGEMENTS, LEAST_BITS, ListedSearch, SearchList, luby

MANY = range(1, 1200)


def test_sizes_follow_luby() -> None:
    exponents = [luby(number) for number in range(1, 17)]
    assert [2**e for e in exponents] == [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8, 1]


def test_every_size_gets_the_same_share() -> None:
    times = Counter(luby(number) for number in range(1, 2**10))
    assert {exponent: 2**exponent * count for exponent, count in times.items()} == dict.fromkeys(
        range(10), 2**9
    )


def test_a_seed_is_a_list() -> None:
    one = [SearchList(3)[number] for number in MANY]
    assert one == [SearchList(3)[number] for number in MANY]
    other = [SearchList(4)[number] for number in MANY]
    assert all(a.seed != b.seed for a, b in zip(one, other, strict=True))
    assert len({search.seed for search in one}) == len(one)


def test_the_list_is_the_same_in_the_next_release() -> None:
    """Otherwise commands that repeat a search do another one."""
    assert [SearchList(1)[number] for number in (1, 2, 3)] == [
        ListedSearch(1, 6189095953919786207, 20, "dfs", "shuffled", 9372),
        ListedSearch(2, 1011309096981842659, 20, "dfs", "written", None),
        ListedSearch(3, 9059392351414995176, 21, "dfs", "by-process", None),
    ]


def test_everything_occurs() -> None:
    searches = [SearchList(1)[number] for number in MANY]
    ways = Counter((search.order, search.arrangement) for search in searches)
    assert {arrangement for order, arrangement in ways if order == "dfs"} == set(ARRANGEMENTS)
    assert ("bfs", "shuffled") in ways
    assert min(ways.values()) > 40
    limits = [search.depth for search in searches if search.depth is not None]
    assert 0.3 < len(limits) / len(searches) < 0.6
    assert min(limits) < 50
    assert max(limits) > 10_000
    assert all(search.depth is None for search in searches if search.order == "bfs")


def test_limits_of_all() -> None:
    capped = SearchList(1, most_bits=22, most_depth=100)
    for number in MANY:
        search = capped[number]
        assert LEAST_BITS <= search.bits <= 22
        assert search.depth is not None
        assert search.depth <= 100
        assert search.seed == SearchList(1)[number].seed
    assert {SearchList(1, bits=25)[number].bits for number in MANY} == {25}


@pytest.mark.parametrize("number", [1, 2, 3, 17])
def test_words_and_settings_say_the_same(number: int) -> None:
    search = SearchList(9)[number]
    words = dict(zip(search.words[::2], search.words[1::2], strict=True))
    assert words.pop("--seed") == str(search.seed)
    assert words.pop("--arrange") == search.arrangement
    assert words.pop("--order") == search.order
    assert words.pop("--bits") == str(search.bits)
    assert words.pop("--max-depth", None) == (search.depth and str(search.depth))
    assert words == {}
    assert f"2^{search.bits} bits" in search.settings
    assert ("deep at most" in search.settings) == (search.depth is not None)
