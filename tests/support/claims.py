"""Random never claims for random programs: conditions on their global variables."""

from __future__ import annotations

from hypothesis import strategies as st

import whorl
from whorl.program.program import Program
from whorl.promela.symbols import Kind

_NUMBERS = (Kind.BIT, Kind.BYTE, Kind.SHORT, Kind.INT, Kind.UNSIGNED)


@st.composite
def never_claims(draw: st.DrawFn, text: str) -> str:
    """The program with a never claim that follows."""
    program = whorl.load(text).program
    conditions = _conditions(program)
    count = draw(st.integers(1, 4))
    accepting = draw(st.sets(st.integers(0, count - 1)))
    names = [f"accept_S{n}" if n in accepting else f"S{n}" for n in range(count)]
    targets = st.sampled_from(names if draw(st.booleans()) else [*names, "bad"])
    lines = []
    for name in names:
        options = [
            f":: {draw(conditions)} -> goto {draw(targets)}" for _ in range(draw(st.integers(1, 3)))
        ]
        if draw(st.booleans()):
            options.append(f":: else -> goto {draw(targets)}")
        lines.append(f"{name}: if {' '.join(options)} fi;")
    body = "\n  ".join([*lines, "bad: skip"])
    return f"{text}\nnever {{\n  {body}\n}}\n"


def _conditions(program: Program) -> st.SearchStrategy[str]:
    names = [
        variable.name
        for variable in program.variables
        if variable.length is None
        and variable.type is not None
        and variable.type.kind in _NUMBERS
        and not variable.hidden
    ]
    if not names:
        return st.just("true")
    simple = st.builds(
        "{} {} {}".format,
        st.sampled_from(names),
        st.sampled_from(["==", "!=", "<", ">"]),
        st.integers(0, 3),
    )
    return st.one_of(
        st.just("true"),
        simple,
        st.builds("({}) && ({})".format, simple, simple),
        st.builds("({}) || !({})".format, simple, simple),
    )
