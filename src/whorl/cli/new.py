"""`whorl new`: writes a model to begin with."""

from __future__ import annotations

import argparse
import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from whorl.cli.from_table import add_output
from whorl.cli.terminal import Terminal
from whorl.diagnostics import Diagnostic, Source, WhorlError
from whorl.files import MODEL_SUFFIXES, write_file

if TYPE_CHECKING:
    from whorl.cli.arguments import Subparsers

TEMPLATES = Path(__file__).parent / "templates"
NAMES = tuple(sorted(path.stem for path in TEMPLATES.glob("*.pml")))
DEFAULT = "minimal"
PYTEST = "pytest"

_TEST = '''"""Checks the model beside it; a failure shows the counterexample. Run it with pytest."""

from pathlib import Path

from whorl.testing import assert_holds

MODEL = Path(__file__).with_name({model!r})


def test_{name}() -> None:
    assert_holds(MODEL, {option}timeout=60)
'''


def add(commands: Subparsers) -> None:
    parser = commands.add_parser(
        "new",
        help="write a model to begin with",
        description="Writes a model with comments, to begin with.",
        usage="whorl new [OPTION ...] NAME.pml",
        allow_abbrev=False,
    )
    parser.add_argument("name", metavar="NAME.pml", nargs="?", help="the file to write")
    parser.add_argument(
        "--template", choices=NAMES, default=DEFAULT, help="what to begin with (default: minimal)"
    )
    parser.add_argument("--list", action="store_true", help="list the templates")
    parser.add_argument(
        "--with",
        dest="beside",
        metavar="WHAT",
        choices=(PYTEST,),
        help="write a test beside it, too: pytest",
    )
    parser.add_argument("--force", action="store_true", help="replace a file that is there")
    add_output(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    if arguments.list:
        return _list(terminal)
    if arguments.name is None:
        raise _error("no file is named", "whorl new NAME.pml; --list lists the templates")
    files = _files(_model_path(arguments.name), arguments.template, arguments.beside)
    for path in files:
        if not arguments.force and path.exists():
            raise _error(f"'{path}' is there already", "--force replaces it")
    for path, text in files.items():
        write_file(path, text)
    if terminal.json:
        from whorl.cli import json_output  # loaded where it is needed, as it takes time

        terminal.out.line(json_output.dumps({"written": [str(path) for path in files]}))
        return 0
    for path in files:
        terminal.out.line(f"written: {path}")
    terminal.out.line(f"next: whorl check {shlex.quote(str(next(iter(files))))}")
    return 0


def _list(terminal: Terminal) -> int:
    abouts = {name: _about(name) for name in NAMES}
    if terminal.json:
        from whorl.cli import json_output

        terminal.out.line(json_output.dumps({"templates": abouts}))
        return 0
    width = max(map(len, NAMES))
    for name, about in abouts.items():
        terminal.out.line(f"{name.ljust(width)}  {about}")
    return 0


def template(name: str) -> str:
    """The text of a template."""
    return (TEMPLATES / f"{name}.pml").read_text(encoding="utf-8")


def _about(name: str) -> str:
    """The first line of its comment, which begins with its name."""
    return template(name).splitlines()[1].partition(": ")[2]


def _model_path(name: str) -> Path:
    path = Path(name)
    if not path.suffix and path.name.strip(".") and not name.endswith("/"):
        path = path.with_name(f"{path.name}.pml")
    if path.suffix not in MODEL_SUFFIXES:
        hint = f"write {path.stem or 'model'}.pml"
        raise _error(f"'{name}' is no name of a model", hint)
    return path


def _files(model: Path, name: str, beside: str | None) -> dict[Path, str]:
    """What to write, and where."""
    text = template(name)
    about = f" * {name}: "
    files = {model: text.replace(about, " * ", 1)}
    if beside == PYTEST:
        from whorl.expectations import expectations  # few ask for it

        words = re.sub(r"\W+", "_", model.stem)
        (first,) = (
            expected.options
            for expected in expectations(Source(model.name, text))
            if expected.claim is None and expected.verdict == "holds" and _is_flag(expected.options)
        )
        option = "".join(f"{flag[2:].replace('-', '_')}=True, " for flag in first)
        test = _TEST.format(model=model.name, name=words, option=option)
        files[model.with_name(f"test_{words}.py")] = test
    return files


def _is_flag(options: tuple[str, ...]) -> bool:
    return all(option.startswith("--") for option in options)


def _error(message: str, hint: str) -> WhorlError:
    return WhorlError(Diagnostic("error", message, None, hint))
