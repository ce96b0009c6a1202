"""A quick verifier first, an optimised one where the search goes on: which one has the say.

The compiler here is a script that makes verifiers which are scripts, too.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from whorl.native import tiers
from whorl.native.compiler import Builder, Compiler, CompilerError
from whorl.native.verifier import Outcome
from whorl.search.limits import Progress

PROGRESS = {"states": 1, "transitions": 1, "depth": 1, "seconds": 0.1, "memory_bytes": 1}
TELL = f"echo '{json.dumps({'type': 'progress', **PROGRESS})}'\n"
FOR_EVER = f"while true; do {TELL} sleep 0.02; done\n"


def until(file: Path) -> str:
    return f"until test -e {file}; do {TELL} sleep 0.02; done\n" + 3 * f"{TELL} sleep 0.05\n"


def done(name: str) -> str:
    return f'echo "{{\\"type\\":\\"done\\",\\"who\\":\\"{name}\\",\\"words\\":\\"$*\\"}}"\n'


Make = Callable[..., Compiler]


@pytest.fixture
def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Make:
    """Makes a compiler, from what the two verifiers do and what it does before each."""
    monkeypatch.setenv("WHORL_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(tiers, "PATIENCE", 0.0)

    def compiler(
        quick: str,
        optimised: str = done("optimised"),
        before: str = "",
        added: tuple[str, ...] = (),
    ) -> Compiler:
        for name, text in (("quick", quick), ("optimised", optimised)):
            (tmp_path / name).write_text(f"#!/bin/sh\n{text}")
            (tmp_path / name).chmod(0o755)
        script = tmp_path / "cc"
        script.write_text(
            "#!/bin/sh\n"
            f'echo "$@" >> {tmp_path / "compiled"}\n'
            "kind=quick; out=\n"
            'while test $# -gt 0; do case "$1" in -O2) kind=optimised;; -o) out=$2;; esac; shift;'
            " done\n"
            f"if test $kind = optimised; then :; {before} fi\n"
            f"cp {tmp_path}/$kind $out\n"
        )
        script.chmod(0o755)
        return Compiler((str(script),), "cc", added)

    return compiler


def search(compiler: Compiler, report: Callable[[Progress], None] | None = None) -> Outcome:
    return tiers.search(
        "text", Builder(compiler), lambda spent: ["again" if spent else "first"], report
    )


def levels(folder: Path) -> list[str]:
    """What was compiled, by how much it is optimised."""
    return [
        next(word for word in line.split() if word.startswith("-O"))
        for line in (folder / "compiled").read_text().splitlines()
    ]


def kept(folder: Path) -> int:
    """How many verifiers are kept; nothing else may be left."""
    found = list((folder / "cache").iterdir())
    assert all(path.is_file() for path in found)
    return len(found)


def test_a_search_that_ends_soon_is_done_by_the_quick_one(make: Make, tmp_path: Path) -> None:
    compiler = make(done("quick"))
    for _ in range(2):
        outcome = search(compiler)
        assert outcome.figures["who"] == "quick"
        assert outcome.seconds_before == 0
    assert levels(tmp_path) == ["-Og"]
    assert kept(tmp_path) == 1


def test_a_search_that_goes_on_is_done_by_the_optimised_one(make: Make, tmp_path: Path) -> None:
    compiler = make(FOR_EVER)
    seen: list[Progress] = []
    outcome = search(compiler, seen.append)
    assert outcome.figures == {"type": "done", "who": "optimised", "words": "again"}
    assert outcome.seconds_before > 0
    assert seen
    again = search(compiler)
    assert again.figures["words"] == "first"
    assert again.seconds_before == 0
    assert levels(tmp_path) == ["-Og", "-O2"]
    assert kept(tmp_path) == 2


def test_what_the_quick_one_found_before_does_not_count(make: Make) -> None:
    violation = """echo '{"type":"violation","site":0,"choices":[]}'\n"""
    outcome = search(make(violation + FOR_EVER, violation + done("optimised")))
    assert len(outcome.violations) == 1


def test_the_quick_one_ends_while_the_other_is_compiled(make: Make, tmp_path: Path) -> None:
    begun, left = tmp_path / "begun", tmp_path / "left"
    slow = f"touch {begun}; sleep 1000; touch {left};"
    outcome = search(make(until(begun) + done("quick"), before=slow))
    assert outcome.figures["who"] == "quick"
    assert not left.exists()
    assert kept(tmp_path) == 1


def test_the_quick_one_goes_on_if_the_other_cannot_be_compiled(make: Make, tmp_path: Path) -> None:
    tried = tmp_path / "tried"
    outcome = search(make(until(tried) + done("quick"), before=f"touch {tried}; exit 1;"))
    assert outcome.figures["who"] == "quick"
    assert levels(tmp_path) == ["-Og", "-O2"]
    assert kept(tmp_path) == 1


def test_a_level_that_the_user_wants_is_the_only_one(make: Make, tmp_path: Path) -> None:
    outcome = search(make(FOR_EVER, added=("-O1",)))
    assert outcome.figures["who"] == "optimised"
    assert len(levels(tmp_path)) == kept(tmp_path) == 1


def test_what_the_compiler_says_is_told(make: Make, tmp_path: Path) -> None:
    compiler = make(done("quick"), before="echo 'it is so' >&2; exit 1;", added=("-O2",))
    with pytest.raises(CompilerError, match="it is so"):
        search(compiler)
    assert kept(tmp_path) == 0
