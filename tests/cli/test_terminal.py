"""Streams that the command line writes to: what they can show, and what happens when they fail."""

from __future__ import annotations

import io

import pytest

from whorl.cli.terminal import OutputStream, Terminal, is_live
from whorl.trace.style import ASCII, UNICODE


class Stream(io.StringIO):
    """A stream with an encoding of its own, that may be a terminal, and may fail."""

    def __init__(
        self, encoding: str = "utf-8", tty: bool = False, fails: Exception | None = None
    ) -> None:
        super().__init__()
        self.named = encoding
        self.tty = tty
        self.fails = fails

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self.named

    def isatty(self) -> bool:
        return self.tty

    def write(self, text: str) -> int:
        if self.fails is not None:
            raise self.fails
        return super().write(text)


def test_symbols_that_the_stream_can_show() -> None:
    assert OutputStream(Stream()).style.symbols == UNICODE
    assert OutputStream(Stream("ascii")).style.symbols == ASCII
    assert OutputStream(Stream("no such encoding")).style.symbols == ASCII
    assert OutputStream(None).style.symbols == UNICODE


def test_what_it_cannot_show_is_escaped() -> None:
    stream = Stream("ascii")
    OutputStream(stream).line("→ é")
    assert stream.getvalue() == "\\u2192 \\xe9\n"


def test_control_characters_are_not_written() -> None:
    stream = Stream()
    out = OutputStream(stream, "always")
    out.line(f"a\x1b[2Jb {out.style.paint('c', 'good')}")
    assert stream.getvalue() == "a�[2Jb \x1b[32mc\x1b[0m\n"
    plain = Stream()
    OutputStream(plain, "never").line("\x1b[32mc\x1b[0m")
    assert "\x1b" not in plain.getvalue()
    raw = Stream()
    OutputStream(raw).write("\x07")
    assert raw.getvalue() == "\x07"


@pytest.mark.parametrize(
    ("tty", "term", "no_color", "asked", "colour"),
    [
        (True, "xterm", "", "auto", True),
        (True, "xterm", "1", "auto", False),
        (True, "dumb", "", "auto", False),
        (True, "", "", "auto", False),
        (False, "xterm", "", "auto", False),
        (False, "xterm", "1", "always", True),
        (True, "xterm", "", "never", False),
    ],
)
def test_colours(
    tty: bool, term: str, no_color: str, asked: str, colour: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", term)
    monkeypatch.setenv("NO_COLOR", no_color)
    stream = Stream(tty=tty)
    assert OutputStream(stream, asked).style.color == colour
    assert is_live(stream) == (tty and term == "xterm")
    assert not is_live(None)


@pytest.mark.parametrize(
    ("fails", "lost"),
    [
        (OSError(28, "No space left on device"), "No space left on device"),
        (ValueError("I/O operation on closed file"), "I/O operation on closed file"),
        (BrokenPipeError(), None),
    ],
)
def test_a_stream_that_fails_is_given_up(fails: Exception, lost: str | None) -> None:
    stream = Stream(fails=fails)
    out = OutputStream(stream)
    out.line("a")
    assert (out.closed, out.lost) == (True, lost)
    stream.fails = None
    out.line("b")
    out.flush()
    assert stream.getvalue() == ""


def test_a_closed_stream() -> None:
    out = OutputStream(None)
    out.flush()
    assert not out.closed
    out.write("")
    assert not out.closed
    out.line("a")
    assert (out.closed, out.lost) == (True, "it is closed")


@pytest.mark.parametrize(
    ("lost", "status", "left"),
    [(None, 0, 0), (None, 3, 3), ("full", 0, 2), ("full", 3, 2), ("full", 1, 1), ("full", 4, 4)],
)
def test_the_status_of_a_result_that_could_not_be_written(
    lost: str | None, status: int, left: int
) -> None:
    terminal = Terminal()
    err = Stream()
    terminal.out, terminal.err = OutputStream(Stream()), OutputStream(err, "never")
    terminal.verdict = "what was found"
    if lost is not None:
        terminal.out.abandon(lost)
    assert terminal.finish(status) == left
    assert ("what was found" in err.getvalue()) == (lost is not None)
    assert ("cannot write to standard output: full" in err.getvalue()) == (lost is not None)


@pytest.mark.parametrize(("json", "heard"), [(False, True), (True, False)])
def test_an_error_is_heard_on_standard_output_if_need_be(json: bool, heard: bool) -> None:
    terminal = Terminal(json=json)
    out = Stream()
    terminal.out, terminal.err = OutputStream(out), OutputStream(Stream(fails=OSError(5, "gone")))
    terminal.error("what is wrong")
    assert ("what is wrong" in out.getvalue()) == heard
