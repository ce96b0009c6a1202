"""Spin's rule of candidates: what is safe to Spin, and what its verifiers store by it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import whorl
from support.exclusive_programs import program
from support.spin import full_search, safe_locations
from whorl.api import load
from whorl.engines import reference_semantics
from whorl.program.atomic import runs
from whorl.program.program import Program
from whorl.program.state import State
from whorl.reduction.analysis import Analysis
from whorl.reduction.candidates import Rule, Situation, candidates, situation_of
from whorl.reduction.exclusive import broken_declarations
from whorl.reduction.spin_rule import SpinRule

DEBIAN = Path("/usr/share/doc/spin/examples/Examples")

STATEMENTS = """
typedef T { byte f };
chan a = [2] of { byte }; chan b = [2] of { byte }; chan n = [2] of { byte };
chan ab = [2] of { byte, byte }; chan many[2] = [1] of { byte };
byte g, i; T s;
active proctype Q() { byte y; y = 1; there: y = 2; y = 3 }
active proctype P() {
  byte x, l[2]; chan own = [1] of { byte };
  xr a, ab; xs b, ab;
  x = 1; l[x] = 2; l[g] = 2; g = 1; s.f = 1; x = s.f; x = _pid; x = _nr_pr;
  n!1; n?x; n?[1]; len(n) == 1; nempty(n); nfull(n); own!1; own?x;
  a?x; a?g; a??1; a?<x>; a?eval(x); a?eval(g); nempty(a); full(a); a?[1]; len(a) == 1;
  b!x; b!g; b!!x; nfull(b); empty(b); many[1]!x; many[x]?x;
  ab!x, 1; ab?x, _; ab?[1, 1]; len(ab) == 1; full(ab); empty(ab); nempty(ab) && x == 1;
  nempty(ab) && g == 1; nempty(a) && nfull(b); nempty(a) && nfull(b) && nfull(ab);
  assert(x == 1); assert(g == 1); printf("%d %d", x, g); run Q(); run R();
  if :: x == 1 :: else fi; if :: x == g :: else fi; if :: a?x :: b!1 :: x = 1 fi;
  if :: a?x :: n!1 fi; timeout; skip;
  atomic { x = 1; b!x; x = 2; a?x }; atomic { x = 1; g = 2; x = 3 };
  atomic { a?x; b!x; ab!x, x }; atomic { if :: a?x :: b!1 fi; x = 1 };
  d_step { x = 1; b!x }; d_step { a?x; x++ }; d_step { x = 1; g = 1 };
  do :: atomic { x == 1 -> x = 2; break } :: x = 3 od;
  { x = 1; x = 2 } unless { x == 3 }; { x = 1; x = 2 } unless { g == 3 };
  Q@there; x = 1
}
proctype R() { chan made = [1] of { byte }; byte y; y = 1 }
proctype S() provided (g == 1) { byte y; y = 1 }
"""


def named(model: Program) -> dict[tuple[str, int], bool]:
    safe = SpinRule(model).safe
    return {
        (process.name, location): (process.index, location) in safe
        for process in model.processes
        for location in process.locations
    }


def agree(model: Path | str) -> None:
    ours = named(load(model).program)
    theirs = {place: safe for place, safe in safe_locations(model).items() if place in ours}
    assert theirs
    assert {place: ours[place] for place in theirs} == theirs


@pytest.mark.spin
def test_every_form_of_statement() -> None:
    agree(STATEMENTS)


@pytest.mark.spin
@pytest.mark.parametrize(
    "name", ["LTL/pftp", "snoopy", "LTL/leader", "sort", "leader0", "leader_trace"]
)
def test_examples_that_declare_exclusive_ends(name: str) -> None:
    agree(DEBIAN / f"{name}.pml")


def stored(analysis: Analysis, *, weak: bool) -> int:
    """The states that a verifier of Spin stores, which learns what a set is worth by taking it.

    So the runs of a set that is refused are taken, too. `weak`: as with -DSAFETY, where one run has
    to leave the stack; else all have to.
    """
    visited: set[State] = set()
    stack: dict[State, Iterator[State]] = {}

    def successors(state: State) -> Iterator[State]:
        for ample in candidates(situation_of(analysis, state), Rule.SPIN, check_visible=False):
            ends = [run.state for run in ample.runs if run.state is not None]
            closing = []
            for end in ends:
                closing.append(end in stack)
                yield end
            if closing and not (all(closing) if weak else any(closing)):
                return
        yield from (run.state for run in runs(analysis.semantics, state) if run.state is not None)

    def push(state: State) -> None:
        visited.add(state)
        stack[state] = successors(state)

    push(analysis.semantics.initial())
    while stack:
        state = next(next(reversed(stack.values())), None)
        if state is None:
            stack.popitem()
        elif state not in visited:
            push(state)
    return len(visited)


def analysed(model: Path | str) -> Analysis:
    return Analysis(reference_semantics(load(model).program))


@pytest.mark.spin
@pytest.mark.parametrize("name", ["sort", "leader0"])
def test_as_many_states_as_spin(name: str) -> None:
    model = DEBIAN / f"{name}.pml"
    assert stored(analysed(model), weak=True) == full_search(model, reduce=True).states


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "weak", "states"),
    [("snoopy", False, 16_279), ("snoopy", True, 15_295), ("LTL/pftp", False, 95_241)],
)
def test_the_published_figures(name: str, weak: bool, states: int) -> None:
    """Table 1 of the Two phase paper, dfs_po: without -DSAFETY, as it was then."""
    assert stored(analysed(DEBIAN / f"{name}.pml"), weak=weak) == states


@pytest.mark.spin
@pytest.mark.parametrize("seed", [1, 5, 6, 14, 16, 25])
def test_where_spin_trusts_the_rule_alone(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Random programs: as many states as Spin, if only what C1 refuses is let through.

    It refuses some of what Spin takes: so there may be more states, never fewer.
    """
    model = program(seed)
    spin = full_search(model, reduce=True).states
    assert spin <= stored(analysed(model), weak=True) <= full_search(model).states
    monkeypatch.setattr(Situation, "closed", lambda _, pid: frozenset({pid}))
    assert stored(analysed(model), weak=True) == spin


# Both receive from c, whatever P declares: Spin lets P go first, and stops at the declaration.
NOT_SO = """
chan c = [1] of { byte };
byte got;
active proctype P() { byte x; xr c; xs c; c!1; end: c?x }
active proctype Q() { byte y; end: c?y; assert(false) }
"""


@pytest.mark.parametrize("engine", ["native", "reference"])
@pytest.mark.parametrize("scheme", ["static", "persistent", "two-phase-ample"])
def test_no_verdict_rests_on_a_declaration(engine: str, scheme: str) -> None:
    result = whorl.check(NOT_SO, safety=True, por=scheme, candidates="spin", engine=engine)
    assert result.verdict == "violated"


def test_a_declaration_that_is_not_so_is_warned_of() -> None:
    warnings = broken_declarations(load(NOT_SO).program)
    assert ["'xr c' of P is not so" in warning.message for warning in warnings] == [True]


@pytest.mark.parametrize("seed", [3, 6, 17, 20, 24, 27])
def test_both_engines_take_the_same_sets(seed: int) -> None:
    found = [
        whorl.check(
            program(seed),
            safety=True,
            por="static",
            candidates="spin",
            engine=engine,
            merge=False,
            all_errors=True,
        )
        for engine in ("native", "reference")
    ]
    assert found[0].statistics.states == found[1].statistics.states
    assert found[0].statistics.transitions == found[1].statistics.transitions


@pytest.mark.parametrize("por", ["auto", "persistent", "static"])
@pytest.mark.parametrize("seed", range(5))
def test_nothing_is_lost(seed: int, por: str) -> None:
    """The audit compares the end states and failing steps with those of the full graph."""
    result = whorl.check(program(seed), safety=True, por=por, engine="reference", audit=True)
    assert not any("WRONG" in note for note in result.notes)
    assert any("audit" in note for note in result.notes)


# c is full when P chooses, and nobody receives from it: so P could go first. But that there is no
# room in c is what Spin's rule asks, and it refuses.
NO_ROOM = """
chan c = [1] of { byte };
byte g;
active proctype P() { byte x; xs c; c!1; if :: c!2 :: x = 1 fi; x = 2 }
active proctype Q() { g = 1; g = 2 }
"""


def test_what_the_rule_asks_does_not_hold() -> None:
    analysis = analysed(NO_ROOM)
    first = situation_of(analysis, analysis.semantics.initial())
    assert [ample.processes for ample in candidates(first, Rule.SPIN)] == [(0,)]
    (sent,) = (run.state for run in first.runs if run.steps[0].pid == 0)
    assert sent is not None
    assert situation_of(analysis, sent).closed(0) == {0}
    assert candidates(situation_of(analysis, sent), Rule.SPIN) == []


def test_what_the_rule_asks_does_not_hold_in_either_engine() -> None:
    """P's send goes first by itself; then x = 1 is taken at any time beside Q, and so is x = 2."""
    found = [
        whorl.check(
            NO_ROOM, safety=True, por="static", candidates="spin", engine=engine, merge=False
        ).statistics.states
        for engine in ("native", "reference")
    ]
    assert found[0] == found[1]
