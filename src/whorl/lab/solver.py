"""The SAT solver: CaDiCaL, through python-sat, which is an optional dependency."""

from __future__ import annotations

import ctypes
import signal
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import Protocol

from whorl.diagnostics import WhorlError

CADICAL = "cadical153"


class _PySat(Protocol):
    def add_clause(self, clause: Sequence[int]) -> object: ...
    def solve(self, assumptions: Sequence[int]) -> bool | None: ...
    def get_model(self) -> list[int] | None: ...
    def delete(self) -> None: ...


@contextmanager
def _interruptible() -> Iterator[None]:
    """Around a search of the solver, which may take hours and knows of SIGINT alone.

    Python would hear of other signals when it is over. So they end the process as they do by
    themselves: there is nothing to be lost.
    """
    ended = [n for n in (signal.SIGTERM, signal.SIGHUP) if signal.getsignal(n) != signal.SIG_IGN]
    try:
        handlers = {number: signal.signal(number, signal.SIG_DFL) for number in ended}
    except ValueError:  # not the main thread, which is the one that gets signals
        handlers = {}
    try:
        yield
    except Exception as error:
        if "keyboard interrupt" in str(error):  # python-sat has an exception of its own for it
            raise KeyboardInterrupt from None
        raise
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)


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
        self._abandoned = False
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
        if not self._abandoned:
            self._solver.delete()

    def _abandon(self) -> None:
        """Leaves a solver that was interrupted as it is, for ever: python-sat jumps out of it,
        perhaps while it allocates, and to free it then may end the process.
        """
        self._abandoned = True
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(self._solver))

    def add(self, clause: Sequence[int]) -> None:
        self._solver.add_clause(clause)

    def solve(self, assumptions: Sequence[int] = ()) -> frozenset[int] | None:
        """The variables that are true in a model; None if there is no model."""
        try:
            with _interruptible():
                satisfiable = self._solver.solve(assumptions=list(assumptions))
        except KeyboardInterrupt:
            self._abandon()
            raise
        if not satisfiable:
            return None
        model = self._solver.get_model()
        assert model is not None
        return frozenset(literal for literal in model if literal > 0)
