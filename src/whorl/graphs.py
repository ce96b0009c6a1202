"""Graphs of a model as pictures: process automata, property automata, state spaces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from whorl.api import GivenModel, Model
from whorl.audit.full import TooLarge
from whorl.diagnostics import Diagnostic, WhorlError, suggest
from whorl.diagrams.processes import process_diagram
from whorl.diagrams.property import property_diagram
from whorl.diagrams.reduced import VisitedSpace, visited_for_claim, visited_for_safety
from whorl.diagrams.space import StateSpace, product_space, program_space
from whorl.diagrams.state_texts import CONTENTS
from whorl.diagrams.states import SpaceDiagrams
from whorl.engines import reference_semantics
from whorl.files import write_file
from whorl.given import flag, texts, whole_number
from whorl.native.claim_search import BeyondNative
from whorl.native.compiler import CompilerError, find_compiler
from whorl.pictures.diagram import Diagram
from whorl.pictures.dot import dot
from whorl.pictures.draw import draw
from whorl.property import draw as automata
from whorl.property.automaton import Buchi
from whorl.property.claim import Claim
from whorl.reduction.plan import NONE, Plan
from whorl.reduction.plan import plan as planned
from whorl.reduction.schemes import Reduction, prepared
from whorl.search.exploration import Options
from whorl.search.product import Product
from whorl.search.watch import Watch
from whorl.selection import Wanted, select
from whorl.spelling import speak_python
from whorl.svg import scoped

MOST_STATES = 150


@dataclass(frozen=True)
class Picture:
    """Diagrams that are drawn when they are asked for; a notebook shows them."""

    title: str
    diagrams: tuple[Diagram, ...]
    automaton: Buchi | None = None  # if that is all there is to draw
    notes: tuple[str, ...] = ()  # what a reader should know

    @cached_property
    def svg(self) -> str:
        """The text of an SVG file."""
        if self.automaton is not None:
            return automata.draw(self.automaton, self.title)
        return draw(self.title, self.diagrams)

    @cached_property
    def dot(self) -> str:
        """The text of a file for Graphviz."""
        return dot(self.title, self.diagrams)

    def save(self, file: str | Path) -> None:
        """Writes it: for Graphviz if the name ends in .dot or .gv, as SVG otherwise."""
        path = Path(file)
        is_dot = path.suffix.lower() in (".dot", ".gv")
        write_file(path, self.dot if is_dot else self.svg, "picture")

    def _repr_svg_(self) -> str:
        """For a notebook."""
        return scoped(self.svg)

    def __repr__(self) -> str:
        return f"Picture({self.title!r})"


@dataclass(frozen=True, slots=True)
class Drawn:
    """What of a model is to be drawn; by default its process automata.

    `states`: its state space, or with a claim the product. `por`: beside it what this reduction
    leaves of it; with `overlay` that alone. `contents`: what stands in the states.
    """

    process: tuple[str, ...] = ()
    states: bool = False
    por: str | None = None
    overlay: bool = False
    contents: str = "auto"
    max_states: int = MOST_STATES

    def refuse_nonsense(self, wanted: Wanted) -> None:
        """WhorlError where something is asked for that has no bearing on the picture."""
        of_states = self.states or self.por is not None
        if self.process and (of_states or not wanted.nothing):
            message = "--process picks process automata, and these are not drawn here"
            raise _misused(message, "leave out --process, or draw the process automata alone")
        if self.overlay and self.por is None:
            raise _misused("--overlay shows a reduction, and none is asked for", "add --por NAME")
        if self.contents not in CONTENTS:
            hint = f"it is one of: {', '.join(CONTENTS)}"
            raise _misused(f"unknown contents of states '{self.contents}'", hint)


def _misused(message: str, hint: str) -> WhorlError:
    return WhorlError(Diagnostic("error", message, None, hint))


def picture(model: Model, wanted: Wanted, shown: Drawn) -> Picture:
    """The picture of a model, or of what of it is wanted."""
    shown.refuse_nonsense(wanted)
    claims = () if wanted.nothing else select(model.program, wanted).claims
    if len(claims) > 1:
        names = ", ".join(claim.name for claim in claims)
        raise WhorlError(Diagnostic("error", f"one claim at a time can be drawn, not {names}"))
    claim = claims[0] if claims else None
    if shown.states or shown.por is not None:
        return _of_states(model, claim, shown)
    if claim is not None:
        said = claim.formula_text
        title = claim.name if said is None else f"{claim.name}: runs that violate {said}"
        return Picture(title, (property_diagram(title, claim.automaton),), claim.automaton)
    return Picture(model.name, tuple(_processes(model, shown.process)))


def _processes(model: Model, names: Sequence[str]) -> list[Diagram]:
    program = model.program
    known = {process.title: process for process in program.processes}
    for name in names:
        if name not in known:
            hint = suggest(name, list(known)) or f"it has: {', '.join(known)}"
            raise WhorlError(Diagnostic("error", f"the model has no process '{name}'", None, hint))
    drawn = [process_diagram(program, known[name]) for name in names or known]
    if program.trace is not None and not names:
        caption = "notrace" if program.trace_negated else "trace"
        drawn.append(process_diagram(program, program.trace, caption))
    if not drawn:
        raise WhorlError(Diagnostic("error", "there is nothing to draw: the model has no process"))
    return drawn


# --- state spaces ---------------------------------------------------------------------------------


def _of_states(model: Model, claim: Claim | None, shown: Drawn) -> Picture:
    semantics = reference_semantics(model.program)
    plan = NONE
    if shown.por is not None:
        plan = planned(model.program, claim, Reduction(shown.por), fair=False, shortest=False)
    product = None
    if claim is not None:
        product = Product(semantics, prepared(claim, plan.scheme), Watch(Options()))
    try:
        if product is None:
            space = program_space(semantics, shown.max_states)
        else:
            space = product_space(product, shown.max_states)
    except TooLarge:
        message = f"there are more than {shown.max_states:,} states: too many to draw"
        hint = "make the model smaller (-D), or allow more: --max-states N"
        raise WhorlError(Diagnostic("error", message, None, hint)) from None
    diagrams = SpaceDiagrams(space, shown.contents)
    title = model.name if claim is None else f"{model.name}, {claim.name}"
    if shown.por is None:
        return Picture(title, (diagrams.full(),))
    if plan.scheme == "none":
        why = plan.why_none or "nothing is left out"
        return Picture(title, (diagrams.full(),), notes=(f"no reduction: {why}",))
    visited = _visited(space, plan, product, shown.max_states)
    sound = "" if plan.soundness.sound else ", unsound here"
    both = diagrams.reduced(visited, f"{plan.scheme}{sound}")
    drawn = both[1:] if shown.overlay else both
    return Picture(title, drawn, notes=(f"reduction: {plan.sentence}",))


def _visited(space: StateSpace, plan: Plan, product: Product | None, most: int) -> VisitedSpace:
    if product is not None:
        return visited_for_claim(space, product, plan.reduction)
    try:
        return visited_for_safety(space, plan, find_compiler(), most)
    except (BeyondNative, CompilerError):  # as in a check
        return visited_for_safety(space, plan, None, most)


def graph(
    model: Model | str | Path,
    *,
    defines: Mapping[str, str | int] | None = None,
    include_dirs: str | Path | Sequence[str | Path] = (),
    process: str | Sequence[str] = (),
    claim: str | None = None,
    ltl: str | None = None,
    states: bool = False,
    por: str | None = None,
    overlay: bool = False,
    contents: str = "auto",
    max_states: int = MOST_STATES,
) -> Picture:
    """A picture of a model's process automata; of the automaton of a claim; of the state space.

    Each keyword is the option of `whorl graph` with that name. Raises WhorlError where there are
    more than `max_states` states.
    """
    formulas = () if ltl is None else texts("ltl", ltl)
    claims = () if claim is None else texts("claim", claim)
    drawn = Drawn(
        process=texts("process", process),
        states=flag("states", states),
        por=por,
        overlay=flag("overlay", overlay),
        contents=contents,
        max_states=whole_number("max_states", max_states) or MOST_STATES,
    )
    if por is not None and not isinstance(por, str):
        raise TypeError(f"por is {por!r}, and no name of a reduction")
    try:
        read = GivenModel(model, formulas, (), defines, include_dirs).model()
        return picture(read, Wanted(formulas=read.given, claims=claims), drawn)
    except WhorlError as error:
        speak_python(error)
        raise
