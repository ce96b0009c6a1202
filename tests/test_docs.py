"""The documentation shows what whorl prints, and tells of every option."""

from __future__ import annotations

import argparse
import re
import shutil
from pathlib import Path

import pytest

from support import doc_tables
from support.sessions import PAGES, ROOT, disagreements
from whorl.cli.main import COMMANDS, make_parser

WITH_SESSIONS = [page for page in PAGES if "```console" in page.read_text(encoding="utf-8")]


@pytest.mark.usefixtures("system_compiler")
@pytest.mark.skipif(shutil.which("cc") is None, reason="the reports are those of the native engine")
@pytest.mark.skipif(shutil.which("jq") is None, reason="some commands use jq")
@pytest.mark.parametrize("page", WITH_SESSIONS, ids=lambda page: str(page.relative_to(ROOT)))
def test_sessions(page: Path, tmp_path: Path) -> None:
    assert list(disagreements(page, tmp_path)) == []


def options(command: str) -> set[str]:
    """The long options of a command, by its parser."""
    (commands,) = (
        action
        for action in make_parser()._actions
        if isinstance(action, argparse._SubParsersAction)
    )
    known = commands.choices[command]._option_string_actions
    return {name for name in known if name.startswith("--")}


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_is_in_the_reference_and_no_other(command: str) -> None:
    text = (ROOT / "docs" / "reference" / "cli.md").read_text(encoding="utf-8")
    sections = dict(re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL))
    own = rows(sections[f"whorl {command}"])
    common = rows(sections["Options of every command"]) | {"--help", "--help-all"}
    assert own <= options(command)
    assert options(command) <= own | common


@pytest.mark.parametrize("page", doc_tables.PAGES, ids=lambda page: page.name)
def test_tables_are_those_of_the_options(page: Path) -> None:
    now = doc_tables.tables()
    assert {name: now[name] for name in doc_tables.shown(page)} == doc_tables.shown(page)


def test_every_table_is_shown() -> None:
    shown = {name for page in doc_tables.PAGES for name in doc_tables.shown(page)}
    assert shown == set(doc_tables.tables())


def rows(section: str) -> set[str]:
    """The long options in the first column of the tables."""
    first = re.findall(r"^\| (`-.*?) \|(?: |$)", section, re.MULTILINE)
    return {name for cell in first for name in re.findall(r"`[^`]*?(--[\w-]+)", cell)}
