"""An instance as a Promela model, where its program is a product of processes.

Operations are put together into as many processes as can be: each process has a state of its own,
its operations look at nothing else and change nothing else, and together these states are the
program's. Then a checker can see by itself which operations are independent.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from whorl.lab.instance import FiniteProgram, Instance, operation_name
from whorl.property.never_writer import never_text


@dataclass(frozen=True, slots=True)
class Component:
    """A process: its operations, and its own state in each state of the program."""

    operations: tuple[int, ...]
    local: tuple[int, ...]

    @property
    def states(self) -> range:
        return range(max(self.local) + 1)


def promela(instance: Instance) -> str | None:
    """The model with its never claim; None if the program is no product of processes."""
    components = decompose(instance.program)
    if components is None:
        return None
    return "\n".join(_lines(instance, components)) + "\n"


def decompose(program: FiniteProgram) -> list[Component] | None:
    """The finest way to see the program as a product of processes; None if there is none.

    A process with all the operations is none: it would have the program's states as its own.
    """
    used = [o for o in program.operations if any(o in program.enabled(q) for q in program.states)]
    for groups in sorted(_partitions(used), key=len, reverse=True):
        if len(groups) < 2:
            return None
        components = [_component(program, group) for group in groups]
        if _is_product(program, components):
            return components
    return None


def _partitions(items: Sequence[int]) -> Iterator[list[list[int]]]:
    if not items:
        yield []
        return
    first, *rest = items
    for parts in _partitions(rest):
        yield [[first], *parts]
        for i, part in enumerate(parts):
            yield [*parts[:i], [first, *part], *parts[i + 1 :]]


def _component(program: FiniteProgram, group: Sequence[int]) -> Component:
    """A process cannot see what the others do: states that they lead to each other are one."""
    leader = list(program.states)

    def find(state: int) -> int:
        while leader[state] != state:
            state = leader[state]
        return state

    for q in program.states:
        for o, target in program.steps(q):
            if o not in group:
                one, other = sorted((find(q), find(target)))
                leader[other] = one
    numbers: dict[int, int] = {}
    local = tuple(numbers.setdefault(find(q), len(numbers)) for q in program.states)
    return Component(tuple(group), local)


def _is_product(program: FiniteProgram, components: Sequence[Component]) -> bool:
    views = [tuple(c.local[q] for c in components) for q in program.states]
    if len(set(views)) != len(views):
        return False
    for component in components:
        for o in component.operations:
            effect: dict[int, int | None] = {}
            for q in program.states:
                target = program.next[q][o]
                after = None if target is None else component.local[target]
                if effect.setdefault(component.local[q], after) != after:
                    return False
                if target is not None and any(
                    c.local[q] != c.local[target] for c in components if c is not component
                ):
                    return False
    return True


# --- text ----------------------------------------------------------------------------------------


def _lines(instance: Instance, components: Sequence[Component]) -> Iterator[str]:
    program, automaton = instance.program, instance.automaton
    seen = [_is_seen(program, component) for component in components]
    for number in range(len(components)):
        if seen[number]:
            yield f"byte v{number};"
    for bit, name in enumerate(automaton.propositions):
        yield f"#define {name} ({_condition(program, components, seen, bit)})"
    yield ""
    for number, component in enumerate(components):
        yield from _process(program, number, component, seen[number])
    yield never_text(automaton).rstrip()


def _is_seen(program: FiniteProgram, component: Component) -> bool:
    """Whether a label changes where only this process moves."""
    return any(
        program.labels[q] != program.labels[program.step(q, o)]
        for q in program.states
        for o in component.operations
        if o in program.enabled(q)
    )


def _condition(
    program: FiniteProgram, components: Sequence[Component], seen: Sequence[bool], bit: int
) -> str:
    shown = [number for number in range(len(components)) if seen[number]]
    views = {
        tuple(components[n].local[q] for n in shown): program.labels[q] >> bit & 1
        for q in program.states
    }
    where = [view for view, value in sorted(views.items()) if value]
    if len(where) in (0, len(views)):
        return "true" if where else "false"
    terms = [
        " && ".join(f"v{n} == {value}" for n, value in zip(shown, view, strict=True))
        for view in where
    ]
    return terms[0] if len(terms) == 1 else " || ".join(f"({term})" for term in terms)


def _process(
    program: FiniteProgram, number: int, component: Component, seen: bool
) -> Iterator[str]:
    assert component.local[0] == 0
    yield f"active proctype P{number}() {{"
    if not seen:
        yield "  byte x;"
    for state in component.states:
        yield f"{_label(program, component, state)}:"
        steps = _steps(program, component, state)
        if not steps:
            yield "  false;"
            continue
        yield "  if"
        for o, after in steps:
            change = f"v{number} = {after}" if seen else "x = 0"
            target = _label(program, component, after)
            yield f"  :: {change} -> goto {target} /* {operation_name(o)} */"
        yield "  fi;"
    yield "}"
    yield ""


def _steps(program: FiniteProgram, component: Component, state: int) -> list[tuple[int, int]]:
    """The operations of a process in one of its states, with its state after each."""
    q = component.local.index(state)
    enabled = program.enabled(q)
    return [(o, component.local[program.step(q, o)]) for o in component.operations if o in enabled]


def _label(program: FiniteProgram, component: Component, state: int) -> str:
    return f"L{state}" if _steps(program, component, state) else f"end{state}"
