"""What is known of a program before anything is written: the same for many verifiers."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property, lru_cache
from typing import NamedTuple

from whorl.native.code.claim import ClaimSearch
from whorl.native.passes.merge import Merging
from whorl.native.passes.rounds import going_round
from whorl.native.passes.usage import usage
from whorl.program.parts import parts
from whorl.program.program import Builtin, Expr
from whorl.program.semantics import Semantics
from whorl.reduction.analysis import Analysis
from whorl.sharing import Same


class Asked(NamedTuple):
    """What a claim asks of the states of a program, whatever its automaton is."""

    atoms: tuple[Expr, ...] = ()
    accepts: bool = False


def asked(search: ClaimSearch | None) -> Asked | None:
    """What a search for a claim asks; None: it is for safety."""
    return (
        None
        if search is None or search.safety
        else Asked(search.atoms, search.claim.program_accepts)
    )


class MergedProgram:
    """A program with what is asked of it, and which of its steps are merged."""

    def __init__(self, semantics: Semantics, merge: bool, asked: Asked | None) -> None:
        self.atoms, self.accepts = asked or Asked()
        if any(node == Builtin("_last") for node in parts(self.atoms)):
            semantics = Semantics(replace(semantics.program, uses_last=True))
        self.semantics = semantics
        self.program = program = semantics.program
        self.facts = usage(program, self.atoms)
        plain = Merging(program, self.facts, False)
        # Where in a round a claim looks must not depend on what is merged or dropped.
        self.alone = frozenset[int]() if asked is None else going_round(program, plain)
        self.merging = Merging(program, self.facts, merge, self.atoms, self.alone)

    @cached_property
    def analysis(self) -> Analysis:
        return Analysis(self.semantics, self.atoms, self.accepts, self.merging.chain)


@lru_cache(maxsize=2)  # for safety, and for a property of runs
def modelled(given: Same[Semantics], merge: bool, asked: Asked | None) -> MergedProgram:
    return MergedProgram(given.it, merge, asked)
