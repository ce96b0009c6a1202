"""The audit: checks C0, C1, C2 and C3 of what a search did, on the whole space, by definition.

The program is laid out as an explicit one: its states are those of the full search, its operations
the runs, told apart by who takes part and by which transitions. Then `abstract` judges. Only for
small programs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from whorl.program.atomic import Run, runs
from whorl.program.program import Expr
from whorl.program.semantics import Semantics
from whorl.program.state import LOCALS, NOBODY, PID, TYPE, Fault, State, WorkingState
from whorl.reduction.abstract import (
    REDUCED,
    V0,
    V1,
    Explicit,
    ExplicitProduct,
    Op,
    Reader,
    Selector,
    X,
    c0,
    c1,
    c2,
    c3_cycles,
)
from whorl.reduction.candidates import Ample
from whorl.reduction.fixed import Fixed
from whorl.reduction.scheme import SelectiveScheme

MOST_STATES = 20_000
CRASH = "crash"


class ProgramTooLarge(Exception):
    """The program has too many states to be audited."""


@dataclass(frozen=True, slots=True)
class Report:
    """How many ample sets were looked at, how many were proper, and what is wrong with them."""

    states: int
    proper: int
    problems: tuple[str, ...]

    @property
    def passed(self) -> bool:
        return not self.problems


def operation(fixed: Fixed, state: State, run: Run) -> Op:
    """What a run is as an operation: who takes part in each step, and by which transition.

    A process is its pid and what is fixed about it, because another one may have the pid later.
    """

    def name(pid: int) -> tuple[int, ...]:
        if pid >= len(state.processes):  # it was started by this very run
            return (pid,)
        record = state.processes[pid]
        own = sorted(fixed.locals[record[TYPE]])
        return (record[PID], *(record[LOCALS + slot] for slot in own))

    steps = []
    for step in run.steps:
        partner = None
        if step.partner is not None:
            partner = (name(step.partner[0]), step.partner[1].number)
        steps.append((name(step.pid), step.transition.number, partner))
    return tuple(steps), run.endless


def explicit(semantics: Semantics, atoms: Sequence[Expr] = (), most: int = MOST_STATES) -> Explicit:
    """The program as an explicit one: all its states, runs and letters."""
    fixed = Fixed(semantics.program)
    values = [semantics.evaluator.value(atom) for atom in atoms]

    def letter(state: State) -> int:
        store = WorkingState(state)
        try:
            return sum(1 << i for i, value in enumerate(values) if value(store, (0,) * LOCALS))
        except Fault:
            return -1

    first = semantics.initial()
    following: dict[object, dict[Op, object]] = {}
    letters: dict[object, int] = {CRASH: -1}
    waiting = [first]
    while waiting:
        state = waiting.pop()
        if state in following:
            continue
        if len(following) >= most:
            raise ProgramTooLarge
        letters[state] = letter(state)
        successors: dict[Op, object] = {}
        for run in runs(semantics, state):
            successors[operation(fixed, state, run)] = CRASH if run.state is None else run.state
            if run.state is not None:
                waiting.append(run.state)
        following[state] = successors
    following[CRASH] = {}
    held = frozenset(q for q in following if isinstance(q, State) and q.holder != NOBODY)
    return Explicit(first, following, letters, CRASH, held)


def audit_program(
    semantics: Semantics,
    ample: Callable[[State], Ample],
    atoms: Sequence[Expr] = (),
    *,
    visible: bool = True,
    cycles: bool = True,
    most: int = MOST_STATES,
) -> Report:
    """Audits a scheme that is a function of the program state, on the states that it reaches.

    `visible` and `cycles` say whether C2 and C3 are asked of it: not of every safety property.
    """
    program = explicit(semantics, atoms, most)
    fixed = Fixed(semantics.program)
    chosen: dict[object, frozenset[Op]] = {CRASH: frozenset()}
    edges: dict[X, tuple[tuple[X, bool], ...]] = {}
    first = semantics.initial()
    waiting = [first]
    problems: list[str] = []
    while waiting:
        state = waiting.pop()
        if (state, 0) in edges:
            continue
        selected = ample(state)
        names = frozenset(operation(fixed, state, run) for run in selected.runs)
        chosen[state] = names
        full = names == program.en(state)
        if selected.full and not full:
            problems.append("an ample set is called full and is not")
        if not names <= program.en(state):
            problems.append("an ample set has a run that is not enabled")
        after = [run.state for run in selected.runs if run.state is not None]
        edges[state, 0] = tuple(((r, 0), full) for r in after)
        waiting += after
    problems += _judge(program, edges, lambda q, s: chosen[q], visible)
    if cycles and ExplicitProduct((first, 0), edges).closes(edges, proper_only=True):
        problems.append("C3: a cycle has no state that is fully expanded")
    proper = sum(chosen[q] != program.en(q) for q, _ in edges)
    return Report(len(edges), proper, tuple(problems))


def audit_selective(
    semantics: Semantics,
    scheme: SelectiveScheme,
    atoms: Sequence[Expr] = (),
    *,
    visible: bool = True,
    most: int = MOST_STATES,
) -> Report:
    """Audits a scheme that leaves states out: the sets of those that are stored, and each step of
    phase 1 as an ample set of its own, whatever else was chosen in its state elsewhere.
    """
    program = explicit(semantics, atoms, most)
    fixed = Fixed(semantics.program)
    chosen: dict[X, frozenset[Op]] = {(CRASH, 0): frozenset()}
    edges: dict[X, tuple[tuple[X, bool], ...]] = {}

    def choose(at: X, state: State, runs: Sequence[Run], after: Sequence[X]) -> None:
        chosen[at] = frozenset(operation(fixed, state, run) for run in runs)
        edges[at] = tuple((x, chosen[at] == program.en(state)) for x in after)

    walks = 0
    first = semantics.initial()
    waiting = [first]
    while waiting:
        state = waiting.pop()
        if (state, 0) in edges:
            continue
        selected = scheme.stored(state)
        after: list[X] = []
        for run in selected.runs:
            if run.state is None:
                continue
            walks += 1
            at, path = run.state, scheme.phase_1(run.state).path
            after.append((at, walks if path else 0))
            for number, step in enumerate(path):
                assert step.state is not None
                on = walks if number + 1 < len(path) else 0
                choose((at, walks), at, [step], [(step.state, on)])
                at = step.state
            waiting.append(at)
        choose((state, 0), state, selected.runs, after)
    problems = _judge(program, edges, lambda q, s: chosen[q, s], visible)
    if ExplicitProduct((first, 0), edges).closes(edges, proper_only=True):
        problems.append("C3: a cycle has no state that is fully expanded")
    proper = sum(chosen[x] != program.en(x[0]) for x in edges)
    return Report(len(edges), proper, tuple(problems))


def audit_product(
    program: Explicit,
    automaton: Reader,
    chosen: Mapping[X, frozenset[Op]],
    scheme: str,
    place: Callable[[X], X] = lambda x: x,
) -> Report:
    """Audits the choices that a search of a product made: of amp(q, s') in V0, of amp(q, s) in V1.

    A product state that the search never came to counts as fully expanded. `place`: where a product
    state is to be looked up among those that the search chose for.
    """
    assert scheme in (V0, V1)

    def amp(q: object, s: object) -> frozenset[Op]:
        return chosen.get(place((q, s)), program.en(q))

    problems = _judge(program, chosen, lambda q, s: chosen[q, s], visible=True)
    if c3_cycles(program, automaton, amp, scheme, REDUCED):
        problems.append(f"C3{'' if scheme == V0 else '_1'}': a cycle has no full ample set")
    proper = sum(ample != program.en(q) for (q, _), ample in chosen.items())
    return Report(len(chosen), proper, tuple(problems))


def _judge(program: Explicit, over: Iterable[X], amp: Selector, visible: bool) -> list[str]:
    over = list(over)
    problems = []
    if c0(program, over, amp):
        problems.append("C0: an ample set is empty though something is enabled")
    for _, _, op, alpha in c1(program, over, amp)[:3]:
        problems.append(f"C1: {op} depends on {alpha}, which is ample, and may come before it")
    if visible:
        for _, op in c2(program, over, amp)[:3]:
            problems.append(f"C2: {op} is in a proper ample set and is visible")
        if any(program.crashes(q, op) for q, op in _proper(program, over, amp)):
            problems.append("C2: a run in a proper ample set ends in a fault")
    if any(program.following[q][op] in program.held for q, op in _proper(program, over, amp)):
        problems.append("C1: a run in a proper ample set keeps control")
    return problems


def _proper(program: Explicit, over: list[X], amp: Selector) -> Iterator[tuple[object, Op]]:
    """The operations of proper ample sets, each with its state."""
    for q, s in over:
        chosen = amp(q, s)
        if chosen != program.en(q):
            yield from ((q, op) for op in chosen)
