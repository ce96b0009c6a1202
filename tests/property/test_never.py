"""Never claims: ours are read again, Spin's are read, and Spin reads ours."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.automata import buchis, words
from whorl.diagnostics import Diagnostic, WhorlError
from whorl.property.automaton import Automaton, Buchi, Edge
from whorl.property.complement import difference
from whorl.property.never import read_never
from whorl.property.never_writer import never_text
from whorl.property.operations import accepted_word, product
from whorl.property.parse import parse_formula
from whorl.property.siegel import b1, b2, b3, b4
from whorl.property.words import Word, accepts, holds

RESPONSE = """never  {    /* !([] (p -> <> q)) */
T0_init:
\tdo
\t:: (! ((q)) && (p)) -> goto accept_S4
\t:: (1) -> goto T0_init
\tod;
accept_S4:
\tdo
\t:: (! ((q))) -> goto accept_S4
\tod;
}
"""
EVENTUALLY = """never  {    /* <> !p */
T0_init:
\tdo
\t:: atomic { (! ((p))) -> assert(!(! ((p)))) }
\t:: (1) -> goto T0_init
\tod;
accept_all:
\tskip
}
"""
LTL2BA = """never { /* F(x > 1 && y[2]) */
T0_init :    /* init */
	if
	:: (1) -> goto T0_init
	:: (x > 1 && y[2]) -> goto accept_all
	fi;
accept_all :
	skip
}
"""


@given(buchis(), words())
def test_what_is_written_is_read_again(buchi: Buchi, word: Word) -> None:
    again = read_never(never_text(buchi, "any */ name"))
    assert set(again.propositions) <= set(word.propositions)
    assert accepts(again, word) == accepts(buchi, word)


@pytest.mark.parametrize("make", [b1, b2, b3, b4])
def test_the_automata_of_the_paper(make: Callable[[], Buchi]) -> None:
    automaton = make()
    again = read_never(never_text(automaton))
    assert len(again.states) == len(automaton.states)
    assert difference(again, automaton) is None


def test_figure_2_of_siegels_paper() -> None:
    text = "never { B0: do :: !p :: !p -> break od; accept_B1: do :: p od }"
    assert difference(read_never(text), b1()) is None


@pytest.mark.parametrize(
    ("text", "formula", "states"),
    [
        (RESPONSE, "F(p & G !q)", 2),
        (EVENTUALLY, "F !p", 2),
        (LTL2BA, "<> (x > 1 && y[2])", 2),
        ("never { accept_init: do :: (p) od }", "G p", 1),
        ("never { skip }", "true", 1),
        ("never { false }", "false", 1),
        ("never { do :: p :: else -> break od }", "F !p", 2),
        ("never { if :: p -> goto accept_x :: q; p fi; accept_x: do :: q od }",
         "(p & X G q) | (q & X (p & X G q))", 3),
        ("never { T: if :: if :: p -> goto A fi :: !p -> goto T fi; A: if :: q -> goto A fi }",
         "false", 2),
        ("never { do :: !p :: p -> break od; end_x: false }", "!p U p", 2),
        ("never { goto A; A: accept_A: do :: p -> goto A od }", "X G p", 2),
        ("never { assert(p); do :: d_step { q -> assert(p) } od }", "!p | X(q U (q & !p))", 3),
    ],
)  # fmt: skip
def test_claims_that_others_write(text: str, formula: str, states: int) -> None:
    buchi = read_never(text)
    meant = parse_formula(formula)
    names = tuple(dict.fromkeys((*buchi.propositions, *meant.propositions)))
    letters = range(1 << len(names))
    for a in letters:
        for b in letters:
            for c in letters:
                for word in (Word(names, (a, b), (c,)), Word(names, (a,), (b, c))):
                    assert accepts(buchi, word) == holds(meant, word), word
    assert len(buchi.states) == states


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("nevr {}", "1:1", "this is not a never claim"),
        ("never { goto A }", "1:14", "there is no label 'A'"),
        ("never { A: p; A: q }", "1:15", "the label 'A' is given twice"),
        ("never { if :: p", "1:16", "expected 'fi'"),
        ("never { if fi }", "1:12", "expected '::'"),
        ("never { (p && ) -> goto A }", "1:14", ""),
        ("never { break }", "1:9", "outside a do loop"),
        ("never { p U q }", "1:9", "no temporal operators"),
        ("never { printf(p) }", "1:9", "'printf' is not supported here"),
        ("never { p } active proctype x() { skip }", "1:13", "something follows"),
        ("never { atomic { p; q; r } }", "1:9", "this atomic sequence is not supported"),
        ("never { if :: :: p fi }", "1:15", "this option is empty"),
    ],
)
def test_mistakes_are_shown_where_they_are(text: str, place: str, message: str) -> None:
    with pytest.raises(WhorlError) as error:
        read_never(text, "a.never")
    diagnostic = error.value.diagnostics[0]
    assert message in diagnostic.message
    assert diagnostic.span is not None
    assert diagnostic.span.place == f"a.never:{place}"


@settings(max_examples=200)
@given(st.data())
def test_broken_text_is_refused_with_a_message_or_read(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from([RESPONSE, EVENTUALLY, LTL2BA]))
    for _ in range(data.draw(st.integers(1, 3))):
        begin = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(begin, min(len(text), begin + 12)))
        middle = data.draw(st.sampled_from(["", "1", "&&", "(", "!", "do", "::", "goto", "}", ";"]))
        text = text[:begin] + middle + text[end:]
    said: tuple[Diagnostic, ...] = ()
    try:
        read_never(text)
    except WhorlError as error:
        said = error.diagnostics
    assert all(diagnostic.span is not None for diagnostic in said)


def test_deep_nesting_is_an_error() -> None:
    with pytest.raises(WhorlError):
        read_never("never { " + "if :: " * 5000)
    with pytest.raises(WhorlError):
        read_never("never { " + "(" * 5000)


MODEL = """bool p, q;
active proctype a() { do :: p = !p :: q = p :: break od }
"""


def spin_says(claim: str, folder: Path) -> bool:
    """Whether pan finds a run of the model that the claim accepts."""
    (folder / "model.pml").write_text(MODEL + claim)
    for command in (
        ["spin", "-a", "model.pml"],
        ["cc", "-O0", "-pipe", "-w", "-DNOREDUCE", "-o", "pan", "pan.c"],
    ):
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    found = subprocess.run(
        ["./pan", "-a", "-w18"], cwd=folder, capture_output=True, text=True, check=False
    )
    assert "errors:" in found.stdout
    return "errors: 0" not in found.stdout


@pytest.mark.spin
@pytest.mark.parametrize("formula", ["[] (p -> <> q)", "<> !p", "p U q", "[]<> (p && q)", "<>[] p"])
def test_spins_own_claims_are_read(formula: str) -> None:
    text = subprocess.run(
        ["spin", "-f", formula], capture_output=True, text=True, check=True
    ).stdout
    buchi = read_never(text)
    meant = parse_formula(formula)
    names = ("p", "q")
    for prefix in [(), (0,), (1,), (2,), (3,), (0, 3), (1, 2), (2, 1)]:
        for cycle in [(0,), (1,), (2,), (3,), (0, 1), (1, 2), (0, 3), (1, 0, 2)]:
            word = Word(names, prefix, cycle)
            assert accepts(buchi, word) == holds(meant, word)


@pytest.mark.spin
@pytest.mark.parametrize("make", [b1, b2, b3, b4])
def test_spin_takes_our_claims(make: Callable[[], Buchi], tmp_path: Path) -> None:
    """The model can do p for ever, never and now and then, so each of these is found."""
    assert spin_says(never_text(make()), tmp_path)


@pytest.mark.spin
@pytest.mark.parametrize(
    ("text", "found"),
    [
        (RESPONSE, True),
        ("never { accept_a: do :: p -> q -> !q -> !p od }", False),
        ("never { do :: !q :: p && !q -> break od; end_x: false }", True),
        ("never { do :: !q :: p && !q -> break od; T0_x: false }", False),
        (EVENTUALLY, True),
    ],
)
def test_spin_agrees_on_a_claim_that_was_written_again(
    text: str, found: bool, tmp_path: Path
) -> None:
    assert spin_says(text, tmp_path) == found
    assert spin_says(never_text(read_never(text)), tmp_path) == found


def runs_of_the_model() -> Automaton:
    """The words of MODEL: a state is p + 2 q, and 4 more where the process has ended."""
    edges = []
    for state in range(8):
        letter, p, ended = state & 3, state & 1, state & 4
        targets = {state} if ended else {letter ^ 1, p | p << 1, letter | 4}
        edges.append(tuple(Edge(1 << letter, target) for target in targets))
    return Automaton(("p", "q"), 0, tuple(edges), sets=0)


def spin_agrees(buchi: Buchi) -> None:
    with TemporaryDirectory() as folder:
        found = accepted_word(product(runs_of_the_model(), buchi)) is not None
        assert spin_says(never_text(buchi), Path(folder)) == found


@pytest.mark.spin
@settings(max_examples=8)
@given(buchis())
def test_spin_agrees_on_random_automata(buchi: Buchi) -> None:
    spin_agrees(buchi)


@pytest.mark.slow
@pytest.mark.spin
@settings(max_examples=150)
@given(buchis())
def test_spin_agrees_on_many_random_automata(buchi: Buchi) -> None:
    spin_agrees(buchi)
