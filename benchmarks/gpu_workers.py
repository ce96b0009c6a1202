"""Does tasks one after the other in processes of their own, and outlives whatever happens there.

Once a kernel has failed, CUDA does nothing any more for the process that launched it; one that
never ends can only be killed. So a process is replaced where a task broke it, took too long, or
ended it. It begins with a module of its own, as `spawn` does, since CUDA does not survive a fork.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from multiprocessing.connection import Connection
from typing import Any

Row = dict[str, Any]
Work = Callable[[Row], Row]
BROKEN = "broken"  # of an answer: the process is not to be used any more
_SPAWN = multiprocessing.get_context("spawn")


class Worker:
    """A process that does tasks; it is there once there is a first one."""

    def __init__(self, work: Work, seconds: float) -> None:
        self.work = work
        self.seconds = seconds  # for one task
        self._process: Any = None
        self._connection: Connection | None = None

    def ask(self, task: Row) -> Row:
        """The answer to a task; where there is none, its `error` says why."""
        try:
            if self._connection is None:
                self._connection, there = _SPAWN.Pipe()
                self._process = _SPAWN.Process(target=_serve, args=(there, self.work), daemon=True)
                self._process.start()
                there.close()
            self._connection.send(task)
            if not self._connection.poll(self.seconds):
                return self._lost(f"it took more than {self.seconds:.0f} s")
            answer: Row = self._connection.recv()
        except (EOFError, OSError):
            return self._lost("its process ended")
        if answer.get(BROKEN):
            self.close()
        return answer

    def _lost(self, why: str) -> Row:
        self.close()
        return {"error": why, BROKEN: True}

    def close(self) -> None:
        """Ends the process."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
        if self._connection is not None:
            self._connection.close()
        self._process = self._connection = None


def done_by(
    work: Work, tasks: Iterable[Row], workers: int, seconds: float, budget: float
) -> Iterator[tuple[Row, Row]]:
    """Tasks with their answers, as these come; none begins once the budget of seconds is spent.

    Without workers it is this process that works.
    """
    ends = time.monotonic() + budget
    if workers == 0:
        for task in tasks:
            if time.monotonic() < ends:
                yield task, work(task)
        return
    every = [Worker(work, seconds) for _ in range(workers)]
    free = list(every)

    def one(task: Row) -> tuple[Row, Row] | None:
        if time.monotonic() >= ends:
            return None
        worker = free.pop()
        try:
            return task, worker.ask(task)
        finally:
            free.append(worker)

    try:
        with ThreadPoolExecutor(workers) as pool:
            for future in as_completed([pool.submit(one, task) for task in tasks]):
                found = future.result()
                if found is not None:
                    yield found
    finally:
        for worker in every:
            worker.close()


def _serve(connection: Connection, work: Work) -> None:
    """What a process does: it answers until nobody asks."""
    while True:
        try:
            task = connection.recv()
        except EOFError:
            return
        connection.send(work(task))
