"""Every operator inside every other one and in every place, in C as in the reference semantics.

A pair of parentheses that is missing in the generated C shows here.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from itertools import product

import pytest

import whorl
from whorl.api import load
from whorl.program.atomic import runs
from whorl.program.program import Program
from whorl.program.semantics import Semantics

DECLARED = """
bit b = 1; bool t = 1; unsigned u : 2 = 2; byte x = 3; short s = -2; int i = -5; bit fixed[2] = 1;
byte first[2]; byte bytes[2]; bit bits[2]; bool bools[2]; short shorts[2];
int ints[2];
typedef Inner { bit flag; byte own[2] };
typedef Outer { short before; Inner inner[2] };
Outer outer[2];
chan c = [2] of { byte, short };
chan q[2] = [1] of { byte };
"""
LOCALS = (
    "byte first_[2]; bit bits_[2]; byte bytes_[2]; short shorts_[2]; int ints_[2]; short s_ = -2"
)
BINARY = ["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"]
BINARY += ["==", "!=", "<", ">", "<=", ">=", "&&", "||"]
# Each is 0 or 1.
INDICES = ["b", "t", "u - 1", "u >> 1", "x - 2", "x % 2", "x / 3", "b & 1", "b | 0", "b ^ 1"]
INDICES += ["b == 1", "b != 1", "x > 3", "s < 0", "b && t", "b || t", "!b", "~s", "-s - 1", "s + 2"]
INDICES += ["(b -> 0 : 1)", "(s -> x - 2 : 1)", "fixed[b]", "fixed[!b]", "fixed[b & 1]", "len(c)"]
INDICES += ["1 - b", "b << 0", "x >> 1", "nempty(c)", "outer[b].inner[b & 0].flag", "s_ + 3"]
PLACES = ["first", "bytes", "bits", "bools", "shorts", "ints"]
PLACES += ["first_", "bits_", "bytes_", "shorts_", "ints_"]
needs_compiler = pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")


def nested() -> Iterator[str]:
    """An operator inside another one, on the left and on the right."""
    for outer, inner in product(BINARY, BINARY):
        if (inner, outer) != ("<<", "-"):  # which shifts by a negative number
            yield f"x {inner} 2 {outer} 3"  # as Promela's own precedence has it
        yield f"(x {inner} 2) {outer} 3"
        if outer not in ("/", "%") and not (outer in ("<<", ">>") and inner == "-"):
            yield f"3 {outer} (x {inner} 2)"
    for unary, inner in product(("-", "~", "!"), BINARY):
        yield f"{unary}(s {inner} 3)"
        yield f"{unary}x {inner} 3"
    for inner in BINARY:
        yield f"(x {inner} 2 -> i {inner} 3 : s {inner} 3)"
        yield f"x + (x {inner} 2 -> 1 : 0)"


def stored() -> Iterator[str]:
    """What is stored in each type, and read back."""
    for place, operator in product(PLACES, BINARY):
        yield f"{place}[1] = s {operator} 3; out = {place}[1] + {place}[0]"
        yield f"{place}[0] = 300 {operator} 7; out = {place}[0]"


def indexed() -> Iterator[str]:
    """Every index of every array, read and written; messages and fields of records."""
    for place, index in product(PLACES, INDICES):
        yield f"{place}[{index}] = 1; out = {place}[0] * 16 + {place}[1] + 3 * {place}[{index}]"
        yield f"{place}[{index}]++; out = {place}[{index}]"
    for index in INDICES:
        at = f"outer[{index}].inner[{index}]"
        yield f"{at}.own[{index}] = 5; out = outer[{index}].inner[1].own[1]"
        yield f"q[{index}]!x + {index}; out = len(q[0]) * 2 + len(q[1]); q[{index}]?out"
        yield f"c!{index},s - {index}; c?_,_; out = len(c)"


def model(statements: list[str], checks: dict[int, int]) -> str:
    lines = []
    for number, statement in enumerate(statements):
        check = f"; assert(out == {checks[number]})" if number in checks else ""
        lines.append(f"  {statement}; seen[{number}] = out{check};")
    body = "\n".join(lines)
    seen = f"int out; int seen[{len(statements)}];"
    return f"{DECLARED}{seen}\nactive proctype P() {{\n{LOCALS};\n  c!1,2;\n{body}\n}}\n"


def last_values(program: Program, count: int) -> list[int]:
    """What the reference semantics has seen at the end of the one run."""
    semantics = Semantics(program)
    state = semantics.initial()
    (place,) = (variable for variable in program.variables if variable.name == "seen")
    while following := list(runs(semantics, state)):
        (run,) = following
        assert run.state is not None, run
        state = run.state
    return list(state.globals[place.offset : place.offset + count])


@needs_compiler
@pytest.mark.parametrize("texts", [nested, stored, indexed], ids=lambda texts: texts.__name__)
def test_values(texts: object) -> None:
    assert callable(texts)
    statements = [text if "out" in text else f"out = {text}" for text in texts()]
    for start in range(0, len(statements), 250):
        part = statements[start : start + 250]
        expected = last_values(load(model(part, {})).program, len(part))
        checks = dict(enumerate(expected))
        for merge in (True, False):
            found = whorl.check(
                model(part, checks), safety=True, engine="native", por="none", merge=merge
            )
            assert found.verdict == "holds", found.trace
        one = len(part) // 2
        wrong = checks | {one: checks[one] + 1}
        assert whorl.check(model(part, wrong), safety=True, engine="native").verdict == "violated"
