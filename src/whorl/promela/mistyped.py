"""Tokens that are none, or that Spin reads as another: what is said of them, and what is meant."""

from __future__ import annotations

import re
from dataclasses import replace

from whorl.diagnostics import Reporter, Span
from whorl.promela.lexer import Token


class Mistyped:
    """Goes through the tokens of a model one by one, and speaks of each mistake once."""

    def __init__(self, reporter: Reporter) -> None:
        self._reporter = reporter
        self._foreign: set[str] = set()  # words with letters that names cannot have
        self._warned: set[Span] = set()  # a macro may bring in the same mistake many times
        self._new_line = False  # the token that was left out began one

    def meant(self, token: Token) -> list[Token]:
        """The tokens that `token` stands for."""
        if self._new_line:
            token = replace(token, first_on_line=True)
            self._new_line = False
        if token.kind == "op" and token.text == "-->":
            return [self._arrow(token)]
        if token.kind != "bad":
            return [token]
        if token.text == "*/":
            self._warn(token.span, *token.problem)
            self._new_line = token.first_on_line
            return []
        if token.text not in self._foreign:
            self._reporter.error(token.span, *token.problem)
        if re.fullmatch(r"\w+", token.text):
            self._foreign.add(token.text)
        return _meant(token)

    def _arrow(self, token: Token) -> Token:
        """Spin reads '-->' as '->', also behind a name."""
        hint = None if token.spaced else "to count down, write '-- ->'"
        self._warn(token.span, "'-->' is read as '->'", hint)
        return replace(token, text="->")

    def _warn(self, span: Span, message: str, hint: str | None) -> None:
        if span not in self._warned:
            self._warned.add(span)
            self._reporter.warning(span, message, hint)


def _meant(bad: Token) -> list[Token]:
    """What most likely was meant by a bad token, so that the parser does not stumble over it."""
    text = bad.text
    if text[0] == '"':
        # The bracket at the end of a line belongs to the call and not to the string.
        call = re.search(r"(\))\s*(;)?\s*$", text)
        tokens = [replace(bad, kind="string", text='""')]
        for group in (1, 2) if call is not None else ():
            assert call is not None
            if call[group]:
                start = bad.span.start + call.start(group)
                span = replace(bad.span, start=start, end=start + 1)
                tokens.append(Token("op", call[group], span))
        return tokens
    if text[0] in "\u201c\u201d" and len(text) > 1:
        return [replace(bad, kind="string", text='""')]
    if text[0] == "'" and len(text) > 1:
        return [replace(bad, kind="number", text="0")]
    if text[0] in "[{":
        return [replace(bad, kind="embedded", text=f"{text[0]} {']' if text[0] == '[' else '}'}")]
    if text[0].isascii() and text[0].isdigit():
        return [replace(bad, kind="number", text="0")]
    if re.fullmatch(r"\w+", text):
        return [replace(bad, kind="name")]
    return []
