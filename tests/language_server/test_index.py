"""Where names are defined and used; what an outline, lenses and completions have."""

from __future__ import annotations

from pathlib import Path

import pytest

from whorl.diagnostics import Source
from whorl.language_server.completion import completions
from whorl.language_server.index import EntityKind, NameIndex
from whorl.language_server.indexing import make_index
from whorl.language_server.lenses import lenses
from whorl.language_server.outline import ItemKind, folds, outline
from whorl.language_server.reading import ModelReading, read
from whorl.promela.lexer import lex
from whorl.promela.stream import KEYWORDS, PREDEFINED

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.pml"))

TEXT = """#define N 2
typedef Point { byte x; byte y };
Point p;
chan c = [1] of { byte };
inline move(by) { p.x = p.x + by }
active [N] proctype P() {
    byte i;
again:
    if
    :: i < N -> move(i); goto again
    :: else
    fi
}
never { do :: true od }
ltl near { [] (p.x < N) }
"""


def both(text: str = TEXT) -> tuple[ModelReading, NameIndex]:
    reading = read(Source("model.pml", text))
    return reading, make_index(reading)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_name_of_an_example_means_something(path: Path) -> None:
    """The lexer says what names there are, and the index knows each of them."""
    reading = read(Source(str(path), path.read_text(encoding="utf-8")))
    index = make_index(reading)
    others = KEYWORDS | PREDEFINED | {"_", "define", "ifndef", "ifdef", "endif", "undef", "else"}
    words = {"U", "W", "V", "X", "always", "eventually", "until", "in"}
    unknown = [
        token.text
        for token in lex(reading.source)
        if token.kind == "name"
        and token.text not in others | words
        and not index.at(reading.source, token.span.start)
    ]
    assert not unknown


@pytest.mark.parametrize(
    ("word", "kind", "line", "uses"),
    [
        ("N", EntityKind.MACRO, 1, 3),
        ("x;", EntityKind.FIELD, 2, 3),
        ("p;", EntityKind.VARIABLE, 3, 3),
        ("move", EntityKind.INLINE, 5, 1),
        ("i;", EntityKind.VARIABLE, 7, 2),
        ("again", EntityKind.LABEL, 8, 1),
        ("near", EntityKind.FORMULA, 15, 0),
    ],
)
def test_definitions_and_uses(word: str, kind: EntityKind, line: int, uses: int) -> None:
    reading, index = both()
    (entity,) = index.at(reading.source, TEXT.index(word))
    assert entity.kind is kind
    assert [span.line for span in entity.definitions] == [line]
    assert len(entity.uses) == uses


def test_a_place_behind_a_name_is_its_own() -> None:
    reading, index = both()
    place = TEXT.index("p.x")
    assert [e.name for e in index.at(reading.source, place + 1)] == ["p"]
    assert [e.name for e in index.at(reading.source, place + 2)] == ["x"]
    assert index.at(reading.source, TEXT.index("= [1]")) == []


def test_outline() -> None:
    reading, _ = both()
    items = outline(reading, reading.source)
    assert [(item.kind, item.name) for item in items] == [
        (ItemKind.MACRO, "N"),
        (ItemKind.TYPE, "Point"),
        (ItemKind.VARIABLE, "p"),
        (ItemKind.CHANNEL, "c"),
        (ItemKind.INLINE, "move"),
        (ItemKind.PROCESS, "P"),
        (ItemKind.CLAIM, "never"),
        (ItemKind.FORMULA, "near"),
    ]
    process = items[5]
    assert [child.name for child in process.children] == ["i", "again"]
    assert (process.span.line, reading.source.line_number(process.span.end)) == (6, 13)
    assert [child.name for child in items[1].children] == ["x", "y"]
    for item in items:
        assert item.span.start <= item.name_span.start
        assert item.name_span.end <= item.span.end


def test_folds() -> None:
    reading, index = both()
    assert folds(index, reading.source) == [(8, 11), (5, 12)]


def test_lenses() -> None:
    reading, _ = both()
    found = [(lens.claim, lens.span.line) for lens in lenses(reading, reading.source)]
    assert found == [(None, 1), ("near", 15), ("never", 14)]
    broken, _ = both(TEXT.replace("byte i", "byte j"))
    assert lenses(broken, broken.source) == []


@pytest.mark.parametrize(
    ("before", "wanted", "unwanted"),
    [
        ("    if", {"i", "p", "c", "move", "do", "atomic", "N"}, {"by", "x"}),
        ("x = p.x +", {"x", "y"}, {"i", "do"}),
        ("again\n    :: else", {"again"}, {"i", "do"}),
        ("p.x = p", {"by", "p"}, {"i"}),
    ],
)
def test_completions(before: str, wanted: set[str], unwanted: set[str]) -> None:
    reading, index = both()
    place = TEXT.index(before)
    place += len("x = p.") if before.startswith("x = p.") else 0
    labels = {s.label for s in completions(reading, index, reading.source, place)}
    assert wanted <= labels
    assert not unwanted & labels
