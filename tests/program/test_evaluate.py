"""The values of expressions: operators on variables, channels, processes, remote references."""

from __future__ import annotations

import pytest

from support.stepping import Case, Stepping, words
from whorl.program.state import LOCATION, WorkingState


def value(expression: str, declared: str = "") -> object:
    """What an expression gives in the initial state; a text is the fault that it ends in."""
    run = Stepping(f"{declared} int v; init {{ v = {expression} }}")
    (step,) = run.steps()
    run.take(words(step))
    return run.failures[0] if run.failures else run.value("v")


LEAST = -(2**31)


@pytest.mark.parametrize(
    ("left", "operator", "right", "expected"),
    [
        (7, "/", 2, 3), (-7, "/", 2, -3), (7, "/", -2, -3), (-7, "/", -2, 3),
        (7, "%", 3, 1), (-7, "%", 3, -1), (7, "%", -3, 1), (-7, "%", -3, -1),
        (LEAST, "/", -1, LEAST), (LEAST, "%", -1, 0),
        (2**31 - 1, "+", 1, LEAST), (LEAST, "-", 1, 2**31 - 1),
        (65536, "*", 65536, 0), (46341, "*", 46341, -2147479015),
        (1, "<<", 31, LEAST), (3, "<<", 2, 12), (-8, ">>", 1, -4), (-1, ">>", 31, -1),
        (12, "&", 10, 8), (12, "|", 10, 14), (12, "^", 10, 6), (-1, "&", 255, 255),
        (2, "<", 3, 1), (3, "<", 3, 0), (3, "<=", 3, 1), (4, "<=", 3, 0),
        (-1, ">", -2, 1), (3, ">", 3, 0), (3, ">=", 3, 1), (-4, ">=", 3, 0),
        (3, "==", 3, 1), (3, "==", 4, 0), (3, "!=", 4, 1), (3, "!=", 3, 0),
        (5, "&&", -2, 1), (5, "&&", 0, 0), (0, "&&", 5, 0),
        (0, "||", 7, 1), (0, "||", 0, 0), (7, "||", 0, 1),
        (1, "/", 0, "division by zero"), (0, "%", 0, "division by zero"),
    ],
)  # fmt: skip
def test_operators(left: int, operator: str, right: int, expected: object) -> None:
    declared = f"int a = {left}; int b = {right};".replace(str(LEAST), f"-{2**31 - 1} - 1")
    assert value(f"a {operator} b", declared) == expected


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("-a", -3), ("~a", -4), ("!a", 0), ("!z", 1), ("!(!a)", 1), ("-(-a)", 3),
        ("a + b * 2", 13), ("(a + b) * 2", 16), ("20 - a - b", 12), ("100 / b / 2", 10),
        ("1 << a - 1", 4), ("6 & b == 5", 0), ("1 | a ^ b & 4", 7), ("!z + 1", 2), ("-a * -b", 15),
        ("a < b == 1", 1), ("1 || z && z", 1), ("z || a && b", 1),
        ("(a -> b : 9)", 5), ("(z -> b : 9)", 9), ("(z -> 1 : (a -> 2 : 3))", 2),
        ("(a > b -> a : b)", 5),
    ],
)  # fmt: skip
def test_how_operators_bind(expression: str, expected: int) -> None:
    assert value(expression, "byte a = 3, b = 5, z;") == expected


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("z && 1 / z", 0),
        ("one || 1 / z", 1),
        ("one && 1 / z", "division by zero"),
        ("z || a[one + one]", "array bounds"),
        ("(one -> 4 : 1 / z)", 4),
        ("(z -> 1 / z : 4)", 4),
        ("(1 / z -> 1 : 4)", "division by zero"),
        # Of several faults the leftmost counts.
        ("a[2 * one] + 1 / z", "array bounds"),
        ("1 / z + a[2 * one]", "division by zero"),
        ("a[2 * one] / z", "array bounds"),
        ("a[1 / z]", "division by zero"),
    ],
)
def test_what_is_not_needed_is_not_evaluated(expression: str, expected: object) -> None:
    assert value(expression, "byte a[2], z, one = 1;") == expected


# --- channels ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("messages", "expected"),
    [
        (0, {"len": 0, "empty": 1, "nempty": 0, "full": 0, "nfull": 1}),
        (1, {"len": 1, "empty": 0, "nempty": 1, "full": 0, "nfull": 1}),
        (2, {"len": 2, "empty": 0, "nempty": 1, "full": 1, "nfull": 0}),
    ],
)
def test_how_full_a_channel_is(messages: int, expected: dict[str, int]) -> None:
    for query, answer in expected.items():
        text = f"{query}(c)" if query == "len" else f"({query}(c) -> 1 : 0)"
        sends = "c!9; " * messages
        model = f"chan c = [2] of {{ byte }}; byte x = 7; init {{ {sends}x = {text} }}"
        path = ["0 c!9"] * messages + [f"0 x = {text}"]
        Case(model, " | ".join(path), values={"x": answer}).check()


def test_a_rendezvous_channel_is_always_empty() -> None:
    declared = "chan c = [0] of { byte };"
    assert value("len(c)", declared) == 0
    assert value("(empty(c) -> 1 : 0)", declared) == 1
    assert value("(c?[1] -> 1 : 0)", declared) == "channel"


@pytest.mark.parametrize(
    ("poll", "expected"),
    [
        ("c?[1, 2]", 1), ("c?[1, _]", 1), ("c?[_, _]", 1), ("c?[2, 3]", 0), ("c?[1, 3]", 0),
        ("c??[2, 3]", 1), ("c??[_, 3]", 1), ("c??[1, 3]", 0), ("c??[2, 2]", 0),
        ("c?[eval(x), 2]", 1), ("c?[eval(x + 1), _]", 0), ("c??[eval(x + 1), _]", 1),
        # A variable in a poll stands for any value, as it would in a receive.
        ("c?[x, y]", 1), ("c?[y, 3]", 0),
        ("d?[1, 2]", 0), ("d??[_, _]", 0),
    ],
)  # fmt: skip
def test_polls(poll: str, expected: int) -> None:
    model = f"""chan c = [2] of {{ byte, byte }}; chan d = [1] of {{ byte, byte }};
    byte x = 1, y = 9, v = 7; init {{ c!1, 2; c!2, 3; v = ({poll} -> 1 : 0) }}"""
    path = f"0 c!1, 2 | 0 c!2, 3 | 0 v = ({poll} -> 1 : 0)"
    Case(model, path, values={"v": expected, "c": [(1, 2), (2, 3)], "x": 1, "y": 9}).check()


# --- processes -----------------------------------------------------------------------------------

ENABLED = {
    "a condition that is true": ("x == 0", 1),
    "a condition that is false": ("x == 1", 0),
    "an assignment": ("x = 1", 1),
    "a choice": ("if :: x == 1 :: x == 0 fi", 1),
    "a choice that waits": ("if :: x == 1 :: x == 2 fi", 0),
    "else": ("if :: x == 1 :: else fi", 1),
    "an empty channel": ("c?_", 0),
    "a channel with room": ("c!1", 1),
}


@pytest.mark.parametrize("name", ENABLED)
def test_enabled(name: str) -> None:
    statement, expected = ENABLED[name]
    model = f"""byte x, v = 7; chan c = [1] of {{ byte }};
    active proctype P() {{ {statement} }} active proctype Q() {{ v = enabled(0) }}"""
    Case(model, "1 v = enabled(0)", values={"v": expected}).check()


ASKED = {
    "enabled: of nobody": Case(
        "byte v = 7; init { v = enabled(3) }", "0 v = enabled(3)", values={"v": 0}
    ),
    "enabled: of itself": Case(
        "byte v; init { v = enabled(_pid) }", "0 v = enabled(_pid)", fails="enabled"
    ),
    "enabled: the one before the last may not end": Case(
        """byte v = 7; active proctype P() { skip }
        active proctype Q() { v = enabled(0); v = 1 }""",
        "0 skip | 1 v = enabled(0)",
        values={"v": 0},
    ),
    "pc_value: of nobody": Case(
        "byte v = 7; init { v = pc_value(9) }", "0 v = pc_value(9)", values={"v": 0}
    ),
    "get_priority: of nobody": Case(
        "byte v = 7; init { v = get_priority(9) }", "0 v = get_priority(9)", values={"v": 0}
    ),
    "get_priority: of another": Case(
        """byte v; active proctype P() priority 5 { v == 5 }
        active proctype Q() { v = get_priority(0) }""",
        "1 v = get_priority(0)",
        values={"v": 5},
    ),
    "get_priority: 1 unless it is given": Case(
        "byte v; init { v = get_priority(_pid) }", "0 v = get_priority(_pid)", values={"v": 1}
    ),
    "_pid": Case(
        "byte a[2]; active [2] proctype P() { a[_pid] = _pid + 5 }",
        "1 a[_pid] = _pid + 5",
        values={"a[0]": 0, "a[1]": 6},
    ),
    "_nr_pr": Case(
        "byte v; active [3] proctype P() { v = _nr_pr }", "0 v = _nr_pr", values={"v": 3}
    ),
    "timeout is false while something can move": Case(
        "byte v = 7; init { v = timeout }", "0 v = timeout", values={"v": 0}
    ),
}


@pytest.mark.parametrize("name", ASKED)
def test_what_is_asked_about_processes(name: str) -> None:
    ASKED[name].check()


def test_two_who_ask_about_each_other() -> None:
    run = Stepping("active proctype P() { enabled(1) } active proctype Q() { enabled(0) }")
    assert {words(step): step.failures[0].kind for step in run.steps()} == {
        "0 enabled(1)": "enabled",
        "1 enabled(0)": "enabled",
    }
    # Nothing is left of the question.
    assert run.semantics.evaluator.asking is False


def test_pc_value_is_the_location() -> None:
    model = (
        "byte v; active proctype P() { skip; L: v == 9 } active proctype Q() { v = pc_value(0) }"
    )
    run = Stepping(model, "0 skip | 1 v = pc_value(0)")
    assert run.value("v") == run.program.processes[0].labels["L"]
    assert run.value("v") == run.state.processes[0][LOCATION]


ASKING = """byte v = 7, i = 1; bool at = 0;
proctype A(byte n) { byte l[2] = { 3, 4 }; skip; L: n == 0; skip; M: false }
proctype B() { byte l; N: l = 9; false }
init { atomic { run A(5); run A(6); run B() }; STATEMENT }"""
STARTED = "0 run A(5) | 0 run A(6) | 0 run B() | "


@pytest.mark.parametrize(
    ("statement", "before", "kept"),
    [
        ("at = A[2]@L", "2 skip | ", 1),
        ("at = A[1]@L", "2 skip | ", 0),
        ("at = A[2]@M", "2 skip | ", 0),
        ("at = B@N", "3 l = 9 | ", 0),
        ("at = A[7]@L", "", 0),
        ("v = A[2]:n", "", 6),
        ("v = A[i + 1]:n", "", 6),
        ("v = A[1]:l[i]", "", 4),
        ("v = A[7]:n", "", 0),
        ("v = B:l", "3 l = 9 | ", 9),
    ],
)
def test_remote_references(statement: str, before: str, kept: int) -> None:
    name, _, _ = statement.partition(" ")
    path = f"{STARTED}{before}0 {statement}"
    Case(ASKING.replace("STATEMENT", statement), path, values={name: kept}).check()


@pytest.mark.parametrize(
    ("statement", "kind"),
    [("v = A[1]:l[i + 1]", "array bounds"), ("v = A[3]:n", "remote reference")],
)
def test_remote_references_without_a_value(statement: str, kind: str) -> None:
    Case(ASKING.replace("STATEMENT", statement), f"{STARTED}0 {statement}", fails=kind).check()


def test_np_is_true_where_nobody_is_at_a_progress_label() -> None:
    model = """byte x; active proctype P() { x = 1; progress: x = 2; x = 3 }
    active proctype Q() { byte v; v = 0; progress_2: v = 1 } never { do :: np_ od }"""
    run = Stepping(model)
    condition = run.semantics.evaluator.builtin("np_")

    def now() -> int:
        return condition(WorkingState(run.state), ())

    assert now() == 1
    run.take("0 x = 1")
    assert now() == 0
    run.take("1 v = 0")
    run.take("0 x = 2")
    assert now() == 0
    run.take("1 v = 1")
    assert now() == 1
    assert condition(WorkingState(run.state, stuttering=True), ()) == 0
