"""A trail of Spin's, as one of whorl's: what its run violates is found by trying."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import whorl
from whorl.engines import reference_semantics
from whorl.program.choice import Choice
from whorl.program.semantics import Semantics
from whorl.property.claim import Claim
from whorl.property.labels import non_progress
from whorl.selection import Wanted, select
from whorl.trace import trail as trails
from whorl.trace.replay import END_STATE, ReplayError, confirm, follow
from whorl.trace.spin_trail import SpinTrail, follow_spin
from whorl.trace.trace import NOTHING_WRONG
from whorl.trace.trail import Trail


def understood(spin: SpinTrail, model: whorl.Model, defines: Mapping[str, str]) -> Trail:
    """The trail, with what it violates of the model's properties."""
    semantics = reference_semantics(model.program)
    choices, loop = follow_spin(semantics, spin)
    kind, message, claim = NOTHING_WRONG, "nothing is wrong with the run", None
    for kind_, claim_ in _candidates(semantics, model, choices, loop):
        try:
            shown = confirm(semantics, kind_, choices, claim_, loop)
        except ReplayError:
            continue
        kind, message, claim = kind_, shown.message, claim_
        break
    return Trail(
        model.name,
        trails.digest(model.program.source),
        defines,
        kind,
        message,
        choices,
        None if loop is None else loop + 1,
        None if claim is None else claim.name,
        None if claim is None else claim.formula_text,
    )


def _candidates(
    semantics: Semantics, model: whorl.Model, choices: tuple[Choice, ...], loop: int | None
) -> Iterator[tuple[str, Claim | None]]:
    """What the run may violate: the safety of its last step and state, then each claim."""
    if loop is None:
        _, steps = follow(semantics, choices)
        failures = steps[-1].failures if steps else ()
        yield from ((failure.kind, None) for failure in failures)
        yield END_STATE, None
    claims = select(model.program, Wanted()).claims
    if loop is not None:
        claims = (*claims, non_progress())
    for claim in claims:
        yield claim.kind, claim
