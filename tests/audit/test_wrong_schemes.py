"""The audit finds a mistake in each part of the default scheme, in either engine.

In the reference engine a function is replaced; in the native one a line of the runtime, in a copy
of the headers that the model includes instead.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

import whorl
from whorl.native.compiler import RUNTIME
from whorl.program.atomic import Run
from whorl.program.state import NOBODY, State
from whorl.reduction import safety
from whorl.reduction.candidates import Ample, Situation, candidates, situation_of
from whorl.reduction.scheme import Scheme, SelectiveScheme, Use
from whorl.reduction.schemes import DEFAULT, SCHEMES
from whorl.reduction.two_phase_ample import TwoPhaseAmple

Patch = Callable[[pytest.MonkeyPatch], None]
LINES = tuple[str, str]


def only_run(ask_visible: bool, ask_others: bool) -> Callable[[Situation, int], Run | None]:
    """`Situation.only_run` without some of its conditions."""

    def found(self: Situation, pid: int) -> Run | None:
        own = [run for run in self.runs if run.steps[0].pid == pid]
        if len(own) != 1 or own[0].state is None or own[0].state.holder != NOBODY:
            return None
        if ask_visible and self.is_visible(own[0]):
            return None
        return None if ask_others and self.closed(pid) != {pid} else own[0]

    return found


def everybody_is_alone(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Situation, "closed", lambda self, pid: frozenset([pid]))


def nothing_is_visible(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Situation, "is_visible", lambda self, run: False)


def phase_1_asks_nobody(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Situation, "only_run", only_run(ask_visible=True, ask_others=False))


def phase_1_is_visible(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Situation, "only_run", only_run(ask_visible=False, ask_others=True))


def nothing_is_sticky(patch: pytest.MonkeyPatch) -> None:
    def stored(self: TwoPhaseAmple, state: State) -> Ample:
        situation = situation_of(self.analysis, state)
        return next(iter(candidates(situation, self.rule)), situation.everything)

    patch.setattr(TwoPhaseAmple, "stored", stored)


def phase_1_may_be_sticky(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(TwoPhaseAmple, "_phase_1_after", lambda self, ample: [])


def no_proviso(patch: pytest.MonkeyPatch) -> None:
    with_proviso = safety._with_proviso

    def never_on_the_stack(
        analysis: object, scheme: SelectiveScheme, rule: object, leaves_out: bool
    ) -> object:
        select = with_proviso(analysis, scheme, rule, leaves_out)  # type: ignore[arg-type]
        return lambda state, on_stack: select(state, ())

    patch.setattr(safety, "_with_proviso", never_on_the_stack)


@dataclass(frozen=True, slots=True)
class Mistake:
    """A mistake in one part of the scheme, and a program of which it loses something."""

    reference: Patch
    native: dict[str, list[LINES]]
    model: str
    ltl: str = ""  # "": safety


# A has two ways to go, so that no step of it is one of phase 1.
MISTAKES = {
    "ample sets: dependent processes": Mistake(
        everybody_is_alone,
        {"reduction/ample.h": [
            ("if (pair == 0) return false;", "return false;"),
            ("return (d->whole & d->guard) != 0;", "return d == NULL;"),
        ]},
        "byte x, y; active proctype A() { if :: x = 1 :: x = 2 fi }"
        " active proctype B() { y = x }",
        "<> (y == 1 || y == 2)",
    ),
    "ample sets: visible steps": Mistake(
        nothing_is_visible,
        {"reduction/ample.h": [("if (in->enabled[pid] & whorl_bad[in->kinds[pid]])", "if (0)")]},
        "byte p, q; active proctype A() { if :: p = 1 :: p = 2 fi } active proctype B() { q = 1 }",
        "[] !(q == 1 && p == 0)",
    ),
    "ample sets: sticky steps": Mistake(
        nothing_is_sticky,
        {"reduction/ample.h": [("if (in->enabled[pid] & whorl_bad[in->kinds[pid]])", "if (0)")],
         "reduction/scheme/two_phase_ample.h": [("(!WHORL_PROVISO && c->sticky) ||", "")]},
        "byte p; active proctype A() { bit x; do :: x = 0 :: x = 1 od }"
        " active proctype B() { p = 1 }",
        "[] (p == 0)",
    ),
    "phase 1: dependent processes": Mistake(
        phase_1_asks_nobody,
        {"reduction/alone.h": [
            ("whorl_is_alone(c, &middle, pid, kinds, count, enabled)", "true"),
            ("if (d->whole & d->guard) {", "if (0) {"),
            ("whorl_always(kinds[pid], kinds[last])", "0"),
            ("!whorl_may_be_deterministic(whorl_deterministic[kinds[pid]], count)", "0"),
        ]},
        "byte x, y; active proctype A() { x = 1; x = 2 } active proctype B() { y = x }",
        "[] (y != 1)",
    ),
    "phase 1: visible steps": Mistake(
        phase_1_is_visible,
        {"reduction/alone.h": [
            ("!(enabled & whorl_stops[kinds[pid]])", "true"),
            ("!whorl_may_be_deterministic(whorl_deterministic[kinds[pid]], count)", "0"),
        ], "reduction/phase_1.h": [("if (!WHORL_ANY_DETERMINISTIC) return;", ""),
                         ("WHORL_ANY_DETERMINISTIC ? whorl_kinds(whorl_bytes(s), kinds) : 0",
                          "whorl_kinds(whorl_bytes(s), kinds)")]},
        "byte p, q; active proctype A() { p = 1 } active proctype B() { q = 1 }",
        "[] !(q == 1 && p == 0)",
    ),
    "phase 1: sticky steps after an ample set": Mistake(
        phase_1_may_be_sticky,
        {"reduction/scheme/two_phase_ample.h": [("(!WHORL_PROVISO && c->sticky) ||", "")]},
        "byte p; active proctype A() { byte x; L: if :: x = 1 :: x = 2 fi; x = 0; goto L }"
        " active proctype B() { p = 1 }",
        "[] (p == 0)",
    ),
    "the proviso": Mistake(
        no_proviso,
        {"reduction/scheme/two_phase_ample.h": [("WHORL_PROVISO 1", "WHORL_PROVISO 0")],
         "reduction/alone.h": [("c->sticky |= (enabled & whorl_bad[kinds[pid]]) != 0;", "")]},
        "active proctype A() { bit x; do :: x = 0 :: x = 1 od }"
        " active proctype B() { byte y; if :: y = 1 :: y = 2 :: y = 3 fi; assert(false) }",
    ),
}  # fmt: skip
PARTS = (
    "reduction/ample.h",
    "reduction/candidates.h",
    "reduction/alone.h",
    "reduction/phase_1.h",
    "reduction/scheme/two_phase_ample.h",
)
needs_compiler = pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")


def told(mistake: Mistake, engine: str) -> tuple[str, str]:
    """The verdict, and what the audit says."""
    asked = {"ltl": mistake.ltl} if mistake.ltl else {"safety": True}
    result = whorl.check(
        mistake.model,
        engine=engine,
        merge=False,
        audit=True,
        **asked,
    )
    (audit,) = (note for note in result.notes if note.startswith("audit"))
    return result.verdict, audit


def planted(lines: dict[str, list[LINES]], file: Path) -> Scheme:
    """The default scheme with a header that has copies of its parts, some lines of them wrong."""
    texts = []
    for part in PARTS:
        text = (RUNTIME / part).read_text(encoding="utf-8")
        for old, new in lines.get(part, ()):
            assert text.count(old) == 1, old
            text = text.replace(old, new)
        texts.append(text)
    file.write_text("\n".join(texts), encoding="utf-8")

    def wrong(use: Use | str | None) -> Use:
        assert isinstance(use, Use)
        return replace(use, native=replace(use.native, header=file))

    return replace(DEFAULT, formulas=wrong(DEFAULT.formulas), safety=wrong(DEFAULT.safety))


@pytest.mark.parametrize("name", MISTAKES)
def test_in_the_reference_engine(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    mistake = MISTAKES[name]
    verdict, audit = told(mistake, "reference")
    assert verdict == "violated"
    assert "nothing is lost" in audit
    mistake.reference(monkeypatch)
    assert "WRONG" in told(mistake, "reference")[1]


@needs_compiler
@pytest.mark.parametrize("name", MISTAKES)
def test_in_the_native_engine(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    mistake = MISTAKES[name]
    monkeypatch.setitem(SCHEMES, DEFAULT.name, planted({}, tmp_path / "right.h"))
    verdict, audit = told(mistake, "native")
    assert verdict == "violated"
    assert "nothing is lost" in audit
    wrong = planted(mistake.native, tmp_path / "wrong.h")
    monkeypatch.setitem(SCHEMES, DEFAULT.name, wrong)
    monkeypatch.setenv("WHORL_CC", "cc -O0")  # without assertions, which notice some of them first
    assert "WRONG" in told(mistake, "native")[1]
