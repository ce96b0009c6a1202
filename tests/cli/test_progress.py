"""The live line: what it says, and when it is drawn."""

from __future__ import annotations

import io

import pytest

from whorl.cli.progress import ProgressLine, progress_text
from whorl.cli.terminal import OutputStream
from whorl.search.limits import Progress


@pytest.mark.parametrize(
    ("progress", "says"),
    [
        (Progress(doing="compiling"), "compiling"),
        (Progress(about="p (2 of 5)", doing="compiling"), "p (2 of 5): compiling"),
        (Progress(about="p (2 of 5)"), "p (2 of 5): searching"),
        (Progress(7, 9, 3, about="p (2 of 5)"), "p (2 of 5): 7 states, 9 transitions, depth 3, "),
        (Progress(7, 9, 3), "7 states, 9 transitions, depth 3, "),
    ],
)
def test_what_it_says(progress: Progress, says: str) -> None:
    assert progress_text(progress, 1 << 20).startswith(says)


def test_what_takes_long_is_said_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures are not: a search that ends in a moment shows none."""
    monkeypatch.setattr("whorl.cli.progress.is_live", lambda stream: True)
    stream = io.StringIO()
    line = ProgressLine(OutputStream(stream))
    line(Progress(1))
    assert stream.getvalue() == ""
    line(Progress(doing="compiling"))
    assert "compiling" in stream.getvalue()


def test_nothing_is_said_to_a_pipe() -> None:
    stream = io.StringIO()
    ProgressLine(OutputStream(stream))(Progress(doing="compiling"))
    assert stream.getvalue() == ""
