"""Workers as actors of Ray, on this machine or on the machines of a cluster.

An actor is a process with one worker in it. The driver, a process of its own (ray_driver.py), calls
all of them; what one worker has for another is put into Ray's object store by the sender, and only
its reference comes by the driver. Nothing is retried and no actor is restarted by Ray: a worker
that is gone has lost its states, so the whole crew is, and recovery.py gathers another one.

Without an address Ray is started here, with all its files in a temporary folder, and ended after
use. Everything of it ends when the driver does, however that ends.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import socket
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from whorl.cores import cores
from whorl.diagnostics import Diagnostic, WhorlError
from whorl.memory import default_limit
from whorl.native.cluster.library import PartitionOptions
from whorl.native.cluster.searches import worker_of
from whorl.native.cluster.transport import WorkerLost, values_of
from whorl.native.cluster.worker import ClusterWorker, WorkerAnswer
from whorl.native.verifier import VerifierError

HERE = "here"  # instead of an address
EXPAND, NOTHING = "expand", "state_words"  # methods of a worker; the other one is quick
FOLDER = "whorl-ray-"  # how the names of Ray's folders begin; then comes a process
STORE = 1 << 28  # bytes of the object store on this machine, and for each two workers more:
STORE_OF_TWO = 1 << 22
REACH = 10.0  # seconds for a machine to answer
PATIENCE = 60.0  # seconds for a cluster to give us its workers
LOOK = 0.2  # seconds between two looks at the clock


@dataclass(frozen=True, slots=True)
class Spot:
    """Where an actor is, and what it has there."""

    node: str
    host: str
    process: int
    memory: int | None  # bytes that its machine could give to a search


class RayWorker:
    """A worker in an actor."""

    def __init__(self) -> None:
        self._worker: ClusterWorker | None = None

    def spot(self, node: str) -> Spot:
        limit = default_limit()
        return Spot(node, socket.gethostname(), os.getpid(), None if limit is None else limit.size)

    def begin(self, library: SharedLibrary, options: PartitionOptions) -> None:
        with library.here() as path:
            self._worker = worker_of(path, options)

    def answer(self, name: str, arguments: tuple[Any, ...], *batches: bytes) -> WorkerAnswer:
        """Inserts what others have sent, and does what it is asked."""
        assert self._worker is not None
        for batch in batches:
            inserted = self._worker.answer("insert", batch)
            if inserted.stopped is not None:
                return inserted
        return self._worker.answer(name, *arguments)

    def work(self, arguments: tuple[Any, ...], *batches: bytes) -> list[Any]:
        """The same with an expansion; after the answer, what each worker is to be sent."""
        answer = self.answer(EXPAND, arguments, *batches)
        return [answer, *self.outgoing()]

    def outgoing(self) -> list[bytes]:
        assert self._worker is not None
        return self._worker.outgoing()


@dataclass(frozen=True, slots=True)
class SharedLibrary:
    """A library with its bytes, for machines that do not have the file."""

    path: Path
    content: bytes

    @contextmanager
    def here(self) -> Iterator[Path]:
        """The file, on whatever machine this is."""
        if _digest_of(self.path) == hashlib.sha256(self.content).digest():
            yield self.path
            return
        with tempfile.TemporaryDirectory(prefix="whorl-library-") as folder:
            path = Path(folder) / "library.so"
            path.write_bytes(self.content)
            yield path  # once it is loaded the file is not needed


def _digest_of(path: Path) -> bytes | None:
    try:
        return hashlib.sha256(path.read_bytes()).digest()
    except OSError:
        return None


class Later(list[Any]):
    """Answers that nobody has waited for yet."""

    def __init__(self, wait: Callable[[], list[Any]]) -> None:
        super().__init__()
        self._wait: Callable[[], list[Any]] | None = wait

    def __iter__(self) -> Iterator[Any]:
        if self._wait is not None:
            self.extend(self._wait())
            self._wait = None
        return super().__iter__()


class RayCrew:
    """A crew of actors.

    An actor does what it is asked in the order in which it is asked. So nobody waits for the end of
    an expansion or of an exchange, but for that of the next call with an answer that is needed. And
    a call costs a millisecond, of which a superstep has few to spare: an expansion gives what is to
    be sent as well, and what is to be inserted goes along with the next call.
    """

    def __init__(self, ray: Any, actors: list[Any], spots: list[Spot]) -> None:
        self._ray = ray
        self._actors = actors
        self.spots = spots
        self._under_way: list[Any] = []  # what is to be waited for with the next answer
        self._sent: list[list[Any]] = []  # by each worker to each, since the last exchange
        self._arrived: list[list[Any]] = [[] for _ in actors]  # at each, and not inserted yet

    @property
    def count(self) -> int:
        return len(self._actors)

    def all(self, name: str, *arguments: Any) -> list[Any]:
        if name == EXPAND:
            return self._expand(arguments)
        return self._got(self._ask(name, arguments))

    def at(self, number: int, name: str, *arguments: Any) -> Any:
        if any(self._arrived):
            self._under_way += self._ask(NOTHING, ())
        (value,) = self._got([self._actors[number].answer.remote(name, arguments)])
        return value

    def exchange(self) -> None:
        """What was sent goes along with the next call."""
        if any(self._arrived):
            self._under_way += self._ask(NOTHING, ())
        if not self._sent and self.count > 1:
            several = {"num_returns": self.count}
            self._sent = [actor.outgoing.options(**several).remote() for actor in self._actors]
        for sender, batches in enumerate(self._sent):
            for to, batch in enumerate(batches):
                if sender != to:
                    self._arrived[to].append(batch)
        self._sent = []

    def _ask(self, name: str, arguments: tuple[Any, ...]) -> list[Any]:
        arrived, self._arrived = self._arrived, [[] for _ in self._actors]
        return [
            actor.answer.remote(name, arguments, *batches)
            for actor, batches in zip(self._actors, arrived, strict=True)
        ]

    def _expand(self, arguments: tuple[Any, ...]) -> list[Any]:
        if self._sent:
            raise VerifierError("what was found for others was not exchanged")
        arrived, self._arrived = self._arrived, [[] for _ in self._actors]
        given = [
            actor.work.options(num_returns=1 + self.count).remote(arguments, *batches)
            for actor, batches in zip(self._actors, arrived, strict=True)
        ]
        asked = [answer for answer, *_ in given]
        self._sent = [batches for _, *batches in given]
        self._under_way += asked
        return Later(lambda: self._got_before(asked))

    def _got_before(self, asked: list[Any]) -> list[Any]:
        """Answers to what is under way, or was."""
        self._got([])
        return values_of(got(self._ray, asked, self.count))

    def _got(self, asked: list[Any]) -> list[Any]:
        """These answers; `Stopped` if one of them, or of what was before, had to stop."""
        before, self._under_way = self._under_way, []
        answers = got(self._ray, [*before, *asked], self.count)
        return values_of(answers)[len(before) :]


def got(ray: Any, references: list[Any], workers: int) -> list[Any]:
    """What is behind references, of these workers in turn; `WorkerLost`: it will never be known."""
    errors = ray.exceptions
    try:
        missing = references
        while missing:  # time may be up while it waits, which Python sees between two calls
            _, missing = ray.wait(missing, num_returns=len(missing), timeout=LOOK)
        return list(ray.get(references))
    except errors.RayTaskError as error:
        cause = error.cause
        if isinstance(cause, errors.RayError):  # of what another actor should have given
            raise WorkerLost(_who(ray, references, workers), _reason(cause)) from None
        raise
    except errors.RayError as error:
        raise WorkerLost(_who(ray, references, workers), _reason(error)) from None
    except (ConnectionError, SystemError) as error:
        raise WorkerLost(0, _reason(error)) from None


def _who(ray: Any, references: list[Any], workers: int) -> int:
    """The number of the first worker that has not answered."""
    for number, reference in enumerate(references):
        try:
            ray.get(reference, timeout=0)
        except ray.exceptions.RayError:
            return number % workers
    return 0


def _reason(error: BaseException) -> str:
    lines = _plain(str(error)).strip().splitlines()
    return lines[0] if lines else type(error).__name__


@dataclass
class RayCluster:
    """A connection to a cluster, which gathers crews of actors."""

    ray: Any
    address: str
    asked: int | None  # workers
    report: Callable[[str], None] = lambda _: None  # of what is waited for
    folder: Path | None = None

    @property
    def workers(self) -> int:
        """How many workers a crew has."""
        return self.asked or (cores() if self.address == HERE else self._cores())

    def _cores(self) -> int:
        return max(1, int(self.ray.cluster_resources().get("CPU", 1)))

    def connect(self) -> None:
        """Connects, or starts Ray here."""
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        common = {"log_to_driver": False, "logging_level": "critical"}
        try:
            if self.address == HERE:
                self._start(common)
            else:
                _reach(self.address)
                self.ray.init(address=self.address, **common)
        except (ConnectionError, OSError, RuntimeError, ValueError, TimeoutError) as error:
            self.disconnect()
            where = "here" if self.address == HERE else f"at {self.address}"
            hint = None if self.address == HERE else "`ray status` says whether it runs"
            said = f"there is no cluster {where}: {_reason(error)}"
            raise WhorlError(Diagnostic("error", said, None, hint)) from None

    def _start(self, common: dict[str, Any]) -> None:
        sweep(Path(tempfile.gettempdir()))
        self.folder = Path(tempfile.mkdtemp(prefix=f"{FOLDER}{os.getpid()}-"))
        self.ray.init(
            address="local",
            num_cpus=self.workers,
            include_dashboard=False,
            object_store_memory=STORE + STORE_OF_TWO * self.workers**2,
            _temp_dir=str(self.folder),
            **common,
        )

    def disconnect(self) -> None:
        with contextlib.suppress(Exception):
            self.ray.shutdown()
        if self.folder is not None:
            shutil.rmtree(self.folder, ignore_errors=True)
            self.folder = None

    @contextmanager
    def gather(self, library: Path, options: Sequence[PartitionOptions]) -> Iterator[RayCrew]:
        """A crew of as many actors as there are options; they end after use."""
        if not self._is_connected():
            self.disconnect()
            self.connect()
        ray, actors = self.ray, list[Any]()
        try:
            actors += self._actors(len(options))
            spots = self._spots(actors)
            shared = ray.put(SharedLibrary(library, library.read_bytes()))
            given = [_with_memory(one, spots) for one in options]
            begun = [a.begin.remote(shared, o) for a, o in zip(actors, given, strict=True)]
            got(ray, begun, len(begun))
            yield RayCrew(ray, actors, spots)
        finally:
            for actor in actors:
                with contextlib.suppress(Exception):
                    ray.kill(actor)

    def _is_connected(self) -> bool:
        """Whether it can still be worked with: the raylet of this machine may have been killed."""
        ray = self.ray
        try:
            if not ray.is_initialized():
                return False
            return any(node["Alive"] for node in ray.nodes())
        except Exception:  # of whatever kind: then it cannot
            return False

    def _actors(self, count: int) -> list[Any]:
        whole = int(self.ray.cluster_resources().get("CPU", 0))
        if whole < count:
            said = f"the cluster has {whole} cores, and {count} workers need as many"
            hint = f"--workers {whole}" if whole else None
            raise WhorlError(Diagnostic("error", said, None, hint))
        kind = self.ray.remote(RayWorker).options(
            num_cpus=1, max_restarts=0, max_task_retries=0, scheduling_strategy="SPREAD"
        )
        return [kind.remote() for _ in range(count)]

    def _spots(self, actors: list[Any]) -> list[Spot]:
        """Where the actors are, once all have begun."""
        ray, ends = self.ray, time.monotonic() + PATIENCE
        waiting = [actor.spot.remote("") for actor in actors]
        while True:
            ready, missing = ray.wait(waiting, num_returns=len(waiting), timeout=LOOK)
            if not missing:
                _refuse_unable(ray, waiting)
                return got(ray, waiting, len(waiting))
            self.report(f"waiting for {len(missing)} of {len(actors)} workers")
            if time.monotonic() > ends:
                raise WorkerLost(len(ready), "the cluster has no room for it")


def _reach(address: str) -> None:
    """OSError if nobody is there, which Ray would find out in some minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if port.isdigit():
        socket.create_connection((host.strip("[]"), int(port)), REACH).close()


def _refuse_unable(ray: Any, begun: list[Any]) -> None:
    """WhorlError where an actor could not even be made: that would be so again and again."""
    try:
        ray.get(begun)
    except ray.exceptions.ActorDiedError as error:
        if "creation task" not in str(error):
            return
        lines = [line for line in _plain(str(error)).splitlines() if line.strip()]
        hint = "install the same versions of whorl, Ray and Python on all machines"
        said = f"the workers of the cluster cannot begin: {lines[-1].strip()}"
        raise WhorlError(Diagnostic("error", said, None, hint)) from None
    except ray.exceptions.RayError:  # it is lost, as one may be at any time
        return


def _plain(text: str) -> str:
    """Without what colours a text on a terminal."""
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def _with_memory(options: PartitionOptions, spots: list[Spot]) -> PartitionOptions:
    """Where no limit was set, a worker has its share of what its machine can give."""
    spot = spots[options.number]
    if options.memory is not None or spot.memory is None:
        return options
    return replace(options, memory=spot.memory // sum(one.host == spot.host for one in spots))


def sweep(folder: Path) -> None:
    """Removes the folders of Ray that drivers left here which were killed."""
    with contextlib.suppress(OSError):
        for path in folder.glob(f"{FOLDER}*"):
            process = path.name.removeprefix(FOLDER).partition("-")[0]
            if process.isdigit() and path.stat().st_uid == os.getuid() and not _lives(int(process)):
                shutil.rmtree(path, ignore_errors=True)


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
