"""Trails of Spin's: Spin follows ours, and we follow those that pan writes."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import whorl
from whorl.cli.spin_trails import understood
from whorl.diagnostics import WhorlError
from whorl.trace.spin_trail import SpinTrail, is_spin_trail, loads, spin_numbers, spin_trail
from whorl.trace.trace import Trace

EXAMPLES = Path(__file__).parents[2] / "examples"

STATEMENTS = """
byte x; chan c = [0] of { byte, byte }; chan q = [2] of { byte };
inline bump(v) { v++; x = x + v }
proctype R(byte z) {
  byte a, b;
  do
  :: c?a,b -> if :: a > 1 -> x = a :: else -> skip fi; q!a
  :: x > 5 -> break
  :: timeout -> assert(x == 77)
  od
}
active proctype P() {
  byte i;
  for (i : 1 .. 3) { c!i,2 };
  atomic { i = 1; i = 2; bump(i) }
  d_step { x = 1 }  /* of more statements, Spin shows each */
}
init { run R(1); select (x : 1 .. 3); { x = 1; x = 2 } unless { x == 9 } }
"""
CLAIM_BETWEEN = """
byte x;
active proctype P() { x = 1; x = 2 }
never { do :: x > 3 -> break :: else od }
active proctype Q() { x = 3; x = 4 }
"""
FAILS_WHERE_MERGED = """
byte x;
active proctype P() { byte i; i = 1; i = 2; i = 3; x = i; i = 4; i = 5; assert(i == 3) }
active proctype Q() { byte j; j = 1; j = 2; x = j }
"""
MODELS = {
    "statements": (STATEMENTS, ()),
    "claim between": (CLAIM_BETWEEN, ("-a",)),
    "merged": (FAILS_WHERE_MERGED, ()),
    **{
        name: ((EXAMPLES / f"{name}.pml").read_text(), options)
        for name, options in {
            "raft": (),
            "peterson_broken": (),
            "philosophers": (),
            "lost_update": (),
            "retry": ("-a",),
            "spin_lock": ("-a", "-N", "first_enters"),
        }.items()
    },
}


def counterexample(text: str) -> tuple[whorl.Model, Trace]:
    model = whorl.load(text, name="m.pml")
    trace = whorl.check(model).trace
    assert trace is not None
    return model, trace


# --- without Spin ---------------------------------------------------------------------------------


def test_a_handshake_is_two_lines() -> None:
    text = """chan c = [0] of { byte };
    active proctype A() { c!1 } active proctype B() { byte x; c?x; assert(x == 0) }"""
    model, trace = counterexample(text)
    # A has the statements 0 and 1 (its end), B those from 2 on.
    assert spin_trail(model.program, trace.choices, trace.loop) == "1:0:0\n2:1:2\n3:1:3\n"


def test_the_cycle_is_marked() -> None:
    text = "bool b; active proctype A() { b = 1; do :: b = 1 od } ltl p { <> !b && []<> !b }"
    model, trace = counterexample(text)
    lines = spin_trail(model.program, trace.choices, trace.loop).splitlines()
    assert lines[trace.loop or 0] == "-1:-1:-1"
    assert len(lines) == len(trace.choices) + 1


def test_a_claim_between_processes_is_counted_where_it_stands() -> None:
    program = whorl.load(CLAIM_BETWEEN).program
    first, second = program.processes
    numbers = spin_numbers(program)
    claim = len(program.never[0].blocks)
    assert [numbers[t.number] for t in first.transitions()] == [0, 1, 2]
    assert [numbers[t.number] for t in second.transitions()] == [3 + claim, 4 + claim, 5 + claim]


def test_numbers_that_cannot_be_told(tmp_path: Path) -> None:
    """Spin numbers the goto that gets a state of its own while it parses the reference to it."""
    text = """byte x; active proctype P() { x = 1; L: goto M; M: x = 2 }
    active proctype Q() { x = 3; P@L }"""
    with pytest.raises(WhorlError, match="a remote reference names a goto"):
        spin_numbers(whorl.load(text).program)
    (tmp_path / "n.pml").write_text("never { do :: x > 3 -> break :: else od }\n")
    text = '#include "n.pml"\nbyte x; active proctype P() { x = 1 }\n'
    (tmp_path / "m.pml").write_text(f"byte x;\n{text.replace('byte x; ', '')}")
    with pytest.raises(WhorlError, match="is included"):
        spin_numbers(whorl.load(tmp_path / "m.pml").program)


def test_the_steps_of_a_claim_are_left_out() -> None:
    found = loads("-2:3:-2\n-4:-4:-4\n1:0:46\n2:3:0\n-1:-1:-1\n3:0:53\n4:1:2\n", "m.trail")
    assert found == SpinTrail("m.trail", ((2, 0), (0, 2)), 1, claim=True, merged=True)


@pytest.mark.parametrize(
    ("text", "is_one"),
    [("1:0:0\n", True), ("-4:-4:-4\n", True), ("{}", False), ("1:2\n", False), ("", False)],
)
def test_what_looks_like_one(text: str, is_one: bool) -> None:
    assert is_spin_trail(text) == is_one


@pytest.mark.parametrize("name", MODELS)
def test_our_own_are_followed(name: str) -> None:
    text, _ = MODELS[name]
    model, trace = counterexample(text)
    spin = loads(spin_trail(model.program, trace.choices, trace.loop), "x")
    found = understood(spin, model, {})
    assert found.choices == trace.choices
    assert found.cycle == (None if trace.loop is None else trace.loop + 1)
    assert (found.kind, found.claim) == (trace.kind, trace.claim)


# --- with Spin ------------------------------------------------------------------------------------


def run(folder: Path, *words: str) -> str:
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=120)
    return done.stdout


def elements(model: whorl.Model, trace: Trace) -> Iterator[tuple[int, int]]:
    """The processes of a run, each with Spin's number within it of the statement that it takes."""
    known: dict[int, tuple[str, int]] = {}
    start = 0
    for process in model.program.processes:
        for transition in process.transitions():
            known[transition.number] = transition.text, transition.number - start + 1
        start += len(process.blocks)
    for choice in trace.choices:
        both = [(choice.pid, choice.transition), (choice.partner, choice.partner_transition)]
        for pid, number in both:
            text, element = known.get(number, ("", 0))
            if pid >= 0 and text not in ("", "-end-", "break") and not text.startswith("goto"):
                yield pid, element


@pytest.mark.spin
@pytest.mark.parametrize("name", MODELS)
def test_spin_follows_ours(name: str, tmp_path: Path) -> None:
    """It takes the same statements of the same processes, and comes to the same values."""
    text, _ = MODELS[name]
    model, trace = counterexample(text)
    (tmp_path / "m.pml").write_text(text)
    (tmp_path / "x.trail").write_text(spin_trail(model.program, trace.choices, trace.loop))
    said = run(tmp_path, "spin", "-t", "-k", "x.trail", "-p", "-g", "m.pml")
    shown = r"^ *\d+:\tproc +(\d+) \([^)]*\) m\.pml:\d+ \(state (\d+)\)\s*\[(.*)\]"
    steps = re.findall(shown, said, re.MULTILINE)
    jumps = re.compile(r"\.\(goto\)|goto .*|break|-end-")  # Spin shows more of these
    theirs = [(int(pid), int(state)) for pid, state, text in steps if not jumps.fullmatch(text)]
    assert theirs == list(elements(model, trace))
    assert (trace.cycle is not None) == ("START OF CYCLE" in said)
    if trace.kind == "assertion":
        assert "assertion violated" in said
    end = said[said.index("#processes") :]
    values = dict(re.findall(r"^\t\t(\w+(?:\[\d+\])?) = (\d+)$", end, re.MULTILINE))
    globals_ = {v.name: v.value for v in trace.values if v.process is None and v.value.isdigit()}
    both = values.keys() & globals_.keys()
    assert {name: values[name] for name in both} == {name: globals_[name] for name in both}
    assert "no matching" not in said


@pytest.mark.spin
@pytest.mark.parametrize("merged", [False, True])
@pytest.mark.parametrize("name", MODELS)
def test_we_follow_spins(name: str, merged: bool, tmp_path: Path) -> None:
    text, options = MODELS[name]
    (tmp_path / "m.pml").write_text(text)
    run(tmp_path, "spin", *([] if merged else ["-o3"]), "-a", "m.pml")
    run(tmp_path, "cc", "-O0", "-w", "-o", "pan", "pan.c")
    run(tmp_path, "./pan", *options)
    trail = (tmp_path / "m.pml.trail").read_text()
    assert ("-4:-4:-4" in trail) == merged
    model, trace = counterexample(text)
    found = understood(loads(trail, "m.pml.trail"), model, {})
    assert (found.kind, found.claim) == (trace.kind, trace.claim)


@pytest.mark.spin
@pytest.mark.parametrize("name", MODELS)
def test_our_numbers_are_spins(name: str, tmp_path: Path) -> None:
    """pan -d prints the id of every transition."""
    text, _ = MODELS[name]
    (tmp_path / "m.pml").write_text(text)
    run(tmp_path, "spin", "-o1", "-o2", "-o3", "-a", "m.pml")
    run(tmp_path, "cc", "-O0", "-w", "-o", "pan", "pan.c")
    theirs: dict[str, set[tuple[int, int]]] = {}
    who = ""
    for line in run(tmp_path, "./pan", "-d").splitlines():
        if head := re.match(r"(?:(init)|(?:proctype|claim) (\S+))", line):
            who = head[1] or head[2]
        elif edge := re.search(r"state +(\d+) -.*\[id +(\d+)", line):
            theirs.setdefault(who, set()).add((int(edge[1]), int(edge[2])))
    program = whorl.load(text).program
    numbers = spin_numbers(program)
    for process in program.processes:
        ours = {(t.source, numbers[t.number]) for t in process.transitions()}
        assert theirs[process.title] <= ours
