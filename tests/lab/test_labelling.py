"""Stubborn sets on small programs: definitions, rules, and the inconsistent labelling problem."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

import pytest

from lab.instances import ample
from lab.test_search import clingo_finds
from whorl.lab import stubborn
from whorl.lab.automata import fixed
from whorl.lab.definitions import accepting_lasso, full_product
from whorl.lab.describe import describe
from whorl.lab.evaluate import broken, evaluate
from whorl.lab.experiment import run
from whorl.lab.facts import Expectation
from whorl.lab.instance import FiniteProgram, Instance
from whorl.lab.labelling import claims, once
from whorl.lab.language import read
from whorl.lab.recheck import objection, reduced
from whorl.lab.schemes import SCHEMES, LabScheme, source, violated
from whorl.property.automaton import Buchi
from whorl.property.siegel import b1

D1_FORMS = ("stubborn-d1", "stubborn-d1-d2", "stubborn-deterministic")


def name(claim: Expectation) -> str:
    experiment = claim.experiment
    return f"{experiment.scheme.name} {experiment.automata.name} {experiment.bounds.states}"


@pytest.mark.parametrize("claim", list(claims(small=True)), ids=name)
def test_claims_at_small_bounds(claim: Expectation) -> None:
    assert run(claim.experiment).verdict == claim.expected


@pytest.mark.slow
@pytest.mark.parametrize("claim", list(claims()), ids=name)
def test_claims(claim: Expectation) -> None:
    assert run(claim.experiment).verdict == claim.expected


# --- counterexamples by hand ---------------------------------------------------------------------


def instance(
    labels: tuple[int, ...],
    steps: tuple[tuple[int | None, ...], ...],
    automaton: Buchi,
    alike: set[tuple[int, int]],
    sets: tuple[str, ...],
    keys: tuple[str, ...],
) -> Instance:
    """An instance from its stubborn sets and the key actions that are relied on."""
    program = FiniteProgram(labels, steps)
    chosen = [{ord(o) - ord("a") for o in names} for names in sets]
    every = {(o, o) for o in program.operations}
    key = {(q, ord(o) - ord("a")) for q, names in enumerate(keys) for o in names}
    extra: dict[str, set[tuple[int, ...]]] = {
        "alike": {*every, *alike, *((p, o) for o, p in alike)},
        "stubborn": {(q, o) for q, members in enumerate(chosen) for o in members},
        "key": {*key},
    }
    bare = Instance(program, automaton, ample(*[("",) * len(automaton.states)] * len(labels)),
                    tuple((name, frozenset(rows)) for name, rows in extra.items()))  # fmt: skip
    extra["quiet"] = {(q, o) for q, o in key if not stubborn.is_visible(bare, o)}
    taken = tuple(
        (program.enabled(q) & members,) * len(automaton.states) for q, members in enumerate(chosen)
    )
    rows = tuple((name, frozenset(rows)) for name, rows in sorted(extra.items()))
    return replace(bare, ample=taken, extra=rows)


def nondeterministic() -> Instance:
    """The visible action {b,c} goes to C, where p holds, and may stay there.

    `a` is put before it. From C it leads to D, as it does from A by way of B; but that C is as D by
    `a`, and B never is: after `a` p holds for no longer than a step.
    """
    a, b, c, d = range(4)
    steps = ((b, None, c), (a, b, d), (d, None, c), (None, None, b))
    return instance(
        (0, 0, 1, 1), steps, b1(), {(1, 2)}, ("a", "abc", "abc", "abc"), ("a", "a", "a", "c")
    )


def deterministic() -> Instance:
    """`b` sets p and takes it back, then `a` ends all; `k` copies what `b` does, without `a`.

    `a` is disabled while p holds. So after `a` p was never so; after `k` it is so again and again.
    """
    s1, s2, end, k0, k1 = range(1, 6)
    steps = (
        (end, s1, k0),
        (None, s2, k1),
        (end, None, k0),
        (None, end, None),
        (None, k1, None),
        (None, k0, None),
    )
    automaton = once().automaton
    assert automaton is not None
    return instance(
        (0, 1, 0, 0, 0, 1), steps, automaton, set(), ("ac", "abc", "abc", "abc", "abc", "abc"),
        ("c", "bc", "ac", "b", "b", "b"),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("made", "schemes"),
    [(nondeterministic, D1_FORMS[:2]), (deterministic, (D1_FORMS[0], D1_FORMS[2]))],
)
def test_a_run_is_lost_with_d1(made: Callable[[], Instance], schemes: tuple[str, ...]) -> None:
    found = made()
    for name in schemes:
        scheme = SCHEMES[name]
        assert objection(scheme, scheme.rules(), found, searched=False) is None
    assert accepting_lasso(found, full_product(found)) is not None
    whole = SCHEMES["stubborn"]
    assert accepting_lasso(found, reduced(whole, whole.rules(), found)) is None
    reason = objection(whole, whole.rules(), found, searched=False)
    assert reason is not None
    assert reason.startswith("D1'")


def test_only_one_of_the_two_ways_out_is_needed() -> None:
    """What is lost with nondeterministic actions has key actions only, and the other way round."""
    assert stubborn.d2(nondeterministic()) is None
    assert stubborn.deterministic(nondeterministic()) is not None
    assert stubborn.d2(deterministic()) is not None
    assert stubborn.deterministic(deterministic()) is None


def test_actions_and_sets_are_shown() -> None:
    found = nondeterministic()
    scheme = SCHEMES["stubborn-d1"]
    lines = describe(found, scheme, reduced(scheme, scheme.rules(), found))
    assert "  actions: {a} {b,c}" in lines
    assert "  stubborn sets: A {a}, B {a,b,c}, C {a,b,c}, D {a,b,c}" in lines


# --- the definitions -----------------------------------------------------------------------------


def random_instance(dice: Random) -> Instance:
    """A program with two or three operations, some alike, and any sets; labels over p."""
    states, operations = dice.choice([2, 3, 3]), dice.choice([2, 3, 3])
    steps = tuple(
        tuple(dice.choice([None, *range(states)]) for _ in range(operations)) for _ in range(states)
    )
    labels = tuple(dice.choice([0, 0, 1]) for _ in range(states))
    alike = {(operations - 2, operations - 1)} if dice.random() < 0.6 else set()
    names = "abc"[:operations]
    sets = []
    for _ in range(states):
        members = {o for o in names if dice.random() < 0.5}
        for one, other in alike:
            pair = {names[one], names[other]}
            members = members | pair if members & pair else members
        sets.append("".join(sorted(members)))
    made = instance(labels, steps, b1(), alike, tuple(sets), ("",) * states)
    key = {(q, o) for q in range(states) for o in range(operations) if stubborn.is_key(made, q, o)}
    quiet = {(q, o) for q, o in key if not stubborn.is_visible(made, o)}
    known: dict[str, frozenset[tuple[int, ...]]] = dict(made.extra)
    known |= {"key": frozenset(key), "quiet": frozenset(quiet)}
    return replace(made, extra=tuple(sorted(known.items())))


def paths(found: Instance, state: int, most: int) -> Iterator[tuple[list[int], list[int]]]:
    """The paths by actions from outside the set: their states and their operations."""
    chosen = stubborn.stubborn(found, state)
    waiting: list[tuple[list[int], list[int]]] = [([state], [])]
    for states, word in waiting:  # grows meanwhile
        yield states, word
        if len(word) < most:
            waiting += [
                ([*states, target], [*word, o])
                for o, target in found.program.steps(states[-1])
                if o not in chosen
            ]


def condition(found: Instance, *, labelled: bool, most: int) -> bool:
    """D1, or D1', as the paper has them: path by path, each at most so long."""
    for state in found.program.states:
        for a in stubborn.stubborn(found, state):
            hidden = labelled and not stubborn.is_visible(found, a)
            for states, word in paths(found, state, most):
                beside = set(stubborn.leads(found, state, a))
                for before, o in zip(states[1:], word, strict=True):
                    beside = {t for s in beside for t in stubborn.leads(found, s, o)}
                    if hidden:
                        beside &= stubborn.leads(found, before, a)
                if not stubborn.leads(found, states[-1], a) <= beside:
                    return False
    return True


def samples(count: int) -> list[Instance]:
    dice = Random(17)
    return [random_instance(dice) for _ in range(count)]


def test_d1_and_its_labelled_form_are_the_papers() -> None:
    """The paper speaks of paths; we follow sets of states, and look at single steps."""
    seen = set()
    for found in samples(1000):
        d1 = stubborn.d1(found) is None
        labelled = d1 and stubborn.d1_labelled(found) is None
        assert d1 == condition(found, labelled=False, most=4)
        assert labelled == condition(found, labelled=True, most=4)
        seen.add((d1, labelled))
    assert seen == {(False, False), (True, False), (True, True)}


FORMS = ("deterministic-actions", "d1", "d1-labelled", "d2", "d2w", "v", "i", "l")


@pytest.mark.parametrize("file", FORMS)
def test_rules_and_definitions_agree(file: str) -> None:
    """On programs and sets of any kind. The key actions are given as they are."""
    scheme = LabScheme(file, "", ("actions", "stubborn", file))
    rules = read(*map(source, (*scheme.files, "core")))
    verdicts = []
    for found in samples(60 if file == "d1" else 200):
        verdicts.append(violated(scheme, found) is None)
        assert (broken(rules, evaluate(rules, found)) is None) == verdicts[-1]
    assert set(verdicts) == {True, False}


def test_half_an_action_is_noticed() -> None:
    """As a class without itself, and as a set that has one way of it."""
    scheme = LabScheme("", "", ("actions", "stubborn"))
    rules = read(*map(source, (*scheme.files, "core")))
    found = nondeterministic()
    assert violated(scheme, found) is None
    assert broken(rules, evaluate(rules, found)) is None
    for relation, row in (("alike", (0, 0)), ("stubborn", (1, 2)), ("stubborn", (0, 0))):
        known = dict(found.extra)
        known[relation] -= {row}
        less = replace(found, extra=tuple(known.items()))
        assert violated(scheme, less) is not None
        assert broken(rules, evaluate(rules, less)) is not None


def test_clingo_finds_the_problem() -> None:
    """Beside `test_search`, at bounds at which D1 and D1' differ."""
    candidate = fixed(b1())
    assert clingo_finds(SCHEMES["stubborn-d1"], candidate, 3, 4)
    assert not clingo_finds(SCHEMES["stubborn-d1"], candidate, 2, 4)
    assert not clingo_finds(SCHEMES["stubborn"], candidate, 2, 4)


@pytest.mark.slow
def test_clingo_finds_no_way_out_of_the_mend() -> None:
    assert not clingo_finds(SCHEMES["stubborn"], fixed(b1()), 3, 4)
