"""Coming from Spin: hints for its flags, and its command lines as those of whorl."""

from __future__ import annotations

import shlex
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from whorl.cli.from_spin import UNASKED, hints, translate
from whorl.cli.main import make_parser
from whorl.diagnostics import WhorlError
from whorl.spin_flags import FLAGS, SpinFlag, Whose

Run = Callable[..., Any]

COUNTER = """#ifndef LIMIT
#define LIMIT 2
#endif
byte n;
active [2] proctype increment() { byte copy; copy = n; printf("copied\\n"); n = copy + 1 }
ltl both { <> [] (n == 2) }
ltl small { [] (n <= LIMIT) }
"""
VALUES = {"N": "3", "N,M": "3,1", "NAME": "p", "FILE": "f", "FORMULA": "[] p", "OPTION": "-DX"}


def typed(row: SpinFlag) -> list[str]:
    """The flag as somebody types it."""
    name = row.value.strip(" =[]")
    value = VALUES.get(name, "x") if name else ""
    joint = "=" if "=" in row.value and row.whose is Whose.COMPILER else ""
    if row.value == "NAME[=VALUE]":
        value = "X=1"
    return [row.flag, value] if row.takes_word else [f"{row.flag}{joint if value else ''}{value}"]


def line_with(row: SpinFlag) -> tuple[str, list[str]]:
    """A tool, and a command line for it that has the flag."""
    if row.whose is Whose.SPIN:
        return "spin", [*typed(row), "m.pml"]
    if row.whose is Whose.SEARCH:
        return "spin", ["-run", *typed(row), "m.pml"]
    return "pan", ["m.pml", *typed(row)]


def name_of(row: SpinFlag) -> str:
    return f"{row.whose.name}{row.flag}{row.value}"


# --- the table -----------------------------------------------------------------------------------


def listed(text: str, *skipped: str) -> set[str]:
    """The flags in a usage message: what its lines begin with, without a value."""
    words = [word for line in text.splitlines() if (word := line.strip().split(" ")[0])]
    flags = {word.split("\t")[0].rstrip(",") for word in words if word[0] == "-"}
    return {flag for flag in flags if flag not in skipped}


def known(text: str, *whose: Whose) -> bool:
    """Whether the table has a flag as a usage message writes it: `-mN`, `-tsuf`, `-Dyyy`."""
    names = [row.flag for row in FLAGS if row.whose in whose]
    return text in names or any(
        text.startswith(row.flag) and row.value and not row.takes_word
        for row in FLAGS
        if row.whose in whose and row.value
    )


@pytest.mark.skipif(shutil.which("spin") is None, reason="Spin is not installed")
def test_the_table_has_every_flag_of_spin() -> None:
    text = subprocess.run(["spin", "--"], capture_output=True, text=True, check=False).stdout
    flags = listed(text, "-[XYZ]")
    assert len(flags) > 60
    assert [f for f in sorted(flags) if not known(f, Whose.SPIN, Whose.SEARCH, Whose.PAN)] == []


@pytest.mark.skipif(shutil.which("spin") is None, reason="Spin is not installed")
@pytest.mark.skipif(shutil.which("cc") is None, reason="pan has to be compiled")
@pytest.mark.parametrize("setting", ["-DBITSTATE", "-DNCORE=2"])
def test_the_table_has_every_flag_of_pan(tmp_path: Path, setting: str) -> None:
    (tmp_path / "m.pml").write_text(COUNTER)
    command = f"spin -a m.pml && cc -w {setting} -o pan pan.c && ./pan --"
    done = subprocess.run(
        command, shell=True, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    text = done.stdout + done.stderr
    settings = {word.split("=")[0].strip('"') for word in text.split() if word[:2] == "-D"}
    flags = listed(text, "-DC_INIT=fct()") - {f for f in listed(text) if f[:2] == "-D"}
    assert len(flags) > 30
    assert [flag for flag in sorted(flags) if not known(flag, Whose.PAN, Whose.SEARCH)] == []
    timers = {"-DSHORT_T", "-DLONG_T", "-DONESECOND", "-DT_ALERT"}  # of the multi-core search
    of_pan = settings - timers - {"-D"}
    assert [s for s in sorted(of_pan) if not known(s, Whose.COMPILER)] == []


@pytest.mark.parametrize("row", FLAGS, ids=name_of)
def test_a_row_says_what_to_write_or_why_there_is_nothing(row: SpinFlag) -> None:
    assert row.means
    assert row.instead or row.note
    assert not (row.instead and row.refused)
    assert [name_of(other) for other in FLAGS].count(name_of(row)) == 1


# --- hints ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("row", FLAGS, ids=name_of)
def test_each_flag_gets_its_line(row: SpinFlag) -> None:
    said = f"{row.whose.value} {row.flag}{row.value} ({row.means}): {row.counterpart}"
    assert said in hints(typed(row)[0])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("check -a m.pml", "pan -a (find acceptance cycles): `whorl check`; it does so unasked"),
        ("check -run m.pml", "spin -run (generate, compile and run a verifier): `whorl check`"),
        ("check -search m.pml", "spin -search (generate"),
        ("check -m10000 m.pml", "pan -mN (depth of the search): `whorl check --max-depth N`"),
        ("check -w24 m.pml", "`whorl check --bits N`"),
        ("check -l m.pml", "pan -l (find non-progress cycles): `whorl check --non-progress`"),
        ("check -f m.pml", "pan -f (weak fairness): `whorl check --fair`"),
        ("check -n m.pml", "`--unreached` lists them"),
        ("check -i m.pml", "`whorl check --shortest`"),
        ("check -E m.pml", "`whorl check --no-end-states`"),
        ("check -A m.pml", "`whorl check --no-assertions`"),
        ("check -c0 m.pml", "`whorl check --all-errors`"),
        ("check -e m.pml", "`whorl check --all-errors`"),
        ("check -hc m.pml", "`whorl check --store hash-compact`"),
        ("check -q3 m.pml", "spin -qN (hide a channel in the output): none"),
        ("check -run -ltl p m.pml", "`whorl check --claim NAME`"),
        ("simulate -n5 m.pml", "`whorl simulate --seed N`"),
        ("simulate -t m.pml", "`whorl simulate --trail FILE`"),
        ("-run -f m.pml", "pan -f (weak fairness)"),
        ("-a", "spin -a (generate a verifier)"),
    ],
)
def test_a_command_answers_flags_of_spin(whorl: Run, words: str, said: str) -> None:
    found = whorl(*words.split())
    assert found.status == 2
    assert found.out == ""
    assert said in found.err
    assert "take command lines of Spin as they are" in found.err


@pytest.mark.parametrize("words", ["check --shortst m.pml", "check -9 m.pml", "fly"])
def test_other_mistakes_get_no_hint_of_spin(whorl: Run, words: str) -> None:
    found = whorl(*words.split())
    assert found.status == 2
    assert "Spin" not in found.err


def test_our_own_short_options_keep_their_meaning(whorl: Run, write: Run) -> None:
    found = whorl("check", "-q", "-DLIMIT=3", "--claim", "small", write(COUNTER))
    assert found.status == 0
    assert found.err == ""


# --- translation ---------------------------------------------------------------------------------


@pytest.mark.parametrize("row", FLAGS, ids=name_of)
def test_each_flag_is_translated_noted_or_refused(
    row: SpinFlag, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("f").write_text("[] p\n")
    tool, words = line_with(row)
    if row.refused:
        with pytest.raises(WhorlError):
            translate(tool, words)
        return
    found = translate(tool, words)
    if row.command == "--version":
        assert found.words == ["--version"]
        return
    if not row.instead and (row.whose, row.flag) != (Whose.PAN, "-x"):
        assert any(note.startswith(f"{row.flag}") for note in found.notes)
    arguments = make_parser([found.words[0]]).parse_args(found.words)  # exits if it cannot
    assert arguments.command == found.words[0]


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("spin -a m.pml", "check --trail m.pml.trail m.pml"),
        ("spin -run -a -f m.pml", "check --fair --trail m.pml.trail m.pml"),
        (
            "spin -search -ltl p m.pml",
            "check --safety --no-end-states --claim p --trail m.pml.trail m.pml",
        ),
        ("spin -DN=3 -o3 -a m.pml", "check -DN=3 --trail m.pml.trail m.pml"),
        ("spin -E-DN=3 -E-Iinc -a -", "check -DN=3 -Iinc -"),
        ("spin -t -p m.pml", "simulate --trail m.pml.trail m.pml"),
        ("spin -t2 m.pml", "simulate --trail m.pml2.trail m.pml"),
        ("spin -p -t -k f.trail m.pml", "simulate --trail f.trail m.pml"),
        ("spin -t -n3 -i m.pml", "simulate --trail m.pml.trail m.pml"),
        ("spin m.pml", "simulate --print-only m.pml"),
        ("spin -n7 -u20 -p -g m.pml", "simulate --seed 7 --steps 20 m.pml"),
        ("spin -i -n7 m.pml", "simulate --interactive m.pml"),
        ("spin -I m.pml", "parse --ast m.pml"),
        ("spin -f '[] p'", "property --never '[] p'"),
        (
            "spin -a -f '<> p' m.pml",
            "check --safety --no-end-states --ltl '!(<> p)' --trail m.pml.trail m.pml",
        ),
        ("spin -V", "--version"),
        (
            "spin -run -bit -w25 --max-states=9 m.pml",
            "check --store bitstate --bits 25 --trail m.pml.trail --max-states=9 m.pml",
        ),
        (
            "pan m.pml -a -f -m1000 -i",
            "check --fair --max-depth 1000 --shortest --trail m.pml.trail m.pml",
        ),
        ("pan -w24 m.pml", "check --trail m.pml.trail m.pml"),
        ("pan m.pml -c1 -Q2 -tx", "check --timeout 120 --trail m.pml.x m.pml"),
        (
            "pan m.pml -DNP -l",
            "check --safety --no-end-states --non-progress --trail m.pml.trail m.pml",
        ),
        ("pan m.pml -DMEMLIM=512 -DN=3", "check --memory 512M -DN=3 --trail m.pml.trail m.pml"),
        (
            "pan m.pml -DBITSTATE -M16",
            "check --store bitstate --bits 27 --trail m.pml.trail m.pml",
        ),
        ("pan m.pml -DSAFETY=1 -c0", "check --safety --all-errors --trail m.pml.trail m.pml"),
        ("pan m.pml -r x.trail", "simulate --trail x.trail m.pml"),
        ("pan -r m.pml", "simulate --trail m.pml.trail m.pml"),
        ("pan -S m.pml", "simulate --print-only --trail m.pml.trail m.pml"),
        ("pan m.pml -d", "parse --dot m.pml"),
        ("pan m.pml --trail=mine", "check --trail=mine m.pml"),
    ],
)
def test_a_whole_line(line: str, meant: str) -> None:
    tool, *words = shlex.split(line)
    found = translate(tool, words)
    assert found.line == f"whorl {meant}"
    if found.words[0] != "--version":
        make_parser([found.words[0]]).parse_args(found.words)


@pytest.mark.parametrize(
    ("line", "message", "hint"),
    [
        ("spin -zz m.pml", "spin has no flag -zz", "did you mean '-Z'?"),
        ("spin -pgl m.pml", "spin has no flag -pgl", "write the flags apart: -p -g -l"),
        ("spin -m100 m.pml", "spin has no flag -m100", "it is one of pan: write it after -search"),
        ("spin -n m.pml", "spin has no flag -n", "it needs a value: -nN"),
        ("pan m.pml -m", "pan has no flag -m", "it needs a value: -mN"),
        ("pan m.pml -?", "pan has no flag -?", "docs/coming-from-spin.md"),
        ("pan m.pml -DMEMCNT", "-DMEMCNT needs a number: -DMEMCNT=N", ""),
        ("pan m.pml -DMEMCNT=much", "-DMEMCNT needs a number: -DMEMCNT=N", ""),
        (f"pan m.pml -Q{'9' * 5000}", "pan has no flag -Q", ""),
        ("spin -run -DN=3 m.pml", "-DN=3 is no setting of pan", "whorl spin -DN=3 -search"),
        ("spin -m -a m.pml", "whorl has no spin -m (messages", "c!x :: full(c)"),
        ("pan m.pml -q", "whorl has no pan -q", "messages in channels"),
        ("spin -a", "no model is given to spin", "whorl spin [FLAG ...] MODEL"),
        ("spin a.pml b.pml", "'a.pml' and 'b.pml' are two models", "one of them"),
        ("spin -a m.pml -k", "-k needs a value: -k FILE", ""),
        ("spin -F nowhere", "cannot read 'nowhere'", ""),
        ("spin -E-C -a m.pml", "whorl's preprocessor has no option -C", "-D and -I"),
    ],
)
def test_what_cannot_be_translated(whorl: Run, line: str, message: str, hint: str) -> None:
    found = whorl(*shlex.split(line))
    assert found.status == 2
    assert found.out == ""
    assert f"error: {message}" in found.err
    assert hint in found.err


@pytest.mark.parametrize(
    ("line", "notes"),
    [
        ("spin -c -p m.pml", []),
        ("pan m.pml -c0 -a -x", []),
        ("pan m.pml -a -c3", ["-c3: all errors are looked for, not 3"]),
        ("pan m.pml", [UNASKED]),
        ("spin -run m.pml", [UNASKED]),
        ("spin -a m.pml", []),
        ("spin -run -ltl p m.pml", []),
        ("pan m.pml -DSAFETY", []),
        ("pan m.pml -d", []),
        ("spin -i -n7 m.pml", ["-n7 is ignored: it does not go with the rest of the line"]),
        ("spin -n7 -a m.pml", ["-n7 is ignored: it is for `whorl simulate`"]),
        (
            "spin -v -run -a -dfspar m.pml",
            [
                "-v is ignored: warnings are always shown",
                "-dfspar is ignored: `--threads N` searches on N threads",
            ],
        ),
    ],
)
def test_notes(line: str, notes: list[str]) -> None:
    tool, *words = shlex.split(line)
    assert translate(tool, words).notes == notes


def test_an_error_in_json(whorl: Run) -> None:
    found = whorl("spin", "-zz", "m.pml", "--json")
    assert found.status == 2
    assert "spin has no flag -zz" in str(found.data)


# --- runs ----------------------------------------------------------------------------------------


def test_a_search_and_the_replay_of_its_trail(whorl: Run, write: Run) -> None:
    model = write(COUNTER)
    found = whorl("spin", "-search", "-ltl", "both", model)
    assert found.status == 1
    assert (
        f"that is: whorl check --safety --no-end-states --claim both --trail {model}" in found.err
    )
    assert found.last == f"✗ {model}: violated (both)"
    again = whorl("spin", "-t", "-p", model)
    assert again.status == 1
    assert "does not satisfy <> [] (n == 2)" in again.out
    kept = Path(f"{model}.trail").read_text()
    whorl("pan", model, "-x", "-N", "both", "-DLIMIT=3")
    assert Path(f"{model}.trail").read_text() == kept


def test_a_search_that_finds_nothing(whorl: Run, write: Run) -> None:
    model = write(COUNTER)
    found = whorl("pan", model, "-a", "-N", "small", "-m1000", "-w20")
    assert found.status == 0
    assert "note: -w20 is ignored" in found.err
    assert not Path(f"{model}.trail").exists()
    assert whorl("spin", "-DLIMIT=1", "-run", "-ltl", "small", model).status == 1


def test_a_formula_beside_the_model(whorl: Run, write: Run) -> None:
    model = write(COUNTER)
    assert whorl("spin", "-a", "-f", "<> (n == 3)", model).status == 0
    assert whorl("spin", "-a", "-f", "<> (n == 1)", model).status == 1


def test_a_simulation(whorl: Run, write: Run) -> None:
    found = whorl("spin", "-n3", write(COUNTER))
    assert (found.status, found.out) == (0, "copied\n" * 2)
    assert "--seed 3 --print-only" in found.err


def test_a_formula_as_a_never_claim(whorl: Run, write: Run) -> None:
    found = whorl("spin", "-F", write("[] p\nwhat it is about\n", "formula.txt"))
    assert found.status == 0
    assert found.out.startswith("never {")


def test_the_version_and_the_help(whorl: Run) -> None:
    assert whorl("spin", "-V").out.startswith("whorl ")
    found = whorl("pan", "--help")
    assert found.status == 0
    assert "usage: whorl pan MODEL [FLAG ...]" in found.out
