"""The VS Code extension: what its package declares, and what its code does."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import whorl
from whorl.files import MODEL_SUFFIXES
from whorl.language_server.server import CHECK, settings_of

FOLDER = Path(__file__).parents[2] / "editors" / "vscode"
PACKAGE = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))
SETTINGS: dict[str, Any] = {
    "path": "/opt/whorl",
    "check.timeout": 5,
    "check.arguments": ["--fair"],
    "includeDirs": ["lib"],
    "defines": {"N": "3"},
}


def run_extension(**settings: Any) -> dict[str, Any]:
    node = shutil.which("node")
    if node is None:
        pytest.skip("needs node")
    script = Path(__file__).with_name("extension_run.js")
    words = [node, str(script), str(FOLDER / "extension.js"), json.dumps(settings)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=True)
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def test_it_starts_the_server_with_the_settings() -> None:
    seen = run_extension(**SETTINGS)
    first = seen["clients"][0]
    assert first["server"] == {"command": "/opt/whorl", "args": ["lsp"]}
    assert {s["language"] for s in first["options"]["documentSelector"]} == {"promela"}
    understood = settings_of(first["options"]["initializationOptions"])
    assert understood.timeout == 5
    assert understood.options == ("--fair",)
    assert understood.include_dirs == (Path("lib"),)
    assert understood.defines == {"N": "3"}
    assert (len(seen["clients"]), seen["stopped"]) == (3, 3)  # restarted twice, then left
    assert seen["executed"] == [[CHECK, "file:///m.pml", None]]
    assert not seen["messages"]


def test_a_server_that_cannot_be_started_is_said() -> None:
    seen = run_extension(**SETTINGS, broken=True)
    assert "pip install 'whorl[lsp]'" in seen["messages"][0]
    assert "no Promela file to check" in seen["messages"][1]


def test_the_package() -> None:
    contributed = PACKAGE["contributes"]
    assert PACKAGE["version"] == whorl.__version__
    (language,) = contributed["languages"]
    assert set(MODEL_SUFFIXES) <= set(language["extensions"])
    for name in (language["configuration"], contributed["grammars"][0]["path"], PACKAGE["main"]):
        assert (FOLDER / name).is_file(), name
    assert set(contributed["configuration"]["properties"]) == {f"whorl.{key}" for key in SETTINGS}
    declared = {command["command"] for command in contributed["commands"]}
    assert declared == set(run_extension(**SETTINGS)["commands"])


@pytest.mark.parametrize("path", sorted(FOLDER.rglob("*.json")), ids=lambda path: path.name)
def test_every_file_is_json(path: Path) -> None:
    if "node_modules" not in path.parts:
        json.loads(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("given", [None, 3, [], {"timeout": -1, "arguments": "x", "defines": 1}])
def test_settings_that_make_no_sense_are_left_out(given: object) -> None:
    assert settings_of(given) == settings_of({})
