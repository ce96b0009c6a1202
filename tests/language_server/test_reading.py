"""Any text is read: whatever an editor has, there is an answer."""

from __future__ import annotations

import contextlib
import random
from pathlib import Path

import pytest

from support.mutated import models, mutate, pieces
from whorl.diagnostics import Source
from whorl.formatter.layout import format_text, same_text
from whorl.language_server.completion import completions
from whorl.language_server.describe import describe
from whorl.language_server.indexing import make_index
from whorl.language_server.lenses import lenses
from whorl.language_server.outline import folds, outline
from whorl.language_server.positions import position
from whorl.language_server.reading import ModelReading, read
from whorl.language_server.renaming import CannotRename, rename

EXAMPLES = Path(__file__).parents[2] / "examples"


def ask_everything(text: str, places: int, seed: int = 0, base: Path | None = None) -> ModelReading:
    """Everything that an editor may ask of a text; nothing may be raised."""
    name = str((base or Path()) / "model.pml")
    reading = read(Source(name, text), base=base)
    index = make_index(reading)
    for diagnostic in reading.diagnostics:
        if diagnostic.span is not None:
            start = position(diagnostic.span.source, diagnostic.span.start)
            assert start <= position(diagnostic.span.source, diagnostic.span.end)
    outline(reading, reading.source)
    folds(index, reading.source)
    lenses(reading, reading.source)
    assert same_text(text, format_text(text))
    source = random.Random(seed)
    for _ in range(places):
        place = source.randint(0, len(text))
        describe(reading, index, reading.source, place)
        completions(reading, index, reading.source, place)
        with contextlib.suppress(CannotRename):
            rename(
                reading,
                index,
                reading.source,
                place,
                "zz_new",
                lambda texts: read(Source(name, next(iter(texts.values()))), base=base),
            )
    return reading


def truncated(name: str, step: int) -> None:
    """Asks of the beginnings of an example."""
    text = (EXAMPLES / f"{name}.pml").read_text(encoding="utf-8")
    for end in range(text.index("*/") + 2, len(text), step):
        ask_everything(text[:end], places=1, seed=end)


def mutated(first: int, count: int) -> None:
    for number in range(first, first + count):
        source = random.Random(number)
        model = source.choice(models())
        ask_everything(mutate(list(pieces(model)), source), 2, number, model.parent)


@pytest.mark.parametrize(("name", "step"), [("peterson_broken", 3), ("msi_cache", 47)])
def test_truncated(name: str, step: int) -> None:
    truncated(name, step)


def test_mutated() -> None:
    mutated(0, 60)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["msi_cache", "raft", "alternating_bit"])
def test_truncated_everywhere(name: str) -> None:
    truncated(name, 1)


@pytest.mark.slow
def test_many_mutated() -> None:
    mutated(1000, 2000)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        "\ufeff",
        "\x00",
        "/*",
        '"',
        "#",
        "#define",
        "#define f(",
        "#include",
        '#include "model.pml"',
        "ltl",
        "ltl {",
        "ltl p {}",
        "inline",
        "inline f(",
        "inline f() { f() } init { f() }",
        "typedef T { T t } T x; init { x.t.t = 1 }",
        "mtype = {",
        "c_code {",
        "init { " * 300,
        "init { assert(" + "(" * 3000,
        "#define a a a\ninit { a }",
        "byte \ud83d;",
        "byte x;\r\ninit { x = 1 }\r\n",
        "init { x:y:z: skip }",
        "proctype P() { skip } ltl p { P:x }",
    ],
)
def test_odd_texts(text: str) -> None:
    ask_everything(text, places=3)


def test_a_part_of_models_needs_no_process() -> None:
    reading = read(Source("part.h", "byte x;\nproctype P() { x = y }\n"))
    assert [d.message for d in reading.as_fragment()] == ["unknown variable 'y'"]
    assert len(reading.diagnostics) == 2
