"""What the page of a counterexample shows, as the tests of it read it in a browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from support.browser import Browser

Shown = Callable[..., dict[str, Any]]  # opens the page of a model, and gives the trace on it


def states(trace: dict[str, Any]) -> Iterator[dict[tuple[str, str], str]]:
    """The values in each state, by process and name."""
    known = {(v["process"] or "", v["name"]): v["value"] for v in trace["initial"]["values"]}
    yield dict(known)
    for step in trace["steps"]:
        for gone in step.get("gone", ()):
            del known[gone["process"] or "", gone["name"]]
        for value in step.get("values", step["changes"]):
            known[value["process"] or "", value["name"]] = value["value"]
        yield dict(known)


def shown_values(browser: Browser, changed: bool = False) -> dict[tuple[str, str], str]:
    kind = ".value.changed" if changed else ".value"
    found = browser.script(
        f"""[...document.querySelectorAll("#state {kind}")].map((each) => [
          each.closest("section").dataset.process, each.dataset.name,
          each.querySelector(".now").textContent])"""
    )
    return {(process, name): value for process, name, value in found}


def selected(browser: Browser) -> tuple[int, int]:
    """The steps that the selected row stands for."""
    found = browser.script(
        """(() => { const row = document.querySelector(".row.selected");
        return [Number(row.dataset.first), Number(row.dataset.last)]; })()"""
    )
    return found[0], found[1]


def row_count(browser: Browser) -> int:
    """How many rows there are, with those that are not in the document."""
    return int(browser.script("document.getElementById('chart').ariaRowCount")) - 1


def values_along(browser: Browser, expression: str) -> list[str]:
    browser.script("document.getElementById('expression').value = ''")
    browser.press("e")
    browser.write(expression)
    browser.press("Enter", "Escape")
    return [text.split(" ")[0] for text in browser.texts("#evaluated .jump")]
