"""The models that a command line names: files, and those in folders."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from whorl.diagnostics import Diagnostic, WhorlError
from whorl.files import MODEL_SUFFIXES, read_text

PLACEHOLDER = "{model}"
# Options that name a file for what was found in one model.
FILES = ("trail", "spin_trail", "itf", "dot", "chart", "html", "coverage")
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*["<]([^">\n]+)[">]', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Models:
    """The names of models, and those left out of a folder, since its models include them."""

    names: tuple[str, ...]
    included: tuple[str, ...] = ()


def models_of(given: Iterable[str]) -> Models:
    """The models that are given. A folder stands for all those in it and in its folders."""
    names: dict[str, None] = {}
    left_out: dict[str, None] = {}
    for name in given:
        if not Path(name).is_dir():
            names[name] = None
            continue
        found = sorted(_models_in(Path(name)))
        if not found:
            message = f"there is no model in the folder '{name}'"
            hint = f"a model's name ends in {', '.join(MODEL_SUFFIXES)}"
            raise WhorlError(Diagnostic("error", message, None, hint))
        included = {header for path in found for header in _included(path)}
        for path in found:
            (left_out if path.resolve() in included else names)[str(path)] = None
    return Models(tuple(names), tuple(name for name in left_out if name not in names))


def _models_in(folder: Path) -> Iterator[Path]:
    """The models below a folder, without what is hidden."""
    for path in folder.rglob("*"):
        parts = path.relative_to(folder).parts
        hidden = any(part.startswith(".") for part in parts)
        if path.suffix in MODEL_SUFFIXES and not hidden and path.is_file():
            yield path


def _included(path: Path) -> set[Path]:
    """The files beside a model that it includes: parts of it, and no models themselves."""
    try:
        text = read_text(path)
    except OSError:  # the check says so
        return set()
    found = {(path.parent / name).resolve() for name in _INCLUDE.findall(text)}
    return found - {path.resolve()}


def labels(names: Sequence[str]) -> Mapping[str, str]:
    """What stands for `{model}` in the name of a file: a short name of each, all different."""
    short = {name: _stem(name) for name in names}
    for longer in (_without_suffix, _whole):
        count = Counter(short.values())
        short = {name: said if count[said] == 1 else longer(name) for name, said in short.items()}
    seen = Counter[str]()
    for name, said in short.items():  # x/a.pml and x_a.pml
        seen[said] += 1
        short[name] = said if seen[said] == 1 else f"{said}-{seen[said]}"
    return short


def _without_suffix(name: str) -> str:
    return _whole(str(Path(name).with_suffix("")))


def _whole(name: str) -> str:
    return name.strip("/.").replace("/", "_")


def _stem(name: str) -> str:
    return "stdin" if name == "-" else Path(name).stem
