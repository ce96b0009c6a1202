"""Makes the options of a command from the table in `options.py`."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from whorl.cli.numbers import bit_count, positive, seconds, size
from whorl.given import HERE, is_address
from whorl.options import COMMON, Group, Option, ValueKind

_DEFINE = re.compile(r"([A-Za-z_]\w*)(?:=(.*))?", re.DOTALL)


def define(text: str) -> tuple[str, str]:
    """NAME or NAME=VALUE; without a value it is 1, as in the C preprocessor."""
    match = _DEFINE.fullmatch(text)
    if match is None:
        raise argparse.ArgumentTypeError(f"'{text}' is not NAME or NAME=VALUE")
    return match[1], "1" if match[2] is None else match[2]


def svg_name(text: str) -> str:
    """The name of a picture to draw: FILE.svg, or one without a suffix."""
    suffix = Path(text).suffix
    if suffix.lower() not in ("", ".svg"):
        name = f"{text.removesuffix(suffix)}.svg"
        raise argparse.ArgumentTypeError(
            f"'{text}': pictures are drawn as SVG and not as {suffix[1:]}; write {name}"
        )
    return text


_TYPES = {
    ValueKind.COUNT: positive,
    ValueKind.BITS: bit_count,
    ValueKind.SECONDS: seconds,
    ValueKind.SIZE: size,
    ValueKind.MACROS: define,
    ValueKind.PICTURE: svg_name,
}


class HelpAll(argparse.Action):
    """`--help-all`: shows what `--help` leaves out, too."""

    def __init__(self, option_strings: list[str], dest: str, **rest: Any) -> None:
        super().__init__(option_strings, dest, nargs=0, **rest)

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        for action in parser._actions:
            action.help = self.const.get(action.dest, action.help)
        parser.print_help()
        parser.exit()


def add_options(parser: argparse.ArgumentParser, options: Iterable[Option]) -> None:
    """Adds options that all are shown, under no heading."""
    for option in options:
        parser.add_argument(*option.flags, **settings(option))


def add_output(parser: argparse.ArgumentParser) -> None:
    """What every command has: how results are written, and what is said of an internal error."""
    add_options(parser, (option for option in COMMON if option.group is Group.SHOWN))


def add_grouped(
    parser: argparse.ArgumentParser, options: Sequence[Option], several: bool = False
) -> None:
    """Adds options under their headings; `--help` shows the basic ones, `--help-all` every one.

    `several`: the command takes more than one model.
    """
    helps = {option.name: help_text(option) for option in options}
    short = "show the options that most checks need"
    parser.add_argument("-h", "--help", action="help", help=short)
    parser.add_argument(
        "--help-all",
        action=HelpAll,
        const=helps,
        dest=argparse.SUPPRESS,
        help="show all options, those for research among them",
    )
    for group in Group:
        place = parser.add_argument_group(group.value)
        if group is Group.MODEL:
            (add_models if several else add_model)(place)
        for option in options:
            if option.group is group and option.flags:
                hidden = {} if option.basic else {"help": argparse.SUPPRESS}
                place.add_argument(*option.flags, **settings(option) | hidden)


def add_model(place: argparse._ActionsContainer) -> None:
    place.add_argument("model", metavar="MODEL", help="a Promela file; - reads standard input")


def add_models(place: argparse._ActionsContainer) -> None:
    text = "Promela files, or folders of them; - reads standard input"
    place.add_argument("models", metavar="MODEL", nargs="+", help=text)


def settings(option: Option) -> dict[str, Any]:
    """What argparse is told of an option."""
    told: dict[str, Any] = {"dest": option.name, "help": help_text(option)}
    if option.kind is ValueKind.FLAG:
        return told | {"action": "store_false" if option.default is True else "store_true"}
    told["metavar"] = option.metavar
    if option.kind in _TYPES:
        told["type"] = _TYPES[option.kind]
    if option.kind is ValueKind.CHOICE:
        told["type"] = partial(_chosen, option)
    if option.kind is ValueKind.ADDRESS:
        told |= {"nargs": "?", "const": HERE}
    if option.repeatable:
        return told | {"action": "append", "default": []}
    return told | {"default": option.default}


def _chosen(option: Option, text: str) -> str:
    """One of the names that an option has."""
    if text in option.names:
        return text
    message = f"unknown name '{text}'\n  hint: {option.hint(text)}"
    raise argparse.ArgumentTypeError(message)


def separated(words: Sequence[str], options: Iterable[Option]) -> list[str]:
    """The words, where an option that may have an address has one, or none and says so.

    Otherwise `--cluster model.pml` would have the model for its address.
    """
    flags = {flag for o in options if o.kind is ValueKind.ADDRESS for flag in o.flags}
    result: list[str] = []
    for word, following in zip(words, [*words[1:], ""], strict=True):
        if word == "--":
            return [*result, *words[len(result) :]]
        alone = word in flags and not is_address(following)
        result.append(f"{word}={HERE}" if alone else word)
    return result


def help_text(option: Option) -> str:
    """The line of an option in `--help`."""
    text = option.help
    if option.kind is ValueKind.CHOICE:
        text = f"{', '.join(option.names)}: {text}"
        if option.default is not None:
            text += f" (default: {option.default})"
    if option.repeatable:
        text += " (repeatable)"
    return text.replace("%", "%%")
