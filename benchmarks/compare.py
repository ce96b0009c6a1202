"""Measures one case: whorl and Spin by turns, so that what disturbs one disturbs the other."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks import native, spin
from benchmarks.cases import Case
from benchmarks.process import Cost
from whorl.native.job import DEFAULT_STORE


class Disagree(Exception):
    """The two did not see the same states or transitions: there is nothing to compare."""


@dataclass(frozen=True, slots=True)
class Sample:
    """What one program did, several times: medians."""

    states: int
    transitions: int
    cpu: float
    system: float  # of `cpu`, the kernel's
    wall: float
    memory_bytes: int  # the least: it does not vary but for what is set up too large
    cpus: tuple[float, ...]  # of each run

    @property
    def speed(self) -> float:
        """Transitions a CPU second."""
        return self.transitions / self.cpu

    @property
    def bytes_per_state(self) -> float:
        return self.memory_bytes / self.states


@dataclass(frozen=True, slots=True)
class Measured:
    """A case: every step by itself (`exact`, `tree`, `spin`), and merged as by default."""

    name: str
    label: str
    ours: bool
    repeats: int
    store: str  # the one that whorl uses by default
    whorl_vector: int
    spin_vector: int
    tree_store_bytes: int
    exact: Sample
    tree: Sample
    spin: Sample
    whorl_default: Sample
    spin_default: Sample

    @property
    def whorl(self) -> Sample:
        return self.tree if self.store == "tree" else self.exact

    @property
    def speedup(self) -> float:
        return self.whorl.speed / self.spin.speed

    @property
    def memory_ratio(self) -> float:
        return self.whorl.bytes_per_state / self.spin.bytes_per_state

    @property
    def speedup_default(self) -> float:
        """Of the time to the verdict: the two merge different steps, so counts differ."""
        return self.spin_default.cpu / self.whorl_default.cpu

    @property
    def tree_time_ratio(self) -> float:
        return self.tree.cpu / self.exact.cpu

    @property
    def tree_bytes_per_state(self) -> float:
        """In the state store, without the stack."""
        return self.tree_store_bytes / self.tree.states


def measure(case: Case, repeat: int, say: Callable[[str], None]) -> Measured:
    """Compiles all that a case needs, then runs it `repeat` times by turns."""
    model = native.load(case)
    with tempfile.TemporaryDirectory(prefix="whorl-bench-") as name:
        folder = Path(name)
        pans = [spin.build(case, folder / str(merge), merge=merge) for merge in (False, True)]
        store = DEFAULT_STORE
        for merge, which in ((False, "exact"), (False, "tree"), (True, store)):
            native.search(model, case, merge=merge, store=which, states=1000)

        plain: list[native.WhorlRun] = []
        tree: list[native.WhorlRun] = []
        merged: list[native.WhorlRun] = []
        pan: list[spin.SpinRun] = []
        pan_merged: list[spin.SpinRun] = []
        while len(plain) < repeat:
            say(f"{case.label}: run {len(plain) + 1} of {repeat}")
            plain.append(native.search(model, case, merge=False, store="exact"))
            states = plain[0].states
            pan.append(spin.search(pans[0], case, states, _depth(case, pan)))
            tree.append(native.search(model, case, merge=False, store="tree"))
            _agree(case, plain[-1], pan[-1], tree[-1])
            merged.append(native.search(model, case, merge=True, store=store))
            slots = pan_merged[0].states if pan_merged else states
            pan_merged.append(spin.search(pans[1], case, slots, _depth(case, pan_merged)))
    return Measured(
        case.name,
        case.label,
        case.ours,
        len(plain),
        store,
        native.state_bytes(model),
        pan[0].vector,
        tree[0].store_bytes,
        _sample(plain),
        _sample(tree),
        # pan rounds what has more than eight digits; the counts are the same
        _sample(pan, plain[0].states, plain[0].transitions),
        _sample(merged),
        _sample(pan_merged),
    )


def _depth(case: Case, runs: list[spin.SpinRun]) -> int:
    """What Spin's stack needs: known after the first run, whose memory does not count."""
    return runs[0].depth + 100 if runs else case.depth


def _agree(case: Case, plain: native.WhorlRun, pan: spin.SpinRun, tree: native.WhorlRun) -> None:
    equal = (
        spin.same(pan.states, plain.states)
        and spin.same(pan.transitions, plain.transitions)
        and (tree.states, tree.transitions) == (plain.states, plain.transitions)
    )
    if not equal:
        raise Disagree(f"{case.label}: whorl {plain}, with the tree {tree}, Spin {pan}")


def _sample(
    runs: Sequence[native.WhorlRun] | Sequence[spin.SpinRun],
    states: int | None = None,
    transitions: int | None = None,
) -> Sample:
    costs: list[Cost] = [run.cost for run in runs]
    return Sample(
        states or runs[0].states,
        transitions or runs[0].transitions,
        median(cost.cpu for cost in costs),
        median(cost.system for cost in costs),
        median(cost.wall for cost in costs),
        min(cost.memory_bytes for cost in costs),
        tuple(round(cost.cpu, 3) for cost in costs),
    )
