"""Ties an automaton from outside to a program: its propositions become Promela expressions.

The name of a proposition in a HOA file is any text. Here it must be a Promela expression, possibly
with `&&`, `||` and `!`: it is parsed as a formula without temporal operators, over atoms.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from whorl.diagnostics import Diagnostic, Source, WhorlError
from whorl.files import read_text
from whorl.language.formula import Formula, atom
from whorl.program.program import Program
from whorl.property.automaton import MOST_PROPOSITIONS, Buchi, Edge, full
from whorl.property.claim import Claim
from whorl.property.coarse import predicate
from whorl.property.hoa import read_hoa
from whorl.property.letters import cubes, of_formula
from whorl.property.state_based import as_buchi


@dataclass(frozen=True, slots=True)
class UnboundAutomaton:
    """An automaton that was read from a file, with propositions that are only texts so far."""

    path: Path
    automaton: Buchi

    @staticmethod
    def read(path: Path) -> UnboundAutomaton:
        """The automaton in a HOA file."""
        try:
            text = read_text(path)
        except (OSError, ValueError) as error:
            reason = (isinstance(error, OSError) and error.strerror) or str(error)
            raise WhorlError(Diagnostic("error", f"cannot read '{path}': {reason}")) from None
        return UnboundAutomaton(path, as_buchi(read_hoa(text, str(path))))

    def formulas(self) -> list[tuple[str, Source]]:
        """Its propositions, to be read as formulas beside a model."""
        name = f"{self.path}, a proposition"
        return [(f"{self.path}:{p}", Source(name, p)) for p in self.automaton.propositions]

    def claim(self, program: Program) -> Claim:
        """The claim of the automaton, once the program has its propositions as formulas."""
        formulas = {f.name: f for f in program.formulas}
        properties = {p: formulas[f"{self.path}:{p}"] for p in self.automaton.propositions}
        meanings = {p: known.formula for p, known in properties.items()}
        for known in properties.values():
            if any(f.op.is_temporal for f in known.formula.subformulas()):
                raise WhorlError.at(
                    known.span, "a proposition of an automaton has no temporal operators"
                )
        atoms = {
            name: expression
            for known in properties.values()
            for name, expression in zip(known.formula.propositions, known.atoms, strict=True)
        }
        if len(atoms) > MOST_PROPOSITIONS:  # then each proposition is one atom
            atoms = {p: predicate(f.formula, atoms, f.span) for p, f in properties.items()}
            meanings = {p: atom(p) for p in properties}
        automaton = bound(self.automaton, meanings)
        return Claim(
            self.path.name, "hoa", automaton, tuple(atoms[n] for n in automaton.propositions)
        )


def bound(automaton: Buchi, meanings: Mapping[str, Formula]) -> Buchi:
    """The automaton over the atoms of `meanings`, which says what each proposition stands for."""
    formulas = [meanings[name] for name in automaton.propositions]
    atoms = tuple(dict.fromkeys(name for formula in formulas for name in formula.propositions))
    everything = full(len(atoms))
    tables = [of_formula(formula, atoms) for formula in formulas]

    def label(old: int) -> int:
        new = 0
        for cube in cubes(old, len(formulas)):
            part = everything
            for place, sign in cube:
                part &= tables[place] if sign else everything & ~tables[place]
            new |= part
        return new

    edges = tuple(
        tuple(Edge(new, edge.target) for edge in out if (new := label(edge.label)))
        for out in automaton.edges
    )
    return Buchi(atoms, automaton.initial, edges, automaton.accepting)
