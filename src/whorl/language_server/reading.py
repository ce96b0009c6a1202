"""Reads a model for an editor: all that the front end finds out, whatever is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from whorl.diagnostics import Diagnostic, Reporter, Source, WhorlError, in_source_order
from whorl.program.lower import lower
from whorl.program.program import Program
from whorl.promela.ast import SyntaxTree
from whorl.promela.parser import parse
from whorl.promela.preprocess import Preprocessed, preprocessed
from whorl.promela.resolve import resolve
from whorl.promela.resolved import Resolved
from whorl.reduction.exclusive import broken_declarations

# What is said of a model as a whole, and is no mistake in a file that others include.
_OF_A_WHOLE_MODEL = ("the model has no process", "no process is started")


@dataclass(frozen=True, slots=True)
class ModelReading:
    """What was understood of a model; `resolved` is None where even a guess was not possible."""

    source: Source
    text: Preprocessed | None
    model: SyntaxTree | None
    resolved: Resolved | None
    program: Program | None  # of a model without errors
    errors: tuple[Diagnostic, ...]
    warnings: tuple[Diagnostic, ...]

    @property
    def sources(self) -> tuple[Source, ...]:
        """The files that the model is made of, itself first."""
        return (self.source, *(self.text.headers if self.text is not None else ()))

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """What a user should hear, in the order of the text."""
        return in_source_order((*self.errors, *self.warnings))

    def as_fragment(self) -> list[Diagnostic]:
        """As `diagnostics`, of a file that is a part of models."""
        return [d for d in self.diagnostics if not d.message.startswith(_OF_A_WHOLE_MODEL)]


def read(
    source: Source,
    *,
    base: Path | None = None,
    include_dirs: Sequence[Path] = (),
    defines: Mapping[str, str] | None = None,
    buffers: Mapping[Path, str] | None = None,
) -> ModelReading:
    """The reading of a model. `buffers` are texts that an editor has in place of files."""
    reporter = Reporter()
    text = model = resolved = program = None
    try:
        text = preprocessed(
            source,
            defines=defines or {},
            include_dirs=include_dirs,
            reporter=reporter,
            base=base,
            buffers=buffers or {},
        )
        model = parse(list(text.tokens), reporter)
        resolved = resolve(model, reporter)
        if not reporter.errors:
            program = lower(resolved, source, reporter)
            if not reporter.errors:
                for warning in broken_declarations(program):
                    reporter.warning(warning.span, warning.message, warning.hint)
    except WhorlError as error:
        for said in error.diagnostics:
            reporter.error(said.span, said.message, said.hint)
    except RecursionError:
        reporter.error(None, "the model is nested too deeply")
    if reporter.errors:
        program = None
    errors, warnings = tuple(reporter.errors), tuple(reporter.warnings)
    return ModelReading(source, text, model, resolved, program, errors, warnings)
