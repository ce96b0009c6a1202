"""Every sound configuration of both engines, for a claim of one state and for safety; or some."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache

from whorl.audit.judge import Configuration
from whorl.reduction.candidates import ProcessOrder, Rule
from whorl.reduction.schemes import Reduction

BY_STATE = (
    Reduction("static"),
    Reduction("static", "selective"),
    Reduction("two-phase"),
    Reduction("two-phase", "selective"),
    Reduction("two-phase-ample"),
)
BY_RULE = (
    Reduction("static", rule=Rule.STUBBORN),
    Reduction("static", rule=Rule.PROCESS),
    Reduction("two-phase-ample", rule=Rule.STUBBORN),
    Reduction("two-phase-ample", rule=Rule.PROCESS),
    Reduction("two-phase-ample", rule=Rule.LOCAL),
    Reduction("two-phase-ample", rule=Rule.SPIN),
)
# A claim of one state is deterministic and in SI normal form: they are sound for it.
BY_STACK = tuple(map(Reduction, ("v0", "v1", "si", "dfs_po")))
FOR_SAFETY = (
    Reduction("two-phase-ample", order_free=True),
    Reduction("persistent"),
    Reduction("persistent", "selective"),
    Reduction("persistent", rule=Rule.STUBBORN),
    Reduction("dfs_po"),
    Reduction("dfs_po", rule=Rule.PROCESS, order=ProcessOrder.ASCENDING),
    Reduction("pv"),
    Reduction("pv", "selective"),
    Reduction("sleep"),
    Reduction("persistent-sleep"),
    Reduction("persistent-sleep", rule=Rule.STUBBORN),
)


def _native() -> Iterator[Configuration]:
    for safety in (False, True):
        plain = Configuration("native", safety=safety, store="exact")
        for merge in (True, False):
            for dead in (True, False):
                yield replace(plain, merge=merge, drop_dead=dead)
        schemes = (*BY_STATE, *BY_RULE, *(FOR_SAFETY if safety else BY_STACK))
        for reduction in schemes:
            yield replace(plain, reduction=reduction)
        yield replace(plain, reduction=Reduction("two-phase-ample"), merge=False, drop_dead=False)
        yield replace(plain, reduction=Reduction("two-phase-ample"), merge=False)
    yield replace(plain, safety=True, shortest=True)
    for reduction in (Reduction("none"), Reduction("two-phase-ample"), Reduction("v1")):
        yield replace(plain, safety=False, reduction=reduction, algorithm="scc")


def _reference() -> Iterator[Configuration]:
    for safety in (False, True):
        for reduction in (*BY_STATE, *BY_RULE, *(FOR_SAFETY if safety else BY_STACK)):
            yield Configuration("reference", reduction, safety)


@cache
def configurations() -> tuple[Configuration, ...]:
    return (*_native(), *_reference())


@cache
def default() -> tuple[Configuration, ...]:
    """What a user runs who asks for nothing: for properties of runs, and for safety."""
    scheme = Reduction("two-phase-ample", "selective")
    return tuple(Configuration("native", scheme, safety, store="exact") for safety in (False, True))


def chosen(
    configurations: Iterable[Configuration], only: Sequence[str] = (), but: Sequence[str] = ()
) -> tuple[Configuration, ...]:
    """Those in whose names all words of one of `only` occur, and of none of `but`.

    `native safety` are those of one engine for safety, and `none` those that reduce nothing.
    """

    def is_meant(how: Configuration, patterns: Sequence[str]) -> bool:
        words = str(how).split()
        return any(all(word in words for word in pattern.split()) for pattern in patterns)

    return tuple(
        how
        for how in configurations
        if (not only or is_meant(how, only)) and not is_meant(how, but)
    )
