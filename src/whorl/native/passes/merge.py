"""Merging: local steps that nobody else can notice are taken together with the step before them.

After a transition, while the process is at a location with a single transition that is always
executable and touches nothing but the process's own variables, that transition is taken at once, as
Spin does by default. It is invisible and independent of all that others do, and chains are acyclic,
so no safety property can tell the difference; there are only fewer states. Nor can a claim whose
language is stutter-invariant, if no proposition of it can see the step (`plan`): what is stored is
always expanded whole, so no process is put off for ever.

A chain never enters an atomic sequence. Its first statement, taken together with what stands before
the sequence, would keep control from there on, and nobody could move in between any more.
"""

from __future__ import annotations

from whorl.native.passes.usage import Usage
from whorl.program.parts import parts, program_parts
from whorl.program.program import (
    Action,
    AtLocation,
    BinaryOp,
    Builtin,
    Const,
    Expr,
    IfElse,
    Load,
    Output,
    ProcessType,
    Program,
    Region,
    SendAction,
    Skip,
    Store,
    Transition,
    UnaryOp,
)

LONGEST = 64


class Merging:
    """Which transitions follow another without a state between; none where `on` is False.

    Nor in process types that are left `alone`.
    """

    def __init__(
        self,
        program: Program,
        usage: Usage,
        on: bool,
        atoms: tuple[Expr, ...] = (),
        alone: frozenset[int] = frozenset(),
    ) -> None:
        self.program = program
        self.usage = usage
        self.alone = alone
        self._chains: dict[tuple[int, int, int], list[Transition]] = {}
        # Where somebody asks which process can move, or where one is, every step is visible.
        self.on = on and not (
            program.uses_priorities
            or program.uses_last
            or usage.asks_enabled
            or usage.asks_location
            or any(p.provided is not None for p in program.processes)
        )
        # Whoever has the pid is asked where it is, whatever its type.
        types = range(len(program.processes))
        self.visible = {
            (process, node.location)
            for node in (*program_parts(program), *parts(atoms))
            if isinstance(node, AtLocation)
            for process in (types if node.pid is not None else (node.process,))
        }

    def chain(self, process: ProcessType, transition: Transition) -> list[Transition]:
        """The transitions taken together with `transition`, in order."""
        key = process.index, *transition.way
        known = self._chains.get(key)
        if known is None:
            known = self._chains[key] = self._chain(process, transition)
        return known

    def _chain(self, process: ProcessType, transition: Transition) -> list[Transition]:
        if not self.on or process.index in self.alone or self.may_handshake(transition.action):
            return []
        chain: list[Transition] = []
        passed = {transition.source, transition.target}
        last = transition
        while len(chain) < LONGEST:
            following = self.local(process, last.target)
            if following is None or following.target in passed:
                break
            if following.atomic and not last.atomic:  # it enters an atomic sequence
                break
            chain.append(following)
            last = following
            passed.add(last.target)
        return chain

    def may_handshake(self, action: Action) -> bool:
        """Whether an action may be the send of a handshake, after which the receiver has control.

        Not if the text tells that the channel has a buffer, or if all channels have one.
        """
        if not isinstance(action, SendAction):
            return False
        unbuffered = {n for n, kind in enumerate(self.program.channel_types) if kind.capacity == 0}
        channel = action.channel
        if isinstance(channel, Load) and channel.place.region is Region.GLOBAL:
            place = channel.place
            if place.offset in self.usage.fixed and not place.indices:
                for initial in self.program.initials:
                    if initial.offset == place.offset and isinstance(initial.value, int):
                        return initial.value in unbuffered
        return bool(unbuffered)

    def local(self, process: ProcessType, location: int) -> Transition | None:
        """The one transition of a location that nobody else notices, if it is such a location."""
        transitions = process.locations.get(location, ())
        if len(transitions) != 1 or (process.index, location) in self.visible:
            return None
        only = transitions[0]
        if only.escape or (process.index, only.target) in self.visible:
            return None
        return only if self.is_local(process, only.action) else None

    def is_local(self, process: ProcessType, action: Action) -> bool:
        match action:
            case Skip():
                return True
            case Output():
                return all(map(self.reads_own, action.arguments))
            case Store(place, value):
                return (
                    place.region is Region.LOCAL
                    and not place.indices
                    and (process.index, place.offset) not in self.usage.remote
                    and self.reads_own(value)
                )
        return False

    def reads_own(self, expr: Expr) -> bool:
        """Whether an expression reads the process's own variables alone, and cannot fault."""
        match expr:
            case Const() | Builtin("_pid"):
                return True
            case Load(place):
                own = place.region is Region.LOCAL or place.offset in self.usage.fixed
                return own and not place.indices and place.region is not Region.PRIORITY
            case UnaryOp():
                return self.reads_own(expr.operand)
            case BinaryOp():
                safe = expr.operator not in "/%" or (
                    isinstance(expr.right, Const) and expr.right.value != 0
                )
                return safe and self.reads_own(expr.left) and self.reads_own(expr.right)
            case IfElse():
                return all(map(self.reads_own, (expr.condition, expr.yes, expr.no)))
        return False
