"""Packages import downwards only: the table of docs/architecture.md says which is below which.

Every import counts, also one within a function or one that only the type checker follows.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "whorl"

# Modules that know each other, and why.
KNOTS = {
    frozenset({"whorl.promela.ast", "whorl.promela.symbols"}): (
        "a node of the tree has a symbol, and a symbol the node that declares it"
    ),
    frozenset(
        f"whorl.trace.{name}" for name in ("trace", "text", "fold", "grouped", "chart", "notebook")
    ): "a Trace prints and draws itself",
    frozenset(
        {"whorl.verdict", "whorl.report", "whorl.notebook"}
    ): "a Result prints itself, and is shown in a notebook",
    frozenset(
        f"whorl.property.{name}" for name in ("automaton", "draw", "letters")
    ): "an automaton draws itself",
    frozenset(
        f"whorl.reduction.{name}"
        for name in ("analysis", "candidates", "enabling", "safe", "stubborn")
    ): "the analysis offers the sets that are found with it",
}


@dataclass(frozen=True)
class Import:
    importer: str
    imported: str
    line: int

    def __str__(self) -> str:
        return f"{self.importer} imports {self.imported} (line {self.line})"


def name_of(path: Path) -> str:
    parts = ("whorl", *path.relative_to(SOURCE).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {name_of(path): path for path in sorted(SOURCE.rglob("*.py"))}


def imports_of(importer: str, text: str) -> Iterator[Import]:
    """What a module imports from whorl, wherever in its text."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{importer}, line {node.lineno}: a relative import"
            within = [f"{node.module}.{alias.name}" for alias in node.names]
            names = [name if name in MODULES else str(node.module) for name in within]
        else:
            continue
        for name in dict.fromkeys(names):
            if name in MODULES and name != importer:
                yield Import(importer, name, node.lineno)


def room(module: str) -> str:
    """The package of a module, or the module itself where it is in none."""
    return module.removeprefix("whorl.").split(".")[0]


def layers() -> list[list[str]]:
    """The rooms of each row of the table, the lowest row first."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    table = re.search(r"^\| layer \|.*\n\|---.*\n((?:\|.*\n)+)", text, re.MULTILINE)
    assert table is not None, "docs/architecture.md has no table of layers"
    return [re.findall(r"`(\w+)`", row) for row in reversed(table[1].splitlines())]


def upward(found: Import, rows: Mapping[str, int]) -> bool:
    """Whether an import goes up, or from one package to another of its row."""
    own, other = room(found.importer), room(found.imported)
    if own == other:
        return False
    packages = all((SOURCE / name).is_dir() for name in (own, other))
    return rows[other] > rows[own] or (rows[other] == rows[own] and packages)


def cycles(edges: Mapping[str, set[str]]) -> Iterator[frozenset[str]]:
    """The sets of modules each of which imports, by way of others, all of its set."""

    def reached(start: str) -> set[str]:
        seen: set[str] = set()
        todo = [start]
        while todo:
            for name in edges.get(todo.pop(), set()) - seen:
                seen.add(name)
                todo.append(name)
        return seen

    below = {name: reached(name) for name in edges}
    knots = (frozenset(n for n in below[name] if name in below.get(n, ())) for name in below)
    yield from dict.fromkeys(knot for knot in knots if knot)


@pytest.fixture(scope="module")
def imports() -> list[Import]:
    texts = {name: path.read_text(encoding="utf-8") for name, path in MODULES.items()}
    return [found for name, text in texts.items() for found in imports_of(name, text)]


def test_the_table_has_every_room_once() -> None:
    listed = sorted(name for row in layers() for name in row)
    assert listed == sorted({room(name) for name in MODULES})


def test_imports_go_downwards(imports: list[Import]) -> None:
    rows = {name: number for number, row in enumerate(layers()) for name in row}
    wrong = [str(found) for found in imports if upward(found, rows)]
    assert not wrong, "not downwards (docs/architecture.md):\n" + "\n".join(wrong)


def test_no_two_packages_import_each_other(imports: list[Import]) -> None:
    pairs = {(room(found.importer), room(found.imported)) for found in imports}
    known = {frozenset(pair) for knot in KNOTS for pair in combinations(map(room, knot), 2)}
    both = {frozenset(pair) for pair in pairs if pair[0] != pair[1] and pair[::-1] in pairs}
    assert not both - known


def test_no_modules_import_each_other(imports: list[Import]) -> None:
    edges: dict[str, set[str]] = {}
    for found in imports:
        edges.setdefault(found.importer, set()).add(found.imported)
    found_knots = set(cycles(edges))
    new = [" <-> ".join(sorted(knot)) for knot in found_knots - KNOTS.keys()]
    assert not new, "modules import each other in a cycle:\n" + "\n".join(new)
    gone = [" <-> ".join(sorted(knot)) for knot in KNOTS.keys() - found_knots]
    assert not gone, "no cycle any more, so take it off KNOTS:\n" + "\n".join(gone)


@pytest.mark.parametrize(
    "text",
    [
        "from whorl.cli.main import main",
        "import whorl.cli.main",
        "def f():\n    from whorl.cli import main",
        "if TYPE_CHECKING:\n    from whorl.cli import main",
    ],
)
def test_an_import_upwards_is_found(text: str) -> None:
    rows = {name: number for number, row in enumerate(layers()) for name in row}
    (found,) = imports_of("whorl.search.scc", text)
    assert upward(found, rows)


def test_packages_of_one_row_do_not_import_each_other() -> None:
    rows = {name: number for number, row in enumerate(layers()) for name in row}
    (found,) = imports_of("whorl.search.scc", "from whorl.trace.trace import Trace")
    assert upward(found, rows)


def test_a_cycle_is_found() -> None:
    edges = {"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": set()}
    assert list(cycles(edges)) == [frozenset("abc")]
