"""A statement that begins an option can be taken from several locations, with other siblings.

Where an option begins with a selection or a loop, the options of that are among those outside; and
a label in front of an option's first statement is a location, too. Whatever is known of a statement
by its number has to hold in all of them.
"""

from __future__ import annotations

import pytest

import whorl
from whorl.api import load
from whorl.reduction.tables import LAST_INDEX, transition_indices

# Inside, the atomic is the first option; outside, the second.
OTHER_INDEX = """
byte x, z;
active proctype P() {
    byte l;
    do
    :: z == 1 -> z = 0
    :: do
       :: atomic { l == 1 -> x = 1; l = 2 }
       :: l == 0 -> l = 1
       :: l == 2 -> break
       od;
       break
    od
}
active proctype Q() {
end: x == 0 -> assert(false)
}
"""
# What leads to `x = 1` leads to the label, not to the loop.
OTHER_WAY = """
byte x, y, z;
active proctype P() {
    y = 2 * y;
    goto L;
    do
    :: L: x = 1; break
    :: z == 1 -> z = 0
    od
}
active proctype Q() { x = 2; assert(x == 2) }
active proctype R() { y = y + 3 }
"""
# `x = 1` leaves the label, unless it is taken from the loop.
OTHER_LABEL = """
byte x, y, z;
bit flag;
active proctype P() {
    y = 2;
    goto L;
    do
    :: L: x = 1; break
    :: z == 1 -> z = 0
    od
}
active proctype R() { flag = 1 }
ltl p { [] !(P@L && flag) }
"""
SCHEMES = ("auto", "two-phase-ample", "static", "two-phase", "dfs_po", "si")


@pytest.mark.parametrize("engine", ["native", "reference"])
@pytest.mark.parametrize("rule", ["component", "stubborn"])
@pytest.mark.parametrize("por", SCHEMES)
@pytest.mark.parametrize(
    "model", [OTHER_INDEX, OTHER_WAY, OTHER_LABEL], ids=["index", "way", "label"]
)
def test_what_is_wrong_is_found(model: str, por: str, rule: str, engine: str) -> None:
    has_formula = "ltl" in model
    result = whorl.check(
        model,
        claim="p" if has_formula else (),
        safety=not has_formula,
        por=por,
        candidates=None if por in ("two-phase", "auto") else rule,
        engine=engine,
    )
    assert result.verdict == "violated"


def test_indices_of_a_location_differ() -> None:
    for model in (OTHER_INDEX, OTHER_WAY, OTHER_LABEL):
        processes = load(model).program.processes
        indices = transition_indices(processes)
        for process in processes:
            for here in process.locations.values():
                assert len({indices[t.number] for t in here}) == len(here)


def test_indices_from_the_last_on_are_shared() -> None:
    options = "\n".join(f":: x == {n} -> x = {n + 1}" for n in range(70))
    (process,) = load(f"byte x; active proctype P() {{ do {options} od }}").program.processes
    indices = transition_indices([process])
    assert max(indices.values()) == LAST_INDEX
    assert sorted(indices.values()).count(LAST_INDEX) == 70 - LAST_INDEX
