"""Stubborn sets on explicit programs: the conditions of [NVW20], those of Valmari and D1'.

An action is a class of operations (the relation `alike`), so it may be nondeterministic; a stubborn
set (`stubborn`) is a set of actions for each state, enabled or not. As in `definitions` everything
is asked straight from the definitions, and says why it does not hold.
"""

from __future__ import annotations

from collections.abc import Iterator

from whorl.lab.definitions import invisible
from whorl.lab.instance import Instance, operation_name, state_name


def _rows(instance: Instance, name: str) -> frozenset[tuple[int, ...]]:
    return next(rows for known, rows in instance.extra if known == name)


def ways(instance: Instance, operation: int) -> frozenset[int]:
    """The operations of the same action."""
    return frozenset(p for o, p in _rows(instance, "alike") if o == operation)


def stubborn(instance: Instance, state: int) -> frozenset[int]:
    """The operations of the actions in the stubborn set of a state."""
    return frozenset(o for q, o in _rows(instance, "stubborn") if q == state)


def leads(instance: Instance, state: int, operation: int) -> frozenset[int]:
    """The states to which the action of an operation leads."""
    targets = (instance.program.next[state][o] for o in ways(instance, operation))
    return frozenset(target for target in targets if target is not None)


def is_visible(instance: Instance, operation: int) -> bool:
    """Whether the action of an operation changes a label somewhere."""
    return not all(invisible(instance.program, o) for o in ways(instance, operation))


def outside(instance: Instance, state: int) -> Iterator[int]:
    """The states that can be reached without an action of the stubborn set."""
    chosen = stubborn(instance, state)
    seen = [state]
    for current in seen:  # grows meanwhile
        yield current
        for operation, target in instance.program.steps(current):
            if operation not in chosen and target not in seen:
                seen.append(target)


def is_key(instance: Instance, state: int, operation: int) -> bool:
    """Whether an action of the set stays enabled as long as no action of the set is taken."""
    return operation in stubborn(instance, state) and all(
        leads(instance, current, operation) for current in outside(instance, state)
    )


# --- the conditions ------------------------------------------------------------------------------


def actions(instance: Instance) -> str | None:
    """`alike` is an equivalence."""
    classes = {o: ways(instance, o) for o in instance.program.operations}
    for o, members in classes.items():
        if o not in members or any(classes[p] != members for p in members):
            return f"{operation_name(o)} is in no class of its own"
    return None


def sets(instance: Instance) -> str | None:
    """What is taken is what is enabled of a set of whole actions."""
    for state in instance.program.states:
        chosen = stubborn(instance, state)
        if any(not ways(instance, o) <= chosen for o in chosen):
            return f"the stubborn set of {state_name(state)} has a part of an action"
        if any(row != chosen & instance.program.enabled(state) for row in instance.ample[state]):
            return f"the ample set of {state_name(state)} is not what its stubborn set has enabled"
    return None


def deterministic(instance: Instance) -> str | None:
    """Every action has one way."""
    for o in instance.program.operations:
        if len(ways(instance, o)) > 1:
            return f"the action of {operation_name(o)} has several ways"
    return None


def d1(instance: Instance) -> str | None:
    """Where w from outside the set and then a lead, there a and then w lead as well."""
    for state in instance.program.states:
        chosen = stubborn(instance, state)
        for a in chosen:
            begin = state, leads(instance, state, a)
            seen = [begin]
            for current, beside in seen:  # grows meanwhile
                if not leads(instance, current, a) <= beside:
                    return f"D1: {operation_name(a)} is no first step from {state_name(state)}"
                for b in instance.program.operations:
                    if b in chosen:
                        continue
                    after = frozenset(r for q in beside for r in leads(instance, q, b))
                    for target in leads(instance, current, b):
                        if (target, after) not in seen:
                            seen.append((target, after))
    return None


def d1_labelled(instance: Instance) -> str | None:
    """D1', for an invisible a: it leads from each state of the one path to that of the other.

    The paths of D1 are followed backwards: a state of the other path is one to which a leads, and
    from which the rest of w leads to the same end.
    """
    for state in instance.program.states:
        chosen = stubborn(instance, state)
        for a in chosen:
            if is_visible(instance, a):
                continue
            for current in outside(instance, state):
                for b in set(instance.program.operations) - chosen:
                    for after in leads(instance, current, b):
                        for end in leads(instance, after, a):
                            if not any(
                                end in leads(instance, beside, b)
                                for beside in leads(instance, current, a)
                            ):
                                return (
                                    f"D1': from {state_name(current)} {operation_name(a)} does not"
                                    f" commute with {operation_name(b)}"
                                )
    return None


def d2(instance: Instance) -> str | None:
    """Every enabled action of a set is a key action."""
    for state in instance.program.states:
        for o in stubborn(instance, state) & instance.program.enabled(state):
            if not is_key(instance, state, o):
                return f"D2: {operation_name(o)} is no key action in {state_name(state)}"
    return None


def d2w(instance: Instance) -> str | None:
    """Where something is enabled, a set has a key action."""
    for state in instance.program.states:
        operations = instance.program.operations
        if instance.program.enabled(state) and not any(
            is_key(instance, state, o) for o in operations
        ):
            return f"D2w: {state_name(state)} has no key action"
    return None


def v(instance: Instance) -> str | None:
    """A set with an enabled visible action has all visible ones."""
    seen = {o for o in instance.program.operations if is_visible(instance, o)}
    for state in instance.program.states:
        chosen = stubborn(instance, state)
        if chosen & instance.program.enabled(state) & seen and not seen <= chosen:
            return f"V: the set of {state_name(state)} has some visible actions only"
    return None


def i(instance: Instance) -> str | None:
    """Where an invisible action is enabled, the set has an invisible key action."""
    hidden = {o for o in instance.program.operations if not is_visible(instance, o)}
    for state in instance.program.states:
        if hidden & instance.program.enabled(state) and not any(
            is_key(instance, state, o) for o in hidden
        ):
            return f"I: {state_name(state)} has no invisible key action"
    return None


def l(instance: Instance) -> str | None:  # noqa: E743
    """On every cycle of the reduced program each visible action is in the set of some state."""
    program = instance.program
    found = [0]
    for state in found:  # grows meanwhile
        for o in instance.amp(state, 0):
            if program.step(state, o) not in found:
                found.append(program.step(state, o))
    for a in program.operations:
        if not is_visible(instance, a):
            continue
        ignoring = [q for q in found if a not in stubborn(instance, q)]
        for state in ignoring:
            seen = {program.step(state, o) for o in instance.amp(state, 0)} & set(ignoring)
            todo = list(seen)
            while todo:
                current = todo.pop()
                after = {program.step(current, o) for o in instance.amp(current, 0)}
                more = (after & set(ignoring)) - seen
                seen |= more
                todo += more
            if state in seen:
                return f"L: a cycle through {state_name(state)} ignores {operation_name(a)}"
    return None
