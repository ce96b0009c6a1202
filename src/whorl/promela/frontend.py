"""The front end as a whole: from text to a resolved model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from whorl import deadline
from whorl.diagnostics import MANY, Reporter, Source
from whorl.promela.parser import parse
from whorl.promela.preprocess import preprocess
from whorl.promela.resolve import resolve
from whorl.promela.resolved import Resolved


def analyse(
    source: Source,
    reporter: Reporter,
    *,
    defines: Mapping[str, str] | None = None,
    include_dirs: Sequence[Path] = (),
    base: Path | None = None,
    formulas: Sequence[tuple[str, Source]] = (),
) -> Resolved:
    """The resolved model of `source`, with `formulas` (a name and a text each) as ltl blocks.

    Raises WhorlError with every error that was found.
    """
    with deadline.phase("preprocessing the model"):
        tokens = preprocess(
            source,
            defines=defines or {},
            include_dirs=include_dirs,
            reporter=reporter,
            base=base,
            formulas=formulas,
        )
    with deadline.phase("parsing the model"):
        model = parse(tokens, reporter)
    if len(reporter.errors) >= MANY:
        reporter.raise_if_errors()
    try:
        # Names are looked at even in a model with syntax errors: a user hears of both at once.
        with deadline.phase("analysing the model"):
            resolved = resolve(model, reporter)
    except RecursionError:
        reporter.error(model.span, "the model is nested too deeply")
        reporter.raise_if_errors()
        raise
    reporter.raise_if_errors()
    return resolved
