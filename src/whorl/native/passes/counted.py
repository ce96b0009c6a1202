"""Counted loops: steps of an atomic sequence that cannot be on a round of states.

A step that counts a local variable up is on none if nothing else on the same rounds of the control
flow assigns the variable, and if each of those through the step has a guard that keeps it small: it
would have to be less than it is now, and cannot overflow. So `do :: i < 3 -> ...; i++ od` ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from whorl.program.parts import parts
from whorl.program.program import (
    Assertion,
    BinaryOp,
    Const,
    Expr,
    Guard,
    Load,
    Otherwise,
    Output,
    Place,
    ReceiveAction,
    Region,
    SendAction,
    Skip,
    Store,
    Transition,
)
from whorl.property.components import components

Node = tuple[int, int]
# A step, from where to where, and the transitions that it takes; none if it is not known by these.
Step = tuple[Node, Node, tuple[Transition, ...]]


def without_counting(steps: Iterable[Step]) -> list[Step]:
    """The steps that may be on a round of states, as far as counted loops tell."""
    left = list(steps)
    while True:
        gone = [step for inner in _rounds(left) for step in _counting(inner)]
        if not gone:
            return left
        left = [step for step in left if not any(step is other for other in gone)]


def around(steps: Iterable[Step]) -> set[Node]:
    """The nodes on a round of steps."""
    return {source for inner in _rounds(steps) for source, _, _ in inner}


def _rounds(steps: Iterable[Step]) -> Iterator[list[Step]]:
    """For each component of the control flow, the steps inside it."""
    following: dict[Node, list[Step]] = {}
    for step in steps:
        following.setdefault(step[0], []).append(step)
    for component in components(
        following, lambda at: [target for _, target, _ in following.get(at, ())]
    ):
        members = set(component)
        inner = [s for node in component for s in following.get(node, ()) if s[1] in members]
        if inner:
            yield inner


def _counting(inner: Sequence[Step]) -> list[Step]:
    """Of the steps inside a component, some that count up what only counts up and is bounded."""
    if not all(taken for _, _, taken in inner):
        return []
    counted = {slot: place for _, _, taken in inner for slot, place in _counters(taken)}
    for slot, place in counted.items():
        sums = [_added(taken, slot) for _, _, taken in inner]
        bounds = [_bound(taken, slot) for _, _, taken in inner]
        if None in sums:
            continue
        most = max((bound for bound in bounds if bound is not None), default=None)
        limit = (1 << (place.type.width - place.type.signed)) - 1
        if most is None or most + sum(n for n in sums if n) > limit:
            continue
        counting = [step for step, added in zip(inner, sums, strict=True) if added]
        free = [step for step, bound in zip(inner, bounds, strict=True) if bound is None]
        unbounded = [step for part in _rounds(free) for step in part]
        if not any(step is other for step in counting for other in unbounded):
            return counting
    return []


def _counters(taken: Iterable[Transition]) -> Iterator[tuple[int, Place]]:
    for transition in taken:
        action = transition.action
        if isinstance(action, Store) and action.place.region is Region.LOCAL:
            yield action.place.offset, action.place


def _added(taken: Iterable[Transition], slot: int) -> int | None:
    """By how much some transitions count a local variable up; None: they may do anything to it."""
    total = 0
    for transition in taken:
        match transition.action:
            case Store(place, value) if _is_local(place, slot):
                match value:
                    case BinaryOp("+", Load(read), Const(more)) if read == place and more > 0:
                        total += more
                    case _:
                        return None
            case Store() | Guard() | Otherwise() | Skip() | Assertion() | Output() | SendAction():
                pass
            case ReceiveAction() as receive if not any(
                isinstance(node, Place) and _is_local(node, slot) for node in parts(receive)
            ):
                pass
            case _:
                return None
    return total


def _bound(taken: Sequence[Transition], slot: int) -> int | None:
    """What a local variable is at most when some transitions are begun, if a guard tells."""
    action = taken[0].action
    match action.condition if isinstance(action, Guard) else None:
        case BinaryOp("<" | "<=", Load(place), most) if _is_local(place, slot):
            return _constant(most)
    return None


def _constant(expr: Expr) -> int | None:
    """The value of an expression like N - 1."""
    match expr:
        case Const(value):
            return value
        case BinaryOp("+" | "-" as operator, left, right):
            first, second = _constant(left), _constant(right)
            if first is None or second is None:
                return None
            return first + second if operator == "+" else first - second
    return None


def _is_local(place: Place, slot: int) -> bool:
    return place.region is Region.LOCAL and place.offset == slot and not place.indices
