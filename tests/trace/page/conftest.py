"""What the tests of the page share: a browser, and a way to open the page of a model."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import whorl
from support.browser import Browser
from support.viewer import Shown
from whorl.cli import json_output
from whorl.trace.as_json import trace_data
from whorl.trace.page import page


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with Browser() as found:
        yield found


@pytest.fixture
def show(browser: Browser, tmp_path: Path) -> Shown:
    """Opens the page of the counterexamples of a model; the data that is shown."""

    def opened(model: str | Path, size: tuple[int, int] = (1400, 900), **options: Any) -> Any:
        dark = options.pop("dark", False)
        loaded = whorl.load(model)
        result = whorl.check(loaded, **options)
        assert result.trace is not None
        data = json_output.result(result, loaded, {}, ())
        data["traces"] = [trace_data(trace) for trace in result.traces]
        path = tmp_path / "page.html"
        path.write_text(page(json.loads(json.dumps(data))), encoding="utf-8")
        browser.open(path, *size, dark=dark)
        return data["traces"][0]

    return opened


@pytest.fixture
def quiet(browser: Browser) -> Iterator[None]:
    """No script fails, and nothing is fetched but the page."""
    yield
    assert browser.problems == []
    assert all(url.startswith("file:") for url in browser.requests)
