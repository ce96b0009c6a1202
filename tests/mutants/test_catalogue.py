"""The catalogue of mutants is true of the code as it is now."""

from __future__ import annotations

import pytest

from mutants.catalogue import ROOT, Mutant, areas, killers, mutants

LEAST = 80
# The areas that issue 13 names, and those beside them.
WANTED = {
    "merging", "accesses", "footprints", "cells", "fixed", "dead variables", "sticky transitions",
    "phase 1", "provisos", "visibility", "candidates", "stubborn sets", "nested search", "colours",
    "components", "elimination", "fairness", "claims", "shortest", "trails", "replay", "the tree",
    "stores", "frontier", "generated actions", "reference semantics", "stutter invariance",
    "threads", "translation", "causes", "secured operations", "as printed", "swarms",
    "sleep sets", "workers", "cycles by workers",
}  # fmt: skip


@pytest.mark.parametrize("mutant", mutants(), ids=lambda mutant: mutant.title)
def test_a_wrong_line_can_be_planted(mutant: Mutant) -> None:
    text = (ROOT / mutant.file).read_text(encoding="utf-8")
    assert text.count(mutant.old) == 1
    planted = mutant.planted_in(text)
    assert planted != text
    if mutant.file.suffix == ".py":
        compile(planted, str(mutant.file), "exec")


def test_there_are_enough_in_every_area() -> None:
    assert len(mutants()) >= LEAST
    assert {mutant.area for mutant in mutants()} == WANTED == set(areas())
    counts = [sum(mutant.area == area for mutant in mutants()) for area in WANTED]
    assert min(counts) >= 1


def test_titles_differ() -> None:
    titles = [mutant.title for mutant in mutants()]
    assert len(titles) == len(set(titles))


def test_tests_that_are_named_are_there() -> None:
    named = {test for area in areas().values() for test in (*area.tests, *area.related)}
    named |= {test for mutant in mutants() for test in mutant.tests} | set(killers().values())
    for test in named:
        path, *inside = test.partition("[")[0].split("::")
        assert (ROOT / path).exists(), test
        for name in inside:
            assert f"def {name}(" in (ROOT / path).read_text(encoding="utf-8"), test


def test_killers_are_of_mutants_that_are_there() -> None:
    assert set(killers()) <= {mutant.title for mutant in mutants()}
