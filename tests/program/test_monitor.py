"""Trace and notrace assertions: which events they know, and which they allow next."""

from __future__ import annotations

import pytest

from support.stepping import Case

HEAD = "chan q = [3] of { byte }; chan d = [3] of { byte }; chan r = [0] of { byte }; byte x;"


def model(body: str, watched: str) -> str:
    return f"{HEAD} init {{ {body} }} {watched}"


CASES = {
    "what it allows": Case(
        model("q!1; q!2", "trace { q!1; q!2 }"), "0 q!1 | 0 q!2", values={"q": [1, 2]}
    ),
    "another value": Case(model("q!3", "trace { q!1; q!2 }"), "0 q!3", fails="trace"),
    "another order": Case(model("q!2", "trace { q!1; q!2 }"), "0 q!2", fails="trace"),
    "once more than it allows": Case(
        model("q!1; q!1", "trace { q!1 }"), "0 q!1 | 0 q!1", fails="trace"
    ),
    "one of several": Case(
        model("q!2; q!1", "trace { do :: q!1 :: q!2 od }"), "0 q!2 | 0 q!1", values={"q": [2, 1]}
    ),
    "any value": Case(model("q!9", "trace { q!_ }"), "0 q!9", values={"q": [9]}),
    "a channel that is not named": Case(
        model("d!5; q!1", "trace { q!1 }"), "0 d!5 | 0 q!1", values={"d": [5], "q": [1]}
    ),
    "receives that are not named": Case(
        model("q!1; q?x; q!2", "trace { q!1; q!2 }"), "0 q!1 | 0 q?x | 0 q!2", values={"x": 1}
    ),
    "sends that are not named": Case(
        model("q!7; q!8; q?_; q?_", "trace { q?7; q?8 }"), "0 q!7 | 0 q!8 | 0 q?_ | 0 q?_"
    ),
    "a receive of another value": Case(
        model("q!7; q?_", "trace { q?8 }"), "0 q!7 | 0 q?_", fails="trace"
    ),
    "sends and receives in turn": Case(
        model("q!1; q!2", "trace { do :: q!_; q?_ od }"), "0 q!1 | 0 q!2", fails="trace"
    ),
    "a copy is no event": Case(
        model("q!1; q?<x>; q?_", "trace { q?1 }"), "0 q!1 | 0 q?<x> | 0 q?_", values={"x": 1}
    ),
    "a random receive is one": Case(
        model("q!1; q!2; q??2", "trace { q?1 }"), "0 q!1 | 0 q!2 | 0 q??2", fails="trace"
    ),
    "a sorted send is one": Case(model("q!!2", "trace { q!1 }"), "0 q!!2", fails="trace"),
    "notrace: all of it": Case(
        model("q!1; q!2", "notrace { q!1; q!2 }"), "0 q!1 | 0 q!2", fails="trace"
    ),
    "notrace: a part of it": Case(
        model("q!1; d!2", "notrace { q!1; q!2 }"), "0 q!1 | 0 d!2", values={"q": [1]}
    ),
    "notrace: something else first": Case(
        model("q!3; q!1; q!2", "notrace { q!1; q!2 }"), "0 q!3 | 0 q!1 | 0 q!2"
    ),
    "notrace: something else in between": Case(
        model("q!1; q!3; q!2", "notrace { q!1; q!2 }"), "0 q!1 | 0 q!3 | 0 q!2"
    ),
}
SHAKE = "active proctype P() { r!1 } active proctype Q() { r?x }"
CASES |= {
    "a handshake is a send, then a receive": Case(
        f"{HEAD} {SHAKE} trace {{ r!1; r?1 }}", "0 r!1 / 1 r?x", values={"x": 1}
    ),
    "and not a receive, then a send": Case(
        f"{HEAD} {SHAKE} trace {{ r?1; r!1 }}", "0 r!1 / 1 r?x", fails="trace"
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_events(name: str) -> None:
    CASES[name].check()
