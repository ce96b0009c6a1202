"""What the tests of the explorer's page share: a browser, and a way to open the page of a model."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from support.browser import Browser
from support.exploring import Exploring, exploring

IDLE = (
    "document.getElementById('next-panel').getAttribute('aria-busy') === 'false'"
    " && document.getElementById('next-panel').dataset.jumping !== 'true'"
)


class Explored:
    """The page of a model in a browser."""

    def __init__(self, browser: Browser, served: Exploring) -> None:
        self.browser = browser
        self.served = served

    def wait(self) -> None:
        """Until the page has its answers."""
        self.browser.settle()
        self.browser.wait(IDLE)
        self.browser.settle()

    def press(self, *keys: str) -> None:
        for key in keys:
            self.browser.press(key)
            self.wait()

    def click(self, selector: str, number: int = 0) -> None:
        self.browser.click(selector, number)
        self.wait()

    def reload(self) -> None:
        self.browser.script("window.before = true")
        self.browser.call("Page.reload")
        loaded = "document.readyState === 'complete' && window.explorer"
        self.browser.wait(f"!window.before && {loaded} && {IDLE}")
        self.wait()

    @property
    def steps(self) -> list[str]:
        """The steps of the path up to the selected one, as process and statement."""
        found: list[str] = self.browser.script(
            "explorer.viewer.run.steps.slice(0, explorer.viewer.at)"
            ".map((step) => `${step.pid} ${step.text}`)"
        )
        return found

    @property
    def enabled(self) -> list[str]:
        return self.browser.texts("#enabled .statement")

    def script(self, text: str) -> Any:
        return self.browser.script(text)


Explore = Callable[..., Explored]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with Browser() as found:
        yield found


@pytest.fixture
def explore(browser: Browser) -> Iterator[Explore]:
    """Opens the page of a model. In the end no script has failed, and only the server was asked."""
    with ExitStack() as stack:
        opened: list[Explored] = []

        def show(
            model: str | Path, size: tuple[int, int] = (1400, 900), dark: bool = False, **more: Any
        ) -> Explored:
            served = stack.enter_context(exploring(model, **more))
            browser.go(served.server.address, f"window.explorer && {IDLE}", *size, dark=dark)
            page = Explored(browser, served)
            page.wait()
            opened.append(page)
            return page

        yield show
        assert browser.problems == []
        for page in opened:
            assert page.served.troubles == []
            assert all(
                url.startswith((page.served.server.address, "blob:")) for url in browser.requests
            )
        browser.call("Page.navigate", url="about:blank")
