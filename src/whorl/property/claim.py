"""Claims: an automaton of the runs that are wrong, tied to a program by its propositions.

A search looks for a run of the program that the claim accepts. The claim moves first: in the
product state (q, s) it reads the letter of q and goes to s', then the program goes from q to q'.
Where the program has no step left, it stays in q for ever and the claim goes on reading q's letter
(Spin's stutter extension), unless only infinite runs are wanted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from whorl.property.automaton import Buchi, full

if TYPE_CHECKING:
    from whorl.language.formula import Formula
    from whorl.program.program import Expr
    from whorl.property.normal_form import NormalForm


@dataclass(frozen=True, slots=True)
class Claim:
    """What to look for.

    `atoms[i]` is the program's expression for proposition i of the automaton, evaluated without a
    running process. A run that enters one of `ends` is wrong whatever follows (the end of a never
    claim's body, or a formula that can no longer come true); such a state is accepting and stays
    where it is on every letter. With
    `program_accepts`, a product state is accepting if some process is at an accept label. With a
    `normal_form` a search reads that instead of the automaton, and there are no `ends`.
    """

    name: str
    kind: str  # as in a report: "ltl", "never claim", "acceptance", "non-progress", "hoa"
    automaton: Buchi
    atoms: tuple[Expr, ...]
    ends: frozenset[int] = frozenset()
    program_accepts: bool = False
    formula: Formula | None = None  # the property that must hold; the automaton is of its negation
    text: str = ""  # the formula as it was written
    normal_form: NormalForm | None = None

    @property
    def formula_text(self) -> str | None:
        """The formula that must hold, if it is one, as it was written."""
        return None if self.formula is None else self.text or str(self.formula)

    def __post_init__(self) -> None:
        assert len(self.atoms) == len(self.automaton.propositions)
        assert self.normal_form is None or not self.ends
        everything = full(len(self.atoms))
        for state in self.ends:
            (loop,) = self.automaton.edges[state]
            assert state in self.automaton.accepting
            assert loop.target == state
            assert loop.label == everything
