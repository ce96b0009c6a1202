"""Bad models and what whorl says about them, word for word.

Each `bad/NAME.pml` has a `bad/NAME.expected` with the rendered diagnostics: all errors, or, where
there is none, all warnings. After a change that is meant to change messages, write them anew with

    WHORL_WRITE_EXPECTED=1 pytest tests/promela/test_bad_models.py

and read the difference as a new user of Promela would: is the place right, does the hint help, is
there no message that only follows from another?
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import whorl

FOLDER = Path(__file__).parent / "bad"
MODELS = sorted(FOLDER.glob("*.pml"))


def said(model: Path) -> str:
    """All that is said about a model, with files named relative to its folder."""
    try:
        loaded = whorl.load(model)
    except whorl.WhorlError as error:
        found = error.diagnostics
    else:
        found = loaded.warnings
    text = "\n".join(diagnostic.render() for diagnostic in found)
    return text.replace(f"{FOLDER}{os.sep}", "") + "\n"


def test_there_are_many() -> None:
    assert len(MODELS) >= 70


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.stem)
def test_what_is_said(model: Path) -> None:
    expected = model.with_suffix(".expected")
    found = said(model)
    assert found.strip(), "this model is not bad at all"
    if os.environ.get("WHORL_WRITE_EXPECTED"):
        expected.write_text(found, encoding="utf-8")
    assert found == expected.read_text(encoding="utf-8")


def test_every_expectation_has_its_model() -> None:
    stray = {e.stem for e in FOLDER.glob("*.expected")} - {m.stem for m in MODELS}
    assert not stray
