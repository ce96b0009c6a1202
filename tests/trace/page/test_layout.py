"""What is looked at stays in sight, and nothing lies over anything else."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.browser import Browser
from support.viewer import Shown, row_count, selected

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("quiet")]

EXAMPLES = Path(__file__).parents[3] / "examples"
LONG = """
int n;
active proctype p() { do :: n < 100 -> n++ od }
active proctype q() { n == 100; assert(false) }
"""
MANY = """
chan fork[12] = [1] of { bit };
byte taken;
active [12] proctype philosopher() { fork[_pid]!1; taken++; taken == 13 }
"""

IN_SIGHT = """(() => {
  const row = document.querySelector(".row.selected").getBoundingClientRect();
  const heads = document.querySelector(".heads").getBoundingClientRect();
  const box = document.getElementById("chart").getBoundingClientRect();
  return row.top >= heads.bottom - 1 && row.bottom <= box.bottom + 1;
})()"""


def test_the_selected_step_stays_in_sight_when_the_chart_gets_smaller(
    browser: Browser, show: Shown
) -> None:
    show(LONG, (1200, 600))
    browser.press("Home", *["ArrowDown"] * 30)
    assert browser.script(IN_SIGHT)
    at = selected(browser)
    browser.press("e")
    browser.write("n % 2")  # the list of its values takes several lines
    browser.press("Enter")
    browser.wait(IN_SIGHT)
    assert selected(browser) == at
    browser.resize(1200, 420)
    browser.wait(IN_SIGHT)


def test_who_has_scrolled_away_is_left_alone(browser: Browser, show: Shown) -> None:
    show(LONG, (1200, 600))
    assert row_count(browser) > 60
    browser.press("End")
    browser.script("document.getElementById('chart').scrollTop = 0")
    browser.resize(1200, 500)
    browser.settle()
    assert browser.script("document.getElementById('chart').scrollTop") == 0


def test_a_chart_that_is_wider_than_its_panel(browser: Browser, show: Shown) -> None:
    show(MANY, (1200, 800))
    browser.script("document.getElementById('chart').scrollLeft = 1e6")
    browser.settle()
    scrolled = "document.getElementById('chart').scrollLeft"
    assert browser.script(scrolled) > 200
    covered = browser.script(
        """[...document.querySelectorAll(".row .gutter")].filter((gutter) => {
          const { left, top, width, height } = gutter.getBoundingClientRect();
          if (top < 0 || !height) return false;
          const over = document.elementFromPoint(left + width / 4, top + height / 2);
          return over?.classList.contains("box");
        }).length"""
    )
    assert covered == 0
    browser.press("Home")
    assert browser.script(scrolled) == 0
    assert "initial state" in browser.text(".row.selected")


def test_heads_lie_above_the_arrow_of_a_cycle(browser: Browser, show: Shown) -> None:
    show(EXAMPLES / "token_ring.pml", (1200, 800), claim="enters")
    above = """(one, other) => Number(getComputedStyle(document.querySelector(one)).zIndex)
        > Number(getComputedStyle(document.querySelector(other)).zIndex)"""
    assert browser.script(f"({above})('.heads-group', '.loops')")
    assert browser.script(f"({above})('.loops', '.row .gutter')")


def test_processes_at_one_line_are_counted(browser: Browser, show: Shown) -> None:
    trace = show(MANY, (1200, 800))
    browser.press("End")
    (crowded,) = browser.script(
        """[...document.querySelectorAll(".badges")].filter((each) => each.querySelector(".more"))
          .map((each) => [...each.children].filter((badge) => !badge.hidden)
            .map((badge) => badge.textContent))"""
    )
    mover = trace["steps"][-1]["pid"]
    assert crowded == [str(mover), "0" if mover else "1", "+10"]
    assert "philosopher:9 is here" in browser.script("document.querySelector('.more').title")


def test_the_automaton_shows_the_state_that_it_is_in(browser: Browser, show: Shown) -> None:
    show(EXAMPLES / "elevator.pml", (1100, 800), claim="answered")
    seen = """(() => {
      const state = document.querySelector(".automaton .node.current").getBoundingClientRect();
      const box = document.querySelector(".drawing").getBoundingClientRect();
      return state.left >= box.left - 1 && state.right <= box.right + 1;
    })()"""
    for key in ("End", "Home", "End"):
        browser.press(key)
        assert browser.script(seen), key


def test_filters_take_one_line_of_a_narrow_page(browser: Browser, show: Shown) -> None:
    show(EXAMPLES / "raft.pml", (400, 800))
    tops = browser.script(
        """[...document.querySelectorAll("#filters select, #fold, #unfold")]
          .map((each) => each.getBoundingClientRect())
          .map((box) => [box.top + box.height / 2, box.width])"""
    )
    assert max(top for top, _ in tops) - min(top for top, _ in tops) < 4
    assert all(width > 80 for _, width in tops[:3])


def test_numbers_of_steps_that_matter_stay_in_their_line(browser: Browser, show: Shown) -> None:
    show(EXAMPLES / "raft.pml", (1200, 800), explain=True)
    heights, overlaps = browser.script(
        """(() => {
          const numbers = [...document.querySelectorAll(".row.needed.group .number")];
          const box = (element) => element.getBoundingClientRect();
          return [numbers.map((each) => box(each).height), numbers.filter((each) =>
            box(each).left < box(each.parentElement.querySelector(".fold")).right - 1).length];
        })()"""
    )
    assert heights
    assert max(heights) < 24
    assert overlaps == 0
