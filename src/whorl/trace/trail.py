"""Trail files: a run as the choices that make it, to be followed again later."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from whorl.diagnostics import Diagnostic, Source, WhorlError
from whorl.program.choice import Choice
from whorl.trace.trace import NOTHING_WRONG, WITNESS, Trace

FORMAT = "whorl trail"
VERSION = 1


@dataclass(frozen=True, slots=True)
class Trail:
    """A run of a model. `digest` tells whether the model's text is still the same.

    `cycle` is the number of the choice with which a cycle begins, from 1. `claim` is the name of
    the ltl formula or claim that the run violates, and `formula` the text of a formula: it may have
    been given beside the model.
    """

    model: str
    digest: str
    defines: Mapping[str, str]
    kind: str
    message: str
    choices: tuple[Choice, ...]
    cycle: int | None = None
    claim: str | None = None
    formula: str | None = None

    @staticmethod
    def of(trace: Trace, source: Source, defines: Mapping[str, str]) -> Trail:
        violates = trace.kind != WITNESS
        return Trail(
            source.name,
            digest(source),
            defines,
            trace.kind if violates else NOTHING_WRONG,
            trace.message,
            trace.choices,
            None if trace.loop is None else trace.loop + 1,
            trace.claim if violates else None,
            trace.formula if violates else None,
        )

    def dumps(self) -> str:
        """The text of the trail file: JSON, one choice a line."""
        head = {
            "format": FORMAT,
            "version": VERSION,
            "model": self.model,
            "digest": self.digest,
            "defines": dict(self.defines),
            "kind": self.kind,
            "message": self.message,
            "property": self.claim,
            "formula": self.formula,
            "cycle": self.cycle,
        }
        choices = ",\n    ".join(json.dumps(numbers_of(choice)) for choice in self.choices)
        return f'{json.dumps(head, indent=2)[:-2]},\n  "choices": [\n    {choices}\n  ]\n}}\n'


def loads(text: str, name: str) -> Trail:
    """The trail in a file's text; WhorlError if it is none."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _bad(name, f"it is not JSON: {error}") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise _bad(name, f"it does not say that its format is '{FORMAT}'")
    if data.get("version") != VERSION:
        raise _bad(name, f"its version is {data.get('version')}, and this whorl reads {VERSION}")
    try:
        choices = tuple(choice_of(numbers) for numbers in data["choices"])
        return Trail(
            str(data["model"]),
            str(data["digest"]),
            {str(key): str(value) for key, value in data["defines"].items()},
            str(data["kind"]),
            str(data["message"]),
            choices,
            _cycle(data.get("cycle"), len(choices)),
            _text(data.get("property")),
            _text(data.get("formula")),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise _bad(name, f"a part of it is missing or wrong: {error}") from None


def digest(source: Source) -> str:
    return hashlib.sha256(source.text.encode("utf-8", "surrogatepass")).hexdigest()


def numbers_of(choice: Choice) -> list[int]:
    """A choice as it stands in a file: two numbers, or four of a handshake."""
    mine = [choice.pid, choice.transition]
    return mine if choice.partner < 0 else [*mine, choice.partner, choice.partner_transition]


def choice_of(numbers: Any) -> Choice:
    """The choice that the numbers stand for; ValueError if it is none."""
    if not (
        isinstance(numbers, list)
        and len(numbers) in (2, 4)
        and all(type(number) is int for number in numbers)
    ):
        raise ValueError(f"{numbers!r} is no choice")
    return Choice(*numbers)


def _cycle(number: Any, steps: int) -> int | None:
    if number is not None and not (type(number) is int and 1 <= number <= steps + 1):
        raise ValueError(f"no cycle begins with step {number!r}")
    return number


def _text(value: Any) -> str | None:
    return None if value is None else str(value)


def _bad(name: str, why: str) -> WhorlError:
    hint = "trails are written by `whorl check --trail FILE`"
    return WhorlError(Diagnostic("error", f"'{name}' is no trail of whorl: {why}", None, hint))
