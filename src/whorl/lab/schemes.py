"""The reduction schemes that the laboratory knows by name: which rules each is made of.

Beside its rules a condition has its definition in plain Python, by which every instance is checked
again. The rules are in the files beside this module, to be read beside the paper.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path

from whorl.diagnostics import Source, WhorlError, suggest
from whorl.lab import definitions, stubborn, threads, visited, walks
from whorl.lab.definitions import SelectsBy
from whorl.lab.instance import Instance
from whorl.lab.language import RuleSet as Text
from whorl.lab.language import read
from whorl.property.normal_form import why_not_si_normal_form
from whorl.property.operations import is_weak
from whorl.reduction import schemes as records
from whorl.reduction.abstract import FULL, REDUCED
from whorl.reduction.scheme import Rules

Check = Callable[[Instance, SelectsBy], "str | None"]


@dataclass(frozen=True, slots=True)
class LabScheme:
    """A name, what it says, and the files of its rules (`core` is in every scheme)."""

    name: str
    title: str
    files: tuple[str, ...]
    own: tuple[Source, ...] = ()  # rules of the user's

    @property
    def selection(self) -> SelectsBy:
        return SelectsBy.INTERMEDIATE if "intermediate" in self.files else SelectsBy.SOURCE

    def rules(self) -> Text:
        """Core comes last, so that mistakes in the user's rules are found where they are."""
        return read(*self.own, *map(source, self.all_files), find=self._find)

    @property
    def all_files(self) -> tuple[str, ...]:
        """The files of its rules, with those that are in every scheme of its kind."""
        own_product = self.is_safety or any("product" in name for name in self.files)
        return (*self.files, "core", *(() if own_product else ("product",)))

    @property
    def is_safety(self) -> bool:
        """Whether it is for searches for violations of safety: there is no automaton."""
        return "safety" in self.files

    @property
    def proviso(self) -> str | None:
        """Which form of the proviso of visited states it has, if any."""
        return next((name for name in self.files if name in visited.PROVISOS), None)

    @property
    def thread_proviso(self) -> str | None:
        """The same of a search on several threads: what it finds, in whatever order."""
        if "finders" not in self.files or "search" in self.files:
            return None
        return next((name for name in self.files if name in threads.THREAD_PROVISOS), None)

    @property
    def has_walks(self) -> bool:
        """Whether it has a phase 1 of which only the ends are stored."""
        return "walks" in self.files

    @property
    def has_stubborn_sets(self) -> bool:
        """Whether ample sets are what stubborn sets have enabled."""
        return "stubborn" in self.files

    def _find(self, name: str) -> Source | None:
        """A file that rules include: one beside the user's, or else one of ours."""
        for own in self.own:
            path = Path(own.name).parent / name
            if path.is_file():
                return Source(str(path), path.read_text("utf-8"))
        return source(name.removesuffix(".rules")) if name in rule_files() else None

    def without(self, *files: str) -> LabScheme:
        """The scheme less some of its conditions: to see that they are needed."""
        assert set(files) <= set(self.files)
        left = tuple(name for name in self.files if name not in files)
        return replace(self, name=f"{self.name} without {', '.join(files)}", files=left)

    def with_rules(self, *files: str) -> LabScheme:
        """The scheme, or the automata that are looked for, restricted by more rules."""
        return replace(self, files=self.files + files)

    def cycles(self, kind: str) -> LabScheme:
        """The scheme with C3' over the full product, as in the paper, or over the reduced one."""
        return replace(
            self,
            files=tuple(f"cycles-{kind}" if f.startswith("cycles-") else f for f in self.files),
        )

    @property
    def looks_at_the_stack(self) -> bool:
        """Whether its cycle condition is about product states, so that C3 is asked of a search."""
        return any(name.startswith("cycles-") for name in self.files)


# Those that the laboratory alone has, as weaker or stronger forms of what there is.
_ONLY_HERE = {
    "state": Rules(
        "amp(q) of the program state alone, a full one on every cycle of the reduced product",
        ("c0", "c1", "c2", "source", "by-program-state", "cycles-reduced"),
    ),
    "offline-proviso": Rules(
        "amp(q) of the program state alone, a full one on every cycle of the reduced program",
        ("c0", "c1", "c2", "source", "by-program-state", "proviso"),
    ),
    "two-phase-ample-safety-open": Rules(
        "on several threads, one operation leads to a state that nobody has begun to expand",
        ("c0", "c1", "walks", "walks-end", "walks-c1", "finders", "open", "safety"),
    ),
    "stubborn": Rules(
        "stubborn sets of nondeterministic actions, with D1' and D2w",
        ("actions", "stubborn", "d1", "d1-labelled", "d2w", "v", "i", "l", "source"),
    ),
    "stubborn-d1": Rules(
        "the same with D1 alone, which says nothing of the labels on the way",
        ("actions", "stubborn", "d1", "d2w", "v", "i", "l", "source"),
    ),
    "stubborn-d1-d2": Rules(
        "D1 and D2, the strong form of D2w",
        ("actions", "stubborn", "c0", "d1", "d2", "v", "i", "l", "source"),
    ),
    "stubborn-deterministic": Rules(
        "D1 and D2w, every action deterministic",
        ("actions", "stubborn", "deterministic-actions", "d1", "d2w", "v", "i", "l", "source"),
    ),
    "stubborn-deterministic-d2": Rules(
        "D1 and D2, every action deterministic",
        ("actions", "stubborn", "deterministic-actions", "c0", "d1", "d2", "v", "i", "l", "source"),
    ),
}


def _all_rules() -> Iterator[tuple[str, Rules]]:
    for scheme in records.SCHEMES.values():
        yield from scheme.laboratory.items()
    yield from _ONLY_HERE.items()


def known() -> dict[str, LabScheme]:
    """The schemes by name: those of the reductions, and some of the laboratory's own."""
    return {name: LabScheme(name, rules.title, rules.files) for name, rules in _all_rules()}


SCHEMES: Mapping[str, LabScheme] = known()


def _mutated(name: str, scheme: str, title: str, without: str, wrong: str = "") -> LabScheme:
    left = [file for file in SCHEMES[scheme].files if file not in without.split()]
    return LabScheme(f"{scheme}-{name}", title, (*left, *wrong.split()))


# The default scheme and stubborn sets, wrong on purpose: the laboratory must find out.
_DEFAULT = "two-phase-ample"
_SAFETY, _DEPTH_FIRST = f"{_DEFAULT}-safety", f"{_DEFAULT}-safety-closed"
_THREADS, _ANCHORED = f"{_DEFAULT}-safety-threads", f"{_DEFAULT}-safety-anchored"
MUTATIONS: Mapping[str, LabScheme] = {
    scheme.name: scheme
    for scheme in (
        _mutated("no-c0", _DEFAULT, "an ample set may be empty", "c0"),
        _mutated("no-c1", _DEFAULT, "no C1 of ample sets", "c1"),
        _mutated("c1-next", _DEFAULT, "C1 of the next step only", "c1", "wrong-c1-next"),
        _mutated("no-c2", _DEFAULT, "visible operations in ample sets", "c2"),
        _mutated("no-sticky", _DEFAULT, "no sticky operations", "sticky walks-sticky"),
        _mutated("sticky-ample", _DEFAULT, "sticky operations in ample sets", "sticky",
                 "wrong-sticky-ample"),
        _mutated("sticky-loops", _DEFAULT, "no sticky operation on cycles of one step", "sticky",
                 "wrong-sticky-loops"),
        _mutated("sticky-walks", _DEFAULT, "sticky operations in phase 1 after an ample set",
                 "walks-sticky"),
        _mutated("walks-no-c1", _DEFAULT, "no C1 in phase 1", "walks-c1"),
        _mutated("walks-c1-next", _DEFAULT, "C1 of the next step only, in phase 1", "walks-c1",
                 "wrong-walks-c1-next"),
        _mutated("walks-visible", _DEFAULT, "visible operations in phase 1", "walks-c2"),
        _mutated("walks-endless", _DEFAULT, "phase 1 may go round for ever", "walks-end"),
        _mutated("walks-no-function", _DEFAULT,
                 "phase 1 goes another way than when it was asked for sticky operations",
                 "product-walks", "wrong-product-walks"),
        _mutated("no-c1", _SAFETY, "no C1 of persistent sets", "c1"),
        _mutated("c1-next", _SAFETY, "C1 of the next step only", "c1", "wrong-c1-next"),
        _mutated("walks-no-c1", _SAFETY, "no C1 in phase 1", "walks-c1"),
        _mutated("walks-c1-next", _SAFETY, "C1 of the next step only, in phase 1",
                 "walks-c1", "wrong-walks-c1-next"),
        _mutated("no-proviso", _SAFETY, "no proviso", "new"),
        _mutated("new-self", _SAFETY, "proviso: a state is new to itself", "new",
                 "wrong-new-self"),
        _mutated("new-before-walk", _SAFETY,
                 "proviso: asked of the state before phase 1", "new", "wrong-new-before-walk"),
        _mutated("new-any", _SAFETY,
                 "proviso: something new that another state found is enough", "new",
                 "wrong-new-any"),
        _mutated("new-once", _SAFETY,
                 "proviso: where nothing is new another set is taken, and kept", "new",
                 "wrong-new-once"),
        _mutated("self", _DEPTH_FIRST,
                 "proviso: a state is closed before itself", "closed", "wrong-closed-self"),
        _mutated("waiting", _DEPTH_FIRST,
                 "proviso: a state that is to be expanded will do, wherever it is", "closed",
                 "wrong-closed-waiting"),
        _mutated("any", _THREADS, "threads: something new that anybody has found is enough", "new",
                 "wrong-found-any"),
        _mutated("unfinished", _THREADS,
                 "threads: a state that is visited and not yet expanded will do", "new",
                 "wrong-found-unfinished"),
        _mutated("late", _THREADS, "threads: a state is expanded before it is stored", "new",
                 "wrong-found-late"),
        _mutated("popped", _ANCHORED, "threads: anchored is what has left the stack", "anchored",
                 "wrong-anchored-popped"),
        _mutated("outside", _ANCHORED,
                 "threads: anchored because of an operation that is not taken", "anchored",
                 "wrong-anchored-outside"),
        _mutated("together", _ANCHORED, "threads: anchored because of each other", "anchored",
                 "wrong-anchored-together"),
        _mutated("labelled-next", "stubborn", "D1' of the first step of a path only",
                 "d1-labelled", "wrong-d1-labelled-next"),
        _mutated("labelled-able", "stubborn",
                 "D1': an invisible action is enabled on the way, wherever it leads",
                 "d1-labelled", "wrong-d1-labelled-able"),
    )
}  # fmt: skip


def named(name: str) -> LabScheme:
    if name in MUTATIONS:
        return MUTATIONS[name]
    schemes = known()
    if name not in schemes:
        old = records.OLD_NAMES.get(name.split("-")[0])
        hint = old or suggest(name, schemes) or f"the schemes are {', '.join(schemes)}"
        raise WhorlError.at(None, f"there is no scheme '{name}'", hint)
    return schemes[name]


def rule_files() -> list[str]:
    """The names of our rule files."""
    return sorted(f.name for f in (resources.files("whorl.lab") / "rules").iterdir())


def source(name: str) -> Source:
    """A rule file of ours."""
    file = resources.files("whorl.lab") / "rules" / f"{name}.rules"
    return Source(f"{name}.rules", file.read_text("utf-8"))


# --- the same in plain Python --------------------------------------------------------------------


def violated(scheme: LabScheme, instance: Instance) -> str | None:
    """The first of the scheme's conditions that the instance breaks, by their definitions."""
    for name in scheme.files:
        if name in CHECKS:
            reason = CHECKS[name](instance, scheme.selection)
            if reason is not None:
                return reason
    if scheme.thread_proviso is not None:
        return threads.threaded(instance, scheme.thread_proviso)
    return visited.searched(instance, scheme.proviso) if scheme.is_safety else None


def _deterministic(instance: Instance, _: SelectsBy) -> str | None:
    return None if instance.automaton.is_deterministic else "the automaton is nondeterministic"


def _weak(instance: Instance, _: SelectsBy) -> str | None:
    return None if is_weak(instance.automaton) else "the automaton is not weak"


CHECKS: Mapping[str, Check] = {
    "c0": lambda instance, _: definitions.c0(instance),
    "c1": lambda instance, _: definitions.c1(instance),
    "c2": lambda instance, _: definitions.c2(instance),
    "cycles-full": lambda instance, selection: definitions.weak_c3(instance, selection, FULL),
    "cycles-reduced": lambda instance, selection: definitions.weak_c3(instance, selection, REDUCED),
    "by-program-state": lambda instance, _: definitions.by_program_state(instance),
    "sticky": lambda instance, _: definitions.sticky(instance),
    "proviso": lambda instance, _: definitions.proviso(instance),
    "walks": lambda instance, _: walks.one_way(instance),
    "wrong-c1-next": lambda instance, _: definitions.next_c1(instance),
    "wrong-walks-c1-next": lambda instance, _: walks.next_c1(instance),
    "wrong-sticky-ample": lambda instance, _: definitions.sticky_cycles(instance),
    "wrong-sticky-loops": lambda instance, _: (
        definitions.sticky_cycles(instance, loops=False) or definitions.sticky_sets(instance)
    ),
    "actions": lambda instance, _: stubborn.actions(instance),
    "stubborn": lambda instance, _: stubborn.sets(instance),
    "deterministic-actions": lambda instance, _: stubborn.deterministic(instance),
    "d1": lambda instance, _: stubborn.d1(instance),
    "d1-labelled": lambda instance, _: stubborn.d1_labelled(instance),
    "d2": lambda instance, _: stubborn.d2(instance),
    "d2w": lambda instance, _: stubborn.d2w(instance),
    "v": lambda instance, _: stubborn.v(instance),
    "i": lambda instance, _: stubborn.i(instance),
    "l": lambda instance, _: stubborn.l(instance),
    "wrong-new-once": lambda instance, _: visited.tried(instance),
    "closed": lambda instance, _: visited.closed(instance),
    "walks-end": lambda instance, _: walks.ends(instance),
    "walks-c1": lambda instance, _: walks.c1(instance),
    "walks-c2": lambda instance, _: walks.c2(instance),
    "walks-sticky": lambda instance, _: walks.sticky(instance),
    "deterministic": _deterministic,
    "weak": _weak,
    "si-normal-form": lambda instance, _: why_not_si_normal_form(instance.automaton),
}
