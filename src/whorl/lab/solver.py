"""The SAT solver: CaDiCaL, through python-sat, which is an optional dependency."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import Protocol

from whorl.diagnostics import WhorlError

CADICAL = "cadical153"


class _PySat(Protocol):
    def add_clause(self, clause: Sequence[int]) -> object: ...
    def solve(self, assumptions: Sequence[int]) -> bool | None: ...
    def get_model(self) -> list[int] | None: ...
    def delete(self) -> None: ...


class Solver:
    """Clauses in, a model or None out; clauses may be added after an answer.

    A literal is a variable's number, negative if negated.
    """

    def __init__(self, clauses: Iterable[Sequence[int]] = ()) -> None:
        try:
            from pysat.solvers import Solver as PySat
        except ImportError:
            raise WhorlError.at(
                None,
                "the laboratory needs a SAT solver, which is not installed",
                "install it with: pip install 'whorl[lab]'",
            ) from None
        self._solver: _PySat = PySat(name=CADICAL, bootstrap_with=clauses)

    def __enter__(self) -> Solver:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        self._solver.delete()

    def add(self, clause: Sequence[int]) -> None:
        self._solver.add_clause(clause)

    def solve(self, assumptions: Sequence[int] = ()) -> frozenset[int] | None:
        """The variables that are true in a model; None if there is no model."""
        if not self._solver.solve(assumptions=list(assumptions)):
            return None
        model = self._solver.get_model()
        assert model is not None
        return frozenset(literal for literal in model if literal > 0)
