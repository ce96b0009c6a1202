"""The command `whorl`: calls the subcommand, and turns what goes wrong into words."""

from __future__ import annotations

import argparse
import gc
import importlib
import re
import shlex
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import NoReturn

import whorl
from whorl.cli.failures import FAILURES, Teller
from whorl.cli.from_table import separated
from whorl.cli.terminal import Terminal
from whorl.diagnostics import WhorlError, nearest, suggest
from whorl.files import MODEL_SUFFIXES, is_file
from whorl.options import CHECK
from whorl.spelling import FORMER_FLAGS
from whorl.verdict import EXIT_BAD_INPUT

# Modules of this package.
COMMANDS = (
    *(
        "check",
        "swarm",
        "view",
        "explore",
        "simulate",
        "parse",
        "graph",
        "property",
        "explain",
        "lab",
    ),
    *("cache", "new", "format", "lsp", "doctor", "completion", "spin", "pan"),
)
TOOLS_OF_SPIN = ("spin", "pan")
_SPIN_OPTION = re.compile(r"-[^-DI]")


class Parser(argparse.ArgumentParser):
    """Says of an option that it does not know which one may have been meant."""

    terminal: Terminal  # where it writes; `make_parser` sets it

    def _print_message(self, message: str, file: object = None) -> None:
        if file is sys.stderr:
            self.terminal.error(message.removesuffix("\n"))
        else:
            self.terminal.out.lines(message)

    def error(self, message: str) -> NoReturn:
        match = re.match(r"unrecognized arguments: (--[\w-]+)", message)
        if match is None:
            super().error(f"{message}{_of_spin(_short_options(message))}")
        unknown, known = match[1], self._all_options()
        now = FORMER_FLAGS.get(unknown)
        if now is not None and now.split()[0] in known:
            super().error(f"{unknown} is now {now}")
        hint = suggest(unknown, known)
        super().error(message if hint is None else f"{message} ({hint})")

    def parse_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> argparse.Namespace:
        """As argparse, but the command that was called says what it does not know."""
        args = separated(args or (), CHECK)
        for parser in self._named(args or ()):
            parser.refuse_values_of_flags(args or ())
        arguments, rest = self.parse_known_args(args, namespace)
        if hasattr(arguments, "models") and not any(re.match("-.", word) for word in rest):
            arguments.models += rest  # argparse takes those before the next option alone
            rest = []
        if rest:
            self._called(arguments).error(f"unrecognized arguments: {' '.join(rest)}")
        return arguments

    def refuse_values_of_flags(self, words: Sequence[str]) -> None:
        """Says of `-q3` that -q takes no value; newer argparse leaves the 3 for later."""
        known = self._option_string_actions
        for word in words[: words.index("--")] if "--" in words else words:
            flag, value = word[:2], word[2:]
            action = known.get(flag)
            if action is None or action.nargs != 0 or flag == "--" or not value:
                continue
            if f"-{value[0]}" not in known:
                names = "/".join(action.option_strings)
                self.error(f"argument {names}: ignored explicit argument '{value}'")

    def _named(self, words: Sequence[str]) -> list[Parser]:
        """The parser of the command that the first word names, if it does."""
        for action in self._actions:
            if isinstance(action, argparse._SubParsersAction):
                return [action.choices[name] for name in words[:1] if name in action.choices]
        return []

    def _called(self, namespace: argparse.Namespace) -> argparse.ArgumentParser:
        for action in self._actions:
            if isinstance(action, argparse._SubParsersAction):
                called: argparse.ArgumentParser = action.choices[getattr(namespace, action.dest)]
                return called
        return self

    def _all_options(self) -> list[str]:
        names = list(self._option_string_actions)
        for action in self._actions:
            if isinstance(action, argparse._SubParsersAction):
                for parser in action.choices.values():
                    names += parser._option_string_actions
        return names


def _short_options(message: str) -> list[str]:
    """The options with one dash that argparse does not know, by what it says."""
    _, unknown, rest = message.partition("unrecognized arguments: ")
    if unknown:
        return [word for word in rest.split() if re.match("-[^-]", word)]
    match = re.match(r"argument (-\w)/\S+: ignored explicit argument '(.*)'", message)
    return [] if match is None else [match[1] + match[2]]


def _of_spin(options: Iterable[str]) -> str:
    """Lines of hints for those options that are Spin's."""
    from whorl.cli import from_spin  # loaded where it is needed, as it takes time

    lines = [line for option in options for line in from_spin.hints(option)]
    if lines:
        lines.append("`whorl spin` and `whorl pan` take command lines of Spin as they are")
    return "".join(f"\n  hint: {line}" for line in dict.fromkeys(lines))


def make_parser(
    names: Sequence[str] = COMMANDS, terminal: Terminal | None = None
) -> argparse.ArgumentParser:
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
    for each in (parser, *commands.choices.values()):
        each.terminal = terminal or Terminal()
    return parser


def main(argv: Sequence[str] | None = None, is_to_end: Callable[[], bool] = lambda: False) -> int:
    """Runs a command line; its exit status. What goes wrong after it `is_to_end` is no bug."""
    words = list(sys.argv[1:] if argv is None else argv)
    terminal = Terminal()
    if words[:1] and words[0] in TOOLS_OF_SPIN and "--help" not in words:
        try:
            words = _translated(words, terminal)
        except WhorlError as error:
            terminal.json = "--json" in words
            failure = Teller(words).tell(error, terminal.err.style.color)
            failure.say(terminal)
            return terminal.finish(failure.status)
    names = words[:1] if words[:1] and words[0] in COMMANDS else COMMANDS
    parser = make_parser(names, terminal)
    if not words:
        parser.print_help(sys.stderr)
        return terminal.finish(EXIT_BAD_INPUT)
    try:
        _refuse_unknown_command(parser, words)
        arguments = parser.parse_args(words)
    except SystemExit as stop:  # argparse has said why
        return terminal.finish(stop.code if isinstance(stop.code, int) else EXIT_BAD_INPUT)
    gc.freeze()
    gc.enable()  # see whorl.__main__
    terminal = Terminal(arguments.color, arguments.json)
    arguments.teller = Teller(words, arguments.debug, is_to_end)
    return terminal.finish(_run(arguments, terminal))


def _translated(words: list[str], terminal: Terminal) -> list[str]:
    """The command that a command line of Spin means; standard error says it."""
    from whorl.cli import from_spin

    command = from_spin.translate(words[0], words[1:])
    for note in command.notes:
        terminal.err.line(f"note: {note}")
    terminal.err.line(f"that is: {command.line}")
    terminal.err.flush()
    return command.words


def _run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Calls the subcommand; what goes wrong is said."""
    try:
        return int(arguments.run(arguments, terminal))
    except FAILURES as error:
        failure = arguments.teller.tell(error, terminal.err.style.color)
        failure.say(terminal)
        return int(failure.status)


def _refuse_unknown_command(parser: argparse.ArgumentParser, words: list[str]) -> None:
    """Says of a first word that is no command what was meant: a command, or to check a model."""
    first, rest = words[0], words[1:]
    is_option = first.startswith("-")
    has_model = any(word.endswith(MODEL_SUFFIXES) or is_file(word) for word in words)
    if first in (*COMMANDS, "-h", "--help", "--version"):
        return
    if is_option and not has_model:
        parser.error(f"unrecognized arguments: {first}")
    meant = None if is_option else nearest(first, COMMANDS)
    if meant is not None:
        hint = f"did you mean 'whorl {shlex.join([meant, *rest])}'?"
    elif has_model:
        known = [word for word in words if not _SPIN_OPTION.match(word)]
        hint = f"did you mean 'whorl {shlex.join(['check', *known])}'?"
    else:
        hint = f"there are {', '.join(COMMANDS)}"
    given = [word for word in words if _SPIN_OPTION.match(word)] if is_option else []
    parser.error(f"'{first}' is no command ({hint}){_of_spin(given)}")
