"""The plug-in of pytest: models whose comments say what to expect are tests (`expectations.py`).

Only pytest imports this. Where nothing is expected of a model it is not collected, unless it is
named on the command line, or all are asked for.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from whorl.diagnostics import Diagnostic, Source, WhorlError
from whorl.expectations import ExpectedVerdict, expectations, met
from whorl.files import MODEL_SUFFIXES, read_text
from whorl.testing import CheckFailed
from whorl.verdict import HOLDS

if TYPE_CHECKING:
    from os import PathLike

    from _pytest._code import ExceptionInfo
    from _pytest._code.code import TerminalRepr

COLLECT = "whorl_collect"
OPTIONS = "whorl_options"
EXPECTED, ALL, NONE = "expected", "all", "none"


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("whorl", "models in Promela")
    group.addoption(
        "--whorl-all",
        action="store_true",
        help="collect every model; one that says nothing of itself should hold",
    )
    parser.addini(
        COLLECT,
        f"which models to collect: those whose comments say what to expect ({EXPECTED}, the"
        f" default), {ALL} or {NONE}",
        default=EXPECTED,
    )
    parser.addini(OPTIONS, "options of every check, such as --timeout 60", default="")


def pytest_configure(config: pytest.Config) -> None:
    chosen = config.getini(COLLECT)
    if chosen not in (EXPECTED, ALL, NONE):
        raise pytest.UsageError(f"{COLLECT} is '{chosen}': it is {EXPECTED}, {ALL} or {NONE}")
    try:
        shlex.split(config.getini(OPTIONS))
    except ValueError as error:
        raise pytest.UsageError(f"{OPTIONS} cannot be read: {str(error).lower()}") from None


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    if file_path.suffix not in MODEL_SUFFIXES:
        return None
    is_named = parent.session.isinitpath(file_path)
    chosen = ALL if parent.config.getoption("whorl_all") else parent.config.getini(COLLECT)
    if not is_named and (chosen == NONE or (chosen == EXPECTED and not _has_word(file_path))):
        return None
    model: ModelFile = ModelFile.from_parent(parent, path=file_path)
    model.is_wanted = is_named or chosen == ALL
    return model


def _has_word(path: Path) -> bool:
    """Whether a model may say what to expect of it: a glance, as there may be many."""
    try:
        return "expect" in read_text(path).lower()
    except OSError:
        return False


def _self_trust() -> Diagnostic:
    """Whether C is run is for whoever runs the tests to say, not for the model that has it."""
    hint = f"if you trust whoever wrote it: {OPTIONS} = --allow-embedded-c, in pytest's settings"
    return Diagnostic("error", "a comment cannot allow the C code of its own model", None, hint)


class ModelFile(pytest.File):
    """A model; it has a test for each expectation."""

    is_wanted = False  # if it says nothing of itself, too

    def collect(self) -> Iterator[pytest.Item]:
        try:
            found = expectations(Source(str(self.path), read_text(self.path)))
        except WhorlError as error:
            raise self.CollectError(error.render()) from None
        except OSError as error:
            raise self.CollectError(f"cannot read '{self.path}': {error}") from None
        if not found and self.is_wanted:
            found = [ExpectedVerdict(HOLDS)]
        seen: Counter[str] = Counter()
        for expected in found:
            seen[expected.name] += 1
            again = f"#{seen[expected.name]}" if seen[expected.name] > 1 else ""
            item: ModelCheck = ModelCheck.from_parent(self, name=f"{expected.name}{again}")
            item.expected = expected
            yield item


class ModelCheck(pytest.Item):
    """A check of a model that should have a certain verdict."""

    expected = ExpectedVerdict(HOLDS)

    def runtest(self) -> None:
        import whorl
        from whorl.testing.flags import keywords  # loaded where a test is run, as it takes time

        expected = self.expected
        words = shlex.split(self.config.getini(OPTIONS))
        asked: dict[str, Any] = keywords([*words, *expected.options])
        if asked["allow_embedded_c"] and not keywords(words)["allow_embedded_c"]:
            raise WhorlError(_self_trust())
        if expected.claim is not None:
            asked["claim"] = [*asked["claim"], expected.claim]
        for fair, verdict in expected.asked:
            result = whorl.check(self.path, **(asked | {"fair": fair or asked["fair"]}))
            if not met(result, verdict, expected.violated):
                runs = " of fair runs" if fair and not asked["fair"] else ""
                raise CheckFailed(f"{verdict}{expected.what}{runs}", result, f"{self._place()}: ")

    def repr_failure(
        self, excinfo: ExceptionInfo[BaseException], style: Any = None
    ) -> str | TerminalRepr:
        """The report or our diagnostics, without a traceback; that is for our own mistakes."""
        if isinstance(excinfo.value, CheckFailed):
            return str(excinfo.value)
        if isinstance(excinfo.value, WhorlError):
            return f"{self._place()}: expected {self.expected}\n{excinfo.value.render()}"
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[PathLike[str] | str, int | None, str]:
        return self.path, self.expected.line - 1, self.name

    def _place(self) -> str:
        return f"{self.path.name}:{self.expected.line}"
