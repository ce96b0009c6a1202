"""`whorl swarm`: many bitstate searches that differ, until one finds a violation.

The report, its formats and the files that are written are those of `whorl check`.
"""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING

import whorl
from whorl.cli.check import checked, report
from whorl.cli.from_table import add_grouped
from whorl.cli.terminal import Terminal
from whorl.deadline import within
from whorl.given import valid_options
from whorl.options import CHECK, SWARM, SWARM_BY_NAME, Option, ValueKind
from whorl.verdict import Result

if TYPE_CHECKING:
    from whorl.cli.arguments import Subparsers

# What says which searches there are and where they end; the command that repeats one has its own.
_WHICH = ("workers", "seed", "only", "bits", "searches", "timeout")


def add(commands: Subparsers) -> None:
    parser = commands.add_parser(
        "swarm",
        help="look for a violation in a model too large to be searched",
        description="Does many bitstate searches with different seeds, orders, hash functions,"
        " sizes and depths, on all cores, until one finds a violation of safety, a limit is"
        " reached, or new ones see nothing new. It never says that a model holds.",
        usage="whorl swarm [OPTION ...] MODEL",
        allow_abbrev=False,
        add_help=False,
    )
    parser.set_defaults(**{option.name: option.default for option in CHECK})
    add_grouped(parser, SWARM)
    parser.set_defaults(run=run, short=False, about="")


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    given = {option.name: getattr(arguments, option.name, None) for option in SWARM}
    asked = valid_options(given, SWARM_BY_NAME)

    def swarm(load: Callable[[], whorl.Model], asked: SimpleNamespace) -> Result:
        from whorl import swarming  # loaded here, as it takes time

        return with_command(swarming.run(load, asked), arguments.teller.words)

    with within(arguments.timeout):
        outcome = checked(arguments, asked, terminal, swarm)
        report(arguments, outcome, terminal)
        return outcome.status


def with_command(result: Result, words: Sequence[str]) -> Result:
    """The result with the whole command that repeats the search which found something."""
    swarm = result.swarm
    if swarm is None or swarm.found_by is None:
        return result
    found = swarm.found_by
    command = f"whorl {shlex.join(_kept(words))} {found.repeat}"
    return replace(result, swarm=replace(swarm, found_by=replace(found, repeat=command)))


def _kept(words: Sequence[str]) -> Iterator[str]:
    """A command line without what says which searches there are."""
    dropped = {
        flag: option for name in _WHICH for option in [SWARM_BY_NAME[name]] for flag in option.flags
    }
    following = iter(words)
    for word in following:
        option: Option | None = dropped.get(word.partition("=")[0])
        if option is None:
            yield word
        elif "=" not in word and option.kind is not ValueKind.FLAG:
            next(following, None)
