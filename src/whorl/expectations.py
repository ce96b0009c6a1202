"""What a model says of itself in its comments: which verdict a check of it should have.

    /* Expect: violated (assertion, enters)           of `whorl check MODEL`
     * Expect with -DN=3 --non-progress: holds        of `whorl check -DN=3 --non-progress MODEL` */
    ltl enters { [] <> inside }   // expect: holds if fair

A line of a comment that begins with `Expect` is one. Beside a claim, that is, in an ltl block or a
never claim or behind it on its last line, it speaks of this claim (`--claim NAME`).
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass

from whorl.diagnostics import Reporter, Source, Span, nearest
from whorl.promela.skim import ClaimBlock, Comment, claim_blocks, comments
from whorl.verdict import HOLDS, INCONCLUSIVE, VIOLATED, Property, Result, Verdict

IF_FAIR = "holds if fair"
_ASKED: dict[str, tuple[tuple[bool, Verdict], ...]] = {
    HOLDS: ((False, HOLDS),),
    IF_FAIR: ((False, VIOLATED), (True, HOLDS)),
    VIOLATED: ((False, VIOLATED),),
    INCONCLUSIVE: ((False, INCONCLUSIVE),),
}
_LINE = re.compile(
    r"^[ \t/*]*expect(?:[ \t]+with[ \t]+(?P<options>.+))?:[ \t]*(?P<said>[^:\n]*?)[ \t*/]*$",
    re.IGNORECASE | re.MULTILINE,
)
_VERDICT = re.compile(r"(holds|holds if fair|violated|inconclusive)(?:[ \t]*\((.+)\))?")
# Other words for what is violated, and the kind that a property has.
_KINDS = {"invalid end state": "end state", "deadlock": "end state"}


@dataclass(frozen=True, slots=True)
class ExpectedVerdict:
    """That a check with these options has this verdict.

    `violated`: what is, if that is said, and nothing else. `claim`: the claim that it stands
    beside, and that is checked alone.
    """

    verdict: str
    violated: frozenset[str] = frozenset()
    options: tuple[str, ...] = ()
    claim: str | None = None
    line: int = 1

    @property
    def name(self) -> str:
        """What it is about, in a word."""
        about = "check" if self.claim is None else self.claim
        return f"{about}[{shlex.join(self.options)}]" if self.options else about

    @property
    def what(self) -> str:
        """What should be violated, in brackets; nothing where that is not said."""
        return f" ({', '.join(sorted(self.violated))})" if self.violated else ""

    def __str__(self) -> str:
        return f"{self.verdict}{self.what}"

    @property
    def asked(self) -> tuple[tuple[bool, Verdict], ...]:
        """What the checks that it takes should say: whether of fair runs alone, and the verdict."""
        return _ASKED[self.verdict]


def met(result: Result, verdict: str, violated: frozenset[str] = frozenset()) -> bool:
    """Whether a result is as expected; what is violated counts where any is named."""
    if result.verdict != verdict:
        return False
    found = [checked for checked in result.properties if checked.verdict == VIOLATED]
    return not violated or (
        all(any(_is_named(checked, name) for name in violated) for checked in found)
        and all(any(_is_named(checked, name) for checked in found) for name in violated)
    )


def _is_named(checked: Property, name: str) -> bool:
    return _KINDS.get(name, name) in (checked.name, checked.kind)


def expectations(source: Source) -> list[ExpectedVerdict]:
    """What the comments of a model promise, in order; WhorlError for a verdict that there is none.

    A line that is prose, where no verdict is meant, is none.
    """
    reporter = Reporter()
    blocks = claim_blocks(source.text)
    found = [
        expected
        for comment in comments(source.text)
        for expected in _of_comment(source, comment, blocks, reporter)
    ]
    reporter.raise_if_errors()
    return found


def _of_comment(
    source: Source, comment: Comment, blocks: list[ClaimBlock], reporter: Reporter
) -> Iterator[ExpectedVerdict]:
    for match in _LINE.finditer(comment.text):
        start = comment.start + match.start("said")
        span = Span(source, start, comment.start + match.end("said"))
        said = _VERDICT.fullmatch(match["said"])
        if said is None:
            _refuse_misspelt(span, reporter)
            continue
        if said[2] is not None and said[1] != VIOLATED:
            reporter.error(span, f"'{said[1]}' takes no names", "names say what is violated")
            continue
        try:
            options = tuple(shlex.split(match["options"] or ""))
        except ValueError as problem:
            reporter.error(span, f"the options cannot be read: {str(problem).lower()}")
            continue
        names = frozenset(name.strip() for name in (said[2] or "").split(",") if name.strip())
        yield ExpectedVerdict(said[1], names, options, _beside(source, start, blocks), span.line)


def _refuse_misspelt(span: Span, reporter: Reporter) -> None:
    """An error if the words begin with a verdict, or with what may be one: prose is left alone."""
    first = re.match(r"\w*", span.text)
    word = first[0].lower() if first is not None else ""
    if word in _ASKED or nearest(word, _ASKED) is not None:
        hint = f"it is one of: {', '.join(_ASKED)}; in brackets behind 'violated', what is"
        reporter.error(span, f"'{span.text}' is no verdict to expect", hint)


def _beside(source: Source, start: int, blocks: list[ClaimBlock]) -> str | None:
    """The claim that a comment at `start` stands in, or behind which it stands in a line."""
    for block in reversed(blocks):
        if block.start <= start and source.line_number(start) <= source.line_number(block.end):
            return block.name
    return None
