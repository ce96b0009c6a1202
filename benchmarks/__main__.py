"""whorl beside Spin: speed, memory, small models, and a large one.

    python -m benchmarks [--quick] [--only NAME ...] [--repeat N] [--json FILE] [--write-docs]
    python -m benchmarks TABLE [OPTION ...]

With the name of a table it makes that one (`TABLES`); --help after the name has its options.
Everything takes an hour or two; --quick takes less than three minutes. --json keeps the results,
and --add puts those of this run among earlier ones in a file; with --only and no names after it
nothing is run, and so the file is just shown.
"""

from __future__ import annotations

import argparse
import os
import runpy
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks import compare, large, machine, report, run_as_command, small
from benchmarks.cases import CASES, QUICK, Case
from benchmarks.results import Results, merge, read, save

TESTS = Path(__file__).parents[1] / "tests"
QUICK_EXAMPLES = ("peterson", "leader_election", "msi_cache")

# The other tables by name: each is a module that runs by itself.
TABLES = {
    "liveness": "LTL formulas, beside Spin",
    "reduction": "partial-order reduction, beside Spin, and scheme by scheme",
    "expert": "safety and formulas, beside Spin as an expert runs it",
    "growth": "cost over the size of three models, beside Spin",
    "two_phase": "Table 1 of the Two phase paper, beside Spin and the published figures",
    "examples": "stored states of the models that come with Spin",
    "laboratory": "what the laboratory says of each scheme",
    "stubborn": "components and stubborn sets beside each other",
    "sleep": "sleep sets by themselves and among persistent sets",
    "swarm": "time to the first violation by many bitstate searches, beside Spin's swarm",
    "threads": "several threads, beside as many searches at once",
    "gpu": "the GPU engine: that it finds the same, and how fast; needs a GPU",
    "translation": "sizes of the automata of published formulas",
    "instructions": "machine instructions of a transition",
    "hpy": "nested searches as Holzmann, Peled and Yannakakis compare them",
    "siegel": "Figure 6 of Siegel's paper: reduction, and what SI normal form costs",
}


def main() -> None:
    if len(sys.argv) > 1 and sys.argv[1] in TABLES:
        name = sys.argv.pop(1)
        sys.path.append(str(TESTS))  # which have the published formulas
        runpy.run_module(f"benchmarks.{name}", run_name="__main__", alter_sys=True)
        return
    options = _options()
    missing = [tool for tool in ("spin", "cc") if shutil.which(tool) is None]
    if missing:
        sys.exit(f"benchmarks: this machine has no {' and no '.join(missing)}")
    with tempfile.TemporaryDirectory(prefix="whorl-bench-cache-") as cache:
        os.environ["WHORL_CACHE"] = cache
        about = machine.look()
        results = _keep(Results(about, (), (), None), options)
        for case in _cases(options):
            measured = compare.measure(case, options.repeat, _say)
            results = _keep(Results(about, (*results.measured, measured), (), None), options)
        rest = Results(about, results.measured, tuple(_small(options)), _large(options))
        results = _keep(rest, options)
    _say("")
    print(report.terminal(results))
    if options.write_docs:
        report.write_docs(results)
        print(f"\nwrote {report.DOCS / 'benchmarks.md'} and its pictures")


def _keep(results: Results, options: argparse.Namespace) -> Results:
    """The results so far, with what the file has from before; written there."""
    if options.add and options.add.exists():
        results = merge(read(options.add), results)
    if options.json or options.add:
        save(results, options.json or options.add)
    return results


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        usage="python -m benchmarks [TABLE] [OPTION ...]",
        description=__doc__.split("\n")[0],
        epilog="\n".join(["tables:", *(f"  {name:<14}{about}" for name, about in TABLES.items())]),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--quick", action="store_true", help="a few small cases, < 3 minutes")
    parser.add_argument("--only", nargs="*", metavar="NAME", help="these cases, no small models")
    parser.add_argument("--repeat", type=int, default=5, metavar="N", help="runs of each (5)")
    parser.add_argument("--small", action="store_true", help="the small models, with --only too")
    parser.add_argument("--large", action="store_true", help="a hundred million states as well")
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep the results there")
    parser.add_argument("--add", type=Path, metavar="FILE", help="add the results to those there")
    parser.add_argument("--write-docs", action="store_true", help="write docs/benchmarks.md")
    options = parser.parse_args()
    unknown = set(options.only or ()) - {case.name for case in CASES}
    if unknown:
        parser.error(f"no such case: {', '.join(sorted(unknown))}")
    return options


def _cases(options: argparse.Namespace) -> Sequence[Case]:
    cases = QUICK if options.quick else CASES
    return [case for case in cases if options.only is None or case.name in options.only]


def _small(options: argparse.Namespace) -> list[small.Small]:
    if options.only is not None and not options.small:
        return []
    models = sorted(small.EXAMPLES.glob("*.pml"))
    if options.quick:
        models = [model for model in models if model.stem in QUICK_EXAMPLES]
    return small.measure(models, options.repeat, _say)


def _large(options: argparse.Namespace) -> large.Large | None:
    if not options.large:
        return None
    _say("a hundred million states")
    return large.measure()


def _say(text: str) -> None:
    """What is being done, on one line of a terminal."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
    elif text:
        print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    run_as_command(main)
