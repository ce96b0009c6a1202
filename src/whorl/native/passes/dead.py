"""Dead variables: a local variable that is written before it is read again is set to 0.

A slot of a process is dead at a location if no path from there reads it before writing it. States
that differ in dead slots alone are bisimilar: they allow the same steps, faults and failures, and
lead to states that again differ in dead slots alone. So one of them is enough, for every property
that cannot see the slot; what remote references and propositions name, and what a `provided` clause
reads, is never dead. Spin does the same by default. Every state that is made keeps the invariant
that dead slots are 0; a step has to make it true again for the process that moved only.

With `faint`, a value that goes into a dead slot only does not count as read: a counter that nobody
looks at is dead, too, though it reads itself. That is right for the same reason, but a cycle of
states is then no cycle of the program until the counter has come round, if it ever does. Without
it, a cycle that is gone through a second time comes back to exactly the same values: what it writes
it computes from live slots, which are the same in each round.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from whorl.program.parts import parts, program_parts
from whorl.program.program import (
    Action,
    Assertion,
    BinaryOp,
    Builtin,
    ChangePriority,
    Const,
    DStep,
    Expr,
    Guard,
    IfElse,
    Load,
    Otherwise,
    Output,
    Place,
    ProcessType,
    Program,
    ReceiveAction,
    Region,
    RemoteLoad,
    SendAction,
    Skip,
    Store,
    Terminate,
    Transition,
    UnaryOp,
    subexpressions,
)

Slots = frozenset[int]
NONE: Slots = frozenset()
Graph = Mapping[int, tuple[Transition, ...]]


class Liveness:
    """Which slots of a process are live where; all of them everywhere, where `on` is False.

    So they are in process types that are left `alone`.
    """

    def __init__(
        self,
        program: Program,
        on: bool,
        atoms: tuple[Expr, ...] = (),
        *,
        faint: bool = True,
        alone: frozenset[int] = frozenset(),
    ) -> None:
        # C may look at whatever it can name.
        self.on = on and program.embedded is None
        self.faint = faint
        self.live: list[dict[int, Slots]] = []  # by process type and location
        self.always: list[Slots] = []  # by process type: where no transition goes on, too
        if not self.on:
            return
        remote: list[set[int]] = [set() for _ in program.processes]
        for node in (*program_parts(program), *parts(atoms)):
            if isinstance(node, RemoteLoad):
                remote[node.process] |= slots_of(node.place)
        for process in program.processes:
            always = frozenset(remote[process.index])
            if process.provided is not None:
                always |= reads(process.provided)
            if process.index in alone:
                always = frozenset(range(len(process.slots)))
            self.always.append(always)
            self.live.append(self.solve(process.locations, always, always))

    def at(self, process: ProcessType, location: int) -> Slots:
        """The slots that are live at a location."""
        if not self.on:
            return frozenset(range(len(process.slots)))
        return self.live[process.index].get(location, self.always[process.index])

    def solve(self, graph: Graph, always: Slots, behind: Slots) -> dict[int, Slots]:
        """The slots that are live at each location of a graph: the least solution.

        `always` are live at all of them, and `behind` where a transition leaves the graph.
        """
        live = dict.fromkeys(graph, always)
        changed = True
        while changed:
            changed = False
            for location in reversed(list(graph)):
                slots = always.union(
                    *(self.before(t.action, live.get(t.target, behind)) for t in graph[location])
                )
                if slots != live[location]:
                    live[location] = slots
                    changed = True
        return live

    def before(self, action: Action, after: Slots) -> Slots:
        """The slots that are live before an action, where `after` are live behind it."""
        match action:
            case Skip() | Otherwise():
                return after
            case Terminate():
                return NONE
            case Guard(condition) | Assertion(condition):
                return after | reads(condition)
            case Store(place, value):
                unread = place.region is Region.NOWHERE or (
                    self.faint and place.region is Region.LOCAL and not slots_of(place) & after
                )
                value_reads = NONE if unread and not has_effect(value) else reads(value)
                return (after - killed([place])) | index_reads(place) | value_reads
            case Output():
                return after.union(*(reads(a) for a in action.arguments if has_effect(a)))
            case SendAction():
                return after.union(reads(action.channel), *map(reads, action.arguments))
            case ReceiveAction():
                values = [reads(m.value) for m in action.patterns if m.value is not None]
                indices = map(index_reads, targets(action))
                return (after - killed(targets(action))).union(
                    reads(action.channel), *values, *indices
                )
            case ChangePriority():
                return after | reads(action.pid) | reads(action.priority)
            case DStep():
                tested = (self.before(guard, NONE) for guard in action.guards)
                inner = self.solve(action.locations, NONE, after)
                return inner.get(action.entry, after).union(*tested)
        raise AssertionError(f"{type(action).__name__} is C, which may read anything")

    def dies(self, process: ProcessType, taken: Sequence[Transition]) -> list[int]:
        """The slots that may have a value after these transitions, but are dead then."""
        if not self.on:
            return []
        filled = self.at(process, taken[0].source).union(*(written(t.action) for t in taken))
        return sorted(filled - self.at(process, taken[-1].target))

    def dead_at_start(self, process: ProcessType) -> list[int]:
        """The slots to which a process that starts gives a value that nothing reads."""
        if not self.on:
            return []
        filled = {*range(process.parameters), *(i.offset for i in process.initials)}
        return sorted(filled - self.at(process, process.start))


# --- what is read and written --------------------------------------------------------------------


def reads(expr: Expr) -> Slots:
    """The slots of its own process that an expression may read."""
    loads = (part for part in subexpressions(expr) if isinstance(part, Load))
    return NONE.union(*(slots_of(load.place) for load in loads))


def index_reads(place: Place) -> Slots:
    return NONE.union(*(reads(index.value) for index in place.indices))


def slots_of(place: Place) -> Slots:
    """The slots that a place among a process's own variables may be, whatever its indices are."""
    if place.region is not Region.LOCAL:
        return NONE
    slots = {place.offset}
    for index in place.indices:
        slots = {slot + index.stride * i for slot in slots for i in range(index.length)}
    return frozenset(slots)


def targets(action: ReceiveAction) -> list[Place]:
    return [match.target for match in action.patterns if match.target is not None]


def written(action: Action) -> Slots:
    """The slots that an action may write."""
    match action:
        case Store(place, _):
            return slots_of(place)
        case ReceiveAction():
            return NONE.union(*map(slots_of, targets(action)))
        case DStep():
            inner = (t.action for transitions in action.locations.values() for t in transitions)
            return NONE.union(*map(written, inner))
    return NONE


def killed(places: Iterable[Place]) -> Slots:
    """The slots that storing to these places is sure to write."""
    return NONE.union(*(slots_of(place) for place in places if not place.indices))


def has_effect(expr: Expr) -> bool:
    """Whether evaluating an expression may do more than give a value: fault, or start a process."""
    match expr:
        case Const() | Builtin():
            return False
        case Load(place):
            return bool(place.indices)
        case UnaryOp():
            return has_effect(expr.operand)
        case BinaryOp():
            divides = expr.operator in "/%" and not (
                isinstance(expr.right, Const) and expr.right.value > 0
            )
            return divides or has_effect(expr.left) or has_effect(expr.right)
        case IfElse():
            return any(map(has_effect, (expr.condition, expr.yes, expr.no)))
    return True
