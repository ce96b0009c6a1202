"""The C of several claims as one text: what is written once, what varies, what does not fit."""

from __future__ import annotations

import pytest

from whorl.native.weave import RUNTIME_BEGINS, Fabric


def woven(*claims: str) -> str | None:
    """The text of all of them; None if one of them did not fit."""
    fabric = Fabric()
    fitted = [fabric.add(f"{claim}\n{RUNTIME_BEGINS}\n") for claim in claims]
    assert len(fabric) == sum(fitted)
    return fabric.text() if all(fitted) else None


def test_what_is_the_same_is_written_once() -> None:
    same = (
        "typedef int whorl_t;\nstatic const int whorl_a[] = {1, 2};\nstatic int whorl_f(void) {\n}"
    )
    text = woven(same, same)
    assert text is not None
    assert text.startswith(same)
    assert text.count("whorl_a") == text.count("whorl_f") == 1
    assert "#define WHORL_CLAIMS 2\nstatic int whorl_chosen;" in text
    assert text.rstrip().endswith(RUNTIME_BEGINS)


def test_what_differs_is_chosen() -> None:
    text = woven(*(f"static const int whorl_a[] = {{{n}}};" for n in (1, 2, 1)))
    assert text is not None
    assert text.splitlines()[:2] == [
        "static const int whorl_a[] = {1};",
        "static const int whorl_a_v1[] = {2};",
    ]
    assert "whorl_a_of[] = {whorl_a, whorl_a_v1, whorl_a};" in text
    assert "#define whorl_a (whorl_a_of[whorl_chosen])" in text


def test_what_refers_to_a_variant_is_one() -> None:
    """Down to a function whose text is the same."""
    rest = (
        "static const int *const whorl_b[] = {whorl_a};\n"
        "static inline int whorl_f(int whorl_abc,\n                   int n) {\n"
        "  return whorl_b[0][n] + whorl_abc;\n}"
    )
    text = woven(*(f"static const int whorl_a[] = {{{n}}};\n{rest}" for n in (1, 2)))
    assert text is not None
    assert "static const int *const whorl_b_v1[] = {whorl_a_v1};" in text
    assert "whorl_f_v1(int whorl_abc,\n" in text
    assert "return whorl_b_v1[0][n] + whorl_abc;" in text
    assert "__typeof__(&whorl_f) const whorl_f_of[] = {whorl_f, whorl_f_v1};" in text


def test_what_only_one_has() -> None:
    text = woven("", "static const int whorl_a[] = {1};")
    assert text is not None
    assert "static const int whorl_a[] = {1};" in text
    assert "whorl_a_of" not in text


def test_numbers() -> None:
    text = woven(*(f"#define WHORL_SITES {n}\n#define WHORL_CLAIM_STATES {n}" for n in (3, 2)))
    assert text is not None
    assert "#define WHORL_SITES 3\n" in text
    assert "WHORL_CLAIM_STATES_of[] = {3, 2};" in text
    same = woven(*("#define WHORL_CLAIM_STATES 4",) * 2)
    assert same is not None
    assert "#define WHORL_CLAIM_STATES 4\n" in same


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("#define WHORL_WORDS 2", "#define WHORL_WORDS 3"),
        ("", "#define WHORL_HOLDER 3"),
        ("typedef int whorl_t;", "typedef short whorl_t;"),
        ("static const int whorl_a[][2] = {{1, 2}};", "static const int whorl_a[][1] = {{1}};"),
        ("static int whorl_f(int a) {\n}", "static int whorl_f(void) {\n}"),
    ],
)
def test_what_cannot_be_chosen_does_not_fit(first: str, second: str) -> None:
    assert woven(first, second) is None


def test_a_macro_that_refers_to_a_variant_does_not_fit() -> None:
    macro = "#define WHORL_GOES_ROUND(n) whorl_a[n]"
    claims = [f"static const int whorl_a[] = {{{n}}};\n{macro}" for n in (1, 2)]
    assert woven(*claims) is None


def test_what_is_called_before_it_is_defined_does_not_vary() -> None:
    before = "static int whorl_f(int n);\nstatic int whorl_g(int n) {\n  return whorl_f(n);\n}\n"
    claims = [f"{before}static int whorl_f(int n) {{\n  return {n};\n}}" for n in (1, 2)]
    assert woven(claims[0], claims[0]) is not None
    assert woven(*claims) is None


def test_what_does_not_fit_changes_nothing() -> None:
    fabric = Fabric()
    claims = [f"#define WHORL_WORDS 2\nstatic const int whorl_a[] = {{{n}}};\n" for n in (1, 2)]
    other = claims[1].replace("WORDS 2", "WORDS 3")
    assert [fabric.add(c + RUNTIME_BEGINS) for c in (claims[0], other, claims[0])] == [1, 0, 1]
    assert "whorl_a_v1" not in fabric.text()


def test_comments_decide_nothing() -> None:
    table = "static const int whorl_a[] = {1};"
    text = woven(f"/* one */\n{table}", f"/* another\n * line */\n{table}")
    assert text is not None
    assert "/* one */" in text


def test_what_a_header_refers_to_has_no_variants() -> None:
    """Before the header or behind it."""
    header = '#include "model/processes.h"'
    tables = [f"static const int whorl_process_bases[] = {{{n}}};" for n in (1, 2)]
    assert woven(*(f"{table}\n{header}" for table in tables)) is None
    assert woven(*(f"{header}\n{table}" for table in tables)) is None
    assert woven(*(f"{tables[0]}\n{header}" for _ in tables)) is not None
    assert woven(*tables) is not None
