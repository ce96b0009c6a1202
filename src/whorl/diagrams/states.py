"""Diagrams of state spaces: the full one, and what a reduction leaves of it."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from whorl.diagrams.reduced import VisitedSpace
from whorl.diagrams.space import Place, SpaceEdge, StateSpace
from whorl.diagrams.state_texts import StateTexts
from whorl.diagrams.texts import joined
from whorl.figures import counted
from whorl.pictures.diagram import Appearance, Arc, Diagram, Vertex
from whorl.search.product import Node
from whorl.trace.replay import take

LEGEND = {
    Appearance.ACCEPTING: "accepting",
    Appearance.END: "valid end state",
    Appearance.WRONG: "violation",
    Appearance.FAILING: "a step that fails",
    Appearance.ON_LASSO: "a run that the claim accepts",
    Appearance.PART: "stored, and expanded in part",
    Appearance.PASSED: "visited, not stored",
    Appearance.LEFT_OUT: "left out",
}


class SpaceDiagrams:
    """Makes diagrams of one state space, in which the same parts have the same places."""

    def __init__(self, space: StateSpace, contents: str = "auto") -> None:
        self.space = space
        self.texts = StateTexts(space, contents)
        self.lasso = set(pairwise(lasso(space)))
        self.stuck = set(space.stuck())

    def full(self) -> Diagram:
        """All of it."""
        vertices, arcs = self._parts(None)
        return Diagram(self._size(), 0, vertices, joined(arcs), LEGEND)

    def reduced(self, visited: VisitedSpace, scheme: str) -> tuple[Diagram, Diagram]:
        """All of it, and what was visited with the rest dashed: laid out alike."""
        stored = len(visited.stored) + len(self._own(visited))
        caption = f"{scheme}: {counted(stored, 'state')} of {len(self.space.places):,} stored"
        kinds = [n in visited.edges for n in range(len(self.space.edges))]
        vertices, arcs = self._parts(visited)
        shortcuts = list(self._shortcuts(visited, vertices))
        own = joined([*arcs, *shortcuts], [*kinds, *("shortcut" for _ in shortcuts)])
        part = Diagram(caption, 0, vertices, own, LEGEND)
        vertices, arcs = self._parts(None)
        full = Diagram(self._size(), 0, vertices, joined(arcs, kinds), LEGEND, frame=part)
        return full, part

    def _size(self) -> str:
        states = counted(len(self.space.places), "state")
        pids = "; steps by pid" if self.texts.many else ""
        return f"{states}, {counted(len(self.space.edges), 'transition')}{pids}"

    def _own(self, visited: VisitedSpace) -> list[Place]:
        """The places that only the reduced search has."""
        ends = [place for shortcut in visited.shortcuts for place in shortcut[:2]]
        return [place for place in dict.fromkeys(ends) if place not in self.space.numbers]

    def _parts(self, visited: VisitedSpace | None) -> tuple[list[Vertex], list[Arc]]:
        """The states and the steps between them."""
        space = self.space
        vertices = [self._vertex(n, visited) for n in range(len(space.places))]
        arcs = [self._arc(n, edge, visited, vertices) for n, edge in enumerate(space.edges)]
        return vertices, arcs

    # --- states ----------------------------------------------------------------------------------

    def _vertex(self, number: int, visited: VisitedSpace | None) -> Vertex:
        space, looks, notes = self.space, set[Appearance](), []
        if number in space.accepting:
            looks.add(Appearance.ACCEPTING)
            notes.append("accepting")
        if number in self.stuck:
            valid = space.semantics.is_valid_end(space.state(number))
            looks.add(Appearance.END if valid else Appearance.WRONG)
            notes.append("a valid end state" if valid else "an invalid end state")
        if number in space.wrong:
            looks.add(Appearance.WRONG)
            notes.append("the claim is violated, or a proposition has no value")
        if visited is not None:
            look, note = self._visit(number, visited)
            looks |= {look} if look else set()
            notes.append(note)
        lines = self.texts.lines(number)
        if Appearance.WRONG in looks:
            lines = (f"✗ {lines[0]}", *lines[1:])
        about = "\n".join([self.texts.about(number), *notes])
        return Vertex(lines, about, frozenset(looks))

    def _visit(self, number: int, visited: VisitedSpace) -> tuple[Appearance | None, str]:
        if number in visited.stored:
            edges = [n for n, edge in enumerate(self.space.edges) if edge.source == number]
            short = any(self.space.numbers.get(s[0]) == number for s in visited.shortcuts)
            if short:
                return None, "stored; a step goes through states that are not stored"
            if set(edges) <= visited.edges:
                return None, "stored, fully expanded"
            return Appearance.PART, "stored, expanded in part"
        if number in visited.passed:
            return Appearance.PASSED, "visited, not stored"
        return Appearance.LEFT_OUT, "left out"

    # --- steps -----------------------------------------------------------------------------------

    def _arc(
        self, number: int, edge: SpaceEdge, visited: VisitedSpace | None, vertices: list[Vertex]
    ) -> Arc:
        """An edge as an arc; one that ends in a fault gets a vertex for that."""
        space, looks = self.space, set[Appearance]()
        left_out = visited is not None and number not in visited.edges
        if left_out:
            looks.add(Appearance.LEFT_OUT)
        if edge.target is not None and (edge.source, edge.target) in self.lasso:
            looks.add(Appearance.ON_LASSO)
        if edge.run is None:
            assert edge.target is not None
            about = "the program stays where it is, and the claim goes on"
            return Arc(edge.source, edge.target, ("(stays)",), about, frozenset(looks))
        state, steps = space.state(edge.source), edge.run.steps
        text = self.texts.step(state, steps)
        failures = [failure.kind for step in steps for failure in step.failures]
        if failures:
            looks.add(Appearance.FAILING)
            text = (*text, f"✗ {failures[0]}")
        target = edge.target
        if target is None:
            target = len(vertices)
            wrong = {Appearance.WRONG, *({Appearance.LEFT_OUT} if left_out else ())}
            vertices.append(Vertex(("✗",), ", ".join(failures), frozenset(wrong)))
        about = self.texts.about_steps(state, steps)
        return Arc(edge.source, target, text, about, frozenset(looks))

    def _shortcuts(self, visited: VisitedSpace, vertices: list[Vertex]) -> Iterable[Arc]:
        """The edges that go through several states at once."""
        numbers = dict(self.space.numbers)
        for place in self._own(visited):
            assert isinstance(place, Node)
            numbers[place] = len(vertices)
            name = f"{self.texts.number[place.state]}·{place.claim}"
            about = f"state {name}\nin the reduced product alone: the automaton reads fewer letters"
            vertices.append(Vertex((name,), about))
        semantics = self.space.semantics
        for source, target, choices in visited.shortcuts:
            assert isinstance(source, Node)
            state, steps = source.state, []
            for n, choice in enumerate(choices):
                steps.append(take(semantics, state, choice, n + 1))
                state = steps[-1].state or state
            text = self.texts.step(source.state, steps) if steps else ("(stays)",)
            about = self.texts.about_steps(source.state, steps)
            yield Arc(numbers[source], numbers[target], text, about)


def lasso(space: StateSpace) -> list[int]:
    """A shortest path to a violation of the claim: to a wrong place, or round an accepting one."""
    targets: dict[int, list[int]] = {}
    for edge in space.edges:
        if edge.target is not None:
            targets.setdefault(edge.source, []).append(edge.target)
    ways = [_path(targets, [0], {place}) for place in space.wrong]
    for place in sorted(space.accepting - space.wrong):
        round_it = _path(targets, targets.get(place, []), {place})
        if round_it:
            ways.append([*_path(targets, [0], {place}), *round_it])
    return min((way for way in ways if way), key=len, default=[])


def _path(targets: dict[int, list[int]], starts: Iterable[int], ends: set[int]) -> list[int]:
    """A shortest path from one of `starts` to one of `ends`; empty if there is none."""
    origin: dict[int, int | None] = dict.fromkeys(starts)
    waiting = list(origin)
    for place in waiting:
        if place in ends:
            way = [place]
            while (before := origin[way[-1]]) is not None:
                way.append(before)
            return way[::-1]
        for target in targets.get(place, ()):
            if target not in origin:
                origin[target] = place
                waiting.append(target)
    return []
