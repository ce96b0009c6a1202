"""What the lexer takes for a token."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whorl.diagnostics import Source
from whorl.promela.lexer import Token, lex

LONG_OPERATORS = re.findall(r"\S+", "-> :: !! ?? << >> <= >= == != && || ++ -- .. ##")


def tokens(text: str) -> list[Token]:
    found = lex(Source("m.pml", text))
    assert found[-1].kind == "eof"
    return found[:-1]


def texts(text: str) -> list[str]:
    return [token.text for token in tokens(text)]


def shapes(text: str) -> list[tuple[str, str]]:
    return [(token.kind, token.text) for token in tokens(text)]


def test_a_statement() -> None:
    assert shapes('q!!msg(x_1) -> printf("a\\"b%d\\n", 10)') == [
        ("name", "q"),
        ("op", "!!"),
        ("name", "msg"),
        ("op", "("),
        ("name", "x_1"),
        ("op", ")"),
        ("op", "->"),
        ("name", "printf"),
        ("op", "("),
        ("string", '"a\\"b%d\\n"'),
        ("op", ","),
        ("number", "10"),
        ("op", ")"),
    ]


@pytest.mark.parametrize(
    "operator",
    [*LONG_OPERATORS, *"{}()[];:,.?!<>=+-*/%&|^~@#"],
)
def test_each_operator_is_one_token(operator: str) -> None:
    assert shapes(operator) == [("op", operator)]


def test_the_longest_operator_wins_and_temporal_operators_stay_apart() -> None:
    assert texts("???!!!") == ["??", "?", "!!", "!"]
    assert texts("[]<>p") == ["[", "]", "<", ">", "p"]
    assert texts("1..N") == ["1", "..", "N"]
    assert texts("a<<=b") == ["a", "<<", "=", "b"]


def test_comments_and_continued_lines_are_blanks() -> None:
    found = tokens("a/* b\n */c // d \\\n e\nf\\\ng\\  \r\nh")
    assert [token.text for token in found] == ["a", "c", "f", "g", "h"]
    assert [token.first_on_line for token in found] == [True, False, True, False, False]
    assert [token.spaced for token in found] == [False, True, True, True, True]


def test_places_with_either_line_end() -> None:
    for newline in ("\n", "\r\n"):
        found = tokens(f"a b{newline}  c")
        assert [(t.span.line, t.span.column) for t in found] == [(1, 1), (1, 3), (2, 3)]
        assert [t.span.text for t in found] == ["a", "b", "c"]


def test_a_byte_order_mark_is_skipped() -> None:
    assert shapes("\ufeffint x") == [("name", "int"), ("name", "x")]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12", 12),
        ("010", 10),
        ("'a'", 97),
        ("' '", 32),
        (r"'\n'", 10),
        (r"'\t'", 9),
        (r"'\r'", 13),
        (r"'\0'", 0),
        (r"'\\'", 92),
        (r"'\''", 39),
        (r"'\"'", 34),
        ("'\"'", 34),
    ],
)
def test_values(text: str, value: int) -> None:
    [token] = tokens(text)
    assert token.value == value


@pytest.mark.parametrize(
    ("text", "bad", "message", "hint"),
    [
        ('x "abc', '"abc', "string has no end", "'\"'"),
        ("x /* abc\n y", "/* abc\n y", "comment has no end", "*/"),
        ("a $ b", "$", "'$'", None),
        ("a \\ b", "\\", "'\\'", None),
        ("x = 0x1f;", "0x1f", "0x1f", "only decimal numbers: 31"),
        ("x = 2nd;", "2nd", "neither a number nor a name", None),
        ("x = 'ab';", "'ab'", "no character", "'a'"),
        ("x = 'é';", "'é'", "no character", "ASCII"),
        ("don't", "'", "no character", None),
        ("é", "é", "U+00E9", None),
        ("a\x01b", "\x01", "U+0001", None),
        ("“", "“", "“", "plain"),
        ("9" * 5000, "9" * 5000, "too long", None),
        ("c_code { a {} ", "{", "no closing '}'", None),
        ("c_expr [ a ", "[", "no closing ']'", None),
    ],
)
def test_what_is_no_token_is_carried_along(
    text: str, bad: str, message: str, hint: str | None
) -> None:
    [token] = [token for token in tokens(text) if token.kind == "bad"]
    assert token.text == bad == token.span.text
    given_message, given_hint = token.problem
    assert message in given_message
    if hint is not None:
        assert given_hint is not None
        assert hint in given_hint


def test_lexing_goes_on_after_a_bad_token() -> None:
    assert texts('a "b\nc $ d') == ["a", '"b', "c", "$", "d"]


def test_embedded_c_is_one_token_for_each_group() -> None:
    code = "{ if (s[0] == '}' || \"}\") { /* } */ } // }\n }"
    assert shapes(f"c_code [ a[1] > 0 ] {code}; x") == [
        ("name", "c_code"),
        ("embedded", "[ a[1] > 0 ]"),
        ("embedded", code),
        ("op", ";"),
        ("name", "x"),
    ]
    assert shapes("c_decl\n{ int $x; }") == [("name", "c_decl"), ("embedded", "{ int $x; }")]
    assert shapes('c_state "int x" "Global"') == [
        ("name", "c_state"),
        ("string", '"int x"'),
        ("string", '"Global"'),
    ]


def test_embedded_c_in_a_directive_ends_with_its_line() -> None:
    assert texts("#define A c_code\n{ x }") == ["#", "define", "A", "c_code", "{", "x", "}"]
    spliced = "{ x; \\\n y; }"
    assert texts(f"#define A c_code {spliced}\nb") == ["#", "define", "A", "c_code", spliced, "b"]


@given(st.text(alphabet="ab0'\"/*\\\n\r\t {}[]c_ode#<>?!.$é"))
def test_tokens_lie_in_order_and_leave_only_blanks_between(text: str) -> None:
    position = 0
    for token in lex(Source("m.pml", text)):
        assert token.span.start >= position
        assert token.text == token.span.text
        gap = text[position : token.span.start]
        assert gap.strip() == "" or gap.strip().startswith(("/*", "//", "\\"))
        position = token.span.end
    assert position == len(text)
