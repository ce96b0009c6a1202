"""Local, conditionally safe and safe transitions, as section 2 of the Two phase paper has them.

- A transition is *global* if it involves a global variable: anything outside its process that is
  not the end of a channel. `else` involves what its siblings ask.
- It is *conditionally safe* if it is a send or a receive on a channel of which its process alone
  uses this end, as on the paper's point-to-point channels. The condition is that the channel is not
  full, or not empty: a handshake is never safe.
- It is *safe* in a state if it is local and, where there is a condition, that is true.

`Situation.closed` (candidates.py) is finer: there it matters what the others can still do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from whorl.program.state import LOCATION, TYPE, Record
from whorl.reduction.accesses import comes_last
from whorl.reduction.footprint import NOTHING, Footprint, conflict

if TYPE_CHECKING:
    from whorl.program.program import Transition
    from whorl.reduction.analysis import Analysis, Node
    from whorl.reduction.candidates import Situation


def is_safe(situation: Situation, pid: int) -> bool:
    """Whether all transitions at the location of process `pid` are safe."""
    analysis, state = situation.analysis, situation.state
    record = state.processes[pid]
    process = analysis.program.processes[record[TYPE]]
    for transition in situation.transitions(pid):
        if comes_last(process, transition):
            continue  # a timeout: not while anything else can move
        involved = involves(analysis, transition, record)
        if is_global(involved):
            return False
        for other, else_ in enumerate(state.processes):
            node = else_[TYPE], else_[LOCATION]
            if other != pid and conflict(involved, ends_used(analysis, node, else_)):
                return False
        if involved == NOTHING:
            continue
        enabled = transition.way in situation.enabled[pid]
        if not analysis.stays_as_it_is(state, record, transition, enabled):
            return False
    return True


def involves(analysis: Analysis, transition: Transition, record: Record | None) -> Footprint:
    """What a transition involves beside the local variables of its process."""
    touched = analysis.touched(transition.way, record)
    return touched | analysis.waited_for(transition.way, record)


def is_global(involved: Footprint) -> bool:
    """Whether it is more than ends of channels."""
    return involved != _ends(involved)


def ends_used(analysis: Analysis, node: Node, record: Record | None) -> Footprint:
    """The ends of channels that a process uses at any time, and those that it may yet start;
    without a record, any process of the type.
    """
    return analysis.life_at(node, record).within(0)


def _ends(involved: Footprint) -> Footprint:
    return NOTHING._replace(
        sends=involved.sends,
        send_tests=involved.send_tests,
        receives=involved.receives,
        receive_tests=involved.receive_tests,
    )
