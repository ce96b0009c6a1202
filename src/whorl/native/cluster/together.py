"""Workers as processes of this machine, over sockets: nothing but Python is needed.

The driver has a connection to each worker, and each two workers have one. The workers of a pair
exchange in turns, the lower number first, and all pairs in one order: so nobody waits in a circle.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from whorl.native.cluster.library import PartitionOptions
from whorl.native.cluster.searches import worker_of
from whorl.native.cluster.transport import (
    EXCHANGE,
    LEAVE,
    CrewCommand,
    WorkerLost,
    follow,
    values_of,
)
from whorl.native.cluster.worker import WorkerAnswer

WAIT = 5.0  # seconds for a worker to end by itself
_START = (
    "import json, sys\n"
    "sys.path[:] = json.loads(sys.argv[1])\n"
    "from whorl.native.cluster.together import main\n"
    "main(json.loads(sys.argv[2]))\n"
)


class Together:
    """A crew of processes. A Ctrl-C of the terminal does not reach them."""

    def __init__(
        self,
        library: Path,
        options: Sequence[PartitionOptions],
    ) -> None:
        self._processes: list[subprocess.Popen[bytes]] = []
        self._controls: list[Connection] = []
        self._start(len(options))
        for number, each in enumerate(options):
            self._send(number, (str(library), each))

    def __enter__(self) -> Together:
        return self

    def __exit__(self, *raised: object) -> None:
        for number, process in enumerate(self._processes):
            try:
                self._send(number, CrewCommand(LEAVE))
                self._controls[number].close()
                process.wait(WAIT)
            except (WorkerLost, subprocess.TimeoutExpired):
                process.kill()
                process.wait()

    @property
    def count(self) -> int:
        return len(self._processes)

    @property
    def pids(self) -> list[int]:
        """The processes of the workers."""
        return [process.pid for process in self._processes]

    def all(self, name: str, *arguments: Any) -> list[Any]:
        return self._do(CrewCommand(name, arguments))

    def at(self, number: int, name: str, *arguments: Any) -> Any:
        self._send(number, CrewCommand(name, arguments, number))
        return values_of([self._hear(number)])[0]

    def exchange(self) -> None:
        self._do(CrewCommand(EXCHANGE))

    def _do(self, command: CrewCommand) -> list[Any]:
        for number in range(self.count):
            self._send(number, command)
        return values_of([self._hear(number) for number in range(self.count)])

    def _start(self, count: int) -> None:
        """Starts the processes, each with its ends of the connections."""
        ends: list[dict[str, socket.socket]] = [{} for _ in range(count)]
        for one in range(count):
            for other in range(one):
                ends[one][str(other)], ends[other][str(one)] = socket.socketpair()
        for number in range(count):
            ours, theirs = socket.socketpair()
            self._controls.append(Connection(ours.detach()))
            ends[number]["control"] = theirs
            handles = {name: end.fileno() for name, end in ends[number].items()}
            given = json.dumps({"number": number, "count": count, "handles": handles})
            command = [sys.executable, "-c", _START, json.dumps(sys.path), given]
            self._processes.append(
                subprocess.Popen(
                    command,
                    stdin=subprocess.DEVNULL,
                    pass_fds=tuple(handles.values()),
                    process_group=0,
                )
            )
        for each in ends:
            for end in each.values():
                end.close()

    def _send(self, number: int, what: Any) -> None:
        self._try(number, lambda: self._controls[number].send(what))

    def _hear(self, number: int) -> WorkerAnswer:
        answer: WorkerAnswer = self._try(number, self._controls[number].recv)
        return answer

    def _try(self, number: int, act: Callable[[], Any]) -> Any:
        try:
            return act()
        except (EOFError, OSError) as error:
            raise WorkerLost(number, str(error) or "its process has ended") from None


class _Peers:
    """The transport of a process: to the driver, and to the other workers."""

    def __init__(self, number: int, count: int, handles: dict[str, int]) -> None:
        self.number = number
        self.count = count
        self.control = Connection(handles.pop("control"))
        self._peers = {int(name): Connection(handle) for name, handle in handles.items()}

    def exchange(self, outgoing: Sequence[bytes]) -> list[bytes]:
        incoming = [b""] * self.count
        incoming[self.number] = outgoing[self.number]
        pairs = [(low, high) for low in range(self.count) for high in range(low + 1, self.count)]
        for low, high in pairs:
            if self.number == low:
                self._peers[high].send_bytes(outgoing[high])
                incoming[high] = self._peers[high].recv_bytes()
            elif self.number == high:
                incoming[low] = self._peers[low].recv_bytes()
                self._peers[low].send_bytes(outgoing[low])
        return incoming

    def gather(self, answer: Any) -> list[Any] | None:
        self.control.send(answer)
        return None

    def tell(self, command: Any) -> Any:
        return self.control.recv()


def main(given: dict[str, Any]) -> None:
    """A worker's process. It ends when its driver does, or one of the others."""
    peers = _Peers(given["number"], given["count"], given["handles"])
    try:
        library, options = peers.control.recv()
        follow(peers, worker_of(Path(library), options))
    except (EOFError, OSError):
        os._exit(1)
