"""`--watch`: a check for each change of a file that counts, and none without one."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from whorl.cli.main import make_parser
from whorl.cli.watch import PAUSE, contents

HOLDS = '#include "part.h"\nactive proctype p() { assert(GOOD) }\n'
PATIENCE = 30.0  # seconds, and none of them is waited for where all is well


class Watching:
    """`whorl check --watch` in a terminal of its own."""

    def __init__(self, *words: str | Path) -> None:
        self.terminal, inner = pty.openpty()
        command = [sys.executable, "-m", "whorl", "check", "--watch", "--engine", "reference"]
        self.process = subprocess.Popen(
            [*command, *map(str, words)],
            stdin=inner,
            stdout=inner,
            stderr=inner,
            env=dict(os.environ) | {"TERM": "dumb", "PYTHONIOENCODING": "utf-8"},
            start_new_session=True,
        )
        os.close(inner)
        self.text = ""

    def read_until(self, wanted: str) -> str:
        """What it prints up to a text that is on its way."""
        end = time.monotonic() + PATIENCE
        while wanted not in self.text:
            left = end - time.monotonic()
            assert left > 0, f"no {wanted!r} in {self.text!r}"
            if select.select([self.terminal], [], [], left)[0]:
                self.text += os.read(self.terminal, 4096).decode("utf-8", "replace")
        before, _, self.text = self.text.partition(wanted)
        return before

    def next_check(self) -> str:
        """The next report, up to the line that it waits again."""
        return self.read_until("Ctrl-C ends it")

    def is_still(self) -> bool:
        """Whether it prints nothing for a while."""
        self.read_until("\n")  # the rest of the last line
        return not self.text and not select.select([self.terminal], [], [], 5 * PAUSE)[0]

    def end(self, number: int = signal.SIGINT) -> int:
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.terminal)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    (tmp_path / "part.h").write_text("#define GOOD true\n")
    path = tmp_path / "m.pml"
    path.write_text(HOLDS)
    return path


@pytest.fixture
def watching(model: Path) -> Iterator[Watching]:
    started = Watching(model)
    yield started
    started.close()


def test_changes_of_the_model_and_of_headers(watching: Watching, model: Path) -> None:
    first = watching.next_check()
    assert "m.pml: holds" in first
    assert re.search(r"─ \d\d:\d\d:\d\d ─", first)
    assert "watching 2 files" in first
    (model.parent / "part.h").write_text("#define GOOD false\n")
    assert "m.pml: violated" in watching.next_check()
    model.write_text(HOLDS[:-8])  # half saved
    assert "error:" in watching.next_check()
    model.unlink()
    assert "cannot read" in watching.next_check()
    model.write_text(HOLDS)
    assert "m.pml: violated" in watching.next_check()
    assert watching.end() == 1


def test_a_header_that_comes_later(watching: Watching, model: Path) -> None:
    watching.next_check()
    (model.parent / "part.h").unlink()
    assert "cannot read the header" in watching.next_check()
    os.utime(model)
    assert watching.is_still()  # it was touched, and is the same
    (model.parent / "part.h").write_text("#define GOOD true\n")
    assert "m.pml: holds" in watching.next_check()
    assert watching.end(signal.SIGTERM) == 0


def test_a_folder_and_its_new_models(model: Path) -> None:
    watching = Watching(model.parent, "-q")
    try:
        assert "1 model: 1 holds" in watching.next_check()
        (model.parent / "n.pml").write_text("init { assert(false) }")
        assert "2 models: 1 holds, 1 violated" in watching.next_check()
        assert watching.end() == 1
    finally:
        watching.close()


def test_what_is_watched(model: Path, tmp_path: Path) -> None:
    words = ["check", str(model), "--hoa", "a.hoa", "-I", str(tmp_path / "more"), "-D", "N=1..2"]
    arguments = make_parser().parse_args(words)
    model.write_text('#if N == 2\n#include "two.h"\n#endif\n#include "one.h"\ninit { skip }')
    found = contents(arguments)
    assert found[model] is not None
    assert found[Path("a.hoa")] is None
    names = {str(path.relative_to(tmp_path)) for path in found if path.is_absolute()}
    assert names == {"m.pml", "one.h", "two.h", "more/one.h", "more/two.h"}


def test_refused(model: Path) -> None:
    for words, said in (
        (["-"], "--watch does not go with standard input"),
        ([str(model), "--emit-c", "c"], "--watch does not go with --emit-c"),
    ):
        ran = subprocess.run(
            [sys.executable, "-m", "whorl", "check", "--watch", *words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE,
        )
        assert ran.returncode == 2
        assert said in ran.stderr
