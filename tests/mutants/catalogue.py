"""The catalogue: which wrong lines are planted, read from planted/*.toml and areas.toml."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
SOURCE = Path("src/whorl")  # in the repository
KILLERS = HERE / "killers.json"


@dataclass(frozen=True, slots=True)
class Area:
    """A part of whorl. `tests` are likely to kill its mutants; `related` are the rest of them."""

    name: str
    tests: tuple[str, ...]
    related: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Mutant:
    """A wrong line: in `file` the text `old`, which is there once, becomes `new`."""

    area: str
    name: str
    file: Path  # in the repository
    old: str
    new: str
    breaks: str
    tests: tuple[str, ...]  # that should kill it; none: those of its area
    survives: str | None  # why no test can kill it, if that is so
    endless: bool  # its tests do not come to an end, and that is how it is noticed

    @property
    def title(self) -> str:
        return f"{self.area}/{self.name}"

    def is_asked_for(self, only: list[str]) -> bool:
        """Whether it is among `only`: areas, or areas with a name; all if there are none."""
        return not only or self.area in only or self.title in only

    def planted_in(self, text: str) -> str:
        """The text of the file with the wrong line in it."""
        assert text.count(self.old) == 1, f"{self.title}: {self.file} has changed"
        return text.replace(self.old, self.new)


def areas() -> dict[str, Area]:
    found = tomllib.loads((HERE / "areas.toml").read_text(encoding="utf-8"))
    return {
        name: Area(name, tuple(about["tests"]), tuple(about["related"]))
        for name, about in found.items()
    }


def mutants() -> list[Mutant]:
    """All mutants, in the order of the files that they are written in."""
    return [
        Mutant(
            record["area"],
            record["name"],
            SOURCE / record["file"],
            record["old"],
            record["new"],
            record["breaks"],
            tuple(record.get("tests", ())),
            record.get("survives"),
            record.get("endless", False),
        )
        for path in sorted((HERE / "planted").glob("*.toml"))
        for record in tomllib.loads(path.read_text(encoding="utf-8"))["mutant"]
    ]


def killers() -> dict[str, str]:
    """By title: the test that killed a mutant when that was last noted."""
    if not KILLERS.exists():
        return {}
    found: dict[str, str] = json.loads(KILLERS.read_text(encoding="utf-8"))
    return found


def note_killer(title: str, test: str) -> None:
    """Notes the test that killed a mutant, beside what others have noted meanwhile."""
    known = killers() | {title: test}
    text = json.dumps(dict(sorted(known.items())), indent=2, ensure_ascii=False)
    KILLERS.write_text(text + "\n", encoding="utf-8")


def fates() -> list[tuple[str, int, int, int, int]]:
    """By area, then all: how many are planted, were killed, are argued for, and neither.

    What does not come to an end has no killer that could be noted.
    """
    known = killers()
    planted = mutants()
    rows = []
    for area in [*dict.fromkeys(mutant.area for mutant in planted), "all"]:
        here = [mutant for mutant in planted if area in ("all", mutant.area)]
        argued = sum(mutant.survives is not None for mutant in here)
        killed = sum(
            mutant.survives is None and (mutant.title in known or mutant.endless) for mutant in here
        )
        rows.append((area, len(here), killed, argued, len(here) - killed - argued))
    return rows
