"""How tightly the operators of expressions bind."""

from __future__ import annotations

# From loosest to tightest, all of them left-associative: as in C.
LEVELS: tuple[frozenset[str], ...] = tuple(
    frozenset(level.split())
    for level in ("||", "&&", "|", "^", "&", "== !=", "< > <= >=", "<< >>", "+ -", "* / %")
)
LEVEL = {operator: level for level, operators in enumerate(LEVELS) for operator in operators}
