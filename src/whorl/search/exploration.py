"""What a search was asked and what it found, whichever engine did it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from whorl.program.choice import Choice
from whorl.search.limits import Limits, Progress

END_STATE = "end state"
ASSERTION = "assertion"


@dataclass(frozen=True, slots=True)
class Options:
    """What to look for and how far to look."""

    assertions: bool = True
    end_states: bool = True
    shortest: bool = False
    all_errors: bool = False
    limits: Limits = field(default_factory=Limits)
    report: Callable[[Progress], None] | None = None
    # Of a search for cycles:
    algorithm: str = "auto"  # which search; the names are those of ALGORITHMS
    fair: bool = False  # only cycles in which no process waits for ever that could always move
    infinite_runs: bool = False  # a run that stops is no run: it is not extended by stuttering

    @property
    def runs(self) -> str:
        """One of the runs that count, in words."""
        words = ("fair",) * self.fair + ("infinite",) * self.infinite_runs
        return " ".join((*words, "run"))


# Searches for a cycle that a claim accepts, and the figure that each one is.
ALGORITHMS = (
    "auto",  # the fastest that is right
    "fig2",  # Courcoubetis, Vardi, Wolper, Yannakakis (Holzmann, Peled, Yannakakis, Figure 2)
    "fig4",  # Holzmann, Peled, Yannakakis, Figure 4: it stops on the first search's stack
    "fig5",  # Holzmann's search for non-progress cycles (the same, Figure 5)
    "colours",  # Schwoon and Esparza's nested search
    "scc",  # strongly connected components, Couvreur's way
    "owcty",  # Cerna and Pelanek's elimination, without a stack
)


def chosen_algorithm(options: Options, engine: str) -> str:
    """The search that an engine does where `auto` is asked for.

    Components take all conditions of fairness at once, and give short runs; where either will do, a
    nested search is quicker and takes less memory.
    """
    if options.algorithm != "auto":
        return options.algorithm
    return "scc" if options.shortest or (options.fair and engine == "native") else "colours"


@dataclass(frozen=True, slots=True)
class Violation:
    """The kind of thing that is wrong, and the choices that lead there.

    Of an infinite run `choices[loop:]` is the part that comes again and again; if that is empty,
    the program stays for ever where `choices` lead. `message` says which of several failures of
    the last step is meant, where the kind alone does not.
    """

    kind: str
    choices: tuple[Choice, ...]
    loop: int | None = None
    message: str | None = None


@dataclass(frozen=True, slots=True)
class ClusterFigures:
    """What the workers of a cluster did, and what is kept of it."""

    workers: int
    supersteps: int
    sent: int  # states, from one worker to another
    sent_bytes: int
    spared: int  # states that were not sent, as they had been lately
    seconds: tuple[float, ...]  # that each worker searched
    commits: int = 0
    committed_states: int = 0
    committed_bytes: int = 0  # on disk
    commit_seconds: float = 0.0
    folder: str | None = None  # where it is kept, if the search can go on from there
    not_kept: str | None = None  # why nothing more was committed
    losses: tuple[str, ...] = ()  # of workers, after which the search went on
    resumed: bool = False


@dataclass(slots=True)
class Exploration:
    """What a search found. `stopped` says why it did not look at everything; None: it did."""

    progress: Progress = field(default_factory=Progress)
    violations: list[Violation] = field(default_factory=list)
    stopped: str | None = None
    interrupted: bool = False  # that was by the user, who wants no other search either
    truncated: bool = False  # the depth limit cut some runs short
    endless: bool = False  # an atomic sequence can go round for ever
    reached: set[int] = field(default_factory=set)  # numbers of the transitions that were taken
    # Of a search for a claim: kinds of failures met on the way, and of which transitions.
    met: set[tuple[str, int]] = field(default_factory=set)
    seconds: float = 0.0
    seconds_before: float = 0.0  # that were searched before by a slower verifier, and count, too
    memory_bytes: int = 0
    store_bytes: int | None = None  # of that, what the states take
    threads: int = 1
    largest_list: int | None = None  # of a phase 1 of `two_phase.py`
    # Of an approximate search: the chance, at its end, that a new state is taken for one seen.
    collision: float | None = None
    cluster: ClusterFigures | None = None  # of a search by workers
