"""The full graph of a program by the reference semantics, and what an audit sees of its states.

Nothing is merged, reset or reduced here: every run of every state is an edge. What is between two
states is a run (`program.atomic`): one step, or an atomic sequence, which no property looks into.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from whorl.audit.traces import Difference, Label, TraceGraph
from whorl.program.atomic import Run, runs
from whorl.program.semantics import Semantics, Step
from whorl.program.state import LOCATION, PID, PRIORITY, TYPE, State
from whorl.property.claim import Claim
from whorl.property.reading import Letters, is_at_label

END, INVALID_END, FAULT = "stops", "stops in an invalid end state", "ends in a fault"

Site = tuple[str, int, int, int, int]  # what fails, by whom, at which transition; who receives
Place = tuple[object, ...]


class TooLarge(Exception):
    """There are more states than the limit."""


@dataclass(slots=True)
class AuditedGraph:
    """A graph, and what is wrong in it.

    `ends` are the states in which nothing can move, without the processes' own variables, which
    need not be kept; `taken` the numbers of the transitions that were taken. `walked` has the
    states that were expanded, with the runs that were taken there; `Full` has those of all states.
    """

    graph: TraceGraph = field(default_factory=TraceGraph)
    failures: set[Site] = field(default_factory=set)
    ends: set[Place] = field(default_factory=set)
    taken: set[int] = field(default_factory=set)
    walked: dict[State, list[tuple[Step, ...]]] = field(default_factory=dict)


class View:
    """What is seen of a state: the claim's letter, and accept labels where they count.

    `slots` are global slots that are seen, too. A reduction does not know of it, so nothing that it
    could leave out may change them.
    """

    def __init__(self, semantics: Semantics, claim: Claim, slots: tuple[int, ...] = ()) -> None:
        self.semantics = semantics
        self.claim = claim
        self.letters = Letters(semantics, claim)
        self.slots = slots

    def label(self, state: State) -> Label:
        accepting = self.claim.program_accepts and is_at_label(
            self.semantics.program, state, "accept"
        )
        return self.letter(state), accepting, *(state.globals[slot] for slot in self.slots)

    def letter(self, state: State) -> int:
        return self.letters.all(state)[0]

    def stop(self, state: State) -> str:
        return END if self.semantics.is_valid_end(state) else INVALID_END


def place(state: State) -> Place:
    """All of a state but the processes' own variables, which may be dead."""
    processes = tuple((r[PID], r[TYPE], r[LOCATION], r[PRIORITY]) for r in state.processes)
    channels, holder, last, monitor = state.channels, state.holder, state.last, state.monitor
    return state.globals, processes, channels, holder, last, monitor


def failures(steps: Iterable[Step]) -> set[Site]:
    return {site(failure.kind, step) for step in steps for failure in step.failures}


def site(kind: str, step: Step) -> Site:
    pid, number = (-1, -1) if step.partner is None else (step.partner[0], step.partner[1].number)
    return kind, step.pid, step.transition.number, pid, number


def transitions(steps: Iterable[Step]) -> set[int]:
    numbers = {step.transition.number for step in steps}
    return numbers | {s.partner[1].number for s in steps if s.partner is not None}


def add_fault(graph: TraceGraph, node: int, label: Label) -> None:
    """A run from `node` that ends in a fault, where a state with this label is the last."""
    if label == graph.labels[node]:
        graph.stops[node].add(FAULT)
        return
    last = graph.add(label)  # in the middle of an atomic sequence
    graph.stops[last].add(FAULT)
    graph.edges[node].add(last)


@dataclass(slots=True)
class Full:
    """The full graph, with the states of its nodes and the runs between them."""

    found: AuditedGraph
    states: list[State]
    runs: dict[int, list[tuple[Run, int | None]]]  # of each node: the runs, and where they lead

    @property
    def room(self) -> tuple[int, int]:
        """The most processes and channels that there are at a time."""
        return max(len(s.processes) for s in self.states), max(len(s.channels) for s in self.states)

    def run(self, wanted: Difference) -> list[Step]:
        """The steps of a run with such a trace: a shortest one, up to where its last label begins.

        Breadth first over the nodes, each with how many labels of the trace have been met.
        """
        labels, graph = wanted.labels, self.found.graph
        before: dict[tuple[int, int], tuple[tuple[int, int], Run] | None] = {(0, 1): None}
        waiting = list(before)
        for at in waiting:
            node, met = at
            if met == len(labels):
                break
            for run, target in self.runs[node]:
                if target is None or graph.labels[target] not in labels[met - 1 : met + 1]:
                    continue
                after = target, met + (graph.labels[target] == labels[met])
                if after not in before:
                    before[after] = at, run
                    waiting.append(after)
        pieces: list[Run] = []
        while (origin := before[at]) is not None:
            at, run = origin
            pieces.append(run)
        return [step for run in reversed(pieces) for step in run.steps]


def full_graph(semantics: Semantics, view: View, most: int) -> Full:
    """Every state and every run of a program; TooLarge if there are more than `most` states."""
    audited = AuditedGraph()
    graph = audited.graph
    first = semantics.initial()
    known = {first: graph.add(view.label(first))}
    states, edges = [first], dict[int, list[tuple[Run, int | None]]]()
    for state in states:
        node = known[state]
        edges[node] = []
        for run in runs(semantics, state):
            audited.failures |= failures(run.steps)
            audited.taken |= transitions(run.steps)
            if run.state is None:
                add_fault(graph, node, view.label(run.end(state)))
                edges[node].append((run, None))
                continue
            target = known.get(run.state)
            if target is None:
                if len(states) == most:
                    raise TooLarge
                target = known[run.state] = graph.add(view.label(run.state))
                states.append(run.state)
            graph.edges[node].add(target)
            edges[node].append((run, target))
        if not edges[node]:
            graph.stops[node].add(view.stop(state))
            audited.ends.add(place(state))
    return Full(audited, states, edges)
