"""Carries out the directives and macros of the C preprocessor, on tokens that keep their places.

A token that a macro brings in has the place where the macro was *used*: that is the line of the
statement, which messages and counterexamples speak of. An argument's token keeps its own place.

Macros expand as in Dave Prosser's algorithm, from which the C standard's words were made: each
token carries the set of macros that it must not be expanded by again (its hide set).
"""

from __future__ import annotations

import re
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from whorl.diagnostics import Reporter, Source, Span, suggest
from whorl.promela.lexer import MAX_DIGITS, Token, lex

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


def preprocess(
    source: Source,
    *,
    defines: Mapping[str, str] = {},
    include_dirs: Sequence[Path] = (),
    reporter: Reporter,
    base: Path | None = None,
) -> list[Token]:
    """The tokens that a source stands for, then one of kind "eof"; none is of kind "bad".

    `defines` are macros given from outside, each name with the text of its body. A header is looked
    for beside the file that includes it, then in `base`, then in `include_dirs`. Mistakes go to
    `reporter`, and the tokens are then a best guess, good enough to look for more mistakes in.
    """
    macros = _Macros(reporter)
    for name, value in defines.items():
        macros.define_from_outside(name, value)
    reader = _Reader(macros, reporter, base, tuple(include_dirs))
    output: list[Token] = []
    end = len(source.text)
    try:
        for token in macros.expand(reader.read(source)):
            if token.kind == "bad":
                reporter.error(token.span, *token.problem)
            else:
                output.append(token)
    except RecursionError:
        where = output[-1].span if output else Span(source, 0, 0)
        reporter.error(where, "macros or conditions are nested too deep after this")
    output.append(Token("eof", "", Span(source, end, end), first_on_line=True, spaced=True))
    return output


# ---------------------------------------------------------------------------------------- macros


@dataclass(frozen=True, slots=True)
class _Macro:
    """`parameters` is None for a macro that is used without parentheses."""

    name: str
    parameters: tuple[str, ...] | None
    body: tuple[Token, ...]
    span: Span

    def same_as(self, other: _Macro) -> bool:
        """Whether defining one and then the other is harmless: blanks differ at most in amount."""

        def shape(macro: _Macro) -> list[tuple[str, bool]]:
            return [(token.text, i > 0 and token.spaced) for i, token in enumerate(macro.body)]

        return self.parameters == other.parameters and shape(self) == shape(other)


@dataclass(frozen=True, slots=True)
class _Hidden:
    """A token and the names of the macros that may not expand it any more."""

    token: Token
    hidden_from: frozenset[str] = frozenset()


_NOTHING_HIDDEN: frozenset[str] = frozenset()


class _Feed:
    """Tokens to expand: a stack of those put back, and behind it those still to come."""

    def __init__(self, tokens: Iterable[Token] = (), put_back: Iterable[_Hidden] = ()) -> None:
        self._coming = iter(tokens)
        self._stack = list(put_back)[::-1]

    def next(self) -> _Hidden | None:
        if self._stack:
            return self._stack.pop()
        token = next(self._coming, None)
        return None if token is None else _Hidden(token)

    def put_back(self, tokens: Sequence[_Hidden]) -> None:
        self._stack.extend(reversed(tokens))


class _Macros:
    """The macros that are defined at this point of the text."""

    def __init__(self, reporter: Reporter) -> None:
        self._table: dict[str, _Macro] = {}
        self._reporter = reporter

    def __contains__(self, name: str) -> bool:
        return name in self._table or name in ("__LINE__", "__FILE__")

    def define_from_outside(self, name: str, value: str) -> None:
        source = Source("<command line>", f"#define {name} {' '.join(value.splitlines())}")
        tokens = lex(source)[:-1]
        if not re.fullmatch(r"[A-Za-z_]\w*(\([\w ,]*\))?", name, re.ASCII):
            whole = tokens[0].span.until(tokens[-1].span)
            self._reporter.error(whole, f"'{name}' cannot be the name of a macro")
            return
        self.define(tokens[1].span, tokens[2:])

    def define(self, directive: Span, rest: Sequence[Token]) -> None:
        """Carries out `#define`, of which `rest` is what follows that word."""
        name = self.name_operand(directive, "define", rest)
        if name is None:
            return
        body = rest[1:]
        parameters: tuple[str, ...] | None = None
        if body and body[0].text == "(" and not body[0].spaced:
            close = next((i for i, token in enumerate(body) if token.text == ")"), None)
            if close is None:
                message = f"the parameters of macro '{name.text}' have no closing ')'"
                self._reporter.error(body[0].span, message)
                return
            found = self._parameters(name.text, body[1:close])
            if found is None:
                return
            parameters, body = found, body[close + 1 :]
        if not self._operators_are_sound(parameters, body):
            return
        macro = _Macro(name.text, parameters, tuple(body), name.span)
        before = self._table.get(macro.name)
        if before is not None and not before.same_as(macro):
            where = "on the command line" if _is_outside(before.span) else f"at {before.span.place}"
            self._reporter.warning(
                name.span,
                f"macro '{macro.name}' is defined anew; it was defined differently {where}",
                f"put this definition between '#ifndef {macro.name}' and '#endif' to keep the other"
                if _is_outside(before.span)
                else f"'#undef {macro.name}' first, if this is meant",
            )
        self._table[macro.name] = macro

    def undefine(self, directive: Span, rest: Sequence[Token]) -> None:
        name = self.name_operand(directive, "undef", rest)
        if name is not None:
            self._table.pop(name.text, None)

    def name_operand(self, directive: Span, word: str, rest: Sequence[Token]) -> Token | None:
        """The macro name that a directive begins with, or None after a complaint."""
        if not rest:
            self._reporter.error(directive, f"'#{word}' needs the name of a macro")
        elif rest[0].kind != "name":
            self._reporter.error(rest[0].span, f"'{rest[0].text}' cannot be the name of a macro")
        elif word in ("define", "undef") and rest[0].text in ("defined", "__LINE__", "__FILE__"):
            message = f"'{rest[0].text}' can be neither defined nor undefined"
            self._reporter.error(rest[0].span, message)
        else:
            return rest[0]
        return None

    def _parameters(self, name: str, tokens: Sequence[Token]) -> tuple[str, ...] | None:
        """The names between the parentheses of a definition, or None after a complaint."""
        names: list[str] = []
        for i, token in enumerate(tokens):
            if token.text in ("..", "."):
                message = f"macro '{name}' takes any number of arguments, which whorl cannot do"
                self._reporter.error(token.span, message, "name each parameter")
                return None
            if i % 2 == 1:
                if token.text != ",":
                    self._reporter.error(token.span, "expected ',' or ')' after a macro parameter")
                    return None
            elif token.kind != "name":
                message = f"expected the name of a macro parameter, not '{token.text}'"
                self._reporter.error(token.span, message)
                return None
            elif token.text in names:
                message = f"macro '{name}' has two parameters '{token.text}'"
                self._reporter.error(token.span, message)
                return None
            else:
                names.append(token.text)
        if tokens and len(tokens) % 2 == 0:
            self._reporter.error(tokens[-1].span, "expected a macro parameter after ','")
            return None
        return tuple(names)

    def _operators_are_sound(
        self, parameters: tuple[str, ...] | None, body: Sequence[Token]
    ) -> bool:
        for i, token in enumerate(body):
            if token.text == "##" and i in (0, len(body) - 1):
                message = "'##' needs a token on either side in the body of a macro"
                self._reporter.error(token.span, message)
                return False
            follows = body[i + 1].text if i + 1 < len(body) else None
            if token.text == "#" and parameters is not None and follows not in parameters:
                message = "'#' must be followed by a parameter of the macro"
                self._reporter.error(token.span, message)
                return False
        return True

    # ---------------------------------------------------------------------------------- expansion

    def expand(self, tokens: Iterable[Token], *, in_condition: bool = False) -> Iterator[Token]:
        """The tokens with every macro replaced; `defined X` is left alone in a condition."""
        for hidden in self._expand(_Feed(tokens), in_condition):
            yield hidden.token

    def _expand(self, feed: _Feed, in_condition: bool = False) -> Iterator[_Hidden]:
        while (head := feed.next()) is not None:
            token = head.token
            if token.kind != "name":
                yield head
            elif in_condition and token.text == "defined":
                yield head
                yield from _operand_of_defined(feed)
            elif token.text == "__LINE__":
                yield _Hidden(replace(token, kind="number", text=str(token.span.line)))
            elif token.text == "__FILE__":
                name = _quote(token.span.source.name)
                yield _Hidden(replace(token, kind="string", text=name))
            elif token.text in head.hidden_from or token.text not in self._table:
                yield head
            else:
                macro = self._table[token.text]
                if macro.parameters is None:
                    hide = head.hidden_from | {macro.name}
                    feed.put_back(self._substitute(macro, token, {}, hide))
                    continue
                following = feed.next()
                if following is None or following.token.text != "(":
                    # The name of such a macro is an ordinary name where no '(' follows.
                    if following is not None:
                        feed.put_back([following])
                    yield head
                    continue
                call = self._call(macro, head, following, feed)
                if call is None:
                    yield head
                else:
                    feed.put_back(call)

    def _call(
        self, macro: _Macro, head: _Hidden, opening: _Hidden, feed: _Feed
    ) -> list[_Hidden] | None:
        """What a call stands for, or None, with nothing taken from the feed, if it has no end."""
        assert macro.parameters is not None
        taken = [opening]
        arguments: list[list[_Hidden]] = [[]]
        depth = 0
        while True:
            part = feed.next()
            if part is None:
                self._reporter.error(
                    head.token.span, f"this use of macro '{macro.name}' has no closing ')'"
                )
                feed.put_back(taken)
                return None
            taken.append(part)
            if part.token.text == ")" and depth == 0:
                break
            if part.token.text == "," and depth == 0:
                arguments.append([])
                continue
            depth += {"(": 1, ")": -1}.get(part.token.text, 0)
            arguments[-1].append(part)
        closing = part
        if not macro.parameters and arguments == [[]]:
            arguments = []
        given, wanted = len(arguments), len(macro.parameters)
        if given != wanted:
            whole = head.token.span.until(closing.token.span)
            self._reporter.error(
                whole,
                f"macro '{macro.name}' takes {_count(wanted, 'argument')}, not {given}",
                f"it is defined at {macro.span.place}",
            )
            arguments += [[] for _ in range(wanted - given)]
        bound = dict(zip(macro.parameters, arguments, strict=False))
        hide = (head.hidden_from & closing.hidden_from) | {macro.name}
        return self._substitute(macro, head.token, bound, hide)

    def _substitute(
        self,
        macro: _Macro,
        use: Token,
        arguments: Mapping[str, list[_Hidden]],
        hide: frozenset[str],
    ) -> list[_Hidden]:
        """A macro's body with its arguments filled in, each token hidden from `hide` as well."""
        expanded: dict[str, list[_Hidden]] = {}
        # None stands for an empty argument beside '##', which needs something to hold on to.
        result: list[_Hidden | None] = []
        body = macro.body
        i, pasting = 0, False
        while i < len(body):
            part = body[i]
            following = body[i + 1] if i + 1 < len(body) else None
            operand: list[_Hidden | None]
            if part.text == "##":
                pasting = True
                i += 1
                continue
            if part.text == "#" and macro.parameters is not None:
                assert following is not None
                text = _stringify(arguments[following.text])
                operand = [_Hidden(_at_use(replace(part, kind="string", text=text), use))]
                i += 1
                following = body[i + 1] if i + 1 < len(body) else None
            elif part.kind == "name" and part.text in arguments:
                raw = arguments[part.text]
                beside_paste = pasting or (following is not None and following.text == "##")
                if beside_paste:
                    operand = [*raw] or [None]
                else:
                    if part.text not in expanded:
                        expanded[part.text] = list(self._expand(_Feed(put_back=raw)))
                    operand = [*expanded[part.text]]
                if operand and operand[0] is not None:
                    first = replace(operand[0].token, spaced=part.spaced)
                    operand[0] = replace(operand[0], token=first)
            else:
                operand = [_Hidden(_at_use(part, use))]
            if pasting:
                left = result.pop()
                result += self._paste(left, operand[0], use)
                operand = operand[1:]
                pasting = False
            result += operand
            i += 1
        kept = [_Hidden(part.token, part.hidden_from | hide) for part in result if part is not None]
        if kept:
            lead = replace(kept[0].token, first_on_line=use.first_on_line, spaced=use.spaced)
            kept[0] = replace(kept[0], token=lead)
        return kept

    def _paste(
        self, left: _Hidden | None, right: _Hidden | None, use: Token
    ) -> list[_Hidden | None]:
        if left is None or right is None:
            return [left or right]
        text = left.token.text + right.token.text
        tokens = lex(Source(use.span.source.name, text))[:-1]
        if len(tokens) != 1 or tokens[0].text != text:
            message = f"'##' makes '{text}' in macro '{use.text}', which is not one token"
            self._reporter.error(use.span, message)
            return [left, right]
        made = replace(tokens[0], span=use.span, first_on_line=False, spaced=left.token.spaced)
        return [_Hidden(made, left.hidden_from & right.hidden_from)]


def _at_use(part: Token, use: Token) -> Token:
    """A token of a macro's body, placed where the macro is used, or where it was written if bad."""
    return replace(part, span=part.span if part.kind == "bad" else use.span, first_on_line=False)


def _operand_of_defined(feed: _Feed) -> Iterator[_Hidden]:
    part = feed.next()
    if part is not None and part.token.text == "(":
        yield part
        part = feed.next()
    if part is not None:
        yield part


def _stringify(argument: Sequence[_Hidden]) -> str:
    text = ""
    for i, part in enumerate(argument):
        token = part.token
        text += " " if i > 0 and token.spaced else ""
        text += _quote(token.text)[1:-1] if token.kind in ("string", "char") else token.text
    return f'"{text}"'


def _quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _is_outside(span: Span) -> bool:
    return span.source.name == "<command line>"


# ------------------------------------------------------------------------------------ directives


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
        self, macros: _Macros, reporter: Reporter, base: Path | None, include_dirs: tuple[Path, ...]
    ) -> None:
        self._macros = macros
        self._reporter = reporter
        self._base = base
        self._include_dirs = include_dirs
        self._including: list[Path] = []  # from the outermost header to the one being read
        self._headers: dict[Path, Source] = {}  # by resolved path: a header is one source
        self._once: set[Path] = set()
        self._gave_up = False  # after headers nested too deep, which may branch without end

    def read(self, source: Source) -> Iterator[Token]:
        """The active tokens of a source, without its end."""
        tokens = lex(source)
        if len(tokens) > 1 and tokens[-2].kind == "bad" and tokens[-2].text.startswith("/*"):
            # Such a comment takes the rest of the file with it, so it is wrong in any branch.
            self._reporter.error(tokens[-2].span, *tokens[-2].problem)
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
            return _Condition(expanded, here, self._macros, self._reporter).holds()
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
        found = self._find_header(name, whole)
        if found is None:
            return
        path, header = found
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
            try:
                mode = candidate.stat().st_mode
                if stat.S_ISDIR(mode):
                    looked.append(f"{candidate} (a folder)")
                    continue
                if not stat.S_ISREG(mode):
                    looked.append(f"{candidate} (not a plain file)")
                    continue
                path = candidate.resolve()
                if path not in self._headers:
                    text = candidate.read_bytes().decode("utf-8", errors="replace")
                    self._headers[path] = Source(str(candidate), text)
                return path, self._headers[path]
            except (FileNotFoundError, NotADirectoryError):
                looked.append(str(candidate))
            except (OSError, ValueError) as failure:
                reason = failure.strerror if isinstance(failure, OSError) else str(failure)
                looked.append(f"{candidate} ({reason})")
        hint = f"looked for {', '.join(dict.fromkeys(looked))}" if looked else None
        self._reporter.error(where, f"cannot read the header '{name}'", hint)
        return None


# ------------------------------------------------------------------------------------ conditions

_C_NUMBER = rf"(0[xX][0-9a-fA-F]{{1,{MAX_DIGITS}}}|[0-9]{{1,{MAX_DIGITS}}})[uUlL]*"

# How tightly each operator of a condition binds; all are left-associative.
_BINARY = {
    operator: level
    for level, operators in enumerate(
        ["||", "&&", "|", "^", "&", "== !=", "< > <= >=", "<< >>", "+ -", "* / %"]
    )
    for operator in operators.split()
}


class _ConditionError(Exception):
    def __init__(self, span: Span, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.span, self.message, self.hint = span, message, hint


class _Condition:
    """Evaluates the expression of an `#if`: 64-bit integers, and names that are left count as 0.

    An operand that does not matter, as the right one in `0 && 1/0`, is parsed but not judged.
    """

    def __init__(
        self, tokens: Sequence[Token], here: Span, macros: _Macros, reporter: Reporter
    ) -> None:
        self._tokens = tokens
        self._end = tokens[-1].span if tokens else here
        self._macros = macros
        self._reporter = reporter
        self._next = 0

    def holds(self) -> bool:
        try:
            if not self._tokens:
                raise _ConditionError(self._end, "this directive needs a condition")
            value = self._ternary(live=True)
            if self._next < len(self._tokens):
                token = self._tokens[self._next]
                raise _ConditionError(token.span, f"unexpected '{token.text}' in a condition")
            return value != 0
        except _ConditionError as error:
            self._reporter.error(error.span, error.message, error.hint)
            return False

    def _take(self, *texts: str) -> str | None:
        """The next token's text, if it is one of these, which is then consumed."""
        if self._next < len(self._tokens) and self._tokens[self._next].text in texts:
            self._next += 1
            return self._tokens[self._next - 1].text
        return None

    def _expect(self, text: str) -> None:
        if self._take(text) is None:
            at_end = self._next == len(self._tokens)
            span = self._end if at_end else self._tokens[self._next].span
            raise _ConditionError(span, f"expected '{text}' in a condition")

    def _ternary(self, live: bool) -> int:
        condition = self._binary(0, live)
        if self._take("?") is None:
            return condition
        then = self._ternary(live and condition != 0)
        self._expect(":")
        otherwise = self._ternary(live and condition == 0)
        return then if condition else otherwise

    def _binary(self, level: int, live: bool) -> int:
        left = self._unary(live)
        while self._next < len(self._tokens):
            token = self._tokens[self._next]
            binds = _BINARY.get(token.text, -1)
            if token.kind != "op" or binds < level:
                break
            self._next += 1
            decided = (token.text == "&&" and left == 0) or (token.text == "||" and left != 0)
            right = self._binary(binds + 1, live and not decided)
            left = _apply(token, left, right) if live else 0
        return left

    def _unary(self, live: bool) -> int:
        operator = self._take("!", "!!", "-", "+", "~")
        if operator is None:
            return self._primary(live)
        value = self._unary(live)
        match operator:
            case "!":
                return int(value == 0)
            case "!!":
                return int(value != 0)
            case "-":
                return _wrap(-value)
            case "~":
                return ~value
        return value

    def _primary(self, live: bool) -> int:
        if self._next == len(self._tokens):
            raise _ConditionError(self._end, "a condition ends where a value is missing")
        token = self._tokens[self._next]
        self._next += 1
        if token.text == "(":
            value = self._ternary(live)
            self._expect(")")
            return value
        if token.text == "defined":
            return self._defined(token)
        if token.kind == "name":
            return 0
        if token.kind == "char":
            return token.value
        number = re.fullmatch(_C_NUMBER, token.text)
        if number is not None:
            return _wrap(_c_integer(number[1], token))
        if token.kind == "bad":
            raise _ConditionError(token.span, *token.problem)
        raise _ConditionError(token.span, f"expected a value in a condition, not '{token.text}'")

    def _defined(self, word: Token) -> int:
        parenthesised = self._take("(") is not None
        if self._next == len(self._tokens) or self._tokens[self._next].kind != "name":
            raise _ConditionError(word.span, "'defined' needs the name of a macro")
        name = self._tokens[self._next].text
        self._next += 1
        if parenthesised:
            self._expect(")")
        return int(name in self._macros)


def _apply(operator: Token, left: int, right: int) -> int:
    match operator.text:
        case "/" | "%" if right == 0:
            raise _ConditionError(operator.span, "division by zero in a condition")
        case "/" | "%":
            quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
            return _wrap(quotient if operator.text == "/" else left - quotient * right)
        case "<<" | ">>":
            shift = right if operator.text == "<<" else -right
            # A shift by the word's width or more leaves nothing but the sign, as in GNU cpp.
            return _wrap(left << min(shift, 64)) if shift >= 0 else left >> min(-shift, 64)
    return _wrap(
        {
            "||": int(left != 0 or right != 0),
            "&&": int(left != 0 and right != 0),
            "|": left | right,
            "^": left ^ right,
            "&": left & right,
            "==": int(left == right),
            "!=": int(left != right),
            "<": int(left < right),
            ">": int(left > right),
            "<=": int(left <= right),
            ">=": int(left >= right),
            "+": left + right,
            "-": left - right,
            "*": left * right,
        }[operator.text]
    )


def _c_integer(digits: str, token: Token) -> int:
    if digits[:2] in ("0x", "0X"):
        return int(digits, 16)
    if digits[0] != "0":
        return int(digits)
    if set(digits) & set("89"):
        raise _ConditionError(token.span, f"'{token.text}' is no octal number")
    return int(digits, 8)


def _wrap(value: int) -> int:
    """The value as a signed integer of 64 bits."""
    return (value + 2**63) % 2**64 - 2**63
