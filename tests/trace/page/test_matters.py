"""What matters in a counterexample, on its page: in a real browser, by keys and clicks."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.browser import Browser
from support.viewer import Shown, row_count, selected

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("quiet")]

EXAMPLES = Path(__file__).parents[3] / "examples"
ASIDE = """
byte x, y;
active proctype A() { y = 7; x = 1; assert(x == 2) }
active proctype B() { x = 3; y = 4 }
"""


def rows(browser: Browser, kind: str) -> list[int]:
    """The numbers of the steps whose rows are of this class."""
    found = f"[...document.querySelectorAll('.row.step.{kind}')]"
    return sorted(browser.script(f"{found}.map((row) => Number(row.dataset.first))"))


def pressed(browser: Browser) -> bool:
    return bool(browser.script("document.getElementById('only-matters').ariaPressed === 'true'"))


def test_steps_are_marked_and_the_rest_is_dimmed(browser: Browser, show: Shown) -> None:
    trace = show(ASIDE, explain=True, shorten=False, engine="reference", por="none")
    said = trace["explanation"]
    numbers = {step["number"] for step in trace["steps"]}
    assert set(said["needed"]) < numbers
    assert rows(browser, "needed") == said["needed"]
    assert rows(browser, "dim") == sorted(numbers - set(said["needed"]))
    label = browser.script("document.querySelector('.row.dim').ariaLabel")
    assert label.endswith("not needed")
    assert f"{len(said['needed'])} of {len(numbers)} steps are needed" in browser.text(
        "#matters-said"
    )


def test_only_what_matters_by_key_and_by_button(browser: Browser, show: Shown) -> None:
    trace = show(ASIDE, explain=True, shorten=False, engine="reference", por="none")
    needed = trace["explanation"]["needed"]
    everything = row_count(browser)
    browser.press("m")
    assert pressed(browser)
    assert rows(browser, "needed") == needed
    assert rows(browser, "dim") == []
    assert row_count(browser) == len(needed) + 1  # and the initial state
    browser.press("Escape")
    assert not pressed(browser)
    assert row_count(browser) == everything
    browser.click("#only-matters")
    assert row_count(browser) == len(needed) + 1
    browser.press("k")
    assert selected(browser) == (needed[-2], needed[-2])
    browser.press("m")
    assert row_count(browser) == everything


def test_orders_and_the_run_that_passes(browser: Browser, show: Shown) -> None:
    trace = show(EXAMPLES / "lost_update.pml", explain=True)
    said = trace["explanation"]
    first, second = said["races"][0]
    assert f"With step {second} (" in browser.text("#matters-said")
    links = browser.texts("#matters-said .link")
    assert links[0].startswith(f"step {second} (")
    browser.script("document.querySelectorAll('#matters-said .link')[1].click()")
    assert selected(browser) == (first, first)
    passing = said["passing"]
    assert f"{len(passing['steps'])} steps from there on, then it stops" in browser.text(
        "#passing-head"
    )
    browser.script("document.getElementById('passing').open = true")
    assert len(browser.texts("#passing-steps li")) == len(passing["steps"])
    hidden = browser.script("document.getElementById('only-matters').hidden")
    assert hidden == (set(said["needed"]) == set(range(1, len(trace["steps"]) + 1)))


def test_a_page_without_an_explanation_has_no_bar(browser: Browser, show: Shown) -> None:
    show(ASIDE)
    assert browser.script("document.getElementById('matters').hidden")
    assert rows(browser, "dim") == rows(browser, "needed") == []
    browser.press("m")
    assert not pressed(browser)
