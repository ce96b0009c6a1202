"""The analysis as tables of bits, for an engine that runs no Python: the generator of native/.

A *node* is a process type at a location; nodes are numbered. A row belongs to a transition, a
column to a node, and an entry says whether what the transition touches may meet what a process at
that node can still do. A row is an int for each of three questions, with bit n for node n:

- `conflicts`: they meet, whatever the two processes are;
- `opposites`: they meet at the two ends of a channel, whatever the two processes are: this counts
  unless the transition "stays as it is" in the state at hand (Analysis.stays_as_it_is);
- `keyed`: they may also meet by values that are fixed for each process, and only a look at these
  tells: the footprints of both must be made and compared.

Each transition has two rows: `whole` where it is executable, `guard` where it is not. `depends` is
what an engine has to do, in Python; the tests hold it against candidates.Situation.depends.
"""

from __future__ import annotations

from dataclasses import dataclass

from whorl.program.state import LOCATION, TYPE
from whorl.reduction.accesses import Access, Template, needs_timeout
from whorl.reduction.analysis import Analysis, Node
from whorl.reduction.candidates import Situation
from whorl.reduction.explain import locations
from whorl.reduction.footprint import Footprint, conflict, opposite, visible
from whorl.reduction.sticky import sticky


@dataclass(frozen=True, slots=True)
class Row:
    conflicts: int
    opposites: int
    keyed: int


@dataclass(frozen=True, slots=True)
class Touched:
    """A footprint: what of it is the same for every process, and the accesses that are not.

    The bits of an access with a key are those of its value: an index or a channel expression over
    parameters and `_pid` (Access.narrow), which the generator can print.
    """

    fixed: Footprint
    keys: tuple[Access, ...]


@dataclass(frozen=True, slots=True)
class Tables:
    """What an engine needs of a program and a property to choose ample sets."""

    nodes: dict[Node, int]
    whole: dict[int, Row]  # by the number of the transition
    guard: dict[int, Row]
    touched: dict[int, Touched]  # for keyed entries of `whole`
    waited_for: dict[int, Touched]  # for those of `guard`
    futures: tuple[Touched, ...]  # by the number of the node
    visible: frozenset[int]  # transitions that may change a proposition
    sticky: frozenset[int]
    timeouts: frozenset[int]  # transitions that wait for a timeout, and are passed over


def tables(analysis: Analysis) -> Tables:
    """The tables of a program; columns are the nodes that some process can come to."""
    nodes = [(p.index, at) for p in analysis.program.processes for at in locations(p)]
    futures: list[Touched] = []
    widest: list[Footprint] = []  # of any process at the node
    for node in nodes:
        reached, started = analysis.after(node)
        template = frozenset(access for t in reached for access in analysis.whole[t])
        found = _touched(analysis, template)
        futures.append(Touched(found.fixed | started, found.keys))
        widest.append(analysis.resolve(template, None) | started)

    def row(template: Template) -> Row:
        mine, mine_widest = _touched(analysis, template).fixed, analysis.resolve(template, None)
        conflicts = opposites = keyed = 0
        for column, future in enumerate(futures):
            always, ends = conflict(mine, future.fixed), opposite(mine, future.fixed)
            sometimes = conflict(mine_widest, widest[column]) and not always
            sometimes |= opposite(mine_widest, widest[column]) and not ends
            conflicts |= always << column
            opposites |= ends << column
            keyed |= sometimes << column
        return Row(conflicts, opposites, keyed)

    return Tables(
        {node: number for number, node in enumerate(nodes)},
        {number: row(template) for number, template in analysis.whole.items()},
        {number: row(template) for number, template in analysis.guard.items()},
        {number: _touched(analysis, t) for number, t in analysis.whole.items()},
        {number: _touched(analysis, t) for number, t in analysis.guard.items()},
        tuple(futures),
        frozenset(
            number
            for number, template in analysis.whole.items()
            if visible(analysis.resolve(template, None), analysis.property)
        ),
        sticky(analysis),
        frozenset(n for n, t in analysis.transitions.items() if needs_timeout(t.action)),
    )


def _touched(analysis: Analysis, template: Template) -> Touched:
    keys = [access for access in template if access.narrow is not None]
    fixed = analysis.resolve(template - frozenset(keys), None)
    return Touched(fixed, tuple(sorted(keys, key=lambda access: (access.mode, access.bits))))


def depends(tables: Tables, situation: Situation, pid: int, other: int) -> bool:
    """Situation.depends by the tables: what an engine does for each process of a candidate."""
    analysis, state = situation.analysis, situation.state
    record, others = state.processes[pid], state.processes[other]
    column = tables.nodes[others[TYPE], others[LOCATION]]
    for transition in situation.transitions(pid):
        number = transition.number
        if number in tables.timeouts:
            continue
        enabled = number in situation.enabled[pid]
        row = (tables.whole if enabled else tables.guard)[number]
        if row.conflicts >> column & 1:
            return True
        met = bool(row.opposites >> column & 1)
        if row.keyed >> column & 1:
            touched = (tables.touched if enabled else tables.waited_for)[number]
            future = tables.futures[column]
            mine = touched.fixed | analysis.resolve(frozenset(touched.keys), record)
            theirs = future.fixed | analysis.resolve(frozenset(future.keys), others)
            if conflict(mine, theirs):
                return True
            met = opposite(mine, theirs)
        if met and not analysis.stays_as_it_is(state, record, transition, enabled):
            return True
    return False
