"""Ray's driver in a process of its own, which is asked over a socket.

Where the object store of its machine is gone, Ray's own code ends the process in which it is, with
status 1. `whorl check` would say by that status that something is violated. So it is a child that
ends, which is a worker that is lost: recovery.py gathers another crew.

    whorl -- socket -- driver (by_ray.py) -- Ray -- workers

Requests have numbers, since whoever asks may be interrupted while it waits for an answer. A Ctrl-C
of the terminal does not reach the driver; it ends when the process that began it does.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from whorl import deadline
from whorl.cores import cores
from whorl.diagnostics import Diagnostic, WhorlError
from whorl.native.cluster.by_ray import EXPAND, HERE, Later, RayCluster, RayCrew, Spot, sweep
from whorl.native.cluster.library import PartitionOptions, Stopped
from whorl.native.cluster.transport import WorkerLost
from whorl.native.verifier import VerifierError

PACKAGE = "pip install 'whorl[cluster]'"
LOOK = 0.2  # seconds between two looks at the clock
WAIT = 10.0  # seconds for Ray to end
_START = (
    "import json, sys\n"
    "sys.path[:] = json.loads(sys.argv[1])\n"
    "given = json.loads(sys.argv[2])\n"
    "sys.argv[:] = given['argv']\n"
    "from whorl.native.cluster.ray_driver import main\n"
    "main(given)\n"
)
# What an answer is.
VALUE, STOPPED, LOST = "value", "stopped", "lost"
REFUSED, FAILED, REPORT = "refused", "failed", "report"


class RayDriver:
    """The process, and the connection to it."""

    def __init__(self, address: str, workers: int | None, report: Callable[[str], None]) -> None:
        self._report = report
        self._asked = 0
        self._gone = False
        ours, theirs = socket.socketpair()
        given = {"handle": theirs.fileno(), "address": address, "workers": workers}
        given |= {"parent": os.getpid(), "argv": sys.argv[:1]}
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-c", _START, json.dumps(sys.path), json.dumps(given)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,  # Ray tells there what becomes of its processes
                stderr=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),),
                process_group=0,
            )
        self._connection = Connection(ours.detach())

    @property
    def lives(self) -> bool:
        return not self._gone and self.process.poll() is None

    def ask(self, name: str, *arguments: Any) -> Any:
        """The answer; `Stopped`, `WorkerLost`, WhorlError: what was raised there."""
        number = self.tell(name, *arguments)
        while True:
            while not self._try(lambda: self._connection.poll(LOOK)):
                pass  # time may be up while it waits, which Python sees between two calls
            of, kind, *said = self._try(self._connection.recv)
            if kind == REPORT:
                self._report(said[0])
                deadline.check()
            elif of == number:
                return _value(kind, said)

    def tell(self, name: str, *arguments: Any) -> int:
        """The same without waiting for an answer; the number of the request."""
        self._asked += 1
        request = (self._asked, name, arguments)
        self._try(lambda: self._connection.send(request))
        return self._asked

    def end(self) -> None:
        """Ends Ray, if it was started, and the process."""
        self._connection.close()
        try:
            self.process.wait(WAIT)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        sweep(Path(tempfile.gettempdir()))

    def _try(self, act: Callable[[], Any]) -> Any:
        try:
            return act()
        except (EOFError, OSError):
            self._gone = True  # which is seen before the process has ended
            raise WorkerLost(0, "the processes of Ray on this machine are gone") from None


def _value(kind: str, said: list[Any]) -> Any:
    if kind == VALUE:
        return said[0]
    if kind == STOPPED:
        raise Stopped(said[0])
    if kind == LOST:
        raise WorkerLost(*said)
    if kind == REFUSED:
        raise WhorlError(*said)
    raise VerifierError(said[0])


class DrivenCrew:
    """A crew of actors, by way of the driver."""

    def __init__(self, driver: RayDriver, spots: list[Spot]) -> None:
        self.driver = driver
        self.spots = spots

    @property
    def count(self) -> int:
        return len(self.spots)

    def all(self, name: str, *arguments: Any) -> list[Any]:
        if name == EXPAND:
            number = self.driver.ask("expand", arguments)
            return Later(lambda: self.driver.ask("expanded", number))
        answers: list[Any] = self.driver.ask("all", name, arguments)
        return answers

    def at(self, number: int, name: str, *arguments: Any) -> Any:
        return self.driver.ask("at", number, name, arguments)

    def exchange(self) -> None:
        self.driver.ask("exchange")


class DrivenCluster:
    """A connection to a cluster, which gathers crews of actors."""

    def __init__(self, address: str, asked: int | None, report: Callable[[str], None]) -> None:
        self.address = address
        self.asked = asked  # workers
        self._report = report
        self.driver: RayDriver | None = None

    @property
    def workers(self) -> int:
        """How many workers a crew has."""
        if self.asked is not None or self.address == HERE:
            return self.asked or cores()
        return int(self._connected().ask("workers"))

    def connect(self) -> None:
        """Connects, or starts Ray here; WhorlError if that cannot be."""
        here = self.address == HERE
        self._report("starting Ray" if here else f"connecting to {self.address}")
        self.driver = RayDriver(self.address, self.asked, self._report)
        try:
            self.driver.ask("connect")
        except WorkerLost as lost:
            self.disconnect()
            said = f"there is no cluster {'here' if here else f'at {self.address}'}: {lost.why}"
            raise WhorlError(Diagnostic("error", said)) from None
        except BaseException:
            self.disconnect()
            raise

    def disconnect(self) -> None:
        if self.driver is not None:
            self.driver.end()
            self.driver = None

    @contextmanager
    def gather(self, library: Path, options: Sequence[PartitionOptions]) -> Iterator[DrivenCrew]:
        """A crew of as many actors as there are options; they end after use."""
        driver = self._connected()
        spots = driver.ask("gather", library, list(options))
        try:
            yield DrivenCrew(driver, spots)
        finally:
            with contextlib.suppress(WorkerLost):
                driver.tell("leave")

    def _connected(self) -> RayDriver:
        if self.driver is None or not self.driver.lives:
            self.disconnect()
            self.connect()
        assert self.driver is not None
        return self.driver


_current: ContextVar[DrivenCluster | None] = ContextVar("whorl_cluster", default=None)


@contextmanager
def connected(
    address: str, workers: int | None, report: Callable[[str], None] = lambda _: None
) -> Iterator[DrivenCluster]:
    """A cluster of Ray; WhorlError if the package is missing, or the cluster.

    Within it the same one is connected: the searches of a check need not start one each.
    """
    outer = _current.get()
    if outer is not None and (outer.address, outer.asked) == (address, workers):
        yield outer
        return
    if importlib.util.find_spec("ray") is None:
        said = "--cluster needs the package ray, which is missing"
        raise WhorlError(Diagnostic("error", said, None, PACKAGE))
    cluster = DrivenCluster(address, workers, report)
    try:
        cluster.connect()
        token = _current.set(cluster)
        try:
            yield cluster
        finally:
            _current.reset(token)
    finally:
        cluster.disconnect()


# --- the process ---------------------------------------------------------------------------------


@dataclass
class _Served:
    """What requests are done with: a cluster, and a crew of it."""

    cluster: RayCluster
    gathered: ExitStack
    crew: RayCrew | None = None
    expansions: int = 0
    expanded: list[Any] = field(default_factory=list)  # what the last one answers

    def do(self, name: str, *arguments: Any) -> Any:
        match name, arguments:
            case "connect", ():
                return self.cluster.connect()
            case "workers", ():
                return self.cluster.workers
            case "gather", (library, options):
                self.crew = self.gathered.enter_context(self.cluster.gather(library, options))
                return self.crew.spots
            case "leave", ():
                self.crew = None
                return self.gathered.close()
        assert self.crew is not None
        match name, arguments:
            case "expand", (given,):
                self.expanded = self.crew.all(EXPAND, *given)
                self.expansions += 1
                return self.expansions
            case "expanded", (number,):
                assert number == self.expansions, "nobody keeps the answers of another expansion"
                return list(self.expanded)
            case "all", (method, given):
                return self.crew.all(method, *given)
            case "at", (number, method, given):
                return self.crew.at(number, method, *given)
            case "exchange", ():
                return self.crew.exchange()
        raise AssertionError(name)


def main(given: dict[str, Any]) -> None:
    """The driver's process."""
    import ray
    import ray.exceptions

    threading.Thread(target=_end_with, args=(given["parent"],), daemon=True).start()
    connection, number = Connection(given["handle"]), 0

    def report(doing: str) -> None:
        connection.send((number, REPORT, doing))

    with ExitStack() as stack:
        cluster = RayCluster(ray, given["address"], given["workers"], report)
        stack.callback(cluster.disconnect)
        served = _Served(cluster, stack.enter_context(ExitStack()))
        with contextlib.suppress(EOFError, OSError):  # whoever asks is gone, or wants no more
            while True:
                number, name, arguments = connection.recv()
                connection.send((number, *_answer(served, name, arguments)))


def _answer(served: _Served, name: str, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    try:
        return VALUE, served.do(name, *arguments)
    except Stopped as stopped:
        return STOPPED, stopped.why
    except WorkerLost as lost:
        return LOST, lost.number, lost.why
    except WhorlError as error:
        return REFUSED, *error.diagnostics
    except Exception:
        return FAILED, traceback.format_exc()


def _end_with(parent: int) -> None:
    """Ends this process when its parent has ended, and with it all that Ray has started here."""
    while os.getppid() == parent:
        time.sleep(LOOK)
    os._exit(1)
