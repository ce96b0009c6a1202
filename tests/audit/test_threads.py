"""`--audit --threads N`: what several threads store is compared, and their mistakes are found."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import whorl
from whorl.native import compiler as compiler_module

EXAMPLES = Path(__file__).parents[2] / "examples"
# A counter goes round and round before somebody else does something, which is a choice.
ROUND = """
byte i, y;
active proctype A() { do :: i = (i + 1) % 8 :: i = (i + 9) % 8 od }
active proctype Last() { if :: y = 1 :: y = 2 :: y = 3 fi; assert(false) }
"""

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="this machine has no cc")


@pytest.fixture(autouse=True)
def for_threads(system_compiler: None) -> None:
    """tcc does not know threads."""


def audits(result: whorl.Result) -> list[str]:
    return [note for note in result.notes if note.startswith("audit of")]


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("leader_election", {"claim": "elected"}),
        ("peterson", {"safety": True}),
        pytest.param("peterson", {"safety": True, "shortest": True}, marks=pytest.mark.slow),
        pytest.param(
            "peterson", {"safety": True, "store": "exact", "por": "none"}, marks=pytest.mark.slow
        ),
    ],
)
def test_nothing_is_lost_on_threads(name: str, options: dict[str, object]) -> None:
    model = EXAMPLES / f"{name}.pml"
    found = audits(whorl.check(model, threads=3, audit=True, **options))  # type: ignore[arg-type]
    assert found
    for note in found:
        assert ": on 3 threads that begin at once, " in note
        assert "nothing is lost" in note


@pytest.mark.slow
@pytest.mark.parametrize("model", sorted(EXAMPLES.glob("*.pml")), ids=lambda path: path.stem)
def test_nothing_is_lost_of_any_example(model: Path) -> None:
    for por in ("auto", "persistent", "two-phase", "none"):
        for note in audits(whorl.check(model, threads=3, por=por, audit=True)):
            assert "WRONG" not in note, por


MISTAKES = {
    "any state leads on": (
        "search/search.h",
        "if (s->frontier.shared) return whorl_visited_is_marked(&s->visited, kind, name);",
        "if (s->frontier.shared) return true;",
    ),
    "what one thread had open is anchored": (
        "search/anchored.h",
        "if (!(f->entries[place * whorl_entry_words(kind)] & WHORL_ANCHORED))",
        "if (place >= f->count)",
    ),
}


@pytest.mark.parametrize(
    "name", [pytest.param("any state leads on", marks=pytest.mark.slow), list(MISTAKES)[1]]
)
def test_a_mistake_of_the_proviso_is_found(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A mistake that one thread does not notice: it has another proviso."""
    file, old, new = MISTAKES[name]
    runtime = tmp_path / "runtime"
    shutil.copytree(compiler_module.RUNTIME, runtime)
    text = (runtime / file).read_text()
    assert old in text
    (runtime / file).write_text(text.replace(old, new))
    monkeypatch.setattr(compiler_module, "RUNTIME", runtime)
    monkeypatch.setattr(compiler_module, "_runtime", lambda: name.encode())  # a cache of its own
    (one,) = audits(whorl.check(ROUND, safety=True, audit=True))
    (many,) = audits(whorl.check(ROUND, safety=True, threads=2, audit=True))
    assert "nothing is lost" in one
    assert "WRONG: a failing step was lost" in many


def test_a_search_that_has_one_thread_is_audited_on_one() -> None:
    """The report says why it has one."""
    model = EXAMPLES / "leader_election.pml"
    result = whorl.check(model, claim="elected", threads=3, engine="reference", audit=True)
    (said,) = audits(result)
    assert "threads" not in said
    assert any(note.startswith("threads 3: one thread did elected") for note in result.notes)
