"""What can be checked from within a file: the model, each formula, each never claim."""

from __future__ import annotations

from dataclasses import dataclass

from whorl.diagnostics import Source, Span
from whorl.language_server.reading import ModelReading
from whorl.promela.ast import NeverOrTrace


@dataclass(frozen=True, slots=True)
class Lens:
    """Something to check, shown above `span`; `claim` is its name, None for the whole model."""

    span: Span
    title: str
    claim: str | None


def lenses(reading: ModelReading, source: Source) -> list[Lens]:
    """The lenses of a file; none where the model has errors."""
    if reading.resolved is None or reading.errors:
        return []
    found = [Lens(Span(reading.source, 0, 0), "check model", None)]
    for formula in reading.resolved.formulas:
        found.append(Lens(formula.span, f"check {formula.name}", formula.name))
    for claim in reading.resolved.claims:
        if isinstance(claim.node, NeverOrTrace) and claim.node.keyword == "never":
            found.append(Lens(claim.node.span, f"check {claim.name}", claim.name))
    return [lens for lens in found if lens.span.source is source]
