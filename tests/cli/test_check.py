"""`whorl check`: what it prints, its exit status, its JSON."""

from __future__ import annotations

import builtins
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from support.compilers import as_text
from support.many_claims import TIERED
from whorl.__main__ import main as start
from whorl.cli import check as check_command

EXAMPLES = Path(__file__).parents[2] / "examples"
BROKEN = EXAMPLES / "peterson_broken.pml"
COMMAND = [sys.executable, "-m", "whorl"]
SCHEMA = json.loads(files("whorl.cli").joinpath("result.schema.json").read_text())

HOLDS = "active proctype p() { assert(true) }"
DEADLOCK = "chan c = [0] of { byte };\nactive proctype p() { c!1 }"
HANDSHAKE = """
mtype = { req, ack };
chan link = [0] of { mtype, byte };
active proctype client() { link!req(7) }
active proctype server() { byte got; link?req(got); printf("got %d\\n", got); assert(got == 8) }
"""
TWO_ERRORS = "byte x; init { if :: assert(false) :: x = 3; assert(x == 4) fi }"
COUNTS = "int x; init { do :: x < 150 -> x++ :: else -> break od; assert(false) }"
ENDLESS = "int x, y; active proctype p() { do :: x++ :: y++ od }"

Run = Callable[..., Any]


# --- verdicts and exit statuses ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "options", "status"),
    [
        (HOLDS, [], 0),
        (DEADLOCK, [], 1),
        (DEADLOCK, ["--no-end-states"], 0),
        (TWO_ERRORS, [], 1),
        (TWO_ERRORS, ["--no-assertions"], 0),
        ("init { x = 1 }", [], 2),
        (ENDLESS, ["--max-states", "1000"], 3),
        (ENDLESS, ["--max-depth", "10"], 3),
        (ENDLESS, ["--timeout", "0.05"], 3),
        (ENDLESS, ["--memory", "1K"], 3),
        (HOLDS + " ltl f { [] true }", [], 0),
        (HOLDS + " ltl f { <> false }", [], 1),
        (HOLDS + " ltl f { <> false } ltl g { true }", ["--claim", "g"], 0),
        (HOLDS, ["--ltl", "[]<> false"], 1),
        (HOLDS, ["--ltl", "[] true", "--ltl", "<> true"], 0),
        (HOLDS, ["--ltl", "[] (true"], 2),
        (HOLDS, ["--claim", "g"], 2),
        (HOLDS, ["--acceptance"], 2),
        (HOLDS, ["--hoa", "nowhere.hoa"], 2),
        (HOLDS, ["--non-progress"], 0),
        ("active proctype p() { do :: true od }", ["--non-progress"], 1),
        ("active proctype p() { do :: true; progress: skip od }", ["--non-progress"], 0),
        (HOLDS + " ltl f { [] true }", ["--safety"], 0),
        ("#if N == 3\n" + HOLDS + "\n#endif", ["-DN=3"], 0),
        ("#if N == 3\n" + HOLDS + "\n#endif", ["-D", "N=3"], 0),
        ("#ifdef N\n" + HOLDS + "\n#endif", ["-DN"], 0),
        ("#ifdef N\n" + HOLDS + "\n#endif", [], 2),
    ],
)
def test_exit_status(whorl: Run, write: Run, text: str, options: list[str], status: int) -> None:
    found = whorl("check", *options, write(text))
    assert found.status == status
    assert "internal error" not in found.err
    assert bool(found.out) == (status != 2)


def test_last_line_is_the_verdict(whorl: Run, write: Run) -> None:
    last = whorl("check", write(HOLDS)).last
    assert last.endswith("holds (2 states after reduction)")
    full = whorl("check", write(HOLDS), "--por", "none").last
    assert re.search(r"model\.pml: holds \(all \d+ states were seen\)", full)
    assert whorl("check", write(DEADLOCK)).last.endswith("violated (end states)")
    assert "inconclusive" in whorl("check", write(ENDLESS), "--max-depth", "9").last


def test_a_line_for_each_property(whorl: Run, write: Run) -> None:
    lines = whorl("check", write(DEADLOCK), "--no-assertions").out.splitlines()
    assert [line.split("  ")[0] for line in lines[: lines.index("")]] == [
        "✗ end states",
        "? array bounds",
        "? division",
        "? channels",
    ]


def test_quiet_is_one_line(whorl: Run) -> None:
    found = whorl("check", "-q", BROKEN)
    assert found.out.splitlines() == [found.last]
    assert found.err == ""


def test_standard_input(write: Run) -> None:
    ran = subprocess.run(
        [*COMMAND, "check", "-"], input=DEADLOCK, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 1
    assert "<stdin>: violated" in ran.stdout


# --- the counterexample --------------------------------------------------------------------------


def test_steps_of_a_counterexample(whorl: Run) -> None:
    lines = whorl("check", BROKEN, "--shortest").out.splitlines()
    begin = next(i for i, line in enumerate(lines) if line.startswith("Counterexample"))
    assert lines[begin].endswith("assertion violated: (inside==1) after 9 steps")
    steps = lines[begin + 1 : lines.index("At the end:")]
    assert re.fullmatch(
        r"  2   contender:\d  peterson_broken.pml:23  turn = other +turn = \d", steps[1]
    )
    assert steps[-2].startswith("✗ 9 ")
    assert "assert(inside == 1)" in steps[-2]


def test_both_sides_of_a_handshake_and_output(whorl: Run, write: Run) -> None:
    lines = whorl("check", write(HANDSHAKE)).out.splitlines()
    sent = next(i for i, line in enumerate(lines) if "link!req,7" in line)
    assert "client:0" in lines[sent]
    assert lines[sent].endswith("server:1.got = 7")
    assert re.search(r"server:1 +model.pml:5 +link\?req, got", lines[sent + 1])
    assert any(line.strip() == "→ got 7" for line in lines)


def test_atomic_steps_are_bracketed(whorl: Run, write: Run) -> None:
    model = write("byte x; init { x = 1; atomic { x = 2; x = 3; x = 4 }; assert(x == 5) }")
    lines = whorl("check", model).out.splitlines()
    marks = {line[-5:]: line for line in lines if "init:0" in line}
    assert "╭" in marks["x = 2"]
    assert "│" in marks["x = 3"]
    assert "╰" in marks["x = 4"]
    assert not set("╭│╰") & set(marks["x = 1"])


def test_a_long_trace_is_cut_unless_asked_for(whorl: Run, write: Run) -> None:
    model = write(COUNTS)
    short = whorl("check", model).out
    full = whorl("check", model, "--full-trace").out
    assert "242 steps left out; --full-trace shows them" in short
    assert "left out" not in full
    numbers = [int(n) for n in re.findall(r"^[✗ ] +(\d+)   init:0", full, re.MULTILINE)]
    assert numbers == list(range(1, 303))
    assert len(re.findall(r"^[✗ ] +\d+   init:0", short, re.MULTILINE)) == 60


def test_every_error_has_its_counterexample(whorl: Run, write: Run) -> None:
    found = whorl("check", "--all-errors", write(TWO_ERRORS))
    assert "Counterexample 1 of 2" in found.out
    assert "Counterexample 2 of 2" in found.out


# --- JSON ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "options"),
    [
        (HOLDS, []),
        (DEADLOCK, []),
        (HANDSHAKE, ["--shortest"]),
        (TWO_ERRORS, ["--all-errors"]),
        (ENDLESS, ["--max-depth", "5"]),
        ("init { x = 1; y = }", []),
        ("byte a[2]; init { byte i = 2; a[i] = 1 }", []),
        ("byte a; init { a = 1 / a }", []),
        ("chan c = [2] of { mtype, byte }; mtype = { m }; init { c!m(1); c?m(_); assert(0) }", []),
        ("init { c_code { x(); } }", []),
        (HOLDS + " ltl f { [] true }", []),
    ],
)
def test_json_fits_its_schema(whorl: Run, write: Run, text: str, options: list[str]) -> None:
    found = whorl("check", "--json", *options, write(text))
    assert found.out.count("\n") == 1
    jsonschema.validate(found.data, SCHEMA, cls=jsonschema.Draft202012Validator)
    assert ("error" in found.data) == (found.status == 2)


def test_the_schema_refuses_what_is_no_result(whorl: Run, write: Run) -> None:
    data = whorl("check", "--json", write(HOLDS)).data
    for key in ("verdict", "trace", "statistics", "engine", "reduction"):
        less = {name: value for name, value in data.items() if name != key}
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(less, SCHEMA)


def test_json_of_a_violation(whorl: Run, write: Run) -> None:
    data = whorl("check", "--json", write(HANDSHAKE)).data
    assert data["verdict"] == "violated"
    assert data["engine"] in ("native", "reference")
    assert data["statistics"]["complete"] is False
    assert {p["kind"]: p["verdict"] for p in data["properties"]}["assertion"] == "violated"
    assert "traces" not in data
    send = data["trace"]["steps"][0]
    assert (send["process"], send["line"], send["text"]) == ("client", 4, "link!req, 7")
    assert send["partner"]["text"] == "link?req, got"
    assert send["message"] == {
        "direction": "handshake",
        "channel": "link",
        "text": "[req,7]",
        "sent_at": None,
    }
    assert send["changes"] == [{"name": "got", "value": "7", "process": "server:1"}]
    assert data["trace"]["steps"][-1]["failures"] == ["assertion violated: (got==8)"]


def test_json_has_every_trace_when_asked(whorl: Run, write: Run) -> None:
    data = whorl("check", "--json", "--all-errors", write(TWO_ERRORS)).data
    assert [trace["message"] for trace in data["traces"]] == ["false", "(x==4)"]
    assert data["trace"] == data["traces"][0]


def test_json_of_a_bad_model(whorl: Run, write: Run) -> None:
    found = whorl("check", "--json", write("byte count;\ninit { coumt = 1 }"))
    (error,) = found.data["error"]
    assert (error["line"], error["column"]) == (2, 8)
    assert error["file"].endswith("model.pml")
    assert error["hint"] == "did you mean 'count'?"
    assert "coumt" in found.err


# --- what users do wrong -------------------------------------------------------------------------


def test_files_that_cannot_be_read(whorl: Run, write: Run, tmp_path: Path) -> None:
    for path in (tmp_path / "missing.pml", Path("a\0b")):
        found = whorl("check", path)
        assert found.status == 2
        assert found.err.startswith("error: cannot read")
    for name, content in (("empty", b""), ("binary", bytes(range(256)) * 4)):
        path = tmp_path / f"{name} file.pml"
        path.write_bytes(content)
        found = whorl("check", path)
        assert found.status == 2
        assert "internal error" not in found.err
        assert f"{name} file.pml:" in found.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["check"], "required: MODEL"),
        (["check", "--shortst", "x"], "did you mean '--shortest'?"),
        (["check", "-D3=4", "x"], "'3=4' is not NAME or NAME=VALUE"),
        (["check", "--memory", "lots", "x"], "'lots' is no size"),
        (["check", "--max-states", "0", "x"], "'0' is no whole number above 0"),
        (["check", "--timeout", "-1", "x"], "'-1' is no time"),
        (["check", "--engine", "steam", "x"], "unknown name 'steam'"),
        (["fly"], "'fly' is no command (there are check, swarm, view,"),
        (["chekc", "x.pml"], "'chekc' is no command (did you mean 'whorl check x.pml'?)"),
        (["my model.pml"], "(did you mean 'whorl check 'my model.pml''?)"),
        (["-a", "-DN=3", "x.pml"], "(did you mean 'whorl check -DN=3 x.pml'?)"),
        (["check", "--chart", "x.png", "x"], "drawn as SVG and not as png; write x.svg"),
        (["property", "--svg", "x.pdf", "x"], "drawn as SVG and not as pdf; write x.svg"),
        (["lab", "--svg", "x.jpeg"], "drawn as SVG and not as jpeg; write x.svg"),
        ([], "usage: whorl"),
    ],
)
def test_bad_usage(whorl: Run, words: list[str], said: str) -> None:
    found = whorl(*words)
    assert found.status == 2
    assert said in found.err
    assert found.out == ""


def test_a_file_that_cannot_be_written(whorl: Run, tmp_path: Path) -> None:
    early = whorl("check", BROKEN, "--trail", tmp_path / "no" / "x.trail")
    assert early.status == 2
    assert early.out == ""  # said before the search, not after it
    late = whorl("check", "-q", BROKEN, "--chart", tmp_path)
    assert late.status == 1
    assert "violated" in late.out
    assert "cannot write" in late.err
    assert "there is no chart" in late.err


@pytest.mark.parametrize("color", ["always", "never"])
def test_control_characters_do_not_reach_the_terminal(whorl: Run, write: Run, color: str) -> None:
    name = "a\x1b]0;title\x07\x9b2J\x7f\n.pml"
    model = write("byte n; active proctype p() { assert(false) }", name)
    wrong = write('byte n; active proctype p() { printf("\x1b[2J"); m = 1 \x07 }', f"wrong{name}")
    options = ["--color", color]
    for words in (
        ["check", *options, model],
        ["check", *options, wrong],
        ["check", *options, f"no{name}"],
        ["check", *options, model, "--trail", f"{model.parent}/{name}.trail"],
        ["simulate", *options, model],
        ["parse", *options, model],
        ["check", f"--{name}", "x"],
        [f"no{name}"],
    ):
        found = whorl(*words)
        said = re.sub(r"\x1b\[[\d;]*m", "", found.out + found.err)
        assert "\N{REPLACEMENT CHARACTER}" in said
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", said), words
    data = whorl("check", "--json", model).out
    assert data.isascii()
    assert "\x7f" not in data
    assert json.loads(data)["model"] == str(model)


def test_version(whorl: Run) -> None:
    found = whorl("--version")
    assert (found.status, found.err) == (0, "")
    assert re.fullmatch(r"whorl \d+\.\d+\.\d+\n", found.out)


def test_our_own_errors_are_owned(whorl: Run, write: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise AssertionError("a table is upside down")

    monkeypatch.setattr(check_command, "search", fail)
    model = write(HOLDS, "a model.pml")
    found = whorl("check", model)
    assert found.status == 4
    assert "internal error: AssertionError: a table is upside down" in found.err
    assert "bug in whorl" in found.err
    assert f"whorl check '{model}'" in found.err
    assert "Traceback" not in found.err
    assert "Traceback" in whorl("check", "--debug", model).err
    as_json = whorl("check", "--json", model)
    jsonschema.validate(as_json.data, SCHEMA)
    assert as_json.status == 4


# --- files ---------------------------------------------------------------------------------------


def test_no_counterexample_no_files(whorl: Run, write: Run, tmp_path: Path) -> None:
    trail = tmp_path / "x.trail"
    found = whorl("check", write(HOLDS), "--trail", trail)
    assert found.status == 0
    assert not trail.exists()
    assert "no counterexample, so no trail was written" in found.out


def test_chart_is_written(whorl: Run, tmp_path: Path) -> None:
    picture = tmp_path / "x.svg"
    assert whorl("check", "-q", BROKEN, "--chart", picture).status == 1
    assert picture.read_text().startswith("<svg ")


# --- terminals, pipes, signals -------------------------------------------------------------------


def test_colour_only_when_wanted(whorl: Run) -> None:
    assert "\x1b" not in whorl("check", BROKEN).out
    assert "\x1b[" in whorl("check", BROKEN, "--color", "always").out


def test_ascii_where_the_output_can_show_no_more(write: Run) -> None:
    model = write('init { atomic { printf("é\\n"); skip }; assert(false) }')
    ran = subprocess.run(
        [*COMMAND, "check", str(model)],
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )
    assert ran.returncode == 1
    text = ran.stdout.decode("ascii")
    assert text.startswith("x assertions")
    assert "\\xe9" in text


def test_a_reader_that_leaves_early(write: Run) -> None:
    model = write(COUNTS)
    reader, writer = os.pipe()
    os.close(reader)
    ran = subprocess.run(
        [*COMMAND, "check", "--full-trace", str(model)],
        stdout=writer,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(writer)
    assert (ran.returncode, ran.stderr) == (1, b"")


def on_a_terminal(words: list[str], until: bytes, env: dict[str, str]) -> tuple[int, str]:
    """Runs on a terminal of its own; interrupts once `until` was seen."""
    ours, theirs = pty.openpty()
    ran = subprocess.Popen(
        words, stdin=theirs, stdout=theirs, stderr=theirs, env={**os.environ, **env}
    )
    os.close(theirs)
    seen = b""
    interrupted = False
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if not select.select([ours], [], [], 1)[0]:
            continue
        try:
            piece = os.read(ours, 65536)
        except OSError:  # Linux says so when the other end is closed
            break
        if not piece:
            break
        seen += piece
        if until in seen and not interrupted:
            ran.send_signal(signal.SIGINT)
            interrupted = True
    os.close(ours)
    return ran.wait(timeout=60), seen.decode()


def test_progress_and_interrupt_on_a_terminal(write: Run) -> None:
    words = [*COMMAND, "check", str(write(ENDLESS)), "--timeout", "50"]
    environment = {"TERM": "xterm", "NO_COLOR": ""}
    status, seen = on_a_terminal(words, b" states/s", environment)
    assert status == 3
    drawn, _, report = seen.partition("\r\x1b[K")
    assert re.search(r"\r.*[\d,]+ states, [\d,]+ transitions, depth [\d,]+, [\d,]+ states/s", drawn)
    assert "it was interrupted" in report
    assert re.search(r"[\d,]+ states, [\d,]+ transitions", report)
    assert "Traceback" not in seen


def test_a_terminal_is_told_what_takes_time(write: Run, tmp_path: Path) -> None:
    model = write("byte x; init { x = 1 }\nltl p { [] (x < 2) }\nltl q { <> (x == 1) }\n")
    words = [*COMMAND, "check", str(model)]
    environment = {
        "TERM": "xterm",
        "NO_COLOR": "1",
        "COLUMNS": "100",
        "WHORL_CC": as_text(TIERED),
        "WHORL_CACHE": str(tmp_path / "empty"),
    }
    status, seen = on_a_terminal(words, b"never", environment)
    assert status == 0
    drawn, _, report = seen.partition("\r\x1b[K")
    assert "\rsafety (1 of 3): compiling\x1b[K" in drawn
    assert "\rp (2 of 3): compiling for 2 properties at once\x1b[K" in drawn
    assert "compiling" not in report
    assert "compiling" not in on_a_terminal(words, b"never", environment)[1]


def test_a_dumb_terminal_gets_plain_text(write: Run) -> None:
    words = [*COMMAND, "check", str(write(ENDLESS)), "--max-states", "3000"]
    status, seen = on_a_terminal(words, b"never", {"TERM": "dumb"})
    assert status == 3
    assert "\x1b" not in seen


# --- options that do nothing ----------------------------------------------------------------------


@pytest.mark.parametrize("command", ["check", "simulate", "parse"])
def test_an_unknown_option_is_told_by_the_command(whorl: Run, command: str) -> None:
    found = whorl(command, "--unknown-option", "x")
    assert found.status == 2
    assert found.err.startswith(f"usage: whorl {command} ")
    assert f"whorl {command}: error: unrecognized arguments: --unknown-option" in found.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--bits", "20"], "--bits is the size of --store bitstate alone"),
        (["--bits", "20", "--store", "tree"], "--bits is the size of --store bitstate alone"),
        (["--engine", "reference", "--store", "tree"], "stores states as they are"),
        (["--engine", "reference", "--store", "bitstate"], "does not go with --store bitstate"),
    ],
)
def test_an_option_that_would_do_nothing_is_an_error(
    whorl: Run, write: Run, options: list[str], message: str
) -> None:
    found = whorl("check", *options, write(HOLDS))
    assert found.status == 2
    assert message in found.err
    assert "hint: " in found.err


def test_a_message_counts_as_people_do(whorl: Run, write: Run) -> None:
    text = "chan c = [1] of { byte, byte }; chan d; init { d = c; d!1 }"
    found = whorl("check", write(text))
    assert "this sends 1 value, but a message has 2" in found.out
    text = "chan c = [1] of { byte, byte }; chan d; byte x; init { c!1,2; d = c; d?x }"
    assert "this receives 1 value, but a message has 2" in whorl("check", write(text)).out


def test_an_interrupt_before_the_command_is_loaded(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    load = builtins.__import__

    def interrupted(name: str, *rest: Any, **named: Any) -> Any:
        if name == "whorl.cli":
            raise KeyboardInterrupt
        return load(name, *rest, **named)

    monkeypatch.setattr(builtins, "__import__", interrupted)
    assert start() == 3
    assert capsys.readouterr().err == "whorl: interrupted\n"


def test_little_is_loaded_before_an_interrupt_is_heard() -> None:
    code = "import sys, whorl.__main__; print(len([m for m in sys.modules if m[:6] == 'whorl.']))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "1\n"


def test_files_in_other_formats(whorl: Run, tmp_path: Path) -> None:
    names = {"--spin-trail": "a.trail", "--itf": "a.itf.json", "--dot": "a.dot"}
    words = [word for flag, name in names.items() for word in (flag, tmp_path / name)]
    found = whorl("check", BROKEN, *words)
    assert found.status == 1
    assert f"trail for Spin: {tmp_path / 'a.trail'}" in found.out
    assert (tmp_path / "a.trail").read_text().startswith("1:")
    assert json.loads((tmp_path / "a.itf.json").read_text())["states"]
    assert (tmp_path / "a.dot").read_text().startswith("digraph")


def test_a_trail_that_spin_could_not_follow(whorl: Run, write: Run, tmp_path: Path) -> None:
    """The verdict stays; the file is not there, and why is said."""
    text = "active proctype P() { L: goto M; M: skip } active proctype Q() { P@L; assert(false) }"
    found = whorl("check", write(text), "--spin-trail", tmp_path / "a.trail")
    assert found.status == 1
    assert "Spin's numbers of statements are not known" in found.err
    assert not (tmp_path / "a.trail").exists()


def test_fold_step_and_where(whorl: Run, write: Run) -> None:
    model = write("byte x; init { atomic { x = 1; x = 2; x = 3 }; assert(x == 5) }")
    assert "atomic: x = 1 (3 steps)" in whorl("check", "--fold", model).out
    assert (
        "After step 2:\n  init:0  at line 1: x = 3\n  x = 2\n"
        in whorl("check", "--step", "2", model).out
    )
    found = whorl("check", "--where", "x > 1", model)
    assert "x > 1:\n  false at the beginning\n  true after step 2\n" in found.out
    wrong = whorl("check", "--where", "x > ", model)
    assert wrong.status == 2
    assert "--where:1:" in wrong.err


@pytest.mark.parametrize("options", [[], ["--all-errors"], ["--acceptance"]])
def test_json_of_an_explanation_fits_the_schema(whorl: Run, write: Run, options: list[str]) -> None:
    model = write("byte x; active proctype A() { accept: do :: x = 1 :: x = 2; assert(x) od }")
    found = whorl("check", model, "--json", "--explain", "--ltl", "<> (x == 2)", *options)
    jsonschema.validate(found.data, SCHEMA, cls=jsonschema.Draft202012Validator)
    for trace in found.data.get("traces", [found.data["trace"]]):
        passing = trace["explanation"]["passing"]
        assert (passing is None) == (trace["kind"] == "acceptance")  # A is always at the label
