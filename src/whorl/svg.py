"""What our SVG pictures have in common: a font, colours for light and for dark pages, the head."""

from __future__ import annotations

import hashlib
import html
import re
from collections.abc import Iterable, Iterator

FONT = 12
CHAR = FONT * 0.61  # the width of a character in the monospaced fonts that people have
FAMILY = 'ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace'

# Each colour on a light and on a dark page.
COLOURS = {
    "ink": ("#1d2430", "#e6eaf2"),
    "faint": ("#667085", "#98a3b5"),
    "paper": ("#ffffff", "#14181f"),
    "band": ("#f6f8fb", "#191e27"),
    "dashes": ("#c3cad6", "#475063"),
    "box": ("#eef2f8", "#232a36"),
    "box-line": ("#8a97ab", "#64708a"),
    "head": ("#dbe4f3", "#2b3850"),
    "line": ("#52627c", "#8ea2c6"),
    "wrong": ("#fde4e1", "#4a1d1a"),
    "wrong-line": ("#c62f21", "#ff7a6b"),
    "wrong-ink": ("#b3261a", "#ff8a7d"),
    "blue": ("#2563b8", "#79aef5"),
    "amber": ("#b7791f", "#e0a84a"),
    "amber-box": ("#fbe8c8", "#4d3d1d"),
    "green": ("#2f7d4f", "#6fce97"),
    "violet": ("#7a4fb5", "#b794f0"),
}
_COLOUR = re.compile(r"\$([a-z-]+)")
_NOT_IN_XML = re.compile(r"[\x00-\x09\x0b-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
_STYLE = re.compile(r"(?<=<style>).*?(?=</style>)", re.DOTALL)
_NAMED = re.compile(r'(?<= id=")[\w-]+(?=")|(?<=url\(#)[\w-]+(?=\))')
_SELECTOR = re.compile(r"^( +)([^@{}\s][^{}]*)(?= \{)", re.MULTILINE)
_RULE = re.compile(r"(?P<who>[^{]+)\{(?P<what>[^}]*)\}")


def style(rules: str) -> str:
    """CSS for both kinds of page, of rules that name colours as `$ink`."""
    rules = f"text {{ font: {FONT}px {FAMILY}; fill: $ink }}\n.paper {{ fill: $paper }}\n{rules}"
    every, dark = [], []
    for rule in _RULE.finditer(rules):
        who, parts = rule["who"].strip(), [part.strip() for part in rule["what"].split(";")]
        every.append(f"  {who} {{ {_coloured('; '.join(filter(None, parts)), 0)} }}")
        if named := [part for part in parts if "$" in part]:
            dark.append(f"    {who} {{ {_coloured('; '.join(named), 1)} }}")
    media = "  @media (prefers-color-scheme: dark) {"
    return "\n".join(["", *every, media, *dark, "  }", ""])


def _coloured(text: str, page: int) -> str:
    return _COLOUR.sub(lambda named: COLOURS[named[1]][page], text)


def escaped(text: str, quote: bool = True) -> str:
    """Text as it may stand in XML, which does not have every character."""
    return html.escape(_NOT_IN_XML.sub("\N{REPLACEMENT CHARACTER}", text), quote)


def head(
    width: float, height: float, title: str, rules: str, tips: Iterable[str] = ("tip",)
) -> Iterator[str]:
    """The beginning of a picture: its size, title and style, tips for arrows, and the paper."""
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}"'
        f' width="{width:.0f}" height="{height:.0f}" role="img">'
    )
    yield f"<title>{escaped(title, quote=False)}</title>"
    yield f"<style>{style(rules)}</style>"
    yield "<defs>"
    for tip in tips:
        yield (
            f'<marker id="{tip}" viewBox="0 0 8 8" refX="7.5" refY="4" markerWidth="8"'
            ' markerHeight="8" orient="auto" markerUnits="userSpaceOnUse">'
            f'<path class="{tip}" d="M0 0.5 L8 4 L0 7.5 z"/></marker>'
        )
    yield "</defs>"
    yield f'<rect class="paper" width="{width:.0f}" height="{height:.0f}"/>'


def scoped(picture: str) -> str:
    """The picture as it may stand in a page beside others: its style and its names are its own."""
    name = f"w{hashlib.sha256(picture.encode('utf-8', 'replace')).hexdigest()[:10]}"
    picture = _NAMED.sub(lambda found: f"{name}-{found[0]}", picture)
    picture = _STYLE.sub(lambda rules: _SELECTOR.sub(rf"\1#{name} \2", rules[0]), picture)
    return picture.replace("<svg ", f'<svg id="{name}" ', 1)
