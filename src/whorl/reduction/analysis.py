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

from collections.abc import Iterable, Iterator
from functools import cached_property, partial
from typing import TYPE_CHECKING

from whorl.program.parts import parts
from whorl.program.program import (
    Builtin,
    ChannelQuery,
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
from whorl.program.state import (
    LOCALS,
    LOCATION,
    NOBODY,
    PID,
    TYPE,
    Fault,
    Record,
    State,
    WorkingState,
)
from whorl.reduction.accesses import (
    EVERYTHING,
    Access,
    Accesses,
    OwnCells,
    Template,
    asked_of_ends,
    looking_at_all,
)
from whorl.reduction.cells import Cells
from whorl.reduction.fixed import Fixed
from whorl.reduction.footprint import (
    NOTHING,
    Footprint,
    Mode,
    bits_in,
    union,
    union_of,
    visible,
)
from whorl.reduction.gather import gather
from whorl.reduction.runs import Chain, Runs, going_on
from whorl.reduction.secured import secured

if TYPE_CHECKING:
    from whorl.reduction.candidates import Situation
    from whorl.reduction.enabling import Enabling
    from whorl.reduction.spin_rule import SpinRule

Node = tuple[int, int]  # a process type and a location
Signature = tuple[int, ...]


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
        self.runs = Runs(chain)
        atoms = tuple(atoms)
        self.cells = Cells(self.program, atoms)
        self.fixed = Fixed(self.program)
        self.fixed_locals = [sorted(slots) for slots in self.fixed.locals]
        self.accesses = Accesses(self.program, self.cells, self.fixed)
        self.start = WorkingState(semantics.initial())
        self.nodes = self.cells.nodes
        self.uses_timeout = Builtin("timeout") in self.nodes
        self.transitions = {t.way: t for p in self.program.processes for t in p.transitions()}
        self.process_of = {t.way: p for p in self.program.processes for t in p.transitions()}
        self.starts = {
            way: {node.process for node in parts(t) if isinstance(node, RunProcess)}
            for way, t in (self.transitions.items() if self.cells.started else ())
        }
        self.guard: dict[Way, Template] = {}
        self.own: dict[Way, Template] = {}  # of a transition by itself
        self._not_alone: dict[tuple[int, int, int], Template] = {}
        for process in self.program.processes:
            for transition in process.transitions():
                context = self._context(process, transition)
                guard = frozenset(self.accesses.guard(transition.action, process))
                own = frozenset(self._own(process, transition))
                self.guard[transition.way] = guard | context
                self.own[transition.way] = own | context
        self.situations: dict[State, Situation] = {}  # some of them (candidates.py)
        self._ahead: dict[Node, frozenset[Way]] = {}
        self._inner: dict[Way, Template] = {}
        self._resolved: dict[tuple[bool, Way, Signature], Footprint] = {}
        self._inside: dict[Signature, dict[int, Footprint]] = {}
        self._futures: dict[Signature, dict[int, Footprint]] = {}
        self._lives: dict[tuple[Signature, int], Footprint] = {}
        self._started: dict[int, dict[int, int]] = {}
        self._begun: dict[int, Footprint] = {}
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

    @cached_property
    def spin_rule(self) -> SpinRule:
        """Where Spin would let a process go first."""
        from whorl.reduction.spin_rule import SpinRule

        return SpinRule(self.program)

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

    def _context(self, process: ProcessType, transition: Transition) -> Template:
        """What decides whether it is executable beside the action itself: siblings that come
        first, and `provided`.
        """
        accesses = self._before(process, transition)
        if process.provided is not None:
            accesses |= frozenset(self.accesses.expr(process.provided, process))
        return accesses

    def _before(self, process: ProcessType, transition: Transition) -> Template:
        siblings = process.locations[transition.source]
        if is_otherwise(transition):
            return self._none_ready(process, (t for t in siblings if t is not transition))
        key = process.index, transition.source, transition.escape
        known = self._not_alone.get(key)
        if known is None:
            others = (t for t in siblings if t.escape != transition.escape)
            known = self._not_alone[key] = self._none_ready(process, others)
        return known

    def _none_ready(self, process: ProcessType, siblings: Iterable[Transition]) -> Template:
        return frozenset(a for t in siblings for a in self.accesses.not_ready(t.action, process))

    def _own(self, process: ProcessType, transition: Transition) -> Iterator[Access]:
        yield from self.accesses.whole(transition.action, process)
        yield from self.accesses.moving(process, transition.source, transition.target)

    def inner(self, process: ProcessType, transition: Transition) -> Template:
        """What a transition touches that another one began the run of: it cannot wait."""
        known = self._inner.get(transition.way)
        if known is None:
            own = map(looking_at_all, self.own[transition.way])
            not_ready = self.accesses.not_ready(transition.action, process)
            known = self._inner[transition.way] = frozenset((*own, *not_ready))
        return known

    def target(self, process: ProcessType, transition: Transition) -> int:
        """Where a transition leads with its chain."""
        return self.runs.taken(process, transition)[-1].target

    # --- futures ---------------------------------------------------------------------------------

    def ahead(self, node: Node) -> frozenset[Way]:
        """What a process can still take from `node`."""
        known = self._ahead.get(node)
        if known is None:
            known = self._ahead[node] = reachable(self.program.processes[node[0]], node[1])
        return known

    def future(self, record: Record) -> Footprint:
        """What the process can still touch."""
        return self.future_at((record[TYPE], record[LOCATION]), record)

    def future_at(self, node: Node, record: Record | None) -> Footprint:
        """What a process can still touch from `node`, and those that it can start; without a
        record, any process of the type.
        """
        index, location = node
        key = self._key(index, record)
        known = self._futures.get(key)
        if known is None:
            known = self._futures[key] = self._all_futures(self.program.processes[index], record)
        return known.get(location, NOTHING)

    def _all_futures(self, process: ProcessType, record: Record | None) -> dict[int, Footprint]:
        def own(location: int) -> Footprint:
            return union_of(self.touched(t.way, record) for t in going_on(process, location))

        footprints = gather(process.locations, partial(targets, process), own, NOTHING)
        from_there = self.started_from(process)
        touched = {types: self.begun_together(types) for types in set(from_there.values())}
        return {
            location: footprints[location] | touched[from_there[location]]
            for location in footprints
        }

    def life_at(self, node: Node, record: Record | None) -> Footprint:
        """What the process touches at any time, before it came to `node`, too, and those that it
        can still start; without a record, any process of the type.
        """
        index, location = node
        key = self._key(index, record), location
        known = self._lives.get(key)
        if known is None:
            process = self.program.processes[index]
            own = union_of(self.touched(t.way, record) for t in process.transitions())
            from_there = self.started_from(process).get(location, 0)
            known = self._lives[key] = own | self.begun_together(from_there)
        return known

    def begun_together(self, types: int) -> Footprint:
        """What processes of some types may touch, and all that they start."""
        return union_of(map(self.begun, bits_in(self.starting(types))))

    def begun(self, index: int) -> Footprint:
        """What a process of a type that is started may touch, those that it starts not included."""
        known = self._begun.get(index)
        if known is None:
            ways = self.ahead((index, self.program.processes[index].start))
            known = self._begun[index] = union_of(self.touched(way, None) for way in ways)
        return known

    def started_from(self, process: ProcessType) -> dict[int, int]:
        """Of each location: the process types that are started behind it, as bits."""
        known = self._started.get(process.index)
        if known is None:

            def own(location: int) -> int:
                return self.started_by(t.way for t in going_on(process, location))

            known = gather(process.locations, partial(targets, process), own, 0)
            self._started[process.index] = known
        return known

    def started_by(self, ways: Iterable[Way]) -> int:
        """The process types that some of these transitions starts, as bits."""
        return union(1 << kind for way in ways for kind in self.starts.get(way, ()))

    def starting(self, types: int) -> int:
        """Some process types and those that they start, and so on."""
        done, waiting = 0, types
        while waiting:
            done |= waiting
            processes = (self.program.processes[index] for index in bits_in(waiting))
            waiting = union(self.started_from(p).get(p.start, 0) for p in processes) & ~done
        return done

    # --- for one process -------------------------------------------------------------------------

    def signature(self, record: Record) -> Signature:
        """What is fixed about a process as long as it lives."""
        own = self.fixed_locals[record[TYPE]]
        return (record[PID], record[TYPE], *[record[LOCALS + slot] for slot in own])

    def _key(self, index: int, record: Record | None) -> Signature:
        return (NOBODY, index) if record is None else self.signature(record)

    def touched(self, way: Way, record: Record | None) -> Footprint:
        """What the run of process `record` may touch that begins with this transition; without
        one, that of any process.
        """
        process = self.process_of[way]
        key = True, way, self._key(process.index, record)
        known = self._resolved.get(key)
        if known is None:
            transition = self.transitions[way]
            known = self.resolve(self.own[way], record)
            named = partial(self.named, process, record)
            sure = secured(process, transition, self.runs, named, self.accesses.has_rendezvous)
            for inner in self.runs.region(process, transition)[1:] if sure else ():
                template = self.own[inner.way] if inner.way in sure else self.inner(process, inner)
                known |= self.resolve(template, record)
            if not sure:
                for inner in self.runs.taken(process, transition)[1:]:
                    known |= self.resolve(self.inner(process, inner), record)
                for location in self.runs.kept(process, transition):
                    known |= self.inside(process, location, record)
            self._resolved[key] = known
        return known

    def named(self, process: ProcessType, record: Record | None, channel: Expr) -> int:
        """The channels that an expression may name in process `record`, as bits."""
        *_, access = self.accesses.channel(channel, process, Mode.QUERY)
        return self.resolve(frozenset((access,)), record).queries

    def inside(self, process: ProcessType, location: int, record: Record | None) -> Footprint:
        """What a run may still touch from a location at which the process has kept control."""
        key = self._key(process.index, record)
        known = self._inside.get(key)
        if known is None:
            known = self._inside[key] = self.runs.gather(
                process, lambda inner: self.resolve(self.inner(process, inner), record), NOTHING
            )
        return known[location]

    def waited_for(self, way: Way, record: Record | None) -> Footprint:
        """What decides whether process `record` can take this transition."""
        key = False, way, self._key(self.process_of[way].index, record)
        known = self._resolved.get(key)
        if known is None:
            known = self._resolved[key] = self.resolve(self.guard[way], record)
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
        everything = 0  # what is written counts all the same: a property may see it
        for access in template:
            if access == EVERYTHING:
                everything = 1
                continue
            narrowed = access.bits
            if record is not None and access.narrow is not None:
                narrowed = self._narrowed(access, record)
            bits[access.mode] |= narrowed
        return Footprint(*bits)._replace(everything=everything)

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
        other end. A guard that does not hold stays so if that is not for want of them. A handshake
        has no such condition.
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
        elif isinstance(action, Guard) and not enabled:
            asked = list(asked_of_ends(action.condition))
            return bool(asked) and all(self._lasts(state, record, query) for query in asked)
        return enabled

    def _lasts(self, state: State, record: Record, query: ChannelQuery | PollQuery) -> bool:
        """Whether moves at the other end of its channel leave the answer to a query as it is."""
        channel = self._channel(state, record, query.channel)
        if channel is None:
            return False
        held = len(state.channels[channel].messages)
        if isinstance(query, ChannelQuery) and query.query == "nfull":
            capacity = self._capacity(state, channel)
            return capacity == 0 or held < capacity  # a rendezvous channel is never full
        return held > 0

    def _channel(self, state: State, record: Record, expr: Expr) -> int | None:
        try:
            return self.semantics.evaluator.channel(expr, None)(WorkingState(state), record)
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


def targets(process: ProcessType, location: int) -> list[int]:
    return [transition.target for transition in going_on(process, location)]


def reachable(process: ProcessType, location: int) -> frozenset[Way]:
    """The transitions that the process can still take, up to those that wait for a timeout."""
    ways: set[Way] = set()
    met: set[int] = set()
    waiting = [location]
    while waiting:
        at = waiting.pop()
        if at not in met:
            met.add(at)
            ways.update(transition.way for transition in going_on(process, at))
            waiting += targets(process, at)
    return frozenset(ways)
