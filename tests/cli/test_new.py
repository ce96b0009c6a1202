"""`whorl new` writes models that check as they say, and replaces nothing unasked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import whorl
from whorl.cli.main import main
from whorl.cli.new import NAMES, template
from whorl.diagnostics import Source
from whorl.expectations import expectations, met
from whorl.promela.skim import claim_blocks
from whorl.testing.flags import keywords


@pytest.mark.parametrize("name", NAMES)
def test_a_template_checks_as_it_says(name: str) -> None:
    text = template(name)
    found = expectations(Source(name, text))
    assert [block.name for block in claim_blocks(text)] == [e.claim for e in found if e.claim]
    assert any(e.claim is None and not e.options for e in found)
    for expected in found:
        asked = keywords(expected.options)
        asked["claim"] += [expected.claim] if expected.claim else []
        for fair, verdict in expected.asked:
            result = whorl.check(text, **(asked | {"fair": fair or asked["fair"]}))
            assert met(result, verdict, expected.violated), f"{expected.name}: {result}"
        assert not whorl.load(text).warnings


@pytest.mark.parametrize("name", NAMES)
def test_the_test_beside_it_passes(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["new", str(tmp_path / "my lock"), "--template", name, "--with", "pytest"]) == 0
    assert f"next: whorl check '{tmp_path / 'my lock.pml'}'" in capsys.readouterr().out
    assert {path.name for path in tmp_path.iterdir()} == {"my lock.pml", "test_my_lock.py"}
    test = tmp_path / "test_my_lock.py"
    space: dict[str, object] = {"__file__": str(test)}
    exec(compile(test.read_text(), str(test), "exec"), space)
    run = space["test_my_lock"]
    assert callable(run)
    run()


def test_it_replaces_nothing_unasked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = tmp_path / "a.pml"
    model.write_text("mine")
    assert main(["new", str(model)]) == 2
    assert "--force replaces it" in capsys.readouterr().err
    assert model.read_text() == "mine"
    assert main(["new", str(model), "--force"]) == 0
    assert model.read_text().startswith("/*\n * one process")


def test_nothing_is_written_if_one_file_is_there(tmp_path: Path) -> None:
    (tmp_path / "test_a.py").write_text("mine")
    assert main(["new", str(tmp_path / "a.pml"), "--with", "pytest"]) == 2
    assert [path.name for path in tmp_path.iterdir()] == ["test_a.py"]


@pytest.mark.parametrize("name", ["a.txt", "a.py", ".", "..", "/", "a/"])
def test_a_name_that_is_none_of_a_model(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", name]) == 2
    assert "is no name of a model" in capsys.readouterr().err


def test_a_folder_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", str(tmp_path / "none" / "a.pml")]) == 2
    assert "cannot write" in capsys.readouterr().err


def test_templates_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "--list"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == [*NAMES]
    assert main(["new", "--list", "--json"]) == 0
    assert [*json.loads(capsys.readouterr().out)["templates"]] == [*NAMES]
    assert main(["new"]) == 2
    assert "no file is named" in capsys.readouterr().err
