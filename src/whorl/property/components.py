"""Strongly connected components of an implicit graph (Tarjan 1972), without recursion."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)


def components(
    roots: Iterable[Node], successors: Callable[[Node], Iterable[Node]]
) -> Iterator[list[Node]]:
    """The components that the roots reach, each after every component that it leads to."""
    number: dict[Node, int] = {}  # in the order of the search
    low: dict[Node, int] = {}  # the least number known to be reachable on the stack
    stack: list[Node] = []
    on_stack: set[Node] = set()

    for root in roots:
        if root in number:
            continue
        number[root] = low[root] = len(number)
        stack.append(root)
        on_stack.add(root)
        path = [(root, iter(successors(root)))]
        while path:
            node, rest = path[-1]
            for target in rest:
                if target not in number:
                    number[target] = low[target] = len(number)
                    stack.append(target)
                    on_stack.add(target)
                    path.append((target, iter(successors(target))))
                    break
                if target in on_stack:
                    low[node] = min(low[node], number[target])
            else:
                path.pop()
                if path:
                    parent = path[-1][0]
                    low[parent] = min(low[parent], low[node])
                if low[node] == number[node]:
                    component: list[Node] = []
                    while not component or component[-1] != node:
                        component.append(stack.pop())
                        on_stack.discard(component[-1])
                    yield component
