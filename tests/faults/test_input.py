"""Input without an end, numbers beyond all measure, a Ctrl-C that becomes another error."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from support.machine import finish, in_shell
from whorl import deadline
from whorl.given import MOST, seconds, whole_number

ZERO = Path("/dev/zero")
NINES = "9" * 400
MANY_NINES = "9" * 5000  # Python reads no number of more than 4,300 digits

needs_zero = pytest.mark.skipif(not ZERO.exists(), reason="there is no device of zeros")


@needs_zero
@pytest.mark.parametrize(
    "words",
    [
        ("check", ZERO),
        ("simulate", ZERO),
        ("parse", ZERO),
        ("explain", ZERO),
        ("simulate", "--trail", ZERO, "MODEL"),
        ("check", "--hoa", ZERO, "MODEL"),
        ("view", ZERO),
        ("spin", "-F", ZERO, "MODEL"),
        ("lab", "--conditions", ZERO),
    ],
    ids=lambda words: words[0],
)
def test_a_file_without_an_end(small: Path, words: tuple[str | Path, ...]) -> None:
    ran = finish(*(small if word == "MODEL" else word for word in words))
    assert ran.returncode == 2
    assert "cannot read '/dev/zero': it has more than 64 million characters" in ran.stderr


@needs_zero
def test_standard_input_without_an_end() -> None:
    ran = in_shell("exec < /dev/zero", "parse", "-")
    assert ran.returncode == 2
    assert "cannot read standard input: it has more than 64 million" in ran.stderr


def test_a_file_of_the_system_that_cannot_be_removed() -> None:
    ran = finish("property", "--svg", "/proc/self/mem.svg", "[] p")
    assert ran.returncode == 2, ran.stderr
    ran = finish("lab", "--scheme", "v1", "--without", "c2", "--promela", "/proc/self/mem")
    assert ran.returncode == 1, ran.stderr
    assert "cannot write '/proc/self/mem'" in ran.stderr


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (("check", "--timeout", "1e300"), 0),
        (("check", "--timeout", "3000000"), 0),
        (("check", "--timeout", NINES), 2),
        (("check", "--memory", NINES + "G"), 0),
        (("check", "--memory", MANY_NINES), 0),
        (("check", "--max-states", NINES), 0),
        (("check", "--max-states", MANY_NINES), 2),
        (("check", "--max-depth", NINES), 0),
        (("check", "--store", "bitstate", "--bits", NINES), 2),
        (("simulate", "--seed", NINES), 0),
        (("simulate", "--seed", MANY_NINES), 2),
        (("simulate", "--steps", NINES), 0),
        (("simulate", "--steps", MANY_NINES), 2),
    ],
    ids=lambda words: "-".join(words[:2]).replace("--", "") if isinstance(words, tuple) else None,
)
def test_numbers_beyond_all_measure(
    cache: Path, small: Path, words: tuple[str, ...], status: int
) -> None:
    ran = finish(*words, "--no-cache" if words[0] == "check" else "--json", small)
    assert ran.returncode == status, ran.stderr
    assert "Traceback" not in ran.stderr
    if status == 2:
        assert "999...', " in ran.stderr
        assert NINES not in ran.stderr


def test_the_laboratory_has_a_largest_bound() -> None:
    for option in ("operations", "states", "automaton-states", "letters", "transitions"):
        for number in ("101", NINES):
            ran = finish("lab", "--scheme", "v1", f"--{option}", number)
            assert ran.returncode == 2
            assert "is not a number from 1 to 100" in ran.stderr


def test_the_same_from_python() -> None:
    assert seconds("timeout", 1e300) == deadline.LONGEST
    assert seconds("timeout", 10**400) == deadline.LONGEST
    assert whole_number("max_states", 10**5000) == MOST
    for wrong in (float("inf"), float("nan"), 0):
        with pytest.raises(ValueError, match="must be above 0"):
            seconds("timeout", wrong)


def test_a_process_is_waited_for_longer_than_the_system_can() -> None:
    with subprocess.Popen(["true"]) as process, deadline.within(deadline.LONGEST):
        assert deadline.wait(process) == 0


# --- a request to end, on its way ----------------------------------------------------------------

ENDED = "os.kill(os.getpid(), signal.{number})"


@pytest.mark.parametrize("number", ["SIGINT", "SIGTERM", "SIGHUP"])
@pytest.mark.parametrize(
    "what",
    [
        f"exec({ENDED!r})",  # where a KeyboardInterrupt makes Python end by the signal
        f"try:\n  {ENDED}\n except KeyboardInterrupt: raise SyntaxError",
        f"{ENDED}; time.sleep(60)",
    ],
    ids=["exec", "another error", "plain"],
)
def test_a_request_that_comes_while_modules_are_loaded(what: str, number: str) -> None:
    script = (
        "import os, signal, sys, time\n"
        "for n in (signal.SIGTERM, signal.SIGHUP): signal.signal(n, signal.SIG_DFL)\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "import whorl.__main__, whorl.cli\n"
        f"def run(is_to_end):\n {what.format(number=number)}\n"
        "whorl.cli.main = run\n"
        "sys.exit(whorl.__main__.main())\n"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=50)
    assert (ran.returncode, ran.stderr) == (3, "whorl: interrupted\n")


def test_an_error_made_of_a_request_is_no_bug(
    small: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(*_: object) -> int:
        raise SyntaxError

    monkeypatch.setattr("whorl.cli.parse.run", fails)
    from whorl.cli.main import main

    assert main(["parse", str(small)], lambda: True) == 3
    assert capsys.readouterr().err == "whorl: interrupted\n"
    assert main(["parse", str(small)]) == 4
