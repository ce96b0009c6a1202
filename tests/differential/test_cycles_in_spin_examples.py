"""Cycles in the models that come with Spin: both engines and Spin give the same verdicts.

Every model is searched for non-progress cycles, and for acceptance cycles where it has a never
claim or accept labels, and checked for its ltl blocks; all with weak fairness and without. The
native engine looks at all of a model, the reference engine at so many states that a violation is
found or the model is small.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import whorl
from support.asserts import without_assertions
from support.cycles import search
from support.spin import claim_searches, cycle_searches, is_violated

FOLDER = Path("/usr/share/doc/spin/examples/Examples")
MODELS = sorted(FOLDER.rglob("*.pml"))
MOST_STATES = {"reference": 12_000, "native": 5_000_000}

CYCLES = {"acceptance cycle", "non-progress cycle", "end state in claim reached"}

# Where Spin says nothing, with the reason.
NO_ORACLE = {
    "p108.pml": "it starts processes without end",
    "patterns.pml": "Spin wants a single formula to be chosen: it has several ltl blocks",
    "wordcount.pml": "it uses a channel that was never made, and pan goes on with what lies there",
    "priorities.pml": "its integers grow without end, and pan stops at its depth limit",
}
# The others need no test every time.
FAST_LTL = {"ltl_example.pml", "ltl_always_eventually.pml"}
FAST = {"p123.pml", "loops.pml", "werkplaats.pml", "ex_3a.pml", "ex_5.pml", "p319.pml"}

pytestmark = [
    pytest.mark.spin,
    pytest.mark.skipif(not MODELS, reason="Spin's examples are not installed"),
]


def parameters() -> list[object]:
    return [
        pytest.param(
            model,
            id=str(model.relative_to(FOLDER)),
            marks=[] if model.name in FAST else [pytest.mark.slow],
        )
        for model in MODELS
        if model.name not in NO_ORACLE
    ]


def compare(model: Path, non_progress: bool) -> None:
    results = cycle_searches(model, non_progress=non_progress, timeout=20)
    for fair, spin in zip((False, True), results, strict=True):
        theirs = bool(spin.violations & CYCLES)
        if not theirs and not spin.complete:
            continue
        for engine, most in MOST_STATES.items():
            found, _ = search(
                model,
                non_progress_cycles=non_progress,
                fair=fair,
                max_states=most,
                assertions=False,
                engine=engine,
            )
            if found.stopped is None:
                what = f"{engine}{' fair' if fair else ''}: {found.violations} {spin.violations}"
                assert bool(found.violations) == theirs, what
            else:
                assert engine == "reference", f"{model}: {found.stopped}"


@pytest.mark.parametrize("model", parameters())
def test_non_progress(model: Path) -> None:
    compare(model, non_progress=True)


@pytest.mark.parametrize("model", parameters())
def test_acceptance(model: Path) -> None:
    text = model.read_text(errors="replace")
    if not re.search(r"^\s*never\b|\baccept\w*\s*:", text, re.MULTILINE) or "ltl" in text:
        pytest.skip("it has neither a never claim nor accept labels")
    compare(model, non_progress=False)


LTL_MODELS = [
    model
    for model in MODELS
    if re.search(r"^\s*ltl\b", model.read_text(errors="replace"), re.MULTILINE)
]


@pytest.mark.parametrize(
    "model",
    [
        pytest.param(
            model, id=model.stem, marks=[] if model.name in FAST_LTL else [pytest.mark.slow]
        )
        for model in LTL_MODELS
    ],
)
def test_ltl(model: Path) -> None:
    text = without_assertions(model.read_text(errors="replace"))
    names = [formula.name for formula in whorl.load(text).program.formulas]
    results = claim_searches(text, names, timeout=20)
    for name in names:
        for fair, spin in zip((False, True), results[name], strict=True):
            # ltl_example.pml asks for the length of a channel that was never made.
            theirs = is_violated(spin) or any("uninitialized" in v for v in spin.violations)
            if not theirs and not spin.complete:
                continue
            for engine, most in MOST_STATES.items():
                found = whorl.check(
                    text, claim=name, fair=fair, engine=engine, por="none", max_states=most
                )
                (verdict,) = {p.verdict for p in found.properties}
                if verdict == "inconclusive":
                    assert engine == "reference", f"{model}: {found.notes}"
                else:
                    what = f"{engine}{' fair' if fair else ''}: {name} {spin.output}"
                    assert (verdict == "violated") == theirs, what
