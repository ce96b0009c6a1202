"""What came of checking one model: a result, or why there is none."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from whorl.search.limits import INTERRUPTED
from whorl.verdict import (
    EXIT_BAD_INPUT,
    EXIT_CODES,
    EXIT_INTERNAL,
    HOLDS,
    INCONCLUSIVE,
    VIOLATED,
    Result,
)

if TYPE_CHECKING:
    from whorl.api import Model
    from whorl.diagnostics import Diagnostic

# The exit status of several checks is the first of these that one of them has: where a model could
# not be checked, less is known than where one is violated.
WORST_FIRST = (
    EXIT_INTERNAL,
    EXIT_BAD_INPUT,
    EXIT_CODES[VIOLATED],
    EXIT_CODES[INCONCLUSIVE],
    EXIT_CODES[HOLDS],
)
_LIMIT = re.compile(r"\blimit of .* was reached|out of memory")
_WITHOUT_RESULT = {EXIT_INTERNAL: "internal error", EXIT_BAD_INPUT: "error"}


@dataclass(frozen=True, slots=True)
class ModelOutcome:
    """The outcome of one check. `model` is None if it could not be read, `result` if there is none.

    `errors` say why there is no result, or which files could not be written; `written` says which
    were. `seconds` is the time of the whole check.
    """

    name: str  # of the model, as it was given
    defines: Mapping[str, str]
    status: int
    model: Model | None = None
    result: Result | None = None
    errors: tuple[Diagnostic, ...] = ()
    written: tuple[str, ...] = field(default=())
    seconds: float = 0.0

    @property
    def word(self) -> str:
        """The verdict, or what stands in its place."""
        if self.result is not None:
            return self.result.verdict
        return _WITHOUT_RESULT.get(self.status, INCONCLUSIVE)

    @property
    def interrupted(self) -> bool:
        """Whether somebody wants no more: a Ctrl-C ended it."""
        if self.result is None:
            return any(error.message == "interrupted" for error in self.errors)
        return any(checked.why.endswith(INTERRUPTED) for checked in self.result.properties)

    @property
    def limited(self) -> bool:
        """Whether a limit of time, memory or states ended it, or a part of it."""
        if self.result is None:
            return self.status == EXIT_CODES[INCONCLUSIVE]
        return any(_LIMIT.search(checked.why) for checked in self.result.properties)

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Everything that is said about the model's text, or about files."""
        return (*(self.model.warnings if self.model is not None else ()), *self.errors)


def worst(outcomes: Iterable[ModelOutcome]) -> int:
    """The exit status of several checks."""
    return min((outcome.status for outcome in outcomes), key=WORST_FIRST.index, default=0)
