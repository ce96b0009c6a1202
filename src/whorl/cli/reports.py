"""Writes what came of checks for other tools: JUnit, SARIF, GitLab's and GitHub's annotations."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from whorl.cli.terminal import Terminal
from whorl.diagnostics import WhorlError
from whorl.files import write_file
from whorl.reports.outcome import ModelOutcome
from whorl.reports.paths import repository_root


def write_reports(
    arguments: Namespace, outcomes: Sequence[ModelOutcome], terminal: Terminal
) -> bool:
    """Writes the reports that were asked for; whether all could be written."""
    root = repository_root(Path.cwd())
    whole = True
    for kind in ("junit", "sarif", "gitlab"):
        name = getattr(arguments, kind)
        if name is None:
            continue
        try:
            write_file(Path(name), _text(kind, outcomes, root), "report")
        except WhorlError as error:
            whole = False
            terminal.error(error.render(terminal.err.style.color))
    if arguments.github:
        from whorl.reports.github import github

        stream = terminal.err if arguments.json else terminal.out
        for line in github(outcomes, root):
            stream.line(line)
    return whole


def _text(kind: str, outcomes: Sequence[ModelOutcome], root: Path) -> str:
    match kind:
        case "junit":
            from whorl.reports.junit import junit

            return junit(outcomes, root)
        case "sarif":
            from whorl.reports.sarif import sarif

            return sarif(outcomes, root)
    from whorl.reports.gitlab import gitlab

    return gitlab(outcomes, root)
