"""Models with a few tokens deleted, doubled, swapped or replaced, through the commands of whorl.

`python -m support.mutated FIRST COUNT` runs the mutants with the numbers from FIRST on, within
bounds of memory and time, and prints those that whorl does not get through: status 4, a traceback,
or no end. A number always stands for the same mutant, so that a find can be looked at again.
"""

from __future__ import annotations

import contextlib
import io
import random
import resource
import signal
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import whorl
from whorl import WhorlError
from whorl.cli.main import main
from whorl.diagnostics import Source
from whorl.promela.lexer import lex

ROOT = Path(__file__).parents[2]
EXAMPLES = Path("/usr/share/doc/spin/examples/Examples")
LARGEST = 6000  # bytes of a model
SLOW = ("life.pml",)  # a step of it takes a second in the reference engine
MEMORY = 3 << 30
SECONDS = 60  # for one command; a busy machine is no hang
TRIES = 20
NATIVE = 25  # one mutant of so many is also searched in C

SEARCHES = (
    (),
    ("--safety", "--all-errors", "--unreached"),
    ("--safety", "--por", "none", "--json"),
    ("--fair", "--full-trace"),
    ("--acceptance",),
    ("--non-progress", "--algorithm", "scc"),
    ("--shortest", "--all-errors"),
    ("--por", "static", "--candidates", "component"),
)


class TooLong(BaseException):
    """Raised by the alarm; no handler of ours takes it."""


@cache
def models() -> list[Path]:
    found = [*(ROOT / "examples").glob("*.pml"), *EXAMPLES.rglob("*.pml")]
    return sorted(m for m in found if m.stat().st_size < LARGEST and m.name not in SLOW)


@cache
def pieces(model: Path) -> tuple[tuple[str, str, str], ...]:
    """The tokens of a model: what kind each is, its text, and what stands before it."""
    text = model.read_text(encoding="utf-8", errors="replace")
    found, end = [], 0
    for token in lex(Source(str(model), text)):
        found.append((token.kind, token.text, text[end : token.span.start]))
        end = token.span.end
    return tuple(found)


def mutant(number: int) -> tuple[Path, str]:
    """The model that a mutant is made from, and its text. An odd one mostly is a model, too."""
    source = random.Random(number)
    model = source.choice(models())
    for _ in range(TRIES if number % 2 else 1):
        text = mutate(list(pieces(model)), source)
        try:
            whorl.load(text + "\n", include_dirs=[model.parent])
        except WhorlError:
            continue
        except Exception:  # a find
            break
        break
    return model, text


def mutate(tokens: list[tuple[str, str, str]], source: random.Random) -> str:
    for _ in range(source.choice((1, 1, 1, 2, 3))):
        one, other = (source.randrange(len(tokens) - 1) for _ in range(2))
        match source.choice(("delete", "double", "swap", "replace", "replace", "replace")):
            case "delete":
                del tokens[one]
            case "double":
                tokens.insert(other, tokens[one])
            case "swap":
                tokens[one], tokens[other] = tokens[other], tokens[one]
            case _:
                kind, _, gap = tokens[one]
                alike = [text for found, text, _ in tokens if found == kind]
                tokens[one] = (kind, source.choice(alike), gap)
    return "".join(gap + text for _, text, gap in tokens)


def commands(number: int) -> Iterator[list[str]]:
    search = SEARCHES[number % len(SEARCHES)]
    yield ["parse"]
    yield ["check", "--engine", "reference", "--max-states", "100", "--timeout", "2", *search]
    yield ["simulate", "--seed", "1", "--steps", "200"]
    if number % NATIVE == 0:
        bounds = ("--max-states", "2000", "--timeout", "2", "--memory", "512M")
        yield ["check", "--engine", "native", *bounds, *search]


def trouble(number: int, folder: Path) -> str | None:
    """What goes wrong with a mutant, if anything does."""
    model, text = mutant(number)
    file = folder / model.name
    file.write_text(text, encoding="utf-8")
    for command in commands(number):
        words = [*command, "--debug", "-I", str(model.parent), str(file)]
        said = io.StringIO()
        signal.alarm(SECONDS)
        try:
            with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
                status = main(words)
        except TooLong:
            return f"mutant {number} of {model.name}: no end: whorl {' '.join(words)}"
        finally:
            signal.alarm(0)
        wrong = "Traceback" in said.getvalue() or "out of memory" in said.getvalue()
        if status not in (0, 1, 2, 3) or wrong:
            return (
                f"mutant {number} of {model.name}: status {status}: whorl {' '.join(words)}\n"
                + said.getvalue()[-1500:]
            )
    return None


def run(first: int, count: int) -> bool:
    """Prints what goes wrong; whether nothing does."""

    def ring(_signal: int, _frame: object) -> None:
        raise TooLong

    signal.signal(signal.SIGALRM, ring)
    sound = True
    with tempfile.TemporaryDirectory(prefix="whorl-mutated-") as folder:
        for number in range(first, first + count):
            found = trouble(number, Path(folder))
            if found is not None:
                print(found, flush=True)
                sound = False
    return sound


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    sys.exit(not run(int(sys.argv[1]), int(sys.argv[2])))
