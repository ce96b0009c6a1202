"""Never claims as automata: what each construct becomes, and what is refused."""

from __future__ import annotations

import pytest

import whorl
from support.cycles import search
from whorl.diagnostics import WhorlError
from whorl.property.automaton import Buchi
from whorl.property.claim import Claim
from whorl.property.from_never import from_never
from whorl.property.letters import display_label
from whorl.property.propositions import support

PROGRAM = """
byte x, y, a[3]; chan c = [1] of { byte }; mtype = { red, green }; mtype m;
active proctype P() { byte v; L: do :: x = y; v = a[0] :: accept: c!1 od }
"""


def claim(text: str) -> Claim:
    program = whorl.load(f"{PROGRAM}\nnever {{ {text} }}").program
    return from_never(program, program.never[0])


def edges(automaton: Buchi) -> list[tuple[int, str, int]]:
    names = automaton.propositions
    return [
        (s, display_label(edge.label, names), edge.target)
        for s in automaton.states
        for edge in automaton.edges[s]
    ]


def test_guards_are_taken_apart() -> None:
    made = claim(
        "do :: x == 1 && !(y == 2) -> break :: !(x == 1) || y == 2 od; accept: do :: y == 2 od"
    )
    assert made.automaton.propositions == ("x == 1", "y == 2")
    assert edges(made.automaton) == [
        (0, "(x == 1) & !(y == 2)", 1),
        (0, "!(x == 1) | (y == 2)", 0),
        (1, "(y == 2)", 1),
    ]
    assert made.automaton.accepting == {1}
    assert not made.ends


def test_what_may_fail_stays_behind_its_test() -> None:
    made = claim("do :: x < 3 && a[x] == 0 od")
    assert made.automaton.propositions == ("x < 3 && a[x] == 0",)
    assert claim("do :: x < 3 && a[2] == 0 od").automaton.propositions == ("x < 3", "a[2] == 0")


def test_names_of_propositions() -> None:
    guards = (
        "m == red",
        "P@L",
        "P:v == 1",
        "c?[1]",
        "len(c) > 0",
        "(x + y) * 2 == 6",
        "np_",
        "timeout",
    )
    made = claim(" ".join(["do", *(f":: {guard}" for guard in guards), "od"]))
    assert made.automaton.propositions == guards


def test_else_is_none_of_the_others() -> None:
    made = claim("do :: x == 1 -> accept: true :: x == 2 :: else -> break od; y == 0; y == 0")
    assert (0, "!(x == 1) & !(x == 2)", 2) in edges(made.automaton)


def test_falling_off_and_end_labels_and_assertions_are_ends() -> None:
    for text in ("x == 1", "x == 1; end: y == 2", "do :: assert(!(x == 1)) od"):
        made = claim(text)
        (end,) = made.ends
        assert (0, "(x == 1)", end) in edges(made.automaton)
        assert (end, "true", end) in edges(made.automaton)


def test_atomic_steps_read_one_letter() -> None:
    made = claim("do :: atomic { x == 1 -> assert(!(x == 1)) } :: true od")
    (end,) = made.ends
    assert edges(made.automaton) == [(0, "(x == 1)", end), (0, "true", 0), (end, "true", end)]


def test_an_atomic_loop_leads_nowhere() -> None:
    assert edges(claim("do :: atomic { L: x == 1 -> goto L } :: y == 2 od").automaton) == [
        (0, "(y == 2)", 0)
    ]


def test_accept_labels_of_the_program_count_too() -> None:
    assert claim("do :: x == 1 od").program_accepts


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1", "cannot assign to a variable"),
        ("d_step { x == 1; y == 1 }", "cannot have a d_step"),
        ("do :: run P() od", "cannot start a process"),
        ("byte mine; x == 1", "a variable of its own, 'mine'"),
        ("byte i; for (i : 1 .. 2) { skip }", "cannot assign to a variable"),
        ("set_priority(0, 2)", "cannot change a priority"),
        ("if " + " ".join(f":: x == {n}" for n in range(21)) + " fi", "looks at 21 propositions"),
    ],
)
def test_refused(text: str, message: str) -> None:
    with pytest.raises(WhorlError, match=message) as error:
        claim(text)
    assert "never" in error.value.render()  # the place is shown


def test_support() -> None:
    xor = 0b0110
    assert support([xor], 2) == {0, 1}
    assert support([0b1100], 2) == {1}
    assert support([0b1111], 2) == frozenset()


# --- propositions without a value ----------------------------------------------------------------

FAULTY = """
byte x, a[2]; active proctype P() { do :: x < 3 -> x++ :: else -> x = 0 od }
never { %s }
"""


def test_a_proposition_without_a_value_is_a_violation() -> None:
    found, (trace,) = search(FAULTY % "do :: a[x] == 0 od")
    (violation,) = found.violations
    assert violation.kind == "array bounds"
    assert trace.message == "index 2 of 'a[x]' is out of bounds: it has 2 elements"
    assert len(trace.steps) == 4


def test_unless_the_claim_does_not_look_at_it() -> None:
    """Past x == 1 the claim no longer asks for a[x]."""
    found, _ = search(FAULTY % "do :: a[x] == 0 && x < 1 :: x == 1 -> break od; do :: x < 9 od")
    assert not found.violations
