"""Rules: what is read, and what is said where they are wrong."""

from __future__ import annotations

from dataclasses import replace

import pytest

from whorl.diagnostics import Source, WhorlError
from whorl.lab.automata import fixed
from whorl.lab.language import RuleSet, read
from whorl.lab.schemes import MUTATIONS, SCHEMES, LabScheme, rule_files, source
from whorl.lab.search import Bounds, search
from whorl.property.siegel import b1


def rules(text: str) -> RuleSet:
    return read(Source("own.rules", text))


def complaint(text: str) -> str:
    with pytest.raises(WhorlError) as caught:
        rules(text)
    return str(caught.value)


@pytest.mark.parametrize("name", rule_files())
def test_our_files_can_be_read(name: str) -> None:
    file = name.removesuffix(".rules")
    known = [s for s in (*SCHEMES.values(), *MUTATIONS.values()) if file in s.all_files]
    if known:
        assert all(scheme.rules().rules for scheme in known)
    else:  # a class of automata
        assert read(*map(source, ("core", "product", "source", file))).rules


def test_sorts_are_found() -> None:
    found = rules(
        "before(Q,O) :- after(Q,O). after(Q,O) :- enabled(Q,O). { odd(O) } :- operation(O)."
    )
    assert found.relations["before"] == ("state", "operation")
    assert found.chosen == {"odd"}
    assert found.derived == {"before", "after"}


def test_a_place_is_shown() -> None:
    text = complaint(
        "dark(Q) :- initial(Q,S). dark(R) :- dark(Q), next(Q,O,R).\n:- ample(Q,S,O), not dark(Q)."
    )
    assert text.startswith(
        "own.rules:2:22: error: 'dark' may not be negated: 'dark' depends on itself"
    )
    assert "^^^^" in text


def test_what_depends_on_itself_is_found_below() -> None:
    text = complaint(
        "far(Q) :- state(Q), not near(Q). near(R) :- next(Q,O,R), other(Q). other(Q) :- near(Q)."
    )
    assert "'near' may not be negated: 'near' depends on itself" in text
    below = "above(Q) :- near(Q). near(R) :- next(Q,O,R), near(Q). :- state(Q), not above(Q)."
    assert "'above' may not be negated: 'near' depends on itself" in complaint(below)


def test_negated_relations_come_first() -> None:
    found = rules(
        "late(Q) :- state(Q), not early(Q). late(R) :- late(Q), next(Q,O,R). early(Q) :- first(Q)."
        "first(Q) :- initial(Q,S). apart(O) :- enabled(Q,O)."
    )
    assert found.exact == {"early", "first"}
    assert found.strata() == [{"early", "first", "apart"}, {"late"}]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (":- enabled(Q).", "'enabled' has 2 places, not 1"),
        (":- enabled(Q,Q).", "'Q' stands for a state and for an operation"),
        (":- enable(Q,O).", "nothing says what 'enable' is"),
        (":- not enabled(Q,O).", "'Q' is in no relation of the body that is not negated"),
        (":- enabled(Q,O), Q != O.", "a state is compared with an operation"),
        (":- enabled(0,O).", "'0' is no part of a rule"),
        (":- enabled(q,O).", "expected a variable, found 'q'"),
        (":- enabled(Q,O)", "expected '.', found the end of the file"),
        (":- enabled(Q,O), X.", "expected '!=' or '=' or '<', found '.'"),
        ("bad(X) :- enabled(Q,O).", "'X' is in no relation of the body"),
        ("#edge ((Q,S),(R)) : next(Q,O,R), property(S).", "equally many places"),
        ("#edge (Q,O) : enabled(Q,O).", "the two ends of an edge are of different sorts"),
        ('#include "nothing.rules".', 'there are no rules "nothing.rules"'),
    ],
)
def test_mistakes(text: str, message: str) -> None:
    assert message in complaint(text)


def test_included_files_are_read_once() -> None:
    own = Source("own.rules", '#include "c2.rules". #include "c2.rules". #include "source.rules".')
    scheme = LabScheme("own", "", (), (own,))
    assert len(scheme.rules().rules) == len(
        read(*map(source, ("core", "product", "c2", "source"))).rules
    )


def test_schemes_are_made_of_files_that_exist() -> None:
    for scheme in SCHEMES.values():
        assert {f"{name}.rules" for name in scheme.files} <= set(rule_files())
        own = {"stored"} if scheme.is_safety else {"kept"}
        assert scheme.rules().derived >= (own if scheme.has_walks else {"reduced", "explored"})


def test_choices_and_negations_over_sets() -> None:
    """A choice is confined to what is known, too; what rules define is no larger than they say."""
    both = "{ odd(Q,W) } :- member(Q,W). even(Q) :- state(Q), set(W), not odd(Q,W)."
    counted = search_with(f"{both} :- member(Q,W), not odd(Q,W). :- state(Q), not even(Q).")
    assert counted is not None
    assert search_with(f"{both} :- state(Q), even(Q).") is None
    within = "{ odd(Q,W) } :- member(Q,W). :- state(Q), set(W), not odd(Q,W)."
    assert search_with(within) is None


def search_with(text: str) -> object:
    """A counterexample to V0 with more rules."""
    scheme = replace(SCHEMES["v0"], own=(Source("own.rules", text),))
    return search(scheme, [fixed(b1())], Bounds(2, 2))
