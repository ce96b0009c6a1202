"""Completion works in the shells themselves, and knows every command and every option."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from support.shells import offered
from whorl.cli.completion import SHELLS, script
from whorl.cli.main import COMMANDS, make_parser
from whorl.cli.shells.described import Takes, commands_of
from whorl.options import BY_NAME, CHECK

MODEL = "byte x;\nltl first { [] (x == 0) }\nltl second { <> (x == 1) }\ninit { x = 1 }\n"
CASES: dict[str, set[str]] = {
    "whorl ": set(COMMANDS),
    "whorl che": {"check"},
    "whorl check --por ": set(BY_NAME["por"].names),
    "whorl check --por=two": {"two-phase", "two-phase-ample"},
    "whorl check --claim ": set(),  # of which model?
    "whorl check lock.pml --claim ": {"first", "second"},
    "whorl check lock.pml --claim s": {"second"},
    "whorl check none.pml --claim ": set(),
    "whorl explain lock.pml --claim f": {"first"},
    "whorl check --non-p": {"--non-progress"},
    "whorl check --no-sh": {"--no-shorten"},  # which --help leaves out
    "whorl check lo": {"lock.pml"},
    "whorl check lock.txt lo": {"lock.pml"},  # a second model
    "whorl check lock.pml -I f": {"folder"},
    "whorl view res": {"result.json"},
    "whorl cache ": {"show", "clear"},
    "whorl completion ": set(SHELLS),
    "whorl new --template m": {"minimal", "mutex"},
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "models"
    (place / "folder").mkdir(parents=True)
    (place / "lock.pml").write_text(MODEL)
    (place / "lock.txt").write_text("not a model")
    (place / "result.json").write_text("{}")
    return place


@pytest.mark.parametrize("shell", SHELLS)
def test_what_a_shell_offers(shell: str, folder: Path) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"this machine has no {shell}")
    found = dict(zip(CASES, offered(shell, [*CASES], folder), strict=True))
    if shell == "fish":  # which shows models first, and other files behind them
        for line in ("whorl check lo", "whorl check lock.txt lo"):
            found[line] -= {"lock.txt"}
    assert found == CASES


@pytest.mark.parametrize("shell", SHELLS)
def test_every_option_is_in_the_script(shell: str) -> None:
    text = script(shell)
    for option in CHECK:
        for flag in option.flags:
            in_fish = f"-l {flag[2:]} " if flag.startswith("--") else f"-s {flag[1:]} "
            assert (in_fish if shell == "fish" else flag) in text


@pytest.mark.parametrize("shell", SHELLS)
def test_any_file_will_do_where_there_is_no_model(shell: str, folder: Path) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"this machine has no {shell}")
    (folder / "lock.pml").unlink()
    (found,) = offered(shell, ["whorl check lo"], folder)
    assert found == {"lock.txt"}


def test_what_words_are() -> None:
    commands = {command.name: command for command in commands_of(make_parser())}
    assert [word.takes for word in commands["view"].words] == [Takes.TRACE, Takes.MODEL]
    flags = {flag.names[-1]: flag for flag in commands["check"].flags}
    assert flags["--chart"].value is not None
    assert flags["--chart"].value.takes is Takes.PICTURE
    assert flags["--fair"].value is None
    assert flags["--ltl"].repeatable
    assert flags["--no-merge"].help == BY_NAME["merge"].help
