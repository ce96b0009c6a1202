"""Which statements a search never executed: dead code, or a model that does less than it seems."""

from __future__ import annotations

from dataclasses import dataclass

from whorl.program.program import DStep, Program, Skip, Terminate, Transition


@dataclass(frozen=True, slots=True)
class Unreached:
    """A statement that the search never executed."""

    process: str
    file: str
    line: int
    column: int
    text: str


def unreached(program: Program, reached: set[int]) -> tuple[Unreached, ...]:
    """The statements whose transitions are not among those `reached`, in the order of the source.

    A statement written once may be several transitions, as where an inline is called twice; it is
    listed only if none of them was taken. Where it is written tells it from others, and its text:
    what a macro stands for is all in one place.
    """
    taken: set[tuple[str, str, int, int, str]] = set()
    missed: dict[tuple[str, str, int, int, str], None] = {}
    for process in program.processes:
        for transition in process.transitions():
            if _passed_over(transition):
                continue
            text = "d_step" if isinstance(transition.action, DStep) else transition.text
            span = transition.span
            key = (process.title, span.source.name, span.line, span.column, text)
            if transition.number in reached:
                taken.add(key)
            else:
                missed[key] = None
    return tuple(Unreached(*key) for key in sorted(missed, key=lambda k: k[:4]) if key not in taken)


def _passed_over(transition: Transition) -> bool:
    """Whether it is no statement to miss.

    Control usually passes a goto, a break and the end of an if without a step; and many a process
    is not meant to end.
    """
    if isinstance(transition.action, Terminate):
        return True
    return isinstance(transition.action, Skip) and (
        transition.text in ("", "break") or transition.text.startswith("goto ")
    )
