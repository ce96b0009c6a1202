"""The server over the real protocol: `whorl lsp` as a process, and what an editor sends."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.lsp_client import AnswerError, Client

EXAMPLES = Path(__file__).parents[2] / "examples"
LIGHT = EXAMPLES / "traffic_light.pml"
SLOW = """byte a, b, c, d, e;
active [4] proctype P() {
    do :: a++ :: b++ :: c++ :: d++ :: e++ od
}
ltl never_so { [] !(a == 255 && b == 255 && c == 255 && d == 255 && e == 254) }
"""


@pytest.fixture
def client() -> Iterator[Client]:
    with Client() as started:
        started.initialize()
        yield started


def applied(text: str, edits: list[dict[str, Any]]) -> str:
    """A text after an editor's edits, all on lines of ASCII."""
    lines = text.splitlines(keepends=True)
    starts = [sum(map(len, lines[:n])) for n in range(len(lines) + 1)]

    def place(position: dict[str, int]) -> int:
        return starts[position["line"]] + position["character"]

    for edit in sorted(edits, key=lambda e: -place(e["range"]["start"])):
        start, end = place(edit["range"]["start"]), place(edit["range"]["end"])
        text = text[:start] + edit["newText"] + text[end:]
    return text


def test_a_session(tmp_path: Path) -> None:
    text = LIGHT.read_text(encoding="utf-8")
    wrong = text.replace("bool pressed;", "bool presed;")
    uri = (tmp_path / "light.pml").as_uri()
    with Client() as client:
        offered = client.initialize(tmp_path)["capabilities"]
        assert offered["hoverProvider"]
        assert offered["renameProvider"] == {"prepareProvider": True}

        (error,) = client.open(uri, wrong)
        assert error["message"].startswith("unknown variable 'pressed'")
        assert "hint: did you mean 'presed'?" in error["message"]
        assert error["severity"] == 1
        assert error["range"]["start"] == {"line": 23, "character": 8}
        assert error["range"]["end"] == {"line": 23, "character": 15}
        assert client.change(uri, text) == []

        hover = client.at("hover", uri, text, "pressed;")
        assert "bool pressed" in hover["contents"]["value"]
        (definition,) = client.at("definition", uri, text, "pressed = true")
        assert definition["range"]["start"] == {"line": 19, "character": 5}
        places = client.at(
            "references", uri, text, "pressed;", context={"includeDeclaration": True}
        )
        assert len(places) == 6
        edit = client.at("rename", uri, text, "pressed;", newName="pushed")
        renamed = applied(text, edit["changes"][uri])
        assert renamed.count("pushed") == 6
        assert "bool pressed" not in renamed
        with pytest.raises(AnswerError, match="already the name of a variable"):
            client.at("rename", uri, text, "pressed;", newName="cars")
        with pytest.raises(AnswerError, match="a word of Promela"):
            client.at("prepareRename", uri, text, "proctype")

        symbols = client.request("textDocument/documentSymbol", textDocument={"uri": uri})
        assert [s["name"] for s in symbols if s["kind"] == 5] == ["controller", "button"]
        assert len(client.at("documentHighlight", uri, text, "pressed;")) == 6
        labels = {item["label"] for item in client.at("completion", uri, text, "pressed ->")}
        assert {"pressed", "cars", "atomic"} <= labels
        assert client.request("textDocument/foldingRange", textDocument={"uri": uri})
        assert client.leave() == 0


def test_formatting(client: Client) -> None:
    text = "init   {\nbyte x;\n x=1 ;\n}\n"
    client.open("untitled:one", text)
    edits = client.request(
        "textDocument/formatting",
        textDocument={"uri": "untitled:one"},
        options={"tabSize": 4, "insertSpaces": True},
    )
    assert applied(text, edits) == "init {\n    byte x;\n    x = 1;\n}\n"


def test_the_lens_checks_a_formula_and_shows_its_trace(client: Client) -> None:
    uri = LIGHT.as_uri()
    client.open(uri, LIGHT.read_text(encoding="utf-8"))
    lenses = client.request("textDocument/codeLens", textDocument={"uri": uri})
    titles = [lens["command"]["title"] for lens in lenses]
    assert titles[:3] == ["check model", "check safe", "check response"]
    command = lenses[2]["command"]
    found = client.request(
        "workspace/executeCommand", command=command["command"], arguments=command["arguments"]
    )
    assert found["verdict"] == "violated"
    page = Path(found["page"].removeprefix("file://"))
    assert "</html>" in page.read_text(encoding="utf-8")
    assert client.wait_for("window/showDocument")["uri"] == found["page"]
    assert "response: violated" in client.wait_for("window/showMessage")["message"]
    (said,) = client.diagnostics(uri)
    assert said["source"] == "whorl check"
    assert said["range"]["start"]["line"] == lenses[2]["range"]["start"]["line"]
    holds = client.request(
        "workspace/executeCommand", command="whorl.check", arguments=[uri, "safe"]
    )
    assert (holds["verdict"], holds["page"]) == ("holds", None)
    assert client.leave() == 0
    assert not page.exists()


def test_what_is_checked_is_the_text_in_the_editor(client: Client, tmp_path: Path) -> None:
    model, header = tmp_path / "m.pml", tmp_path / "limit.h"
    model.write_text('#include "limit.h"\nactive proctype P() { assert(LIMIT < 5) }\n', "utf-8")
    header.write_text("#define LIMIT 9\n", "utf-8")
    client.open(header.as_uri(), "#define LIMIT 1\n")
    client.open(model.as_uri(), model.read_text(encoding="utf-8"))
    ask = {"command": "whorl.check", "arguments": [model.as_uri()]}
    assert client.request("workspace/executeCommand", **ask)["verdict"] == "holds"
    client.change(header.as_uri(), "#define LIMIT 7\n")
    assert client.request("workspace/executeCommand", **ask)["verdict"] == "violated"


def test_a_request_to_check_can_be_cancelled(tmp_path: Path) -> None:
    uri = (tmp_path / "slow.pml").as_uri()
    with Client() as client:
        client.initialize(timeout=600)
        client.open(uri, SLOW)
        ask = {"command": "whorl.check", "arguments": [uri, "never_so"]}
        number = client.start("workspace/executeCommand", ask)
        time.sleep(3)  # it is searching by now, or still compiling: either must end
        client.notify("$/cancelRequest", id=number)
        with pytest.raises(AnswerError):
            client.answer(number)
        assert client.leave() == 0


def test_a_check_can_be_cancelled_by_its_progress(tmp_path: Path) -> None:
    uri = (tmp_path / "slow.pml").as_uri()
    with Client() as client:
        client.initialize(timeout=600)
        client.open(uri, SLOW)
        ask = {"command": "whorl.check", "arguments": [uri, "never_so"]}
        number = client.start("workspace/executeCommand", ask)
        begun = client.wait_for("$/progress")
        assert begun["value"]["title"] == "checking never_so"
        client.notify("window/workDoneProgress/cancel", token=begun["token"])
        assert client.answer(number)["summary"] == "the check was cancelled"
        assert client.wait_for("$/progress", token=begun["token"])["value"]["kind"] == "end"


def test_a_check_that_is_asked_for_again_takes_the_place_of_the_first(tmp_path: Path) -> None:
    uri = (tmp_path / "slow.pml").as_uri()
    with Client() as client:
        client.initialize(timeout=600)
        client.open(uri, SLOW)
        ask = {"command": "whorl.check", "arguments": [uri, None]}
        first = client.start("workspace/executeCommand", ask)
        client.wait_for("$/progress")
        client.start("workspace/executeCommand", ask)
        assert client.answer(first)["verdict"] == "inconclusive"
        assert client.leave() == 0  # which ends the second


def test_the_time_limit_of_a_check(tmp_path: Path) -> None:
    uri = (tmp_path / "slow.pml").as_uri()
    with Client() as client:
        client.initialize(timeout=0.5)
        client.open(uri, SLOW)
        found = client.request(
            "workspace/executeCommand", command="whorl.check", arguments=[uri, "never_so"]
        )
        assert found["verdict"] == "inconclusive"


def test_errors_in_a_header_are_shown_there(client: Client, tmp_path: Path) -> None:
    model, header = tmp_path / "m.pml", tmp_path / "part.h"
    header.write_text("inline up() { n = n + 1 }\nbyte bad = ;\n", "utf-8")
    text = '#include "part.h"\nbyte n;\nactive proctype P() { up() }\n'
    model.write_text(text, "utf-8")
    assert client.open(model.as_uri(), text) == []
    (error,) = client.diagnostics(header.as_uri())
    assert error["range"]["start"]["line"] == 1
    # Open, it is a part of the model, and its own text counts.
    assert client.open(header.as_uri(), "inline up() { n = n + 1 }\n") == []
    assert client.change(header.as_uri(), "inline up() { m = m + 1 }\n")[0]["message"].startswith(
        "unknown variable 'm'"
    )


def test_names_across_files(tmp_path: Path) -> None:
    header, one, other = tmp_path / "common.h", tmp_path / "one.pml", tmp_path / "two.pml"
    header.write_text("byte shared;\n", "utf-8")
    one.write_text('#include "common.h"\ninit { shared = 1 }\n', "utf-8")
    other.write_text('#include "common.h"\ninit { shared = 2 }\n', "utf-8")
    with Client() as client:
        client.initialize(tmp_path)
        text = header.read_text(encoding="utf-8")
        client.open(header.as_uri(), text)
        edit = client.at("rename", header.as_uri(), text, "shared", newName="common")
        everywhere = {header.as_uri(), one.as_uri(), other.as_uri()}
        assert set(edit["changes"]) == everywhere
        text = one.read_text(encoding="utf-8")
        client.open(one.as_uri(), text)
        edit = client.at("rename", one.as_uri(), text, "shared", newName="common")
        assert set(edit["changes"]) == everywhere
        for declared, files in ((True, everywhere), (False, {one.as_uri(), other.as_uri()})):
            found = client.at(
                "references", one.as_uri(), text, "shared", context={"includeDeclaration": declared}
            )
            assert sorted(place["uri"] for place in found) == sorted(files)
        other.write_text('#include "common.h"\nbyte common;\ninit { shared = common }\n', "utf-8")
        client.notify("textDocument/didSave", textDocument={"uri": header.as_uri()})
        with pytest.raises(AnswerError, match="already the name"):
            client.at("rename", one.as_uri(), text, "shared", newName="common")


def test_what_is_closed_is_cleared(client: Client) -> None:
    assert client.open("untitled:one", "byte x = ;") != []
    client.notify("textDocument/didClose", textDocument={"uri": "untitled:one"})
    assert client.diagnostics("untitled:one") == []


def test_positions_are_counted_in_utf_16(client: Client) -> None:
    text = "/* 😀 */ byte here; init { here = 1 }\n"
    client.open("untitled:one", text)
    (place,) = client.at("definition", "untitled:one", text, "here =")
    assert place["range"]["start"] == {"line": 0, "character": 14}


def test_malformed_requests_are_answered_and_survived(client: Client) -> None:
    client.send_raw(b"{ this is no JSON")
    client.send({"id": 99, "method": "textDocument/hover", "params": {"nothing": 1}})
    with pytest.raises(AnswerError):
        client.answer(99)
    with pytest.raises(AnswerError, match="is not open"):
        client.at("hover", "file:///nowhere.pml", "x", "x")
    with pytest.raises(AnswerError):
        client.request("no/such/method")
    with pytest.raises(AnswerError):
        client.request("workspace/executeCommand", command="whorl.check", arguments=[])
    client.open("untitled:one", "init { skip }")
    far = {"line": 10_000, "character": 10_000}
    ask = {"textDocument": {"uri": "untitled:one"}, "position": far}
    assert client.request("textDocument/hover", **ask) is None
    client.change("untitled:one", "init { ")
    with pytest.raises(AnswerError, match="has errors"):
        client.request(
            "workspace/executeCommand", command="whorl.check", arguments=["untitled:one"]
        )
    assert client.leave() == 0


def test_an_editor_that_is_gone_ends_the_server(client: Client) -> None:
    assert client.process.stdin is not None
    client.process.stdin.close()
    assert client.process.wait(60) == 1


def test_over_tcp() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen([sys.executable, "-m", "whorl", "lsp", "--tcp", str(port)])
    try:
        for _ in range(300):
            try:
                editor = socket.create_connection(("127.0.0.1", port), 60)
                break
            except OSError:
                time.sleep(0.1)
        with editor:
            body = b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}'
            editor.sendall(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
            assert b"hoverProvider" in editor.recv(65536)
    finally:
        server.kill()
        server.wait(60)
