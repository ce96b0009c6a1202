"""The table of options: the command line and the keywords of `whorl.check` are those of it."""

from __future__ import annotations

import inspect
import re
from typing import Any

import pytest

import whorl
from whorl.cli.main import make_parser
from whorl.options import BY_FLAG, BY_NAME, CHECK, COMMON, KEYWORDS, Group, ValueKind
from whorl.spelling import FORMER_FLAGS, FORMER_KEYWORDS, OptionError, in_python

MODEL = "byte x; active proctype p() { x = 1 }"
WITH_FORMULA = f"{MODEL} ltl f {{ <> (x == 1) }}"
SCHEME = BY_NAME["por"].names[-1]


def test_signature_and_table_agree() -> None:
    found = inspect.signature(whorl.check).parameters.values()
    keywords = {p.name: p.default for p in found if p.kind is p.KEYWORD_ONLY}
    assert keywords == {name: BY_NAME[name].default for name in KEYWORDS}
    assert tuple(keywords) == KEYWORDS


def test_defaults_of_the_command_line_are_those_of_the_table() -> None:
    found = vars(make_parser().parse_args(["check", "model.pml"]))
    for option in CHECK:
        if option.flags:
            value = found[option.name]
            assert (not value) if option.repeatable else value == option.default


def test_names_and_flags_are_one_spelling() -> None:
    assert len(BY_NAME) == len(CHECK)
    for flag, option in BY_FLAG.items():
        if flag.startswith("--"):
            assert flag.removeprefix("--").removeprefix("no-").replace("-", "_") in (
                option.name,
                option.name.removeprefix("no_"),
            )


def test_choices_have_their_default() -> None:
    for option in CHECK:
        if option.kind is ValueKind.CHOICE:
            assert option.default is None or option.default in option.names
        for rule in option.rules:
            assert set(rule.values) <= set(option.names)
            assert all(set(rule.allowed) <= set(BY_NAME[name].names) for name in rule.others)


def test_help_shows_what_most_checks_need(capfd: pytest.CaptureFixture[str]) -> None:
    said = {}
    for flag in ("--help", "--help-all"):
        with pytest.raises(SystemExit) as stop:
            make_parser().parse_args(["check", flag])
        assert stop.value.code == 0
        said[flag] = capfd.readouterr().out
    assert len(said["--help"].splitlines()) <= 50
    shown = re.compile(r"^  (?:-\w, )?(--?[\w-]+)", re.MULTILINE)
    listed = {flag: set(shown.findall(text)) for flag, text in said.items()}
    for option in CHECK:
        if option.flags:
            assert option.flags[-1] in listed["--help-all"]
            assert option.basic == (option.flags[-1] in listed["--help"])
        assert not (option.basic and option.group is Group.RESEARCH)
    assert f"\n{Group.RESEARCH.value}:\n" not in said["--help"]
    last = said["--help-all"].partition(f"\n{Group.RESEARCH.value}:\n")[2]
    assert "--por NAME" in last
    assert "--timeout" not in last


# --- errors speak the language of the caller -----------------------------------------------------


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("--bits is of --store bitstate alone", 'bits is of store="bitstate" alone'),
        ("use --engine reference, or", 'use engine="reference", or'),
        ("leave out --algorithm: the fastest", "leave out algorithm: the fastest"),
        ("--safety checks it", "safety=True checks it"),
        ("`--no-merge`", "`merge=False`"),
        ("--no-cache", "no_cache=True"),
        ("--trail FILE, --full-trace, x--, x --y", "--trail FILE, --full-trace, x--, x --y"),
    ],
)
def test_flags_as_keywords(text: str, told: str) -> None:
    assert in_python(text) == told


@pytest.mark.parametrize(
    ("model", "keywords", "said"),
    [
        (MODEL, {"bits": 20}, 'bits is the size of store="bitstate" alone'),
        (MODEL, {"bits": 20, "store": "tree"}, 'add store="bitstate", or leave bits out'),
        (MODEL, {"engine": "reference", "store": "tree"}, 'does not go with store="tree"'),
        (MODEL, {"ltl": "<> (x == 1)", "store": "bitstate"}, "the search for cycles of ltl needs"),
        (WITH_FORMULA, {"store": "hash-compact"}, 'store="hash-compact" keeps no states'),
        (WITH_FORMULA, {"por": SCHEME, "fair": True}, 'por="none" searches everything'),
        (WITH_FORMULA, {"claim": "f", "algorithm": "fig5"}, "leave out algorithm"),
        ("init { c_code { x(); } }", {}, "hint: allow_embedded_c=True runs it"),
    ],
)
def test_errors_speak_python(model: str, keywords: dict[str, Any], said: str) -> None:
    with pytest.raises(whorl.WhorlError) as caught:
        whorl.check(model, **keywords)
    assert said in str(caught.value)
    assert "--" not in str(caught.value)


def test_reports_speak_python() -> None:
    """What is said about a model is left as it is, even if it looks like a flag."""
    text = "byte x; init { do :: x < 80 -> x++ :: else -> break od; assert(x < 80); x--; skip }"
    result = whorl.check(text, por="none")
    assert len(result.traces[0].steps) > 60
    assert "steps left out; Trace.steps shows them" in str(result)
    assert "steps left out; Trace.steps shows them" in str(result.traces[0])
    other = whorl.check('byte x; init { if :: x -> printf("--safety") :: else fi }')
    assert "never executed: 2 statements (Result.unreached lists them)" in str(other)
    assert "--" not in str(result) + str(result.traces[0]) + str(other)


def test_notes_speak_python() -> None:
    result = whorl.check("byte x; init { assert(x == 1) }", ltl="[] (x == 0)", engine="reference")
    assert any("safety=True checks it" in note for note in result.notes)


@pytest.mark.parametrize(
    ("keywords", "error", "said"),
    [
        ({"infinite_only": True}, TypeError, "'infinite_only': it is now 'infinite_runs'"),
        ({"memory_bytes": 1}, TypeError, "no keyword 'memory_bytes': it is now 'memory'"),
        ({"no_merge": True}, TypeError, "write merge=False"),
        ({"quiet": True}, TypeError, "--quiet is for the command line alone"),
        ({"shortst": True}, TypeError, r"did you mean 'shortest'\?"),
        ({"store": "compact"}, ValueError, "it is called hash-compact"),
        ({"store": "steam"}, OptionError, "unknown store 'steam'"),
        ({"por": "steam"}, OptionError, "unknown por 'steam'"),
        ({"engine": ["native"]}, OptionError, "unknown engine"),
        ({"fair": "no"}, TypeError, "fair is 'no', and neither True nor False"),
        ({"bits": 50, "store": "bitstate"}, ValueError, "bits is 50, and must be from 20 to 40"),
        ({"memory": "much"}, ValueError, "memory is 'much', and no size"),
        ({"memory": "0K"}, ValueError, "no size"),
    ],
)
def test_keywords_that_are_wrong(
    keywords: dict[str, Any], error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        whorl.check(MODEL, **keywords)


def test_memory_as_text() -> None:
    assert whorl.check(MODEL, memory="512M", engine="reference").verdict == "holds"
    found = whorl.check("int x, y; init { do :: x++ :: y++ od }", memory="1K", engine="reference")
    assert "the memory limit of" in found.properties[0].why


def test_former_spellings_are_gone_and_lead_to_what_is() -> None:
    assert not set(FORMER_FLAGS) & set(BY_FLAG)
    for now in FORMER_FLAGS.values():
        flag, name = now.split()
        assert name in BY_FLAG[flag].names
    assert not set(FORMER_KEYWORDS) & set(KEYWORDS)
    assert set(FORMER_KEYWORDS.values()) <= set(KEYWORDS)


@pytest.mark.parametrize("flag", FORMER_FLAGS)
def test_a_former_flag_is_an_error(flag: str, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        make_parser().parse_args(["check", flag, "model.pml"])
    assert stop.value.code == 2
    assert f"whorl check: error: {flag} is now {FORMER_FLAGS[flag]}\n" in capfd.readouterr().err
    with pytest.raises(SystemExit):
        make_parser().parse_args(["simulate", flag, "model.pml"])
    assert "is now" not in capfd.readouterr().err


def test_every_command_has_the_common_options() -> None:
    for option in COMMON:
        if option.group is Group.SHOWN:
            found = make_parser().parse_args(["cache", "show"])
            assert getattr(found, option.name) == option.default
