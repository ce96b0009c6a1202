"""Remakes docs/laboratory.md and its drawings: `make laboratory`, about half an hour of one core.

Every table is what a `whorl lab` command prints; the page says which.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from benchmarks import run_as_command
from benchmarks.machine import processor

DOCS = Path(__file__).parent.parent / "docs"

TABLES = {
    "reproduce": "whorl lab --reproduce --markdown",
    "beyond": "whorl lab --beyond --markdown",
    "facts": "whorl lab --facts --markdown",
    "default": "whorl lab --default --markdown",
    "mutations": "whorl lab --mutations --markdown",
    "stubborn": "whorl lab --stubborn --markdown",
    "threads": "whorl lab --threads --markdown",
    "gathering": "whorl lab --gathering --markdown",
    "two-phase": "whorl lab --two-phase --states 3 --markdown",
}
FIGURES = {
    "figure-1": "whorl lab --scheme v0 --automaton b1",
    "figure-3": "whorl lab --scheme v1 --automaton b2",
    "phase-1": "whorl lab --scheme two-phase-ample-sticky-walks --operations 3 --states 4",
    "labelling": "whorl lab --scheme stubborn-d1 --operations 3 --states 4",
    "open-question": "whorl lab --scheme v1 --automaton all-states-si --cycles searched",
    "next-step": "whorl lab --scheme two-phase-next --automaton b1 --operations 4 --states 5",
}

TEMPLATE = Path(__file__).with_name("laboratory.md")


def run(command: str) -> str:
    """What a command prints."""
    words = command.split()[1:]
    done = subprocess.run(
        [sys.executable, "-m", "whorl", *words], capture_output=True, text=True, check=False
    )
    if done.returncode not in (0, 1):
        raise SystemExit(f"{command}: {done.stderr}")
    return done.stdout.rstrip()


def page(give: Callable[[str, str], str]) -> str:
    """The page, of what `give` has for a name and its command."""
    parts: dict[str, str] = {"machine": processor()}
    for name, command in (TABLES | FIGURES).items():
        key = name.replace("-", "_")
        parts[f"{key}_command"] = command
        parts[key] = give(name, command)
    return TEMPLATE.read_text("utf-8").format(**parts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only-figures", action="store_true", help="the drawings alone")
    arguments = parser.parse_args()

    def give(name: str, command: str) -> str:
        drawing = DOCS / "img" / f"lab-{name}.svg"
        return run(f"{command} --svg {drawing}") if name in FIGURES else run(command)

    if arguments.only_figures:
        for name, command in FIGURES.items():
            give(name, command)
    else:
        (DOCS / "laboratory.md").write_text(page(give), "utf-8")


if __name__ == "__main__":
    run_as_command(main)
