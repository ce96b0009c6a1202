"""Vacuity and witnesses, compared with their definitions on programs whose runs can be counted."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache

import pytest

from whorl import Result, check, deadline, load
from whorl.language.formula import FALSE, SPIN, TRUE, Formula, Op, atom, text
from whorl.program.semantics import Semantics
from whorl.program.state import State
from whorl.property.mutants import without_iff
from whorl.property.words import Word, holds

# Each has few runs: it ends, or goes round in one way alone.
PROGRAMS = {
    "never p": "bit p, q; init { q = 1; q = 0 }",
    "p then q": "bit p, q; init { p = 1; if :: q = 1 :: p = 0; q = 1 fi }",
    "blinks": "bit p, q; init { if :: q = 1 :: skip fi; do :: p = 1 - p od }",
    "both": "bit p = 1, q = 1; init { if :: p = 0 :: q = 0 :: skip fi; do :: q = 1; p = 1 od }",
}
P, Q = atom("p"), atom("q")
UNARY = (Op.NOT, Op.NEXT, Op.FINALLY, Op.GLOBALLY)
BINARY = (Op.AND, Op.OR, Op.IMPLIES, Op.IFF, Op.UNTIL, Op.RELEASE, Op.WEAK, Op.STRONG)


@cache
def words_of(name: str) -> tuple[Word, ...]:
    """Every run of a program as the word that it makes, found by stepping and nothing else."""
    semantics = Semantics(load(PROGRAMS[name]).program)
    found: list[Word] = []

    def letter(state: State) -> int:
        return state.globals[0] + 2 * state.globals[1]

    def walk(path: list[State]) -> None:
        following = [step.state for step in semantics.steps(path[-1])]
        if not following:
            letters = tuple(map(letter, path))
            found.append(Word(("p", "q"), letters[:-1], letters[-1:]))
        for state in following:
            assert state is not None
            if state in path:
                at = path.index(state)
                letters = tuple(map(letter, path))
                found.append(Word(("p", "q"), letters[:at], letters[at:]))
                assert len(following) == 1  # no other run goes round here
            else:
                walk([*path, state])

    walk([semantics.initial()])
    return tuple(found)


def holds_of(formula: Formula, name: str) -> bool:
    return all(holds(formula, word) for word in words_of(name))


def places(formula: Formula, path: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    yield path
    for number, part in enumerate(formula.args):
        yield from places(part, (*path, number))


def replaced(formula: Formula, path: tuple[int, ...], by: Formula) -> Formula:
    if not path:
        return by
    args = list(formula.args)
    args[path[0]] = replaced(args[path[0]], path[1:], by)
    return Formula(formula.op, tuple(args), formula.name)


def at(formula: Formula, path: tuple[int, ...]) -> Formula:
    for number in path:
        formula = formula.args[number]
    return formula


def parts_that_do_not_matter(formula: Formula, name: str) -> set[tuple[int, ...]]:
    """The largest ones: whatever stands there, true or false, the formula holds."""
    idle = {
        path
        for path in places(formula)
        if all(holds_of(replaced(formula, path, by), name) for by in (TRUE, FALSE))
    }
    return {path for path in idle if not any(path[:n] in idle for n in range(len(path)))}


def random_formula(source: random.Random, depth: int) -> Formula:
    if not depth or source.random() < 0.15:
        return source.choice((P, Q))
    op = source.choice((*UNARY, *BINARY))
    count = 1 if op in UNARY else 2
    return Formula(op, tuple(random_formula(source, depth - 1) for _ in range(count)))


def hardest(formula: Formula) -> list[Formula]:
    """The formula with a proposition replaced, by either constant."""
    leaves = [path for path in places(formula) if at(formula, path).op is Op.ATOM]
    return [replaced(formula, path, by) for path in leaves for by in (TRUE, FALSE)]


def checked(name: str, formula: Formula | str, **options: object) -> Result:
    given = formula if isinstance(formula, str) else text(formula, SPIN)
    return check(PROGRAMS[name] + "\n", ltl=given, vacuity=True, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_reported_is_what_the_definition_says(name: str) -> None:
    source = random.Random(name)
    kinds = {"vacuous": 0, "not vacuous": 0}
    while min(kinds.values()) < 8:
        formula = random_formula(source, 3)
        plain = without_iff(formula)
        if not holds_of(formula, name):
            continue
        result = checked(name, formula, engine="reference")
        assert result.verdict == "holds"
        (found,) = result.vacuity
        expected = parts_that_do_not_matter(plain, name)
        kinds[found.verdict] += 1
        if found.valid:
            assert expected or not formula.propositions
            continue
        assert found.verdict == ("vacuous" if expected else "not vacuous"), formula
        reported = sorted(part.part for part in found.parts)
        assert reported == sorted(text(at(plain, path), SPIN) for path in expected), formula


def test_the_condition_that_never_held() -> None:
    result = checked("never p", "[] (p -> <> q)")
    (found,) = result.vacuity
    assert found.verdict == "vacuous"
    (part,) = found.parts
    assert (part.part, part.replaced_by, part.formula) == ("<>q", "false", "[]!p")
    assert "formula holds vacuously: p never holds, so <>q does not matter" in result.notes
    assert result.verdict == "holds"


def test_every_part_matters() -> None:
    model = "bit p, q; init { p = 1; q = 1; p = 0; q = 0 }"
    result = check(model, ltl="[] (p -> <> q)", vacuity=True)
    assert [found.verdict for found in result.vacuity] == ["not vacuous"]
    assert "formula does not hold vacuously: every part of it matters" in result.notes


@pytest.mark.parametrize("formula", ["[] (p || !p)", "p -> p", "<> [] p || [] <> !p"])
def test_a_formula_that_holds_of_every_program_is_told_without_being_asked(formula: str) -> None:
    result = check("bit p; init { p = 1 }", ltl=formula)
    assert result.verdict == "holds"
    assert any("holds of every program" in note for note in result.notes)
    (found,) = check("bit p; init { p = 1 }", ltl=formula, vacuity=True).vacuity
    assert (found.verdict, found.valid) == ("vacuous", True)


def test_a_formula_that_some_program_violates_is_not_told_so() -> None:
    result = check("bit p; init { p = 1 }", ltl="<> p")
    assert not any("every program" in note for note in result.notes)


def test_a_never_claim_that_matches_nothing() -> None:
    result = check("bit p; init { p = 1 }\nnever { do :: p -> skip :: else od }")
    assert any("it matches no run at all" in note for note in result.notes)


def test_fairness_decides_what_matters() -> None:
    model = "bit p, q; active proctype a() { do :: q = 1 od } active proctype b() { p = 1 }"
    (found,) = check(model, ltl="<> p || <> q", fair=True, vacuity=True).vacuity
    assert {part.part for part in found.parts} == {"<>p", "<>q"}
    (found,) = check(model, ltl="<> p || <> q", vacuity=True).vacuity
    assert [part.said for part in found.parts] == ["<>p does not matter: <>q holds, too"]


def test_where_no_run_counts_every_formula_holds() -> None:
    result = check("bit p; init { p = 1 }", ltl="[] !p", infinite_runs=True, vacuity=True)
    (found,) = result.vacuity
    assert found.parts[0].said == "no infinite run counts, so every formula holds"


def test_a_condition_that_holds_on_runs_that_do_not_count() -> None:
    model = "bit p, q; init { if :: p = 1 :: do :: q = 1 od fi }"
    result = check(model, ltl="[] (p -> q)", infinite_runs=True, vacuity=True)
    assert result.properties[0].why == "every infinite run satisfies [] (p -> q)"
    (found,) = result.vacuity
    assert found.parts[0].said == "p never holds on any infinite run, so q does not matter"


def test_a_search_that_does_not_finish_says_nothing() -> None:
    """The mutant needs more states than the formula, which ends in its first."""
    model = "byte x; init { do :: x < 200 -> x++ od }"
    result = check(model, ltl="x == 0 || [] (x > 250)", max_states=20, vacuity=True, por="none")
    (found,) = result.vacuity
    assert found.verdict in ("undecided", "vacuous")
    assert found.undecided or found.parts


def test_several_formulas_and_violated_ones() -> None:
    model = """bit p, q; init { q = 1 }
    ltl one { [] !p } ltl two { <> p } ltl three { [] (p -> q) }"""
    result = check(model, vacuity=True)
    assert [(found.property, found.verdict) for found in result.vacuity] == [
        ("one", "not vacuous"),
        ("three", "vacuous"),
    ]


def test_an_assertion_that_is_never_executed() -> None:
    model = "bit p; init { if :: p -> assert(p == 0) :: else fi }"
    (note,) = (n for n in check(model).notes if "never executed" in n)
    assert note == "assert(p == 0) in init, line 1, is never executed: it holds vacuously"
    for never in ("false", "0", "1 + 1 != 2"):  # it marks what must not be reached
        marked = f"bit p; init {{ if :: p -> assert({never}) :: else fi }}"
        assert not any("never executed" in n for n in check(marked).notes)
    assert not any("never executed" in n for n in check(model, assertions=False).notes)
    cut = check("init { assert(false); assert(true) }")
    assert not any("never executed" in note for note in cut.notes)


# --- witnesses -----------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_a_witness_shows_the_condition_and_what_follows(engine: str) -> None:
    result = check(PROGRAMS["p then q"] + "\n", ltl="[] (p -> <> q)", witness=True, engine=engine)
    (trace,) = result.witnesses
    assert trace.kind == "witness"
    assert trace.message == "a run on which formula holds and p comes true"
    truths = [truth for n in range(len(trace.steps) + 1) if (truth := trace.truth(n)) is not None]
    assert any(truth["p"] for truth in truths)
    assert any(truth["q"] for truth in truths)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_witness_satisfies_the_formula_and_not_the_mutants(name: str) -> None:
    source = random.Random(f"witness {name}")
    seen = 0
    while seen < 10:
        formula = random_formula(source, 2)
        if not holds_of(formula, name) or set(formula.propositions) != {"p", "q"}:
            continue
        given = text(formula, SPIN)
        result = check(PROGRAMS[name] + "\n", ltl=given, witness=True, engine="reference")
        for trace in result.witnesses:
            seen += 1
            if trace.cycle is None or set(trace.propositions) != {"p", "q"}:
                continue  # it is shown up to where the rest has no part in it
            letters = tuple(letter for letter in trace.letters if letter is not None)
            assert len(letters) == len(trace.letters)
            before, around = letters[: trace.cycle - 1], letters[trace.cycle - 1 : -1]
            word = Word(trace.propositions, before, around or letters[-1:])
            assert holds(formula, word)
            assert any(not holds(goal, word) for goal in hardest(without_iff(formula)))
        if not result.witnesses:
            assert any(note.startswith("no witness of formula") for note in result.notes)


def test_no_witness_of_what_holds_vacuously() -> None:
    result = check(PROGRAMS["never p"] + "\n", ltl="[] (p -> <> q)", witness=True)
    assert result.witnesses == ()
    said = "no witness of formula: it holds vacuously (vacuity=True says why)"
    assert said in result.notes


def test_one_run_for_each_part_where_none_shows_all() -> None:
    model = "bit p, q; init { if :: p = 1 :: q = 1 fi }"
    result = check(model, ltl="[] !(p && q)", witness=True)
    assert [trace.message for trace in result.witnesses] == [
        "a run on which formula holds and q comes true",
        "a run on which formula holds and p comes true",
    ]


def test_a_run_of_a_model_without_formulas() -> None:
    (trace,) = check(
        "byte x; init { do :: x < 3 -> x++ :: x > 1 -> break od }", witness=True
    ).witnesses
    assert trace.message == "the shortest that ends well, of 100 random runs"
    assert trace.final == ()
    (trace,) = check("bit x; init { do :: x = 1 - x od }", witness=True).witnesses
    assert "none of 100 random runs ended" in trace.message
    assert check("init { assert(false) }", witness=True).witnesses == ()


def test_the_verdict_stays_where_there_is_no_time_for_more(monkeypatch: pytest.MonkeyPatch) -> None:
    def late(*_: object) -> None:
        raise deadline.TimeUp("late")

    monkeypatch.setattr("whorl.understanding.vacuity", late)
    result = check("bit p; init { p = 1 }", ltl="<> p", vacuity=True)
    assert result.verdict == "holds"
    assert "no more was found out of formula: there was no time for it" in result.notes
