"""The models of the Two phase paper's Table 1: what they promise holds, and each flaw is found."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import whorl
from support.spin import full_search

MODELS = Path(__file__).parents[2] / "benchmarks" / "models"
SMALL = {
    "best_case": {"N": "3"},
    "worst_case": {"N": "4"},
    "clients_servers": {"N": "2"},
    "migratory": dict[str, str](),
    "invalidate": dict[str, str](),
}
PROTOCOLS = ("migratory", "invalidate")

pytestmark = pytest.mark.skipif(
    shutil.which("cc") is None, reason="needs a C compiler, and this machine has no cc"
)


def check(name: str, **more: str) -> whorl.Result:
    return whorl.check(MODELS / f"{name}.pml", defines={**SMALL[name], **more})


def words(name: str, **more: str) -> list[str]:
    return [f"-D{macro}={value}" for macro, value in {**SMALL[name], **more}.items()]


@pytest.mark.parametrize("name", SMALL)
def test_what_a_model_promises_holds(name: str) -> None:
    assert check(name).exit_code == 0


@pytest.mark.parametrize("name", SMALL)
def test_its_flaw_is_found(name: str) -> None:
    assert check(name, BROKEN="1").exit_code == 1


@pytest.mark.parametrize("name", PROTOCOLS)
def test_without_its_assertions_a_broken_protocol_is_not_coherent(name: str) -> None:
    found = whorl.check(MODELS / f"{name}.pml", defines={"BROKEN": "1"}, claim="coherent")
    assert found.exit_code == 1


@pytest.mark.parametrize(
    ("name", "never"),
    [
        ("migratory", "user[0]:first == valid && user[1]:second == valid"),
        ("migratory", "user[0]:first == valid && user[0]:second == valid"),
        ("invalidate", "user[0]:first == shared && user[1]:first == shared"),
        ("invalidate", "user[0]:first == owned && user[1]:second == owned"),
    ],
)
def test_what_coherence_allows_happens(name: str, never: str) -> None:
    """Else it would hold because nobody ever gets a line."""
    assert whorl.check(MODELS / f"{name}.pml", ltl=f"[] !({never})").exit_code == 1


@pytest.mark.parametrize("n", [2, 3])
def test_phase_1_of_b5_goes_home_at_once(n: int) -> None:
    """One state is kept, however many processes; and W5 keeps all of them."""
    kept = [
        whorl.check(
            MODELS / f"{name}.pml", defines={"N": n}, por="two-phase", cache="selective"
        ).statistics.states
        for name in ("best_case", "worst_case")
    ]
    assert kept == [1, 3**n]


@pytest.mark.spin
@pytest.mark.parametrize("name", ["best_case", "worst_case", "clients_servers", "migratory"])
def test_as_many_states_as_spin(name: str) -> None:
    ours = whorl.check(
        MODELS / f"{name}.pml", defines=SMALL[name], por="none", merge=False, safety=True
    )
    theirs = full_search(MODELS / f"{name}.pml", args=words(name))
    assert ours.exit_code == 0
    assert not theirs.violations
    assert (ours.statistics.states, ours.statistics.transitions) == (
        theirs.states,
        theirs.transitions,
    )


@pytest.mark.spin
@pytest.mark.parametrize("name", SMALL)
def test_spin_finds_the_flaw_too(name: str) -> None:
    found = full_search(MODELS / f"{name}.pml", args=words(name, BROKEN="1"), reduce=True)
    assert found.violations
