"""All that a run of the benchmarks found, and how it is kept in a file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.compare import Measured, Sample
from benchmarks.large import Large
from benchmarks.machine import Machine
from benchmarks.process import Cost
from benchmarks.small import Small
from benchmarks.table import geometric_mean

BIG = 1_000_000  # states; a smaller model measures the start more than the search
HUGE = 10_000_000


@dataclass(frozen=True, slots=True)
class Target:
    """A target of ours and what was measured; `met` is None where nothing was."""

    what: str
    wanted: str
    measured: str
    met: bool | None


@dataclass(frozen=True, slots=True)
class Results:
    machine: Machine
    measured: tuple[Measured, ...]
    small: tuple[Small, ...]
    large: Large | None

    @property
    def big(self) -> list[Measured]:
        """The models that count for the means."""
        return [m for m in self.measured if m.whorl.states >= BIG]

    def targets(self) -> list[Target]:
        return [*self._speed(), *self._memory(), *self._tree(), *self._small(), *self._large()]

    def _speed(self) -> list[Target]:
        if not self.big:
            return []
        mean = geometric_mean(m.speedup for m in self.big)
        least = min(self.measured, key=lambda m: m.speedup)
        return [
            Target("speed, mean", "≥ 4 × Spin's", f"{mean:.2f} ×", mean >= 4),
            Target(
                "speed, least", "≥ 2 × Spin's", f"{least.speedup:.2f} × ({least.name})",
                least.speedup >= 2,
            ),
        ]  # fmt: skip

    def _memory(self) -> list[Target]:
        if not self.big:
            return []
        mean = geometric_mean(m.memory_ratio for m in self.big)
        over = sorted(m.name for m in self.measured if m.memory_ratio > 0.5)
        most = max(self.measured, key=lambda m: m.memory_ratio)
        said = f"{most.memory_ratio:.2f} × ({most.name}); over half: {', '.join(over) or 'none'}"
        return [
            Target("memory, mean", "≤ 0.5 × Spin's", f"{mean:.2f} ×", mean <= 0.5),
            Target("memory, most", "≤ 0.5 × Spin's", said, not over),
        ]

    def _tree(self) -> list[Target]:
        huge = [m for m in self.measured if m.whorl.states >= HUGE]
        if not huge:
            return []
        size = max(huge, key=lambda m: m.tree_bytes_per_state)
        time = max(huge, key=lambda m: m.tree_time_ratio)
        mean = geometric_mean(m.tree_time_ratio for m in huge)
        return [
            Target(
                "tree, bytes a state, most", "≤ 10, of 10 million states or more",
                f"{size.tree_bytes_per_state:.1f} ({size.name})", size.tree_bytes_per_state <= 10,
            ),
            Target(
                "tree, time, most", "≤ 1.5 × the exact store's",
                f"{time.tree_time_ratio:.2f} × ({time.name}); mean {mean:.2f} ×",
                time.tree_time_ratio <= 1.5,
            ),
        ]  # fmt: skip

    def _small(self) -> list[Target]:
        if not self.small:
            return []
        slow = max(self.small, key=lambda s: s.first.wall / s.spin.wall)
        mean = geometric_mean(s.first.wall / s.spin.wall for s in self.small)
        again = max(self.small, key=lambda s: s.again.wall)
        ratio = slow.first.wall / slow.spin.wall
        return [
            Target(
                "small models, first time", "≤ Spin's wall time",
                f"{ratio:.2f} × at most ({slow.name}); mean {mean:.2f} ×", ratio <= 1,
            ),
            Target(
                "small models, again", "< 0.3 s",
                f"{again.again.wall:.2f} s at most ({again.name})", again.again.wall < 0.3,
            ),
        ]  # fmt: skip

    def _large(self) -> list[Target]:
        if self.large is None:
            return [Target("100 million states", "complete, in 24 GB", "not measured", None)]
        states, size = self.large.states, self.large.cost.memory_bytes / 1e9
        return [
            Target(
                "100 million states", "complete, in 24 GB",
                f"{states:,} states, {size:.1f} GB", states >= 100_000_000 and size < 24,
            )
        ]  # fmt: skip


def save(results: Results, file: Path) -> None:
    file.write_text(json.dumps(asdict(results), indent=1) + "\n", encoding="utf-8")


def read(file: Path) -> Results:
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return Results(
        Machine(**found["machine"]),
        tuple(_measured(row) for row in found["measured"]),
        tuple(
            Small(row["name"], *(Cost(**row[key]) for key in ("first", "again", "spin")))
            for row in found["small"]
        ),
        _large(found["large"]),
    )


def merge(old: Results, new: Results) -> Results:
    """The old results with the new ones in their place."""
    fresh = {m.name for m in new.measured}
    kept: Sequence[Measured] = [m for m in old.measured if m.name not in fresh]
    return Results(
        new.machine,
        tuple(sorted([*kept, *new.measured], key=lambda m: (not m.ours, m.name))),
        new.small or old.small,
        new.large or old.large,
    )


def _measured(row: dict[str, Any]) -> Measured:
    samples = ("exact", "tree", "spin", "whorl_default", "spin_default")
    made = {key: Sample(**{**row[key], "cpus": tuple(row[key]["cpus"])}) for key in samples}
    return Measured(**{**row, **made})


def _large(row: dict[str, Any] | None) -> Large | None:
    return None if row is None else Large(**{**row, "cost": Cost(**row["cost"])})
