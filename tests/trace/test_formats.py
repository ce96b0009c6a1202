"""ITF and Graphviz: the states of a counterexample."""

from __future__ import annotations

import json
import re
from typing import Any

import whorl
from whorl.trace.dot import dot
from whorl.trace.itf import itf
from whorl.trace.trace import Trace

FAILS = """
typedef pair { byte low; int high[2] };
mtype = { hello, bye };
chan c = [2] of { mtype, byte };
byte a[3]; pair p; mtype m = hello;
proctype Q() { byte mine[2]; mine[1] = 7; assert(mine[0]) }
init { a[1] = 4; p.high[1] = -3; c!bye,2; run Q() }
"""
LASSO = "byte x; active proctype P() { x = 5; do :: x = 1; x = 2 od } ltl p { <> (x == 9) }"
STOPS = "byte x; active proctype P() { x = 5 } ltl p { <> (x == 9) }"


def trace_of(text: str) -> Trace:
    trace = whorl.check(text, shorten=False).trace
    assert trace is not None
    return trace


def number(value: int) -> dict[str, str]:
    return {"#bigint": str(value)}


def read(text: str) -> Any:
    return json.loads(itf(trace_of(text), "m.pml"))


def test_itf_of_values() -> None:
    data = read(FAILS)
    assert data["vars"] == ["c", "a", "p", "m", "processes"]
    assert [state["#meta"]["index"] for state in data["states"]] == list(range(7))
    assert all(set(state) == {"#meta", *data["vars"]} for state in data["states"])
    first, last = data["states"][0], data["states"][-1]
    assert first["c"] == []
    assert last["c"] == [["bye", number(2)]]
    assert last["a"] == [number(0), number(4), number(0)]
    assert last["p"] == {"low": number(0), "high": [number(0), number(-3)]}
    assert last["m"] == "hello"
    assert [process["name"] for process in first["processes"]] == ["init"]
    process = last["processes"][1]
    assert (process["name"], process["pid"], process["line"]) == ("Q", number(1), number(6))
    assert process["variables"] == {"mine": [number(0), number(7)]}
    assert data["states"][1]["#meta"]["text"] == "a[1] = 4"
    assert "loop" not in data


def test_itf_of_a_lasso() -> None:
    """The state that the cycle comes back to is there once."""
    data = read(LASSO)
    values = [int(state["x"]["#bigint"]) for state in data["states"]]
    loop = data["loop"]
    assert set(values[loop:]) == {1, 2}
    assert values[:2] == [0, 5]
    assert len(values[loop:]) == 2
    assert read(STOPS)["loop"] == len(read(STOPS)["states"]) - 1


def test_itf_where_a_variable_has_the_name_of_the_processes() -> None:
    data = read("byte processes; init { processes = 3; assert(processes == 0) }")
    assert data["vars"] == ["processes", "_processes"]
    assert data["states"][-1]["processes"] == number(3)


def edges(text: str) -> list[tuple[int, int]]:
    return [(int(a), int(b)) for a, b in re.findall(r"^  s(\d+) -> s(\d+) ", text, re.MULTILINE)]


def nodes(text: str) -> list[int]:
    return [int(a) for a in re.findall(r"^  s(\d+) \[", text, re.MULTILINE)]


def test_dot_of_a_finite_run() -> None:
    text = dot(trace_of(FAILS))
    assert edges(text) == [(n, n + 1) for n in range(6)]
    assert nodes(text) == list(range(7))
    assert r"s3 -> " in text
    assert r"init:0  c!bye,2" in text
    assert r"assertion violated: mine[0]" in text


def test_dot_of_a_lasso() -> None:
    trace = trace_of(LASSO)
    assert trace.cycle is not None
    text = dot(trace)
    last = len(trace.steps) - 1
    assert edges(text) == [*((n, n + 1) for n in range(last)), (last, trace.cycle - 1)]
    assert nodes(text) == list(range(last + 1))
    text = dot(trace_of(STOPS))
    assert edges(text)[-1] == (max(nodes(text)), max(nodes(text)))


def test_dot_quotes() -> None:
    text = dot(trace_of(r'init { printf("\"a\\b\n"); assert(0) }'))
    for line in text.splitlines():
        assert len(re.findall(r'(?<!\\)(?:\\\\)*"', line)) % 2 == 0
