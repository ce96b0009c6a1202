"""The documentation shows what whorl prints, and tells of every option."""

from __future__ import annotations

import argparse
import re
import shutil
from pathlib import Path

import pytest

from support import doc_tables
from support.sessions import PAGES, ROOT, disagreements
from whorl.cli.main import COMMANDS, TOOLS_OF_SPIN, make_parser

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


# A command in a text, a block or a table. Those of sessions are run, too.
_COMMAND = re.compile(r"`whorl (\w+)( [^`]*)`|^ {4}(?:\$ )?whorl (\w+)( .*)$", re.MULTILINE)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_that_are_not_run_have_options_that_there_are(page: Path) -> None:
    unknown = []
    for found in _COMMAND.finditer(page.read_text(encoding="utf-8")):
        command, rest = found[1] or found[3], found[2] or found[4]
        if command in COMMANDS and command not in TOOLS_OF_SPIN:
            flags = set(re.findall(r"(?<![\w-])--[\w-]+", re.sub(r"'[^']*'|#.*", "", rest)))
            unknown += [found[0]] if flags - options(command) else []
    assert unknown == []


@pytest.mark.parametrize("page", doc_tables.PAGES, ids=lambda page: page.name)
def test_tables_are_those_of_the_options(page: Path) -> None:
    now = doc_tables.tables()
    assert {name: now[name] for name in doc_tables.shown(page)} == doc_tables.shown(page)


def test_every_table_is_shown() -> None:
    shown = {name for page in doc_tables.PAGES for name in doc_tables.shown(page)}
    assert shown == set(doc_tables.tables())


def test_our_own_build_runs_the_recipe() -> None:
    """The commands that users are told to run in a build are those of `make check-examples`."""
    page = (ROOT / "docs" / "howto.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```yaml\n(.*?)^```\n", page, re.MULTILINE | re.DOTALL)
    told = [re.findall(r"^ +- (?:run: )?(whorl .*)$", block, re.MULTILINE) for block in blocks]
    assert [len(commands) for commands in told] == [1, 1]
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for (command,) in told:
        own = command.removesuffix("models") + "examples >"
        assert f"\t$(BIN)/{own}" in makefile
    assert "make check-examples" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def rows(section: str) -> set[str]:
    """The long options in the first column of the tables."""
    first = re.findall(r"^\| (`-.*?) \|(?: |$)", section, re.MULTILINE)
    return {name for cell in first for name in re.findall(r"`[^`]*?(--[\w-]+)", cell)}


def test_no_anchor_of_a_page_is_there_twice() -> None:
    """A link would lead to the first alone: two entries of a paper, say, after a merge."""
    for page in (ROOT / "docs").rglob("*.md"):
        anchors = re.findall(r'<a id="([^"]+)"', page.read_text(encoding="utf-8"))
        assert sorted(anchors) == sorted(set(anchors)), page
