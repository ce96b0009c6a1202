"""Spin as an oracle: the figures and verdict of its exhaustive search, read from what pan prints.

The search is the plainest that Spin has, so that another checker can agree with it state by state:

* `spin -o1 -o2 -o3 -a` turns off dataflow optimisation, the clearing of dead variables, and the
  merging of statements into one transition;
* `-DNOREDUCE` turns off partial-order reduction, `-DSAFETY` leaves out the search for cycles, and
  `-DNOCLAIM` a never claim or ltl formula of the model;
* `pan -c0` goes on after an error. It prints an error when its text differs from that of the error
  before, so every distinct text appears at least once. (`-e` adds no text, only a trail file an
  error.) `-n` leaves out the list of unreached statements.

What it costs: 0.02 s in spin, 0.22 s in `cc -O0` (0.55 s with -O1, which a model of 100 000 states
does not win back), and 0.02 s in pan for a small model. `-w20` matters: the default hash table of
128 MB takes longer to clear than most models take to search.
"""

from __future__ import annotations

import contextlib
import re
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

PLAIN_TRANSLATION = ("-o1", "-o2", "-o3")
COMPILE = ("cc", "-O0", "-pipe", "-w", "-DNOREDUCE", "-DMEMLIM=2000")


_WRONG = (
    "acceptance cycle",
    "non-progress cycle",
    "end state in claim reached",
    "assertion violated",
)
_FIRST_PROCESS = "(:root:) creates proc"


class SpinRejects(Exception):
    """Spin finds an error in the model; the text is Spin's."""


class SpinCompileError(Exception):
    """The C compiler refuses what Spin generated; the text is the compiler's."""


class SpinAborts(Exception):
    """pan ended without figures, as it does when a model divides by zero; the text is pan's."""


@dataclass(frozen=True)
class SpinResult:
    """What pan reports. Beyond eight digits its counts are rounded, and so are these."""

    states: int  # "states, stored"
    matched: int
    transitions: int  # stored + matched: the initial state counts as one
    atomic_steps: int
    errors: int  # occurrences, so often more than there are texts in `violations`
    depth: int
    violations: frozenset[str]
    complete: bool
    seconds: float  # CPU time of pan alone, without translation and compilation
    output: str


def full_search(
    model: Path | str,
    *,
    args: Sequence[str] = (),
    noclaim: bool = True,
    merge: bool = False,
    reduce: bool = False,
    collapse: bool = False,
    max_depth: int = 200_000,
    timeout: float = 60,
) -> SpinResult:
    """Spin's exhaustive, unreduced safety search of a file (a Path) or of a source text (a str).

    `args` go to spin before the model: `-DN=3`, say. `merge` keeps Spin's own default translation,
    with its merged statements; `reduce` its partial-order reduction; `collapse` stores states in
    parts, which takes less memory. A search that runs past `timeout` seconds is stopped, and its
    figures so far are given as incomplete.
    """
    with _model_in_scratch_folder(model) as (file, folder):
        _translate(file, folder, args, merge)
        flags = ["-DSAFETY"]
        flags += ["-DNOCLAIM"] if noclaim else []
        flags += ["-UNOREDUCE"] if reduce else []
        flags += ["-DCOLLAPSE"] if collapse else []
        _compile(flags, folder)
        return _search([f"-m{max_depth}"], folder, timeout)


def safe_locations(model: Path | str) -> dict[tuple[str, int], bool]:
    """Whether pan takes each location of each process type for safe, as `pan -d` prints it."""
    found: dict[tuple[str, int], bool] = {}
    with _model_in_scratch_folder(model) as (file, folder):
        _translate(file, folder, ())
        _compile(["-DNOCLAIM", "-UNOREDUCE"], folder)
        command = ["./pan", "-d"]
        printed = subprocess.run(command, cwd=folder, capture_output=True, text=True).stdout
    name: str | None = None
    for line in printed.splitlines():
        if head := re.match(r"(proctype|init|claim|trace|notrace)\b ?(\w*)", line):
            name = {"proctype": head[2], "init": ":init:"}.get(head[1])
        elif name and (row := re.match(r"\s+state\s+(\d+) -.* \[.{4}([LG])\]", line)):
            found.setdefault((name, int(row[1])), row[2] == "L")  # the first one decides
    return found


def cycle_searches(
    model: Path | str,
    *,
    non_progress: bool = False,
    args: Sequence[str] = (),
    max_depth: int = 200_000,
    timeout: float = 60,
) -> tuple[SpinResult, SpinResult]:
    """Spin's unreduced search for cycles, without weak fairness and with it (`-f`).

    Acceptance cycles (`pan -a`), with the model's claim if it has one, or non-progress cycles
    (`pan -l`).
    """
    with _model_in_scratch_folder(model) as (file, folder):
        _translate(file, folder, args)
        # NFAIR: with 2, the default, pan -f takes six processes.
        _compile(["-DNFAIR=8", *(["-DNP"] if non_progress else [])], folder)
        options = [f"-m{max_depth}", "-l" if non_progress else "-a"]
        unfair = _search(options, folder, timeout)
        return unfair, _search([*options, "-f"], folder, timeout)


def claim_searches(
    model: Path | str,
    names: Sequence[str],
    *,
    args: Sequence[str] = (),
    max_depth: int = 200_000,
    timeout: float = 60,
) -> dict[str, tuple[SpinResult, SpinResult]]:
    """As `cycle_searches`, for each of the ltl formulas and never claims named."""
    with _model_in_scratch_folder(model) as (file, folder):
        _translate(file, folder, args)
        _compile(["-DNFAIR=8"], folder)
        options = [f"-m{max_depth}", "-a"]
        found = {}
        for name in names:
            chosen = [*options, "-N", name] if len(names) > 1 else options
            unfair = _verdict(chosen, folder, timeout)
            found[name] = unfair, _verdict([*chosen, "-f"], folder, timeout)
        return found


def _verdict(options: Sequence[str], folder: Path, timeout: float) -> SpinResult:
    """The result of a search up to the first error, where that one decides it."""
    result = _search([*options, "-c1"], folder, timeout)
    # With -f, pan may say "accept stutter" of an end that is not accepting.
    undecided = bool(result.violations) and not is_violated(result)
    return _search(options, folder, timeout) if undecided else result


def is_violated(result: SpinResult) -> bool:
    """Whether pan found a run that is wrong, in a search for cycles of a model without assertions.

    "assertion violated" is how a formula fails that a finite run can show to be false.
    """
    return any(text.startswith(_WRONG) for text in result.violations)


def _translate(file: Path, folder: Path, args: Sequence[str], merge: bool = False) -> None:
    translation = () if merge else PLAIN_TRANSLATION
    spin = _run(["spin", *translation, *args, "-a", str(file)], folder)
    if spin.returncode != 0 or not (folder / "pan.c").exists():
        raise SpinRejects(spin.stdout.strip())


def _compile(options: Sequence[str], folder: Path) -> None:
    text = (folder / "pan.h").read_text(encoding="utf-8", errors="replace")
    # Or bits beside a priority are no part of the state; pan looks for no cycle with it.
    if "-DSAFETY" in options and re.search(r"#define HAS_PRIORITY\s+[1-9]", text):
        options = (*options, "-DNOCOMP")
    cc = _run([*COMPILE, *options, "-o", "pan", "pan.c"], folder)
    if cc.returncode != 0:
        raise SpinCompileError(cc.stdout.strip())


def _search(options: Sequence[str], folder: Path, timeout: float) -> SpinResult:
    before = _children_cpu_seconds()
    output = _run_pan(["./pan", "-w20", "-c0", "-n", *options], folder, timeout)
    return _read(output, seconds=_children_cpu_seconds() - before)


def simulate(model: Path | str, seed: int, steps: int, *, args: Sequence[str] = ()) -> list[str]:
    """The lines that Spin prints for one random run, a line a step (`spin -p`)."""
    with _model_in_scratch_folder(model) as (file, folder):
        spin = _run(["spin", "-p", f"-n{seed}", f"-u{steps}", *args, str(file)], folder)
        # A run that ends in a failed assertion leaves with an error status too.
        if spin.returncode != 0 and _FIRST_PROCESS not in spin.stdout:
            raise SpinRejects(spin.stdout.strip())
        return spin.stdout.splitlines()


@contextlib.contextmanager
def _model_in_scratch_folder(model: Path | str) -> Iterator[tuple[Path, Path]]:
    """The model's file, and an empty folder for everything that Spin writes.

    A file stays where it is and is named by its absolute path, so that what it includes is found
    beside it.
    """
    with tempfile.TemporaryDirectory(prefix="whorl-spin-") as name:
        folder = Path(name)
        if isinstance(model, Path):
            yield model.resolve(strict=True), folder
        else:
            file = folder / "model.pml"
            file.write_text(model)
            yield file, folder


def _run(command: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )


def _run_pan(command: Sequence[str], folder: Path, timeout: float) -> str:
    with subprocess.Popen(
        command,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    ) as pan:
        try:
            output = pan.communicate(timeout=timeout)[0]
        except subprocess.TimeoutExpired:
            pan.send_signal(signal.SIGINT)  # pan then prints its figures so far
            try:
                return pan.communicate(timeout=10)[0]
            except subprocess.TimeoutExpired:
                pan.kill()
                raise SpinAborts(f"pan did not stop after {timeout} s when told to") from None
    if pan.returncode < 0:
        raise SpinAborts(f"pan was ended by {signal.Signals(-pan.returncode).name}\n{output}")
    return output


def _children_cpu_seconds() -> float:
    usage = getrusage(RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


_ERROR = re.compile(r"^pan:\d+: (.*?)\s+\(at depth -?\d+\)\s*$", re.MULTILINE)
_INCOMPLETE = ("max search depth too small", "Search not completed", "out of memory", "MEMLIM")


def _read(output: str, seconds: float) -> SpinResult:
    def figure(pattern: str) -> int:
        found = re.search(pattern, output, re.MULTILINE)
        if found is None:
            raise SpinAborts(output.strip())
        return int(float(found[1]))

    def count(what: str) -> int:
        return figure(rf"^\s*([\d.e+]+) {what}")

    return SpinResult(
        states=count("states, stored"),
        matched=count("states, matched"),
        transitions=count(r"transitions \(="),
        atomic_steps=count("atomic steps"),
        errors=figure(r"errors: (\d+)"),
        depth=figure(r"depth reached (\d+)"),
        violations=frozenset(" ".join(text.split()) for text in _ERROR.findall(output)),
        complete=not any(sign in output for sign in _INCOMPLETE),
        seconds=seconds,
        output=output,
    )
