"""The site of the documentation in a browser: search, light and dark, and the playground."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from support.browser import Browser
from support.site import ROOT, build, served

sys.path.insert(0, str(ROOT / "scripts"))
import fetch_pyodide
import playground_files

pytestmark = pytest.mark.browser

PATIENCE = 120  # seconds, where many tests run at once
READY = "document.getElementById('status').textContent.startsWith('ready')"
DONE = "document.getElementById('stop').disabled"
WITH_AN_ERROR = "byte count;\nactive proctype counter() {\n    cuont = 3\n}\n"
ENDLESS = "int n;\nactive proctype counter() { do :: n++ od }\n"  # by walks of phase 1


@pytest.fixture(scope="session")
def pyodide() -> None:
    try:
        fetch_pyodide.fetch()
    except fetch_pyodide.NotFetched as why:
        pytest.skip(f"needs Pyodide, which could not be fetched: {why}")


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, with the playground's engine if that can be had."""
    path = tmp_path_factory.mktemp("site")
    with suppress(fetch_pyodide.NotFetched):  # before the site is built, whichever test comes first
        fetch_pyodide.fetch()
    build(path)
    return path


@pytest.fixture(scope="session")
def site(folder: Path) -> Iterator[str]:
    with served(folder) as address:
        yield address


@pytest.fixture(scope="session")
def _browser() -> Iterator[Browser]:
    with Browser() as found:
        yield found


@pytest.fixture
def browser(_browser: Browser, site: str) -> Iterator[Browser]:
    """A browser in which no script fails, and that asks nobody but the site."""
    yield _browser
    assert _browser.problems == []
    asked = [url for url in _browser.requests if urlsplit(url).scheme not in ("data", "about")]
    hosts = {urlsplit(url).netloc for url in asked}
    assert hosts <= {urlsplit(site).netloc}


# --- pages ----------------------------------------------------------------------------------------


def test_search_finds_pages(browser: Browser, site: str) -> None:
    browser.go(f"{site}/tour/?q=fairness")
    browser.wait("document.querySelectorAll('#mkdocs-search-results article').length > 0")
    assert browser.texts("#mkdocs-search-results article h3")
    links = "[...document.querySelectorAll('#mkdocs-search-results a')].map((a) => a.href)"
    assert any("/explanation/product/" in link for link in browser.script(links))
    browser.click("#mkdocs-search-query")
    browser.script("document.getElementById('mkdocs-search-query').value = 'bitstat'")
    browser.press("e")
    browser.wait("document.querySelector('#mkdocs-search-results').innerText.includes('bitstate')")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_pages_are_light_or_dark_and_fit(
    browser: Browser, site: str, folder: Path, dark: bool
) -> None:
    decisions = sorted((folder / "decisions").glob("*/index.html"))
    for path in set(folder.rglob("index.html")) - set(decisions[1:]):
        page = str(path.parent.relative_to(folder))
        browser.go(f"{site}/{page}/".replace("/./", "/"), width=400, height=800, dark=dark)
        assert browser.problems == [], page
        assert browser.script("document.documentElement.scrollWidth") <= 400, page
        paper = browser.script("getComputedStyle(document.body).backgroundColor")
        level = int(paper.removeprefix("rgb(").split(",")[0])
        assert level < 60 if dark else level > 200, (page, paper)


def test_bars_in_tables_are_bars(folder: Path) -> None:
    page = (folder / "howto" / "index.html").read_text(encoding="utf-8")
    assert "<code>||</code>" in page
    assert r"<code>\|" not in page


# --- the playground -------------------------------------------------------------------------------


def test_without_pyodide_the_page_says_so(
    browser: Browser, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetch_pyodide, "FOLDER", tmp_path / "missing")
    (written,) = playground_files.contents()
    copy = tmp_path / "site"
    shutil.copytree(folder, copy, ignore=shutil.ignore_patterns("pyodide", "*.whl"))
    assert isinstance(written[1], str)
    (copy / "playground" / written[0]).write_text(written[1], encoding="utf-8")
    with served(copy) as address:
        browser.go(f"{address}/playground/")
        browser.wait("!document.getElementById('notice').hidden")
        assert "without Pyodide" in browser.text("#notice")
        assert browser.script("document.getElementById('run').disabled")
        assert "contender" in model_text(browser)
        browser.go("about:blank")


def opened(browser: Browser, site: str, fragment: str = "", **size: Any) -> None:
    browser.go("about:blank")
    browser.go(f"{site}/playground/{fragment}", **size)
    browser.wait(READY, PATIENCE)


def model_text(browser: Browser) -> str:
    return str(browser.script("document.getElementById('model').value"))


def write_model(browser: Browser, text: str) -> None:
    browser.script("document.getElementById('model').select()")
    browser.click("#model")
    browser.script("document.getElementById('model').select()")
    browser.write(text)


def check(browser: Browser) -> str:
    """Presses Ctrl+Enter; the report."""
    browser.press("Enter", control=True)
    browser.wait(DONE, PATIENCE)
    return browser.text("#report")


@pytest.mark.usefixtures("pyodide")
def test_a_counterexample_in_the_viewer(browser: Browser, site: str) -> None:
    opened(browser, site)
    assert "Python 3.14" in browser.text("#status")
    report = check(browser)
    assert "✗ assertions    violated: (inside==1)" in report
    assert "✗ model.pml: violated (assertions)" in report
    assert browser.text("#status") == "violated"
    assert browser.text("#command code") == "whorl check model.pml"
    browser.click("#report button")  # a place of the report
    area = "document.getElementById('model')"
    chosen = browser.script(f"{area}.value.slice({area}.selectionStart, {area}.selectionEnd)")
    assert "turn = other" in chosen
    page = browser.script("document.getElementById('viewer').srcdoc")
    assert "model.pml: counterexample" in page
    assert "Content-Security-Policy" in page
    assert browser.script("document.getElementById('save').href").startswith("blob:")


@pytest.mark.usefixtures("pyodide")
def test_options_and_a_link(browser: Browser, site: str) -> None:
    opened(browser, site, "#example=traffic_light&claim=response&fair=yes")
    assert "✓ response" in check(browser)
    assert browser.text("#command code") == "whorl check model.pml --claim=response --fair"
    browser.click("#fair")
    browser.script("document.getElementById('claim').value = ''")
    browser.click("#ltl")
    browser.write("<> pressed && [] !(people == 'x'")
    assert "<formula>:1:" in check(browser)
    browser.script("document.getElementById('ltl').value = ''")
    browser.click("#ltl")
    browser.write("[] !pressed")
    assert "a run does not satisfy [] !pressed" in check(browser)
    assert browser.text("#command code") == "whorl check model.pml --ltl='[] !pressed'"
    browser.wait("location.hash.includes('model=')")
    link, text = browser.script("location.hash"), model_text(browser)
    opened(browser, site, link)
    assert model_text(browser) == text
    assert browser.script("document.getElementById('ltl').value") == "[] !pressed"
    assert not browser.script("document.getElementById('fair').checked")


@pytest.mark.usefixtures("pyodide")
def test_an_error_is_marked_where_it_is(browser: Browser, site: str) -> None:
    opened(browser, site, width=400, height=800, dark=True)
    write_model(browser, WITH_AN_ERROR)
    report = check(browser)
    assert "model.pml:3:5: error: unknown variable 'cuont'" in report
    assert "    3 |     cuont = 3\n      |     ^^^^^" in report
    assert browser.text("#status") == "not checked"
    assert browser.texts("#numbers .error") == ["3"]
    assert browser.script("document.documentElement.scrollWidth") <= 400
    assert browser.script("document.getElementById('counterexample').hidden")
    browser.click("#more")
    browser.write("--fiar")
    assert "did you mean '--fair'?" in check(browser)


@pytest.mark.usefixtures("pyodide")
def test_limits_and_stop(browser: Browser, site: str) -> None:
    opened(browser, site, "#timeout=1")
    write_model(browser, ENDLESS)
    assert "the time limit of 1 s was reached" in check(browser)
    browser.script("document.getElementById('example').value = 'raft'")
    browser.script("document.getElementById('example').dispatchEvent(new Event('change'))")
    browser.script("document.getElementById('max-states').value = '500'")
    assert "the limit of 500 states was reached" in check(browser)
    assert browser.text("#status") == "inconclusive"
    browser.script("document.getElementById('max-states').value = '100000000'")
    browser.press("Enter", control=True)
    browser.wait("document.getElementById('status').textContent.includes('states/s')", PATIENCE)
    browser.press("Escape")
    assert "stopped: no verdict" in browser.text("#report")
    browser.wait(READY, PATIENCE)
    browser.script("document.getElementById('more').value = ''")
    write_model(browser, WITH_AN_ERROR.replace("cuont", "count"))
    assert "✓ model.pml: holds" in check(browser)


@pytest.mark.usefixtures("pyodide")
def test_a_damaged_link_is_told(browser: Browser, site: str) -> None:
    opened(browser, site, "#model=!!!")
    assert "damaged" in browser.text("#notice")


def test_every_example_is_offered(folder: Path) -> None:
    setup = json.loads((folder / "playground" / "setup.json").read_text(encoding="utf-8"))
    names = [example["name"] for example in setup["examples"]]
    assert names == sorted(path.stem for path in (ROOT / "examples").glob("*.pml"))
    assert setup["first"] in names
