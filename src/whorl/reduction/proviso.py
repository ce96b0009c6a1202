"""`proviso`: dfs_po, Figure 3 of the Two phase paper, on the product.

`ample(s)` tries the processes in their order: one is taken if all its transitions at its location
are safe, one of them is enabled, and none leads to a state of redset, the stack. On the fly s is a
product state, and so this is v1 with the candidates of Figure 3.
"""

from __future__ import annotations

from whorl.reduction import v1
from whorl.reduction.candidates import Rule
from whorl.reduction.stack import StackScheme

SCHEME = StackScheme("proviso", Rule.PROCESS, all_targets=True, soundness=v1.soundness)
