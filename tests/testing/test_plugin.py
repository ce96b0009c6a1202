"""Models with expectations are tests of pytest; other models are left alone."""

from __future__ import annotations

import contextlib
import importlib
import pkgutil
import subprocess
import sys

import pytest

import whorl

pytest_plugins = ["pytester"]

MODEL = """
/* Two processes count.
 * Expect: violated (assertions)
 * Expect with -DSTEP=0 --safety: holds
 */
#ifndef STEP
#define STEP 1
#endif
byte x;
active [2] proctype p() { x = x + STEP; assert(x < 2) }
ltl small { [] (x < 3) }   // expect: holds
ltl counts { <> (x == 2) } // expect: holds
"""
PLAIN = "byte x;\nactive proctype p() { x = 1; assert(x == 1) }\n"


@pytest.fixture(autouse=True, scope="module")
def loaded() -> None:
    """All of whorl is loaded: a run within this process forgets what it has loaded itself.

    What is loaded again later is not the same: its classes are others.
    """
    for module in pkgutil.walk_packages(whorl.__path__, "whorl."):
        if not module.name.endswith("__main__"):
            with contextlib.suppress(ImportError):  # what an extra needs
                importlib.import_module(module.name)


@pytest.fixture
def models(pytester: pytest.Pytester) -> pytest.Pytester:
    pytester.path.joinpath("count.pml").write_text(MODEL)
    return pytester


def test_each_expectation_is_a_test(models: pytest.Pytester) -> None:
    models.path.joinpath("plain.pml").write_text(PLAIN)
    found = models.runpytest("--collect-only", "-q")
    assert [line for line in found.outlines if "::" in line] == [
        "count.pml::check",
        "count.pml::check[-DSTEP=0 --safety]",
        "count.pml::small",
        "count.pml::counts",
    ]


def test_a_model_that_is_as_it_says_passes(models: pytest.Pytester) -> None:
    models.runpytest().assert_outcomes(passed=4)


def test_a_failure_is_the_report_without_a_traceback(models: pytest.Pytester) -> None:
    models.path.joinpath("count.pml").write_text(MODEL.replace("violated (assertions)", "holds"))
    result = models.runpytest("-k", "check and not STEP")
    result.assert_outcomes(failed=1, deselected=3)
    result.stdout.fnmatch_lines(
        [
            "*___ check ___*",
            "count.pml:3: expected holds, found violated (assertions)",
            "*Counterexample: assertion violated*",
            "*assert(x < 2)*",
            "At the end:",
            "FAILED count.pml::check - count.pml:3: expected holds, found violated*",
        ]
    )
    assert "Traceback" not in result.stdout.str()
    assert "plugin.py" not in result.stdout.str()


def test_holds_if_fair_fails_where_it_holds_anyway(pytester: pytest.Pytester) -> None:
    text = "byte x;\nactive proctype p() { x = 1 }\nltl q { <> (x == 1) } // expect: {}\n"
    pytester.path.joinpath("a.pml").write_text(text.replace("{}", "holds if fair"))
    pytester.runpytest().stdout.fnmatch_lines(["a.pml:3: expected violated, found holds"])
    spins = "byte x;\nactive proctype p() { do :: x = 1 - x od }\nactive proctype q() { x = 2 }\n"
    never = "ltl q { <> (x == 2) } // expect: holds if fair\n"
    pytester.path.joinpath("a.pml").write_text(spins + never)
    pytester.runpytest().assert_outcomes(passed=1)
    pytester.path.joinpath("a.pml").write_text(spins + never.replace("x == 2", "x == 3"))
    pytester.runpytest().stdout.fnmatch_lines(
        ["a.pml:4: expected holds of fair runs, found violated (q)"]
    )


def test_a_bad_model_shows_our_diagnostics(pytester: pytest.Pytester) -> None:
    pytester.path.joinpath("bad.pml").write_text("// expect: holds\ninit { y = 1 }\n")
    result = pytester.runpytest()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*bad.pml:2:8: error: unknown variable 'y'", "*init { y = 1 }*"])
    assert "Traceback" not in result.stdout.str()


def test_a_misspelt_expectation_is_an_error(pytester: pytest.Pytester) -> None:
    pytester.path.joinpath("bad.pml").write_text("// expect: hold\ninit { skip }\n")
    result = pytester.runpytest()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*bad.pml:1:12: error: 'hold' is no verdict to expect"])


@pytest.mark.parametrize("option", ["--unreached", "--timeout nothing", "--fare"])
def test_options_that_a_check_does_not_have(pytester: pytest.Pytester, option: str) -> None:
    pytester.path.joinpath("a.pml").write_text(f"// expect with {option}: holds\n{PLAIN}")
    result = pytester.runpytest()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["error: the options of the check: *"])


def test_models_that_say_nothing_are_left_alone(pytester: pytest.Pytester) -> None:
    pytester.path.joinpath("plain.pml").write_text(PLAIN)
    pytester.path.joinpath("prose.pml").write_text(f"// What to expect: nothing.\n{PLAIN}")
    assert pytester.runpytest().ret == pytest.ExitCode.NO_TESTS_COLLECTED
    pytester.runpytest("plain.pml").assert_outcomes(passed=1)
    pytester.runpytest("--whorl-all").assert_outcomes(passed=2)
    pytester.makeini("[pytest]\nwhorl_collect = all\n")
    pytester.runpytest().assert_outcomes(passed=2)


def test_none_are_collected_where_the_settings_say_so(models: pytest.Pytester) -> None:
    models.makeini("[pytest]\nwhorl_collect = none\n")
    assert models.runpytest().ret == pytest.ExitCode.NO_TESTS_COLLECTED
    models.makeini("[pytest]\nwhorl_collect = some\n")
    result = models.runpytest()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*whorl_collect is 'some': it is expected, all or none"])


def test_options_of_every_check(pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]\nwhorl_options = --max-states 1 --engine reference\n")
    pytester.path.joinpath("a.pml").write_text(f"// expect: inconclusive\n{PLAIN}")
    pytester.path.joinpath("b.pml").write_text(f"// expect with --max-states 99: holds\n{PLAIN}")
    pytester.path.joinpath("c.pml").write_text(f"// expect: holds\n{PLAIN}")
    result = pytester.runpytest()
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(["c.pml:1: expected holds, found inconclusive"])
    result.stdout.fnmatch_lines(["*engine: reference*"])


def test_a_model_cannot_trust_itself(pytester: pytest.Pytester) -> None:
    """Else running pytest beside a model of somebody else would run C code of theirs."""
    text = "// expect with --allow-embedded-c: holds\ninit { c_code { abort(); } }\n"
    pytester.path.joinpath("c.pml").write_text(text)
    result = pytester.runpytest()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*a comment cannot allow the C code of its own model"])
    result.stdout.no_fnmatch_line("*abort*")


@pytest.mark.usefixtures("system_compiler")
def test_the_settings_can_trust_a_model(pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]\nwhorl_options = --allow-embedded-c\n")
    text = "// expect: holds\ninit { c_code { ; } }\n"
    pytester.path.joinpath("c.pml").write_text(text)
    pytester.runpytest().assert_outcomes(passed=1)


def test_options_that_are_no_words(models: pytest.Pytester) -> None:
    models.makeini("[pytest]\nwhorl_options = --ltl '[] x\n")
    result = models.runpytest()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*whorl_options cannot be read: no closing quotation"])


def test_what_failed_last_is_run_again(models: pytest.Pytester) -> None:
    models.path.joinpath("count.pml").write_text(MODEL.replace("x < 3", "x < 2"))
    models.runpytest("-k", "small or STEP")
    result = models.runpytest("--last-failed")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["FAILED count.pml::small*"])


def test_a_node_can_be_named(models: pytest.Pytester) -> None:
    models.runpytest("count.pml::check[-DSTEP=0 --safety]").assert_outcomes(passed=1)


def test_workers_run_them(models: pytest.Pytester) -> None:
    pytest.importorskip("xdist")
    models.path.joinpath("count.pml").write_text(MODEL.replace("violated (assertions)", "holds"))
    result = models.runpytest_subprocess("-n2", "-k", "check")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["count.pml:3: expected holds, found violated (assertions)"])


def test_twice_the_same_is_told_apart(pytester: pytest.Pytester) -> None:
    text = f"// expect: holds\n// expect: violated\n{PLAIN}"
    pytester.path.joinpath("a.pml").write_text(text)
    result = pytester.runpytest("-v")
    result.stdout.fnmatch_lines(["a.pml::check PASSED*", "a.pml::check#2 FAILED*"])


def test_pytest_loads_next_to_nothing_of_whorl() -> None:
    """Whoever has whorl installed and no models should not wait for it."""
    seen = "import sys, whorl.testing.plugin; print(*(m for m in sys.modules if m[:5] == 'whorl'))"
    run = subprocess.run([sys.executable, "-c", seen], capture_output=True, text=True, check=True)
    assert {"whorl.api", "whorl.cli", "whorl.native"}.isdisjoint(run.stdout.split())
