"""What the tables of papers have in common: their options, and the file of their results."""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks.machine import Machine, look

RESULTS = Path(__file__).parent / "results"  # what the pages show


def options(parser: argparse.ArgumentParser, names: Sequence[str], page: str) -> argparse.Namespace:
    """Reads the command line of a table; ends it where a tool is missing."""
    parser.add_argument("--quick", action="store_true", help="small sizes: seconds")
    parser.add_argument("--repeat", type=int, default=3, metavar="N", help="runs of each (3)")
    parser.add_argument("--only", nargs="+", metavar="NAME", choices=names, help="these alone")
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep the results there")
    parser.add_argument("--from-json", type=Path, metavar="FILE", help="show those; run nothing")
    parser.add_argument("--write-docs", action="store_true", help=f"write docs/{page}")
    given = parser.parse_args()
    if given.write_docs and (given.quick or given.only):
        parser.error("--write-docs is for the whole table, without --quick and --only")
    if given.repeat < 1:
        parser.error("--repeat is at least 1")
    missing = [tool for tool in ("spin", "cc") if shutil.which(tool) is None]
    if missing and not given.from_json:
        sys.exit(f"benchmarks: this machine has no {' and no '.join(missing)}")
    return given


def machine(options: argparse.Namespace) -> Machine | None:
    """What is measured on; --quick measures nothing that is worth it."""
    return None if options.quick else look()


def save(file: Path | None, on: Machine | None, repeat: int, measured: Sequence[Any]) -> None:
    """Writes what was measured so far, if a file is wanted."""
    if file is not None:
        found: dict[str, Any] = {"machine": on and asdict(on), "repeat": repeat}
        found["measured"] = [asdict(m) for m in measured]
        file.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def kept(file: Path) -> tuple[Machine | None, int, list[dict[str, Any]]]:
    """What was measured on, how often, and what was found, as `save` wrote it."""
    found = json.loads(file.read_text(encoding="utf-8"))
    on = found["machine"] and Machine(**found["machine"])
    return on, found["repeat"], found["measured"]


def written(name: str) -> str:
    """The first line of a page."""
    command = f"python -m benchmarks {name} --write-docs"
    return f"<!-- Written by `{command}`; edit benchmarks/, not this file. -->"


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
