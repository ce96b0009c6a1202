"""Notebooks: results, traces, automata and graphs as they display themselves there."""

from __future__ import annotations

import html
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

import whorl
from support.browser import Browser
from whorl.property.automaton import Buchi, Edge, generalised
from whorl.property.siegel import b2
from whorl.svg import scoped

EXAMPLES = Path(__file__).parents[1] / "examples"
BROKEN, LIGHT = EXAMPLES / "peterson_broken.pml", EXAMPLES / "traffic_light.pml"
EVIL = """byte x, script;
active proctype p() {
  printf("</title></pre><script>document.body.innerHTML = 'owned'</script><b>");
  x = 1; assert(x <script)
}
"""
# What a page around the outputs may have: elements of the same classes and colours of their own.
PAGE = """<!doctype html><meta charset="utf-8"><title>page</title>
<style>.title { color: rgb(1, 2, 3) }</style><body><h1 class="title head box">page</h1>{}
<script>window.viewer = true // what the browser of the tests waits for</script></body>"""


class Tags(HTMLParser):
    """The tags of a text, in their order; every tag that needs one has its end."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.begun: list[str] = []
        self.opened: list[str] = []
        self.feed(text)
        self.close()
        assert not self.opened, self.opened

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.begun.append(tag)
        self.opened.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.begun.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.opened.pop() == tag


def outputs() -> Iterator[str]:
    """Several outputs of one notebook."""
    result = whorl.check(LIGHT, claim="response", shortest=True)
    assert result.trace is not None
    yield result._repr_html_()
    yield result.trace._repr_html_()
    yield b2()._repr_svg_() or ""
    yield whorl.graph(LIGHT)._repr_svg_()
    yield whorl.graph(LIGHT, por="static")._repr_svg_()
    yield whorl.check(EVIL)._repr_html_()
    yield whorl.graph(EVIL)._repr_svg_()


def test_a_result_that_is_violated() -> None:
    result = whorl.check(BROKEN)
    shown = result._repr_html_()
    tags = Tags(shown).begun
    assert tags.count("tr") == len(result.properties) == 5
    assert tags.count("svg") == 1
    assert "✗ violated (assertions)" in shown
    assert "not all states were seen" in shown
    assert "Counterexample: assertion violated" in shown
    assert "engine: native" in shown
    assert "http" not in shown.replace("http://www.w3.org/2000/svg", "")


def test_a_result_that_holds_has_no_picture() -> None:
    shown = whorl.check(EXAMPLES / "peterson.pml")._repr_html_()
    assert "✓ holds (38 states after reduction)" in shown
    assert "svg" not in Tags(shown).begun


def test_what_else_should_be_known_is_told() -> None:
    result = whorl.check(EXAMPLES / "two_phase_commit.pml", store="bitstate", bits=20)
    assert result.verdict == "inconclusive"
    shown = result._repr_html_()
    for note in result.notes:
        assert f"<p>note: {html.escape(note)}</p>" in shown
    noted = replace(result, notes=("a < b",), advice=("make it <smaller>",))._repr_html_()
    assert "<p>note: a &lt; b</p>" in noted
    assert "Try next: make it &lt;smaller&gt;" in noted


def test_several_counterexamples_each_have_their_place() -> None:
    text = "byte x; active proctype p() { assert(x == 1); assert(x == 2) }"
    result = whorl.check(text, all_errors=True)
    shown = result._repr_html_()
    assert len(result.traces) == 2
    assert Tags(shown).begun.count("svg") == 2
    assert "Counterexample 2 of 2" in shown


def test_a_trace_has_its_chart_and_its_text() -> None:
    trace = whorl.check(BROKEN).trace
    assert trace is not None
    shown = trace._repr_html_()
    assert {"svg", "details", "pre"} <= set(Tags(shown).begun)
    assert "turn = other" in shown


def test_automata_draw_themselves() -> None:
    for automaton in (b2(), generalised(b2())):
        picture = automaton._repr_svg_()
        assert picture is not None
        assert len(list(ET.fromstring(picture).iter("{http://www.w3.org/2000/svg}circle"))) >= 4
    many = Buchi((), 0, tuple((Edge(1, 0),) for _ in range(100)), frozenset())
    assert many._repr_svg_() is None  # it is shown as text


def test_no_text_of_a_model_is_markup() -> None:
    shown = whorl.check(EVIL)._repr_html_()
    assert not {"script", "b"} & set(Tags(shown).begun)
    assert "&lt;script&gt;" in shown


def test_pictures_have_names_of_their_own() -> None:
    names: list[str] = []
    for shown in outputs():
        own = [part.partition('"')[0] for part in shown.split(' id="')[1:]]
        used = {part.partition(")")[0] for part in shown.split("url(#")[1:]}
        assert used <= set(own)
        names += own
        for rules in shown.split("<style>")[1:]:
            for line in rules.partition("</style>")[0].splitlines():
                rule = line.strip()
                assert not rule or rule.startswith(("#w", "@media", "}")), rule
    assert len(names) - len(set(names)) == 2  # the trace, which is also in the result


def test_a_picture_alone_is_as_it_was() -> None:
    picture = whorl.graph(LIGHT).svg
    assert scoped(picture) != picture
    assert len(scoped(picture).splitlines()) == len(picture.splitlines())
    assert 'id="tip"' in picture


@pytest.mark.browser
def test_in_a_page_they_do_not_disturb_each_other(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(PAGE.replace("{}", "<hr>".join(outputs())), encoding="utf-8")
    with Browser() as browser:
        browser.open(page)
        assert browser.script("document.querySelector('h1').textContent") == "page"
        assert (
            browser.script("getComputedStyle(document.querySelector('h1')).color") == "rgb(1, 2, 3)"
        )
        font = browser.script("getComputedStyle(document.querySelector('h1')).fontFamily")
        assert "monospace" not in font
        # Each arrow's tip is in its own picture, with the colour of that picture.
        missing = browser.script(
            "[...document.querySelectorAll('[marker-end]')].filter(e => {"
            " const name = e.getAttribute('marker-end').slice(5, -1);"
            " return !e.closest('svg').querySelector('#' + name) }).length"
        )
        assert missing == 0
        assert browser.script("document.querySelectorAll('svg').length") == 7


def test_ipython_takes_them() -> None:
    """What a kernel sends for each of them."""
    formatters = pytest.importorskip("IPython.core.formatters")
    display = formatters.DisplayFormatter()
    result = whorl.check(BROKEN)
    for shown, kind in (
        (result, "text/html"),
        (result.trace, "text/html"),
        (b2(), "image/svg+xml"),
        (whorl.graph(LIGHT), "image/svg+xml"),
    ):
        data, _ = display.format(shown)
        assert set(data) == {"text/plain", kind}
