"""What is shown of a name."""

from __future__ import annotations

import pytest

from whorl.diagnostics import Source
from whorl.language_server.describe import describe
from whorl.language_server.indexing import make_index
from whorl.language_server.reading import read
from whorl.language_server.words import OPERATORS, WORDS
from whorl.promela.ltl import BINARY, UNARY
from whorl.promela.stream import KEYWORDS, PREDEFINED

TEXT = """#define N 3
#define both(a, b) (a && b)
mtype:colour = { red, green };
typedef Point { byte x; short y };
/* How far it has come. */
#define far (p.x > N)
chan c = [N] of { mtype:colour, byte };
chan sync = [0] of { bit };
bool flag = true;
byte count[N];
unsigned small : 5;
Point p;
inline step(by) { p.x = p.x + by }
active [2] proctype P(byte a; short b, d) { int i; label: i = _pid; step(1) }
init { if :: both(flag, far) -> goto last :: timeout fi; last: skip }
ltl safe { [] (small != 31) U flag }
"""


def shown(word: str, nth: int = 0) -> str:
    place = -1
    for _ in range(nth + 1):
        place = TEXT.index(word, place + 1)
    reading = read(Source("model.pml", TEXT))
    found = describe(reading, make_index(reading), reading.source, place)
    assert found is not None
    assert found.span.text in word
    return found.text


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("flag", ["bool flag = true", "global", "0 .. 1"]),
        ("count", ["byte count[3]", "0 .. 255", "3 elements"]),
        ("small", ["unsigned small : 5", "0 .. 31"]),
        ("c =", ["chan c = [3] of { mtype:colour, byte }", "holds 3 messages", "2 fields"]),
        ("sync", ["rendezvous"]),
        ("red", ["mtype:colour red", "the number 2"]),
        ("colour", ["mtype set"]),
        ("N", ["#define N 3"]),
        ("both", ["#define both(a, b) (a && b)"]),
        ("far (", ["#define far (p.x > N)", "How far it has come."]),
        ("Point", ["typedef Point { byte x; short y }"]),
        ("y }", ["short y", "field of `Point`", "-32768 .. 32767"]),
        ("step", ["inline step(by)"]),
        ("by)", ["parameter of `step`"]),
        ("P(", ["active [2] proctype P(byte a; short b, d)"]),
        ("i;", ["int i", "local of `P`", "-2147483648 .. 2147483647"]),
        ("b, d", ["short b", "parameter of `P`"]),
        ("label", ["label of `P`"]),
        ("last", ["label of `init`"]),
        ("safe", ["ltl safe { [] (small != 31) U flag }"]),
        ("_pid", ["number of this process"]),
        ("timeout", ["no process can move"]),
        ("U", ["q comes"]),
        ("typedef", ["record type"]),
    ],
)
def test_what_is_shown(word: str, parts: list[str]) -> None:
    text = shown(word)
    for part in parts:
        assert part in text


def test_the_use_of_a_macro_shows_what_it_stands_for() -> None:
    assert "Here it stands for `(p.x > 3)`" in shown("far)")


def test_every_word_of_the_language_is_explained() -> None:
    assert WORDS.keys() >= KEYWORDS | PREDEFINED
    assert {word for word in (*UNARY, *BINARY) if word.isidentifier()} <= OPERATORS.keys()
