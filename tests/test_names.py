"""Names: no two public classes share one, and words that were given up do not come back.

The glossary has the words. Strings count as well: the generator writes C identifiers in them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "whorl"
FILES = sorted(path for ending in ("*.py", "*.h", "*.c") for path in SOURCE.rglob(ending))

# Words of our own, each with the term that took its place.
GIVEN_UP = {
    "turn": "index of a transition",
    "meeting": "dependency",
    "quiet": "deterministic",
    "wake": "make deterministic",
    "settle": "phase 1",
}
FORMS = re.compile(r"(turn|meet|meeting|wake)s?|woken|quiet|(un)?settl(e|es|ed|ing)")
OPTION = ("cli", "quiet")  # --quiet

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_IDENTIFIER = re.compile(r"\b[A-Za-z]\w*\b")
_C_IDENTIFIER = re.compile(r"\bwhorl_\w+", re.IGNORECASE)
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


def identifiers(path: Path) -> set[str]:
    """The identifiers of a file, and those of C in its strings."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        return set(_IDENTIFIER.findall(_COMMENT.sub("", text)))
    return {*of_python(text), *_C_IDENTIFIER.findall(text)}


def of_python(text: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Name(id=name) | ast.arg(arg=name) | ast.Attribute(attr=name):
                yield name
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.alias(name=name, asname=other):
                yield from (*name.split("."), other or "")


def given_up(identifier: str) -> bool:
    """Whether one of the words that an identifier is made of was given up."""
    return any(FORMS.fullmatch(word.lower()) for word in _WORD.findall(identifier))


def public_classes(text: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield node.name


def test_no_two_public_classes_share_a_name() -> None:
    places: dict[str, list[str]] = {}
    for path in SOURCE.rglob("*.py"):
        for name in public_classes(path.read_text(encoding="utf-8")):
            places.setdefault(name, []).append(str(path.relative_to(SOURCE)))
    shared = [f"{name}: {', '.join(sorted(p))}" for name, p in places.items() if len(p) > 1]
    assert not shared, "name one of them by what sets it apart:\n" + "\n".join(sorted(shared))


def test_no_identifier_has_a_word_that_was_given_up() -> None:
    wrong = [
        f"{place}: {name}"
        for path in FILES
        for place in [path.relative_to(SOURCE).as_posix()]
        for name in sorted(identifiers(path))
        if given_up(name) and (place.split("/")[0], name) != OPTION
    ]
    terms = ", ".join(f"{word}: {term}" for word, term in GIVEN_UP.items())
    assert not wrong, f"use the field's terms ({terms}):\n" + "\n".join(wrong)


@pytest.mark.parametrize(
    "name",
    ["turn", "LAST_TURN", "whorl_turns_of", "Meeting", "_wakes", "SettlingScheme", "is_unsettled",
     "WHORL_ANY_QUIET", "whorl_woken"],
)  # fmt: skip
def test_a_word_that_was_given_up_is_found(name: str) -> None:
    assert given_up(name)


@pytest.mark.parametrize("name", ["noreturn", "returning", "turned", "met", "quietly"])
def test_other_words_are_none(name: str) -> None:
    assert not given_up(name)


def test_identifiers_in_strings_and_headers_are_read(tmp_path: Path) -> None:
    module, header = tmp_path / "a.py", tmp_path / "a.h"
    module.write_text(
        '"""A turn."""\nimport a.b as c\nx.y = [f"static whorl_turns[] {z}" for z in w]\n'
    )
    header.write_text("/* whorl_meet */ static int whorl_quiet;")
    assert identifiers(module) == {"a", "b", "c", "x", "y", "z", "w", "whorl_turns"}
    assert identifiers(header) == {"static", "int", "whorl_quiet"}
