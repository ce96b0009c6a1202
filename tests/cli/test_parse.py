"""`whorl parse`: diagnostics, the tree, the automata."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
MODEL = """
mtype = { a, b };
chan c = [1] of { mtype };
active [2] proctype worker() {
accept_here:
    do
    :: atomic { c!a; c?b }
    :: printf("say \\"x\\"\\n")
    od
}
active proctype other() {
end:
progress: c?a
}
ltl f { [] true }
"""
Run = Callable[..., Any]


def test_a_good_model(whorl: Run, write: Run) -> None:
    found = whorl("parse", write(MODEL))
    assert found.status == 0
    first, second = found.out.splitlines()
    assert first.endswith("model.pml: no errors, no warnings")
    assert "2 process types, 3 active processes" in second
    assert "1 message channel, 2 mtype constants, 1 ltl formula" in second


def test_a_bad_model(whorl: Run, write: Run) -> None:
    found = whorl("parse", write("init { x = 1; y = 2 }"))
    assert (found.status, found.out) == (2, "")
    assert len(re.findall(r"model\.pml:1:\d+: error:", found.err)) == 2


def test_bad_model_as_json(whorl: Run, write: Run) -> None:
    found = whorl("parse", "--json", write("init { x = 1 }"))
    assert found.status == 2
    assert [error["column"] for error in found.data["error"]] == [8]


def test_tree(whorl: Run, write: Run) -> None:
    lines = whorl("parse", "--ast", write(MODEL)).out.splitlines()
    assert lines[0].startswith("SyntaxTree @")
    assert "  MtypeDeclaration @2  names: a, b" in lines
    (send,) = [line for line in lines if "Send" in line]
    assert send.strip() == "Send @7  channel: c; arguments: a"
    block = next(line for line in lines if "keyword: atomic" in line)
    indent = len(send) - len(send.lstrip())
    assert indent > len(block) - len(block.lstrip())


@pytest.mark.parametrize("model", sorted(EXAMPLES.glob("*.pml")), ids=lambda path: path.stem)
def test_every_example_has_a_tree_and_automata(whorl: Run, model: Path) -> None:
    assert whorl("parse", "--ast", model).status == 0
    assert whorl("parse", "--ast", "--json", model).data["ast"]["node"] == "SyntaxTree"
    dot = whorl("parse", "--dot", model).out
    names = re.findall(r"^    (p\d+_\d+) \[", dot, re.MULTILINE)
    assert len(set(names)) == len(names)
    ends = {end for edge in re.findall(r"(p\d+_\d+) -> (p\d+_\d+)", dot) for end in edge}
    assert ends <= set(names)


def test_automata(whorl: Run, write: Run) -> None:
    dot = whorl("parse", "--dot", write(MODEL)).out
    assert dot.count("subgraph cluster_") == 2
    assert 'label="c!a (atomic)"' in dot
    assert r"printf(\"say \\\"x\\\"\\n\")" in dot
    nodes = re.findall(r"^    p\d+_\d+ \[.*\];$", dot, re.MULTILINE)
    for kind, mark in (("accept", "filled"), ("progress", "filled"), ("end", "doublecircle")):
        marked = [node for node in nodes if re.search(rf'tooltip="[^"]*{kind}', node)]
        assert marked
        assert all(mark in node for node in marked)


@pytest.mark.skipif(shutil.which("dot") is None, reason="needs Graphviz")
def test_graphviz_reads_it(whorl: Run, write: Run) -> None:
    dot = whorl("parse", "--dot", write(MODEL)).out
    ran = subprocess.run(["dot", "-Tsvg"], input=dot, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")


MACROS = """/* cc -DNP */
#ifndef COUNT
#define COUNT 2
#endif
byte n; active proctype p() { n = COUNT }
"""


@pytest.mark.parametrize(
    ("define", "hint"),
    [
        ("CONUT=3", "did you mean 'COUNT'?"),
        ("NP", "Spin's -DNP is the option --non-progress of `whorl check`"),
        ("SAFETY", "--safety of"),
        ("BITSTATE", "--store bitstate of"),
        ("NOREDUCE", "--por none of"),
        ("VECTORSZ=2048", "a setting of Spin's verifier: whorl needs no such setting"),
    ],
)
def test_a_macro_that_the_model_never_mentions(
    whorl: Run, write: Run, define: str, hint: str
) -> None:
    found = whorl("parse", write(MACROS), f"-D{define}")
    assert found.status == 0
    name = define.partition("=")[0]
    assert f"warning: the model never mentions '{name}', a macro" in found.err
    assert hint in found.err


def test_macros_that_are_used(whorl: Run, write: Run) -> None:
    model = write(MACROS)
    assert whorl("parse", model, "-DCOUNT=LIMIT", "-DLIMIT=3").err == ""
    found = whorl("check", "-q", "--engine", "reference", model, "-DM=1", "--ltl", "<>(n>M)")
    assert (found.status, found.err) == (0, "")
    assert whorl("explain", model, "-DM=1", "--ltl", "<>(n>M)").err == ""
