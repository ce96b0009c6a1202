"""What printf and printm print."""

from __future__ import annotations

import pytest

from support.stepping import Stepping, words

DECLARED = """mtype = { one, two }; mtype : colour = { red, green }; mtype m = two;
mtype : colour c = green; int n = -1; byte b = 65; int large = 1234;"""


def printed(statement: str) -> str:
    run = Stepping(f"{DECLARED} init {{ {statement} }}")
    (step,) = run.steps()
    run.take(words(step))
    assert run.failures == []
    return run.output


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ('"text"', "text"),
        ('"%d"', "%d"),
        ('"%d", b', "65"),
        ('"%d", n', "-1"),
        ('"%d %d", b, n', "65 -1"),
        ('"%d %d", b', "65 %d"),
        ('"%u", n', "4294967295"),
        ('"%u", b', "65"),
        ('"%x", b', "41"),
        ('"%x", n', "ffffffff"),
        ('"%o", b', "101"),
        ('"%o", n', "37777777777"),
        ('"%c", b', "A"),
        ('"%c", b + 256', "A"),
        ('"%e", m', "two"),
        ('"%e", c', "green"),
        ('"%e", 77', "77"),
        ('"%d", m', "1"),
        ('"%%"', "%"),
        ('"%%d", b', "%d"),
        ('"%q", b', "%q"),
        ('"%4d|", b', "  65|"),
        ('"%-4d|", b', "65  |"),
        ('"%04d|", b', "0065|"),
        ('"%04d|", n', "-001|"),
        ('"%2d|", large', "1234|"),
        (r'"a\nb"', "a\nb"),
        (r'"a\tb"', "a\tb"),
        (r'"a\\nb"', r"a\nb"),
        (r'"\"%d\"", b', '"65"'),
    ],
)
def test_printf(arguments: str, text: str) -> None:
    assert printed(f"printf({arguments})") == text


@pytest.mark.parametrize(("argument", "text"), [("m", "two"), ("c", "green"), ("one", "one")])
def test_printm(argument: str, text: str) -> None:
    assert printed(f"printm({argument})") == text


def test_nothing_is_kept_where_nobody_looks() -> None:
    run = Stepping('init { printf("a") }')
    run.semantics.verbose = False
    (step,) = run.steps()
    assert step.output == ()


def test_a_d_step_prints_all_of_it() -> None:
    run = Stepping('init { d_step { printf("a"); printf("b") } }', "0 d_step")
    assert run.output == "ab"
