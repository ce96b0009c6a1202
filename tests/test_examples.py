"""Every example has the verdict that its head comment promises, in whorl and in Spin."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

import whorl
from support.spin import full_search

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("*.pml"))

# How a head comment, whorl and Spin name the same kind of violation.
KINDS = {"assertion": "assertion", "invalid end state": "end state"}
SPIN_TEXTS = {"assertion": "assertion violated", "invalid end state": "invalid end state"}


@dataclass(frozen=True)
class Expectation:
    """What the head comment says; `kind` is None when the model holds."""

    kind: str | None

    @property
    def verdict(self) -> str:
        return "holds" if self.kind is None else "violated"


def expectation(model: Path) -> Expectation:
    lines = re.findall(
        r"^ \* Expect: (?:holds|violated \((.+)\))$", model.read_text(), re.MULTILINE
    )
    assert len(lines) == 1, f"{model.name}: one line 'Expect: …' expected, {len(lines)} found"
    kind = lines[0] or None
    assert kind is None or kind in KINDS, f"{model.name}: unknown kind of violation: {kind}"
    return Expectation(kind)


def model_id(model: Path) -> str:
    return model.stem


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 13


@pytest.mark.parametrize("model", EXAMPLES, ids=model_id)
def test_head_comment_names_a_command(model: Path) -> None:
    commands = re.findall(r"^ \* Try: (.+)$", model.read_text(), re.MULTILINE)
    assert len(commands) == 1
    assert re.fullmatch(rf"whorl check (-D\w+=\d+ )*examples/{re.escape(model.name)}", commands[0])


@pytest.mark.parametrize("model", EXAMPLES, ids=model_id)
def test_whorl_gives_the_expected_verdict(model: Path) -> None:
    expected = expectation(model)
    result = whorl.check(model)
    assert result.verdict == expected.verdict
    violated = {p.kind for p in result.properties if p.verdict == "violated"}
    assert violated == (set() if expected.kind is None else {KINDS[expected.kind]})


@pytest.mark.spin
@pytest.mark.parametrize("model", EXAMPLES, ids=model_id)
def test_spin_gives_the_expected_verdict(model: Path) -> None:
    expected = expectation(model)
    result = full_search(model)
    assert result.complete
    assert result.states < 20_000, "an example should be small enough for the reference engine"
    if expected.kind is None:
        assert result.violations == frozenset()
    else:
        assert result.violations
        assert all(text.startswith(SPIN_TEXTS[expected.kind]) for text in result.violations)
