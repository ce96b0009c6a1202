"""Weak fairness: a graph whose accepting cycles are those in which no process is passed over.

A cycle is weakly fair if every process that is enabled all along it also moves in it. Choueka's
copies of the product say so by accepting nodes alone ("Theories of automata on omega-tapes", 1974):
in copy 0 the run waits for an accepting node; then it waits for the process with the highest number
to move or to be unable to, in the next copy for the one below it, and so on down to process 0, and
back to copy 0. An accepting node in copy 0 that comes again and again is thus one of a fair cycle.
Spin's verifier (`-f`) counts in the same way; it passes one copy a step, we pass all that we can.

What being enabled means is Spin's notion, too, so that verdicts are the same: a process is enabled
if it can begin a step. One that waits to receive in a handshake cannot; but when the handshake
takes place, it has moved, too.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import NamedTuple

from whorl.program.choice import Choice
from whorl.program.state import State
from whorl.search.product import Move, Node, Product


class FairNode(NamedTuple):
    """A node of the product in one of the copies; `copy` is the process waited for, plus one."""

    node: Node
    copy: int


class Fair:
    """The product in copies."""

    def __init__(self, product: Product) -> None:
        self.product = product

    def initial(self) -> Iterable[FairNode]:
        return [FairNode(node, 0) for node in self.product.initial()]

    def successors(self, node: FairNode, stack: Container[FairNode]) -> Iterable[FairNode]:
        if self.is_error(node):
            return
        for target, move in self.product.edges(node.node):
            yield FairNode(target, self.copy_after(node, move))

    def copy_after(self, node: FairNode, move: Move | None) -> int:
        if move is None:
            return 0  # the run has stopped: no process is enabled
        copy = node.copy
        if copy == 0:
            if not self.product.is_accepting(node.node):
                return 0
            copy = len(node.node.state.processes)
        enabled = self.product.expand(node.node.state).enabled
        while copy and (copy - 1 in move.movers or copy - 1 not in enabled):
            copy -= 1
        return copy

    def is_accepting(self, node: FairNode) -> bool:
        return node.copy == 0 and self.product.is_accepting(node.node)

    def is_error(self, node: FairNode) -> bool:
        return self.product.is_error(node.node)

    def program_state(self, node: FairNode) -> State:
        return node.node.state

    def choices(self, node: FairNode, target: FairNode) -> tuple[Choice, ...]:
        """The choices of a run that leads from a node to its successor."""
        for after, move in self.product.edges(node.node):
            if FairNode(after, self.copy_after(node, move)) == target:
                movers = None if move is None else move.movers
                return self.product.choices_of(node.node, after, movers)
        raise AssertionError("the target is no successor of the node")
