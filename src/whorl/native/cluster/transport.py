"""How the driver asks workers, and how states get from one worker to another.

The driver (levels.py) knows a `Crew`: all workers, wherever they are. Where each worker is a
process that runs the same program, as with MPI, a crew is made of a `Transport`, which has three
functions; worker 0 drives, and the others follow. Where workers are objects that can be called, as
with Ray, the crew calls them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from whorl.native.cluster.library import Stopped
from whorl.native.cluster.worker import ClusterWorker, WorkerAnswer

EXCHANGE = "exchange"
LEAVE = "leave"


class WorkerLost(Exception):
    """A worker is gone, and with it a part of the states: nothing of its crew can be used."""

    def __init__(self, number: int, why: str) -> None:
        super().__init__(f"worker {number} is lost: {why}")
        self.number = number
        self.why = why


class Crew(Protocol):
    """All workers. Each function may raise `Stopped` or `WorkerLost`."""

    @property
    def count(self) -> int: ...

    def all(self, name: str, *arguments: Any) -> list[Any]:
        """Calls a method of every worker at the same time; the answers, by number."""

    def at(self, number: int, name: str, *arguments: Any) -> Any:
        """Calls a method of one worker."""

    def exchange(self) -> None:
        """Every worker inserts what is in the outboxes for it."""


class Transport(Protocol):
    """What workers that run the same program have to each other."""

    @property
    def number(self) -> int: ...

    @property
    def count(self) -> int: ...

    def exchange(self, outgoing: Sequence[bytes]) -> list[bytes]:
        """Gives a batch to each worker, and gets one from each."""

    def gather(self, answer: Any) -> list[Any] | None:
        """All answers, by number, at worker 0; None elsewhere."""

    def tell(self, command: Any) -> Any:
        """What worker 0 says; it comes to everybody. Nobody goes on before it is there."""


@dataclass(frozen=True, slots=True)
class CrewCommand:
    """A call of a method; `to`: of one worker alone."""

    name: str
    arguments: tuple[Any, ...] = ()
    to: int | None = None


def values_of(answers: Sequence[WorkerAnswer]) -> list[Any]:
    """What workers have answered; `Stopped` if one of them had to stop."""
    for answer in answers:
        if answer.stopped is not None:
            raise Stopped(answer.stopped)
    return [answer.value for answer in answers]


def carry_out(transport: Transport, worker: ClusterWorker, command: CrewCommand) -> WorkerAnswer:
    """What a worker does for a command, and answers."""
    if command.to not in (None, transport.number):
        return WorkerAnswer()
    if command.name != EXCHANGE:
        return worker.answer(command.name, *command.arguments)
    stopped = None
    for batch in transport.exchange(worker.outgoing()):
        answer = worker.answer("insert", batch)
        stopped = stopped or answer.stopped
    return WorkerAnswer(stopped=stopped)


class LedCrew:
    """The crew of worker 0, which drives."""

    def __init__(self, transport: Transport, worker: ClusterWorker) -> None:
        self._transport = transport
        self._worker = worker

    @property
    def count(self) -> int:
        return self._transport.count

    def all(self, name: str, *arguments: Any) -> list[Any]:
        return values_of(self._do(CrewCommand(name, arguments)))

    def at(self, number: int, name: str, *arguments: Any) -> Any:
        return values_of(self._do(CrewCommand(name, arguments, number)))[number]

    def exchange(self) -> None:
        values_of(self._do(CrewCommand(EXCHANGE)))

    def leave(self) -> None:
        """The others need not follow any more."""
        self._transport.tell(CrewCommand(LEAVE))

    def _do(self, command: CrewCommand) -> list[WorkerAnswer]:
        self._transport.tell(command)
        answers = self._transport.gather(carry_out(self._transport, self._worker, command))
        assert answers is not None
        return answers


def follow(transport: Transport, worker: ClusterWorker) -> None:
    """What the other workers do until worker 0 leaves."""
    while (command := transport.tell(None)).name != LEAVE:
        transport.gather(carry_out(transport, worker, command))
