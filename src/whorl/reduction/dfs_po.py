"""`dfs_po`: Figure 3 of the Two phase paper, as it is printed.

`ample(s)` tries the processes in their order: one is taken if all its transitions at its location
are safe (safe.py), one of them is enabled, and no enabled one leads to a state of redset, the
stack. The figure leaves the order open; without `--process-order` it is Spin's, the last process
first. On the fly s is a product state, and so this is v1 with the candidates of Figure 3.

Two things are ours: a step that faults is in no proper ample set, and for formulas none that a
proposition sees, even if it is of a local variable or a location.
"""

from __future__ import annotations

from whorl.reduction import v1
from whorl.reduction.candidates import Rule
from whorl.reduction.scheme import ByStack, Native, Scheme, Use, because

NATIVE = Native("dfs_po.h")
SCHEME = Scheme(
    name="dfs_po",
    title="one process at a time, with the proviso of the stack",
    origin="[NG98], Figure 3",
    function_of="q, s",
    formulas=Use(
        cycles=v1.CYCLES,
        soundness=v1.soundness,
        reference=ByStack(all_targets=True),
        native=NATIVE,
    ),
    safety=Use(
        cycles="no run of a proper ample set leads to a state on the stack (redset)",
        soundness=because(
            "safe transitions keep every end state, and none of a proper ample set leads to the"
            " stack, so every step that fails is kept"
        ),
        reference=ByStack(all_targets=True),
        native=NATIVE,
    ),
    any_order=False,
    rule=Rule.SAFE,
)
