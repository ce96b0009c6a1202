"""A task: one search of a check. What is searched, for what, and how; made once for every stage.

`api` makes the tasks of a check: one for safety, if that is wanted, and one for each claim. The
engines, the audit and the verdict are handed a task, and ask it for what they need. What takes time
(the reduction, whether the claim is stutter-invariant, its SI normal form) is found out when it is
first asked for, and then known. The tasks of a check share the semantics of its program.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from whorl import deadline
from whorl.diagnostics import WhorlError
from whorl.program.program import Program
from whorl.program.semantics import Semantics
from whorl.property.claim import Claim
from whorl.reduction.plan import NONE, Plan, plan
from whorl.reduction.schemes import Reduction, prepared, stutters
from whorl.search.exploration import Options

STORES = ("auto", "tree", "exact", "hash-compact", "bitstate")
OLD_NAMES = {"compact": "it is called hash-compact"}


@dataclass(frozen=True, slots=True)
class ClusterOptions:
    """What is asked of a search by workers of a cluster."""

    address: str  # `given.HERE`: one is started on this machine
    workers: int | None = None  # None: one for each core
    checkpoint: Path | None = None  # where what is found is kept; None: in the user's cache
    resume: Path | None = None  # where it is kept already, to go on from there


@dataclass(frozen=True, slots=True)
class NativeOptions:
    """What only the native engine is asked."""

    store: str = "auto"  # see native/job.py
    bits: int | None = None  # of a bitstate search: 2^bits bits
    merge: bool = True  # local steps, where nobody notices
    drop_dead: bool | None = None  # reset variables that are not read again; None: as `merge`
    threads: int | None = 1  # to search with, at most; None: one for each core, if that is worth it
    cached: bool = True  # whether compiled verifiers are kept for another time
    cluster: ClusterOptions | None = None  # None: this process searches

    @property
    def resets(self) -> bool:
        return self.merge if self.drop_dead is None else self.drop_dead


@dataclass(frozen=True, eq=False)
class Task:
    """A search for violations of safety or, with a claim, for a run that the claim accepts."""

    semantics: Semantics
    claim: Claim | None = None
    options: Options = field(default_factory=Options)
    native: NativeOptions = field(default_factory=NativeOptions)
    reduction: Reduction | Plan = NONE  # as it was asked for; or a plan, which is then carried out
    stutter_invariant: bool | None = None  # the claim; None: to be decided where it is asked

    @property
    def program(self) -> Program:
        return self.semantics.program

    @property
    def name(self) -> str:
        """What a report calls it."""
        return "safety" if self.claim is None else self.claim.name

    @cached_property
    def plan(self) -> Plan:
        """The reduction, and whether the verdict may rest on it."""
        if isinstance(self.reduction, Plan):
            return self.reduction
        with deadline.phase("analysing the model"):
            return plan(
                self.program,
                self.claim,
                self.reduction,
                fair=self.options.fair,
                shortest=self.options.shortest,
                algorithm=self.options.algorithm,
            )

    @cached_property
    def may_merge(self) -> bool:
        """Whether the claim cannot notice that steps which it does not see are taken together."""
        if self.stutter_invariant is not None or self.claim is None:
            return bool(self.stutter_invariant)
        if self.plan.scheme != "none":
            return self.plan.soundness.sound  # none is if the claim is not stutter-invariant
        if self.plan.facts is not None:
            return self.plan.facts.stutter_invariant
        try:
            return stutters(self.claim)
        except WhorlError:  # it takes too long to decide
            return False

    @cached_property
    def read_as(self) -> Claim | None:
        """The claim as the scheme wants it read: `si` has it in SI normal form."""
        return None if self.claim is None else prepared(self.claim, self.plan.scheme)
