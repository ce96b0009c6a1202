"""`whorl explore`: where it listens, how it begins and ends, what it refuses."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
BROKEN = EXAMPLES / "peterson_broken.pml"
PETERSON = EXAMPLES / "peterson.pml"

Run = Callable[..., Any]


@contextmanager
def started(*words: str | Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`whorl explore` as a process, with the first line that it prints."""
    command = [sys.executable, "-m", "whorl", "explore", "--no-browser", *map(str, words)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            yield process, process.stdout.readline()
        finally:
            process.kill()


def address_of(line: str) -> str:
    found = re.search(r"http://127\.0\.0\.1:\d+/[\w-]{32,}/$", line.strip())
    assert found is not None, line
    return found[0]


def begun(address: str) -> Any:
    """What the page has from the beginning."""
    with urlopen(address, timeout=20) as answer:
        text = answer.read().decode()
    (data,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', text)
    return json.loads(data)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_serves_until_it_is_told_to_end(number: signal.Signals) -> None:
    with started(PETERSON) as (process, line):
        address = address_of(line)
        assert begun(address)["model"] == str(PETERSON)
        asked = Request(f"{address}state", b'{"choices": []}', {"Content-Type": "application/json"})
        with urlopen(asked, timeout=20) as answer:
            assert len(json.load(answer)["enabled"]) == 2
        process.send_signal(number)
        assert process.wait(20) == 0
        assert process.stderr is not None
        assert process.stderr.read() == ""


def test_json_has_the_address() -> None:
    with started(PETERSON, "--json") as (process, line):
        said = json.loads(line)
        assert said["model"] == str(PETERSON)
        assert begun(address_of(said["address"]))["start"]["choices"] == []
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0


def test_a_port_that_is_given() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        number = free.getsockname()[1]
    with started(PETERSON, "--port", str(number)) as (_, line):
        assert f":{number}/" in address_of(line)


def test_a_port_that_is_taken(whorl: Run) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        found = whorl("explore", "--no-browser", PETERSON, "--port", str(taken.getsockname()[1]))
    assert found.status == 2
    assert "cannot listen on 127.0.0.1, port" in found.err
    assert "hint: another --port may be free" in found.err
    assert found.out == ""


@pytest.mark.parametrize("number", ["-1", "65536", "http", "1e3", "٣"])
def test_what_is_no_port(whorl: Run, number: str) -> None:
    found = whorl("explore", PETERSON, f"--port={number}")
    assert found.status == 2
    assert "is no port" in found.err


def test_a_bad_model(whorl: Run, write: Run) -> None:
    found = whorl("explore", "--no-browser", write("active proctype p() { x = 1 }"))
    assert found.status == 2
    assert "model.pml:1:23: error:" in found.err


def test_embedded_c_has_to_be_allowed(whorl: Run, write: Run) -> None:
    found = whorl("explore", "--no-browser", write("active proctype p() { c_code { ; } }"))
    assert found.status == 2
    assert "--allow-embedded-c" in found.err


def choices_at_start(*words: str | Path) -> tuple[int, Any]:
    with started(*words) as (_, line):
        start = begun(address_of(line))["start"]
        return len(start["choices"]), start["trace"]


def test_a_trail_of_whorl(whorl: Run, tmp_path: Path) -> None:
    trail = tmp_path / "it.trail"
    assert whorl("check", BROKEN, "--trail", trail).status == 1
    count, trace = choices_at_start(BROKEN, "--trail", trail)
    assert count == len(json.loads(trail.read_text())["choices"])
    assert trace["kind"] == "assertion"


def test_a_result(whorl: Run, tmp_path: Path) -> None:
    result = tmp_path / "result.json"
    result.write_text(whorl("check", "--json", BROKEN).out)
    steps = json.loads(result.read_text())["trace"]["steps"]
    count, trace = choices_at_start(BROKEN, "--trail", result)
    assert (count, trace["kind"]) == (len(steps), "assertion")
    assert [step["text"] for step in trace["steps"]] == [step["text"] for step in steps]


def test_a_result_with_atomic_sequences(whorl: Run, tmp_path: Path) -> None:
    """Steps that only pass control on are not in it, and have to be found."""
    model = EXAMPLES / "raft.pml"
    result = tmp_path / "result.json"
    result.write_text(whorl("check", "--json", model).out)
    steps = json.loads(result.read_text())["trace"]["steps"]
    count, trace = choices_at_start(model, "--trail", result)
    assert count >= len(steps) == len(trace["steps"])


def test_a_trail_of_spin(write: Run) -> None:
    model = write("byte x; active proctype p() { x = 1; assert(x == 0) }")
    trail = write("1:0:0\n2:0:1\n", "model.pml.trail")
    count, trace = choices_at_start(model, "--trail", trail)
    assert (count, trace["kind"]) == (2, "assertion")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{}", "is no trail of whorl"),
        ('{"verdict": "holds", "trace": null, "defines": {}}', "has no counterexample"),
        ('{"verdict": "violated", "defines": {}, "trace": {"steps": [{"number": 1}]}}', "step 1"),
        ('{"verdict": "violated", "defines": {}, "trace": {"steps": [7]}}', "step 1"),
    ],
)
def test_files_that_are_no_path(whorl: Run, write: Run, text: str, said: str) -> None:
    found = whorl("explore", "--no-browser", PETERSON, "--trail", write(text, "it"))
    assert found.status == 2
    assert said in found.err


def test_a_trail_of_another_model(whorl: Run, tmp_path: Path) -> None:
    trail = tmp_path / "it.trail"
    assert whorl("check", BROKEN, "--trail", trail).status == 1
    found = whorl("explore", "--no-browser", EXAMPLES / "retry.pml", "--trail", trail)
    assert found.status == 2
    assert "no path of the model" in found.err


def test_a_saved_path_is_one_that_others_read(whorl: Run, tmp_path: Path) -> None:
    with started(PETERSON) as (_, line):
        address = address_of(line)

        def ask(question: str, body: Any) -> Any:
            data = json.dumps(body).encode()
            asked = Request(address + question, data, {"Content-Type": "application/json"})
            with urlopen(asked, timeout=20) as answer:
                return json.load(answer)

        step = ask("state", {"choices": []})["enabled"][0]
        shared = ask("share", {"choices": step["choices"], "as": "trail"})
    trail = tmp_path / shared["name"]
    trail.write_text(shared["text"])
    simulated = whorl("simulate", PETERSON, "--trail", trail)
    assert simulated.status == 0
    assert "Stopped after 1 step: the trail ends here" in simulated.out
    assert whorl("view", trail, "--no-open", "-o", tmp_path / "it.html").status == 0
    assert choices_at_start(PETERSON, "--trail", trail)[0] == 1


def test_formulas_beside_the_model() -> None:
    with started(PETERSON, "--ltl", "[] (inside < 2)") as (_, line):
        data = begun(address_of(line))
    assert [formula["text"] for formula in data["formulas"]] == ["[] (inside < 2)"]
    assert data["start"]["trace"]["truth"] == [[True]]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")
def test_where_the_address_cannot_be_said_there_is_no_server() -> None:
    command = [sys.executable, "-m", "whorl", "explore", "--no-browser", str(PETERSON)]
    with open("/dev/full", "w") as full:
        found = subprocess.run(
            command, stdout=full, stderr=subprocess.PIPE, text=True, timeout=30, env=os.environ
        )
    assert found.returncode == 2
    assert "cannot write to standard output" in found.stderr
