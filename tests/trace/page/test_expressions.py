"""Expressions along a run, evaluated by the page in a real browser."""

from __future__ import annotations

import pytest

from support.browser import Browser
from support.viewer import Shown, selected, shown_values, values_along

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("quiet")]

EXPRESSIONS = """
byte x; byte a[3]; int neg = -7; bool b;
mtype = { red, green };
mtype light = red;
#define BIG (x > 3)
#define LIMIT 3
typedef T { byte f; byte g[2] };
T t[2];
chan q = [2] of { byte };
proctype w(byte me) { byte mine; mine = me + 10; q!me; here: true; light = green; mine = 0 }
init {
  atomic { run w(4); run w(5) };
  _nr_pr == 1;
  atomic { t[1].f = 2; t[1].g[1] = 9; a[2] = 2; a[1] = 2 }
  x = 3; x = 4; b = true; x = 200;
  q?_;
  assert(false)
}
"""


def test_expressions(browser: Browser, show: Shown) -> None:
    show(EXPRESSIONS)
    along = {
        "x": ["0", "3", "4", "200"],
        "x > 3": ["false", "true"],
        "BIG": ["false", "true"],
        "x == LIMIT": ["false", "true", "false"],
        "x + 1 * 2": ["2", "5", "6", "202"],
        "(x + 1) % 4": ["1", "0", "1"],
        "neg / 2": ["-3"],
        "neg % 4": ["-3"],
        "-neg": ["7"],
        "~0": ["-1"],
        "1 << 4 | 1": ["17"],
        "2147483647 + 1": ["-2147483648"],
        "x / 0": ["–"],
        "!b && x == 0": ["true", "false"],
        "b -> x : 1": [],
        "(b -> x : 1)": ["1", "4", "200"],
        "light": ["red", "green"],
        "light == green": ["false", "true"],
        "a[a[1]]": ["0", "2"],
        "a[x]": ["0", "–"],
        "t[1].g[1]": ["0", "9"],
        "len(q)": ["0", "1", "2", "1"],
        "nempty(q) && empty(q)": ["false"],
        "_nr_pr": ["1", "2", "3", "2", "1"],
        "w[1]:mine": ["–", "0", "14", "0", "–"],
        "w[2]:me + 1": ["–", "6", "–"],
        "w:2.mine >= 15": ["–", "false", "true", "false", "–"],
        "w[1]@here": ["–", "false", "true", "false", "–"],
        "w[1]@here || true": ["true"],
        "w[1]@here && false": ["false"],
        "true": ["true"],
        "0x1F": ["31"],
    }
    found = {expression: values_along(browser, expression) for expression in along}
    assert found == along


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("y > 3", "there is no variable 'y'"),
        ("lihgt", "there is no variable 'lihgt'; did you mean 'light'?"),
        ("mine", "several processes have 'mine': write w[1]:mine"),
        ("x >", "a variable, a number or '(' expected, and not the end"),
        ("(x", "')' expected to close the parenthesis, and not the end"),
        ("x x", "an operator expected, and not 'x'"),
        ("x = 3", "'=' assigns; '==' compares"),
        ("[] (x > 1)", "'[]' is temporal"),
        ("x U b", "'U' is temporal"),
        ("x # 1", "'#' has no meaning here"),
        ("a", "'a' is no single value; it has a[0]"),
        ("w", "':' or '@' expected after the name of a process, and not the end"),
        ("full(q)", "how many messages fit is not in the trace; use len(...)"),
        ("len(3)", "a channel expected"),
        ("timeout", "'timeout' is not known of a state of a trace"),
        ("w[1]:nothing", "there is no variable 'nothing'"),
    ],
)
def test_bad_expressions(browser: Browser, show: Shown, expression: str, message: str) -> None:
    if browser.script("window.viewer?.result.sources[0].text") != EXPRESSIONS:  # not yet open
        show(EXPRESSIONS)
    assert values_along(browser, expression) == []
    assert browser.text("#evaluated .error").startswith(message)
    assert browser.script("document.getElementById('expression').ariaInvalid") == "true"


def test_expression_shows_where_it_changes(browser: Browser, show: Shown) -> None:
    show(EXPRESSIONS)
    assert values_along(browser, "x > 3") == ["false", "true"]
    (at,) = browser.script(
        "[...document.querySelectorAll('.jump')].map((j) => Number(j.dataset.at)).filter(Boolean)"
    )
    browser.press("Home", "x")
    assert selected(browser) == (at, at)
    assert browser.text("#now") == "now true"
    assert shown_values(browser)["", "x"] == "4"
    assert browser.text(".row.selected .mark-value") == "true"
    browser.press("ArrowUp")
    assert browser.text("#now") == "now false"
    browser.press("End", "X")
    assert selected(browser) == (at, at)
    browser.press("Home")
    browser.click(".jump", 1)
    assert selected(browser) == (at, at)
