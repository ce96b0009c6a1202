"""What comments promise is read, beside a claim of that claim, and what is misspelt is refused."""

from __future__ import annotations

import pytest

import whorl
from whorl.diagnostics import Source, WhorlError
from whorl.expectations import ExpectedVerdict, expectations, met

ASSERTS = "byte x;\nactive proctype p() { x = 1; assert(x == 0) }\n"
ENDS = "chan c = [0] of { bit };\nactive proctype p() { c!1 }\n"


def read(text: str) -> list[ExpectedVerdict]:
    return expectations(Source("m.pml", text))


def only(text: str) -> ExpectedVerdict:
    (expected,) = read(text)
    return expected


@pytest.mark.parametrize(
    "text",
    [
        "// expect: holds",
        "/* Expect: holds */",
        "/*\n * A model.\n *\n * Expect: holds\n * Try: it\n */",
        "/* A model.\n   Expect: holds */",
        "/** EXPECT:   holds **/",
        "//expect:holds\n",
    ],
)
def test_ways_to_write_it(text: str) -> None:
    expected = only(text)
    assert (expected.verdict, expected.violated, expected.options) == ("holds", frozenset(), ())


def test_names_options_and_line() -> None:
    text = "\n// Expect with -DN=3 --ltl '[] p:x == 1': violated (assertions, end states)"
    expected = only(text)
    assert expected.options == ("-DN=3", "--ltl", "[] p:x == 1")
    assert expected.violated == {"assertions", "end states"}
    assert expected.line == 2
    assert str(expected) == "violated (assertions, end states)"
    assert expected.name == "check[-DN=3 --ltl '[] p:x == 1']"


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("ltl p { x } // expect: holds", "p"),
        ("ltl p { /* expect: holds */\n x }", "p"),
        ("ltl p { x /* } */\n } /* expect: holds */", "p"),
        ("ltl p { x } ltl q { x } // expect: holds", "q"),
        ("never { skip } // expect: holds", "never"),
        ("// expect: holds\nltl p { x }", None),
        ("ltl p { x }\n// expect: holds", None),
        ('init { printf("ltl p { x }") } // expect: holds', None),
    ],
)
def test_beside_a_claim_it_is_of_that_claim(text: str, claim: str | None) -> None:
    assert only(text).claim == claim


@pytest.mark.parametrize(
    "text",
    [
        "// expect: the unexpected",
        "// We expect: holds",
        "// expected: holds",
        "// expect 3 messages",
        'init { printf("// expect: holds\\n") }',
        "// expect: 3 messages",
        "// expect:",
    ],
)
def test_prose_is_left_alone(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize(
    ("said", "part"),
    [
        ("hold", "'hold' is no verdict"),
        ("violatd", "'violatd' is no verdict"),
        ("holds always", "'holds always' is no verdict"),
        ("holds (p)", "'holds' takes no names"),
        ("violated ()", "'violated ()' is no verdict"),
    ],
)
def test_a_misspelt_verdict_is_refused_with_its_place(said: str, part: str) -> None:
    with pytest.raises(WhorlError) as caught:
        read(f"// expect: {said}\n")
    assert part in str(caught.value)
    assert str(caught.value).startswith("m.pml:1:12: error")


def test_options_that_are_no_words_are_refused() -> None:
    with pytest.raises(WhorlError, match="no closing quotation"):
        read("// expect with --ltl '[] x: holds")


def test_fair_takes_two_checks() -> None:
    assert only("// expect: holds if fair").asked == ((False, "violated"), (True, "holds"))
    assert only("// expect: inconclusive").asked == ((False, "inconclusive"),)


@pytest.mark.parametrize("name", ["assertion", "assertions"])
def test_what_is_violated_has_a_name_or_a_kind(name: str) -> None:
    result = whorl.check(ASSERTS)
    assert met(result, "violated", frozenset({name}))
    assert not met(result, "violated", frozenset({"end states"}))
    assert not met(result, "violated", frozenset({name, "end states"}))
    assert not met(result, "holds")


@pytest.mark.parametrize("name", ["invalid end state", "end states", "deadlock"])
def test_names_of_a_deadlock(name: str) -> None:
    assert met(whorl.check(ENDS), "violated", frozenset({name}))


def test_nothing_else_may_be_violated() -> None:
    result = whorl.check(ASSERTS + "ltl q { [] (x == 0) }")
    assert met(result, "violated", frozenset({"assertions", "q"}))
    assert not met(result, "violated", frozenset({"q"}))
    assert met(result, "violated")
