"""From what a search found to verdicts: complete, cut short, approximate, unsound."""

from __future__ import annotations

from dataclasses import replace

import pytest

from whorl.api import load
from whorl.conclude import (
    MOST_MET,
    failures_met,
    is_complete,
    notes,
    properties,
    why_incomplete,
)
from whorl.program.choice import Choice
from whorl.program.program import Program
from whorl.program.semantics import Semantics
from whorl.property.claim import Claim
from whorl.property.labels import acceptance, non_progress
from whorl.reduction.plan import NONE, Plan
from whorl.reduction.scheme import Soundness
from whorl.search.exploration import Exploration, Options, Violation
from whorl.search.limits import Limits
from whorl.task import Task
from whorl.trace.trace import Trace
from whorl.verdict import Property

PLAIN = load("byte x; init { assert(x == 0); x = 1 / x; x = 1 }").program
TRACED = load("chan c = [1] of { bit }; init { c!1 } trace { c!1 }").program
FOUND = [Violation("assertion", (Choice(0, 0),))]


def trace(kind: str, message: str) -> Trace:
    return Trace(kind, message, (), (), ())


@pytest.mark.parametrize(
    ("found", "options", "why"),
    [
        (Exploration(), Options(), None),
        (Exploration(stopped="time is up"), Options(), "not all states were seen: time is up"),
        (
            Exploration(truncated=True),
            Options(limits=Limits(depth=1000)),
            "not all states were seen: the depth limit of 1,000 cut runs short",
        ),
        (Exploration(collision=0.02), Options(), "with a chance of 2 %"),
        (Exploration(collision=1e-9), Options(), "with a chance of below 0.0001 %"),
        (Exploration(violations=FOUND), Options(), "the search stopped at the first violation"),
        (Exploration(violations=FOUND), Options(all_errors=True), None),
    ],
)
def test_why_a_search_is_incomplete(found: Exploration, options: Options, why: str | None) -> None:
    said = why_incomplete(found, options)
    assert is_complete(found, options) == (why is None)
    assert said is None if why is None else said is not None and said.endswith(why)


def safety(
    found: Exploration,
    traces: tuple[Trace, ...] = (),
    options: Options | None = None,
    program: Program = PLAIN,
) -> tuple[Property, ...]:
    task = Task(Semantics(program), options=Options() if options is None else options)
    return properties(task, found, traces)


def of_claim(
    claim: Claim,
    found: Exploration,
    traces: tuple[Trace, ...] = (),
    plan: Plan = NONE,
    fair: bool = False,
) -> Property:
    task = Task(Semantics(PLAIN), claim, Options(fair=fair), reduction=plan)
    (judged,) = properties(task, found, traces)
    return judged


def verdicts(judged: tuple[Property, ...]) -> dict[str, str]:
    return {checked.name: checked.verdict for checked in judged}


def test_safety_that_holds() -> None:
    assert verdicts(safety(Exploration())) == dict.fromkeys(
        ("assertions", "end states", "array bounds", "division", "channels"), "holds"
    )


def test_only_what_was_looked_at_has_a_verdict() -> None:
    options = Options(assertions=False, end_states=False)
    found = safety(Exploration(), options=options, program=TRACED)
    assert set(verdicts(found)) == {"array bounds", "division", "channels", "trace assertion"}


def test_a_violation_leaves_the_others_open_where_the_search_stops_at_it() -> None:
    traces = (trace("assertion", "(x==0)"),)
    stopped = verdicts(safety(Exploration(violations=FOUND), traces))
    assert stopped.pop("assertions") == "violated"
    assert set(stopped.values()) == {"inconclusive"}
    went_on = verdicts(safety(Exploration(violations=FOUND), traces, Options(all_errors=True)))
    assert went_on.pop("assertions") == "violated"
    assert set(went_on.values()) == {"holds"}


def test_each_message_is_told_once() -> None:
    traces = tuple(trace("assertion", text) for text in ("(a)", "(b)", "(a)"))
    assert safety(Exploration(violations=FOUND), traces)[0].why == "(a); (b)"


def test_a_kind_that_is_not_always_looked_at() -> None:
    traces = (trace("d_step", "this d_step does not end"),)
    found = safety(Exploration(violations=FOUND), traces)
    assert found[-1] == Property("d_step", "d_step", "violated", "this d_step does not end")


def test_a_claim() -> None:
    held = of_claim(acceptance(), Exploration())
    assert (held.verdict, held.why) == ("holds", "no cycle through an accept label")
    fair = of_claim(non_progress(), Exploration(), fair=True)
    assert fair.why == "no fair cycle without progress"
    seen = of_claim(acceptance(), Exploration(), (trace("ltl", "a run"),))
    assert (seen.verdict, seen.why) == ("violated", "a run")
    assert of_claim(acceptance(), Exploration(stopped="it")).verdict == "inconclusive"


def test_nothing_found_by_an_unsound_scheme_is_no_verdict() -> None:
    unsound = replace(NONE, soundness=Soundness(False, "for a reason"))
    found = of_claim(acceptance(), Exploration(), plan=unsound)
    assert found.verdict == "inconclusive"
    assert "for a reason" in found.why
    seen = of_claim(acceptance(), Exploration(), (trace("ltl", ""),), unsound)
    assert seen.verdict == "violated"


def test_failures_that_a_claim_does_not_speak_of() -> None:
    numbers = {t.text: t.number for t in PLAIN.processes[0].transitions()}
    met = {("assertion", numbers["assert(x == 0)"]), ("division by zero", numbers["x = 1 / x"])}
    said = failures_met(PLAIN, Exploration(met=met))
    assert len(said) == 2
    assert said[0].startswith("an assertion of this model fails (assert(x == 0), line 1)")
    assert said[1].startswith("a run of this model ends in a fault (division by zero: x = 1 / x")
    assert failures_met(PLAIN, Exploration()) == ()
    many = load(f"byte x; init {{ {'assert(x); ' * 6} skip }}").program
    every = {("assertion", t.number) for t in many.processes[0].transitions() if "assert" in t.text}
    said = failures_met(many, Exploration(met=every))
    assert len(said) == MOST_MET + 1
    assert said[-1].startswith("3 more statements of this model fail")


def test_notes() -> None:
    assert notes(PLAIN, Exploration()) == ()
    assert "go round for ever" in notes(PLAIN, Exploration(endless=True))[0]
    hidden = load("hidden byte h; init { h = 1 }").program
    assert "hidden variables" in notes(hidden, Exploration())[0]
