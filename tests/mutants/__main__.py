"""The command: plants all mutants, or some, and says which of them the fast tests kill."""

from __future__ import annotations

import argparse
import os
import sys

from mutants.catalogue import areas, killers, mutants, note_killer
from mutants.runner import OWN_SECONDS, Result, summary, try_all
from mutants.sandbox import sandboxes

BASELINE_SECONDS = 3600.0


def main() -> int:
    options = _arguments()
    known = killers()
    wanted = [
        mutant
        for mutant in mutants()
        if mutant.is_asked_for(options.only)
        and not (options.new and (mutant.title in known or mutant.survives))
    ]
    if not wanted:
        print("there is no such mutant; --list tells which there are", file=sys.stderr)
        return 2
    if options.list:
        for mutant in wanted:
            print(f"{mutant.title}: {mutant.breaks} ({mutant.file})")
        return 0
    by_name = areas()
    with sandboxes(min(options.jobs, len(wanted))) as places:
        if not options.no_baseline:
            first = {
                test
                for m in wanted
                for test in ((known[m.title],) if m.title in known else m.tests)
            }
            baseline = places[0].test(sorted(first), BASELINE_SECONDS) if first else None
            if baseline is not None and (baseline.killer or baseline.late):
                print(f"without a mutant, too, this fails: {baseline.killer}", file=sys.stderr)
                return 2

        def tell(result: Result) -> None:
            print(f"{result.seconds:6.1f} s  {result.mutant.title}: {result.fate}", flush=True)
            if options.note and result.killer is not None and _is_a_test(result):
                note_killer(result.mutant.title, result.killer)

        results = try_all(places, wanted, by_name, known, not options.quick, options.seconds, tell)
    print("\n" + "\n".join(summary(results)))
    for result in results:
        if result.is_wrong or result.killer is None:
            print(f"\n{result.mutant.title}: {result.fate}\n  {result.mutant.breaks}")
            if result.mutant.survives:
                print(f"  {result.mutant.survives}")
    return int(any(result.is_wrong for result in results))


def _is_a_test(result: Result) -> bool:
    return result.is_killed and str(result.killer).startswith("tests/")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m mutants", description=__doc__)
    parser.add_argument(
        "--only", action="append", default=[], metavar="AREA/NAME", help="an area or a mutant"
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N")
    parser.add_argument("--list", action="store_true", help="list them, and plant none")
    parser.add_argument("--quick", action="store_true", help="leave out related tests")
    parser.add_argument(
        "--new", action="store_true", help="only those without a noted killer or an argument"
    )
    parser.add_argument(
        "--seconds", type=float, default=OWN_SECONDS, metavar="N", help="for a mutant's own tests"
    )
    parser.add_argument("--note", action="store_true", help="note which tests killed")
    parser.add_argument(
        "--no-baseline", action="store_true", help="do not run the tests without a mutant first"
    )
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
