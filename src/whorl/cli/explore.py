"""`whorl explore`: walks the state space of a model on a local page."""

from __future__ import annotations

import argparse
import errno
import json
import sys
import webbrowser
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import whorl
from whorl.cli import json_output
from whorl.cli.arguments import add_common, add_embedded, load_allowed_model
from whorl.cli.simulate import read_trail, warn
from whorl.cli.spin_trails import understood
from whorl.cli.terminal import Terminal
from whorl.cli.where import expression
from whorl.diagnostics import Diagnostic, WhorlError
from whorl.engines import reference_semantics
from whorl.explore.application import FIELD, Application, Counterexample, Subject
from whorl.explore.retell import retold
from whorl.explore.server import HOST, Server
from whorl.figures import counted
from whorl.files import read_text
from whorl.program.choice import Choice
from whorl.trace.spin_trail import SpinTrail
from whorl.trace.trail import Trail
from whorl.verdict import HOLDS, VIOLATED

if TYPE_CHECKING:
    from whorl.cli.arguments import Subparsers

CHECK_SECONDS = 60.0  # for the counterexample of a check
MOST_PORT = 65_535


def add(commands: Subparsers) -> None:
    parser = commands.add_parser(
        "explore",
        help="walk the state space in the browser",
        description="Serves a page that walks the state space of a model: the steps that are"
        " enabled, why others are not, the graph of what was seen, jumps to violations. Only this"
        " machine can reach it. Ctrl-C ends it, with exit status 0.",
        usage="whorl explore [OPTION ...] MODEL",
        allow_abbrev=False,
    )
    add_common(parser)
    add_embedded(parser)
    parser.add_argument(
        "--trail",
        metavar="FILE",
        help="begin with the path of a trail of `whorl check --trail` or of Spin, or of what"
        " `whorl check --json` printed",
    )
    parser.add_argument(
        "--ltl",
        action="append",
        default=[],
        metavar="FORMULA",
        help="show the truth of its propositions beside that of the model's formulas",
    )
    parser.add_argument(
        "--port", type=port, default=0, metavar="N", help="listen there (default: a free port)"
    )
    parser.add_argument(
        "--browser",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="open the page (default: on a terminal)",
    )
    parser.set_defaults(run=run)


def port(text: str) -> int:
    """The number of a port; 0 is a free one."""
    if not text.isascii() or not text.isdecimal() or int(text) > MOST_PORT:
        raise argparse.ArgumentTypeError(f"'{text}' is no port: it is 0 to {MOST_PORT}")
    return int(text)


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    model, start = _begin(arguments, terminal)
    subject = subject_of(model, dict(arguments.defines), start)
    server = _server(Application(subject), arguments.port, terminal)
    if not _announce(server.address, model, arguments, terminal):
        server.server_close()
        return 0  # nobody can know where it is
    try:
        server.serve_forever(poll_interval=0.2)
    except KeyboardInterrupt:
        if not arguments.json:
            terminal.out.line()
    finally:
        server.server_close()
    return 0


def _begin(
    arguments: argparse.Namespace, terminal: Terminal
) -> tuple[whorl.Model, tuple[Choice, ...]]:
    """The model, and the path to begin with: that of `--trail`, which brings its macros along."""
    recorded: Trail | SpinTrail | Told | None = None
    if arguments.trail is not None:
        recorded = _told(arguments.trail) or read_trail(arguments.trail)
    if isinstance(recorded, Trail | Told):
        arguments.defines = list({**recorded.defines, **dict(arguments.defines)}.items())
    model = load_allowed_model(arguments)
    if isinstance(recorded, Told):
        warn(model, None, terminal.err)
        return model, retold(reference_semantics(model.program), recorded.steps)
    if isinstance(recorded, SpinTrail):
        recorded = understood(recorded, model, dict(arguments.defines))
    warn(model, recorded, terminal.err)
    return model, () if recorded is None else recorded.choices


@dataclass(frozen=True, slots=True)
class Told:
    """The counterexample in what `whorl check --json` printed."""

    defines: dict[str, str]
    steps: list[dict[str, Any]]


def _told(name: str) -> Told | None:
    """The counterexample in a file, if it is a result."""
    try:
        data = json.loads(read_text(Path(name)))
    except (OSError, ValueError, RecursionError):
        return None  # whoever reads it as a trail says what is wrong with it
    if not isinstance(data, dict) or "verdict" not in data:
        return None
    try:
        return Told(dict(data["defines"]), list(data["trace"]["steps"]))
    except (KeyError, TypeError, ValueError):
        message = f"'{name}' has no counterexample: its verdict is '{data['verdict']}'"
        raise WhorlError(Diagnostic("error", message)) from None


def _announce(
    address: str, model: whorl.Model, arguments: argparse.Namespace, terminal: Terminal
) -> bool:
    """Says where the page is, and opens it; whether anybody heard of it."""
    if arguments.json:
        said = {"whorl": whorl.__version__, "model": model.name, "address": address}
        terminal.out.line(json_output.dumps(said))
    else:
        terminal.out.line(f"exploring {model.name} at {address}")
        terminal.out.line("Ctrl-C ends it")
    terminal.out.flush()
    terminal.err.flush()
    wanted = arguments.browser
    if wanted is None:
        wanted = sys.stdout is not None and sys.stdout.isatty()
    opened = bool(wanted) and webbrowser.open(address)
    if wanted and not opened:
        terminal.err.line("no browser could be opened: open the address in one yourself")
        terminal.err.flush()
    return opened or not terminal.out.closed


def _server(application: Application, number: int, terminal: Terminal) -> Server:
    def troubled(text: str) -> None:
        terminal.err.lines(f"whorl: internal error while answering the page\n{text}")
        terminal.err.flush()

    application.begin()  # the trail may not fit: that is said here, and not on the page
    try:
        return Server(application, number, troubled)
    except OSError as error:
        known = error.errno in (errno.EADDRINUSE, errno.EACCES)
        hint = "another --port may be free; without it a free one is taken" if known else None
        reason = error.strerror or str(error)
        message = f"cannot listen on {HOST}, port {number}: {reason}"
        raise WhorlError(Diagnostic("error", message, None, hint)) from None


def subject_of(
    model: whorl.Model, defines: Mapping[str, str], start: tuple[Choice, ...] = ()
) -> Subject:
    """What the explorer needs to know of a model."""
    return Subject(
        name=model.name,
        version=whorl.__version__,
        source=model.program.source,
        defines=defines,
        sources=json_output.sources(model.program),
        start=start,
        semantics=lambda: reference_semantics(model.program, verbose=True),
        expression=lambda text: expression(model, text, FIELD),
        check=lambda: _counterexample(model),
    )


def _counterexample(model: whorl.Model) -> Counterexample:
    """What `whorl check --shortest` finds."""
    result = whorl.check(model, shortest=True, timeout=CHECK_SECONDS)
    trace = result.trace
    if result.verdict == VIOLATED and trace is not None:
        silent = {t.number for p in model.program.processes for t in p.transitions() if not t.text}
        shown = sum(choice.transition not in silent for choice in trace.choices)
        said = f"{trace.claim or trace.kind}: {trace.message} ({counted(shown, 'step')})"
        if trace.cycle is not None:
            said += f"; from step {trace.cycle} on, it goes round"
        return Counterexample(trace.choices, said)
    if result.verdict == HOLDS:
        return Counterexample(None, "whorl check: everything that was checked holds")
    why = next((p.why for p in result.properties if p.verdict == result.verdict), "")
    return Counterexample(None, f"whorl check: {result.verdict}: {why}")
