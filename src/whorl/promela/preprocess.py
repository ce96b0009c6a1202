"""Carries out the directives of the C preprocessor: conditions, definitions, headers."""

from __future__ import annotations

import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from whorl.diagnostics import Reporter, Source, Span, WhorlError, suggest
from whorl.promela.conditions import DirectiveCondition
from whorl.promela.lexer import Token, lex
from whorl.promela.ltl import split_operators
from whorl.promela.macros import Macros, TooMuchText
from whorl.promela.mistyped import Mistyped
from whorl.promela.outside import warn_of_unused

_MAX_INCLUDE_DEPTH = 64

_CONDITIONALS = frozenset({"if", "ifdef", "ifndef", "elif", "else", "endif"})
_DIRECTIVES = _CONDITIONALS | {
    "define",
    "undef",
    "include",
    "error",
    "warning",
    "line",
    "pragma",
}


@dataclass(frozen=True, slots=True)
class Preprocessed:
    """The tokens that a source stands for, and what was read on the way to them."""

    tokens: list[Token]
    macros: Macros
    headers: tuple[Source, ...]


def preprocess(
    source: Source,
    *,
    defines: Mapping[str, str] = {},
    include_dirs: Sequence[Path] = (),
    reporter: Reporter,
    base: Path | None = None,
    formulas: Sequence[tuple[str, Source]] = (),
) -> list[Token]:
    """The tokens that a source stands for, then one of kind "eof"; none is of kind "bad".

    `defines` are macros given from outside, each name with the text of its body. A header is looked
    for beside the file that includes it, then in `base`, then in `include_dirs`. `formulas` are LTL
    formulas from outside, each with a name: they follow as ltl blocks. Mistakes go to `reporter`,
    and the tokens are then a best guess, good enough to look for more mistakes in.
    """
    return preprocessed(
        source,
        defines=defines,
        include_dirs=include_dirs,
        reporter=reporter,
        base=base,
        formulas=formulas,
    ).tokens


def preprocessed(
    source: Source,
    *,
    defines: Mapping[str, str] = {},
    include_dirs: Sequence[Path] = (),
    reporter: Reporter,
    base: Path | None = None,
    formulas: Sequence[tuple[str, Source]] = (),
    buffers: Mapping[Path, str] = {},
) -> Preprocessed:
    """As `preprocess`, with all that was read. `buffers` are texts that stand for files."""
    macros = Macros(reporter)
    for name, value in defines.items():
        macros.define_from_outside(name, value)
    reader = _Reader(macros, reporter, base, tuple(include_dirs), buffers)
    output: list[Token] = []
    mistyped = Mistyped(reporter)
    end = len(source.text)
    try:
        text = chain(
            macros.expand(reader.read(source)),
            *(_ltl_block(name, formula, macros, reporter) for name, formula in formulas),
        )
        for token in text:
            output += mistyped.meant(token)
    except TooMuchText as error:
        reporter.error(error.span, "the macros of this model expand to too much text")
        reporter.raise_if_errors()
    except RecursionError:
        where = output[-1].span if output else Span(source, 0, 0)
        reporter.error(where, "macros or conditions are nested too deep after this")
    warn_of_unused(defines, reader.words, (formula.text for _, formula in formulas), reporter)
    cut = "cut off" if reader.cut_off else ""
    output.append(Token("eof", cut, Span(source, end, end), first_on_line=True, spaced=True))
    return Preprocessed(output, macros, tuple(reader.headers.values()))


def headers_of(
    source: Source, defines: Mapping[str, str], include_dirs: Sequence[Path], base: Path | None
) -> tuple[Path, ...]:
    """The files that a source includes, and those that it would include if they were there."""
    reporter = Reporter()
    macros = Macros(reporter)
    for name, value in defines.items():
        macros.define_from_outside(name, value)
    reader = _Reader(macros, reporter, base, tuple(include_dirs), {})
    with suppress(WhorlError, TooMuchText, RecursionError):  # the check says what is wrong
        for _ in reader.read(source):
            pass
    return tuple(reader.looked_at)


def _ltl_block(name: str, formula: Source, macros: Macros, reporter: Reporter) -> Iterator[Token]:
    """The tokens of ``ltl name { formula }``, of which each macro stands for a whole.

    Macros are looked up only when this is asked for a token: then all those of the model are known.
    """
    *tokens, end = lex(formula)
    start = Span(formula, 0, 0)
    yield Token("name", "ltl", start, first_on_line=True)
    yield Token("name", name, start)
    yield Token("op", "{", start)
    text: list[Token] = []
    for token in tokens:
        if token.kind == "op" and token.text in ("{", "}"):
            reporter.error(token.span, f"a formula has no '{token.text}'")
            reporter.raise_if_errors()
        pieces = split_operators(token)
        for part in pieces if pieces and pieces[-1].text in macros else [token]:
            if part.kind == "name" and macros.is_constant(part.text):
                brackets = [replace(part, kind="op", text=bracket) for bracket in "()"]
                text += [brackets[0], part, brackets[1]]
            else:
                text.append(part)
    yield from macros.expand(text)
    yield Token("op", "}", end.span)


@dataclass(slots=True)
class _Branch:
    """An open `#if`. Its current branch is read if `active`; `done` once no later one can be."""

    opening: Span
    word: str
    active: bool
    done: bool
    else_seen: bool = False


class _Reader:
    """Reads files: carries out the directives and gives the text that they leave, unexpanded."""

    def __init__(
        self,
        macros: Macros,
        reporter: Reporter,
        base: Path | None,
        include_dirs: tuple[Path, ...],
        buffers: Mapping[Path, str],
    ) -> None:
        self._macros = macros
        self._reporter = reporter
        self._base = base
        self._include_dirs = include_dirs
        self._buffers = buffers
        self._including: list[Path] = []  # from the outermost header to the one being read
        self.headers: dict[Path, Source] = {}  # by resolved path: a header is one source
        self.looked_at: dict[Path, None] = {}  # in their order: the headers, and where they may be
        self._once: set[Path] = set()
        self.words: set[str] = set()  # all the names in what was read, in whatever branch
        self.cut_off = False  # by a comment without an end
        self._gave_up = False  # after headers nested too deep, which may branch without end

    def read(self, source: Source) -> Iterator[Token]:
        """The active tokens of a source, without its end."""
        tokens = lex(source)
        self.words.update(token.text for token in tokens if token.kind == "name")
        if len(tokens) > 1 and tokens[-2].kind == "bad" and tokens[-2].text.startswith("/*"):
            # Such a comment takes the rest of the file with it, so it is wrong in any branch.
            self._reporter.error(tokens[-2].span, *tokens[-2].problem)
            self.cut_off = True
            del tokens[-2]
        branches: list[_Branch] = []
        i = 0
        while tokens[i].kind != "eof":
            token = tokens[i]
            i += 1
            if token.text == "#" and token.first_on_line and token.kind == "op":
                start = i
                while not tokens[i].first_on_line:
                    i += 1
                yield from self._directive(token, tokens[start:i], branches)
            elif not branches or branches[-1].active:
                yield token
        for branch in branches:
            self._reporter.error(branch.opening, f"this '#{branch.word}' has no '#endif'")

    def _directive(
        self, mark: Token, line: Sequence[Token], branches: list[_Branch]
    ) -> Iterator[Token]:
        active = not branches or branches[-1].active
        if not line or line[0].kind == "number":
            return  # the null directive, or a line marker that another preprocessor has left
        word, rest = line[0].text, line[1:]
        here = mark.span.until(line[0].span)
        if word in _CONDITIONALS:
            self._conditional(word, here, rest, branches)
        elif not active:
            return
        elif word == "define":
            self._macros.define(here, rest)
        elif word == "undef":
            self._macros.undefine(here, rest)
            self._expect_end(word, rest[1:])
        elif word == "include":
            yield from self._include(here, rest)
        elif word in ("error", "warning"):
            whole = here.until(line[-1].span)
            message = whole.source.text[here.end : whole.end].strip() or f"#{word}"
            (self._reporter.error if word == "error" else self._reporter.warning)(whole, message)
        elif word == "pragma":
            if rest and rest[0].text == "once" and self._including:
                self._once.add(self._including[-1])
        elif word != "line":  # lines keep their own numbers: those are what the user can look up
            message = f"'#{word}' is no directive"
            hint = suggest(f"#{word}", (f"#{known}" for known in _DIRECTIVES))
            self._reporter.error(here, message, hint)

    def _conditional(
        self, word: str, here: Span, rest: Sequence[Token], branches: list[_Branch]
    ) -> None:
        if word in ("if", "ifdef", "ifndef"):
            if branches and not branches[-1].active:
                branches.append(_Branch(here, word, active=False, done=True))
            else:
                holds = self._holds(word, here, rest)
                branches.append(_Branch(here, word, active=holds, done=holds))
            return
        if not branches:
            self._reporter.error(here, f"'#{word}' without an '#if' before it")
            return
        branch = branches[-1]
        if word == "endif":
            branches.pop()
            self._expect_end(word, rest)
        elif branch.else_seen:
            message = (
                f"'#{word}' after the '#else' of the '#{branch.word}' at {branch.opening.place}"
            )
            self._reporter.error(here, message)
            branch.active = False
        elif word == "else":
            branch.active, branch.done, branch.else_seen = not branch.done, True, True
            self._expect_end(word, rest)
        else:
            branch.active = not branch.done and self._holds("if", here, rest)
            branch.done = branch.done or branch.active

    def _holds(self, word: str, here: Span, rest: Sequence[Token]) -> bool:
        if word == "if":
            expanded = list(self._macros.expand(rest, in_condition=True))
            return DirectiveCondition(expanded, here, self._macros, self._reporter).holds()
        name = self._macros.name_operand(here, word, rest)
        self._expect_end(word, rest[1:])
        return name is not None and (name.text in self._macros) == (word == "ifdef")

    def _expect_end(self, word: str, rest: Sequence[Token]) -> None:
        if rest:
            extra = rest[0].span.until(rest[-1].span)
            self._reporter.warning(extra, f"this text after '#{word}' has no effect")

    # ------------------------------------------------------------------------------------ headers

    def _include(self, here: Span, rest: Sequence[Token]) -> Iterator[Token]:
        name = self._header_name(here, rest)
        if name is None or self._gave_up:
            return
        whole = here.until(rest[-1].span)
        file = self._find_header(name, whole)
        if file is None:
            return
        path, header = file
        if path in self._once:
            return
        if len(self._including) == _MAX_INCLUDE_DEPTH:
            self._gave_up = True
            if path in self._including:
                last = len(self._including) - 1 - self._including[::-1].index(path)
                cycle = " -> ".join(part.name for part in [*self._including[last:], path])
                message = f"headers include one another without end: {cycle}"
                hint = "guard a header with '#ifndef NAME', '#define NAME' and '#endif'"
                self._reporter.error(whole, message, hint)
            else:
                message = f"headers are nested more than {_MAX_INCLUDE_DEPTH} deep"
                self._reporter.error(whole, message)
            return
        self._including.append(path)
        yield from self.read(header)
        self._including.pop()

    def _header_name(self, here: Span, rest: Sequence[Token]) -> str | None:
        """The name in `"name"` or `<name>`, which a macro may have given."""
        parts = rest
        if rest and rest[0].kind == "name":
            parts = list(self._macros.expand(rest))
        if len(parts) == 1 and parts[0].kind == "string" and len(parts[0].text) > 2:
            return parts[0].text[1:-1]
        if len(parts) > 2 and parts[0].text == "<" and parts[-1].text == ">":
            if parts is rest:  # the text itself: a name may have blanks in it
                return rest[0].span.source.text[rest[0].span.end : rest[-1].span.start]
            return "".join(" " * part.spaced + part.text for part in parts[1:-1]).strip()
        where = rest[0].span.until(rest[-1].span) if rest else here
        self._reporter.error(where, "'#include' needs the name of a file", 'write "file" or <file>')
        return None

    def _find_header(self, name: str, where: Span) -> tuple[Path, Source] | None:
        """The resolved path and the text of a header, or None after a complaint."""
        folders = [self._base] if self._base is not None else []
        if not where.source.name.startswith("<"):
            folders.insert(0, Path(where.source.name).parent)
        folders += self._include_dirs
        looked: list[str] = []
        for folder in dict.fromkeys(folders):
            candidate = folder / name
            self.looked_at[candidate] = None
            try:
                mode = candidate.stat().st_mode
                if stat.S_ISDIR(mode):
                    looked.append(f"{candidate} (a folder)")
                    continue
                if not stat.S_ISREG(mode):
                    looked.append(f"{candidate} (not a plain file)")
                    continue
                path = candidate.resolve()
                if path not in self.headers:
                    text = self._buffers.get(path)
                    if text is None:
                        text = candidate.read_bytes().decode("utf-8", errors="replace")
                    self.headers[path] = Source(str(candidate), text)
                return path, self.headers[path]
            except (FileNotFoundError, NotADirectoryError):
                looked.append(str(candidate))
            except (OSError, ValueError) as failure:
                reason = failure.strerror if isinstance(failure, OSError) else str(failure)
                looked.append(f"{candidate} ({reason})")
        hint = f"looked for {', '.join(dict.fromkeys(looked))}" if looked else None
        self._reporter.error(where, f"cannot read the header '{name}'", hint)
        return None
