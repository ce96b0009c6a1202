"""The page of the explorer, in a real browser, by keys and clicks."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from support.browser import Browser
from support.viewer import shown_values

pytestmark = pytest.mark.browser

EXAMPLES = Path(__file__).parents[3] / "examples"
PETERSON = EXAMPLES / "peterson.pml"
TWO = "byte x; active proctype p() { x = 1; x = 2; x = 3 } active proctype q() { x = 7; x == 9 }"
TOGGLE = "byte x; active proctype p() { do :: x = 1; x = 0 od }"
FAILING = "byte x; active proctype p() { x = 1; assert(x == 0); x = 2 }"
BAD = '<img src=x onerror="window.harm = 1">'
HOSTILE = f"""/* </script><script>window.harm = 1</script> */
active proctype p() {{ printf("{BAD.replace('"', "'")}"); assert(false) }}
"""

Explore = Callable[..., Any]


# --- walking -------------------------------------------------------------------------------------


def test_numbers_take_steps_and_backspace_takes_them_back(explore: Explore) -> None:
    page = explore(TWO)
    assert page.enabled == ["x = 7", "x = 1"]
    page.press("2")
    assert page.steps == ["0 x = 1"]
    assert shown_values(page.browser, changed=True) == {("", "x"): "1"}
    page.press("2", "1")
    assert page.steps == ["0 x = 1", "0 x = 2", "1 x = 7"]
    assert shown_values(page.browser) == {("", "x"): "7"}
    page.press("Backspace")
    assert page.steps == ["0 x = 1", "0 x = 2"]
    assert page.enabled == ["x = 7", "x = 3"]
    page.press("r")
    assert page.steps == []
    page.press("9")
    assert page.steps == []


def test_arrow_keys_choose_and_enter_takes(explore: Explore) -> None:
    page = explore(TWO)
    page.press("s", "ArrowDown", "Enter")
    assert page.steps == ["0 x = 1"]
    assert page.script("document.activeElement.id") == "option-1"  # the focus stays in the list
    page.press("ArrowRight", "ArrowLeft", "ArrowLeft")
    assert page.steps == []
    page.press("ArrowDown", "ArrowUp", " ")
    assert page.steps == ["1 x = 7"]


def test_keys_need_no_focus(explore: Explore) -> None:
    page = explore(TWO)
    page.script("document.activeElement.blur()")
    page.press("ArrowDown", "Enter")
    assert page.steps == ["0 x = 1"]


def test_clicks_take_steps(explore: Explore) -> None:
    page = explore(TWO)
    page.click("#enabled .option", 1)
    page.click("#enabled .option")
    assert page.steps == ["0 x = 1", "1 x = 7"]
    page.click("#go-back")
    assert page.steps == ["0 x = 1"]
    page.click("#restart")
    assert page.steps == []
    assert page.script("document.getElementById('go-back').disabled")


def test_the_rest_of_the_path_stays_until_another_way_is_taken(explore: Explore) -> None:
    page = explore(TWO)
    page.press("2", "2", "2")
    page.press("Backspace", "Backspace")
    assert page.script("explorer.path.choices.length") == 3
    page.press("2")  # the step that the path has there
    assert page.script("explorer.path.choices.length") == 3
    assert page.steps == ["0 x = 1", "0 x = 2"]
    page.press("Backspace", "1")
    assert page.steps == ["0 x = 1", "1 x = 7"]
    assert page.script("explorer.path.choices.length") == 2


def test_rows_of_the_chart_are_states_to_go_on_from(explore: Explore) -> None:
    page = explore(TWO)
    page.press("2", "2", "2")
    page.click("#chart .row", 1)
    assert page.steps == ["0 x = 1"]
    assert page.enabled == ["x = 7", "x = 2"]


@pytest.mark.parametrize(
    ("model", "steps"), [(EXAMPLES / "lost_update.pml", 12), (FAILING, 3)], ids=["long", "failing"]
)
def test_a_path_in_pieces_is_the_whole_path(
    explore: Explore, model: str | Path, steps: int
) -> None:
    """What a page has put together step by step is what one that is opened anew has."""
    page = explore(model)
    for n in range(steps):
        page.press("Backspace" if n == 5 else str(1 + n % len(page.enabled)))
    seen = """(() => { const { run } = explorer.viewer; const states = [];
      run.walk((state) => states.push([
        run.variables.map((each, n) => [each.process, each.name, state.values[n]])
          .filter((each) => each[2] !== undefined).map(String).sort(),
        [...state.where.values()].map((each) => JSON.stringify(each)).sort()]));
      return JSON.stringify([states, run.steps.map((step) => ({ ...step, moved: null })),
        explorer.path.nodes, explorer.path.choices, run.trace.truth]); })()"""
    before = page.script(seen)
    assert len(page.steps) >= steps - 2
    page.reload()
    assert json.loads(page.script(seen)) == json.loads(before)


def test_an_answer_that_comes_too_late_is_not_shown(explore: Explore) -> None:
    page = explore(TWO)
    page.press("2", "2")
    page.script("""(() => {
      const real = window.fetch;
      let slow = true;
      window.fetch = async (...asked) => {
        const late = slow;
        slow = false;
        const answer = await real(...asked);
        if (late) await new Promise((done) => setTimeout(done, 200));
        return answer;
      };
      explorer.viewer.goTo(0, false);
      explorer.viewer.goTo(1, false);
    })()""")
    page.wait()
    assert page.steps == ["0 x = 1"]
    assert page.enabled == ["x = 7", "x = 2"]


def test_expressions_and_search_work_along_the_path(explore: Explore) -> None:
    page = explore(TWO)
    page.press("e")
    page.browser.write("x > 1")
    page.press("Enter", "Escape", "2", "2")
    assert page.browser.text("#now") == "now true"
    assert "true after step 2" in page.browser.text("#evaluated")


# --- why not -------------------------------------------------------------------------------------


def test_reasons_have_the_values(explore: Explore) -> None:
    page = explore(PETERSON)
    page.press("2", "2", "1", "1")
    texts = page.browser.texts(".hindered")
    assert len(texts) == 1
    assert "!wants[other] || turn == _pid is false" in texts[0]
    assert page.browser.texts(".hindered .read") == ["wants[0] = 1", "turn = 0", "_pid = 1"]
    page.click(".hindered .link")
    assert page.browser.text(".line.flash .line-number") == "24"


def test_an_invalid_end_state_is_told(explore: Explore) -> None:
    page = explore("active proctype p() { false }")
    assert page.enabled == []
    assert page.browser.text("#end").startswith("Invalid end state")
    assert page.browser.text("#enabled-title") == "Enabled: none"
    assert page.script("document.querySelector('.state-node.wrong text').textContent") == "✗0"


def test_a_step_that_would_fail_is_marked(explore: Explore) -> None:
    page = explore("byte x; active proctype p() { assert(x == 1) }")
    assert page.browser.text("#enabled .failure") == "✗ assertion violated: (x==1)"
    page.press("1")
    assert page.browser.text("#what") == "assertion: (x==1)"


# --- the address ---------------------------------------------------------------------------------


def test_a_page_that_is_opened_again_has_its_path(explore: Explore) -> None:
    page = explore(TWO)
    page.press("2", "2", "1", "Backspace")
    page.reload()
    assert page.steps == ["0 x = 1", "0 x = 2"]
    assert page.script("explorer.path.choices.length") == 3
    assert page.enabled == ["x = 7", "x = 3"]


def test_the_browsers_back_goes_to_the_path_before(explore: Explore) -> None:
    page = explore(TWO)
    page.press("2", "2")
    page.script("new Promise((done) => { addEventListener('popstate', done, {once: true});"
                " history.back(); })")  # fmt: skip
    page.wait()
    assert page.steps == ["0 x = 1"]


@pytest.mark.parametrize("wrong", ["#path=0.999&at=1", "#path=x", "#path=,,,&at=9", "#at=3", "#%"])
def test_an_address_that_has_no_path(explore: Explore, wrong: str) -> None:
    page = explore(TWO)
    page.browser.call("Page.navigate", url=f"{page.served.server.address}{wrong}")
    page.reload()
    page.browser.problems.clear()  # the browser notes each answer that is no good
    assert page.enabled == ["x = 7", "x = 1"]
    page.press("1")
    assert page.steps == ["1 x = 7"]


# --- the graph -----------------------------------------------------------------------------------


def nodes(page: Any) -> list[int]:
    found: list[int] = page.script(
        "[...document.querySelectorAll('.state-node')].map((node) => Number(node.dataset.node))"
    )
    return found


def current(page: Any) -> int:
    return int(page.script("document.querySelector('.state-node.current').dataset.node"))


def test_the_graph_grows_and_a_cycle_closes(explore: Explore) -> None:
    page = explore(TOGGLE)
    assert nodes(page) == [0, 1]
    assert current(page) == 0
    page.press("1")
    assert nodes(page) == [0, 1]
    assert current(page) == 1
    page.press("1")
    assert nodes(page) == [0, 1]
    assert current(page) == 0
    edges = page.script(
        "[...document.querySelectorAll('.state-edge')].map((edge) => edge.dataset.edge).sort()"
    )
    assert edges == ["0 1", "1 0"]
    assert "a cycle of 2 steps" in page.browser.text("#round")


def test_a_click_on_a_node_goes_there(explore: Explore) -> None:
    page = explore(TWO)
    page.press("2", "2")
    there = current(page)
    page.click('.state-node[data-node="0"]')
    assert page.steps == []
    assert page.script("explorer.path.choices.length") == 2  # it is on the path
    page.press("1")  # another way
    page.click(f'.state-node[data-node="{there}"]')
    assert page.steps == ["0 x = 1", "0 x = 2"]
    following = [n for n in nodes(page) if n != there][-1]
    page.click(f'.state-node[data-node="{following}"]')
    assert current(page) == following


def test_the_graph_without_a_mouse(explore: Explore) -> None:
    page = explore(TWO)
    page.press("2", "g", "ArrowUp", "Enter")
    assert page.steps == []
    page.press("ArrowDown", "ArrowRight", "Enter")
    assert page.steps == ["0 x = 1"]


def test_the_graph_of_a_long_walk(explore: Explore) -> None:
    """Some hundred states: each one shown has a place of its own, and the current one is seen."""
    page = explore(
        "byte x, y; active proctype p() { do :: x = x + 1 od }"
        " active proctype q() { do :: y = y + 1 od }"
    )
    path: list[list[int]] = []
    for n in range(160):
        path += page.served.ask("state", choices=path)["enabled"][n % 2]["choices"]
    page.script(f"explorer.walk({json.dumps(path)})")
    page.wait()
    places = page.script(
        "[...document.querySelectorAll('.state-node circle')]"
        ".map((c) => `${c.getAttribute('cx')} ${c.getAttribute('cy')}`)"
    )
    assert len(set(places)) == len(places) == 300
    assert "the nearest 300 of" in page.browser.text("#graph-said")
    seen = page.script("""(() => {
      const box = document.getElementById("graph").getBoundingClientRect();
      const node = document.querySelector(".state-node.current circle").getBoundingClientRect();
      return node.top >= box.top && node.bottom <= box.bottom && node.left >= box.left;
    })()""")
    assert seen
    assert len(page.steps) == 160


# --- jumps ---------------------------------------------------------------------------------------


def test_jump_to_a_violation(explore: Explore) -> None:
    page = explore(EXAMPLES / "peterson_broken.pml")
    page.press("1", "v")
    assert page.browser.text("#what") == "assertion: (inside==1)"
    assert "the nearest violation" in page.browser.text("#jumped")
    assert page.steps[0].startswith("1 ")  # the path goes on from where it was


def test_jump_to_an_expression_by_keys(explore: Explore) -> None:
    page = explore(TWO)
    page.press("w")
    page.browser.write("x == 3")
    page.press("Enter")
    assert page.steps == ["0 x = 1", "0 x = 2", "0 x = 3"]


def test_a_bad_expression_is_shown_beside_the_field(explore: Explore) -> None:
    page = explore(TWO)
    page.press("w")
    page.browser.write("x > 1 && zz")
    page.press("Enter")
    assert "'zz'" in page.browser.text("#jumped .error")
    assert page.browser.text("#jumped .caret") == "x > 1 && zz\n         ^"
    assert page.script("document.getElementById('jump-expression').ariaInvalid") == "true"
    assert page.steps == []
    page.browser.problems.clear()  # the browser notes an answer that is no good


def test_a_counterexample_of_a_formula(explore: Explore) -> None:
    page = explore(EXAMPLES / "traffic_light.pml")
    page.click("#to-counterexample")
    assert "response" in page.browser.text("#jumped")
    assert "The path is back in the state" in page.browser.text("#round")
    assert page.browser.texts("#property .truths li")


def test_a_jump_can_be_stopped(explore: Explore) -> None:
    page = explore("int x, y; active [3] proctype p() { do :: x = x + 1 :: y = y + x od }")
    page.browser.click("#to-violation")
    page.browser.wait("!document.getElementById('stop').hidden")
    page.browser.click("#stop")
    page.wait()
    assert "you stopped it" in page.browser.text("#jumped")


# --- sharing, and what a model cannot do ---------------------------------------------------------


def test_files_are_saved(explore: Explore, tmp_path: Path, browser: Browser) -> None:
    page = explore(TWO)
    page.press("2", "2")
    browser.session, session = None, browser.session
    browser.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path))
    browser.session = session
    page.click("#save-trail")
    page.click("#save-page")
    files = {}
    for name in ("_text_.path.trail", "_text_.path.html"):
        for _ in range(100):
            if (tmp_path / name).exists():
                break
            page.script("new Promise((done) => setTimeout(done, 50))")
        files[name] = (tmp_path / name).read_text()
    assert len(json.loads(files["_text_.path.trail"])["choices"]) == 2
    assert files["_text_.path.html"].startswith("<!DOCTYPE html>")


def test_a_model_cannot_run_anything(explore: Explore) -> None:
    page = explore(HOSTILE)
    page.press("1")
    assert BAD.replace('"', "'") in page.browser.text("#state .output")
    page.press("1")
    assert page.script("window.harm ?? null") is None


# --- sizes, colours, names -----------------------------------------------------------------------


@pytest.mark.parametrize("dark", [False, True])
def test_a_narrow_page_shows_one_panel_and_scrolls_down_only(explore: Explore, dark: bool) -> None:
    page = explore(EXAMPLES / "raft.pml", size=(400, 800), dark=dark)
    page.press("1", "1", "1")
    for panel in ("next", "graph", "steps", "state", "source"):
        page.click(f'#tabs [data-panel="{panel}"]')
        shown = page.script(
            "[...document.querySelectorAll('main > .panel')].filter((each) => each.offsetWidth)"
            ".map((each) => each.id)"
        )
        assert shown == [f"{panel}-panel"]
        assert page.script("document.documentElement.scrollWidth") <= 400
        width = page.script(f"document.getElementById('{panel}-panel').scrollWidth")
        assert width <= 400


def test_a_wide_page_shows_all_panels(explore: Explore) -> None:
    page = explore(PETERSON)
    shown = page.script(
        "[...document.querySelectorAll('main > .panel')].filter((each) => each.offsetWidth)"
        ".map((each) => each.id).sort()"
    )
    assert shown == ["graph-panel", "next-panel", "source-panel", "state-panel", "steps-panel"]


def test_everything_that_acts_has_a_name(explore: Explore) -> None:
    page = explore(PETERSON)
    page.press("1")
    nameless = page.script("""[...document.querySelectorAll(
        "button, input, select, [role=option], [role=button], [role=listbox]")]
      .filter((each) => each.offsetParent !== null || each.ownerSVGElement)
      .filter((each) => !(each.getAttribute("aria-label") || each.getAttribute("aria-labelledby")
        || each.textContent.trim() || each.closest("label")))
      .map((each) => each.outerHTML)""")
    assert nameless == []
    option = page.script("document.getElementById('option-2').getAttribute('aria-label')")
    assert option == "2: contender:0, line 22: wants[_pid] = true; wants[0] = 1"
    said = page.browser.text("#live")
    assert said == "step 1, contender:1: wants[_pid] = true; 2 steps enabled"
