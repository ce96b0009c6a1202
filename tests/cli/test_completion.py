"""`whorl completion`: the command; `shells` tries the scripts in the shells themselves."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from whorl.cli.completion import SHELLS
from whorl.cli.main import main

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize("shell", SHELLS)
def test_a_script_is_printed(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    text = capsys.readouterr().out
    assert f"in {shell}, made by `whorl completion {shell}`" in text
    assert main(["completion", shell, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"script": text}


def test_claims_of_a_model(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "--claims", str(EXAMPLES / "traffic_light.pml")]) == 0
    assert capsys.readouterr().out.split()[:2] == ["safe", "response"]


@pytest.mark.parametrize("name", ["", "none.pml", "/", "a\0b", "x" * 5000])
def test_a_model_that_cannot_be_read_has_no_claims_and_no_error(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["completion", "--claims", name]) == 0
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", "")


def test_a_shell_must_be_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion"]) == 2
    assert "which shell: bash, zsh or fish?" in capsys.readouterr().err
    assert main(["completion", "tcsh"]) == 2


def test_names_of_claims_come_at_once() -> None:
    """Somebody waits for them with a finger on the key: no engine is loaded for them."""
    code = (
        "import sys; from whorl.cli.main import main;"
        f" main(['completion', '--claims', {str(EXAMPLES / 'peterson.pml')!r}]);"
        " print(*(name for name in sys.modules if name.startswith('whorl')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "whorl.promela.skim" in done.stdout.split()
    assert {"whorl.api", "whorl.native.engine", "whorl.promela.parser"}.isdisjoint(
        done.stdout.split()
    )
