"""The arguments that all subcommands share, and how they become a model."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import whorl
from whorl.api import allow, read
from whorl.diagnostics import Diagnostic, Source, WhorlError

if TYPE_CHECKING:
    Subparsers: TypeAlias = argparse._SubParsersAction[argparse.ArgumentParser]

STDIN = "-"
_DEFINE = re.compile(r"([A-Za-z_]\w*)(?:=(.*))?", re.DOTALL)


def define(text: str) -> tuple[str, str]:
    """NAME or NAME=VALUE; without a value it is 1, as in the C preprocessor."""
    found = _DEFINE.fullmatch(text)
    if found is None:
        raise argparse.ArgumentTypeError(f"'{text}' is not NAME or NAME=VALUE")
    return found[1], "1" if found[2] is None else found[2]


def svg_name(text: str) -> str:
    """The name of a picture to draw: FILE.svg, or one without a suffix."""
    suffix = Path(text).suffix
    if suffix.lower() not in ("", ".svg"):
        name = f"{text.removesuffix(suffix)}.svg"
        raise argparse.ArgumentTypeError(
            f"'{text}': pictures are drawn as SVG and not as {suffix[1:]}; write {name}"
        )
    return text


def add_common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", help="a Promela file; - reads standard input")
    parser.add_argument(
        "-D",
        dest="defines",
        metavar="NAME[=VALUE]",
        type=define,
        action="append",
        default=[],
        help="define a macro (repeatable)",
    )
    parser.add_argument(
        "-I",
        dest="include_dirs",
        metavar="DIR",
        action="append",
        default=[],
        help="look for included files there too (repeatable)",
    )
    add_output(parser)


def add_output(parser: argparse.ArgumentParser) -> None:
    """How results are written, and what is said of an internal error."""
    parser.add_argument(
        "--json", action="store_true", help="print one JSON object and nothing else"
    )
    parser.add_argument(
        "--color",
        choices=("auto", "always", "never"),
        default="auto",
        help="colour the output (default: auto, that is on a terminal unless NO_COLOR is set)",
    )
    parser.add_argument(
        "--debug", action="store_true", help="show the traceback of an internal error"
    )


def add_embedded(parser: argparse.ArgumentParser) -> None:
    """What commands that run a model have."""
    parser.add_argument(
        "--allow-embedded-c",
        action="store_true",
        help="run the C code in the model, too: trust whoever wrote it",
    )
    parser.add_argument(
        "--no-cache",
        action="store_true",
        help="compile anew, and keep nothing that was compiled (see `whorl cache`)",
    )


def load_allowed_model(arguments: argparse.Namespace) -> whorl.Model:
    """The model that the arguments name, with its C ready to run if they allow it."""
    model = load_model(arguments)
    return allow(model, not arguments.no_cache) if arguments.allow_embedded_c else model


def read_stdin() -> str:
    """The text of standard input."""
    if sys.stdin is None:
        raise WhorlError(Diagnostic("error", "cannot read standard input: it is closed"))
    try:
        return sys.stdin.buffer.read().decode("utf-8", "replace")
    except OSError as error:
        why = error.strerror or str(error)
        raise WhorlError(Diagnostic("error", f"cannot read standard input: {why}")) from None


def model_text(arguments: argparse.Namespace) -> tuple[Source, Path | None]:
    """The text of the model that the arguments name, and its folder."""
    if arguments.model != STDIN:
        return read(Path(arguments.model))
    return Source("<stdin>", read_stdin()), None


def load_model(arguments: argparse.Namespace) -> whorl.Model:
    """The model that the arguments name, with the formulas and automata given beside it."""
    model: str | Path = Path(arguments.model)
    if arguments.model == STDIN:
        # A line break makes it text for `load`, even if it is empty or all on one line.
        text = read_stdin()
        model = text if "\n" in text else f"{text}\n"
    return whorl.load(
        model,
        defines=dict(arguments.defines),
        include_dirs=arguments.include_dirs,
        name="<stdin>",
        ltl=getattr(arguments, "ltl", ()),
        hoa=getattr(arguments, "hoa", ()),
    )
