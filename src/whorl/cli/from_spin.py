"""Command lines of Spin and of its verifier pan, as command lines of whorl."""

from __future__ import annotations

import shlex
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from whorl.cli.arguments import STDIN
from whorl.diagnostics import Diagnostic, WhorlError, suggest
from whorl.files import MODEL_SUFFIXES, is_file, read_text
from whorl.given import FEWEST_BITS, MOST_BITS
from whorl.spin_flags import FLAGS, OF_THE_COMPILER, SpinFlag, Whose, named

PAGE = "docs/coming-from-spin.md lists Spin's flags"
UNASKED = "without -a pan looks for no acceptance cycles; whorl does, unless --safety is given"
_TO_SEARCH = ("-a", "-run", "-search")
_TO_SHOW = ("-p", "-g", "-l", "-s", "-r", "-c", "-M", "-h", "-v", "-w")
_ABOUT_CLAIMS = ("--claim", "--ltl", "--non-progress")
_MEGABYTE, _GIGABYTE = 2**20, 2**30
_MOST_MEMORY = 62  # 2^N bytes


@dataclass(frozen=True, slots=True)
class Translated:
    """A command line of whorl, without `whorl`, and what it leaves out."""

    words: list[str]
    notes: list[str]

    @property
    def line(self) -> str:
        return shlex.join(["whorl", *self.words])


@dataclass(slots=True)
class _Given:
    """A command line of Spin's, read."""

    flags: list[tuple[SpinFlag, str]] = field(default_factory=list)
    own: list[str] = field(default_factory=list)  # whorl's long options, passed on
    model: str | None = None

    def has(self, whose: Whose, *names: str) -> bool:
        return any(row.whose is whose and row.flag in names for row, _ in self.flags)


def hints(word: str) -> list[str]:
    """What a flag of Spin's is in whorl, in a line for each of the tools that have it."""
    whose = (Whose.PAN, Whose.SEARCH, Whose.SPIN, Whose.COMPILER)
    return [
        f"{row.whose.value} {row.flag}{row.value} ({row.means}): {row.counterpart}"
        for row, _ in named(word, whose)
    ]


def translate(tool: str, words: list[str]) -> Translated:
    """The command of whorl for a command line of `spin` or `pan`."""
    given = _read(words, searching=tool == "pan")
    for row, _ in given.flags:
        if row.refused:
            raise _error(f"whorl has no {row.whose.value} {row.flag} ({row.means})", row.note)
    command = _command(given, tool)
    if command == "--version":
        return Translated([command], [])
    if given.model is None and command != "property":
        raise _error(f"no model is given to {tool}", f"whorl {tool} [FLAG ...] MODEL")
    options: list[tuple[str, ...]] = []
    notes = []
    for row, value in given.flags:
        flag_options = list(_options(row, value, command))
        options += (fitting := [option for option in flag_options if _fits(option, given)])
        if fitting != flag_options or not _is_answered(row, command):
            notes.append(f"{row.flag}{value} is ignored: {row.note or _elsewhere(row, command)}")
        elif row.whose is Whose.PAN and row.flag == "-c" and value not in ("0", "1"):
            notes.append(f"-c{value}: all errors are looked for, not {value}")
    options = _completed(options, given, command)
    if _looks_for_more(options, given, tool, command):
        notes.append(UNASKED)
    flat = [word for option in dict.fromkeys(options) for word in option]
    model = [given.model] if given.model is not None and command != "property" else []
    return Translated([command, *flat, *given.own, *model], notes)


# --- reading --------------------------------------------------------------------------------------


def _read(words: list[str], searching: bool) -> _Given:
    """The flags, their values and the model. After `-search` they are those of pan."""
    given, queue, of_spin = _Given(), deque(words), not searching
    while queue:
        word = queue.popleft()
        if word.startswith("--") and word != "--":
            given.own.append(word)
        elif word == STDIN or not word.startswith("-"):
            if given.model is not None:
                raise _error(f"'{given.model}' and '{word}' are two models", "give one of them")
            given.model = word
        else:
            row, value = _flag(word, searching, of_spin)
            if row.takes_word and not value and _takes_next(row, queue):
                if not queue:
                    raise _error(f"{row.flag} needs a value: {row.flag}{row.value}")
                value = queue.popleft()
            given.flags.append((row, value))
            searching |= row.flag in ("-run", "-search")
    return given


def _takes_next(row: SpinFlag, queue: deque[str]) -> bool:
    if not row.optional:
        return True
    return bool(queue) and not queue[0].startswith("-") and not queue[0].endswith(MODEL_SUFFIXES)


def _flag(word: str, searching: bool, of_spin: bool) -> tuple[SpinFlag, str]:
    """Which flag a word is, and its value."""
    if searching and word.startswith("-D") and word != "-D":
        name, _, value = word.removeprefix("-D").partition("=")
        if name in OF_THE_COMPILER:
            row = OF_THE_COMPILER[name]
            if row.value and row.value_in(word) is None:
                raise _error(f"{row.flag} needs a number: {row.flag}{row.value}")
            return row, value
        if of_spin:
            hint = f"a macro of the model stands before -search: whorl spin {word} -search ..."
            raise _error(f"{word} is no setting of pan", hint)
        return next(named(word, [Whose.SPIN]))
    whose = [Whose.SEARCH, Whose.PAN] if searching else [Whose.SPIN]
    longest = max(named(word, whose), key=lambda each: len(each[0].flag), default=None)
    if longest is not None:
        return longest
    raise _error(f"{whose[-1].value} has no flag {word}", _meant(word, whose))


def _meant(word: str, whose: list[Whose]) -> str:
    """What may be right in place of an unknown flag."""
    rows = [row for row in FLAGS if row.whose in whose]
    names = {row.flag: row for row in rows}
    if word in names:
        return f"it needs a value: {word}{names[word].value}"
    letters = [f"-{letter}" for letter in word[1:]]
    if len(letters) > 1 and all(letter in names for letter in letters):
        return f"write the flags apart: {' '.join(letters)}"
    if Whose.SPIN in whose and any(named(word, [Whose.SEARCH, Whose.PAN, Whose.COMPILER])):
        return f"it is one of pan: write it after -search, as in whorl spin -search {word} MODEL"
    return suggest(word, sorted(names)) or PAGE


# --- translating ----------------------------------------------------------------------------------


def _command(given: _Given, tool: str) -> str:
    """The command of whorl that does what the line asks for."""
    commands = {row.command for row, _ in given.flags}
    if "--version" in commands:
        return "--version"
    searches = tool == "pan" or given.has(Whose.SPIN, *_TO_SEARCH)
    if tool == "spin" and searches:
        return "check"
    order = ("simulate", "parse", "check") if searches else ("property", "parse", "simulate")
    return next((name for name in order[:-1] if name in commands), order[-1])


def _is_answered(row: SpinFlag, command: str) -> bool:
    """Whether the command has something for a flag, or does unasked what it says."""
    if row.whose is Whose.SPIN and row.flag in ("-D", "-E"):
        return command != "property"
    if row.command == "property":
        return command in ("property", "check")
    return row.command == command or (row.whose is Whose.PAN and row.flag == "-x")


def _looks_for_more(options: list[tuple[str, ...]], given: _Given, tool: str, command: str) -> bool:
    """Whether whorl looks for cycles where pan would not."""
    runs = tool == "pan" or given.has(Whose.SPIN, "-run", "-search")
    asked = given.has(Whose.PAN, "-a") or ("--safety",) in options
    return command == "check" and runs and not asked


def _elsewhere(row: SpinFlag, command: str) -> str:
    if row.command == command:
        return "it does not go with the rest of the line"
    return f"it is for `whorl {row.command}`"


def _options(row: SpinFlag, value: str, command: str) -> Iterator[tuple[str, ...]]:
    """The options of the command for one flag."""
    if row.whose is Whose.SPIN and row.flag in ("-D", "-E"):
        if command != "property":
            yield (_for_preprocessor(value) if row.flag == "-E" else f"-D{value}",)
    elif row.command == "property" and command in ("property", "check"):
        formula = _first_line(value) if row.flag == "-F" else value
        yield ("--never", formula) if command == "property" else ("--ltl", f"!({formula})")
    elif row.command == command and not (row.flag == "-c" and value == "1"):
        if "--trail" in row.options:  # `_completed` knows the name
            yield from ((option,) for option in row.options if option == "--print-only")
        elif row.options:
            yield tuple(_value(row, value) if o.isupper() else o for o in row.options)


def _fits(option: tuple[str, ...], given: _Given) -> bool:
    """Whether an option goes with the rest of the line."""
    guided = given.has(Whose.SPIN, "-t", "-k", "-replay")
    match option[0]:
        case "--bits":
            return _has_bitstate(given)
        case "--seed":
            return not guided and not given.has(Whose.SPIN, "-i")
        case "--interactive":
            return not guided
    return True


def _completed(
    options: list[tuple[str, ...]], given: _Given, command: str
) -> list[tuple[str, ...]]:
    """The options with those that Spin needs no flag for."""
    if command == "check":
        if any(option[0] in _ABOUT_CLAIMS for option in options):
            options = [("--safety",), ("--no-end-states",), *options]
        return options + _trail_to_write(given)
    if command == "simulate":
        names = [
            _trail_name(given.model, value)
            for row, value in given.flags
            if "--trail" in row.options
        ]
        if names:
            named_file = [name for name in names if name != f"{given.model}.trail"]
            return [*options, ("--trail", (named_file or names)[0])]
        if not given.has(Whose.SPIN, "-i", *_TO_SHOW):
            return [*options, ("--print-only",)]
    return options


def _trail_to_write(given: _Given) -> list[tuple[str, ...]]:
    """pan writes a trail beside the model, unless it may not overwrite one."""
    suffix = next((value for row, value in given.flags if row.value == "SUFFIX"), "trail")
    name = f"{given.model}.{suffix}"
    own = any(word.partition("=")[0] in ("--trail", "--emit-c") for word in given.own)
    kept = given.has(Whose.PAN, "-x") and is_file(name)
    return [] if given.model == STDIN or own or kept else [("--trail", name)]


def _trail_name(model: str | None, value: str) -> str:
    """The name of a trail, as Spin makes it of a number or of nothing."""
    return value if value and not value.isdigit() else f"{model}{value}.trail"


def _has_bitstate(given: _Given) -> bool:
    return any("bitstate" in row.options for row, _ in given.flags)


def _value(row: SpinFlag, value: str) -> str:
    """A value of Spin's in the units of whorl."""
    match row.flag:
        case "-Q":
            return str(60 * int(value))
        case "-w":
            return _bits(int(value))
        case "-M":
            return _bits((8 * _MEGABYTE * int(value)).bit_length() - 1)
        case "-G":
            return _bits((8 * _GIGABYTE * int(value)).bit_length() - 1)
        case "-DMEMLIM":
            return f"{value}M"
        case "-DMEMCNT":
            return str(2 ** min(int(value), _MOST_MEMORY))
    return value


def _bits(wanted: int) -> str:
    return str(min(max(wanted, FEWEST_BITS), MOST_BITS))


def _for_preprocessor(option: str) -> str:
    if not option.startswith(("-D", "-I")):
        raise _error(f"whorl's preprocessor has no option {option}", "it has -D and -I")
    return option


def _first_line(name: str) -> str:
    """The formula in a file: its first line."""
    try:
        lines = read_text(Path(name)).splitlines()
    except OSError as error:
        raise _error(f"cannot read '{name}': {error.strerror or error}") from None
    if not lines:
        raise _error(f"'{name}' is empty", "its first line is the formula")
    return lines[0].strip()


def _error(message: str, hint: str | None = None) -> WhorlError:
    return WhorlError(Diagnostic("error", message, None, hint))
