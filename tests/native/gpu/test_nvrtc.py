"""Every model's kernels compile for a GPU: by NVRTC from PyPI, which needs none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import whorl
from support import nvrtc
from support.cluster import claim_tasks
from support.cycle_models import CLAIMS, LABELS, PROGRESS
from support.generator import PROFILES, programs
from whorl.diagnostics import WhorlError
from whorl.engines import reference_semantics
from whorl.native.gpu.fitting import fit
from whorl.native.gpu.text import SEARCH, TELLING, written
from whorl.native.job import job_of
from whorl.program.walks import estimate
from whorl.reduction.schemes import Reduction
from whorl.selection import Wanted
from whorl.task import Task

EXAMPLES = Path(__file__).parents[3] / "examples"
ARCHITECTURES = ("sm_80", "sm_90")
REDUCTIONS = {
    "none": Reduction("none"),
    "static": Reduction("static", cache="selective"),
    "two-phase": Reduction("two-phase", cache="selective"),
    "two-phase-all": Reduction("two-phase"),
}
KERNELS: dict[tuple[str, ...], tuple[str, ...]] = {
    SEARCH: ("gpu_begin", "gpu_enter", "gpu_by_process", "gpu_whole"),
    TELLING: ("gpu_enter", "gpu_whole", "gpu_failing", "gpu_before", "gpu_tell"),
}
OF_CLAIM = ("gpu_enter", "claim_explore", "claim_leave", "claim_reach", "claim_trim", "claim_round")
CLAIM_KERNELS: dict[tuple[str, ...], tuple[str, ...]] = {
    SEARCH: OF_CLAIM,
    TELLING: (*OF_CLAIM, "claim_first", "claim_tell"),
}

pytestmark = pytest.mark.skipif(
    nvrtc.library() is None, reason="nvidia-cuda-nvrtc-cu12 is not installed"
)


def text_of(model: str | Path, reduction: str) -> str:
    semantics = reference_semantics(whorl.load(model).program)
    task = Task(semantics, reduction=REDUCTIONS[reduction])
    return written(semantics, job_of(task), estimate(semantics)).text


def texts_of_claims(model: str | Path, **options: Any) -> list[str]:
    """Those of the formulas of a model, or of what is wanted."""
    found = []
    for task in map(fit, claim_tasks(model, **options)):
        room = estimate(task.semantics)
        found.append(written(task.semantics, job_of(task), room).text)
    return found


def compiles(text: str, architecture: str, modules: tuple[tuple[str, ...], ...]) -> None:
    for defines in modules:
        made, said = nvrtc.compiled(text, architecture, *(f"-D{define}" for define in defines))
        assert made is not None, said
        kernels = CLAIM_KERNELS if "whorl_claim_begin" in text else KERNELS
        assert all(kernel.encode() in made for kernel in kernels[defines])
        if architecture.startswith("compute"):
            assert not nvrtc.in_a_circle(made.decode())


@pytest.mark.parametrize(
    ("name", "reduction", "architecture"),
    [
        ("two_phase_commit", "none", "sm_90"),
        ("lost_update", "two-phase", "sm_80"),
        ("leader_election", "static", "compute_80"),
        ("msi_cache", "two-phase-all", "compute_90"),
    ],
)
def test_examples(name: str, reduction: str, architecture: str) -> None:
    compiles(text_of(EXAMPLES / f"{name}.pml", reduction), architecture, (SEARCH, TELLING))


@pytest.mark.parametrize(
    ("name", "por"), [("traffic_light", "auto"), ("philosophers_ordered", "none")]
)
def test_claims(name: str, por: str) -> None:
    texts = texts_of_claims(EXAMPLES / f"{name}.pml", por=por)
    compiles(texts[0], "sm_90" if por == "auto" else "compute_80", (SEARCH, TELLING))


@pytest.mark.slow
@pytest.mark.parametrize("model", sorted(EXAMPLES.glob("*.pml")), ids=lambda path: path.stem)
def test_claims_of_all_examples(model: Path) -> None:
    for por in ("auto", "none"):
        for text in texts_of_claims(model, por=por):
            compiles(text, "compute_80", (SEARCH, TELLING))


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(CLAIMS))
def test_never_claims(name: str) -> None:
    for text in texts_of_claims(CLAIMS[name]):
        compiles(text, "compute_80", (SEARCH, TELLING))


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted({**LABELS, **PROGRESS}))
def test_labels(name: str) -> None:
    progress = name in PROGRESS
    wanted = Wanted(acceptance=not progress, non_progress=progress)
    for text in texts_of_claims({**LABELS, **PROGRESS}[name], wanted=wanted):
        compiles(text, "compute_80", (SEARCH, TELLING))


def test_operands_that_may_fault_are_evaluated_in_order() -> None:
    """C does that in an expression that has statements, which NVRTC does not know."""
    text = "byte a[3], i; active proctype P() { a[i] = a[a[i]] - a[i + 1] % 10; a[a[i] / a[2]]++ }"
    generated = text_of(text, "none")
    assert "WHORL_DO(" in generated.split("/* --- the steps of", 1)[1]
    compiles(generated, "compute_80", (SEARCH,))


@pytest.mark.parametrize(
    "text",
    [
        "chan c = [0] of { byte }; byte n; active proctype P() { do :: c!n :: enabled(1) od }"
        " active proctype Q() { c?eval(n) }",
        "proctype W() { skip } active proctype P() { run W() } active proctype Q() { enabled(0) }",
    ],
    ids=["receive", "run"],
)
def test_what_has_statements_inside_of_an_expression(text: str) -> None:
    compiles(text_of(text, "none"), "compute_80", (SEARCH,))


@pytest.mark.slow
@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("model", sorted(EXAMPLES.glob("*.pml")), ids=lambda path: path.stem)
def test_all_examples(model: Path, architecture: str) -> None:
    for reduction in REDUCTIONS:
        compiles(text_of(model, reduction), architecture, (SEARCH, TELLING))


@pytest.mark.slow
@pytest.mark.parametrize("profile", sorted(PROFILES))
@given(data=st.data())
@settings(
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    deadline=None,
    max_examples=10,
)
def test_random_programs(profile: str, data: st.DataObject) -> None:
    text = data.draw(programs(PROFILES[profile]))
    try:
        whorl.load(text)
    except WhorlError:
        return
    for reduction in ("none", "two-phase"):
        compiles(text_of(text, reduction), "compute_80", (SEARCH, TELLING))


def test_what_calls_itself_is_noticed() -> None:
    """The stack of a thread is as large as ptxas says, which knows that if nothing does."""
    text = """static __attribute__((noinline)) int g(int n);
        static __attribute__((noinline)) int f(int n) { return n ? g(n - 1) * n : 1; }
        static __attribute__((noinline)) int g(int n) { return n ? f(n - 1) + 3 : 2; }
        extern "C" __global__ void k(int *p) { *p = %s; }"""
    made, _ = nvrtc.compiled(text % "f(*p) + g(*p)", "compute_80")
    assert made is not None
    assert nvrtc.in_a_circle(made.decode())
    made, _ = nvrtc.compiled(text % "*p + 1", "compute_80")
    assert made is not None
    assert not nvrtc.in_a_circle(made.decode())


def test_what_does_not_compile_is_noticed() -> None:
    text = text_of(EXAMPLES / "lost_update.pml", "none")
    assert nvrtc.compiled(text + "\nint more = nothing;\n", "compute_80")[0] is None
