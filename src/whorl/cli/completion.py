"""`whorl completion`: a script with which a shell completes command lines of whorl."""

from __future__ import annotations

import argparse
import importlib
from pathlib import Path
from typing import TYPE_CHECKING

from whorl.cli.from_table import add_output
from whorl.cli.terminal import Terminal
from whorl.diagnostics import Diagnostic, WhorlError
from whorl.promela.skim import claim_names

if TYPE_CHECKING:
    from whorl.cli.arguments import Subparsers

SHELLS = ("bash", "zsh", "fish")


def add(commands: Subparsers) -> None:
    parser = commands.add_parser(
        "completion",
        help="print a script that completes whorl's commands in a shell",
        description="Prints a script with which a shell completes command lines of whorl:"
        ' eval "$(whorl completion bash)", the same with zsh, whorl completion fish | source.',
        usage="whorl completion [OPTION ...] {bash,zsh,fish}",
        allow_abbrev=False,
    )
    parser.add_argument("shell", nargs="?", choices=SHELLS, help="the shell that reads it")
    parser.add_argument(
        "--claims",
        metavar="MODEL",
        help="print the names of a model's claims, a line for each: the scripts ask for them",
    )
    add_output(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    if arguments.claims is not None:
        names = claim_names(Path(arguments.claims))
        _print({"claims": names}, "".join(f"{name}\n" for name in names), terminal)
        return 0
    if arguments.shell is None:
        hint = 'for example: eval "$(whorl completion bash)"'
        raise WhorlError(Diagnostic("error", "which shell: bash, zsh or fish?", None, hint))
    _print({"script": (text := script(arguments.shell))}, text, terminal)
    return 0


def script(shell: str) -> str:
    """The script for a shell."""
    import whorl
    from whorl.cli.main import make_parser  # the parsers of all commands take a moment
    from whorl.cli.shells.described import commands_of

    made: str = importlib.import_module(f"whorl.cli.shells.{shell}").script(
        commands_of(make_parser()), whorl.__version__
    )
    return made


def _print(data: dict[str, str | list[str]], text: str, terminal: Terminal) -> None:
    if terminal.json:
        from whorl.cli import json_output  # loaded where it is needed, as it takes time

        terminal.out.line(json_output.dumps(data))
    else:
        terminal.out.write(text)
