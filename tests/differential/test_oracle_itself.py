"""The oracle gives the figures that Spin is known to give, and says when it has none."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.spin import SpinAborts, SpinCompileError, SpinRejects, _read, full_search, simulate

pytestmark = pytest.mark.spin

DEBIAN_EXAMPLES = Path("/usr/share/doc/spin/examples/Examples")


@pytest.mark.skipif(not DEBIAN_EXAMPLES.exists(), reason="needs the examples of Debian's package")
@pytest.mark.parametrize(
    ("name", "merge", "states", "transitions"),
    [
        ("leader0", True, 15779, 58181),
        ("leader0", False, 41692, 169690),
        ("snoopy", True, 61619, 211398),
        ("snoopy", False, 91920, 305460),
        ("peterson", False, 55, 99),
    ],
)
def test_figures_of_known_models(name: str, merge: bool, states: int, transitions: int) -> None:
    result = full_search(DEBIAN_EXAMPLES / f"{name}.pml", merge=merge)
    assert result.complete
    assert (result.states, result.transitions) == (states, transitions)
    assert result.states + result.matched == result.transitions


def test_every_distinct_error_is_listed() -> None:
    result = full_search(
        """
        byte x;
        active proctype p() {
            x = 1;
            assert(x == 2);
            if
            :: assert(x == 3)
            :: x = 7; assert(x == 3)
            :: x == 1; x == 0
            fi
        }
        """
    )
    assert result.complete
    assert result.violations == {
        "assertion violated (x==2)",
        "assertion violated (x==3)",
        "invalid end state",
    }
    assert result.errors == 4


def test_a_search_that_is_cut_off_is_incomplete() -> None:
    counter = "byte x; active proctype p() { do :: x++ od }"
    assert full_search(counter).complete
    assert not full_search(counter, max_depth=20).complete
    big = "int a, b; active [4] proctype p() { do :: a++ :: b++ od }"
    assert not full_search(big, timeout=0.5).complete


def test_counts_in_exponent_form() -> None:
    # pan prints counts with %9.8g; a search this large would take too long for a test.
    text = """
State-vector 20 byte, depth reached 9, errors: 0
1.2345679e+08 states, stored
   1.5e+01 states, matched
1.2345680e+08 transitions (= stored+matched)
        0 atomic steps
"""
    result = _read(text, seconds=0.0)
    assert (result.states, result.matched, result.transitions) == (123456790, 15, 123456800)


def test_claims_are_left_out_unless_asked_for() -> None:
    model = "byte x; active proctype p() { x = 1 } never { do :: x == 0 :: x == 1; break od }"
    assert full_search(model).violations == frozenset()
    (violation,) = full_search(model, noclaim=False).violations
    assert "claim" in violation or "end state" in violation


def test_includes_are_found_beside_the_model(tmp_path: Path) -> None:
    (tmp_path / "limit.h").write_text("#define LIMIT 3\n")
    model = tmp_path / "model.pml"
    model.write_text('#include "limit.h"\nbyte x;\nactive proctype p() { x = LIMIT + N }\n')
    before = set(tmp_path.iterdir())
    assert full_search(model, args=["-DN=1"]).states == 3
    assert set(tmp_path.iterdir()) == before


def test_rejections_carry_the_text() -> None:
    with pytest.raises(SpinRejects, match="undeclared variable: foo"):
        full_search("active proctype p() { foo = 1 }")
    with pytest.raises(SpinCompileError, match="error:"):
        full_search("active proctype p() { c_code { nonsense nonsense } }")
    with pytest.raises(SpinAborts, match="SIGFPE"):
        full_search("byte x; active proctype p() { x = 7 / x }")
    with pytest.raises(SpinRejects, match="syntax error"):
        simulate("active proctype p() {", seed=1, steps=10)


def test_simulation_is_repeatable() -> None:
    model = "byte x; active [2] proctype p() { x++; x++; assert(x < 4) }"
    lines = simulate(model, seed=3, steps=100)
    assert any("[x = (x+1)]" in line for line in lines)
    without_folder = [line.split("model.pml")[-1] for line in lines]
    again = [line.split("model.pml")[-1] for line in simulate(model, seed=3, steps=100)]
    assert without_folder == again
