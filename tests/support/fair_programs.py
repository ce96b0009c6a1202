"""Small programs of every pair of processes from a list, and formulas about them.

All pairs are one model: its first step chooses which two processes run; `which` is their number. Alone
or in that model, a pair is the same program.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

DECLARATIONS = """
chan r = [0] of { bit }; chan c = [1] of { bit };
byte x, y; short which;
proctype child() { y = 1 - y }
"""

# Propositions, and then the bits of `which`.
WHICH_BITS = 10
ATOMS = ["x == 1", "y == 1", "len(c) == 1", *(f"(which >> {i}) & 1" for i in range(WHICH_BITS))]
PROPOSITIONS = ("p", "q", "r", *(f"which_{i}" for i in range(WHICH_BITS)))

# Bodies; with a condition before `::`, it is the one that the process needs to move at all.
BODIES = [
    "do :: r!1 od",
    "do :: r?_ od",
    "do :: r?_ :: x = 1; break od",
    "do :: r!1 :: x = 1; break od",
    "do :: r!1 -> x = 1 - x :: r?_ -> y = 1 - y od",
    "do :: atomic { r!1; x = 1 }; x = 0 od",
    "do :: atomic { r?_; y = 1; y = 0 } od",
    "do :: atomic { r?_; y = 1; c!1; c?_ }; y = 0 od",
    "do :: atomic { x = 1; r!1 } :: atomic { r?_; x = 0 } od",
    "do :: c!1 od",
    "do :: c?_ -> x = 1 - x od",
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
    "[] !q",
    "[]<> p",
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
    "<>[] r || []<> q",
]

Pair = tuple[int, int]  # the bodies of the two processes, by number
PAIRS: list[Pair] = list(product(range(len(BODIES)), repeat=2))


def number(pair: Pair) -> int:
    """What `which` is where these two processes run."""
    first, second = pair
    return 32 * (first + 1) + second


def model(pairs: Sequence[Pair]) -> str:
    """The model of all pairs of one of the first bodies and one of the second ones."""
    asserts = "; ".join(f"assert({atom})" for atom in ATOMS)
    text = [DECLARATIONS, f"proctype atoms() {{ {asserts} }}"]
    for body in sorted({body for pair in pairs for body in pair}):
        condition, _, rest = BODIES[body].partition(" :: ")
        if not condition.startswith("provided"):
            condition, rest = "", BODIES[body]
        text.append(f"proctype P{body}() {condition} {{ {rest} }}")
    text.append("init { atomic {")
    for place, weight in ((0, 32), (1, 1)):
        bodies = sorted({pair[place] for pair in pairs})
        added = [weight * (body + (place == 0)) for body in bodies]
        chosen = [
            f":: which = which + {more}; run P{body}()"
            for body, more in zip(bodies, added, strict=True)
        ]
        text.append(f"  if {' '.join(chosen)} fi;")
    return "\n".join([*text, "} }", ""])
