"""Names for variables that share one, in different blocks of a process."""

from __future__ import annotations

import pytest

from whorl.api import load
from whorl.program.naming import in_scope
from whorl.program.program import VariableInfo


def variables(text: str) -> tuple[VariableInfo, ...]:
    return load(text).program.processes[0].variables


def test_a_name_that_is_used_once_needs_no_tag() -> None:
    assert [v.tag for v in variables("init { byte x; { byte y; skip } }")] == ["", ""]


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("init {\n { byte x; skip };\n { byte x; skip } }", ["@2", "@3"]),
        ("init { { byte x; skip }; { byte x; skip } }", ["@1:15", "@1:33"]),
        ("inline f() { byte x; skip }\ninit {\n f();\n f() }", ["@3", "@4"]),
    ],
)
def test_tags_tell_them_apart(text: str, tags: list[str]) -> None:
    assert [v.tag for v in variables(text)] == tags


def test_which_can_be_in_scope_together() -> None:
    side_by_side = variables("init {\n { byte x; skip };\n { byte x; skip } }")
    assert [v.overlaps for v in side_by_side] == [False, False]
    nested = variables("init {\n byte x;\n { byte x; skip } }")
    assert [v.overlaps for v in nested] == [True, True]


def test_scope() -> None:
    outer, inner = variables("init {\n byte x;\n { byte y; skip } }")
    assert in_scope(outer, ())
    assert in_scope(outer, inner.blocks)
    assert in_scope(inner, (*inner.blocks, 7))
    assert not in_scope(inner, ())
