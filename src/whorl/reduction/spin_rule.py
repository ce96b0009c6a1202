"""Spin's rule: the locations from which a process may go first, and what must hold there.

As the verifiers of Spin 6.5.2 have it in their tables of transitions (`pan -d` prints L and G). It
looks at the text of statements alone. A statement is safe if it names no global variable; indices
do not count. It neither comes to a label that is asked for nor goes on from it. On a channel that
is declared `xs` a send is safe as long as there is room, and so is `nfull`; on one that is `xr` a
receive and `nempty`, as long as there is a message; `full` and `empty` while they hold, by `xr` and
`xs`; `len` and a poll by both. The end of a process is safe if it was started last. An atomic
sequence is as one statement, with at most two kinds of conditions. A location is safe if all its
statements are, with at most six.

Declarations are taken as Spin takes them: for a variable, whichever process makes them. Whether
they are so is not asked here: what goes first has to be persistent besides (candidates.py), so no
verdict rests on them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from whorl.program.assigned import place_slots
from whorl.program.parts import parts
from whorl.program.program import (
    AtLocation,
    Builtin,
    ChangePriority,
    ChannelQuery,
    EmbeddedAction,
    EmbeddedExpr,
    Exclusive,
    Expr,
    Index,
    Load,
    Place,
    PollQuery,
    ProcessQuery,
    ProcessType,
    Program,
    ReceiveAction,
    Region,
    RemoteLoad,
    RunProcess,
    SendAction,
    Terminate,
)

MOST_OF_STATEMENT = 2  # kinds of conditions
MOST_OF_LOCATION = 6

LAST = "last"  # the process was started last
Kind = tuple[str, Exclusive | None]  # a query, of a channel that is declared; or LAST
Kinds = frozenset[Kind]
NEEDS = {  # what has to be declared of a channel for a query, and what is asked of it then
    "nfull": ("xs", "nfull"),
    "nempty": ("xr", "nempty"),
    "full": ("xr", "full"),
    "empty": ("xs", "empty"),
}


@dataclass(frozen=True, slots=True)
class Safe:
    """What must hold where a process goes first: all these queries, and perhaps that it is last."""

    queries: tuple[ChannelQuery, ...]
    last: bool


class SpinRule:
    """The safe locations of a program, by process type and location."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.declared: dict[tuple[str, int | None, int], Exclusive] = {}
        for process in program.processes:
            for declaration in process.exclusive:
                for channel in declaration.channels:
                    if isinstance(channel, Load):
                        for key in _symbol(channel.place, process):
                            self.declared.setdefault((declaration.keyword, *key), declaration)
        self.watched = {
            (node.process, node.location)
            for p in program.processes
            for node in parts([*p.transitions(), p.provided])
            if isinstance(node, AtLocation)
        }
        self.safe: dict[tuple[int, int], Safe] = {}
        for process in program.processes:
            self.safe.update(self._safe_locations(process))

    def _safe_locations(self, process: ProcessType) -> Iterator[tuple[tuple[int, int], Safe]]:
        if process.provided is not None and self.kinds_of([process.provided], process) is None:
            return
        statements = self._statements(process)
        for location, here in process.locations.items():
            kinds = joined((statements[t.number] for t in here), MOST_OF_LOCATION)
            places = {(process.index, at) for t in here for at in (location, t.target)}
            if kinds is not None and here and places.isdisjoint(self.watched):
                yield (process.index, location), _conditions(kinds)

    def _statements(self, process: ProcessType) -> dict[int, Kinds | None]:
        """The kinds of conditions of each statement; None: it is never safe."""
        own = {t.number: self.kinds_of([t], process) for t in process.transitions()}
        members: dict[int, list[int]] = {}
        for number in own.keys() & process.sequences.keys():
            members.setdefault(process.sequences[number], []).append(number)
        for sequence, numbers in members.items():
            kinds = joined((own[number] for number in numbers), MOST_OF_STATEMENT)
            left = sequence in process.left_by_goto
            own.update(dict.fromkeys(numbers, None if left else kinds))
        return own

    def kinds_of(self, whole: list[object], process: ProcessType) -> Kinds | None:
        """The kinds of conditions of what `whole` has in it; None: it is never safe."""
        indices = {
            id(inner)
            for node in parts(whole)
            if isinstance(node, Index | RunProcess)
            for inner in parts([node.value if isinstance(node, Index) else node.arguments])
        }
        met = [node for node in parts(whole) if id(node) not in indices]
        channels = {id(channel) for node in met for channel in parts([_channel(node)])}
        each = (self._of_node(node, process) for node in met if id(node) not in channels)
        return joined(each, MOST_OF_STATEMENT)

    def _of_node(self, node: object, process: ProcessType) -> Kinds | None:
        match node:
            case Place(region=Region.GLOBAL | Region.PRIORITY):
                return None
            case Builtin(name) if name != "_pid":
                return None
            case ProcessQuery() | EmbeddedExpr() | EmbeddedAction() | ChangePriority():
                return None
            case AtLocation() | RemoteLoad():
                return None
            case SendAction():
                return self._of_query("nfull", node.channel, process)
            case ReceiveAction():
                return self._of_query("nempty", node.channel, process)
            case ChannelQuery(query="len") | PollQuery():
                both = [self._find(end, node.channel, process) for end in ("xr", "xs")]
                return None if None in both else frozenset()
            case ChannelQuery():
                return self._of_query(node.query, node.channel, process)
            case RunProcess():  # one that makes channels has none for others
                initials = self.program.processes[node.process].initials
                return None if any(isinstance(i.value, int) for i in initials) else frozenset()
            case Terminate():
                return frozenset({(LAST, None)})
        return frozenset()

    def _of_query(self, query: str, channel: Expr, process: ProcessType) -> Kinds | None:
        keyword, asked = NEEDS[query]
        declared = self._find(keyword, channel, process)
        return None if declared is None else frozenset({(asked, declared)})

    def _find(self, keyword: str, channel: Expr, process: ProcessType) -> Exclusive | None:
        """The declaration of an end of a channel."""
        if not isinstance(channel, Load):
            return None
        found = [self.declared.get((keyword, *key)) for key in _symbol(channel.place, process)]
        return found[0] if None not in found else None


def _symbol(place: Place, process: ProcessType) -> Iterator[tuple[int | None, int]]:
    """The slots of a variable, those of a process with its type."""
    owner = process.index if place.region is Region.LOCAL else None
    return ((owner, slot) for slot in place_slots(place))


def _channel(node: object) -> Expr | None:
    if isinstance(node, SendAction | ReceiveAction | ChannelQuery | PollQuery):
        return node.channel
    return None


def joined(each: Iterable[Kinds | None], most: int) -> Kinds | None:
    """All conditions together, unless something is never safe or they are too many."""
    total: Kinds = frozenset()
    for kinds in each:
        if kinds is None:
            return None
        total |= kinds
    return total if len(total) <= most else None


def _conditions(kinds: Kinds) -> Safe:
    queries = (
        ChannelQuery(query, channel, declared.span)
        for query, declared in kinds
        if declared is not None
        for channel in declared.channels
    )
    return Safe(tuple(sorted(queries, key=str)), (LAST, None) in kinds)
