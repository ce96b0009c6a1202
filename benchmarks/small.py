"""Small models, end to end: what a user waits for, from the model's text to the verdict."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks.process import Cost, run

EXAMPLES = Path(__file__).parents[1] / "examples"
SPINS_WAY = (
    ("spin", "-a", "model.pml"),
    ("cc", "-O2", "-w", "-DSAFETY", "-DNOREDUCE", "-DNOCLAIM", "-o", "pan", "pan.c"),
    ("./pan",),
)


@dataclass(frozen=True, slots=True)
class Small:
    """Medians: whorl with nothing compiled before, whorl again, and Spin's three commands."""

    name: str
    first: Cost
    again: Cost
    spin: Cost


def measure(models: Sequence[Path], repeat: int, say: Callable[[str], None]) -> list[Small]:
    """Measures whorl as it is once it is installed: with its modules compiled by Python."""
    with tempfile.TemporaryDirectory(prefix="whorl-bench-") as name:
        modules = Path(name)
        for model in models[:1]:
            with _copy(model) as folder:
                _whorl(folder, modules)
        found = []
        for model in models:
            say(f"{model.stem}, end to end")
            found.append(_measure(model, repeat, modules))
        return found


def _measure(model: Path, repeat: int, modules: Path) -> Small:
    firsts: list[Cost] = []
    agains: list[Cost] = []
    spins: list[Cost] = []
    for _ in range(repeat):
        with _copy(model) as folder:
            for costs in (firsts, agains):
                costs.append(_whorl(folder, modules))
            spins.append(_spin(folder))
    return Small(model.stem, _median(firsts), _median(agains), _median(spins))


@contextmanager
def _copy(model: Path) -> Iterator[Path]:
    """A folder with the model in it, and nothing else."""
    with tempfile.TemporaryDirectory(prefix="whorl-bench-") as name:
        folder = Path(name)
        (folder / "model.pml").write_bytes(model.read_bytes())
        yield folder


def _whorl(folder: Path, modules: Path) -> Cost:
    command = (sys.executable, "-m", "whorl", "check", "--safety", "--quiet", "model.pml")
    environment = {
        "WHORL_CACHE": str(folder / "cache"),
        "WHORL_CC": "",  # as a user has it
        "PYTHONDONTWRITEBYTECODE": "",
        "PYTHONPYCACHEPREFIX": str(modules),
    }
    ran = run(command, folder, environment)
    assert ran.status in (0, 1), ran.output
    return ran.cost


def _spin(folder: Path) -> Cost:
    cost = Cost(0, 0, 0, 0)
    for command in SPINS_WAY:
        ran = run(command, folder)
        assert ran.status == 0, ran.output
        cost += ran.cost
    return cost


def _median(costs: list[Cost]) -> Cost:
    return Cost(
        median(cost.cpu for cost in costs),
        median(cost.system for cost in costs),
        median(cost.wall for cost in costs),
        max(cost.memory_bytes for cost in costs),
    )
