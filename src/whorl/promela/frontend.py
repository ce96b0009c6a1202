"""The front end as a whole: from text to a resolved model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from whorl.diagnostics import Reporter, Source
from whorl.promela.parser import parse
from whorl.promela.preprocess import preprocess
from whorl.promela.resolve import Resolved, resolve


def analyse(
    source: Source,
    reporter: Reporter,
    *,
    defines: Mapping[str, str] | None = None,
    include_dirs: Sequence[Path] = (),
    base: Path | None = None,
) -> Resolved:
    """The resolved model of `source`. Raises WhorlError with every error of the first bad stage."""
    tokens = preprocess(
        source,
        defines=defines or {},
        include_dirs=include_dirs,
        reporter=reporter,
        base=base,
    )
    model = parse(tokens, reporter)
    reporter.raise_if_errors()
    resolved = resolve(model, reporter)
    reporter.raise_if_errors()
    return resolved
