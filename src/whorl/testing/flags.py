"""Options of a check as a comment or a setting has them, as keywords of `whorl.check`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any, NoReturn

from whorl.cli.from_table import add_options
from whorl.diagnostics import Diagnostic, WhorlError, suggest
from whorl.options import CHECK

_TAKEN = tuple(option for option in CHECK if option.keyword and option.flags)


class _Flags(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise WhorlError(Diagnostic("error", f"the options of the check: {message}"))


def keywords(words: Sequence[str]) -> dict[str, Any]:
    """The keywords that the flags stand for; WhorlError for one that a check does not have."""
    parser = _Flags(add_help=False, allow_abbrev=False)
    add_options(parser, _TAKEN)
    given, rest = parser.parse_known_args(words)
    if rest:
        known = [flag for option in _TAKEN for flag in option.flags]
        message = f"the options of the check: whorl.check has no '{rest[0]}'"
        raise WhorlError(Diagnostic("error", message, None, suggest(rest[0], known)))
    values = vars(given)
    return values | {"defines": dict(values["defines"])}
