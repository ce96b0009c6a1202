"""Workers as the processes of MPI: the three functions of a transport, over mpi4py.

Every process runs this module with the same words. Process 0 drives, and prints what came of it:

    mpiexec -n 4 python -m whorl.native.cluster.by_mpi LIBRARY [--shortest] [--memory BYTES]

MPI ends all processes when one is lost, so there is no recovery here. It shows that the driver
needs no more of an engine than exchange, gather and tell; users have Ray.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from whorl.native.cluster.course import Assignment
from whorl.native.cluster.library import PartitionOptions
from whorl.native.cluster.searches import search, worker_of
from whorl.native.cluster.transport import LedCrew, Transport, follow


class MpiTransport:
    """What the processes of a communicator have to each other."""

    def __init__(self, communicator: Any) -> None:
        self._all = communicator
        self.number: int = communicator.Get_rank()
        self.count: int = communicator.Get_size()

    def exchange(self, outgoing: Sequence[bytes]) -> list[bytes]:
        """All to all: the lengths first, then the batches, of which Python sees no byte."""
        lengths = self._all.alltoall([len(batch) for batch in outgoing])
        incoming = [bytearray(length) for length in lengths]
        waiting = []
        for other in range(self.count):
            if other != self.number and lengths[other]:
                waiting.append(self._all.Irecv(incoming[other], source=other))
        for other, batch in enumerate(outgoing):
            if other != self.number and batch:
                waiting.append(self._all.Isend(batch, dest=other))
        for request in waiting:
            request.Wait()
        incoming[self.number] = bytearray(outgoing[self.number])
        return list(map(bytes, incoming))

    def gather(self, answer: Any) -> list[Any] | None:
        answers: list[Any] | None = self._all.gather(answer, root=0)
        return answers

    def tell(self, command: Any) -> Any:
        return self._all.bcast(command, root=0)


def main(words: Sequence[str]) -> int:
    """One process of several; what process 0 has found is a line of JSON."""
    parser = argparse.ArgumentParser(prog="whorl.native.cluster.by_mpi")
    parser.add_argument("library", type=Path)
    parser.add_argument("--shortest", action="store_true")
    parser.add_argument("--memory", type=int)
    parser.add_argument("--claim", action="store_true", help="the library is for a claim")
    given = parser.parse_args(words)
    try:
        from mpi4py import MPI
    except (ImportError, RuntimeError) as error:
        print(f"whorl: there is no MPI: {error}", file=sys.stderr)
        return 2
    transport: Transport = MpiTransport(MPI.COMM_WORLD)
    options = PartitionOptions(
        transport.number,
        transport.count,
        memory=given.memory,
        exhaust=not given.shortest and not given.claim,
        claim=given.claim,
    )
    worker = worker_of(given.library, options)
    if transport.number != 0:
        follow(transport, worker)
        return 0
    crew = LedCrew(transport, worker)
    outcome = search(crew, Assignment(shortest=given.shortest, claim=given.claim))
    crew.leave()
    violations = [asdict(violation) for violation in outcome.violations]
    print(json.dumps({"figures": outcome.figures, "violations": violations}))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
