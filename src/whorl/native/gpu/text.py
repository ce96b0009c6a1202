"""The text of a model's kernels: one file, with all of the runtime that it needs."""

from __future__ import annotations

import re
from functools import lru_cache

from whorl.native.code.generate import Generated, generate
from whorl.native.compiler import RUNTIME
from whorl.native.job import Job, Room, is_most
from whorl.program.semantics import Semantics

KERNELS = "gpu/kernels.h"
CLAIM_KERNELS = "gpu/claims.h"
ELIMINATION = "owcty"  # of the algorithms the one that kernels have
DEVICE = "#define WHORL_DEVICE 1\n"
ALL_ON_DEVICE = "--device-as-default-execution-space"  # docs/decisions/0080
NVRTC_OPTIONS = ("-std=c++17", "--disable-warnings")
SEARCH = ("WHORL_TELLS=0",)  # the kernels of the search
TELLING = ("WHORL_TELLS=1",)  # and those that tell a counterexample
_INCLUDE = re.compile(r'^#include "([^"]+)"$')


def written(semantics: Semantics, job: Job, room: Room) -> Generated:
    """The kernels of a search, as one text: for violations of safety, or of a claim."""
    search = job.search
    assert search is None or (
        search.algorithm == ELIMINATION
        and not (search.fair or search.safety)
        and search.claim.normal_form is None
    )
    generated = generate(
        semantics,
        processes_most=room[0],
        channels_most=room[1],
        merge=job.merge,
        drop_dead=job.drop_dead,
        search=search,
        grows=not is_most(room),
        selection=job.selection,
        runs=KERNELS if search is None else CLAIM_KERNELS,
    )
    return Generated(
        DEVICE + flattened(generated.text),
        generated.kinds,
        generated.said,
        generated.layout,
        generated.merging,
        generated.liveness,
    )


def flattened(text: str) -> str:
    """The text with what it includes of the runtime in place, each header once."""
    lines: list[str] = []
    _flatten(text, lines, set())
    return "\n".join(lines) + "\n"


def _flatten(text: str, lines: list[str], there: set[str]) -> None:
    for line in text.splitlines():
        included = _INCLUDE.match(line)
        if included is None:
            lines.append(line)
        elif included[1] not in there:
            there.add(included[1])
            _flatten(_header(included[1]), lines, there)


@lru_cache(maxsize=64)
def _header(name: str) -> str:
    return (RUNTIME / name).read_text(encoding="utf-8")
