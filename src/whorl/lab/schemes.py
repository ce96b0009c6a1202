"""The reduction schemes that the laboratory knows by name: which rules each is made of.

Beside its rules a condition has its definition in plain Python, by which every instance is checked
again. The rules are in the files beside this module, to be read beside the paper.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path

from whorl.diagnostics import Source, WhorlError, suggest
from whorl.lab import definitions, visited, walks
from whorl.lab.definitions import Selection
from whorl.lab.instance import Instance
from whorl.lab.language import Rules, read
from whorl.property.normal_form import why_not_si_normal_form
from whorl.property.operations import is_weak
from whorl.reduction.abstract import FULL, REDUCED

Check = Callable[[Instance, Selection], "str | None"]


@dataclass(frozen=True, slots=True)
class Scheme:
    """A name, what it says, and the files of its rules (`core` is in every scheme)."""

    name: str
    title: str
    files: tuple[str, ...]
    own: tuple[Source, ...] = ()  # rules of the user's

    @property
    def selection(self) -> Selection:
        return Selection.INTERMEDIATE if "intermediate" in self.files else Selection.SOURCE

    def rules(self) -> Rules:
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
    def has_walks(self) -> bool:
        """Whether it has a phase 1 of which only the ends are stored."""
        return "walks" in self.files

    def _find(self, name: str) -> Source | None:
        """A file that rules include: one beside the user's, or else one of ours."""
        for own in self.own:
            path = Path(own.name).parent / name
            if path.is_file():
                return Source(str(path), path.read_text("utf-8"))
        return source(name.removesuffix(".rules")) if name in rule_files() else None

    def without(self, *files: str) -> Scheme:
        """The scheme less some of its conditions: to see that they are needed."""
        assert set(files) <= set(self.files)
        left = tuple(name for name in self.files if name not in files)
        return replace(self, name=f"{self.name} without {', '.join(files)}", files=left)

    def with_rules(self, *files: str) -> Scheme:
        """The scheme, or the automata that are looked for, restricted by more rules."""
        return replace(self, files=self.files + files)

    def cycles(self, kind: str) -> Scheme:
        """The scheme with C3' over the full product, as in the paper, or over the reduced one."""
        return replace(
            self,
            files=tuple(f"cycles-{kind}" if f.startswith("cycles-") else f for f in self.files),
        )

    @property
    def looks_at_the_stack(self) -> bool:
        """Whether its cycle condition is about product states, so that C3 is asked of a search."""
        return any(name.startswith("cycles-") for name in self.files)


_AMPLE = ("c0", "c1", "c2")
_PHASE_1 = ("processes", "phase-1")
_WALKS = ("walks", "walks-end", "walks-c1")
_FORMULAS = ("walks-c2", "walks-sticky", "product-walks")
SCHEMES: Mapping[str, Scheme] = {
    scheme.name: scheme
    for scheme in (
        Scheme(
            "v0",
            "the combined algorithm: amp(q, s') after the automaton's move, C3'",
            (*_AMPLE, "intermediate", "cycles-full"),
        ),
        Scheme(
            "v1",
            "amp(q, s) of the product state that is left, C3'",
            (*_AMPLE, "source", "cycles-full"),
        ),
        Scheme(
            "state",
            "amp(q) of the program state alone, a full one on every cycle of the reduced product",
            (*_AMPLE, "source", "by-program-state", "cycles-reduced"),
        ),
        Scheme(
            "static",
            "amp(q) of the program state alone, without sticky operations; those cut every cycle",
            (*_AMPLE, "source", "by-program-state", "sticky"),
        ),
        Scheme(
            "proviso",
            "amp(q) of the program state alone, a full one on every cycle of the reduced program",
            (*_AMPLE, "source", "by-program-state", "proviso"),
        ),
        Scheme(
            "two-phase",
            "phase 1 a function of the program state; a safe operation stays safe",
            ("c0", *_PHASE_1, "safe-persistent", "source", "by-program-state", "proviso"),
        ),
        Scheme(
            "two-phase-next",
            "phase 1 a function of the program state; safe means: safe after the next step",
            ("c0", *_PHASE_1, "safe-next", "source", "by-program-state", "proviso"),
        ),
        Scheme(
            "combined",
            "phase 1 and then amp(q), functions of the program state; sticky operations cut every"
            " cycle",
            (*_AMPLE, "by-program-state", "sticky", *_WALKS, *_FORMULAS),
        ),
        Scheme(
            "combined-safety",
            "phase 1 and then a persistent set, with the proviso of visited states, in any order",
            ("c0", "c1", *_WALKS, "search", "new", "safety"),
        ),
        Scheme(
            "combined-safety-closed",
            "phase 1 and then a persistent set, one operation of which leads to a state that is"
            " closed before",
            ("c0", "c1", *_WALKS, "search", "closed", "safety"),
        ),
    )
}


def _mutated(name: str, scheme: str, title: str, without: str, wrong: str = "") -> Scheme:
    left = [file for file in SCHEMES[scheme].files if file not in without.split()]
    return Scheme(f"{scheme}-{name}", title, (*left, *wrong.split()))


# The default scheme, wrong on purpose: the laboratory must find out.
MUTATIONS: Mapping[str, Scheme] = {
    scheme.name: scheme
    for scheme in (
        _mutated("no-c0", "combined", "an ample set may be empty", "c0"),
        _mutated("no-c1", "combined", "no C1 of ample sets", "c1"),
        _mutated("c1-next", "combined", "C1 of the next step only", "c1", "wrong-c1-next"),
        _mutated("no-c2", "combined", "visible operations in ample sets", "c2"),
        _mutated("no-sticky", "combined", "no sticky operations", "sticky walks-sticky"),
        _mutated("sticky-ample", "combined", "sticky operations in ample sets", "sticky",
                 "wrong-sticky-ample"),
        _mutated("sticky-loops", "combined", "no sticky operation on cycles of one step", "sticky",
                 "wrong-sticky-loops"),
        _mutated("sticky-walks", "combined", "sticky operations in phase 1 after an ample set",
                 "walks-sticky"),
        _mutated("walks-no-c1", "combined", "no C1 in phase 1", "walks-c1"),
        _mutated("walks-c1-next", "combined", "C1 of the next step only, in phase 1", "walks-c1",
                 "wrong-walks-c1-next"),
        _mutated("walks-visible", "combined", "visible operations in phase 1", "walks-c2"),
        _mutated("walks-endless", "combined", "phase 1 may go round for ever", "walks-end"),
        _mutated("walks-no-function", "combined",
                 "phase 1 goes another way than when it was asked for sticky operations",
                 "product-walks", "wrong-product-walks"),
        _mutated("no-c1", "combined-safety", "no C1 of persistent sets", "c1"),
        _mutated("c1-next", "combined-safety", "C1 of the next step only", "c1", "wrong-c1-next"),
        _mutated("walks-no-c1", "combined-safety", "no C1 in phase 1", "walks-c1"),
        _mutated("walks-c1-next", "combined-safety", "C1 of the next step only, in phase 1",
                 "walks-c1", "wrong-walks-c1-next"),
        _mutated("no-proviso", "combined-safety", "no proviso", "new"),
        _mutated("new-self", "combined-safety", "proviso: a state is new to itself", "new",
                 "wrong-new-self"),
        _mutated("new-before-walk", "combined-safety",
                 "proviso: asked of the state before phase 1", "new", "wrong-new-before-walk"),
        _mutated("new-any", "combined-safety",
                 "proviso: something new that another state found is enough", "new",
                 "wrong-new-any"),
        _mutated("new-once", "combined-safety",
                 "proviso: where nothing is new another set is taken, and kept", "new",
                 "wrong-new-once"),
        _mutated("self", "combined-safety-closed",
                 "proviso: a state is closed before itself", "closed", "wrong-closed-self"),
        _mutated("waiting", "combined-safety-closed",
                 "proviso: a state that is to be expanded will do, wherever it is", "closed",
                 "wrong-closed-waiting"),
    )
}  # fmt: skip


def named(name: str) -> Scheme:
    if name in MUTATIONS:
        return MUTATIONS[name]
    if name not in SCHEMES:
        known = ", ".join(SCHEMES)
        hint = suggest(name, SCHEMES) or f"the schemes are {known}"
        raise WhorlError.at(None, f"there is no scheme '{name}'", hint)
    return SCHEMES[name]


def rule_files() -> list[str]:
    """The names of our rule files."""
    return sorted(f.name for f in (resources.files("whorl.lab") / "rules").iterdir())


def source(name: str) -> Source:
    """A rule file of ours."""
    file = resources.files("whorl.lab") / "rules" / f"{name}.rules"
    return Source(f"{name}.rules", file.read_text("utf-8"))


# --- the same in plain Python --------------------------------------------------------------------


def violated(scheme: Scheme, instance: Instance) -> str | None:
    """The first of the scheme's conditions that the instance breaks, by their definitions."""
    for name in scheme.files:
        if name in CHECKS:
            reason = CHECKS[name](instance, scheme.selection)
            if reason is not None:
                return reason
    return visited.searched(instance, scheme.proviso) if scheme.is_safety else None


def _deterministic(instance: Instance, _: Selection) -> str | None:
    return None if instance.automaton.is_deterministic else "the automaton is nondeterministic"


def _weak(instance: Instance, _: Selection) -> str | None:
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
