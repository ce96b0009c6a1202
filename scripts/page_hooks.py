"""Hooks of mkdocs: ids of headings, and vertical bars in tables."""

from __future__ import annotations

import re
from typing import Any

from markdown.extensions.toc import slugify
from mkdocs.config.defaults import MkDocsConfig

_CELL = re.compile(r"<td.*?</td>", re.DOTALL)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    config.mdx_configs.setdefault("toc", {})["slugify"] = heading_id
    return config


def heading_id(text: str, separator: str) -> str:
    """The id of a heading. It begins with a letter, which the theme's scripts need."""
    found: str = slugify(text, separator)
    return f"n{separator}{found}" if found[:1].isdigit() else found


def on_page_content(html: str, **_: Any) -> str:
    r"""A bar in a table is written `\|`, as elsewhere; in code mkdocs would leave the backslash."""
    return _CELL.sub(lambda cell: cell[0].replace(r"\|", "|"), html)
