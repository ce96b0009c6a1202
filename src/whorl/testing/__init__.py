"""Checks as tests: a failure shows the counterexample.

    from whorl.testing import assert_holds, assert_violated

    def test_the_lock() -> None:
        assert_holds("lock.pml", "[] (inside <= 1)", defines={"N": 3})

Pytest is not needed for these; `plugin.py` is for pytest alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import whorl
from whorl.diagnostics import WhorlError
from whorl.expectations import met
from whorl.verdict import HOLDS, VIOLATED, Result

if TYPE_CHECKING:
    from whorl.api import Model

__all__ = ["CheckFailed", "assert_holds", "assert_violated"]


class CheckFailed(AssertionError):
    """A check whose result is not the one expected; `result` is what it gave."""

    def __init__(self, expected: str, result: Result, where: str = "") -> None:
        names = [checked.name for checked in result.properties if checked.verdict == VIOLATED]
        found = f"{VIOLATED} ({', '.join(names)})" if names else result.verdict
        super().__init__(f"{where}expected {expected}, found {found}\n{result}")
        self.result = result


def assert_holds(
    model: Model | str | Path, ltl: str | Sequence[str] = (), **options: Any
) -> Result:
    """Fails unless the check holds; with `ltl`, of these formulas alone. Gives the result.

    `options` are the keywords of `whorl.check`. An inconclusive check fails, too, and says why.
    """
    __tracebackhide__ = True
    result = _checked(model, ltl, options)
    if not met(result, HOLDS):
        raise CheckFailed(HOLDS, result)
    return result


def assert_violated(
    model: Model | str | Path,
    ltl: str | Sequence[str] = (),
    *,
    names: str | Sequence[str] = (),
    **options: Any,
) -> Result:
    """Fails unless a violation is found. Gives the result, whose `trace` is the counterexample.

    `names` are what is violated, and nothing else: "assertions", "end states", the name of a
    claim. Without them, anything may be.
    """
    __tracebackhide__ = True
    result = _checked(model, ltl, options)
    wanted = [names] if isinstance(names, str) else [*names]
    if not met(result, VIOLATED, frozenset(wanted)):
        raise CheckFailed(f"{VIOLATED} ({', '.join(wanted)})" if wanted else VIOLATED, result)
    return result


def _checked(
    model: Model | str | Path, ltl: str | Sequence[str], options: dict[str, Any]
) -> Result:
    __tracebackhide__ = True
    try:
        return whorl.check(model, ltl=ltl, **options)
    except WhorlError as error:  # what is wrong is said in words: where we found it is no help
        raise error.with_traceback(None) from None
