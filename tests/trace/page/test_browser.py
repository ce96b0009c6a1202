"""The page of a counterexample, in a real browser, by keys and clicks."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from support.browser import Browser
from support.viewer import Shown, row_count, selected, shown_values, states, values_along

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("quiet")]

EXAMPLES = Path(__file__).parents[3] / "examples"
RAFT = EXAMPLES / "raft.pml"
MESSAGES = """
chan link = [0] of { byte, byte };
chan queue = [2] of { byte };
byte total;
active proctype alice() { link!1,7; queue!5; queue!6 }
active proctype carol() { byte z; link?z,z; total = z; queue?z }
active proctype bob() { byte y; link!2,8; queue?y; total = total + y; assert(y == 5) }
active proctype dave() { byte y; link?y,_; total = total + y }
"""
INLINES = """
byte x, a[2];
inline inc(v) { v = v + 1; skip }
inline twice() { inc(x); x = x + 1; a[1] = x }
active proctype p() {
  atomic { x = 1; twice() };
here: skip;
  x = 7;
  assert(x == 0)
}
"""
LONG = """
byte x; int n; chan q = [3] of { byte, int };
active proctype producer() { do :: n < 1800 -> q!x,n; n++; x = x + 3 od }
active proctype consumer() { byte a; int b; do :: q?a,b; assert(b < 1799) od }
"""
BAD = '</script><script>window.harm = 1</script><img src=x onerror="window.harm = 2">'
HOSTILE = f"""
/* {BAD} <!-- <script> */
#define unused "{BAD}"
mtype = {{ safe }};
active proctype p() {{
  printf("{BAD.replace('"', "'")}");
  assert(false)
}}
"""


# --- steps and states ----------------------------------------------------------------------------


@pytest.mark.parametrize("model", [MESSAGES, INLINES, EXAMPLES / "peterson_broken.pml"])
def test_stepping_shows_every_state_and_what_changed(
    browser: Browser, show: Shown, model: str | Path
) -> None:
    trace = show(model)
    browser.press("Home")
    expected = list(states(trace))
    assert shown_values(browser) == expected[0]
    for number, (before, after) in enumerate(pairwise(expected), 1):
        browser.press("ArrowDown")
        assert selected(browser) == (number, number)
        assert shown_values(browser) == after
        new = {name: value for name, value in after.items() if before.get(name) != value}
        assert shown_values(browser, changed=True) == new
    for number in range(len(expected) - 2, -1, -1):
        browser.press("ArrowUp")
        assert selected(browser) == (number, number)
        assert shown_values(browser) == expected[number]


def test_buttons_and_scrubber_step(browser: Browser, show: Shown) -> None:
    trace = show(MESSAGES)
    last = len(trace["steps"])
    assert selected(browser) == (last, last)  # what is wrong is seen at once
    assert "assertion violated" in browser.text("#state .failure")
    browser.click("#first")
    assert selected(browser) == (0, 0)
    browser.click("#forth")
    browser.click("#forth")
    browser.click("#back")
    assert selected(browser) == (1, 1)
    assert browser.text("#place") == f"1 of {last}"
    browser.click(".row[data-last='3'] .box")
    assert selected(browser) == (3, 3)
    browser.script("document.getElementById('scrub').focus()")
    browser.press("ArrowRight")
    assert selected(browser) == (4, 4)


def test_keys_for_processes_and_ends(browser: Browser, show: Shown) -> None:
    trace = show(MESSAGES)
    browser.press("Home", "j", "j")
    assert selected(browser) == (2, 2)
    who = trace["steps"][1]["pid"]
    following = [s["number"] for s in trace["steps"] if s["pid"] == who and s["number"] > 2]
    browser.press("p")
    assert selected(browser) == (following[0],) * 2
    browser.press("P")
    assert selected(browser) == (2, 2)
    browser.press("End")
    assert selected(browser) == (len(trace["steps"]),) * 2
    browser.press("ArrowDown")
    assert selected(browser) == (len(trace["steps"]),) * 2


def test_messages_are_arrows_with_their_values(browser: Browser, show: Shown) -> None:
    trace = show(MESSAGES)
    drawn = browser.script(
        """[...document.querySelectorAll(".arrow[data-from]")].map((each) =>
        [Number(each.dataset.from), Number(each.dataset.to)])"""
    )
    expected = []
    for step in trace["steps"]:
        message = step.get("message")
        if message and message["direction"] == "handshake":
            expected.append([step["number"], step["number"]])
        elif message and message["direction"] == "receive":
            expected.append([message["sent_at"], step["number"]])
    assert len(expected) == 4
    assert sorted(drawn) == sorted(expected)
    chips = browser.script("[...document.querySelectorAll('.chip')].map((c) => c.textContent)")
    assert sorted(text[: text.index("[")] for text in chips) == ["1,7", "2,8", "5", "6"]
    boxes = browser.texts(".box.message")
    assert {"link!1,7", "link?1,7", "queue!5", "queue?5", "queue!6", "queue?6"} <= set(boxes)


def test_lanes_have_heads_that_stay(browser: Browser, show: Shown) -> None:
    show(RAFT, size=(1400, 500))
    assert browser.texts(".lane-head") == ["init:0", "server:1", "server:2", "server:3"]
    top = "document.querySelector('.lane-head').getBoundingClientRect().top"
    before = browser.script(top)
    browser.press("Home")
    browser.press("PageDown", "PageDown")
    assert browser.script("document.getElementById('chart').scrollTop") > 0
    assert browser.script(top) == before


# --- folds ---------------------------------------------------------------------------------------


def test_atomic_sequences_and_inlines_fold_and_open(browser: Browser, show: Shown) -> None:
    trace = show(INLINES)
    steps = len(trace["steps"])
    assert row_count(browser) == 1 + steps + 3  # atomic, twice() and inc() stand above theirs
    browser.click("#fold")
    texts = browser.texts(".row .box")
    assert texts[1].startswith("twice() +")  # what is in the atomic sequence
    assert row_count(browser) == 1 + 1 + 3
    browser.press("Home", "ArrowDown")
    first, last = selected(browser)
    assert (first, last) == (1, 5)
    assert shown_values(browser, changed=True) == {("", "x"): "3", ("", "a[1]"): "3"}
    browser.press("ArrowRight")
    assert browser.texts(".row.group .box")[0].startswith("atomic")
    browser.press("ArrowDown")
    assert selected(browser) == (1, 1)
    browser.press("ArrowDown")
    assert selected(browser) == (2, 5)  # twice() is still folded
    browser.press("ArrowLeft")  # to what is around it
    assert selected(browser) == (1, 5)
    browser.press("ArrowLeft")
    assert row_count(browser) == 1 + 1 + 3
    browser.click(".fold")
    assert browser.script("document.querySelector('.row.group').ariaExpanded") == "true"
    browser.press("o")
    assert row_count(browser) == 1 + steps + 3


def test_long_traces_are_folded_but_for_what_fails(browser: Browser, show: Shown) -> None:
    trace = show(RAFT)
    steps = len(trace["steps"])
    assert steps > 100
    assert row_count(browser) < steps / 4
    assert selected(browser) == (steps, steps)
    assert "assert" in browser.text(".row.selected .box")


# --- source --------------------------------------------------------------------------------------


def test_source_has_the_step_the_processes_and_the_calls(browser: Browser, show: Shown) -> None:
    trace = show(INLINES)
    browser.press("Home")
    lines = "[...document.querySelectorAll('.line.%s')].map((l) => Number(l.dataset.line))"
    assert browser.script(lines % "here") == []
    where = {p["pid"]: p for p in trace["initial"]["processes"]}
    for step in trace["steps"]:
        browser.press("ArrowDown")
        for position in map(trace["positions"].__getitem__, step.get("moved", ())):
            where[position["pid"]] = position
        assert browser.script(lines % "here") == [step["line"]]
        assert set(browser.script(lines % "called")) == {
            call["line"] for call in step.get("calls", ())
        }
        badges = browser.script(
            """[...document.querySelectorAll(".badge:not(.outer)")].map((b) =>
            [Number(b.textContent), Number(b.closest(".line").dataset.line)])"""
        )
        assert sorted(badges) == sorted([p["pid"], p["line"]] for p in where.values())
    browser.press("Home", "ArrowDown", "ArrowDown")
    assert browser.texts(".crumbs .link") == ["<text>:6 twice()", "<text>:4 inc()", "<text>:4"]


def test_source_of_several_files(browser: Browser, show: Shown, tmp_path: Path) -> None:
    (tmp_path / "part.h").write_text("inline f() {\n  x = 2;\n  skip\n}\n")
    model = tmp_path / "whole.pml"
    model.write_text('byte x;\n#include "part.h"\nactive proctype p() { f(); assert(x == 0) }\n')
    show(model)
    assert browser.texts(".files [role=tab]") == ["whole.pml", "part.h"]
    chosen = ".files [aria-selected=true]"
    assert browser.text(chosen) == "whole.pml"
    browser.press("Home", "ArrowDown")
    assert browser.text(chosen) == "part.h"
    assert browser.text(".line.here code") == "  x = 2;"
    browser.click(".crumbs .link")  # the call
    assert browser.text(chosen) == "whole.pml"
    assert "f();" in browser.text(".line.called code")
    browser.script("document.querySelector('.files [aria-selected=true]').focus()")
    browser.press("ArrowRight")
    assert browser.text(chosen) == "part.h"


# --- properties ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "claim"),
    [("traffic_light", "cars_drive_again"), ("spin_lock", "first_enters")],
    ids=["plain", "with atomic sequences"],
)
def test_lasso_is_a_loop_and_the_automaton_moves(
    browser: Browser, show: Shown, name: str, claim: str
) -> None:
    trace = show(EXAMPLES / f"{name}.pml", claim=claim)
    steps, cycle = len(trace["steps"]), trace["cycle"]
    back = f"back to the state after step {cycle - 1}" if cycle > 1 else "back to the beginning"
    assert browser.texts(".row.mark")[1] == back
    assert browser.script("document.querySelectorAll('.loop').length") == 1
    current = "document.querySelector('.node.current').dataset.state"
    truth, run = trace["truth"][0], trace["run"][0]
    for number in range(steps + 1):
        truth = trace["truth"][number] or truth  # a claim does not look into atomic sequences
        run = trace["run"][number] or run
        assert int(browser.script(current)) == run[0]
        assert [text.startswith("✓") for text in browser.texts(".truths li")] == truth
        browser.press("ArrowDown")
    assert selected(browser) == (cycle, cycle)  # round again
    assert browser.script("document.querySelectorAll('.edge.current').length") == 1


def test_stepping_goes_round_a_lasso(browser: Browser, show: Shown) -> None:
    trace = show(EXAMPLES / "alternating_bit.pml", claim="goes_on")
    steps, cycle = len(trace["steps"]), trace["cycle"]
    assert cycle < steps
    browser.press("End", "ArrowDown")
    assert selected(browser) == (cycle, cycle)
    assert browser.text("#live") == f"back to the state after step {cycle - 1}, and on"
    browser.press("ArrowDown")
    assert selected(browser) == (cycle + 1, cycle + 1)
    browser.press("Home", "l")
    assert selected(browser) == (cycle, cycle)


def test_one_of_several_counterexamples(browser: Browser, show: Shown) -> None:
    show(EXAMPLES / "traffic_light.pml")
    assert "response" in browser.text("#what")
    browser.script("document.getElementById('trace').focus()")
    browser.press("ArrowDown")
    assert "cars_drive_again" in browser.text("#what")
    browser.press("Escape", "End")
    assert selected(browser) == (4, 4)


# --- search, filters, expressions ----------------------------------------------------------------


def test_search_goes_from_hit_to_hit(browser: Browser, show: Shown) -> None:
    trace = show(MESSAGES)
    expected = [s["number"] for s in trace["steps"] if "total" in s["text"]]
    browser.press("Home", "/")
    browser.write("TOTAL =")
    assert browser.text("#found") == f"{len(expected)} steps"
    browser.press("Enter")
    assert selected(browser) == (expected[0],) * 2
    browser.press("Escape", "n")
    assert selected(browser) == (expected[1],) * 2
    browser.press("N")
    assert selected(browser) == (expected[0],) * 2
    hits = browser.script(
        "[...document.querySelectorAll('.row.hit')].map((r) => Number(r.dataset.first))"
    )
    assert sorted(hits) == expected


@pytest.mark.parametrize(
    ("field", "chosen", "wanted"),
    [
        ("process", "bob:2", lambda s: 2 in (s["pid"], s.get("partner", {}).get("pid"))),
        ("variable", "total", lambda s: any(c["name"] == "total" for c in s["changes"])),
        ("channel", "queue", lambda s: s.get("message", {}).get("channel") == "queue"),
    ],
)
def test_filters(
    browser: Browser, show: Shown, field: str, chosen: str, wanted: Callable[[Any], bool]
) -> None:
    trace = show(MESSAGES)
    browser.script(f"document.getElementById('by-{field}').focus()")
    for _ in range(12):
        if browser.script(f"document.getElementById('by-{field}').value") == chosen:
            break
        browser.press("ArrowDown")
    expected = [step["number"] for step in trace["steps"] if wanted(step)]
    assert 0 < len(expected) < len(trace["steps"])
    rows = "[...document.querySelectorAll('.row.step')].map((r) => Number(r.dataset.first))"
    assert sorted(browser.script(rows)) == expected
    browser.click("#clear")
    assert len(browser.script(rows)) == len(trace["steps"])


def test_names_and_heads_filter(browser: Browser, show: Shown) -> None:
    trace = show(MESSAGES)
    browser.click(".lane-head button", 3)
    assert {who.split("\n")[0] for who in browser.texts(".row.step .box")} >= {"link?1,7"}
    assert row_count(browser) == 1 + sum(
        3 in (s["pid"], s.get("partner", {}).get("pid")) for s in trace["steps"]
    )
    browser.press("Escape")
    browser.click("#state [data-name='total'] .name")
    assert row_count(browser) == 1 + sum("total" in s["text"] for s in trace["steps"])


# --- large, small, dark, safe --------------------------------------------------------------------


def test_ten_thousand_steps(browser: Browser, show: Shown) -> None:
    trace = show(LONG)
    steps = len(trace["steps"])
    assert steps >= 10_000
    assert row_count(browser) == steps + 1
    for key in ("End", "PageUp", "Home", "PageDown"):
        browser.press(key)
        assert browser.script("document.querySelectorAll('.row').length") < 150
    browser.press("End")
    assert selected(browser) == (steps, steps)
    *_, last = states(trace)
    assert shown_values(browser) == last
    assert values_along(browser, "n == 1000") == ["false", "true", "false"]
    browser.press("Home", "x")
    assert shown_values(browser)["", "n"] == "1000"
    browser.script("document.getElementById('chart').scrollTop = 100000")
    browser.settle()
    browser.settle()
    first = browser.script(
        """Math.min(...[...document.querySelectorAll(".row:not(.selected)")].map((row) =>
        Number(row.dataset.first)))"""
    )
    assert abs(first - 100000 / 28) < 12


def test_narrow_page(browser: Browser, show: Shown) -> None:
    show(EXAMPLES / "traffic_light.pml", size=(400, 800))
    visible = """[...document.querySelectorAll(".panel")].filter((p) => p.offsetWidth)
      .map((p) => p.id)"""
    width = "Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)"
    assert browser.script(visible) == ["steps-panel"]
    assert browser.texts(".box .who")[0] == "button:1"
    browser.click("#tabs [data-panel='state']")
    for panel in ("state", "source", "property"):
        assert browser.script(visible) == [f"{panel}-panel"]
        assert browser.script(width) <= 400
        browser.press("ArrowRight")
    assert browser.script(visible) == ["steps-panel"]
    browser.click("#forth")
    assert selected(browser) == (1, 1)
    browser.press("2")
    assert shown_values(browser)["", "pressed"] == "1"


@pytest.mark.parametrize("dark", [False, True])
def test_light_and_dark(browser: Browser, show: Shown, dark: bool) -> None:
    show(MESSAGES, dark=dark)
    colour = "getComputedStyle(document.body).backgroundColor"
    light, black = "rgb(255, 255, 255)", "rgb(18, 22, 28)"
    assert browser.script(colour) == (black if dark else light)
    browser.press("t")
    assert browser.script(colour) == light
    browser.click("#theme")
    assert browser.script(colour) == black
    browser.press("t")
    assert browser.script(colour) == (black if dark else light)


def test_without_a_mouse(browser: Browser, show: Shown) -> None:
    """Everything has a name, the focus is at the selected row, and Tab leads through the page."""
    show(RAFT)
    nameless = browser.script(
        """[...document.querySelectorAll("button, input, select, [role=treegrid], [role=tablist]")]
        .filter((each) => !each.ariaLabel && !each.labels?.length && !each.textContent.trim())
        .map((each) => each.outerHTML)"""
    )
    assert nameless == []
    browser.press("Home", "ArrowDown")
    focused = browser.script("[document.activeElement.className, document.activeElement.ariaLabel]")
    assert "selected" in focused[0]
    assert "run server(0)" in focused[1] or "folded" in focused[1]
    stops = "document.querySelectorAll('.rows .row[tabindex=\"0\"]').length"
    assert browser.script(stops) == 1
    assert browser.script("document.activeElement.ariaSelected") == "true"
    reached = set()
    for _ in range(40):
        browser.press("Tab")
        reached.add(browser.script("document.activeElement.id || document.activeElement.className"))
    assert {"expression", "search", "by-process", "fold", "state-filter", "forth"} <= reached
    browser.script("window.viewer.chart.focus()")
    browser.script("document.getElementById('chart').scrollTop = 0")
    browser.press("End")
    browser.script("document.getElementById('chart').scrollTop = 0")
    browser.settle()
    browser.press("ArrowUp")  # the focus was not lost when the row went out of sight
    assert selected(browser)[1] < len(browser.script("viewer.run.steps"))
    browser.press("?")
    assert browser.script("document.getElementById('help').open")
    browser.press("Escape")
    assert not browser.script("document.getElementById('help').open")


def test_text_of_a_model_is_never_code(browser: Browser, show: Shown) -> None:
    show(HOSTILE)
    assert BAD in browser.text("#source .text")
    browser.press("Home", "ArrowDown")
    assert browser.text("#state .output") == BAD.replace('"', "'")
    for expression in (BAD, "${window.harm = 3}", "constructor.constructor"):
        values_along(browser, expression)
    assert browser.script("window.harm") is None


def test_policy_refuses_what_is_not_the_page(browser: Browser, show: Shown, tmp_path: Path) -> None:
    show(MESSAGES)
    path = tmp_path / "page.html"
    planted = path.read_text().replace("<header>", f"<script>window.harm = 1</script>{BAD}<header>")
    path.write_text(planted)
    browser.open(path)
    assert browser.script("window.harm") is None
    assert browser.problems
    browser.problems = []
