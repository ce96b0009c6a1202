"""What is told of a model without parsing it is what the parser would say."""

from __future__ import annotations

from pathlib import Path

import pytest

import whorl
from whorl.promela.skim import claim_blocks, claim_names, comments

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.pml"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_claims_are_those_of_the_parser(path: Path) -> None:
    program = whorl.load(path).program
    names = [f.name for f in program.formulas] + [never.name for never in program.never]
    assert claim_names(path) == names


def test_claims_without_a_name_have_that_of_the_parser() -> None:
    text = "int x;\nltl { [] (x == 0) }\nltl a { <> (x == 0) }\nltl { x == 0 }\ninit { x = 0 }\n"
    names = [formula.name for formula in whorl.load(text).program.formulas]
    assert [block.name for block in claim_blocks(text)] == names


@pytest.mark.parametrize(
    "text",
    [
        "/* ltl a { x } */",
        "// ltl a { x }",
        'init { printf("ltl a { x }") }',
        r'init { printf("\"ltl a { x }") }',
        "int built_ltl; xltl a { }",
        "/* ltl a { x }",  # without an end
    ],
)
def test_what_is_no_claim(text: str) -> None:
    assert claim_blocks(text) == []


def test_a_claim_ends_at_its_own_brace() -> None:
    text = "never n { do :: { x } /* } */ od } int y; /* after */"
    (block,) = claim_blocks(text)
    assert text[block.start : block.end] == "never n { do :: { x } /* } */ od }"


def test_a_comment_in_a_string_is_none() -> None:
    found = [c.text for c in comments('printf("/* no */"); /* yes */ // and "this"\n')]
    assert found == ["/* yes */", '// and "this"']


def test_claims_of_included_files(tmp_path: Path) -> None:
    (tmp_path / "a.pml").write_text('#include "b.pml"\nltl a { x }')
    (tmp_path / "b.pml").write_text('#include "a.pml"\n#include "none.pml"\nltl b { x }')
    assert claim_names(tmp_path / "a.pml") == ["a", "b"]


def test_a_model_that_cannot_be_read_has_none(tmp_path: Path) -> None:
    (tmp_path / "binary.pml").write_bytes(bytes(range(256)))
    assert claim_names(tmp_path / "none.pml") == []
    assert claim_names(tmp_path) == []
    assert claim_names(tmp_path / "binary.pml") == []
