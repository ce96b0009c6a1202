"""`dfs_po`: Figure 3 of the Two phase paper, on the product.

`ample(s)` tries the processes in their order: one is taken if all its transitions at its location
are safe, one of them is enabled, and none leads to a state of redset, the stack. On the fly s is a
product state, and so this is v1 with the candidates of Figure 3.
"""

from __future__ import annotations

from whorl.reduction import v1
from whorl.reduction.candidates import Rule
from whorl.reduction.scheme import ByStack, Native, Scheme, Use

SCHEME = Scheme(
    name="dfs_po",
    title="one process at a time, with the proviso of the stack",
    origin="[NG98], Figure 3",
    function_of="q, s",
    formulas=Use(
        cycles=v1.CYCLES,
        soundness=v1.soundness,
        reference=ByStack(all_targets=True),
        native=Native("dfs_po.h"),
    ),
    safety="persistent",
    any_order=False,
    rule=Rule.PROCESS,
)
