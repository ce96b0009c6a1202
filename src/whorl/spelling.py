"""Options in sentences: as flags on the command line, as keywords in Python.

Messages everywhere spell options as flags. What goes to a caller from Python is rewritten here, at
the border, so that a rule is told in one place.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from whorl.diagnostics import Diagnostic, WhorlError, suggest
from whorl.options import BY_FLAG, BY_NAME, KEYWORDS, Option, ValueKind

# Spellings that are no more, and what to write.
FORMER_FLAGS = {
    "--compress": "--store tree",
    "--no-compress": "--store exact",
    "--hash-compact": "--store hash-compact",
    "--bitstate": "--store bitstate",
}
FORMER_KEYWORDS = {"infinite_only": "infinite_runs", "memory_bytes": "memory"}

# What there is in Python instead of a flag that only the command line has.
ATTRIBUTES = {"--unreached": "Result.unreached", "--full-trace": "Trace.steps"}

_MACRO = re.compile(r"(?<!\S)-D(\w+)=(\d+)")
_FLAG = re.compile(r"(?<![\w-])(--[a-z][a-z-]*)( [\w-]+)?")


class OptionError(WhorlError, ValueError):
    """A value that an option does not have, or options that do not go together."""

    @classmethod
    def of(cls, message: str, hint: str) -> OptionError:
        return cls(Diagnostic("error", message, None, hint))


def refuse_combinations(
    values: Mapping[str, object], known: Mapping[str, Option] = BY_NAME
) -> None:
    """OptionError where the options that have these values do not go together."""
    for name, value in values.items():
        option = known[name]
        for rule in option.rules:
            if not (value in rule.values if rule.values else option.is_given(value)):
                continue
            for other in (known[other] for other in rule.others):
                setting = values[other.name]
                if not rule.allows(setting, other.is_given(setting)):
                    words = {"this": in_flags(option, value), "other": in_flags(other, setting)}
                    raise OptionError.of(rule.said.format(**words), rule.hint.format(**words))


def in_flags(option: Option, value: object) -> str:
    """An option as a sentence has it, with its value if that is a name."""
    return f"{option.flag} {value}" if option.kind is ValueKind.CHOICE else option.flag


def in_python(text: str) -> str:
    """The text with keywords for flags: `merge=False` for `--no-merge`."""

    def keyword(match: re.Match[str]) -> str:
        flag, rest = match[1], match[2] or ""
        option = BY_FLAG.get(flag)
        if option is None or not option.keyword:
            return match[0]
        if option.kind is ValueKind.FLAG:
            return f"{option.name}={not option.default}{rest}"
        if option.kind is ValueKind.CHOICE and rest[1:] in option.names:
            return f'{option.name}="{rest[1:]}"'
        return f"{option.name}{rest}"

    return _FLAG.sub(keyword, _MACRO.sub(r'defines={"\1": \2}', text))


def speak_python(error: WhorlError) -> None:
    """Rewrites what an error says of options. A message about a place in a model stays as it is."""
    error.args = error.diagnostics = tuple(
        Diagnostic(
            said.severity,
            in_python(said.message) if said.span is None else said.message,
            said.span,
            None if said.hint is None else in_python(said.hint),
        )
        for said in error.diagnostics
    )


def refuse_keyword(
    name: str, function: str = "whorl.check", known: Sequence[str] = KEYWORDS
) -> TypeError:
    """The error for a keyword that a function, which has the `known` ones, does not have."""
    message = f"{function} has no keyword '{name}'"
    positive = name.removeprefix("no_")
    if name in FORMER_KEYWORDS:
        return TypeError(f"{message}: it is now '{FORMER_KEYWORDS[name]}'")
    if positive != name and positive in known:
        return TypeError(f"{message}: write {positive}=False")
    if name in BY_NAME and not BY_NAME[name].keyword:
        return TypeError(f"{message}: {BY_NAME[name].flag} is for the command line alone")
    hint = suggest(name, known)
    return TypeError(message if hint is None else f"{message} ({hint})")
