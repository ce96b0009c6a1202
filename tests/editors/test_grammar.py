"""The TextMate grammar of the VS Code extension, in the tokenizer that VS Code has."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

import pytest

from whorl.promela.ltl import BINARY, UNARY
from whorl.promela.stream import KEYWORDS, PREDEFINED, TYPES

ROOT = Path(__file__).parents[2]
GRAMMAR = ROOT / "editors" / "vscode" / "syntaxes" / "promela.tmLanguage.json"
PACKAGES = ("vscode-textmate@9", "vscode-oniguruma@2")
SECONDS = 120

Token = tuple[int, str, list[str]]


@pytest.fixture(scope="module")
def packages(pytestconfig: pytest.Config) -> Path:
    """The folder of the tokenizer's packages, which npm fetches once."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        pytest.skip("needs node and npm")
    kept = pytestconfig.rootpath / ".pytest_cache" / "textmate"
    if not (kept / "node_modules").is_dir():
        kept.parent.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(dir=kept.parent) as place:
            command = [npm, "install", "--no-audit", "--no-fund", "--prefix", place, *PACKAGES]
            done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
            if done.returncode != 0:
                pytest.skip(f"npm cannot fetch the tokenizer: {done.stderr.strip()[-200:]}")
            if not kept.is_dir():
                shutil.copytree(place, kept, dirs_exist_ok=True)
    return kept / "node_modules"


@cache
def tokens(text: str, packages: Path) -> list[Token]:
    """The tokens of a text, each with its line and its scopes."""
    script = Path(__file__).with_name("tokenize.js")
    done = subprocess.run(
        ["node", str(script), str(GRAMMAR)],
        input=text,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        env={**os.environ, "NODE_PATH": str(packages)},
        check=True,
    )
    return [(line, word, scopes) for line, word, scopes in json.loads(done.stdout)]


MODEL = r"""// a line: do if
/* a block
   proctype { */ byte x;
#include "part.h"
#define LIMIT 3 /* three */
#define big(a) \
    (a > LIMIT && true)
#ifndef N
#endif
mtype:colour = { red, green };
typedef Point { byte x; short y };
chan c = [LIMIT] of { mtype, Point };
inline step(by) { x = x + by }
active [2] proctype P(byte me) provided (x < 9) {
again:  if
    :: c!red, p -> goto again
    :: c?eval(red), p :: c??[green, _] :: c!!green, p
    :: else -> printf("n = %d\n", _pid)
    :: !flag && x != 'a' -> run Q(1); step(2)
    fi unless { timeout }
    c_code { int i = 1; if (i) { now.x = "}"[0]; } } x++
}
ltl live { [] (x > 0 -> <> P[0]@again) && (p U !q) /* do */ }
byte after = 1 << 2;
"""


def scopes(packages: Path, line: str, word: str, nth: int = 0) -> str:
    """The scopes of a word in the line of MODEL that has a text, as one string."""
    number = next(n for n, row in enumerate(MODEL.split("\n")) if line in row)
    found = [s for n, text, s in tokens(MODEL, packages) if n == number and text.strip() == word]
    assert len(found) > nth, [t for t in tokens(MODEL, packages) if t[0] == number]
    return " ".join(found[nth])


@pytest.mark.parametrize(
    ("line", "word", "scope"),
    [
        ("a line", "a line: do if", "comment.line"),
        ("proctype {", "proctype {", "comment.block"),
        ("*/ byte x", "byte", "storage.type"),
        ("part.h", "include", "keyword.control.directive"),
        ("part.h", '"part.h"', "string.quoted"),
        ("LIMIT 3", "LIMIT", "entity.name.function.preprocessor"),
        ("LIMIT 3", "3", "meta.preprocessor.promela constant.numeric"),
        ("LIMIT 3", "three", "comment.block"),
        ("&& true", "true", "meta.preprocessor.promela constant.language"),
        ("ifndef", "N", "entity.name.function.preprocessor"),
        ("colour", "mtype", "storage.type"),
        ("colour", "colour", "entity.name.type"),
        ("Point {", "Point", "entity.name.type.typedef"),
        ("chan c", "of", "storage.modifier"),
        ("inline step", "step", "entity.name.function.inline"),
        ("inline step", "+", "keyword.operator.arithmetic"),
        ("proctype P", "active", "storage.modifier"),
        ("proctype P", "P", "entity.name.type.proctype"),
        ("proctype P", "provided", "storage.modifier"),
        ("again:  if", "again", "entity.name.label"),
        ("again:  if", "if", "keyword.control"),
        ("c!red", "::", "keyword.operator.option"),
        ("c!red", "!", "keyword.operator.channel"),
        ("c!red", "->", "keyword.operator.arrow"),
        ("c!red", "goto", "keyword.control"),
        ("c!red", "again", "entity.name.label"),
        ("c?eval", "?", "keyword.operator.channel"),
        ("c?eval", "??", "keyword.operator.channel"),
        ("c?eval", "!!", "keyword.operator.channel"),
        ("c?eval", "eval", "support.function"),
        ("else", "else", "keyword.control"),
        ("else", "printf", "support.function"),
        ("else", "%d", "string.quoted.double.promela constant.other.placeholder"),
        ("else", "\\n", "constant.character.escape"),
        ("else", "_pid", "variable.language"),
        ("!flag", "!", "keyword.operator.logical"),
        ("!flag", "!=", "keyword.operator.comparison"),
        ("!flag", "'a'", "string.quoted.single"),
        ("!flag", "run", "keyword.control"),
        ("!flag", "Q", "entity.name.type.proctype"),
        ("!flag", "step", "entity.name.function.call"),
        ("unless", "unless", "keyword.control"),
        ("unless", "timeout", "variable.language"),
        ("c_code", "c_code", "keyword.other.embedded"),
        ("c_code", "++", "keyword.operator.increment"),
        ("ltl live", "live", "entity.name.function.ltl"),
        ("ltl live", "[]", "meta.formula.promela keyword.operator.temporal"),
        ("ltl live", "<>", "keyword.operator.temporal"),
        ("ltl live", "U", "keyword.operator.temporal"),
        ("ltl live", "->", "keyword.operator.logical"),
        ("ltl live", "!", "keyword.operator.logical"),
        ("ltl live", "again", "entity.name.label"),
        ("ltl live", "do", "comment.block"),
        ("byte after", "byte", "storage.type"),
        ("byte after", "<<", "keyword.operator.arithmetic"),
    ],
)
def test_scopes(packages: Path, line: str, word: str, scope: str) -> None:
    assert scope in scopes(packages, line, word)


def test_embedded_c_is_c_up_to_its_own_brace(packages: Path) -> None:
    row = [t for t in tokens(MODEL, packages) if "c_code" in MODEL.split("\n")[t[0]]]
    inside = "".join(text for _, text, found in row if "meta.embedded.block.c" in found)
    assert inside == ' int i = 1; if (i) { now.x = "}"[0]; } '


def test_no_scope_leaks_out_of_a_formula(packages: Path) -> None:
    last = [t for t in tokens(MODEL, packages) if "byte after" in MODEL.split("\n")[t[0]]]
    assert not any("formula" in scope for _, _, found in last for scope in found)


def test_every_word_of_the_lexer_has_a_scope(packages: Path) -> None:
    words = sorted(KEYWORDS | PREDEFINED)
    # c_code, ltl and their like begin something that only their braces end.
    alone = [word for word in words if word not in ("ltl", "c_code", "c_expr", "c_decl")]
    plain = {w.strip(): found for _, w, found in tokens("\n".join(alone), packages)}
    assert [word for word in alone if not plain.get(word)] == []
    for kind in TYPES:
        assert plain[kind] == ["storage.type.promela"]
    others = [word for word in words if word not in alone]
    found = tokens("\n".join(f"{word} {{ x }}" for word in others), packages)
    assert [word for _, word, scopes in found if word in others and scopes] == others


def test_every_operator_of_formulas_has_a_scope(packages: Path) -> None:
    words = [*UNARY, *BINARY]
    found = tokens("\n".join(f"ltl p {{ (a) {word} (b) }}" for word in words), packages)
    for number, word in enumerate(words):
        (own,) = [scopes for n, text, scopes in found if n == number and text.strip() == word]
        assert any(scope.startswith("keyword.operator") for scope in own), word


def test_words_that_are_none_have_no_scope(packages: Path) -> None:
    words = ["iffy", "odd", "lent", "xdo", "forty", "bytes", "Ux"]
    found = tokens("\n".join(words), packages)
    assert found == [(number, word, []) for number, word in enumerate(words)]


def test_the_grammar_names_no_word_that_the_lexer_does_not_know() -> None:
    grammar = json.loads(GRAMMAR.read_text(encoding="utf-8"))
    listed: set[str] = set()
    for pattern in grammar["repository"]["words"]["patterns"]:
        listed |= set(re.findall(r"\w+", pattern["match"].replace("\\b", " ")))
    assert listed - KEYWORDS - PREDEFINED == {"in", "_", "_priority"}
