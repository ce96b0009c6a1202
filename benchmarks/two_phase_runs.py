"""The rows of the Two phase paper's Table 1, and what each way to search one costs."""

from __future__ import annotations

import datetime
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median

import whorl
from benchmarks import pan
from benchmarks.cases import OURS, SPINS, Case
from benchmarks.native import load
from benchmarks.pan import Limits, Recipe

SMALL_MB = 64
SECONDS = 1800
MEMORY_MB = 4000


@dataclass(frozen=True, slots=True)
class Published:
    """States and seconds in the paper: of dfs_po (Spin), and of Two phase, all and selective."""

    dfs_po: tuple[float, float]
    all: tuple[float, float]
    selective: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Protocol:
    """A row of the table: its name there, its figures, and the model that stands for it today."""

    name: str
    case: Case
    published: Published

    @property
    def rebuilt(self) -> bool:
        return self.case.ours


@dataclass(frozen=True, slots=True)
class Way:
    """A way to search with whorl. Without merging, every step of a process is one of the search."""

    name: str
    por: str
    cache: str = "all"
    merge: bool = False


@dataclass(frozen=True, slots=True)
class Figures:
    """What one way did: medians of CPU seconds, the least memory. No states if it was cut off.

    `listed` is the largest list of a phase 1, which the paper counts beside the states, or instead.
    """

    states: int | None
    cpu: float
    memory_bytes: int
    listed: int | None = None


@dataclass(frozen=True, slots=True)
class Row:
    name: str
    label: str  # the model and its size
    repeats: int
    ways: Mapping[str, Figures]
    small: Mapping[str, Figures]  # with 64 MB
    date: str = ""  # of the run


SPIN = "Spin"
WAYS = (
    Way("dfs_po", "dfs_po"),
    Way("pv, all", "pv"),
    Way("pv, selective", "pv", "selective"),
    Way("two-phase, all", "two-phase"),
    Way("two-phase, selective", "two-phase", "selective"),
    Way("default", "auto", merge=True),
)
RECIPE = Recipe("-O2", ("-O2", "-DNOCLAIM"), ("-c0",))
TRANSLATION = ("-o2", "-o3")
_RUNWAY = OURS / "runway.pml"
TABLE_1 = (
    Protocol(
        "B5",
        Case("best_case", OURS / "best_case.pml", 1_000, {"N": 5}),
        Published((243, 0.34), (11, 0.33), (1, 0.3)),
    ),
    Protocol(
        "W5",
        Case("worst_case", OURS / "worst_case.pml", 1_000, {"N": 5}),
        Published((63, 0.33), (243, 0.39), (243, 0.3)),
    ),
    Protocol(
        "SC3",
        Case("clients_servers", OURS / "clients_servers.pml", 50_000, {"N": 3}),
        Published((17_741, 4.6), (2_687, 1.6), (733, 1.4)),
    ),
    Protocol(
        "SC4",
        Case("clients_servers", OURS / "clients_servers.pml", 2_000_000, {"N": 4}),
        Published((749_094, 127), (102_345, 41.0), (47_405, 21.9)),
    ),
    Protocol(
        "Mig",
        Case("migratory", OURS / "migratory.pml", 20_000),
        Published((113_628, 14), (22_805, 2.6), (9_185, 1.7)),
    ),
    Protocol(
        "Inv",
        Case("invalidate", OURS / "invalidate.pml", 200_000),
        Published((961_089, 37), (60_736, 5.2), (27_600, 3.0)),
    ),
    Protocol(
        "Pftp",
        Case("pftp", SPINS / "LTL/pftp.pml", 10_000, end_states=False),
        Published((95_241, 11.0), (187_614, 30), (70_653, 19)),
    ),
    Protocol(
        "Snoopy",
        Case("snoopy", SPINS / "snoopy.pml", 10_000, end_states=False),
        Published((16_279, 4.4), (14_305, 2.7), (8_611, 2.4)),
    ),
    Protocol(
        "WA",
        Case("runway", _RUNWAY, 1_000_000, {"WA": 1}),
        Published((4.8e6, 340), (706_192, 31), (169_680, 21)),
    ),
    Protocol(
        "UPO",
        Case("runway", _RUNWAY, 1_000_000, {"UPO": 1}),
        Published((4.9e6, 210), (733_546, 32), (176_618, 21)),
    ),
    Protocol(
        "ROWO",
        Case("runway", _RUNWAY, 1_000_000, {"ROWO": 1}),
        Published((5.2e6, 330), (868_665, 44), (222_636, 32)),
    ),
)


def measure(protocol: Protocol, repeat: int) -> Row:
    """Every way by turns, so often; and once with 64 MB."""
    case = protocol.case
    model = load(case)
    recipe = Recipe(RECIPE.name, RECIPE.compile, (*RECIPE.search, *_ends(case)))
    runs: dict[str, list[Figures]] = {SPIN: [], **{way.name: [] for way in WAYS}}
    with tempfile.TemporaryDirectory(prefix="whorl-bench-") as name:
        text, folder = case.text(), Path(name)
        limits, small = Limits(SECONDS, MEMORY_MB), Limits(SECONDS, SMALL_MB)
        verifier = pan.compiled(text, recipe, folder / "large", limits, TRANSLATION)
        narrow = pan.compiled(text, recipe, folder / "small", small, TRANSLATION)
        first = pan.search(verifier, recipe, 1_000_000, case.depth, limits)
        depth, states = first.depth + 100, first.states or 2**26
        for number in range(repeat):
            _say(f"{protocol.name}: Spin, run {number + 1}")
            runs[SPIN].append(_pan(verifier, recipe, states, depth, limits))
            for way in WAYS:
                if number == 0:
                    search(model, case, way, MEMORY_MB, states=1)  # compiles
                _say(f"{protocol.name}: {way.name}, run {number + 1}")
                runs[way.name].append(search(model, case, way, MEMORY_MB))
        _say(f"{protocol.name}: with {SMALL_MB} MB")
        within = {SPIN: _pan(narrow, recipe, 2**16, depth, small)}
        within |= {way.name: search(model, case, way, SMALL_MB) for way in WAYS}
    ways = {name: _middle(found) for name, found in runs.items()}
    today = datetime.date.today().isoformat()
    return Row(protocol.name, case.label, repeat, ways, within, today)


def search(
    model: whorl.Model, case: Case, way: Way, memory_mb: int, states: int | None = None
) -> Figures:
    """A search of whorl's, to its end, a limit, or so many states."""
    before = getrusage(RUSAGE_CHILDREN)
    result = whorl.check(
        model,
        engine="native",
        safety=True,
        end_states=case.end_states,
        por=way.por,
        cache=way.cache,
        merge=way.merge,
        max_states=states,
        timeout=SECONDS,
        memory=memory_mb * 2**20,
    )
    after = getrusage(RUSAGE_CHILDREN)
    if result.verdict == "violated":
        sys.exit(f"benchmarks: {case.label} is violated with {way.name}")
    cpu = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    figures = result.statistics
    states = figures.states if figures.complete else None
    return Figures(states, cpu, figures.memory_bytes, figures.largest_list)


def _pan(verifier: Path, recipe: Recipe, states: int, depth: int, limits: Limits) -> Figures:
    ran = pan.search(verifier, recipe, states, depth, limits)
    if ran.verdict not in ("holds", "inconclusive"):
        sys.exit(f"benchmarks: pan says {ran.verdict}")
    return Figures(ran.states, ran.cost.cpu, ran.cost.memory_bytes)


def _ends(case: Case) -> tuple[str, ...]:
    return () if case.end_states else ("-E",)


def _middle(runs: Sequence[Figures]) -> Figures:
    cpu, memory = median(r.cpu for r in runs), min(r.memory_bytes for r in runs)
    return Figures(runs[0].states, cpu, memory, runs[0].listed)


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
