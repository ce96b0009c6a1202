"""`whorl lsp`: the language server, for editors."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING

from whorl.cli.arguments import add_output
from whorl.cli.terminal import Terminal
from whorl.diagnostics import Diagnostic, WhorlError

if TYPE_CHECKING:
    from whorl.cli.arguments import Subparsers

LOOPBACK = "127.0.0.1"


def add(commands: Subparsers) -> None:
    parser = commands.add_parser(
        "lsp",
        help="serve an editor: errors as you type, hover, rename, formatting, checks",
        description="Speaks the Language Server Protocol with an editor, on standard input and"
        " output. Needs pygls: pip install 'whorl[lsp]'.",
        usage="whorl lsp [OPTION ...]",
        allow_abbrev=False,
    )
    parser.add_argument(
        "--stdio", action="store_true", help="speak on standard input and output (the default)"
    )
    parser.add_argument(
        "--tcp",
        type=port,
        metavar="PORT",
        help=f"wait for an editor on a port of this machine ({LOOPBACK})",
    )
    add_output(parser)
    parser.set_defaults(run=run)


def port(text: str) -> int:
    """A port, from its text."""
    if not text.isdecimal() or not 0 < int(text) < 65536:
        raise argparse.ArgumentTypeError(f"'{text}' is no port: it is a number from 1 to 65535")
    return int(text)


def run(arguments: argparse.Namespace, _terminal: Terminal) -> int:
    if arguments.stdio and arguments.tcp is not None:
        message = "--stdio and --tcp do not go together"
        raise WhorlError(Diagnostic("error", message, None, "leave out one of them"))
    try:
        from whorl.language_server.server import make_server
    except ModuleNotFoundError as missing:
        if missing.name is None or missing.name.split(".")[0] not in ("pygls", "lsprotocol"):
            raise
        message = "the language server needs the package pygls"
        hint = "pip install 'whorl[lsp]'"
        raise WhorlError(Diagnostic("error", message, None, hint)) from None
    server = make_server()
    try:
        if arguments.tcp is None:
            # The server closes its output at the end, and standard output is not its own.
            with os.fdopen(os.dup(1), "wb") as output:
                server.start_io(None, output)
        else:
            server.start_tcp(LOOPBACK, arguments.tcp)
    except OSError as error:
        where = "standard output" if arguments.tcp is None else f"port {arguments.tcp}"
        message = f"cannot serve on {where}: {error.strerror or error}"
        raise WhorlError(Diagnostic("error", message)) from None
    finally:
        server.pages.cleanup()
    return 0 if server.said_goodbye else 1  # as the protocol has it
