"""Every example has the verdicts that it promises, in both engines and in Spin.

The head comment says what `whorl check` finds (`Expect: violated (assertion, enters)`), and what it
finds with an option (`Expect with --non-progress: holds`). Beside an ltl block or a never claim
stands what to expect of it. Further formulas are in properties.toml.

A verdict is "holds", "violated", or "holds if fair": violated, but not by a fair run. What is only
"violated" is violated by a fair run too.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

import whorl
from support.asserts import without_assertions
from support.spin import claim_searches, cycle_searches, full_search, is_violated
from whorl.diagnostics import Source
from whorl.expectations import ExpectedVerdict, expectations, met
from whorl.promela.skim import claim_blocks

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("*.pml"))
FURTHER = tomllib.loads((Path(__file__).parent / "properties.toml").read_text())

# How a head comment, whorl and Spin name the same kind of violation of safety.
KINDS = {"assertion": "assertion", "invalid end state": "end state"}
SPIN_TEXTS = {"assertion": "assertion violated", "invalid end state": "invalid end state"}

# The reference engine takes its time for these.
LARGE = {"bakery", "bounded_buffer", "elevator", "msi_cache", "two_phase_commit"}

VERDICTS = {"holds": (False, False), "holds if fair": (True, False), "violated": (True, True)}


@dataclass(frozen=True)
class Promise:
    """A property, and whether it is violated: by some run, by some run that is fair."""

    name: str
    violated: tuple[bool, bool]
    formula: str | None = None  # given beside the model


def said(model: Path) -> list[ExpectedVerdict]:
    """What the comments of a model promise."""
    return expectations(Source(model.name, model.read_text()))


def expectation(model: Path) -> set[str]:
    """What the head comment says is violated: kinds and names."""
    (head,) = (e for e in said(model) if e.claim is None and not e.options)
    assert head.verdict == "holds" or head.violated
    return {*head.violated}


def with_option(model: Path, option: str) -> tuple[bool, bool] | None:
    """What the head comment says of a check with an option."""
    found = [e for e in said(model) if e.claim is None and e.options == (option,)]
    return VERDICTS[found[0].verdict] if found else None


def blocks(model: Path) -> list[Promise]:
    """The ltl blocks and never claims, with what stands beside them."""
    return [Promise(e.claim, VERDICTS[e.verdict]) for e in said(model) if e.claim is not None]


def without_claims(text: str) -> str:
    for block in reversed(claim_blocks(text)):
        text = text[: block.start] + text[block.end :]
    return text


def further(model: Path) -> list[Promise]:
    return [
        Promise(name, VERDICTS[entry["expect"]], entry["formula"])
        for name, entry in FURTHER.get(model.stem, {}).items()
    ]


def promises(model: Path) -> list[Promise]:
    return [*blocks(model), *further(model)]


def model_id(model: Path) -> str:
    return model.stem


def select(*options: str) -> Sequence[Path]:
    return [m for m in EXAMPLES if all(with_option(m, option) is not None for option in options)]


WITH_PROPERTIES = [model for model in EXAMPLES if promises(model)]


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 13
    assert FURTHER.keys() <= {model.stem for model in EXAMPLES}


def test_there_are_properties() -> None:
    every = [promise for model in EXAMPLES for promise in promises(model)]
    assert len(every) >= 60
    for violated in VERDICTS.values():
        assert sum(promise.violated == violated for promise in every) >= 10


@pytest.mark.parametrize("model", EXAMPLES, ids=model_id)
def test_every_block_is_found(model: Path) -> None:
    program = whorl.load(model).program
    names = [f.name for f in program.formulas] + [never.name for never in program.never]
    assert [promise.name for promise in blocks(model)] == names


@pytest.mark.parametrize("model", EXAMPLES, ids=model_id)
def test_head_comment_names_a_command(model: Path) -> None:
    commands = re.findall(r"^ \* Try: (.+)$", model.read_text(), re.MULTILINE)
    assert len(commands) == 1
    options = r"(-D\w+=\d+ |--fair |--non-progress |--claim \w+ )*"
    assert re.fullmatch(rf"whorl check {options}examples/{re.escape(model.name)}", commands[0])


@pytest.mark.parametrize("model", EXAMPLES, ids=model_id)
def test_whorl_gives_the_expected_verdict(model: Path) -> None:
    expected = expectation(model)
    result = whorl.check(model)
    assert result.verdict == ("violated" if expected else "holds")
    violated = {p for p in result.properties if p.verdict == "violated"}
    claims = {promise.name for promise in blocks(model)}
    assert {p.name if p.name in claims else p.kind for p in violated} == {
        KINDS.get(name, name) for name in expected
    }


# What the head comments say of the mended or the larger model: -DFIXED=1, -DWINDOW=2.
OTHERS = [
    pytest.param(model, expected, id=f"{model.stem}[{' '.join(expected.options)}]")
    for model in EXAMPLES
    for expected in said(model)
    if expected.options and all(option.startswith("-D") for option in expected.options)
]


def test_there_are_mended_models() -> None:
    assert len(OTHERS) >= 10


@pytest.mark.parametrize(("model", "expected"), OTHERS)
def test_whorl_gives_the_expected_verdict_with_macros(
    model: Path, expected: ExpectedVerdict
) -> None:
    result = whorl.check(model, defines=macros(expected))
    assert met(result, expected.verdict, expected.violated)


@pytest.mark.spin
@pytest.mark.parametrize(("model", "expected"), OTHERS)
def test_spin_gives_the_expected_verdict_with_macros(
    model: Path, expected: ExpectedVerdict
) -> None:
    assert expected.violated <= KINDS.keys(), "Spin is asked for safety below"
    result = full_search(model, args=expected.options)
    texts = tuple(SPIN_TEXTS[kind] for kind in expected.violated)
    assert result.complete
    assert bool(result.violations) == bool(texts)
    assert all(text.startswith(texts) for text in result.violations)
    if expected.verdict == "holds":
        names = [promise.name for promise in blocks(model)]
        for found in claim_searches(model, names, args=expected.options).values() if names else ():
            assert not any(map(is_violated, found)), names
            assert all(each.complete for each in found)


def macros(expected: ExpectedVerdict) -> dict[str, str]:
    """The macros of its options."""
    words = [option.removeprefix("-D").partition("=") for option in expected.options]
    return {name: value or "1" for name, _, value in words}


@pytest.mark.parametrize("model", EXAMPLES, ids=model_id)
def test_head_comment_agrees_with_the_blocks(model: Path) -> None:
    violated = {promise.name for promise in blocks(model) if promise.violated[0]}
    acceptance = with_option(model, "--acceptance")
    others = {*KINDS, "acceptance"} if acceptance is not None and acceptance[0] else {*KINDS}
    assert expectation(model) - others == violated


@pytest.mark.parametrize("model", WITH_PROPERTIES, ids=model_id)
def test_properties_in_the_native_engine(model: Path) -> None:
    """What holds is asked of every run, what is violated of the fair ones: the rest follows."""
    for fair in (False, True):
        follows = VERDICTS["holds"] if fair else VERDICTS["violated"]
        asked = [promise for promise in promises(model) if promise.violated != follows]
        check_promises(model, asked, fair, "native", "auto")


@pytest.mark.slow
@pytest.mark.parametrize("por", ["none", "auto"])
@pytest.mark.parametrize("model", WITH_PROPERTIES, ids=model_id)
def test_every_property_in_the_native_engine(model: Path, por: str) -> None:
    for fair in (False, True):
        check_promises(model, promises(model), fair, "native", por)


@pytest.mark.parametrize(
    "model",
    [
        pytest.param(m, id=m.stem, marks=[pytest.mark.slow] if m.stem in LARGE else [])
        for m in WITH_PROPERTIES
    ],
)
def test_properties_in_the_reference_engine(model: Path) -> None:
    for fair in (False, True):
        check_promises(model, promises(model), fair, "reference", "none")


def check_promises(
    model: Path, asked: Sequence[Promise], fair: bool, engine: str, por: str
) -> None:
    given = [promise for promise in asked if promise.formula is not None]
    if not asked:
        return
    result = whorl.check(
        model,
        claim=[promise.name for promise in asked if promise.formula is None],
        ltl=[promise.formula for promise in given if promise.formula is not None],
        fair=fair,
        engine=engine,
        por=por,
        assertions=False,
    )
    verdicts = {p.name: p.verdict for p in result.properties}
    names = {p: "formula" if n == 1 else f"formula_{n}" for n, p in enumerate(given, 1)}
    found = {p.name: verdicts[names.get(p, p.name)] for p in asked}
    assert found == {p.name: "violated" if p.violated[fair] else "holds" for p in asked}


@pytest.mark.parametrize("engine", ["native", "reference"])
@pytest.mark.parametrize("option", ["non_progress", "acceptance"])
@pytest.mark.parametrize("fair", [False, True], ids=["every run", "fair runs"])
def test_labels(option: str, fair: bool, engine: str) -> None:
    models = select(f"--{option.replace('_', '-')}")
    assert models
    for model in models:
        expected = with_option(model, f"--{option.replace('_', '-')}")
        assert expected is not None
        result = whorl.check(
            model,
            non_progress=option == "non_progress",
            acceptance=option == "acceptance",
            fair=fair,
            engine=engine,
        )
        assert result.verdict == ("violated" if expected[fair] else "holds"), model.name


@pytest.mark.spin
@pytest.mark.parametrize("model", EXAMPLES, ids=model_id)
def test_spin_gives_the_expected_verdict(model: Path) -> None:
    expected = expectation(model) & KINDS.keys()
    result = full_search(model)
    assert result.complete
    most = 20_000 if model in WITH_PROPERTIES else 50_000
    assert result.states < most, "an example should be small enough for the reference engine"
    texts = tuple(SPIN_TEXTS[kind] for kind in expected)
    assert bool(result.violations) == bool(expected)
    assert all(text.startswith(texts) for text in result.violations)


@pytest.mark.spin
@pytest.mark.parametrize("model", WITH_PROPERTIES, ids=model_id)
def test_spin_gives_the_expected_verdict_of_properties(model: Path) -> None:
    text = without_assertions(model.read_text())
    text += "".join(f"\nltl {p.name} {{ {p.formula} }}" for p in further(model))
    names = {p.name: "never_0" if p.name == "never" else p.name for p in promises(model)}
    found = claim_searches(text, [*names.values()])
    for promise in promises(model):
        for spin, violated in zip(found[names[promise.name]], promise.violated, strict=True):
            assert is_violated(spin) == violated, f"{promise.name}: {spin.output}"
            assert violated or spin.complete


@pytest.mark.spin
@pytest.mark.parametrize("option", ["--non-progress", "--acceptance"])
def test_spin_gives_the_expected_verdict_of_labels(option: str) -> None:
    for model in select(option):
        expected = with_option(model, option)
        assert expected is not None
        text = without_claims(model.read_text())
        found = cycle_searches(without_assertions(text), non_progress=option == "--non-progress")
        assert tuple(map(is_violated, found)) == expected, model.name
