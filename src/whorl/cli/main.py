"""The command `whorl`: calls the subcommand, and turns what goes wrong into words."""

from __future__ import annotations

import argparse
import gc
import importlib
import re
import shlex
import sys
from collections.abc import Sequence
from typing import NoReturn

import whorl
from whorl.cli.terminal import Terminal
from whorl.diagnostics import WhorlError, suggest
from whorl.verdict import EXIT_BAD_INPUT, EXIT_CODES, EXIT_INTERNAL, INCONCLUSIVE

COMMANDS = ("check", "simulate", "parse", "property", "explain", "lab")  # modules of this package


class Parser(argparse.ArgumentParser):
    """Says of an option that it does not know which one may have been meant."""

    def error(self, message: str) -> NoReturn:
        unknown = re.match(r"unrecognized arguments: (--[\w-]+)", message)
        hint = suggest(unknown[1], self._all_options()) if unknown else None
        super().error(message if hint is None else f"{message} ({hint})")

    def parse_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> argparse.Namespace:
        """As argparse, but the command that was called says what it does not know."""
        found, rest = self.parse_known_args(args, namespace)
        if rest:
            self._called(found).error(f"unrecognized arguments: {' '.join(rest)}")
        return found

    def _called(self, found: argparse.Namespace) -> argparse.ArgumentParser:
        for action in self._actions:
            if isinstance(action, argparse._SubParsersAction):
                called: argparse.ArgumentParser = action.choices[getattr(found, action.dest)]
                return called
        return self

    def _all_options(self) -> list[str]:
        names = list(self._option_string_actions)
        for action in self._actions:
            if isinstance(action, argparse._SubParsersAction):
                for parser in action.choices.values():
                    names += parser._option_string_actions
        return names


def make_parser(names: Sequence[str] = COMMANDS) -> argparse.ArgumentParser:
    """The parser of these commands. Each is loaded for that, which takes a moment."""
    parser = Parser(
        prog="whorl",
        description="A model checker for Promela.",
        epilog="Exit status: 0 holds, 1 violated, 2 bad model or usage, 3 inconclusive,"
        " 4 internal error.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"whorl {whorl.__version__}")
    commands = parser.add_subparsers(
        title="commands", metavar="COMMAND", dest="command", required=True
    )
    for name in names:
        importlib.import_module(f"whorl.cli.{name}").add(commands)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Runs a command line; its exit status."""
    words = list(sys.argv[1:] if argv is None else argv)
    parser = make_parser(words[:1] if words[:1] and words[0] in COMMANDS else COMMANDS)
    if not words:
        parser.print_help(sys.stderr)
        return EXIT_BAD_INPUT
    try:
        arguments = parser.parse_args(words)
    except SystemExit as stop:  # argparse has said why
        return stop.code if isinstance(stop.code, int) else EXIT_BAD_INPUT
    gc.freeze()
    gc.enable()  # see whorl.__main__
    terminal = Terminal(arguments.color)
    try:
        status = int(arguments.run(arguments, terminal))
        terminal.flush()
    except WhorlError as error:
        _say(arguments, terminal, error.render(terminal.err.style.color), error)
        status = EXIT_BAD_INPUT
    except KeyboardInterrupt as error:
        _say(arguments, terminal, "whorl: interrupted", error)
        status = EXIT_CODES[INCONCLUSIVE]
    except MemoryError as error:
        _say(arguments, terminal, "whorl: out of memory; --memory sets a limit", error)
        status = EXIT_CODES[INCONCLUSIVE]
    except Exception as error:
        _say(arguments, terminal, _our_fault(error, words, arguments.debug), error)
        status = EXIT_INTERNAL
    terminal.flush()
    return status


def _say(
    arguments: argparse.Namespace, terminal: Terminal, text: str, error: BaseException
) -> None:
    if arguments.json:
        from whorl.cli import json_output  # loaded where it is needed, as it takes time

        terminal.out.line(json_output.dumps(json_output.error(error)))
    terminal.out.flush()  # what was said before comes first
    terminal.err.line(text)


def _our_fault(error: Exception, words: list[str], debug: bool) -> str:
    import traceback

    from whorl.cli import json_output

    lines = [
        f"whorl: internal error: {json_output.summary(error)}",
        "This is a bug in whorl, not in your model. Please report it with the model and this"
        " command:",
        f"    whorl {shlex.join(words)}",
    ]
    if debug:
        lines.append("".join(traceback.format_exception(error)).rstrip())
    else:
        lines.append("With --debug it also shows where in whorl it happened.")
    return "\n".join(lines)
