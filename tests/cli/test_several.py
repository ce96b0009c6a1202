"""`whorl check` with several models: a block each, a table, the worst exit status."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest

from support.outcomes import ASSERTION, DEADLOCK, ENDLESS, WRONG
from whorl.cli import check as check_command

HOLDS = "active proctype p() { assert(true) }"
SCHEMA = json.loads(files("whorl.cli").joinpath("result.schema.json").read_text())
FAST = ("--engine", "reference")


@pytest.fixture
def models(write: Any) -> list[Path]:
    texts = {"a": HOLDS, "b": ASSERTION, "c": WRONG, "d": ENDLESS, "e": HOLDS}
    return [write(text, f"{name}.pml") for name, text in texts.items()]


def test_a_bad_model_does_not_stop_the_others(whorl: Any, models: list[Path]) -> None:
    found = whorl("check", *models, *FAST, "--max-states", "10")
    assert found.status == 2
    lines = found.out.splitlines()
    assert [line for line in lines if re.match(r". \S+\.pml: ", line)] == [
        f"✓ {models[0]}: holds (2 states after reduction)",
        f"✗ {models[1]}: violated (assertions)",
        f"✗ {models[2]}: error",
        f"? {models[3]}: inconclusive (not all states were seen: the limit of 10 states was"
        " reached)",
        f"✓ {models[4]}: holds (2 states after reduction)",
    ]
    assert found.out.count("Counterexample:") == 1
    assert found.err.count("unknown variable 'coumt'") == 1
    assert found.last == "5 models: 2 hold, 1 inconclusive, 1 violated, 1 with errors"
    table = lines[next(i for i, line in enumerate(lines) if line.startswith("model ")) :]
    assert [line.split()[1] for line in table[1:6]] == [
        *("holds", "violated", "error", "inconclusive", "holds")
    ]
    assert table[2].endswith("assertions")
    assert table[4].endswith("the limit of 10 states was reached")


@pytest.mark.parametrize(
    ("chosen", "status"), [("ae", 0), ("ad", 3), ("adb", 1), ("abc", 2), ("b", 1)]
)
def test_the_status_is_the_worst(whorl: Any, models: list[Path], chosen: str, status: int) -> None:
    named = [path for path in models if path.stem in chosen]
    assert whorl("check", "-q", *named, *FAST, "--max-states", "10").status == status


def test_options_may_stand_between_models(whorl: Any, models: list[Path]) -> None:
    found = whorl("check", models[0], "-q", *FAST, models[4], "--safety", models[1])
    assert len(found.out.splitlines()) == 4
    assert found.last == "3 models: 2 hold, 1 violated"
    wrong = whorl("check", models[0], "--no-such-option", models[1])
    assert wrong.status == 2
    assert "unrecognized arguments: --no-such-option" in wrong.err


def test_a_folder(whorl: Any, models: list[Path], tmp_path: Path) -> None:
    found = whorl("check", tmp_path, *FAST, "--max-states", "10", "-q")
    assert [line.split(": ")[0][2:] for line in found.out.splitlines()[:-1]] == [*map(str, models)]
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "a.pml").write_text(HOLDS)
    assert whorl("check", inner, *FAST).last == "1 model: 1 holds"


def test_one_model_is_as_ever(whorl: Any, write: Any) -> None:
    """Reports beside it change nothing of what is shown."""
    model = write(DEADLOCK)
    figures = re.compile(r"; [\d.]+ s.*")
    alone = whorl("check", model, *FAST)
    beside = whorl("check", model, *FAST, "--junit", model.with_suffix(".xml"))
    assert figures.sub("", alone.out) == figures.sub("", beside.out)
    assert (alone.status, alone.err) == (beside.status, beside.err)
    wrong = write(WRONG)
    report = model.with_suffix(".xml")
    alone, beside = whorl("check", wrong), whorl("check", wrong, "--junit", report)
    assert alone == beside
    assert ElementTree.parse(report).getroot().get("errors") == "1"


def test_json_lines(whorl: Any, models: list[Path]) -> None:
    found = whorl("check", *models, *FAST, "--max-states", "10", "--json")
    data = [json.loads(line) for line in found.out.splitlines()]
    for each in data:
        jsonschema.validate(each, SCHEMA)
    assert [each["model"] for each in data] == [*map(str, models)]
    assert [each.get("verdict") for each in data] == [
        *("holds", "violated", None, "inconclusive", "holds")
    ]
    alone = whorl("check", models[2], "--json").data
    assert set(alone) == {"whorl", "error"}


def test_a_file_for_each_model(whorl: Any, models: list[Path], tmp_path: Path) -> None:
    refused = whorl("check", *models[:2], "--trail", tmp_path / "t.json")
    assert refused.status == 2
    assert "--trail is one file, and there are 2 models" in refused.err
    assert "{model}-t.json" in refused.err
    assert refused.out == ""
    found = whorl("check", *models[:2], *FAST, "--trail", tmp_path / "{model}.trail")
    assert found.status == 1
    assert [path.name for path in tmp_path.glob("*.trail")] == ["b.trail"]
    assert f"trail: {tmp_path / 'b.trail'}" in found.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["-", "-"], "standard input is given twice"),
        (["a.pml", "b.pml", "--emit-c", "c"], "--emit-c is for one model"),
        (["a.pml", "b.pml", "-D", "N=1..2"], "a sweep is of one model"),
        (["a.pml", "--coverage", "c.html", "-D", "N=1..2"], "--coverage is of one check"),
        (["a.pml", "--junit", "nowhere/r.xml"], "there is no such folder"),
    ],
)
def test_refused(whorl: Any, words: list[str], said: str) -> None:
    found = whorl("check", *words)
    assert found.status == 2
    assert said in found.err
    assert found.out == ""


def test_our_own_errors_do_not_stop_the_others(
    whorl: Any, models: list[Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    search = check_command.search

    def fail(asked: Any, model: Any, *rest: Any) -> Any:
        if model.name.endswith("a.pml"):
            raise AssertionError("a table is upside down")
        return search(asked, model, *rest)

    monkeypatch.setattr(check_command, "search", fail)
    report = tmp_path / "r.xml"
    found = whorl("check", models[0], models[4], *FAST, "--junit", report)
    assert found.status == 4
    assert "internal error: AssertionError: a table is upside down" in found.err
    assert found.last == "2 models: 1 holds, 1 internal error"
    assert ElementTree.parse(report).getroot().get("errors") == "1"


def test_an_interrupt_ends_all(
    whorl: Any, models: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(check_command, "search", interrupt)
    found = whorl("check", models[0], models[4], *FAST)
    assert found.status == 3
    assert f"? {models[0]}: inconclusive\n" in found.out
    assert found.last == "2 models: 1 inconclusive, 1 not checked"


def test_reports_that_cannot_be_written(whorl: Any, models: list[Path], tmp_path: Path) -> None:
    folder = tmp_path / "folder.xml"
    folder.mkdir()
    for model, status in ((models[0], 2), (models[1], 1)):
        found = whorl("check", model, *FAST, "--junit", folder)
        assert found.status == status
        assert f"cannot write '{folder}'" in found.err


def test_annotations_go_where_they_do_not_disturb(whorl: Any, models: list[Path]) -> None:
    found = whorl("check", models[1], *FAST, "--github")
    assert found.last.startswith("::error ")
    as_json = whorl("check", models[1], *FAST, "--github", "--json")
    assert as_json.data["verdict"] == "violated"
    assert as_json.err.startswith("::error ")
