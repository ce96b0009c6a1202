"""The page of the explorer: the viewer's, with panels for the next steps and the graph."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from whorl.trace import page

# Each after those that it imports.
MODULES = ("ask.js", "path.js", "next.js", "graph.js", "jumps.js", "explorer.js")
CONNECT = "; connect-src 'self'; frame-ancestors 'none'"


class ExplorePage:
    """The page of a model; the policy is that of every answer of the server."""

    def __init__(self) -> None:
        own = [_file(name) for name in MODULES]
        self.script = page.script([*page.viewer_modules(), *own])
        self.style = f"{page.viewer_style()}\n{_file('explore.css')}"
        self.policy = page.policy(self.script, self.style, CONNECT)

    def text(self, begun: Mapping[str, Any]) -> str:
        """The page, with what it has from the beginning."""
        beside = {
            "kind": "explore",
            "tabs": _file("tabs.html"),
            "panels": _file("panels.html"),
            "keys": _file("keys.html"),
        }
        title = f"{begun['model']}: explore"
        # Who may frame a page can only be said in a header.
        more = CONNECT.partition("; frame-ancestors")[0]
        return page.assembled(title, begun, begun, self.script, self.style, beside, more)


def _file(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")
