"""`whorl cache`: what is kept of compiled verifiers, and how to remove it."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from whorl.cli.arguments import add_output
from whorl.cli.terminal import Terminal
from whorl.figures import bytes_text, counted
from whorl.native import cache

if TYPE_CHECKING:
    from whorl.cli.arguments import Subparsers


def add(commands: Subparsers) -> None:
    parser = commands.add_parser(
        "cache",
        help="show or clear the cache of compiled verifiers",
        description="Shows or clears the cache of compiled verifiers.",
        usage="whorl cache [OPTION ...] {show,clear}",
        allow_abbrev=False,
    )
    add_output(parser)
    parser.add_argument("action", choices=("show", "clear"), help="what to do with it")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    shown = _clear() if arguments.action == "clear" else _show()
    if arguments.json:
        from whorl.cli import json_output  # loaded where it is needed, as it takes time

        terminal.out.line(json_output.dumps(shown))
        return 0
    width = max(map(len, shown))
    for name, value in shown.items():
        terminal.out.line(f"{name.ljust(width)}  {_text(name, value)}")
    return 0


def _show() -> dict[str, str | int | None]:
    folder = cache.location()
    problem = cache.problem(folder)
    count, size = (0, 0) if folder is None else cache.usage(folder)
    return {
        "folder": None if folder is None else str(folder),
        "used": "yes" if problem is None else f"no: {problem}",
        "verifiers": count,
        "most": cache.KEPT,
        "bytes": size,
        "leftovers": len(list(cache.leftovers())),
    }


def _clear() -> dict[str, str | int | None]:
    folder = cache.location()
    return {"folder": None if folder is None else str(folder), "removed": cache.clear()}


def _text(name: str, value: str | int | None) -> str:
    if isinstance(value, int):
        return bytes_text(value) if name == "bytes" else counted(value, NOUNS.get(name, name))
    return "none" if value is None else value


NOUNS = {"verifiers": "verifier", "most": "verifier", "removed": "verifier", "leftovers": "folder"}
