"""Renaming changes how a thing is called and nothing else, or is refused."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from whorl.diagnostics import Source, Span
from whorl.language_server.index import Entity, NameIndex
from whorl.language_server.indexing import make_index
from whorl.language_server.reading import ModelReading, read
from whorl.language_server.renaming import CannotRename, apply, renamable, rename

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.pml"))
SPIN = Path("/usr/share/doc/spin/examples/Examples")
OF_SPIN = sorted(SPIN.rglob("*.pml")) if SPIN.is_dir() else []
NEW = "zz_new"


def read_model(text: str, name: str = "model.pml") -> tuple[ModelReading, NameIndex]:
    reading = read(Source(name, text))
    return reading, make_index(reading)


def renamed(text: str, word: str, new: str = NEW, nth: int = 0, name: str = "model.pml") -> str:
    """The text after renaming what stands at the nth place of a word."""
    places = [match.start() for match in re.finditer(rf"\b{word}\b", text)]
    reading, index = read_model(text, name)

    def again(texts: Mapping[Path, str]) -> ModelReading:
        (changed,) = texts.values()
        return read(Source(name, changed))

    return apply(text, rename(reading, index, reading.source, places[nth], new, again))


def shape(value: object, names: re.Pattern[str]) -> object:
    """A program without places in the text, and with one name for the old and the new."""
    if isinstance(value, Span | Source):
        return None
    if dataclasses.is_dataclass(value):
        fields = (f.name for f in dataclasses.fields(value))
        return type(value).__name__, [shape(getattr(value, name), names) for name in fields]
    if isinstance(value, dict):
        return [(shape(key, names), shape(item, names)) for key, item in value.items()]
    if isinstance(value, list | tuple):
        return [shape(item, names) for item in value]
    if isinstance(value, str):
        return names.sub("?", value)
    return repr(value)


def fresh(entity: Entity, text: str) -> str:
    """A name that nothing has, with the prefix that gives a label its meaning.

    It is as long as the old one: as in Spin, the locations of a `select` depend on that.
    """
    head = ""
    for prefix in ("end", "accept", "progress"):
        if entity.kind.value == "label" and entity.name.startswith(prefix):
            head = prefix
    length = max(1, len(entity.name) - len(head))
    for letter in "zqjkwQJK":
        if not re.search(rf"\b{head}{letter * length}\b", text):
            return f"{head}{letter * length}"
    raise AssertionError("no name is free")


def check_every_name(path: Path) -> int:
    """Renames everything in a model; the program must stay the same. How much was refused."""
    text = path.read_text(encoding="utf-8", errors="replace")
    reading = read(Source(str(path), text), base=path.parent)
    assert reading.program is not None
    index = make_index(reading)
    refused = 0
    after: list[ModelReading] = []

    def again(texts: Mapping[Path, str]) -> ModelReading:
        changed = texts.get(path.resolve(), text)
        after.append(read(Source(str(path), changed), base=path.parent, buffers=texts))
        return after[-1]

    for entity in index.entities:
        spans = [span for span in entity.places if span.source is reading.source]
        if not spans:
            continue
        new = fresh(entity, text)
        try:
            edits = rename(reading, index, reading.source, spans[0].start, new, again)
        except CannotRename:
            refused += 1
            continue
        assert {(edit.span.source, edit.span.start) for edit in edits} >= {
            (span.source, span.start) for span in spans
        }
        names = re.compile(rf"\b(?:{re.escape(entity.name)}|{new})\b")
        assert shape(after[-1].program, names) == shape(reading.program, names), entity.name
    return refused


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_name_of_an_example_can_be_renamed(path: Path) -> None:
    assert check_every_name(path) == 0


@pytest.mark.slow
@pytest.mark.parametrize("path", OF_SPIN, ids=lambda path: path.stem)
def test_every_name_of_an_example_of_spin(path: Path) -> None:
    text = path.read_text(encoding="utf-8", errors="replace")
    if read(Source(str(path), text), base=path.parent).program is None:
        pytest.skip("no model that whorl takes")
    check_every_name(path)


# --- where names stand ----------------------------------------------------------------------------


def test_a_local_variable_is_renamed_in_its_scope_alone() -> None:
    text = """byte x;
active proctype P() { byte y; { byte x; x = 1 } x = 2; y = x }
active proctype Q() { byte y; y = x }
"""
    assert renamed(text, "x", nth=1).splitlines() == [
        "byte x;",
        "active proctype P() { byte y; { byte zz_new; zz_new = 1 } x = 2; y = x }",
        "active proctype Q() { byte y; y = x }",
    ]
    assert "byte zz_new; y = x }" not in renamed(text, "y")
    assert renamed(text, "y", nth=2).count("zz_new") == 2


def test_remote_references_and_repeated_atoms_follow() -> None:
    text = """active proctype P() { byte n; here: n = 1 }
ltl a { [] (P:n > 0 -> <> (P:n > 0)) && <> P@here && [] P@here }
"""
    assert renamed(text, "n").count("zz_new") == 4
    assert renamed(text, "here").count("zz_new") == 3
    assert renamed(text, "P").count("zz_new") == 5
    assert renamed(text, "a").count("zz_new") == 1


def test_the_body_of_a_macro_follows() -> None:
    text = """#define high (level > LIMIT && at(level))
#define LIMIT 3
#define at(v) (v != 7)
byte level;
init { level = LIMIT; assert(!high) }
"""
    assert renamed(text, "level", nth=2) == text.replace("level", NEW)
    assert renamed(text, "LIMIT", nth=1) == text.replace("LIMIT", NEW)
    assert renamed(text, "v") == text.replace("(v", f"({NEW}")
    assert renamed(text, "high") == text.replace("high", NEW)


def test_a_name_in_an_inline_is_bound_to_all_that_call_it() -> None:
    text = """inline up(by) { count = count + by }
active proctype P() { byte count; up(1) }
active proctype Q() { byte count; byte d = 2; up(d) }
"""
    assert renamed(text, "count", nth=2) == text.replace("count", NEW)
    assert renamed(text, "by") == text.replace("by)", f"{NEW})").replace("+ by", f"+ {NEW}")
    assert renamed(text, "d") == text.replace("byte d", f"byte {NEW}").replace("(d)", f"({NEW})")


def test_fields_and_types_and_mtypes() -> None:
    text = """mtype:colour = { red, green };
typedef Point { byte x; byte y };
typedef Line { Point from; Point to };
byte x;
chan c = [1] of { mtype:colour, Point };
init { Line l; mtype:colour k = red; l.from.x = x; l.to.x = l.from.y; k = green; c!red, l.to }
"""
    assert renamed(text, "x").count(NEW) == 3
    assert renamed(text, "x", nth=1).count(NEW) == 2
    assert renamed(text, "Point") == text.replace("Point", NEW)
    assert renamed(text, "red") == text.replace("red", NEW)
    assert renamed(text, "colour") == text.replace("colour", NEW)


def test_text_that_is_no_part_of_the_model_follows() -> None:
    text = """byte x;
#if 0
byte y = x;
#endif
inline unused() { x = 1 }
inline ignores(a) { skip }
init { x = 2; ignores(x) }
"""
    assert renamed(text, "x") == text.replace("x", NEW)


# --- what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "word", "new", "why"),
    [
        ("byte x, y; init { x = y }", "x", "y", "already the name of a variable"),
        ("byte x; init { byte y; x = y }", "x", "y", "already the name of a variable"),
        ("byte x; init { byte y; x = y }", "y", "x", "already the name of a variable"),
        ("byte x; init { x = 1 }", "x", "do", "is a word of Promela"),
        ("byte x; init { x = 1 }", "x", "timeout", "is a word of Promela"),
        ("byte x; init { x = 1 }", "x", "1a", "cannot be a name"),
        ("byte x; init { x = 1 }", "x", "", "cannot be a name"),
        ("byte x; init { x = 1 }", "x", "U", "operator in formulas"),
        ("byte x; init { x = 1 }", "init", "go", "is a word of Promela"),
        ("byte x; init { x = 1 }", "x", "N", "already the name of a macro"),
        ("init { end: skip; goto end }", "end", "stop", "would change what is checked"),
        ("init { here: skip; goto here }", "here", "accept_x", "would change what is checked"),
        ("byte x; init { x = 1; c_code { now.x = 2; } }", "x", "y", "embedded C mentions it"),
        ("byte ab; init { paste(a, b) = 1 }", "ab", "cd", "is also made at"),
        ("mtype = { x }; mtype y; init { y = x }", "x", "y", "already the name of a variable"),
        ("proctype P() { skip } byte x; init { run P() }", "x", "P", "already the name of a proc"),
        ("init { a: skip; b: skip; goto a }", "a", "b", "already the name of a label"),
    ],
)
def test_what_is_refused(text: str, word: str, new: str, why: str) -> None:
    text = f"#define N 1\n#define paste(p, q) p ## q\n{text}\n"
    with pytest.raises(CannotRename, match=re.escape(why)):
        renamed(text, word, new)


def test_a_string_made_of_a_name_is_refused() -> None:
    text = "#define show(v) printf(#v)\nbyte x;\ninit { show(x); x = 1 }\n"
    with pytest.raises(CannotRename, match="would change what the model means"):
        renamed(text, "x")


def test_text_that_was_not_understood_may_have_the_name() -> None:
    text = "byte x;\ninit { x = 1 }\nltl p { <> x > 0 }\n"
    with pytest.raises(CannotRename, match="has errors"):
        renamed(text, "x")


def test_where_there_is_no_name() -> None:
    reading, index = read_model("byte x = 12; init { skip }")
    with pytest.raises(CannotRename, match="no name here"):
        renamable(index, reading.source, 9)
