"""A real check with each engine: does it find the violation, and can it be replayed?"""

from __future__ import annotations

import time
from collections.abc import Iterator

import whorl
from whorl.doctor.finding import Finding, ok, problem
from whorl.figures import count_text, seconds_text
from whorl.native.compiler import find_compiler

LOST_UPDATE = """
byte counter, done;
active [2] proctype adder() { byte seen; seen = counter; counter = seen + 1; done++ }
active proctype observer() { done == 2; assert(counter == 2) }
"""
TIMEOUT = 60.0


def native() -> Iterator[Finding]:
    """A check with the native engine, compiled anew; nothing where there is no compiler."""
    if find_compiler(cached=False) is not None:
        yield _trial("native")


def reference() -> Iterator[Finding]:
    """A check with the reference engine."""
    yield _trial("reference")


def _trial(engine: str) -> Finding:
    name = f"{engine} engine"
    started = time.monotonic()
    result = whorl.check(LOST_UPDATE, engine=engine, no_cache=True, timeout=TIMEOUT)
    took = seconds_text(time.monotonic() - started)
    trace = result.trace
    if result.verdict != "violated" or trace is None or trace.kind != "assertion":
        return problem(name, f"a tiny check should be violated, and is {result.verdict}")
    states = f"{count_text(result.statistics.states)} states"
    steps = f"a violation of {len(trace.steps)} steps found and replayed"
    return ok(name, f"{steps}, {states}, {took}")
