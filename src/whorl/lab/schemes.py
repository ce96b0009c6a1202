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
from whorl.lab import definitions
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
        return read(*self.own, *map(source, self.files), source("core"), find=self._find)

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
    )
}


def named(name: str) -> Scheme:
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
    return None


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
    "deterministic": _deterministic,
    "weak": _weak,
    "si-normal-form": lambda instance, _: why_not_si_normal_form(instance.automaton),
}
