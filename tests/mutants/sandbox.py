"""A copy of the repository in which a mutant lives while tests are run on it."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from compileall import compile_dir
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from mutants.catalogue import ROOT, Mutant

PYTEST = (sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider")
KILLED = re.compile(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", re.MULTILINE)
REFUSED = re.compile(r"\.[ch]:\d+:\d+: error: |SyntaxError|IndentationError")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run of tests said of what it ran on.

    `killer` is the test that failed first. `broken`: what was run is no program at all.
    """

    killer: str | None = None
    late: bool = False  # the time was over
    broken: bool = False
    output: str = ""


class Sandbox:
    """A copy of all files of the repository, without what is ignored."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "whorl"
        self.work = folder / "work"  # for temporary files, and for verifiers: not the user's
        self.work.mkdir(parents=True)
        self.process: subprocess.Popen[bytes] | None = None  # the tests that run now
        listed = ("git", "ls-files", "--cached", "--others", "--exclude-standard", "-z")
        names = subprocess.run(listed, cwd=ROOT, capture_output=True, check=True).stdout
        for name in names.decode().split("\0"):
            if name and (ROOT / name).is_file():
                (self.root / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, self.root / name)
        for part in ("src", "tests"):
            compile_dir(self.root / part, quiet=2, workers=1)
        said = "import whorl; print(whorl.__file__)"
        run = subprocess.run(
            (sys.executable, "-c", said), env=self.environment(), capture_output=True, check=True
        )
        assert str(self.root) in run.stdout.decode(), "another whorl is tested"

    def environment(self) -> dict[str, str]:
        return {
            **os.environ,
            "PYTHONPATH": f"{self.root / 'src'}{os.pathsep}{self.root / 'tests'}",
            # What is compiled once (see `planted`) must stay.
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONHASHSEED": "0",
            "TMPDIR": str(self.work),
            "WHORL_CACHE": str(self.work / "verifiers"),
        }

    @contextmanager
    def planted(self, mutant: Mutant) -> Iterator[None]:
        """Plants a mutant for a while.

        It may be as long as what it replaces, and be made within the same second; then Python would
        take what is compiled for what is written. So the file is never compiled ahead again.
        """
        path = self.root / mutant.file
        for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*.pyc"):
            compiled.unlink()
        text = path.read_text(encoding="utf-8")
        path.write_text(mutant.planted_in(text), encoding="utf-8")
        try:
            yield
        finally:
            path.write_text(text, encoding="utf-8")

    def test(self, tests: Sequence[str], seconds: float) -> Outcome:
        """Runs tests up to the first that fails."""
        process = self.process = subprocess.Popen(
            (*PYTEST, *tests),
            cwd=self.root,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            process_group=0,
        )
        try:
            said, _ = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            return Outcome(late=True)
        finally:
            self.stop()
            process.wait()
            self.process = None
            shutil.rmtree(self.work, ignore_errors=True)
            self.work.mkdir(exist_ok=True)
        output = said.decode("utf-8", "replace")
        if process.returncode in (0, 4, 5):  # passed; or there are no such tests any more
            return Outcome(output=output)
        found = KILLED.search(output)
        broken = REFUSED.search(output) is not None or process.returncode != 1 or found is None
        return Outcome(found[1] if found else "pytest itself", broken=broken, output=output)

    def stop(self) -> None:
        """Ends the tests that run, and all that they have started."""
        if self.process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)


@contextmanager
def sandboxes(count: int) -> Iterator[list[Sandbox]]:
    with tempfile.TemporaryDirectory(prefix="whorl-mutants-") as folder:
        yield [Sandbox(Path(folder) / str(number)) for number in range(count)]
