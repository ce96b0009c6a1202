"""The command line as the scripts of shells need it: commands, flags, and what each takes."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import partial

from whorl.files import MODEL_SUFFIXES
from whorl.options import BY_NAME, Option


class Takes(Enum):
    """What a word on the command line may be."""

    NAME = "one of some names"
    CLAIM = "the name of a claim of the model"
    MODEL = "a model"
    TRACE = "a result or a trail"
    PICTURE = "a picture"
    FILE = "any file"
    FOLDER = "a folder"
    TEXT = "anything"


SUFFIXES = {
    Takes.MODEL: MODEL_SUFFIXES,
    Takes.TRACE: (".json", ".trail"),
    Takes.PICTURE: (".svg",),
}
_BY_METAVAR = {
    "MODEL": Takes.MODEL,
    "TRACE": Takes.TRACE,
    "FILE.svg": Takes.PICTURE,
    "FILE": Takes.FILE,
    "FORMULA|FILE": Takes.FILE,
    "DIR": Takes.FOLDER,
    "NAME.pml": Takes.FOLDER,  # a file that is not there yet
}


@dataclass(frozen=True, slots=True)
class GivenWord:
    """A word that is given: an argument of a command, or the value of a flag."""

    takes: Takes
    shown: str  # what help calls it
    names: tuple[str, ...] = ()
    optional: bool = False
    many: bool = False


@dataclass(frozen=True, slots=True)
class Flag:
    """An option of a command; `value` is None where it takes none."""

    names: tuple[str, ...]
    help: str
    value: GivenWord | None
    repeatable: bool


@dataclass(frozen=True, slots=True)
class Command:
    """A command: its options, and the words that go without one."""

    name: str
    help: str
    flags: tuple[Flag, ...]
    words: tuple[GivenWord, ...]


def commands_of(parser: argparse.ArgumentParser) -> list[Command]:
    """The commands of the parser of `whorl`."""
    (commands,) = (a for a in parser._actions if isinstance(a, argparse._SubParsersAction))
    helps = {choice.dest: choice.help or "" for choice in commands._choices_actions}
    return [
        Command(name, helps[name], tuple(_flags(command)), tuple(_words(command)))
        for name, command in commands.choices.items()
    ]


def _flags(parser: argparse.ArgumentParser) -> Iterator[Flag]:
    for action in parser._actions:
        if action.option_strings:
            # What may have a value or none is completed as what has none.
            value = None if action.nargs in (0, "?") else _word(action)
            repeatable = isinstance(action, argparse._AppendAction)
            yield Flag(tuple(action.option_strings), _help(action), value, repeatable)


def _words(parser: argparse.ArgumentParser) -> Iterator[GivenWord]:
    for action in parser._actions:
        if not action.option_strings and action.help != argparse.SUPPRESS:
            yield _word(action)


def _word(action: argparse.Action) -> GivenWord:
    names = tuple(map(str, action.choices or ()))
    if isinstance(action.type, partial) and isinstance(action.type.args[0], Option):
        names = action.type.args[0].names
    shown = action.metavar if isinstance(action.metavar, str) else action.dest
    if names:
        takes = Takes.NAME
    elif action.dest == "claim":
        takes = Takes.CLAIM
    else:
        takes = _BY_METAVAR.get(shown, Takes.TEXT)
    optional, many = action.nargs in ("?", "*"), action.nargs in ("*", "+")
    return GivenWord(takes, shown, names, optional, many)


def _help(action: argparse.Action) -> str:
    """What help says; `--help` leaves some options out, and the table of options has them all."""
    text = action.help or ""
    if text == argparse.SUPPRESS:
        text = BY_NAME[action.dest].help if action.dest in BY_NAME else ""
    return text.replace("%(default)s", str(action.default)).replace("%%", "%")
