"""No configuration loses anything where channel operations are secured, or seem to be."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from systematic.campaign import Report, campaign
from systematic.channels import FAMILIES, pairs, trios
from systematic.configurations import chosen, configurations, default

PARTS = 4
needs_compiler = pytest.mark.skipif(
    shutil.which("cc") is None and shutil.which("tcc") is None, reason="needs a C compiler"
)


@pytest.fixture(autouse=True)
def _own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("WHORL_CACHE", str(tmp_path))


def holds(report: Report) -> None:
    told = [f"{f.program} | {f.configuration}\n{f.problem}\n{f.text}" for f in report.findings]
    assert not told, "\n".join(told[:3])
    assert report.too_large == 0


@needs_compiler
def test_a_sample_of_pairs() -> None:
    """Each body occurs, in the default; the other reductions in turn."""
    programs = list(pairs())[::7]
    met = {tag for program in programs for tag in program.tags}
    assert met == {f"channels:{f}:{body}" for f, bodies in FAMILIES.items() for body in bodies}
    holds(campaign(programs, default(), chosen(configurations(), but=["none"]), 37))


@pytest.mark.slow
@needs_compiler
@pytest.mark.parametrize("part", range(PARTS))
def test_every_pair_with_every_reduction(part: int) -> None:
    reduced = chosen(configurations(), but=["none"])
    holds(campaign(list(pairs())[part::PARTS], default(), reduced))


@pytest.mark.slow
@needs_compiler
@pytest.mark.parametrize("part", range(PARTS))
def test_every_trio_in_the_default(part: int) -> None:
    holds(campaign(list(trios())[part::PARTS], default()))
