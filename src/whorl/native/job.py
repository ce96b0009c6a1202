"""What a verifier is generated for, and its text."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from whorl.diagnostics import Diagnostic, WhorlError
from whorl.language.limits import MOST_CHANNELS, MOST_PROCESSES
from whorl.native.claim_search import hides_local_steps, safety_search, search_for
from whorl.native.code.ample import NativeUse
from whorl.native.code.claim import ClaimSearch
from whorl.native.code.generate import Generated, generate
from whorl.native.compiler import THREADED
from whorl.program.semantics import Semantics
from whorl.reduction.scheme import OwnSearch, SleepSets
from whorl.reduction.schemes import Reduction, scheme_of, use_of
from whorl.task import Task

DEFAULT_STORE = "tree"  # as exact as "exact", in a quarter of the memory or less
TREE_FROM = 12  # words of a state: where a search for cycles takes the tree, too
# Of several threads, for a model that is small: they begin with the search, and take turns often.
AT_ONCE = f"{THREADED}#define WHORL_SURVEY_AT 1\n#define WHORL_TICK 1\n#define WHORL_STRESS 8\n"
Room = tuple[int, int]  # for so many processes and channels at a time


def is_most(room: Room) -> bool:
    """Whether there is no larger one."""
    processes, channels = room
    return processes == MOST_PROCESSES and channels in (0, MOST_CHANNELS)


@dataclass(frozen=True, slots=True, eq=False)
class Job:
    """What to generate a verifier for."""

    search: ClaimSearch | None  # None: for safety
    selection: NativeUse | None
    merge: bool
    drop_dead: bool
    store: str  # as asked for
    graph: Path | None = None  # where it writes the graph that it stores
    graph_threads: int = 1  # that search for this graph
    room: Room | None = None  # None: estimated
    swarm: bool = False  # whether it takes seeds and orders of its command line (native/swarm)


@dataclass(frozen=True, slots=True)
class Written:
    """The text of a verifier, and the store that it has."""

    text: str
    store: str
    generated: Generated


def job_of(task: Task) -> Job:
    """What to generate a verifier for, so that it does a task."""
    claim, native = task.claim, task.native
    if claim is None:
        merge = native.merge and not task.options.shortest  # where every step counts
        reduction = task.plan.reduction
        search = safety_search(reduction, native.store)
        return Job(search, selection_of(reduction), merge, native.resets, native.store)
    assert task.read_as is not None
    search = search_for(task.read_as, task.options, native.store, task.plan.reduction)
    without_next = claim.formula is not None and not claim.formula.has_next
    merge = native.merge and (task.may_merge or without_next) and hides_local_steps(search)
    # No reduction is right for fig5 (reduction/plan.py).
    assert task.plan.scheme == "none" or search.algorithm != "fig5"
    selection = selection_of(task.plan.reduction, runs=True)
    return Job(search, selection, merge, native.resets, native.store)


def selection_of(reduction: Reduction, *, runs: bool = False) -> NativeUse | None:
    """How the verifier chooses ample sets, if it is to: for a property of runs, or for safety."""
    if reduction.scheme == "none":
        return None
    name, use = use_of(reduction, for_runs=runs)
    rule = reduction.rule_of(scheme_of(name))
    selective = reduction.leaves_out(use)
    return NativeUse(
        use.native,
        rule,
        selective,
        reduction.keep,
        reduction.order,
        own_search=isinstance(use.reference, OwnSearch),
        sleep_sets=isinstance(use.reference, SleepSets),
    )


def write(semantics: Semantics, job: Job, room: Room) -> Written:
    """The verifier of a job, with room for so many processes and channels."""
    generated = generate(
        semantics,
        processes_most=room[0],
        channels_most=room[1],
        merge=job.merge,
        drop_dead=job.drop_dead,
        search=job.search,
        grows=not is_most(room),
        selection=job.selection,
    )
    if job.search is not None and generated.layout.unmatched:
        raise _not_compared("cycles cannot be searched for", "--engine reference can")
    store = _chosen_store(job.store, generated, cycles=job.search is not None)
    kind = store.upper().replace("-", "_")
    only = f"#define WHORL_ONLY WHORL_{kind}\n"  # the rest would cost compile time
    if job.graph is not None:
        only += "#define WHORL_GRAPH 1\n"
    if job.swarm:
        only += "#define WHORL_SWARM 1\n"
    begins = AT_ONCE if job.graph_threads > 1 else ""
    return Written(begins + only + generated.text, store, generated)


def _chosen_store(store: str, generated: Generated, *, cycles: bool) -> str:
    """The store that `store` means for this model."""
    if generated.layout.unmatched:  # a tree knows a state by all of it
        if store == "tree":
            raise _not_compared("--store tree cannot store these states", "leave it out")
        return "exact" if store == "auto" else store
    if store != "auto":
        return store
    if cycles and generated.layout.words < TREE_FROM:  # rows and keys need more than a small state
        return "exact"
    return DEFAULT_STORE


def _not_compared(message: str, hint: str) -> WhorlError:
    reason = "the model has C data that is tracked without being compared"
    return WhorlError(Diagnostic("error", f"{message}: {reason}", None, hint))
