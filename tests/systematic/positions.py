"""The positions: where in its process a pair of forms stands.

In a template, `A` and `B` are the forms and `HERE` is where a label stands that another process
looks at.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from systematic.forms import Form

_HOLE = re.compile(r"\b[AB]\b")


@dataclass(frozen=True, slots=True)
class Position:
    name: str
    template: str
    endless: bool = False  # a loop with no bound: nothing that grows may stand in it
    clause: str = ""  # between the process's head and its body

    @property
    def alone(self) -> bool:
        return bool(self.clause)

    @property
    def d_step(self) -> bool:
        return "d_step" in self.template

    def allows(self, *pair: Form) -> bool:
        if self.endless and any(form.grows for form in pair):
            return False
        if not self.d_step:
            return True
        inside = "".join(re.findall(r"d_step \{(.*?)\}", self.template))
        letters = {"A": pair[0], "B": pair[1]}
        return all(letters[name].in_d_step for name in _HOLE.findall(inside))

    def filled(self, first: Form, second: Form) -> str:
        """The body of a process with the pair in it."""
        texts = {"A": first.written(1), "B": second.written(2)}
        return _HOLE.sub(lambda found: texts[found[0]], self.template)


_PLAIN = {
    "sequence": "A; HERE B",
    "middle": "n = 1; A; HERE B; n = 2",
    "between": "y = 1; A; n = 1; HERE B; x = 2",
    "if": "if :: A :: HERE B fi",
    "if-guarded": "if :: x == 0 -> A :: y == 0 -> HERE B fi",
    "do": "do :: A; HERE break :: B; break od",
    "do-bounded": "do :: n < 2 -> n++; A :: HERE B; break od",
    "atomic": "atomic { A; HERE B }",
    "atomic-first": "atomic { A; n = 1 }; HERE B",
    "atomic-one": "atomic { A }; HERE B",
    "atomic-second": "A; HERE atomic { B }",
    "atomic-behind-local": "A; HERE atomic { n = 1; B }",
    "atomic-middle": "n = 1; atomic { n = 2; A; HERE B; n = 0 }; n = 1",
    "atomic-if": "atomic { if :: A :: B fi; n = 1 }; HERE skip",
    "d_step": "HERE d_step { A; B }",
    "d_step-first": "d_step { A; n = 1 }; HERE B",
    "d_step-second": "A; HERE d_step { B }",
    "d_step-behind-local": "A; HERE d_step { n = 1; B }",
    "d_step-if": "d_step { if :: A :: B fi; n = 1 }; HERE skip",
    "goto": "goto on; on: A; HERE B",
    "goto-between": "A; goto on; n = 1; on: HERE B",
    "goto-back": "again: A; HERE B; if :: n < 1 -> n++; goto again :: else fi",
    "label-end": "end: A; HERE B",
    "label-progress": "A; progress: B; HERE skip",
    "label-accept": "A; accept: B; HERE skip",
    "unless": "{ A; HERE n = 1 } unless { B }",
    "unless-main": "{ A; HERE B } unless { x == 1 }",
    "unless-escape": "{ x == 1; n = 1 } unless { A; HERE B }",
    "else": "if :: A :: else -> HERE B fi",
    "else-behind": "if :: x == 1 -> A :: else -> HERE B fi",
    "timeout": "A; timeout; HERE B",
    "timeout-option": "if :: A :: timeout -> HERE B fi",
    "behind-run": "run Idle(); A; HERE B",
    "before-run": "A; run Child(); HERE B",
}
_ENDLESS = {
    "loop": "do :: A :: HERE B od",
    "loop-out": "do :: A :: HERE B; break od",
    "loop-sequence": "do :: A; HERE B od",
    "loop-else": "do :: A :: else -> HERE B od",
    "loop-atomic": "do :: atomic { A; B } :: HERE break od",
    "loop-goto": "again: A; HERE B; goto again",
    "loop-progress": "progress: do :: A; HERE B od",
}
_CLAUSES = {
    "provided": "provided (y == 0)",
    "provided-index": "provided (a[x] == 0)",
    "provided-division": "provided (1 / (1 - x) == 1)",
    "provided-wrong-type": "provided (Peer[pid2]:v == 0)",
    "priority": "priority 2",
}


@cache
def positions() -> tuple[Position, ...]:
    plain = [Position(name, text) for name, text in _PLAIN.items()]
    endless = [Position(name, text, endless=True) for name, text in _ENDLESS.items()]
    clauses = [Position(name, "A; HERE B", clause=text) for name, text in _CLAUSES.items()]
    return (*plain, *endless, *clauses)


# Positions for forms that are not core.
_FEW = (
    "sequence",
    "if",
    "atomic",
    "atomic-behind-local",
    "d_step",
    "d_step-second",
    "goto-back",
    "unless",
    "unless-escape",
    "else",
    "timeout-option",
    "behind-run",
    "loop",
)


@cache
def few_positions() -> tuple[Position, ...]:
    return tuple(position for position in positions() if position.name in _FEW)
