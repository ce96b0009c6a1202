"""What whorl finds on a machine: what is there, what is missing, and what to do about it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from whorl.diagnostics import WhorlError
from whorl.doctor import machine, programs, trial
from whorl.doctor.finding import Finding, problem

# What is looked at, by its name where that fails.
CHECKS: dict[str, Callable[[], Iterable[Finding]]] = {
    "python": machine.python,
    "whorl": machine.installation,
    "C compiler": programs.compiler,
    "other compilers": programs.other_compilers,
    "cache": programs.cache_folder,
    "cores": machine.processors,
    "memory": machine.memory,
    "huge pages": machine.huge_pages,
    "spin": programs.spin,
    "extras": machine.extras,
    "completion": machine.completion,
    "native engine": trial.native,
    "reference engine": trial.reference,
}


def examine(checks: Mapping[str, Callable[[], Iterable[Finding]]] = CHECKS) -> Iterator[Finding]:
    """What each check finds, as soon as it is known. A check that fails is a finding, too."""
    for name, check in checks.items():
        try:
            yield from check()
        except WhorlError as error:
            said = error.diagnostics[0]
            lines = said.message.splitlines()[:2]  # what failed, and the first that it says
            yield problem(name, ": ".join(lines), said.hint or "")
        except Exception as error:  # whatever the machine is like, the other checks go on
            yield problem(name, f"could not be found out: {type(error).__name__}: {error}")
