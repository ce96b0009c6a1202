"""`whorl view` and `whorl check --html`: what is made a page, where it is, what is refused."""

from __future__ import annotations

import json
import re
import tempfile
import webbrowser
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
BROKEN = EXAMPLES / "peterson_broken.pml"
LIGHT = EXAMPLES / "traffic_light.pml"
LOSSY = EXAMPLES / "alternating_bit.pml"
WRONG = """HOA: v1
States: 1
Start: 0
AP: 1 "pressed"
acc-name: Buchi
Acceptance: 1 Inf(0)
--BODY--
State: 0 {0}
[t] 0
--END--
"""

Run = Callable[..., Any]


@pytest.fixture(autouse=True)
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was opened in the browser."""
    found: list[str] = []

    def keep(address: str) -> bool:
        found.append(address)
        return True

    monkeypatch.setattr(webbrowser, "open", keep)
    return found


def data_of(page: Path) -> Any:
    """The data in a page."""
    text = page.read_text(encoding="utf-8")
    (data,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', text)
    return json.loads(data)


def result_of(whorl: Run, path: Path, *words: str | Path) -> Path:
    path.write_text(whorl("check", "--json", *words).out)
    return path


def test_a_result(whorl: Run, tmp_path: Path, opened: list[str]) -> None:
    result = result_of(whorl, tmp_path / "result.json", BROKEN)
    page = tmp_path / "page.html"
    found = whorl("view", result, "-o", page)
    assert (found.status, found.out, found.err) == (0, f"page: {page}\n", "")
    assert opened == [page.as_uri()]
    assert data_of(page)["traces"] == [json.loads(result.read_text())["trace"]]
    assert data_of(page)["sources"][0]["text"] == BROKEN.read_text()


def test_a_temporary_file(
    whorl: Run, tmp_path: Path, opened: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    result = result_of(whorl, tmp_path / "result.json", BROKEN)
    found = whorl("view", "--no-open", result, "--json")
    assert found.status == 0
    page = Path(found.data["page"])
    assert page.parent == tmp_path
    assert page.suffix == ".html"
    assert found.data["opened"] is False
    assert opened == []
    assert len(data_of(page)["traces"]) == 1


def test_no_browser(whorl: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webbrowser, "open", lambda _: False)
    result = result_of(whorl, tmp_path / "result.json", BROKEN)
    found = whorl("view", result, "-o", tmp_path / "page.html")
    assert found.status == 0
    assert "no browser could be opened" in found.err


def test_standard_input(whorl: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = result_of(whorl, tmp_path / "result.json", BROKEN)
    with result.open() as file:
        monkeypatch.setattr("sys.stdin", file)
        assert whorl("view", "-", "-o", tmp_path / "page.html").status == 0
    assert data_of(tmp_path / "page.html")["traces"]


def test_every_counterexample(whorl: Run, tmp_path: Path) -> None:
    page, second = tmp_path / "page.html", tmp_path / "second.html"
    result = tmp_path / "result.json"
    result.write_text(whorl("check", "--json", LIGHT, "--html", page).out)
    names = [trace["property"] for trace in data_of(page)["traces"]]
    assert names == ["response", "cars_drive_again"]
    assert whorl("view", result, "-o", second).status == 0
    assert second.read_text() == page.read_text()
    said = whorl("check", LIGHT, "--html", page)
    assert said.status == 1
    assert f"page: {page}\n" in said.out


@pytest.mark.parametrize(
    ("words", "more"),
    [
        ([BROKEN], []),
        ([EXAMPLES / "philosophers.pml"], []),
        ([LIGHT, "--claim", "response"], []),
        ([LIGHT, "--ltl", "[] (pressed -> <> (people == green))"], []),
        ([LOSSY, "--non-progress", "-DM=3"], []),
        ([EXAMPLES / "retry.pml", "--acceptance"], []),
        ([LIGHT, "--hoa", "wrong.hoa"], ["--hoa", "wrong.hoa"]),
    ],
    ids=["assertion", "end state", "ltl block", "ltl", "non-progress", "acceptance", "hoa"],
)
def test_a_trail_gives_the_page_of_the_result(
    whorl: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: list[str | Path],
    more: list[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("wrong.hoa").write_text(WRONG)
    checked = whorl("check", *words, "--trail", "trail.json", "--html", "checked.html")
    assert checked.status == 1, checked.err
    found = whorl("view", "trail.json", "-o", "page.html", *more)
    assert found.status == 0, found.err
    assert data_of(Path("page.html"))["traces"] == data_of(Path("checked.html"))["traces"][:1]
    assert data_of(Path("page.html"))["defines"] == data_of(Path("checked.html"))["defines"]


def test_a_trail_of_an_automaton_needs_its_file(whorl: Run, tmp_path: Path) -> None:
    automaton, trail = tmp_path / "wrong.hoa", tmp_path / "trail.json"
    automaton.write_text(WRONG)
    assert whorl("check", LIGHT, "--hoa", automaton, "--trail", trail).status == 1
    found = whorl("view", trail)
    assert found.status == 2
    assert "give the file of the automaton: --hoa FILE" in found.err


def test_a_trail_whose_model_is_elsewhere(whorl: Run, tmp_path: Path, write: Run) -> None:
    model, trail, page = write(BROKEN.read_text()), tmp_path / "t.json", tmp_path / "page.html"
    assert whorl("check", model, "--trail", trail).status == 1
    moved = model.rename(tmp_path / "moved.pml")
    found = whorl("view", trail, "-o", page)
    assert found.status == 2
    assert f"the trail is of the model '{model}', which is not there" in found.err
    assert "whorl view TRAIL MODEL" in found.err
    assert whorl("view", trail, moved, "-o", page).status == 0
    moved.write_text(BROKEN.read_text().replace("turn = other", "turn = _pid"))
    found = whorl("view", trail, moved, "-o", page)
    assert "the model's text is not the one that the trail was made with" in found.err
    moved.write_text("active proctype p() { skip }")
    found = whorl("view", trail, moved, "-o", page)
    assert found.status == 2
    assert re.search(r"the trail does not fit the model: step \d cannot be taken\n", found.err)
    data = json.loads(trail.read_text())
    trail.write_text(json.dumps(data | {"choices": [[9, 0]]}))
    found = whorl("view", trail, BROKEN, "-o", page)
    assert found.status == 2
    assert "the trail does not fit the model: step 1 cannot be taken\n" in found.err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "it is not JSON"),
        ("what?", "it is not JSON"),
        ("[1]", "neither a result nor a trail"),
        ('{"steps": []}', "neither a result nor a trail"),
        ('{"whorl": "0.1.0", "error": []}', "did not come to a result"),
        ('{"verdict": "holds", "trace": null}', "no counterexample: its verdict is 'holds'"),
        ('{"verdict": "violated", "trace": {"steps": []}}', "a part of it is missing or wrong"),
        ('{"verdict": "violated", "trace": 7}', "a part of it is missing or wrong"),
        ('{"format": "whorl trail", "version": 1}', "a part of it is missing or wrong"),
        ("-2:3:-2\n-4:-4:-4\n1:0:3\n", "is a trail of Spin's"),
    ],
)
def test_what_is_no_trace(whorl: Run, write: Run, tmp_path: Path, text: str, said: str) -> None:
    found = whorl("view", write(text, "trace.json"), "-o", tmp_path / "page.html")
    assert found.status == 2
    assert said in found.err
    assert "Traceback" not in found.err
    assert not (tmp_path / "page.html").exists()


def test_a_trail_of_spin(whorl: Run, write: Run, tmp_path: Path) -> None:
    """Its model is beside it, or given; what it violates is found by trying."""
    write("byte x; active proctype P() { x = 1; x = 2; assert(x == 1) }")
    trail = write("1:0:0\n2:0:1\n3:0:2\n", "model.pml.trail")
    page = tmp_path / "page.html"
    assert whorl("view", trail, "-o", page, "--no-open").status == 0
    trace = data_of(page)["traces"][0]
    assert (trace["kind"], trace["message"]) == ("assertion", "(x==1)")
    trail.rename(tmp_path / "other")
    assert whorl("view", tmp_path / "other", "-o", page, "--no-open").status == 2
    model = tmp_path / "model.pml"
    assert whorl("view", tmp_path / "other", model, "-o", page, "--no-open").status == 0
    (tmp_path / "other").write_text("1:0:0\n")
    assert whorl("view", tmp_path / "other", model, "-o", page, "--no-open").status == 0
    trace = data_of(page)["traces"][0]
    assert (trace["kind"], len(trace["steps"])) == ("run", 1)


def test_a_result_without_a_part(whorl: Run, tmp_path: Path) -> None:
    """Whatever is missing from a trace or a step, there is a message, or a page."""
    result = result_of(whorl, tmp_path / "result.json", LIGHT, "--claim", "response")
    data = json.loads(result.read_text())
    page = tmp_path / "page.html"
    needed = set()
    for place in (data["trace"], data["trace"]["steps"][0], data["trace"]["automaton"]):
        for key in list(place):
            kept = place.pop(key)
            result.write_text(json.dumps(data))
            found = whorl("view", result, "-o", page)
            place[key] = kept
            assert found.status in (0, 2)
            if found.status == 2:
                assert "a part of it is missing or wrong" in found.err
                needed.add(key)
    assert {"steps", "initial", "positions", "pid", "changes", "edges", "states"} <= needed


def test_files_that_cannot_be_read_or_written(whorl: Run, tmp_path: Path) -> None:
    found = whorl("view", tmp_path / "none.json")
    assert found.status == 2
    assert "cannot read" in found.err
    result = result_of(whorl, tmp_path / "result.json", BROKEN)
    found = whorl("view", result, "-o", tmp_path / "no" / "page.html")
    assert found.status == 2
    assert "cannot write" in found.err
    found = whorl("check", BROKEN, "--html", tmp_path / "no" / "page.html")
    assert found.status == 2
    assert "there is no such folder" in found.err


def test_no_counterexample_no_page(whorl: Run, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    found = whorl("check", EXAMPLES / "peterson.pml", "--html", page)
    assert found.status == 0
    assert f"no counterexample, so no page was written to {page}" in found.out
    assert not page.exists()


def test_what_matters_in_a_trail(whorl: Run, tmp_path: Path) -> None:
    trail, page, result = tmp_path / "t.trail", tmp_path / "p.html", tmp_path / "r.json"
    checked = whorl("check", BROKEN, "--trail", trail, "--explain", "--json")
    assert whorl("view", trail, "--explain", "--no-open", "-o", page).status == 0
    (trace,) = data_of(page)["traces"]
    assert trace["explanation"] == checked.data["trace"]["explanation"]
    result.write_text(checked.out, encoding="utf-8")
    assert whorl("view", result, "--explain", "--no-open", "-o", page).status == 0
    said = json.loads(checked.out)
    said["trace"]["explanation"]["needed"] = [99]
    result.write_text(json.dumps(said), encoding="utf-8")
    refused = whorl("view", result, "--no-open", "-o", page)
    assert refused.status == 2
    assert "an explanation names steps that there are not" in refused.err


def test_a_result_that_was_not_explained(whorl: Run, tmp_path: Path) -> None:
    result = tmp_path / "r.json"
    result.write_text(whorl("check", BROKEN, "--json").out, encoding="utf-8")
    refused = whorl("view", result, "--explain", "--no-open")
    assert refused.status == 2
    assert "hint: give --explain to the `whorl check --json`" in refused.err
