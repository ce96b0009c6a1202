"""Macros from the command line that a model never mentions: a slip, or a setting of Spin's."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Set

from whorl.diagnostics import Reporter, suggest

_WORD = re.compile(r"[A-Za-z_]\w*")


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
    from whorl.spin_flags import OF_THE_COMPILER  # few models need it, and loading it takes time

    row = OF_THE_COMPILER.get(name)
    if row is None:
        return suggest(name, sorted(words))
    if row.instead:
        return f"Spin's -D{name} is the option {' '.join(row.options)} of `whorl check`"
    return f"it is a setting of Spin's verifier: {row.note}"
