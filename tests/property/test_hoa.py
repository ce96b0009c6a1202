"""HOA: what is written is read again, what others write is read, and mistakes have a place."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.automata import automata, buchis, words
from whorl.diagnostics import Diagnostic, WhorlError
from whorl.property.automaton import Automaton, Buchi
from whorl.property.hoa import read_hoa
from whorl.property.hoa_writer import hoa_text
from whorl.property.state_based import as_buchi
from whorl.property.words import Word, accepts

GFA = """HOA: v1
/* the automaton of /* nested */ comments */
name: "GF\\"a\\""
tool: "something" "1.0"
States: 2
Start: 0
AP: 2 "a" "x > 1"
acc-name: Buchi
Acceptance: 1 Inf(0)
properties: trans-labels explicit-labels state-acc complete
properties: deterministic
spot.highlight.edges: 1 1 2 3
--BODY--
State: 0 "not a" {0}
[0] 1
[!0] 0
State: 1
[0&(1|!1)] 1 [!0] 0
--END--
"""


@given(buchis())
def test_a_buchi_automaton_is_read_as_it_was_written(buchi: Buchi) -> None:
    again = as_buchi(read_hoa(hoa_text(buchi, "a \\ name")))
    live = {s for s in buchi.accepting if buchi.edges[s]}  # a dead end accepts nothing
    assert again == Buchi(buchi.propositions, buchi.initial, buchi.edges, frozenset(live))


@given(automata())
def test_a_generalised_automaton_is_read_as_it_was_written(automaton: Automaton) -> None:
    assert read_hoa(hoa_text(automaton)) == automaton


@given(automata(), words())
def test_degeneralising_keeps_the_language(automaton: Automaton, word: Word) -> None:
    assert accepts(as_buchi(automaton), word) == accepts(automaton, word)


def test_a_state_based_automaton() -> None:
    buchi = as_buchi(read_hoa(GFA))
    assert buchi.propositions == ("a", "x > 1")
    assert len(buchi.states) == 2
    assert buchi.accepting == {0}
    assert buchi.is_deterministic
    assert buchi.is_complete


def changed(old: str, new: str) -> str:
    assert old in GFA
    return GFA.replace(old, new)


def test_forms_of_labels() -> None:
    plain = read_hoa(GFA)
    alias = changed('AP: 2 "a" "x > 1"', 'AP: 2 "a" "x > 1"\nAlias: @n !0\nAlias: @0 !@n')
    assert read_hoa(alias.replace("[0] 1", "[@0] 1").replace("[!0] 0", "[@n] 0")) == plain
    state_label = changed("State: 1\n[0&(1|!1)] 1 [!0] 0", "State: [0] 1\n1 0")
    assert [e.label for e in read_hoa(state_label).edges[1]] == [0b1010, 0b1010]
    implicit = changed("State: 1\n[0&(1|!1)] 1 [!0] 0", "State: 1\n0 1 0 1")
    assert [(e.label, e.target) for e in read_hoa(implicit).edges[1]] == [
        (1, 0), (2, 1), (4, 0), (8, 1)
    ]  # fmt: skip
    assert [e.target for e in read_hoa(changed("[0] 1", "[t] 1")).edges[0]] == [1, 0]
    assert [e.target for e in read_hoa(changed("[0] 1", "[f] 1")).edges[0]] == [0]


def test_several_initial_states_become_one() -> None:
    automaton = read_hoa(changed("Start: 0", "Start: 0\nStart: 1"))
    assert automaton.initial == 2
    assert set(automaton.edges[2]) == set(automaton.edges[0] + automaton.edges[1])
    nothing = read_hoa(changed("Start: 0\n", ""))
    assert nothing.edges[nothing.initial] == ()


@pytest.mark.parametrize(
    ("condition", "sets"),
    [
        ("0 t", 0),
        ("0 f", 1),
        ("2 Inf(0)&Inf(1)", 2),
        ("2 Inf(0)|Inf(1)", 1),
        ("1 Inf(!0)", 1),
        ("3 (Inf(0)&Inf(1))|Inf(2)", 2),
    ],
)
def test_conditions(condition: str, sets: int) -> None:
    body = "[0] 0 {0} [!0] 0 {1}" if "2" in condition or "3" in condition else "[t] 0"
    text = f'HOA: v1 Start: 0 AP: 1 "p" Acceptance: {condition} --BODY-- State: 0 {body} --END--'
    assert read_hoa(text).sets == sets


def test_what_conditions_mean() -> None:
    def accepted(condition: str) -> list[bool]:
        text = f"""HOA: v1 Start: 0 AP: 1 "p" Acceptance: {condition}
            --BODY-- State: 0 [0] 0 {{0}} [!0] 0 {{1}} --END--"""
        automaton = read_hoa(text)
        cycles = [(0,), (1,), (0, 1)]
        return [accepts(automaton, Word(("p",), (), cycle)) for cycle in cycles]

    assert accepted("2 Inf(0)") == [False, True, True]
    assert accepted("2 Inf(1)") == [True, False, True]
    assert accepted("2 Inf(0)&Inf(1)") == [False, False, True]
    assert accepted("2 Inf(0)|Inf(1)") == [True, True, True]
    assert accepted("2 Inf(!0)") == [True, False, True]
    assert accepted("2 t") == [True, True, True]
    assert accepted("2 f") == [False, False, False]
    assert accepted("2 Inf(0)|t") == [True, True, True]
    assert accepted("2 Inf(0)|f") == [False, True, True]


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("", "1:1", "this is not an automaton in the HOA format"),
        ("never {}", "1:1", "this is not an automaton"),
        (changed("HOA: v1", "HOA: v2"), "1:6", "version v2"),
        (changed("1 Inf(0)", "1 Fin(0)"), "9:15", "acceptance with 'Fin' is not supported"),
        (changed("1 Inf(0)", "1 Inf(1)"), "9:19", "there is no set 1"),
        (changed("Acceptance: 1 Inf(0)\n", ""), "12:1", "no 'Acceptance:'"),
        (changed("Start: 0", "Start: 0&1"), "6:9", "alternating"),
        (changed("Start: 0", "Start: 7"), "6:8", "there is no state 7"),
        (changed('AP: 2 "a"', 'AP: 3 "a"'), "7:5", "3 propositions announced, but 2 given"),
        (changed('"x > 1"', '"a"'), "7:11", "proposition 'a' is given twice"),
        (changed('"x > 1"', '"x'), "7:11", "this string does not end"),
        (changed("States: 2", "Sates: 2"), "5:1", "unknown header item 'Sates:'"),
        (changed("States: 2", "States: 2\nStates: 2"), "6:1", "given twice"),
        (changed("[0] 1", "[2] 1"), "15:2", "there is no proposition 2"),
        (changed("[0] 1", "[0 1"), "15:4", "expected ']', found '1'"),
        (changed("[0] 1", "[@x] 1"), "15:2", "unknown name '@x'"),
        (changed("[0] 1", "[0] 1&0"), "15:6", "alternating"),
        (changed("[0] 1", "[0] 5"), "15:5", "there is no state 5"),
        (changed("[0] 1", "1"), "16:1", "either all edges"),
        (changed("[0] 1\n[!0] 0", "1 0"), "14:1", "2 edges without label, not 4"),
        (changed("State: 1\n", "State: 0\n"), "17:1", "state 0 is given twice"),
        (changed("--END--", "--ABORT--"), "19:1", "aborted"),
        (changed("--END--\n", ""), "18:20", "expected '--END--', found the end of the text"),
        (GFA + GFA, "20:1", "something follows"),
        (changed("/* nested */", "/* nested"), "2:1", "this comment does not end"),
        (changed("[0] 1", "[0] 1 $"), "15:7", "unexpected character '$'"),
        (changed("States: 2", "States: 999999999"), "5:9", "more than 100,000 states"),
        (changed("States: 2", "States: " + "9" * 9999), "5:9", "this number is too large"),
        (changed("[0] 1", "[" + "(" * 9999), "15:102", "this is nested too deeply"),
        (changed("[0] 1", "[" + "!" * 9999), "15:102", "this is nested too deeply"),
        (changed("1 Inf(0)", "1 " + "(" * 9999), "9:115", "this is nested too deeply"),
    ],
)
def test_mistakes_are_shown_where_they_are(text: str, place: str, message: str) -> None:
    with pytest.raises(WhorlError) as error:
        read_hoa(text, "a.hoa")
    (diagnostic,) = error.value.diagnostics
    assert message in diagnostic.message
    assert diagnostic.span is not None
    assert diagnostic.span.place == f"a.hoa:{place}"


@settings(max_examples=300)
@given(st.data())
def test_broken_text_is_refused_with_a_message_or_read(data: st.DataObject) -> None:
    text = GFA
    for _ in range(data.draw(st.integers(1, 3))):
        begin = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(begin, min(len(text), begin + 12)))
        middle = data.draw(st.sampled_from(["", "0", "&", "(", "!", '"', "[", "State:", "t", "{"]))
        text = text[:begin] + middle + text[end:]
    said: tuple[Diagnostic, ...] = ()
    try:
        read_hoa(text)
    except WhorlError as error:
        said = error.diagnostics
    assert all(diagnostic.span is not None for diagnostic in said)
