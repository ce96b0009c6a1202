"""The graph that the native engine stored, as it wrote it (runtime/search/graph.h).

Each run is taken again on the reference semantics, so that the states of the graph are known by
more than their bytes: a run that cannot be taken, a letter that is not the state's, or one stored
state for two places of the program is a problem, and the graph cannot be trusted.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from whorl.audit.full import AuditedGraph, View, add_fault, place, site, transitions
from whorl.native.passes.merge import Merging
from whorl.program.choice import Choice
from whorl.program.semantics import Semantics, Step
from whorl.program.state import NOBODY, TYPE, State


class Problem(Exception):
    """What was stored is no graph of the program."""


@dataclass(slots=True)
class StoredExpansion:
    """One expansion of a stored state."""

    state: str
    letter: int | None
    runs: list[tuple[str | None, tuple[Choice, ...]]] = field(default_factory=list)
    failures: list[tuple[int, tuple[Choice, ...]]] = field(default_factory=list)
    asleep: bool = False  # it has runs, and all of them sleep


def read(lines: Iterable[str]) -> list[StoredExpansion]:
    """The expansions that a verifier wrote, in their order."""
    expansions: list[StoredExpansion] = []
    for line in lines:
        kind, *words = line.split()
        match kind:
            case "s":
                expansions.append(
                    StoredExpansion(words[0], int(words[1]) if len(words) > 1 else None)
                )
            case "r":
                expansions[-1].runs.append((words[0], _choices(words[1:])))
            case "x":
                expansions[-1].runs.append((None, _choices(words)))
            case "z":
                expansions[-1].asleep = True
            case "f":
                expansions[-1].failures.append((int(words[0]), _choices(words[1:])))
            case _:
                raise Problem(f"a line that says nothing: {line!r}")
    return expansions


def _choices(words: Sequence[str]) -> tuple[Choice, ...]:
    numbers = list(map(int, words))
    return tuple(Choice(*numbers[i : i + 4]) for i in range(0, len(numbers), 4))


class Retraced:
    """Takes runs of the native engine again, with what it merged put back."""

    def __init__(self, semantics: Semantics, merging: Merging) -> None:
        self.semantics = semantics
        self.merging = merging
        self.known: dict[State, dict[Choice, Step]] = {}

    def step(self, state: State, choice: Choice) -> Step:
        steps = self.known.get(state)
        if steps is None:
            steps = {Choice.of(step): step for step in self.semantics.steps(state)}
            self.known[state] = steps
        if choice not in steps:
            raise Problem(f"a step that the program does not have: {choice}")
        return steps[choice]

    def steps(self, state: State, choices: Sequence[Choice], *, whole: bool) -> list[Step]:
        """The steps of a run; what is merged behind the last one only if `whole`."""
        taken: list[Step] = []
        for position, choice in enumerate(choices):
            step = self.step(state, choice)
            taken.append(step)
            if step.state is None:
                if position < len(choices) - 1:
                    raise Problem(f"a run goes on behind a fault: {choice}")
                break
            before, state = state, step.state
            if position == len(choices) - 1 and not whole:
                break
            pid, transition = step.partner or (step.pid, step.transition)
            process = self.semantics.program.processes[before.processes[pid][TYPE]]
            for merged in self.merging.chain(process, transition):
                step = self.step(state, Choice(pid, merged.number))
                taken.append(step)
                assert step.state is not None
                state = step.state
        return taken

    def end(self, steps: Sequence[Step]) -> State:
        """Where a run ends: an atomic sequence that blocks has given up control."""
        state = steps[-1].state
        if state is None:
            raise Problem("a run ends in a fault, and was stored as one that goes on")
        if state.holder != NOBODY and not self.semantics.steps_of_holder(state):
            return state._replace(holder=NOBODY)
        return state


def stored_graph(
    semantics: Semantics,
    view: View,
    merging: Merging,
    kinds: Sequence[str],
    sources: Sequence[StoredExpansion],
) -> AuditedGraph:
    """The graph of what was stored; `kinds` are those of the sites. Problem if it is none."""
    if not sources:
        raise Problem("nothing was expanded")
    audited, retraced = AuditedGraph(), Retraced(semantics, merging)
    graph = audited.graph
    nodes = {sources[0].state: graph.add(view.label(semantics.initial()))}
    states = {0: semantics.initial()}
    by_state: dict[str, list[StoredExpansion]] = {}
    for source in sources:
        by_state.setdefault(source.state, []).append(source)
    for name, node in (waiting := list(nodes.items())):
        if name not in by_state:
            raise Problem("a state was stored and never expanded")
        state = states[node]
        walked = audited.walked.setdefault(state, [])
        for source in by_state[name]:
            if source.letter is not None and source.letter != view.letter(state):
                raise Problem(f"letter {source.letter:b} where it is {view.letter(state):b}")
            for number, choices in source.failures:
                last = retraced.steps(state, choices, whole=False)[-1]
                kind = "limit" if kinds[number] == "capacity" else kinds[number]
                audited.failures.add(site(kind, last))
            for target, choices in source.runs:
                steps = retraced.steps(state, choices, whole=target is not None)
                audited.taken |= transitions(steps)
                walked.append(tuple(steps))
                if target is None:
                    stopped = [state, *(s.state for s in steps if s.state is not None)][-1]
                    add_fault(graph, node, view.label(stopped._replace(holder=NOBODY)))
                    continue
                after = retraced.end(steps)
                if target not in nodes:
                    nodes[target] = graph.add(view.label(after))
                    states[nodes[target]] = after
                    waiting.append((target, nodes[target]))
                if place(after) != place(states[nodes[target]]):
                    raise Problem("one stored state stands for two places of the program")
                graph.edges[node].add(nodes[target])
        if not any(source.runs or source.asleep for source in by_state[name]):
            if semantics.steps(state):
                raise Problem("a state was stored as an end, and has steps")
            graph.stops[node].add(view.stop(state))
            audited.ends.add(place(state))
    if len(nodes) < len(by_state):
        raise Problem("a state was expanded that no run leads to")
    return audited
