"""`whorl format`: lays out models in one style."""

from __future__ import annotations

import argparse
import difflib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import whorl
from whorl.cli.arguments import STDIN, add_output, read_stdin
from whorl.cli.terminal import Terminal
from whorl.diagnostics import Diagnostic, WhorlError
from whorl.figures import counted
from whorl.files import MODEL_SUFFIXES, read_all, rewrite_file

if TYPE_CHECKING:
    from whorl.cli.arguments import Subparsers


def add(commands: Subparsers) -> None:
    parser = commands.add_parser(
        "format",
        help="lay out models in one style: indentation and blanks",
        description="Lays out models in one style. Every line keeps its tokens and comments: only"
        " indentation, blanks and empty lines change, so a model means what it meant. Exit status:"
        " 0, or with --check and --diff 1 if a file would change.",
        usage="whorl format [OPTION ...] FILE ...",
        allow_abbrev=False,
    )
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="+",
        help="Promela files, and folders of them; - formats standard input to standard output",
    )
    parser.add_argument(
        "--check", action="store_true", help="write nothing; say which files would change"
    )
    parser.add_argument(
        "--diff", action="store_true", help="write nothing; print what would change"
    )
    add_output(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    from whorl.formatter.layout import format_text

    keep = arguments.check or arguments.diff
    changed: list[str] = []
    names = list(_named(arguments.files))
    for name in names:
        text = read_stdin() if name == STDIN else _read(Path(name))
        made = format_text(text)
        if made != text:
            changed.append("<stdin>" if name == STDIN else name)
        if arguments.diff:
            _print_diff(text, made, changed[-1] if made != text else name, terminal)
        if name == STDIN and not keep:
            terminal.out.lines(made)
        elif made != text and not keep:
            rewrite_file(Path(name), made)
    _report(arguments, terminal, changed, len(names))
    return int(keep and bool(changed))


def _report(
    arguments: argparse.Namespace, terminal: Terminal, changed: list[str], count: int
) -> None:
    keep = arguments.check or arguments.diff
    if arguments.json:
        from whorl.cli import json_output

        said = {"whorl": whorl.__version__, "changed": changed, "written": not keep}
        terminal.out.line(json_output.dumps(said))
        return
    if arguments.files == [STDIN] and not keep:
        return
    what = "would be formatted" if keep else "formatted"
    for name in changed:
        terminal.err.line(f"{what}: {name}")
    terminal.err.line(
        f"{counted(len(changed), 'file')} {what}, {count - len(changed)} left as they are"
    )


def _named(names: list[str]) -> Iterator[str]:
    """The files that are named, those in folders among them."""
    for name in names:
        path = Path(name)
        if name == STDIN or not path.is_dir():
            yield name
            continue
        found = sorted(p for p in path.rglob("*") if p.suffix in MODEL_SUFFIXES and p.is_file())
        if not found:
            message = f"there are no models in the folder '{name}'"
            hint = f"models end in {', '.join(MODEL_SUFFIXES)}; other files can be named"
            raise WhorlError(Diagnostic("error", message, None, hint))
        yield from map(str, found)


def _read(path: Path) -> str:
    """The text of a file, with its own line ends; what could not be written back is refused."""
    try:
        with path.open("rb") as file:
            return read_all(file).decode("utf-8")
    except UnicodeDecodeError:
        message = f"cannot format '{path}': it is not UTF-8"
        raise WhorlError(Diagnostic("error", message)) from None
    except (OSError, ValueError) as error:
        reason = (isinstance(error, OSError) and error.strerror) or str(error)
        raise WhorlError(Diagnostic("error", f"cannot read '{path}': {reason}")) from None


def _print_diff(text: str, made: str, name: str, terminal: Terminal) -> None:
    before, after = text.splitlines(keepends=True), made.splitlines(keepends=True)
    for row in difflib.unified_diff(before, after, name, f"{name} (formatted)"):
        terminal.out.line(row.rstrip("\n"))
