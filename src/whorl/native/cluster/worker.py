"""One worker's part of a search: a partition, and how long it took for what."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from whorl.native.cluster.figures import Figures, bitmaps
from whorl.native.cluster.library import LeastFailure, Library, PartitionOptions, Stopped
from whorl.native.cluster.pieces import BLOCK, PieceError, StateFile, read, write
from whorl.native.verifier import VerifierError

FROM_OTHERS = 0x80000000  # WHORL_FROM_OTHERS
FROM_NOWHERE = 0xFFFFFFFF  # WHORL_FROM_NOWHERE


@dataclass(frozen=True, slots=True)
class WorkerAnswer:
    """What a worker answers; `stopped`: why it cannot go on (library.py, STOPS)."""

    value: Any = None
    stopped: str | None = None


@dataclass(frozen=True, slots=True)
class OwnWay:
    """States of one worker, each found from the one before; and where the first one came from."""

    states: tuple[bytes, ...]
    superstep: int | None  # another worker expanded its parent in that one; None: it is initial


class ClusterWorker:
    """Owns a part of the states. Its methods are what is asked of it, from near or far."""

    LIBRARY = Library
    FOR_CLAIM = False

    def __init__(self, library: Path, options: PartitionOptions) -> None:
        self.number, self.count = options.number, options.count
        self._library = self.LIBRARY(library, options)
        if self._library.is_for_claim != self.FOR_CLAIM:
            raise VerifierError("a library for a claim, and a worker for safety, or the reverse")
        self._expanding = self._inserting = 0.0

    def close(self) -> None:
        """Gives back what is stored; nothing may be asked after it."""
        self._library.close()

    def answer(self, name: str, *arguments: Any) -> WorkerAnswer:
        """What a method gives, or why the worker cannot go on."""
        try:
            return WorkerAnswer(getattr(self, name)(*arguments))
        except Stopped as stopped:
            return WorkerAnswer(stopped=stopped.why)

    def initial(self) -> int | None:
        """Stores the initial state if it is ours; the site where the model fails before it."""
        return self._library.initial()

    def expand(self, budget: int) -> int:
        """Expands so many states of this superstep at most; how many are left of it."""
        began = time.thread_time()
        left = self._library.expand(budget)
        self._expanding += time.thread_time() - began
        return left

    def outgoing(self) -> list[bytes]:
        """What each worker is to be sent; the outboxes are then empty."""
        return [self._library.take_outbox(to) for to in range(self.count)]

    def take(self, to: int) -> bytes:
        """What one worker is to be sent; its outbox is then empty."""
        return self._library.take_outbox(to)

    def insert(self, batch: bytes) -> None:
        """Inserts what another one has sent; it does not matter how often."""
        began = time.thread_time()
        if batch:
            self._library.insert(batch)
        self._inserting += time.thread_time() - began

    def next(self) -> int:
        """Begins the next superstep; how many states there are to expand."""
        return self._library.next()

    def close_superstep(self) -> tuple[list[LeastFailure], int]:
        """Both at once: what failed (`failures`), and what is to be expanded next (`next`)."""
        return self.failures(), self.next()

    def figures(self) -> Figures:
        figures = self._library.figures()
        taken, finished = bitmaps(self._library.reached())
        whole = {name: figures[name] for name in ("states", "transitions", "logged", "cursor")}
        sent = {name: figures[name] for name in ("sent", "spared", "received")}
        return Figures(
            **whole,
            **sent,
            memory=figures["memory"],
            store=figures["store"],
            expanding=self._expanding,
            inserting=self._inserting,
            truncated=bool(figures["truncated"]),
            endless=bool(figures["endless"]),
            reached=taken,
            finished=finished,
        )

    def failures(self) -> list[LeastFailure]:
        """What failed in this superstep, the least of each site."""
        return self._library.failures()

    def told(self, sites: list[int]) -> None:
        """Of these sites nothing need be told any more."""
        for site in sites:
            self._library.told(site)

    def predecessor(self, superstep: int, target: bytes) -> tuple[int, bytes] | None:
        """The least state of a superstep from which a run leads to `target`, after its place."""
        return self._library.predecessor(superstep, target)

    def chain(self, place: int) -> OwnWay:
        """The way to a place of the log, as far as it lies here."""
        states: list[bytes] = []
        while True:
            state, parent = self._library.origin(place)
            states.append(state)
            if parent == FROM_NOWHERE:
                return OwnWay(tuple(reversed(states)), None)
            if parent & FROM_OTHERS:
                return OwnWay(tuple(reversed(states)), parent & ~FROM_OTHERS)
            place = parent

    def choices(self, way: list[bytes], step: int | None) -> list[tuple[int, ...]]:
        """The choices of the runs between these states, and of the one that ends with a step."""
        found: list[tuple[int, ...]] = []
        for start, end in itertools.pairwise(way):
            found += self._library.steps(start, end)
        if step is not None:
            found += self._library.steps(way[-1], None, step)
        return found

    def records(self, start: int, most: int) -> bytes:
        """Up to so many records of the log, from a place on."""
        return self._library.records(start, most)

    def load(self, records: bytes) -> None:
        """Puts records of a log at its end again."""
        self._library.load(records)

    def resume(self, begins: list[int]) -> None:
        """After that: where the supersteps began; the last one is to be expanded."""
        self._library.resume(begins)

    def save(self, folder: Path, names: list[str], starts: list[int]) -> StateFile | str:
        """Writes the log from a place on to a file (pieces.py); or says why that cannot be."""
        library, start = self._library, starts[self.number]
        stride = library.record_bytes
        try:
            return write(folder, names[self.number], self._blocks(start, stride), stride)
        except PieceError as error:
            return str(error)

    def _blocks(self, start: int, stride: int) -> Iterator[bytes]:
        most = max(1, BLOCK // stride)
        while block := self._library.records(start, most):
            yield block
            start += len(block) // stride

    def restore(
        self, folder: Path, pieces: list[list[StateFile]], begins: list[list[int]]
    ) -> str | None:
        """Gets the log again that was saved; or says why that cannot be."""
        try:
            for piece in pieces[self.number]:
                for block in read(folder, piece, self._library.record_bytes):
                    self._library.load(block)
        except PieceError as error:
            return str(error)
        self._library.resume(begins[self.number])
        return None

    def begins(self) -> list[int]:
        """Where the supersteps begin in the log."""
        return self._library.begins()

    def refused(self) -> str:
        """Why memory was refused the last time."""
        return self._library.refusal()

    def state_words(self) -> int:
        return self._library.state_bytes // 8
