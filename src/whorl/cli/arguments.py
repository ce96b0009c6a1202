"""The arguments that all subcommands share, and how they become a model."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import whorl
from whorl.api import allow, read
from whorl.cli.from_table import add_model, add_options
from whorl.cli.from_table import add_output as add_output  # from where it is had without the rest
from whorl.diagnostics import Diagnostic, Source, WhorlError
from whorl.files import read_all
from whorl.options import COMMON, RUNNING

if TYPE_CHECKING:
    Subparsers: TypeAlias = argparse._SubParsersAction[argparse.ArgumentParser]

STDIN = "-"


def add_common(parser: argparse.ArgumentParser) -> None:
    """What commands that read a model have."""
    add_model(parser)
    add_options(parser, COMMON)


def add_embedded(parser: argparse.ArgumentParser) -> None:
    """What commands that run a model have."""
    add_options(parser, RUNNING)


def load_allowed_model(arguments: argparse.Namespace) -> whorl.Model:
    """The model that the arguments name, with its C ready to run if they allow it."""
    model = load_model(arguments)
    return allow(model, not arguments.no_cache) if arguments.allow_embedded_c else model


def read_stdin() -> str:
    """The text of standard input."""
    if sys.stdin is None:
        raise WhorlError(Diagnostic("error", "cannot read standard input: it is closed"))
    try:
        data: bytes = read_all(sys.stdin.buffer)
        return data.decode("utf-8", "replace")
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
        text = getattr(arguments, "text", None) or read_stdin()
        model = text if "\n" in text else f"{text}\n"
    return whorl.load(
        model,
        defines=dict(arguments.defines),
        include_dirs=arguments.include_dirs,
        name="<stdin>",
        ltl=getattr(arguments, "ltl", ()),
        hoa=getattr(arguments, "hoa", ()),
    )
