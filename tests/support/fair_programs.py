"""Small programs of every pair of processes from a list, with a third or without; and formulas.

All programs are one model: its first step chooses which processes run, and `which` is their number.
Alone or in that model, it is the same program.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

DECLARATIONS = """
chan r = [0] of { bit }; chan c = [1] of { bit };
byte x, y; short which;
proctype child() { y = 1 - y }
proctype bystander() { bit z; do :: z = 1 - z od }
"""

# Propositions, and then the bits of `which`.
WHICH_BITS = 11
ATOMS = ["x == 1", "y == 1", "len(c) == 1", *(f"(which >> {i}) & 1" for i in range(WHICH_BITS))]
PROPOSITIONS = ("p", "q", "r", *(f"which_{i}" for i in range(WHICH_BITS)))

# Bodies; with a condition before `::`, it is the one that the process needs to move at all.
BODIES = [
    "do :: r!1 od",
    "do :: r?_ od",
    "do :: r?_ :: x = 1; break od",
    "do :: r!1 :: x = 1; break od",
    "do :: r?_ -> x = 1; break :: y = 1 - y od",
    "do :: r!1 -> x = 1; break :: y = 1 - y od",
    "do :: atomic { r?_; y = 1; y = 0 } :: x = 1; break od",
    "r!1; x = 1",
    "r?_; x = 1",
    "do :: r!1 -> x = 1 - x :: r?_ -> y = 1 - y od",
    "do :: atomic { r!1; x = 1 }; x = 0 od",
    "do :: atomic { r?_; y = 1; c!1; c?_ }; y = 0 od",
    "do :: atomic { x = 1; r!1 } :: atomic { r?_; x = 0 } od",
    "do :: c!1 od",
    "do :: c?_ -> x = 1 - x od",
    "do :: c?_ -> x = 1; break :: y = 1 - y od",
    "do :: c!1; c?_ :: x = 1; break od",
    "do :: d_step { nempty(c) -> c?_; y = 1 } :: y = 0 od",
    "x = 1; y = 1",
    "do :: x = 1 - x od",
    "byte i; do :: i = x; y = i; i = 1 - i :: i == 1 -> break od",
    "do :: x == 1 -> x = 0 :: else -> y = 1 - y od",
    "do :: timeout -> x = 1 - x od",
    "do :: timeout -> y = 1; break :: x == 1 -> x = 0 od",
    "{ do :: y = 1 - y od } unless { x == 1; x = 0 }",
    "{ do :: r?_ od } unless { c?_; x = 1 }",
    "do :: _nr_pr < 4 -> run child() :: x == 1 -> break od",
    "do :: atomic { _nr_pr == 3 -> run child() }; x = 1 - x od",
    "provided (y == 0) :: do :: x = 1 - x :: r!1 od",
    "provided (x == 0) :: do :: r?_ -> y = 1 - y od",
    "end: do :: r?_ -> c!1 od",
]

FORMULAS = [
    "<> p",
    "[]<> p",
    "<>[] r || []<> q",
    "[] !q",
    "<>[] p",
    "<>[] !q",
    "[](p -> <> q)",
    "!p U q",
    "[]<> p -> []<> q",
    "[]<> r",
    "<>[](p || q)",
    "<> p && []<> q",
    "[]<>(p && q)",
    "[](q -> (p U !q))",
]

Choice = tuple[int, int, int]  # the bodies of two processes, by number, and whether others stand by
PROGRAMS: list[Choice] = list(product(range(len(BODIES)), range(len(BODIES)), range(2)))
HANDSHAKES = [program for program in PROGRAMS if max(program[:2]) < 10]


def number(program: Choice) -> int:
    """What `which` is in this program."""
    first, second, bystanders = program
    return 32 * (first + 1) + second + 1024 * bystanders


def model(programs: Sequence[Choice]) -> str:
    """The model of all programs that can be put together from these."""
    asserts = "; ".join(f"assert({atom})" for atom in ATOMS)
    text = [DECLARATIONS, f"proctype atoms() {{ {asserts} }}"]
    for body in sorted({body for program in programs for body in program[:2]}):
        condition, _, rest = BODIES[body].partition(" :: ")
        if not condition.startswith("provided"):
            condition, rest = "", BODIES[body]
        text.append(f"proctype P{body}() {condition} {{ {rest} }}")
    first, second, others = (sorted(set(column)) for column in zip(*programs, strict=True))
    return "\n".join(
        [
            *text,
            "init { atomic {",
            _one_of([f"which = {32 * (body + 1)}; run P{body}()" for body in first]),
            _one_of([f"which = which + {body}; run P{body}()" for body in second]),
            _one_of([["skip", "which = which + 1024; run bystander()"][b] for b in others]),
            "} }",
            "",
        ]
    )


def _one_of(ways: list[str]) -> str:
    return "  if " + " ".join(f":: {way}" for way in ways) + " fi;"
