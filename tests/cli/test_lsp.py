"""`whorl lsp`: what it says when it cannot serve. tests/language_server speaks with it."""

from __future__ import annotations

import socket
import sys

import pytest

from whorl.cli.main import main


def test_without_pygls(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for name in [name for name in sys.modules if name.startswith("whorl.language_server")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pygls.lsp.server", None)
    monkeypatch.setitem(sys.modules, "pygls", None)
    assert main(["lsp"]) == 2
    said = capsys.readouterr().err
    assert "needs the package pygls" in said
    assert "pip install 'whorl[lsp]'" in said


@pytest.mark.parametrize("port", ["0", "65536", "x", "-1"])
def test_no_port(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lsp", "--tcp", port]) == 2
    assert "argument --tcp" in capsys.readouterr().err


def test_both_ways(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lsp", "--stdio", "--tcp", "4000"]) == 2
    assert "do not go together" in capsys.readouterr().err


def test_a_port_that_is_taken(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        assert main(["lsp", "--tcp", str(taken.getsockname()[1])]) == 2
    assert "cannot serve on port" in capsys.readouterr().err
