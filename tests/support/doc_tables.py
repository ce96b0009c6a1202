"""The tables of the docs that are made from those of options, Spin's flags, schemes and mutants.

They stand between `<!-- table: NAME -->` and `<!-- end of table -->`.

`PYTHONPATH=src:tests python -m support.doc_tables` writes today's tables into the pages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from mutants import catalogue
from whorl.lab import schemes as lab
from whorl.options import (
    BY_NAME,
    CHECK,
    COMMON,
    SWARM,
    SWARMING,
    Exclusion,
    Group,
    Option,
    ValueKind,
)
from whorl.reduction.scheme import PropertyFacts, Scheme, Use
from whorl.reduction.schemes import SCHEMES, for_safety
from whorl.spelling import in_flags, in_python
from whorl.spin_flags import FLAGS, SpinFlag, Whose

DOCS = Path(__file__).parents[2] / "docs"
PAGES = [
    DOCS / page
    for page in (
        "reference/cli.md",
        "reference/api.md",
        "explanation/reduction.md",
        "explanation/laboratory.md",
        "coming-from-spin.md",
        "mutants.md",
    )
]

_TABLE = re.compile(
    r"(?<=<!-- table: )(?P<name>.*?) -->\n(?P<text>.*?)(?=<!-- end of table -->)", re.DOTALL
)
_NAMES = {name for option in CHECK if option.kind is ValueKind.CHOICE for name in option.names}
_FLAG = re.compile(rf"(?<![\w-])--[a-z][a-z-]*(?: (?:{'|'.join(sorted(_NAMES))})\b)?")


def tables() -> dict[str, str]:
    """The tables by name."""
    found = {"options of every command": _rows(_command_rows(COMMON), "option")}
    for group in Group:
        options = [o for o in CHECK if o.group is group and o.flags and o not in COMMON]
        found[group.value] = _rows(_command_rows(options), "option")
    found["options that exclude each other"] = "".join(_exclusions(CHECK))
    shared = [o for o in SWARM if o.flags and o not in COMMON and o not in SWARMING]
    found["options of swarms"] = _rows(_command_rows(SWARMING), "option")
    found["options that swarms share"] = _rows(_command_rows(shared), "option")
    found["keywords"] = _rows(_keyword_rows(CHECK), "keyword", "value", "default")
    own = _keyword_rows(SWARMING)
    found["keywords of swarms"] = _rows(own, "keyword", "value", "default")
    keywords = [option for option in CHECK if option.keyword]
    found["keywords that exclude each other"] = "".join(map(in_python, _exclusions(keywords)))
    found["schemes"] = _table(map(_scheme_row, SCHEMES.values()), *_SCHEME_HEADS)
    found["schemes for safety"] = _table(_safety_rows(), "name", "for safety", "cycle condition")
    rules = ((f"`{s.name}`", f"`{' '.join(s.files)}`", s.title) for s in lab.known().values())
    found["schemes of the laboratory"] = _table(rules, "scheme", "files", "what it says")
    fates = ((area, *map(str, counts)) for area, *counts in catalogue.fates())
    found["mutants"] = _table(fates, "area", "planted", "killed", "argued", "not noted")
    for whose in Whose:
        rows = (_spin_row(row) for row in FLAGS if row.whose is whose)
        found[f"flags of {whose.value}"] = _table(rows, *_SPIN_HEADS)
    return found


_SPIN_HEADS = "flag", "what it does in Spin", "in whorl", "remarks"


def _spin_row(row: SpinFlag) -> tuple[str, ...]:
    instead = f"`whorl {row.instead}`" if row.instead else "refused" if row.refused else "none"
    cells = f"`{row.flag}{row.value}`", row.means, instead, row.note
    return tuple(cell.replace("|", "\\|") for cell in cells)


_SCHEME_HEADS = (
    "name",
    "origin",
    "what it is",
    "the ample set is a function of",
    "cycle condition",
    "sound for",
    "any order of search",
)


def _scheme_row(scheme: Scheme) -> tuple[str, ...]:
    use = scheme.formulas
    cycles = "" if use is None else use.cycles
    order = "yes" if scheme.any_order else "depth first"
    about = scheme.origin, scheme.title, scheme.function_of
    return f"`{scheme.name}`", *about, cycles, _sound_for(use), order


def _sound_for(use: Use | None) -> str:
    """Which formulas, by asking of each sort."""
    if use is None:
        return "safety alone"
    if use.soundness(PropertyFacts(True, False, False)).sound:
        return "every stutter-invariant property"
    sorts = {
        "deterministic automata": PropertyFacts(True, True, False),
        "SI normal form": PropertyFacts(True, False, True),
    }
    return ", ".join(sort for sort, facts in sorts.items() if use.soundness(facts).sound)


def _safety_rows() -> Iterator[tuple[str, ...]]:
    for scheme in SCHEMES.values():
        name, use = for_safety(scheme.name)
        yield f"`{scheme.name}`", "itself" if name == scheme.name else f"`{name}`", use.cycles


def _rows(rows: Iterator[tuple[str, ...]], *heads: str) -> str:
    return _table(rows, *heads, "what it does")


def _table(rows: Iterator[tuple[str, ...]], *heads: str) -> str:
    first = f"| {' | '.join(heads)} |\n|{'---|' * len(heads)}\n"
    return first + "".join(f"| {' | '.join(cells)} |\n" for cells in rows)


def _command_rows(options: Sequence[Option]) -> Iterator[tuple[str, ...]]:
    for option in options:
        value = "" if option.metavar is None else f" {option.metavar}"
        value = f" [{option.metavar}]" if option.kind is ValueKind.ADDRESS else value
        flags = ", ".join(f"`{flag}{value}`" for flag in option.flags)
        again = " (repeatable)" if option.repeatable else ""
        yield flags, f"{_choices(option)}{_marked(option.help)}{again}"


def _choices(option: Option) -> str:
    if option.kind is not ValueKind.CHOICE:
        return ""
    default = " (default)"
    return ", ".join(f"`{n}`{default if n == option.default else ''}" for n in option.names) + ": "


def _keyword_rows(options: Sequence[Option]) -> Iterator[tuple[str, ...]]:
    for option in options:
        if option.keyword:
            value = option.kind.value
            if option.kind is ValueKind.CHOICE:
                value = ", ".join(f'`"{name}"`' for name in option.names)
            default = f'"{option.default}"' if isinstance(option.default, str) else option.default
            off = "`False`: " if option.default is True else ""
            yield f"`{option.name}`", value, f"`{default}`", off + in_python(_marked(option.help))


def _exclusions(options: Sequence[Option]) -> Iterator[str]:
    for option in options:
        for rule in option.rules:
            said = rule.said.format(this=_this(option, rule), other=_others(rule))
            yield f"- {_marked(said)}.\n"


def _this(option: Option, rule: Exclusion) -> str:
    return _either([in_flags(option, value) for value in rule.values or ("",)]).rstrip()


def _others(rule: Exclusion) -> str:
    others = [BY_NAME[name] for name in rule.others]
    if not rule.allowed:
        return _either([option.flag for option in others])
    return _either(
        [in_flags(o, name) for o in others for name in o.names if name not in rule.allowed]
    )


def _either(words: list[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} or {last}" if first else last


def _marked(text: str) -> str:
    """The text with its flags as code, where they are not yet."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(p if p[:1] == "`" else _FLAG.sub(r"`\g<0>`", p) for p in parts)


def shown(page: Path) -> dict[str, str]:
    """The tables that a page has."""
    text = page.read_text(encoding="utf-8")
    return {found["name"]: found["text"].strip("\n") + "\n" for found in _TABLE.finditer(text)}


def rewritten(page: Path) -> str:
    """The page with today's tables."""
    now = tables()

    def table(found: re.Match[str]) -> str:
        return f"{found['name']} -->\n\n{now[found['name']]}\n"

    return _TABLE.sub(table, page.read_text(encoding="utf-8"))


if __name__ == "__main__":
    for path in PAGES:
        path.write_text(rewritten(path), encoding="utf-8")
