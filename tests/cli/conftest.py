"""What the tests of the command line share: a way to run it and to write models."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from whorl.cli import main


@dataclass(frozen=True)
class Outcome:
    """What a command line gave."""

    status: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        return json.loads(self.out)

    @property
    def last(self) -> str:
        return self.out.splitlines()[-1]


@pytest.fixture
def whorl(capfd: pytest.CaptureFixture[str]) -> Callable[..., Outcome]:
    def run(*words: str | Path) -> Outcome:
        status = main([str(word) for word in words])
        captured = capfd.readouterr()
        return Outcome(status, captured.out, captured.err)

    return run


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    def make(text: str, name: str = "model.pml") -> Path:
        path = tmp_path / name
        path.write_text(text)
        return path

    return make
