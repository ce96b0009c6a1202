"""Weaves the C of several claims into one: a verifier that is told which of them to search for.

The compiler spends its time on the runtime and on what is the same for all claims of a model, so
that a verifier for fifty of them takes little longer to compile than one for one. Each claim's C is
cut into its definitions. One that is the same for several claims, with all that it refers to, is
written once; of others there are variants, and the runtime finds the right one by `whorl_chosen`:

    static const uint8_t whorl_rows[] = {0, 1};
    static const uint8_t whorl_rows_v1[] = {1, 1};
    static __typeof__(&whorl_rows[0]) const whorl_rows_of[] = {whorl_rows, whorl_rows_v1};
    #define whorl_rows (whorl_rows_of[whorl_chosen])

So every claim has the tables and functions that it has alone, and is searched for in the same way.
A header that is included before the runtime is the same for all claims, and so must be what it
refers to.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from whorl.native.compiler import RUNTIME

# Macros that the runtime alone reads: what it may look up while it runs, and what it needs a bound
# of when it is compiled.
NUMBERS = {
    "WHORL_STOPS",
    "WHORL_CLAIM_STATES",
    "WHORL_CLAIM_INITIAL",
    "WHORL_CLAIM_WAYS",
    "WHORL_CLAIM_SAME",
    "WHORL_CLAIM_FOREVER",
    "WHORL_ASKS_TIMEOUT",
    "WHORL_ASKS_PROGRESS",
    "WHORL_FAULTY",
    "WHORL_PROGRAM_ACCEPTS",
    "WHORL_ANY_DETERMINISTIC",
    "WHORL_COLUMNS",
}
BOUNDS = {"WHORL_SITES"}
RUNTIME_BEGINS = '#include "model/atomic.h"'
_BEGINS = re.compile(r"^(?=[^\s}])", re.MULTILINE)
_NUMBER = re.compile(r"#define (\w+) (\d+)$")
_TABLE = re.compile(r"static const [^=(]*?(\w+)\[[^=]*(?= =)")
_FUNCTION = re.compile(r"static [^={;]*?(\w+)\([^{;]*(?=\{)")
_DECLARED = re.compile(r"static [^={;]*?(\w+)\([^{;]*;$")
_NAME = re.compile(r"\bwhorl_\w+")
_INCLUDED = re.compile(r'#include "([\w/]+\.h)"$')


@dataclass(frozen=True, slots=True)
class _Piece:
    """A definition; `head` says of what type a table or a function is.

    Without a head it has no variants: its name is then its text, or that of a number or of a
    function that is only declared.
    """

    text: str
    name: str
    head: str = ""
    number: int | None = None


@lru_cache(8192)
def _piece(text: str) -> _Piece:
    number = _NUMBER.match(text)
    if number is not None and number[1] in NUMBERS | BOUNDS:
        return _Piece("", number[1], number=int(number[2]))
    for pattern in (_TABLE, _FUNCTION):
        match = pattern.match(text)
        if match is not None:
            return _Piece(text, match[1], match[0])
    declared = _DECLARED.match(text)
    return _Piece(text, text if declared is None else f"{declared[1]};")


@lru_cache(8192)
def _names(text: str) -> frozenset[str]:
    return frozenset(_NAME.findall(text))


@lru_cache
def _names_in_header(header: str) -> frozenset[str]:
    return _names((RUNTIME / header).read_text(encoding="utf-8"))


def _is_comment(text: str) -> bool:
    return text.startswith("/*") and text.endswith("*/")


def _renamed(text: str, names: dict[str, str]) -> str:
    """The same text with other names for some of what it refers to."""
    if not names or names.keys().isdisjoint(_names(text)):
        return text
    return _NAME.sub(lambda match: names.get(match[0], match[0]), text)


class Fabric:
    """The C of claims that can be compiled together; at first of none."""

    def __init__(self) -> None:
        self._fixed: tuple[str, ...] = ()  # the names of what has no variants
        self._heads: dict[str, str] = {}
        self._variants: dict[str, dict[str, str]] = {}  # of a name: from texts to their own names
        self._written: list[str] = []
        self._chosen: list[dict[str, str]] = []  # of a claim: from names to those of its variants
        self._numbers: list[dict[str, int]] = []
        self._runtime = ""

    def __len__(self) -> int:
        return len(self._chosen)

    def add(self, text: str) -> bool:
        """Weaves in the C of a claim; False, and nothing is changed, if it does not fit."""
        pieces = [_piece(t.rstrip()) for t in _BEGINS.split(_parts(text)[0]) if t.strip()]
        fixed = tuple(p.name for p in pieces if not p.head and not _is_comment(p.text))
        included = [_INCLUDED.match(name) for name in fixed]
        in_headers = [_names_in_header(match[1]) for match in included if match is not None]
        heads = {piece.name: piece.head for piece in pieces if piece.head}
        first = not self._chosen
        if not first and (fixed, _parts(text)[1]) != (self._fixed, self._runtime):
            return False
        if any(self._heads.get(name, head) != head for name, head in heads.items()):
            return False
        written: list[str] = []
        fresh: dict[str, tuple[str, str]] = {}
        chosen: dict[str, str] = {}
        for piece in pieces:
            resolved = _renamed(piece.text, chosen)
            if not piece.head:
                if resolved != piece.text:
                    return False  # all claims share it, and it refers to what they do not
                written += [resolved] if first else []
                continue
            known = self._variants.get(piece.name, {})
            own = known.get(resolved)
            if own is None:
                own = f"{piece.name}_v{len(known)}" if known else piece.name
                fresh[piece.name] = (resolved, own)
                written.append(_renamed(resolved, {piece.name: own}))
            if own != piece.name:
                chosen[piece.name] = own
        if any(f"{name};" in fixed for name in chosen):
            return False  # it is called before it is known which one it is
        if not chosen.keys().isdisjoint(frozenset().union(*in_headers)):
            return False  # a header, which all claims share, refers to it
        for name, (resolved, own) in fresh.items():
            self._variants.setdefault(name, {})[resolved] = own
        self._fixed = fixed
        self._heads |= heads
        self._written += written
        self._chosen.append(chosen)
        self._numbers.append({p.name: p.number for p in pieces if p.number is not None})
        self._runtime = _parts(text)[1]
        return True

    def text(self) -> str:
        """The C of a verifier for all of them, which is told by a number which one it is for."""
        choices = [f"#define WHORL_CLAIMS {len(self)}", "static int whorl_chosen;"]
        for name in self._numbers[0]:
            choices += _choose_number(name, [numbers[name] for numbers in self._numbers])
        for name, variants in self._variants.items():
            if len(variants) > 1:
                own = ", ".join(chosen.get(name, name) for chosen in self._chosen)
                like = f"&{name}" if "(" in self._heads[name] else f"&{name}[0]"
                choices += [
                    f"static __typeof__({like}) const {name}_of[] = {{{own}}};",
                    f"#define {name} ({name}_of[whorl_chosen])",
                ]
        return "\n".join([*self._written, *choices, self._runtime])


def _parts(text: str) -> tuple[str, str]:
    """What is generated, and the runtime behind it."""
    begins = text.index(RUNTIME_BEGINS)
    return text[:begins], text[begins:]


def _choose_number(name: str, values: list[int]) -> list[str]:
    if name in BOUNDS or len(set(values)) == 1:
        return [f"#define {name} {max(values)}"]
    numbers = ", ".join(map(str, values))
    return [
        f"static const int {name}_of[] = {{{numbers}}};",
        f"#define {name} ({name}_of[whorl_chosen])",
    ]
