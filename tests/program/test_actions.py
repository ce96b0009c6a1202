"""What each statement waits for and what it changes, one at a time, worked out by hand.

The tables say what Promela means, and not what Spin or the native engine does: these are compared
with the reference semantics elsewhere (tests/differential).
"""

from __future__ import annotations

import pytest

from support.stepping import Case, Stepping, words

# --- assignments ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("declared", "statement", "kept"),
    [
        ("bit v", "v = 1", 1),
        ("bit v", "v = 2", 0),
        ("bit v", "v = 3", 1),
        ("bit v", "v = -1", 1),
        ("bool v", "v = 256", 0),
        ("bool v", "v = true", 1),
        ("byte v", "v = 255", 255),
        ("byte v", "v = 256", 0),
        ("byte v", "v = 300", 44),
        ("byte v", "v = -1", 255),
        ("byte v", "v = -257", 255),
        ("pid v", "v = 256", 0),
        ("short v", "v = 32767", 32767),
        ("short v", "v = 32768", -32768),
        ("short v", "v = 65535", -1),
        ("short v", "v = -32769", 32767),
        ("int v", "v = 2147483647", 2147483647),
        ("int v", "v = 2147483647 + 1", -2147483648),
        ("int v", "v = -2147483647 - 2", 2147483647),
        ("unsigned v : 1", "v = 3", 1),
        ("unsigned v : 3", "v = 7", 7),
        ("unsigned v : 3", "v = 8", 0),
        ("unsigned v : 5", "v = -1", 31),
        ("mtype v", "v = 257", 1),
        ("hidden byte v", "v = 257", 1),
        ("byte v = 255", "v++", 0),
        ("byte v", "v--", 255),
        ("short v = 32767", "v++", -32768),
        ("short v = -32768", "v--", 32767),
        ("int v = 2147483647", "v++", -2147483648),
        ("unsigned v : 2 = 3", "v++", 0),
        ("unsigned v : 2", "v--", 3),
        ("bit v = 1", "v++", 0),
        ("byte v = 3", "v = v + v * v", 12),
    ],
)
def test_an_assignment_cuts_its_value_to_the_type(declared: str, statement: str, kept: int) -> None:
    Case(f"{declared}; init {{ {statement} }}", f"0 {statement}", "0 -end-", {"v": kept}).check()


PLACES = {
    "an element": Case(
        "byte a[3], i = 2; init { a[i] = 7 }",
        "0 a[i] = 7",
        values={"a[0]": 0, "a[1]": 0, "a[2]": 7, "i": 2},
    ),
    "the index is taken before the value is stored": Case(
        "byte a[2]; init { a[a[0]] = 1; a[a[0]] = 5 }",
        "0 a[a[0]] = 1 | 0 a[a[0]] = 5",
        values={"a[0]": 1, "a[1]": 5},
    ),
    "a field": Case(
        "typedef T { byte f; short g } T t; init { t.g = -1 }",
        "0 t.g = -1",
        values={"t.f": 0, "t.g": -1},
    ),
    "a field of an element of a field": Case(
        """typedef I { byte p, q[2] } typedef O { I i[2]; bit last } O o[2]; byte k = 1;
        init { o[k].i[k].q[k] = 9 }""",
        "0 o[k].i[k].q[k] = 9",
        values={
            "o[1].i[1].q[1]": 9, "o[1].i[1].q[0]": 0, "o[1].i[0].q[1]": 0, "o[0].i[1].q[1]": 0,
            "o[1].last": 0,
        },
    ),
    "a local variable and a global one of its name": Case(
        "byte x; active [2] proctype P() { byte x; x = 3 }",
        "1 x = 3",
        "0 x = 3 | 1 -end-",
        {"x": 0, "0:x": 0, "1:x": 3},
    ),
    "what is assigned to _ is lost": Case("byte x; init { _ = 5; x = 1 }", "0 _ = 5 | 0 x = 1"),
    "an element of a bit array keeps a byte": Case(
        "bit a[2]; init { a[1] = 2 }", "0 a[1] = 2", values={"a[1]": 2}
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PLACES)
def test_places(name: str) -> None:
    PLACES[name].check()


# --- conditions, assertions, output --------------------------------------------------------------

SIMPLE = {
    "a condition that is false waits": Case("byte x; init { x == 1 }", enabled=""),
    "a condition that is true changes nothing": Case(
        "byte x; init { x == 0; x = 1 }", "0 x == 0", "0 x = 1", {"x": 0}
    ),
    "any value but 0 is true": Case("init { -3; skip }", "0 -3", "0 skip"),
    "skip": Case("byte x; init { skip; x = 1 }", "0 skip", "0 x = 1", {"x": 0}),
    "an assertion that holds": Case("init { assert(1 == 1) }", "0 assert(1 == 1)", "0 -end-"),
    "an assertion that fails goes on": Case(
        "byte x; init { assert(x); x = 1 }", "0 assert(x)", "0 x = 1", fails="assertion"
    ),
    "an assertion without a value": Case(
        "byte x; init { assert(1 / x); skip }", "0 assert(1 / x)", "", fails="division by zero"
    ),
    "printf changes nothing": Case(
        'byte x = 7; init { printf("%d!", x); skip }',
        '0 printf("%d!", x)',
        "0 skip",
        {"x": 7},
        prints="7!",
    ),
    "printf evaluates what it prints": Case(
        'byte x; init { printf("%d", 1 % x) }',
        '0 printf("%d", 1 % x)',
        "",
        fails="division by zero",
    ),
}


@pytest.mark.parametrize("name", SIMPLE)
def test_simple_statements(name: str) -> None:
    SIMPLE[name].check()


# --- sends and receives in buffers ---------------------------------------------------------------

BYTES = "chan c = [3] of { byte }; byte x, y;"
PAIRS = "chan c = [3] of { byte, byte }; byte x, y;"
BUFFERS = {
    "first in, first out": Case(
        BYTES + "init { c!2; c!1; c?x }", "0 c!2 | 0 c!1 | 0 c?x", values={"x": 2, "c": [1]}
    ),
    "a full channel": Case(
        BYTES + "init { c!1; c!2; c!3; c!4 }", "0 c!1 | 0 c!2 | 0 c!3", "", {"c": [1, 2, 3]}
    ),
    "an empty channel": Case(BYTES + "init { c?x }", enabled=""),
    "a message is cut to its fields": Case(
        BYTES + "init { x = 1; c!x + 256 }", "0 x = 1 | 0 c!x + 256", values={"c": [1]}
    ),
    "what is received is cut to the variable": Case(
        "chan c = [1] of { short }; bit b; init { c!-2; c?b }",
        "0 c!-2 | 0 c?b",
        values={"b": 0, "c": []},
    ),
    "fields of several types": Case(
        "chan c = [1] of { bit, short, mtype }; mtype = { a, b }; init { c!2, 32768, b }",
        "0 c!2, 32768, b",
        values={"c": [(0, -32768, 1)]},
    ),
    "a single field of type bit keeps a byte": Case(
        "chan c = [1] of { bit }; init { c!2 }", "0 c!2", values={"c": [2]}
    ),
    "arguments are taken before anything is sent": Case(
        BYTES + "init { c!len(c); c!len(c) }", "0 c!len(c) | 0 c!len(c)", values={"c": [0, 1]}
    ),
    "a constant that matches": Case(
        PAIRS + "init { c!1, 5; c?1, x }", "0 c!1, 5 | 0 c?1, x", values={"x": 5, "c": []}
    ),
    "a constant that does not match": Case(
        PAIRS + "init { c!1, 5; c?2, x }", "0 c!1, 5", "", {"c": [(1, 5)]}
    ),
    "the first message alone counts": Case(
        PAIRS + "init { c!1, 5; c!2, 6; c?2, x }", "0 c!1, 5 | 0 c!2, 6", ""
    ),
    "eval matches the value of a variable": Case(
        PAIRS + "init { x = 5; c!1, 5; c?y, eval(x) }",
        "0 x = 5 | 0 c!1, 5 | 0 c?y, eval(x)",
        values={"x": 5, "y": 1, "c": []},
    ),
    "eval that does not match": Case(
        PAIRS + "init { x = 4; c!1, 5; c?y, eval(x) }", "0 x = 4 | 0 c!1, 5", "", {"y": 0}
    ),
    "eval of an expression": Case(
        BYTES + "init { x = 2; c!6; c?eval(x * 3) }",
        "0 x = 2 | 0 c!6 | 0 c?eval(x * 3)",
        values={"c": []},
    ),
    "an mtype name is a constant": Case(
        "mtype = { a, b }; chan c = [2] of { mtype }; init { c!b; if :: c?a :: c?b fi }",
        "0 c!b",
        "0 c?b",
    ),
    "_ takes anything": Case(
        PAIRS + "init { c!1, 5; c?_, x }", "0 c!1, 5 | 0 c?_, x", values={"x": 5, "c": []}
    ),
    "a variable takes anything": Case(
        BYTES + "init { x = 9; c!1; c?x }", "0 x = 9 | 0 c!1 | 0 c?x", values={"x": 1}
    ),
    "the last of two targets stays": Case(
        PAIRS + "init { c!1, 5; c?x, x }", "0 c!1, 5 | 0 c?x, x", values={"x": 5}
    ),
    "an index that the receive has just set": Case(
        "chan c = [1] of { byte, byte }; byte a[3], x; init { c!2, 7; c?x, a[x] }",
        "0 c!2, 7 | 0 c?x, a[x]",
        values={"x": 2, "a[0]": 0, "a[2]": 7},
    ),
    "parentheses after the first field": Case(
        PAIRS + "init { c!1(5); c?1(x) }", "0 c!1, 5 | 0 c?1, x", values={"x": 5}
    ),
    "a whole typedef": Case(
        """typedef T { byte f; short g[2] } chan c = [1] of { T, byte }; T s, t; byte x;
        init { s.f = 1; s.g[1] = -2; c!s, 3; c?t, x }""",
        "0 s.f = 1 | 0 s.g[1] = -2 | 0 c!s, 3 | 0 c?t, x",
        values={"t.f": 1, "t.g[0]": 0, "t.g[1]": -2, "x": 3},
    ),
    "a channel of an array": Case(
        "chan c[2] = [1] of { byte }; byte i = 1; init { c[i]!4 }",
        "0 c[i]!4",
        values={"c[0]": [], "c[1]": [4]},
    ),
    "a channel that comes in a message": Case(
        "chan c = [1] of { byte }; chan d = [1] of { chan }; init { chan e; d!c; d?e; e!3 }",
        "0 d!c | 0 d?e | 0 e!3",
        values={"c": [3], "0:e": [3]},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BUFFERS)
def test_buffers(name: str) -> None:
    BUFFERS[name].check()


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        (["3", "1", "2"], [1, 2, 3]),
        (["1", "2", "3"], [1, 2, 3]),
        (["3", "2", "1"], [1, 2, 3]),
        (["2", "1", "2"], [1, 2, 2]),
    ],
)
def test_a_sorted_send(sent: list[str], kept: list[int]) -> None:
    statements = [f"c!!{value}" for value in sent]
    Case(
        BYTES + f"init {{ {'; '.join(statements)} }}",
        " | ".join(f"0 {statement}" for statement in statements),
        values={"c": kept},
    ).check()


SORTED_AND_RANDOM = {
    "sorted by the first field, then by the second": Case(
        PAIRS + "init { c!!2, 1; c!!1, 9; c!!2, 0 }",
        "0 c!!2, 1 | 0 c!!1, 9 | 0 c!!2, 0",
        values={"c": [(1, 9), (2, 0), (2, 1)]},
    ),
    "a sorted send goes before the first that is larger": Case(
        BYTES + "init { c!5; c!1; c!!3 }", "0 c!5 | 0 c!1 | 0 c!!3", values={"c": [3, 5, 1]}
    ),
    "a sorted send compares what is sent, not what is kept": Case(
        BYTES + "init { c!!100; c!!300 }", "0 c!!100 | 0 c!!300", values={"c": [100, 44]}
    ),
    "a sorted send waits for room": Case(
        "chan c = [1] of { byte }; init { c!1; c!!0 }", "0 c!1", ""
    ),
    "a random receive takes the oldest that matches": Case(
        PAIRS + "init { c!1, 5; c!2, 6; c!2, 7; c??2, x }",
        "0 c!1, 5 | 0 c!2, 6 | 0 c!2, 7 | 0 c??2, x",
        values={"x": 6, "c": [(1, 5), (2, 7)]},
    ),
    "a random receive of anything takes the first": Case(
        BYTES + "init { c!1; c!2; c??x }", "0 c!1 | 0 c!2 | 0 c??x", values={"x": 1, "c": [2]}
    ),
    "a random receive that nothing matches": Case(
        PAIRS + "init { c!1, 5; c!2, 6; c??1, 6 }", "0 c!1, 5 | 0 c!2, 6", ""
    ),
    "a copy stays in the channel": Case(
        PAIRS + "init { c!1, 5; c?<x, y> }",
        "0 c!1, 5 | 0 c?<x, y>",
        values={"x": 1, "y": 5, "c": [(1, 5)]},
    ),
    "a copy of the first message alone": Case(
        PAIRS + "init { c!1, 5; c!2, 6; c?<2, y> }", "0 c!1, 5 | 0 c!2, 6", ""
    ),
    "a copy of any message": Case(
        PAIRS + "init { c!1, 5; c!2, 6; c??<2, y> }",
        "0 c!1, 5 | 0 c!2, 6 | 0 c??<2, y>",
        values={"y": 6, "c": [(1, 5), (2, 6)]},
    ),
    "a poll is a condition": Case(
        PAIRS + "init { c!1, 5; if :: c?[1, 5] :: c?[2, _] :: c?[_, 5] :: c?[_, 6] fi }",
        "0 c!1, 5",
        "0 c?[1, 5] | 0 c?[_, 5]",
    ),
    "a poll changes nothing": Case(
        BYTES + "init { c!5; c?[x]; skip }", "0 c!5 | 0 c?[x]", "0 skip", {"x": 0, "c": [5]}
    ),
    "a poll of any message": Case(
        BYTES + "init { c!1; c!2; if :: c?[2] :: c??[2] :: c??[3] fi }",
        "0 c!1 | 0 c!2",
        "0 c??[2]",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SORTED_AND_RANDOM)
def test_sorted_random_copied_polled(name: str) -> None:
    SORTED_AND_RANDOM[name].check()


# --- d_step --------------------------------------------------------------------------------------

D_STEPS = {
    "all in one step": Case(
        "byte x, y; init { d_step { x = 1; y = x + 1; x = 5 } }",
        "0 d_step",
        "0 -end-",
        {"x": 5, "y": 2},
    ),
    "it waits for its first statement": Case("byte x; init { d_step { x == 1; x = 2 } }", "", ""),
    "a later statement that waits is a fault": Case(
        "byte x; init { d_step { x = 1; x == 2; x = 3 } }",
        "0 d_step",
        "",
        fails="d_step",
    ),
    "the first option that can be taken": Case(
        "byte x; init { d_step { x = 1; if :: x == 0 -> x = 7 :: true -> x = 8 :: x = 9 fi } }",
        "0 d_step",
        values={"x": 8},
    ),
    "else": Case(
        "byte x; init { d_step { x = 1; if :: x == 0 -> x = 7 :: else -> x = 8 fi } }",
        "0 d_step",
        values={"x": 8},
    ),
    "a loop": Case(
        "byte x; init { d_step { do :: x < 5 -> x++ :: else -> break od } }",
        "0 d_step",
        values={"x": 5},
    ),
    "a loop without end is a fault": Case(
        "bit x; init { d_step { do :: x = 1 - x od } }",
        "0 d_step",
        "",
        fails="d_step",
    ),
    "every assertion in it counts": Case(
        "byte x; init { d_step { assert(x); x = 1; assert(x); assert(x == 2) } }",
        "0 d_step",
        values={"x": 1},
        fails="assertion, assertion",
    ),
    "a message through a buffer": Case(
        "chan c = [1] of { byte }; byte x; init { d_step { c!3; c?x } }",
        "0 d_step",
        values={"x": 3, "c": []},
    ),
    "a handshake in it is a fault": Case(
        """chan c = [0] of { byte }; byte x; active proctype P() { d_step { x = 1; c!1 } }
        active proctype Q() { c?_ }""",
        "0 d_step",
        "",
        fails="d_step",
    ),
    "it answers a handshake": Case(
        """chan c = [0] of { byte }; byte x; active proctype P() { c!4 }
        active proctype Q() { d_step { c?x; x++ } }""",
        "0 c!4 / 1 d_step",
        "1 -end-",
        {"x": 5},
    ),
    "it answers only what fits": Case(
        """chan c = [0] of { byte }; byte x; active proctype P() { c!4 }
        active proctype Q() { d_step { c?3; x++ } }""",
        "",
        "",
    ),
    "it waits for one of the conditions that it begins with": Case(
        "byte x; init { d_step { if :: x == 1 -> x = 5 :: x == 0 -> x = 6 fi } }",
        "0 d_step",
        values={"x": 6},
    ),
    "it waits if none of them is true": Case(
        "byte x; init { d_step { if :: x == 1 -> x = 5 :: x == 2 -> x = 6 fi } }", "", ""
    ),
    "variables of its own after its priority": Case(
        "init { byte l; d_step { set_priority(_pid, 5); l = 3 }; l = get_priority(_pid) }",
        "0 d_step",
        "0 l = get_priority(_pid)",
        {"0:l": 3},
    ),
    "as an option beside else": Case(
        "byte x; init { if :: d_step { x == 1; x = 2 } :: else -> x = 3 fi }", "", "0 else"
    ),
    "that begins with else": Case(
        "byte x = 1; init { if :: x == 1 -> skip :: d_step { else; x = 2 } fi }", "", "0 x == 1"
    ),
}


@pytest.mark.parametrize("name", D_STEPS)
def test_d_steps(name: str) -> None:
    D_STEPS[name].check()


# --- faults --------------------------------------------------------------------------------------

LOST = """chan d = [1] of { chan };
proctype Q() { chan own = [1] of { byte }; d!own }
active proctype P() { chan e; run Q(); d?e; _nr_pr == 1; STATEMENT }"""
LOST_PATH = "0 run Q() | 1 d!own | 0 d?e | 1 -end- | 0 _nr_pr == 1 | "
UNEQUAL = """chan c = [1] of { byte, byte }; chan d = [1] of { chan };
active proctype P() { chan e; byte x; d!c; d?e; c!1, 2; STATEMENT }"""
FAULTS = {
    "an index that is the length": Case(
        "byte a[2], x = 2; init { a[x] = 1 }", "0 a[x] = 1", fails="array bounds"
    ),
    "a negative index": Case(
        "byte a[2], x = 1; init { x = a[x - 2] }", "0 x = a[x - 2]", fails="array bounds"
    ),
    "an index within a typedef": Case(
        "typedef T { byte f[2] } T t[3]; byte x = 2; init { t[x].f[x] = 1 }",
        "0 t[x].f[x] = 1",
        fails="array bounds",
    ),
    "a division by 0": Case("byte x; init { x = 1 / x }", "0 x = 1 / x", fails="division by zero"),
    "a remainder by 0": Case("byte x; init { x = 1 % x }", "0 x = 1 % x", fails="division by zero"),
    "a condition without a value": Case(
        "byte x; init { 1 / x }", "0 1 / x", fails="division by zero"
    ),
    "a channel that was never made": Case("init { chan c; c!1 }", "0 c!1", fails="channel"),
    "a receive from a channel that was never made": Case(
        "init { chan c; c?1 }", "0 c?1", fails="channel"
    ),
    "a send to a channel that has gone with its process": Case(
        LOST.replace("STATEMENT", "e!1"), LOST_PATH + "0 e!1", fails="channel"
    ),
    "a look at a channel that has gone with its process": Case(
        LOST.replace("STATEMENT", "nempty(e)"), LOST_PATH + "0 nempty(e)", fails="channel"
    ),
    "too few values are sent": Case(
        "chan c = [1] of { byte, byte }; chan d = [1] of { chan }; init { chan e; d!c; d?e; e!1 }",
        "0 d!c | 0 d?e | 0 e!1",
        fails="channel",
    ),
    "too many values are sent": Case(
        "chan c = [1] of { byte }; chan d = [1] of { chan }; init { chan e; d!c; d?e; e!1, 2 }",
        "0 d!c | 0 d?e | 0 e!1, 2",
        fails="channel",
    ),
    "too few values are received": Case(
        UNEQUAL.replace("STATEMENT", "e?x"), "0 d!c | 0 d?e | 0 c!1, 2 | 0 e?x", fails="channel"
    ),
    "too many values are received": Case(
        UNEQUAL.replace("STATEMENT", "e?x, x, x"),
        "0 d!c | 0 d?e | 0 c!1, 2 | 0 e?x, x, x",
        fails="channel",
    ),
    "a priority of 0": Case(
        "init { set_priority(0, 0) }", "0 set_priority(0, 0)", fails="priority"
    ),
    "a priority above 255": Case(
        "short x = 256; init { set_priority(0, x) }", "0 set_priority(0, x)", fails="priority"
    ),
    "what failed before a fault is told, too": Case(
        "byte x; init { d_step { assert(x); x = 1 / x } }",
        "0 d_step",
        fails="assertion, division by zero",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_nothing_follows_a_fault(name: str) -> None:
    case = FAULTS[name]
    case.check()
    run = Stepping(case.model, case.path)
    assert run.last is not None
    assert run.last.state is None


def test_a_fault_is_a_step_among_others() -> None:
    """One process divides by zero; the other can move as if it were not there."""
    run = Stepping("byte x; active proctype P() { x = 1 / x } active proctype Q() { x = 2 }")
    assert {words(step): step.state is None for step in run.steps()} == {
        "0 x = 1 / x": True,
        "1 x = 2": False,
    }


@pytest.mark.parametrize(
    ("model", "path", "message"),
    [
        ("init { chan c; c!1 }", "0 c!1", "this channel was never made"),
        (LOST.replace("STATEMENT", "e!1"), LOST_PATH + "0 e!1", "this channel is gone"),
        (
            "byte a[2], x = 2; init { a[x] = 1 }",
            "0 a[x] = 1",
            "index 2 of 'a[x]' is out of bounds: it has 2 elements",
        ),
        ("byte x; init { x = 1 / x }", "0 x = 1 / x", "the divisor is 0"),
        ("byte x; init { set_priority(0, x) }", "0 set_priority(0, x)", "0 is no priority"),
    ],
)
def test_a_fault_says_what_it_is(model: str, path: str, message: str) -> None:
    run = Stepping(model, path)
    assert run.last is not None
    (failure,) = run.last.failures
    assert failure.message.startswith(message)
