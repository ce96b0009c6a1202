"""The models that are measured, and the sizes at which they are.

Ours are in `models/` and take their sizes as `-D`. Those that come with Spin are read where Debian
installs them; what their `#define` lines say is changed in a copy.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

OURS = Path(__file__).parent / "models"
SPINS = Path("/usr/share/doc/spin/examples/Examples")


@dataclass(frozen=True, slots=True)
class Case:
    """A model at a size. `depth` is about what Spin's stack needs."""

    name: str
    path: Path
    depth: int
    sizes: Mapping[str, int] = field(default_factory=dict)
    end_states: bool = True  # whether every end has to be a valid one

    @property
    def ours(self) -> bool:
        return self.path.parent == OURS

    @property
    def label(self) -> str:
        return " ".join([self.name, *(f"{k}={v}" for k, v in self.sizes.items())])

    def text(self) -> str:
        """The model's text at its size, complete in itself."""
        text = self.path.read_text(encoding="utf-8", errors="replace")
        if self.ours:
            defines = "".join(f"#define {name} {value}\n" for name, value in self.sizes.items())
            return defines + text
        for name, value in self.sizes.items():
            text, changed = re.subn(
                rf"^(#define[ \t]+{name}[ \t]+)\d+", rf"\g<1>{value}", text, flags=re.MULTILINE
            )
            assert changed == 1, f"{self.path} has no #define {name}"
        return text


CASES = (
    Case("bounded_buffer", OURS / "bounded_buffer.pml", 1_000_000, {"P": 3, "C": 3, "V": 2}),
    Case("dining", OURS / "dining.pml", 8_000_000, {"N": 6, "M": 2}),
    Case("directory_cache", OURS / "directory_cache.pml", 11_000_000, {"N": 5, "Q": 3}),
    Case("ring_election", OURS / "ring_election.pml", 60_000, {"N": 7}),
    Case(
        "sliding_window", OURS / "sliding_window.pml", 4_000_000, {"M": 7, "W": 4, "L": 4, "V": 6}
    ),
    Case("spawn", OURS / "spawn.pml", 1_000_000, {"C": 3, "K": 3}),
    Case("szymanski", OURS / "szymanski.pml", 1_000_000, {"N": 3, "R": 2}),
    Case("cambridge", SPINS / "cambridge.pml", 80_000, {"QSZ": 12}),
    Case("dtp", SPINS / "dtp.pml", 1_000),
    Case("leader", SPINS / "LTL/leader.pml", 1_000),
    Case("leader0", SPINS / "leader0.pml", 1_000, {"N": 7, "L": 14}),
    Case("petersonN", SPINS / "LTL/petersonN.pml", 2_000_000, {"N": 4}),
    Case("pftp", SPINS / "LTL/pftp.pml", 300_000, {"DUPS": 1}),
    Case("snoopy", SPINS / "snoopy.pml", 20_000, end_states=False),
    Case("sort", SPINS / "sort.pml", 1_000, {"N": 8}),
)

QUICK = (
    Case("directory_cache", OURS / "directory_cache.pml", 2_000_000, {"N": 4}),
    Case("szymanski", OURS / "szymanski.pml", 100_000, {"N": 3}),
    Case("cambridge", SPINS / "cambridge.pml", 20_000),
    Case("sort", SPINS / "sort.pml", 1_000, {"N": 7}),
)

LARGE = Case("ring_election", OURS / "ring_election.pml", 0, {"N": 8})
