"""A counterexample as one HTML page: the files of the page beside this are put into one."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections.abc import Iterable, Mapping
from importlib.resources import files
from typing import Any

from whorl.property.draw import LINE, label_lines
from whorl.property.layout import RADIUS, Line, layered
from whorl.svg import CHAR

# Each after those that it imports.
PANELS = (
    "dom.js",
    "run.js",
    "expression.js",
    "rows.js",
    "chart.js",
    "state.js",
    "source.js",
    "property.js",
    "matters.js",
    "main.js",
)
MODULES = (*PANELS, "start.js")
MOST_DRAWN = 40  # states of an automaton; more of them are no picture

_IMPORT = re.compile(r'^import \{[^}]*\} from "\.[\w./]+";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export ", re.MULTILINE)
_PART = re.compile(r"\{\{(\w+)\}\}")


def page(result: Mapping[str, Any]) -> str:
    """The page of a result as `whorl check --json` prints it, which has a trace.

    All that comes from a model is data: it stands in a script that is not executed, without any
    character that could end it, and the policy lets nothing run but the page's own code.
    """
    return assembled(
        f"{result['model']}: counterexample",
        result,
        _drawable(result),
        script(map(_file, MODULES)),
        viewer_style(),
    )


def assembled(
    title: str,
    result: Mapping[str, Any],
    data: object,
    script: str,
    style: str,
    beside: Mapping[str, str] | None = None,
    more: str = "",
) -> str:
    """The page with the viewer's panels, and what another page has `beside` them, as HTML.

    That is: kind (a class of the body), tabs, panels, keys. `more` is of the policy.
    """
    parts = {
        **dict.fromkeys(("kind", "tabs", "panels", "keys"), ""),
        **(beside or {}),
        "policy": policy(script, style, more),
        "version": html.escape(str(result["whorl"])),
        "title": html.escape(title),
        "model": html.escape(str(result["model"])),
        "style": style,
        "script": script,
        "data": _data(data),
    }
    return _PART.sub(lambda part: parts[part[1]], _file("page.html"))


def policy(script: str, style: str, more: str = "") -> str:
    """Lets nothing run but this script and style, and nothing be fetched but `more`."""
    return (
        f"default-src 'none'; script-src '{_digest(script)}'; style-src '{_digest(style)}';"
        f" base-uri 'none'; form-action 'none'{more}"
    )


def _file(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def viewer_modules() -> list[str]:
    """The texts of the viewer's modules, for a page that has others beside them."""
    return [_file(name) for name in PANELS]


def viewer_style() -> str:
    return _file("style.css")


def script(modules: Iterable[str]) -> str:
    """The modules as one: without their imports and exports, which are of each other."""
    text = "\n".join(_EXPORT.sub("", _IMPORT.sub("", module)) for module in modules)
    assert "</script" not in text.lower()
    return text


def _digest(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _data(data: object) -> str:
    """JSON that can stand in a script: `<` is written as an escape, and so is all but ASCII."""
    text = json.dumps(data, separators=(",", ":"))
    return text.replace("<", r"\u003c").replace(">", r"\u003e").replace("&", r"\u0026")


def _drawable(result: Mapping[str, Any]) -> dict[str, Any]:
    """The result with what the page shows, and the automata laid out."""
    traces = result.get("traces") or [result["trace"]]
    return {
        "defines": result.get("defines", {}),
        "sources": result.get("sources", []),
        "mtypes": result.get("mtypes", {}),
        "traces": [
            trace
            if trace["automaton"] is None
            else trace | {"automaton": _laid_out(trace["automaton"])}
            for trace in traces
        ],
    }


def _laid_out(automaton: dict[str, Any]) -> dict[str, Any]:
    """An automaton, with the places of its parts if it is small enough to be drawn."""
    if automaton["states"] > MOST_DRAWN:
        return automaton
    edges = automaton["edges"]
    texts = [label_lines(edge["label"]) for edge in edges]
    lines = [
        Line(edge["source"], edge["target"], max(map(len, text)) * CHAR, len(text) * LINE)
        for edge, text in zip(edges, texts, strict=True)
    ]
    drawing = layered(automaton["states"], automaton["initial"], lines)
    layout = {
        "width": round(drawing.width),
        "height": round(drawing.height),
        "radius": RADIUS,
        "nodes": _rounded(drawing.nodes),
        "curves": [_rounded(curve) for curve in drawing.curves],
        "labels": _rounded(drawing.labels),
        "entry": _rounded(drawing.entry),
        "texts": texts,
    }
    return automaton | {"layout": layout}


def _rounded(points: Any) -> list[tuple[float, float]]:
    return [(round(x, 1), round(y, 1)) for x, y in points]
