"""Many random runs: how they ended, and that each can be had again."""

from __future__ import annotations

from collections import Counter

from whorl.api import load
from whorl.program.semantics import Semantics
from whorl.simulate.many import RunStatistics, random_run, random_runs
from whorl.simulate.simulation import Simulation, SimulationEnd, wander

CHOICE = """byte x;
active proctype p() {
    if
    :: x = 1
    :: x = 2; skip
    :: x = 3; assert(x != 3)
    :: x = 4; do :: x < 9 od
    :: x = 5; x > 9
    fi
}"""


def statistics(text: str, runs: int, seed: int = 0, limit: int = 50) -> RunStatistics:
    found = RunStatistics()
    for run in random_runs(Semantics(load(text).program), seed, runs, limit):
        found.add(run)
    return found


def test_every_run_is_counted_once_under_its_reason() -> None:
    found = statistics(CHOICE, 200)
    counts = Counter({outcome.reason: tally.count for outcome, tally in found.ranked()})
    assert set(counts) == {"ended", "failure", "steps", "invalid end state"}
    assert sum(counts.values()) == found.runs == len(found.lengths) == 200
    assert found.violating == counts["failure"] + counts["invalid end state"]
    assert [tally.count for _, tally in found.ranked()] == sorted(counts.values(), reverse=True)


def test_final_states_are_those_of_runs_that_were_not_cut_off() -> None:
    found = statistics(CHOICE, 200)
    # x is 1 or 2 where p has ended, 3 after the assertion, 5 where it is stuck
    assert sorted(state.globals[0] for state in found.final) == [1, 2, 3, 5]


def test_runs_are_those_of_the_seeds_one_after_the_other() -> None:
    semantics = Semantics(load(CHOICE).program)
    for run in random_runs(semantics, 40, 30, 50):
        simulation = Simulation(semantics)
        *steps, end = wander(simulation, run.seed, 50)
        assert isinstance(end, SimulationEnd)
        assert (run.end, run.taken) == (end, len(steps))
        assert run.state == simulation.state
    assert [run.seed for run in random_runs(semantics, 40, 3, 50)] == [40, 41, 42]


def test_the_shortest_run_of_each_outcome_is_kept() -> None:
    text = "byte x; init { do :: x++ :: x > 3 -> assert(false) od }"
    found = statistics(text, 100, limit=400)
    ((outcome, tally),) = [e for e in found.ranked() if e[0].reason == "failure"]
    assert outcome.place == "<text>:1"
    again = random_run(Semantics(load(text).program), tally.shortest.seed, 400)
    assert again.steps == tally.shortest.steps == min(found.lengths)


def test_both_sides_of_a_handshake_are_executed() -> None:
    text = "chan c = [0] of { byte }; active proctype p() { c!1 } active proctype q() { c?_ }"
    found = statistics(text, 1)
    assert found.coverage(Semantics(load(text).program)).missed == ()


def test_random_runs_are_never_all_runs() -> None:
    found = statistics("init { skip }", 5)
    assert not found.coverage(Semantics(load("init { skip }").program)).complete
