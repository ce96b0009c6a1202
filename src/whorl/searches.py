"""The searches of a check: how each is done, and what is compiled for it, decided once."""

from __future__ import annotations

from collections.abc import Sequence

from whorl import deadline
from whorl.native.engine import NativeOptions, job_of
from whorl.native.job import Job
from whorl.native.series import Series
from whorl.program.program import Program
from whorl.property.claim import Claim
from whorl.reduction.plan import Plan, may_merge, plan
from whorl.reduction.schemes import Reduction, prepared
from whorl.search.exploration import Options


class Searches:
    """One for each of `claims`, and one for safety, which is no claim."""

    def __init__(
        self,
        program: Program,
        claims: Sequence[Claim],
        options: Options,
        native: NativeOptions,
        asked: Reduction,
    ) -> None:
        self.program = program
        self.claims = claims
        self.options = options
        self.native = native
        self.asked = asked
        self.series = Series(program)
        self._plans: dict[int, Plan] = {}  # by the identity of the claim
        self._jobs: dict[int, Job] = {}

    def plan(self, claim: Claim | None) -> Plan:
        """How the states are reduced."""
        if id(claim) not in self._plans:
            options = self.options
            with deadline.phase("analysing the model"):
                self._plans[id(claim)] = plan(
                    self.program,
                    claim,
                    self.asked,
                    fair=options.fair,
                    shortest=options.shortest,
                    algorithm=options.algorithm,
                )
        return self._plans[id(claim)]

    def job(self, claim: Claim | None) -> Job:
        """What the native engine compiles; for one claim it is known of all."""
        with deadline.phase("analysing the model"):
            if claim is not None and not self.series.jobs:
                self.series.jobs = [self._job(other) for other in self.claims]
            return self._job(claim)

    def _job(self, claim: Claim | None) -> Job:
        if id(claim) not in self._jobs:
            planned = self.plan(claim)
            self._jobs[id(claim)] = native_job(claim, planned, self.options, self.native)
        return self._jobs[id(claim)]


def native_job(claim: Claim | None, planned: Plan, options: Options, native: NativeOptions) -> Job:
    """What the native engine compiles for a claim, or for safety."""
    task = None if claim is None else prepared(claim, planned.scheme)
    hides = claim is not None and may_merge(claim, planned)
    return job_of(options, native, task, planned.reduction, hides)
