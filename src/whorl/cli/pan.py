"""`whorl pan`: its help. `main` translates a command line of Spin before (`from_spin.py`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from whorl.cli.arguments import Subparsers


def add(commands: Subparsers) -> None:
    parser = commands.add_parser(
        "pan",
        help="take a command line of Spin's verifier as it is",
        description="Takes a command line of `pan`, Spin's verifier, with the model,"
        " prints the command of whorl that it means, and runs it."
        " Options of whorl that begin with -- are passed on.",
        usage="whorl pan MODEL [FLAG ...]",
        epilog="docs/coming-from-spin.md lists the flags.",
        allow_abbrev=False,
        add_help=False,
    )
    parser.add_argument("--help", action="help", help="show this help message and exit")
