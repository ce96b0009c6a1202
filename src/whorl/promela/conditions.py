"""The conditions of `#if` and `#elif`."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence

from whorl.diagnostics import Reporter, Span
from whorl.promela.lexer import MAX_DIGITS, Token

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


class DirectiveCondition:
    """Evaluates the expression of an `#if`: 64-bit integers, and names that are left count as 0.

    An operand that does not matter, as the right one in `0 && 1/0`, is parsed but not judged.
    """

    def __init__(
        self, tokens: Sequence[Token], here: Span, macros: Container[str], reporter: Reporter
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
