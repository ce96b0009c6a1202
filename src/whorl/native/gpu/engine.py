"""The GPU engine: generates and compiles kernels, searches with them, and reads the answers."""

from __future__ import annotations

import time
from typing import Any

from whorl import deadline
from whorl.native.code.generate import Generated
from whorl.native.code.sites import ASSERTION
from whorl.native.engine import explored, is_full, larger
from whorl.native.gpu.claims import ClaimRun
from whorl.native.gpu.cuda import CudaDevice
from whorl.native.gpu.device import Device, DeviceFailed, DeviceFull
from whorl.native.gpu.fitting import fit
from whorl.native.gpu.search import FULL, GpuRequest, LaunchesStopped, LevelSearch, Shape
from whorl.native.gpu.text import SEARCH, TELLING, written
from whorl.native.gpu.trail import Trails
from whorl.native.job import is_most, job_of
from whorl.native.verifier import NOTHING_TOLD, FoundViolation, Outcome
from whorl.program.walks import estimate
from whorl.search.exploration import Exploration
from whorl.search.limits import INTERRUPTED, Limits, Progress
from whorl.task import Task

SHARE = 0.9  # of the device's free memory, that a search may use


def device_here() -> Device:
    """The GPU of this machine; WhorlError if there is none. Tests have another device here."""
    return CudaDevice()


def explore_gpu(task: Task) -> Exploration:
    """Does a task, one of `fitting.fitted`."""
    task = fit(task)  # whoever asks for it
    device = device_here()
    room = estimate(task.semantics)
    while True:
        with deadline.phase("analysing the model"):
            generated = written(task.semantics, job_of(task), room)
        outcome, why = _searched(task, device, generated)
        if not is_full(generated, outcome) or is_most(room):
            _check_rounds(task, outcome, why)
            return explored(task, generated, outcome, why)
        room = larger(*room, fair=False)


def _check_rounds(task: Task, outcome: Outcome, why: str | None) -> None:
    """What came to its end without a round of elimination says nothing of a claim."""
    if task.claim is None or why is not None or outcome.violations or outcome.figures["rounds"]:
        return
    raise DeviceFailed(f"no round of elimination was done, so nothing is known of {task.name}")


def _searched(task: Task, device: Device, generated: Generated) -> tuple[Outcome, str | None]:
    """A whole search, and why it ended before it was done, if it did."""
    limits, outcome, why = task.options.limits, Outcome(), None
    if task.options.report is not None:
        task.options.report(Progress(doing="compiling for the GPU"))
    with deadline.phase("compiling for the GPU"):
        module = device.compiled(generated.text, *SEARCH)
    asked = GpuRequest(
        _counts(task, generated), limits, _budget(device, limits), task.options.report
    )
    began = time.monotonic()
    try:
        search = LevelSearch(device, module, _shape(task, generated), asked)
    except LaunchesStopped as stopped:
        outcome.figures = {**NOTHING_TOLD, "stopped": None}
        return outcome, str(stopped)
    runs = _Run if task.claim is None else ClaimRun
    run = runs(search, generated, task.options.all_errors)
    try:
        with deadline.phase("searching", watches=True):
            run.to_end()
    except LaunchesStopped as stopped:
        why = str(stopped)
    except DeviceFull:  # the threads' own memory is the device's, too
        why = FULL
    except KeyboardInterrupt:
        why = INTERRUPTED
    outcome.violations = run.found
    outcome.figures = _figures(search, time.monotonic() - began)
    if isinstance(run, ClaimRun):
        outcome.figures |= {"met": run.met(), "rounds": run.rounds}
    if why == INTERRUPTED:
        outcome.figures["stopped"] = "interrupted"
    search.close()
    return outcome, why


class _Run:
    """A search and what it has found so far."""

    def __init__(self, search: LevelSearch, generated: Generated, all_errors: bool) -> None:
        self.search = search
        self.generated = generated
        self.all_errors = all_errors
        self.found: list[FoundViolation] = []
        self._trails: Trails | None = None

    def to_end(self) -> None:
        """Searches until all is expanded, or something ends it; LaunchesStopped: a limit."""
        search = self.search
        if not search.begin():  # a fault in the initial state
            sites = [site for site, has in enumerate(search.failed()) if has]
            self.found += [FoundViolation(site, ()) for site in sites]
            return
        more = True
        while more:
            level = len(search.levels) - 1
            try:
                more = search.expand_level()
            except LaunchesStopped as stopped:
                if not stopped.by_time:  # there is none left to tell anything
                    self._tell(level)
                raise
            self._tell(level)
            more = more and (self.all_errors or not self.found)

    def _tell(self, level: int) -> None:
        """Tells what has failed in a level."""
        search = self.search
        if not search.tally.failed:
            return
        failed = search.failed()
        if self._trails is None:
            module = search.device.compiled(self.generated.text, *TELLING)
            counts = search.asked.counts
            self._trails = Trails(search, module, counts, self.all_errors)
        with search.telling():
            self.found += self._trails.tell(level, failed)


def _shape(task: Task, generated: Generated) -> Shape:
    numbers = [t.number for p in task.program.processes for t in p.transitions()]
    claim = task.claim is not None
    return Shape(
        generated.layout.words + claim,
        max(numbers, default=0) + 1,
        len(generated.kinds),
        by_process=task.plan.scheme == "none" and not claim,
        claim=claim,
    )


def _counts(task: Task, generated: Generated) -> bytes:
    """By site, whether a failure there counts; the last is of invalid end states."""
    if task.claim is not None:  # what has no value, and where the claim ends
        return bytes([1] * (len(generated.kinds) + 1))
    assertions, end_states = task.options.assertions, task.options.end_states
    counts = (assertions or kind != ASSERTION for kind in generated.kinds)
    return bytes(map(int, (*counts, end_states)))


def _budget(device: Device, limits: Limits) -> int:
    """The bytes on the device that a search may use: as many as were asked for, or most."""
    free = int(SHARE * device.free_bytes)
    asked = None if limits.share_of is not None else limits.memory_bytes
    return free if asked is None else min(free, asked)


def _figures(search: LevelSearch, seconds: float) -> dict[str, Any]:
    """What a verifier would say of it."""
    reached, finished = search.reached()
    return {
        **NOTHING_TOLD,
        "states": search.states,
        "transitions": search.tally.transitions,
        "depth": search.depth,
        "seconds": seconds,
        "memory_bytes": search.memory_bytes,
        "store_bytes": search.store.bytes,
        "truncated": search.truncated,
        "endless": bool(search.tally.endless),
        "stopped": None,
        "reached": _bitmap(reached),
        "finished": _bitmap(finished),
    }


def _bitmap(flags: bytes) -> str:
    """One bit a transition, the lowest bit of a byte first, as runtime/search/json.h has it."""
    bits = sum(1 << number for number, flag in enumerate(flags) if flag)
    return bits.to_bytes(len(flags) // 8 + 1, "little").hex()
