"""The analysis of a program: footprints of transitions, and of all that a process can still do.

What is analysed is the *run* that a transition begins (program/atomic.py): one step, or all of an
atomic sequence that may follow while control is kept. For each location there is

- `guard` of each transition: what decides whether it is executable;
- `whole`: what its run may touch;
- `future`: what every run that the process can still make from there may touch, runs of processes
  that it can start included. A transition that waits for a timeout ends the future: it is taken
  only where nothing else can be, so not before those that are compared with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from whorl.program.parts import parts
from whorl.program.program import (
    Builtin,
    DStep,
    Expr,
    Guard,
    Otherwise,
    Place,
    PollQuery,
    ProcessType,
    ReceiveAction,
    RunProcess,
    SendAction,
    Transition,
    Way,
)
from whorl.program.semantics import Semantics
from whorl.program.state import LOCALS, LOCATION, PID, TYPE, Fault, Record, State, Store
from whorl.reduction.accesses import (
    EVERYTHING,
    Access,
    Accesses,
    OwnCells,
    Template,
    looking_at_all,
    needs_timeout,
)
from whorl.reduction.cells import Cells, nodes
from whorl.reduction.fixed import Fixed
from whorl.reduction.footprint import NOTHING, Footprint, Mode, visible

if TYPE_CHECKING:
    from whorl.reduction.enabling import Enabling

Node = tuple[int, int]  # a process type and a location
Chain = Callable[[ProcessType, Transition], Sequence[Transition]]


class Analysis:
    """What both engines know about a program before they run it.

    `atoms` are the expressions of the property's propositions; `accepts`: whether accept labels
    count, that is whether the claim is Claim.program_accepts. `chain`: the transitions that an
    engine takes together with one, without a state between.
    """

    def __init__(
        self,
        semantics: Semantics,
        atoms: Iterable[Expr] = (),
        accepts: bool = False,
        chain: Chain = lambda process, transition: (),
    ) -> None:
        self.semantics = semantics
        self.program = semantics.program
        self.chain = chain
        atoms = tuple(atoms)
        self.cells = Cells(self.program, atoms)
        self.fixed = Fixed(self.program)
        self.fixed_locals = [sorted(slots) for slots in self.fixed.locals]
        self.accesses = Accesses(self.program, self.cells, self.fixed)
        self.start = Store(semantics.initial())
        self.nodes = tuple(nodes(self.program))
        self.uses_timeout = Builtin("timeout") in self.nodes
        self.transitions = {t.way: t for p in self.program.processes for t in p.transitions()}
        self.starts = {
            way: {node.process for node in parts(t) if isinstance(node, RunProcess)}
            for way, t in self.transitions.items()
        }
        self.guard: dict[Way, Template] = {}
        self.whole: dict[Way, Template] = {}
        for process in self.program.processes:
            for transition in process.transitions():
                self.guard[transition.way] = frozenset(self._guard(process, transition))
                self.whole[transition.way] = frozenset(self._whole(process, transition))
        self._after: dict[Node, tuple[frozenset[Way], Footprint]] = {}
        self._resolved: dict[tuple[bool, Way, tuple[int, ...]], Footprint] = {}
        self._futures: dict[tuple[Node, tuple[int, ...]], Footprint] = {}
        self._unions: dict[tuple[frozenset[Way], tuple[int, ...]], Footprint] = {}
        self._of_any: dict[Template, Footprint] = {}
        read = {a for atom in atoms for a in self.accesses.expr(atom, None)}
        self.property = self.resolve(frozenset(read), None)
        if accepts:
            self.property |= Footprint(reads=self.cells.accept)

    @cached_property
    def enabling(self) -> Enabling:
        """What may make transitions executable, for stubborn sets."""
        from whorl.reduction.enabling import Enabling

        return Enabling(self)

    @property
    def nothing_reducible(self) -> str | None:
        """Why no state of the program can be reduced at all, if that is so."""
        if self.program.embedded is not None:
            return "the model has embedded C"
        if self.program.uses_priorities:
            return "with priorities, each step may let another process move or hold it up"
        if self.program.uses_last:
            return "_last is changed by every step"
        if self.property.everything:
            return "the property may notice any step"
        return None

    # --- transitions -----------------------------------------------------------------------------

    def _guard(self, process: ProcessType, transition: Transition) -> Iterator[Access]:
        """What decides whether `transition` is executable."""
        yield from self.accesses.guard(transition.action, process)
        yield from self._context(process, transition)

    def _context(self, process: ProcessType, transition: Transition) -> Iterator[Access]:
        """What decides it beside the action itself: siblings that come first, and `provided`."""
        otherwise = is_otherwise(transition)
        for sibling in process.locations[transition.source]:
            if sibling is not transition and (otherwise or sibling.escape != transition.escape):
                yield from self.accesses.not_ready(sibling.action, process)
        if process.provided is not None:
            yield from self.accesses.expr(process.provided, process)

    def _whole(self, process: ProcessType, transition: Transition) -> Iterator[Access]:
        """What the run that `transition` begins may touch."""
        yield from self._own(process, transition)
        for inner in self.region(process, transition)[1:]:
            yield from map(looking_at_all, self._own(process, inner))
            yield from self.accesses.not_ready(inner.action, process)

    def _own(self, process: ProcessType, transition: Transition) -> Iterator[Access]:
        yield from self.accesses.whole(transition.action, process)
        yield from self.accesses.moving(process, transition.source, transition.target)
        yield from self._context(process, transition)

    def region(self, process: ProcessType, transition: Transition) -> list[Transition]:
        """What the run that `transition` begins may execute in its process, `transition` first.

        The rest may come again in a loop, and then `transition` does too.
        """
        found: list[Transition] = []
        met: set[int] = set()
        waiting = self._onward(process, transition, found)
        while waiting:
            location = waiting.pop()
            if location in met:
                continue
            met.add(location)
            for inner in process.locations.get(location, ()):
                if not needs_timeout(inner.action):
                    waiting += self._onward(process, inner, found)
        return found

    def _onward(
        self, process: ProcessType, transition: Transition, found: list[Transition]
    ) -> list[int]:
        """Adds a transition with its chain to those found; where control is kept after it."""
        together = [transition, *self.chain(process, transition)]
        found += together
        return [together[-1].target] if together[-1].atomic else []

    def target(self, process: ProcessType, transition: Transition) -> int:
        """Where a transition leads with its chain."""
        return ([transition, *self.chain(process, transition)])[-1].target

    # --- futures ---------------------------------------------------------------------------------

    def after(self, node: Node) -> tuple[frozenset[Way], Footprint]:
        """What a process can still take from `node`, and what may be touched by the processes that
        it can start.
        """
        known = self._after.get(node)
        if known is None:
            kind = self.program.processes[node[0]]
            own = reachable(kind, node[1])
            started: set[Way] = set()
            waiting = self.started_types(own)
            done: set[int] = set()
            while waiting:
                index = waiting.pop()
                done.add(index)
                process = self.program.processes[index]
                found = reachable(process, process.start)
                started |= found
                waiting |= self.started_types(found) - done
            footprint = NOTHING
            for way in started:
                footprint |= self.resolve(self.whole[way], None)
            known = self._after[node] = own, footprint
        return known

    def future(self, record: Record) -> Footprint:
        """What the process can still touch."""
        node = record[TYPE], record[LOCATION]
        key = node, self.signature(record)
        known = self._futures.get(key)
        if known is None:
            own, started = self.after(node)
            known = self._futures[key] = started | self._together(own, record)
        return known

    def _together(self, ways: frozenset[Way], record: Record) -> Footprint:
        """What some transitions of a process may touch: the same from all places of a loop."""
        key = ways, self.signature(record)
        known = self._unions.get(key)
        if known is None:
            known = NOTHING
            for way in ways:
                known |= self.touched(way, record)
            self._unions[key] = known
        return known

    def started_types(self, ways: Iterable[Way]) -> set[int]:
        """The process types that some of these transitions starts."""
        return {kind for way in ways for kind in self.starts[way]}

    # --- for one process -------------------------------------------------------------------------

    def signature(self, record: Record) -> tuple[int, ...]:
        """What is fixed about a process as long as it lives."""
        own = self.fixed_locals[record[TYPE]]
        return (record[PID], record[TYPE], *[record[LOCALS + slot] for slot in own])

    def touched(self, way: Way, record: Record) -> Footprint:
        """What the run of process `record` may touch that begins with this transition."""
        return self._footprint(True, way, record)

    def waited_for(self, way: Way, record: Record) -> Footprint:
        """What decides whether process `record` can take this transition."""
        return self._footprint(False, way, record)

    def _footprint(self, whole: bool, way: Way, record: Record) -> Footprint:
        key = whole, way, self.signature(record)
        known = self._resolved.get(key)
        if known is None:
            template = self.whole[way] if whole else self.guard[way]
            known = self._resolved[key] = self.resolve(template, record)
        return known

    def resolve(self, template: Template, record: Record | None) -> Footprint:
        """What the accesses are for a process; without one, for any."""
        if record is not None:
            return self._resolve(template, record)
        known = self._of_any.get(template)
        if known is None:
            known = self._of_any[template] = self._resolve(template, None)
        return known

    def _resolve(self, template: Template, record: Record | None) -> Footprint:
        bits = [0] * len(Mode)
        for access in template:
            if access == EVERYTHING:
                return Footprint(everything=1)
            narrowed = access.bits
            if record is not None and access.narrow is not None:
                narrowed = self._narrowed(access, record)
            bits[access.mode] |= narrowed
        return Footprint(*bits)

    def _narrowed(self, access: Access, record: Record) -> int:
        narrow = access.narrow
        assert narrow is not None
        if isinstance(narrow, OwnCells):
            own = [b for watched, b in narrow.cells if watched.concerns(record[TYPE], record[PID])]
            return sum(own)
        evaluator = self.semantics.evaluator
        try:
            if isinstance(narrow, Place):
                slot = evaluator.offset(narrow)
                number = slot if isinstance(slot, int) else slot(self.start, record)
            else:
                number = evaluator.value(narrow)(self.start, record)
        except Fault:  # the step itself will be one
            return access.bits
        return 1 << number if number > 0 or isinstance(narrow, Place) else access.bits

    def is_visible(self, transition: Transition, record: Record) -> bool:
        """Whether the run that `transition` begins may change a proposition (not C2)."""
        return visible(self.touched(transition.way, record), self.property)

    # --- in one state ----------------------------------------------------------------------------

    def stays_as_it_is(
        self, state: State, record: Record, transition: Transition, enabled: bool
    ) -> bool:
        """Whether moves at the other ends of its channels leave `transition` executable, or not.

        The "safe execution condition" of the Two phase paper: for a send, that the channel is not
        full; for a receive, that it is not empty. Both last as long as the others move only at the
        other end. A handshake has no such condition.
        """
        action = transition.action
        if isinstance(action, DStep):
            entry = action.locations.get(action.entry, ())
            action = entry[0].action if len(entry) == 1 else action
        if isinstance(action, SendAction | ReceiveAction):
            channel = self._channel(state, record, action.channel)
            if channel is None or self._capacity(state, channel) == 0:
                return False
            if isinstance(action, ReceiveAction) and not action.random:
                return bool(state.channels[channel].messages)
        elif isinstance(action, Guard) and isinstance(action.condition, PollQuery):
            channel = self._channel(state, record, action.condition.channel)
            if channel is not None and not action.condition.random:
                return bool(state.channels[channel].messages)
        return enabled

    def _channel(self, state: State, record: Record, expr: Expr) -> int | None:
        try:
            return self.semantics.evaluator.channel(expr, None)(Store(state), record)
        except Fault:
            return None

    def _capacity(self, state: State, channel: int) -> int:
        return self.program.channel_types[state.channels[channel].type].capacity

    def channel_of(self, state: State, record: Record, expr: Expr) -> tuple[int, int, int] | None:
        """Of the channel that `expr` names: its messages, its room, and its bit in footprints."""
        channel = self._channel(state, record, expr)
        if channel is None:
            return None
        messages = state.channels[channel].messages
        return len(messages), self._capacity(state, channel), 1 << (channel + 1)


def is_otherwise(transition: Transition) -> bool:
    """Whether it is an else, or a d_step that begins with one."""
    action = transition.action
    return isinstance(action, Otherwise) or (
        isinstance(action, DStep) and action.guards[:1] == (Otherwise(),)
    )


def reachable(process: ProcessType, location: int) -> frozenset[Way]:
    """The transitions that the process can still take, up to those that wait for a timeout."""
    found: set[Way] = set()
    met: set[int] = set()
    waiting = [location]
    while waiting:
        at = waiting.pop()
        if at in met:
            continue
        met.add(at)
        for transition in process.locations.get(at, ()):
            if not needs_timeout(transition.action):
                found.add(transition.way)
                waiting.append(transition.target)
    return frozenset(found)
