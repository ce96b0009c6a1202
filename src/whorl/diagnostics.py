"""What whorl tells a user about their own text: places in it and messages about them."""

from __future__ import annotations

import difflib
import re
import sys
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Literal

Severity = Literal["error", "warning"]

MANY = 20  # errors after which showing more of them helps nobody
_LONGEST = 160  # characters of a line that is shown as it is
_AROUND = 60  # characters that are shown on either side of a place in a longer line
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f]")
_GUTTER = 5  # the least width of a line number, so that the messages of one file line up


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """A named text. Two sources are the same only if they are the same object."""

    name: str
    text: str
    _line_starts: list[int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        starts = [0, *(newline.end() for newline in re.finditer("\n", self.text))]
        object.__setattr__(self, "_line_starts", starts)

    def __deepcopy__(self, _memo: object) -> Source:
        return self

    def line_number(self, offset: int) -> int:
        """The line that an offset lies on; the first line is 1."""
        return bisect_right(self._line_starts, offset)

    def line_start(self, line: int) -> int:
        """The offset of a line's first character."""
        return self._line_starts[line - 1]

    def line_at(self, line: int) -> str:
        """A line's text, without its line end; empty for a line that the source does not have."""
        if not 1 <= line <= len(self._line_starts):
            return ""
        start = self._line_starts[line - 1]
        if line < len(self._line_starts):
            return self.text[start : self._line_starts[line] - 1].removesuffix("\r")
        return self.text[start:]


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of one source, from offset `start` up to but not including `end`.

    `via` is the place that used the inline whose expansion brought this stretch into the program.
    That place may have a `via` of its own: the chain leads outwards, to text that is no expansion.
    `written` is the place in a macro's body that has the first token of the stretch, if a macro
    brought it; messages and comparisons do without it.
    """

    source: Source
    start: int
    end: int
    via: Span | None = None
    written: Span | None = field(default=None, compare=False, repr=False)

    @property
    def line(self) -> int:
        return self.source.line_number(self.start)

    @property
    def column(self) -> int:
        return self.start - self.source.line_start(self.line) + 1

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]

    @property
    def place(self) -> str:
        """`file:line:column`, the form that editors and terminals turn into a link."""
        return f"{self.source.name}:{self.line}:{self.column}"

    def __deepcopy__(self, _memo: object) -> Span:
        return self

    def until(self, other: Span) -> Span:
        """The stretch that covers both, or only this one if they do not belong together."""
        if self.source is not other.source or self.via != other.via:
            return self
        start, end = min(self.start, other.start), max(self.end, other.end)
        return Span(self.source, start, end, self.via, self.written)


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One message to the user."""

    severity: Severity
    message: str
    span: Span | None = None
    hint: str | None = None

    def render(self, color: bool = False) -> str:
        """The message, the line that it is about with carets below it, and the hint."""
        paint = _ansi if color else _plain
        severity = paint(f"{self.severity}:", "1;31" if self.severity == "error" else "33")
        message = paint(visible_lines(self.message), "1")
        hint = [] if self.hint is None else [f"hint: {visible_lines(self.hint)}"]
        if self.span is None:
            return "\n".join(
                [f"{severity} {message}", *(f"{' ' * (_GUTTER + 1)}{h}" for h in hint)]
            )

        number = f"{self.span.line:{_GUTTER}}"
        margin = " " * len(number)
        shown, padding, carets = _underline(self.span)
        lines = [
            f"{visible(self.span.place)}: {severity} {message}",
            f"{number} | {shown}".rstrip(),
            f"{margin} | {padding}{paint(carets, '36')}",
        ]
        use = self.span.via
        while use is not None:
            used = visible(f"'{_used_name(use)}', used at {use.place}")
            lines.append(f"{margin} in the expansion of {used}")
            use = use.via
        return "\n".join([*lines, *(f"{margin} {said}" for said in hint)])


class WhorlError(Exception):
    """What the user did wrong, as one or more diagnostics. What we did wrong is an assertion."""

    diagnostics: tuple[Diagnostic, ...]

    def __init__(self, *diagnostics: Diagnostic) -> None:
        super().__init__(*diagnostics)
        self.diagnostics = diagnostics

    @classmethod
    def at(cls, span: Span | None, message: str, hint: str | None = None) -> WhorlError:
        """An error of a single diagnostic."""
        return cls(Diagnostic("error", message, span, hint))

    def render(self, color: bool = False) -> str:
        return "\n".join(diagnostic.render(color) for diagnostic in self.diagnostics)

    def __str__(self) -> str:
        return self.render()


class Reporter:
    """Collects diagnostics, so that a user hears of several mistakes at once.

    What was already said of a piece of text is not said again, whatever way led to it: text that is
    read more than once (a header, the body of an inline) would otherwise repeat itself.
    """

    def __init__(self) -> None:
        self.errors: list[Diagnostic] = []
        self.warnings: list[Diagnostic] = []
        self._given: set[Diagnostic] = set()

    def error(self, span: Span | None, message: str, hint: str | None = None) -> None:
        self._add(self.errors, Diagnostic("error", message, span, hint))

    def warning(self, span: Span | None, message: str, hint: str | None = None) -> None:
        self._add(self.warnings, Diagnostic("warning", message, span, hint))

    def raise_if_errors(self) -> None:
        """Raises what was found, in the order of the source, if that is any error."""
        if not self.errors:
            return
        shown = in_source_order(self.errors)
        if len(shown) > MANY:
            more = len(shown) - MANY
            shown = [*shown[:MANY], Diagnostic("error", f"{counted(more, 'more error')} not shown")]
        raise WhorlError(*shown)

    def take_back(self, count: int) -> None:
        """Forgets the errors after the first `count`: another reading of the text is tried."""
        self._given -= {_without_way(error) for error in self.errors[count:]}
        del self.errors[count:]

    def _add(self, diagnostics: list[Diagnostic], diagnostic: Diagnostic) -> None:
        key = _without_way(diagnostic)
        if key not in self._given:
            self._given.add(key)
            diagnostics.append(diagnostic)


def _without_way(diagnostic: Diagnostic) -> Diagnostic:
    span = diagnostic.span
    return diagnostic if span is None else replace(diagnostic, span=replace(span, via=None))


def in_source_order(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Sorted by place; what lies in an inline stands where the inline is used.

    Of several files, that of the first message comes first.
    """
    files: dict[Source, int] = {}

    def place(diagnostic: Diagnostic) -> list[int]:
        span = diagnostic.span
        if span is None:
            return [sys.maxsize]
        way = [span.start]
        while span.via is not None:
            span = span.via
            way.append(span.start)
        return [files.setdefault(span.source, len(files)), *reversed(way)]

    return sorted(diagnostics, key=place)


def counted(number: int, noun: str) -> str:
    """ "1 argument" or "2 arguments"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def suggest(name: str, known: Iterable[str]) -> str | None:
    """The hint "did you mean 'x'?" for the known name that is most like `name`, if one is."""
    near = nearest(name, known)
    return None if near is None else f"did you mean '{near}'?"


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that is most like `name`, if one is like it at all."""
    by_folded: dict[str, str] = {}
    for candidate in known:
        if candidate != name:
            if _swapped(candidate, name):
                return candidate
            by_folded.setdefault(candidate.casefold(), candidate)
    close = difflib.get_close_matches(name.casefold(), by_folded, n=1)
    return by_folded[close[0]] if close else None


def _swapped(one: str, other: str) -> bool:
    """Whether two neighbouring letters that change places make one name the other."""
    differ = [i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b]
    if len(one) != len(other) or len(differ) != 2 or differ[1] != differ[0] + 1:
        return False
    return one[differ[0] : differ[1] + 1] == other[differ[0] : differ[1] + 1][::-1]


def _plain(text: str, _code: str) -> str:
    return text


def _ansi(text: str, code: str) -> str:
    return f"\x1b[{code}m{text}\x1b[0m"


def _underline(span: Span) -> tuple[str, str, str]:
    """The line of a span as it is shown, what goes before the carets below it, and the carets."""
    line = span.source.line_at(span.line)
    before, rest = line[: span.column - 1], line[span.column - 1 :]
    if len(line) > _LONGEST:  # show only what is around the place
        left, right = len(before) > _AROUND, len(rest) > _AROUND
        before = f"...{before[-_AROUND:]}" if left else before
        rest = f"{rest[:_AROUND]}..." if right else rest
        line = before + rest
        rest = rest.removesuffix("...") if right else rest
    within = rest[: max(0, span.end - span.start)].rstrip()
    # The padding repeats the tabs of the line itself, so it is right for every width of a tab.
    padding = "".join("\t" if char == "\t" else " " * _width(char) for char in before)
    return visible(line), padding, "^" * max(1, sum(map(_width, within)))


def visible(text: str) -> str:
    """The text with its control characters replaced: only tabs of a user's reach the terminal."""
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text)


def visible_lines(text: str) -> str:
    """As `visible`, for a text that may have several lines."""
    return "\n".join(map(visible, text.split("\n")))


def _width(char: str) -> int:
    """The number of terminal cells that a character takes."""
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def _used_name(use: Span) -> str:
    """The name at the head of a use such as `name(1, 2)`."""
    name = re.match(r"\w+", use.text)
    return name.group() if name else use.text
