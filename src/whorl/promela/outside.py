"""Macros from the command line that a model never mentions: a slip, or a setting of Spin's."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Set

from whorl.diagnostics import Reporter, suggest

_WORD = re.compile(r"[A-Za-z_]\w*")
_NOT_NEEDED = "whorl needs no such setting"

# What Spin's verifier is compiled with, and what to write for it.
SPIN = {
    "BFS": "--shortest",
    "BITSTATE": "--store bitstate",
    "CNTRSTACK": _NOT_NEEDED,
    "COLLAPSE": "--store tree",
    "HC": "--store hash-compact",
    "HC0": "--store hash-compact",
    "HC1": "--store hash-compact",
    "HC2": "--store hash-compact",
    "HC3": "--store hash-compact",
    "HC4": "--store hash-compact",
    "MA": "--store tree",
    "MEMCNT": "--memory SIZE",
    "MEMLIM": "--memory SIZE",
    "NCORE": "a search uses one core",
    "NFAIR": "--fair",
    "NOBOUNDCHECK": _NOT_NEEDED,
    "NOCLAIM": "--safety",
    "NOCOMP": "--store exact",
    "NOFAIR": _NOT_NEEDED,
    "NOREDUCE": "--por none",
    "NOSTUTTER": "--infinite-runs",
    "NP": "--non-progress",
    "NXT": _NOT_NEEDED,
    "REACH": "--shortest",
    "SAFETY": "--safety",
    "VECTORSZ": _NOT_NEEDED,
    "XUSAFE": _NOT_NEEDED,
}


def warn_of_unused(
    defines: Mapping[str, str], words: Set[str], formulas: Iterable[str], reporter: Reporter
) -> None:
    """Warns of macros that are neither among the words of a model nor used by another macro."""
    formulas = list(formulas)
    used = set(words).union(*(_WORD.findall(value) for value in defines.values()))
    for definition in defines:
        name = definition.partition("(")[0]
        if name not in used and not any(name in formula for formula in formulas):
            reporter.warning(
                None,
                f"the model never mentions '{name}', a macro defined from outside it",
                _hint(name, words),
            )


def _hint(name: str, words: Set[str]) -> str | None:
    instead = SPIN.get(name)
    if instead is None:
        return suggest(name, sorted(words))
    if instead.startswith("-"):
        return f"Spin's -D{name} is the option {instead} of `whorl check`"
    return f"it is a setting of Spin's verifier: {instead}"
