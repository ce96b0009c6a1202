"""The long campaign: `make campaign`, or `python -m systematic` with tests/ on the path."""

from __future__ import annotations

import argparse
import gc
import json
import math
import os
import random
import re
import shlex
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict
from pathlib import Path

from systematic.campaign import MEMBERS, Report, campaign
from systematic.configurations import chosen, configurations, default
from systematic.coverage import Coverage
from systematic.programs import all_cases
from whorl.audit.judge import Configuration

CHUNK = 50 * MEMBERS  # programs that one worker takes at a time
TURNS = 32


def main() -> int:
    arguments = _arguments()
    always, others = (
        chosen(how, arguments.only, arguments.but) for how in (default(), configurations())
    )
    if not (always or others):
        print("no configuration has such a name (--list)", file=sys.stderr)
        return 2
    if arguments.list:
        print("\n".join(dict.fromkeys(map(str, (*always, *others)))))
        return 0
    part, parts = arguments.part
    report, began = Report(), time.monotonic()
    starts = list(range(arguments.skip, len(all_cases()), CHUNK * arguments.step))
    random.Random(0).shuffle(starts)  # so that a part of the campaign is a part of everything
    with (
        tempfile.TemporaryDirectory() as cache,
        ProcessPoolExecutor(arguments.jobs, initializer=_prepare, initargs=(cache,)) as pool,
    ):
        tasks = [
            pool.submit(_part, arguments, start, number, always, others)
            for number, start in list(enumerate(starts))[part - 1 :: parts]
        ]
        for task in as_completed(tasks):
            report.add(task.result())
            seconds = time.monotonic() - began
            print(f"\r{report.programs:,} programs, {seconds:.0f} s", end="", file=sys.stderr)
            if arguments.json is not None:  # each time, so that nothing is lost
                arguments.json.write_text(json.dumps(_figures(report), indent=1) + "\n")
            if report.programs >= arguments.programs or seconds > arguments.seconds:
                pool.shutdown(cancel_futures=True)
                break
    print(file=sys.stderr)
    for line in _lines(report, len({*always, *others})):
        print(line)
    return 1 if report.findings else 0


def _part(
    arguments: argparse.Namespace,
    start: int,
    number: int,
    always: tuple[Configuration, ...],
    others: tuple[Configuration, ...],
) -> Report:
    """Judges a chunk of programs from `start`; `number` says whose turn it is."""
    step = arguments.step
    cases = (case.program() for case in all_cases()[start : start + CHUNK * step : step])
    programs = (
        program
        for program in cases
        if not (arguments.united and program.alone) and arguments.text.search(program.text)
    )
    return campaign(programs, always, others, arguments.turns, number)


def _prepare(cache: str) -> None:
    os.environ["WHORL_CACHE"] = cache
    gc.set_threshold(50_000, 20, 100)  # a twentieth of the time


def _lines(report: Report, configurations: int) -> list[str]:
    """What there is to say. The first two lines are for docs/explanation/trust.md."""
    asked = shlex.join(sys.argv[1:]).replace("|", "\\|")  # in a table
    lines = [
        f"| `{asked}` | {report.programs:,} | {report.states:,} |",
        f"{configurations} configurations were asked for, {len(report.by_configuration)} compared,"
        f" each with {min(report.by_configuration.values(), default=0):,} programs or more",
        f"{report.programs:,} programs, {report.comparisons:,} comparisons with their full graphs,"
        f" {report.states:,} states, {report.too_large} not decided, {report.refused} refused",
        "",
        *Coverage(report.programs, report.united, report.tags).lines(),
        "",
        "programs by configuration",
        *(f"{times:10,}  {name}" for name, times in report.by_configuration.most_common()),
        "",
        f"{len(report.findings)} findings",
    ]
    for finding in report.findings:
        lines += ["", f"{finding.program} | {finding.configuration}", finding.problem, finding.text]
    return lines


def _figures(report: Report) -> dict[str, object]:
    return {
        "programs": report.programs,
        "comparisons": report.comparisons,
        "states": report.states,
        "not_decided": report.too_large,
        "refused": report.refused,
        "configurations": dict(report.by_configuration),
        "findings": [asdict(finding) for finding in report.findings],
    }


def _of(text: str) -> tuple[int, int]:
    part, parts = map(int, text.split("/"))
    if not 1 <= part <= parts:
        raise ValueError(text)
    return part, parts


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="systematic", description=__doc__)
    parser.add_argument("--programs", type=int, default=sys.maxsize, help="stop after so many")
    parser.add_argument("--step", type=int, default=1, metavar="N", help="take every N-th program")
    parser.add_argument("--skip", type=int, default=0, metavar="N", help="begin with program N")
    parser.add_argument(
        "--part",
        type=_of,
        default=(1, 1),
        metavar="K/N",
        help="the K-th of N parts that have nothing in common, each a sample of everything",
    )
    parser.add_argument(
        "--turns",
        type=int,
        default=TURNS,
        metavar="N",
        help="beside the default each unit of programs gets one in N of the other configurations,"
        f" in turn ({TURNS}); 1: all of them",
    )
    parser.add_argument(
        "--only",
        action="append",
        default=[],
        metavar="WORDS",
        help="those configurations alone whose names have all these words, such as 'native safety'"
        " (--list); more than once: those of any",
    )
    parser.add_argument(
        "--but",
        action="append",
        default=[],
        metavar="WORDS",
        help="not those whose names have all these words: 'none' are those without a reduction",
    )
    parser.add_argument("--list", action="store_true", help="list the configurations, run none")
    parser.add_argument(
        "--united",
        action="store_true",
        help="leave out programs that cannot stand beside others in one model, and take long",
    )
    parser.add_argument(
        "--text",
        type=re.compile,
        default=re.compile(""),
        metavar="REGEX",
        help="those programs alone in whose text this occurs",
    )
    parser.add_argument("--seconds", type=float, default=math.inf, help="stop after so long")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
