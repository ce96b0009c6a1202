"""The pictures of the documentation, and what makes each of them.

`make pictures` makes all of them again, but for those of measurements, which `make bench` draws;
`make pictures ARGS=viewer.png` makes one.
"""

from __future__ import annotations

import contextlib
import io
import shlex
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from unittest import mock

from benchmarks.laboratory import FIGURES
from support.architecture import architecture
from support.browser import Browser
from support.sessions import write_files
from whorl.cli.main import main
from whorl.property import siegel
from whorl.property.draw import draw

ROOT = Path(__file__).parents[2]
IMAGES = ROOT / "docs" / "img"

# Where FILE is, the name of the picture comes. All run in the root of the repository.
COMMANDS = {
    "counterexample.svg": "whorl check examples/peterson_broken.pml --shortest --chart FILE",
    "lasso.svg": "whorl check examples/spin_lock.pml --claim first_enters --fair --shortest"
    " --chart FILE",
    "needham-schroeder.svg": "whorl check examples/needham_schroeder.pml --claim bob_is_right"
    " --shortest --fold --chart FILE",
    **{
        f"{name}.svg": f"whorl check examples/{name.replace('-', '_')}.pml --shortest --fold"
        " --chart FILE"
        for name in ("sliding-window", "directory", "raft-restart", "lock-free-queue")
    },
    "automaton.svg": "whorl property --negate '[] (pressed -> <> walk)' --svg FILE",
    "graph-processes.svg": "whorl graph examples/traffic_light.pml -o FILE",
    **{f"lab-{name}.svg": f"{command} --svg FILE" for name, command in FIGURES.items()},
}
# The same for models that a page has, where they run.
OF_PAGES = {
    "graph-reduced.svg": (
        "howto.md",
        "whorl graph figure2.pml --claim never --por v0 -o FILE",
    ),
    "process.svg": ("tutorial.md", "whorl graph shop.pml --process clerk -o FILE"),
    "product.svg": (
        "explanation/product.md",
        "whorl graph shop.pml --ltl '[] (waiting -> <> !waiting)' --states -o FILE",
    ),
    "reduction.svg": (
        "explanation/reduction.md",
        "whorl graph two.pml --reduced --overlay -o FILE",
    ),
}
DRAWINGS: dict[str, Callable[[], str]] = {
    "architecture.svg": architecture,
    "siegel-b2.svg": lambda: draw(siegel.b2(), "B2", graphviz=False),
    "siegel-b3.svg": lambda: draw(siegel.b3(), "B3", graphviz=False),
    "siegel-b4.svg": lambda: draw(siegel.b4(), "B4", graphviz=False),
}
# `make bench`, `python -m benchmarks NAME`
MEASURED = (
    "bench-expert.svg",
    "bench-growth.svg",
    "bench-threads.svg",
    "bench-memory.svg",
    "bench-speed.svg",
    "bench-two-phase.svg",
    "hpy-section-6.svg",
    "siegel-figure-6.svg",
)
VIEWER = "viewer.png"  # a screenshot
VIEWED = "whorl check examples/spin_lock.pml --claim first_enters --fair --shortest --html FILE"
SIZE = (1200, 720)


def make(name: str, file: Path) -> None:
    """Makes a picture in a file."""
    if name in DRAWINGS:
        file.write_text(DRAWINGS[name](), encoding="utf-8")
    elif name == VIEWER:
        with tempfile.TemporaryDirectory() as folder, Browser() as browser:
            show_viewer(browser, Path(folder) / "page.html")
            browser.screenshot(file)
    elif name in OF_PAGES:
        page, command = OF_PAGES[name]
        with tempfile.TemporaryDirectory() as folder:
            write_files(ROOT / "docs" / page, Path(folder))
            run(command, file, Path(folder))
    else:
        run(COMMANDS[name], file)


def run(command: str, file: Path, folder: Path = ROOT) -> None:
    """Runs a command of whorl's, in a folder, that writes the file."""
    words = shlex.split(command.replace("FILE", shlex.quote(str(file.absolute()))))
    said = io.StringIO()
    with (
        contextlib.chdir(folder),
        contextlib.redirect_stdout(said),
        contextlib.redirect_stderr(said),
        mock.patch("whorl.property.draw.by_graphviz", return_value=None),  # our own layout
    ):
        status = main(words[1:])
    assert status in (0, 1), said.getvalue()


def show_viewer(browser: Browser, page: Path) -> None:
    """Opens the viewer as the picture shows it: some steps down, in the cycle."""
    run(VIEWED, page)
    browser.open(page, *SIZE)
    browser.press("ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown")


if __name__ == "__main__":
    for each in sys.argv[1:] or (*DRAWINGS, *COMMANDS, *OF_PAGES, VIEWER):
        print(each)
        make(each, IMAGES / each)
