"""The reference engine beside Spin's full search, on every example: sizes and CPU time.

    PYTHONPATH=tests python -m benchmarks.reference [MODEL ...]

Spin's time is that of the compiled verifier alone; spin and the C compiler before it take about a
quarter of a second a model. The reference engine is written to be read, so expect it to be slower
by orders of magnitude; the table is there to show that the sizes agree and the times stay bearable.
A violated model is searched to the end by Spin, whereas whorl may stop at the first violation.
"""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Sequence
from pathlib import Path

from benchmarks import run_as_command
from support.spin import SpinResult, full_search

EXAMPLES = Path(__file__).parents[1] / "examples"
HEADINGS = ("model", "verdict", "states", "transitions", "CPU s", "states", "transitions", "CPU s")


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="benchmarks.reference", description=__doc__.split("\n")[0]
    )
    parser.add_argument("models", nargs="*", type=Path, help="default: every example")
    models: Sequence[Path] = parser.parse_args().models or sorted(EXAMPLES.glob("*.pml"))
    have_spin = all(shutil.which(tool) for tool in ("spin", "cc"))

    name_width = max(len(model.stem) for model in models)
    form = f"{{:{name_width}}}  {{:12}}" + 2 * " | {:>9} {:>11} {:>8}"
    print(form.format("", "", "whorl", "", "", "Spin", "", ""))
    print(form.format(*HEADINGS))
    for model in models:
        spin = full_search(model) if have_spin else None
        print(form.format(model.stem, *_whorl_columns(model), *_spin_columns(spin)), flush=True)
    if not have_spin:
        print("Spin is not compared with: this machine has no `spin` or no `cc`.")


def _whorl_columns(model: Path) -> tuple[str, str, str, str]:
    import whorl

    result = whorl.check(model, engine="reference", safety=True)
    figures = result.statistics
    return (
        result.verdict,
        f"{figures.states}",
        f"{figures.transitions}",
        f"{figures.seconds:.2f}",
    )


def _spin_columns(result: SpinResult | None) -> tuple[str, str, str]:
    if result is None:
        return ("-", "-", "-")
    mark = "" if result.complete else "+"
    return (f"{result.states}{mark}", f"{result.transitions}{mark}", f"{result.seconds:.2f}")


if __name__ == "__main__":
    run_as_command(main)
