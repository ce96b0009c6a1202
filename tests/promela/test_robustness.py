"""No text makes the front end crash or hang: it is loaded, or it is a WhorlError.

Text is made of soup (any tokens in any order), of models with a few tokens or lines missing,
doubled, swapped or replaced, of any characters at all, and of everything nested or repeated far
beyond reason.
"""

from __future__ import annotations

import time
from cProfile import Profile
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import whorl
from whorl.diagnostics import Source
from whorl.promela.lexer import lex

ROOT = Path(__file__).parents[2]
MODELS = sorted(
    [
        *(ROOT / "examples").glob("*.pml"),
        *(Path(__file__).parent / "bad").glob("*.pml"),
        *Path("/usr/share/doc/spin/examples/Examples").rglob("*.pml"),
    ]
)
SMALL = [model for model in MODELS if model.stat().st_size < 6000]
SECONDS = 60  # generous: a busy machine is no hang

relaxed = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


def survives(text: str) -> None:
    """Loads a text that may be anything. What is said about it must be printable."""
    if "\n" not in text and "{" not in text:
        text += "\n"  # or it would be the name of a file
    start = time.monotonic()
    found: whorl.WhorlError | None = None
    try:
        whorl.load(text)
    except whorl.WhorlError as error:
        found = error
    assert time.monotonic() - start < SECONDS
    if found is not None:
        assert found.diagnostics
        assert found.render()
        assert found.render(color=True)


@cache
def text_of(model: Path) -> str:
    return model.read_text(encoding="utf-8", errors="replace")


@cache
def words_of(model: Path) -> tuple[str, ...]:
    return tuple(token.text for token in lex(Source(str(model), text_of(model)))[:-1])


@cache
def vocabulary() -> tuple[str, ...]:
    words = {word for model in SMALL for word in words_of(model)}
    return tuple(sorted(word for word in words if len(word) < 30))


# ------------------------------------------------------------------------------------- random text


@relaxed
@given(st.data())
def test_token_soup(data: st.DataObject) -> None:
    words = data.draw(st.lists(st.sampled_from(vocabulary()), max_size=80))
    between = data.draw(
        st.lists(st.sampled_from([" ", " ", "\n", ""]), min_size=len(words), max_size=len(words))
    )
    survives("".join(word + gap for word, gap in zip(words, between, strict=True)))


@relaxed
@given(st.data())
def test_a_process_of_token_soup(data: st.DataObject) -> None:
    words = data.draw(st.lists(st.sampled_from(vocabulary()), max_size=60))
    survives(
        "byte x, y; chan c = [1] of { byte }; typedef T { byte f }; T t;\n"
        f"active proctype P() {{ {' '.join(words)} }}\n"
    )


@relaxed
@given(st.data())
def test_models_with_mutated_tokens(data: st.DataObject) -> None:
    pieces = list(words_of(data.draw(st.sampled_from(SMALL))))
    mutate(pieces, vocabulary(), data)
    survives(" ".join(pieces))


@relaxed
@given(st.data())
def test_models_with_mutated_lines(data: st.DataObject) -> None:
    pieces = text_of(data.draw(st.sampled_from(SMALL))).splitlines()
    mutate(pieces, ("}", "fi", "{", "#endif", "od;", "if", "*/", "#define x"), data)
    survives("\n".join(pieces))


@relaxed
@given(st.data())
def test_models_that_are_cut_off(data: st.DataObject) -> None:
    text = text_of(data.draw(st.sampled_from(SMALL)))
    survives(text[: data.draw(st.integers(0, len(text)))])


@relaxed
@given(st.text(max_size=200))
def test_any_characters(text: str) -> None:
    survives(text)


@relaxed
@given(st.binary(max_size=200))
def test_any_bytes(text: bytes) -> None:
    survives(text.decode("utf-8", errors="replace"))


def mutate(pieces: list[str], replacements: tuple[str, ...], data: st.DataObject) -> None:
    """Deletes, doubles, swaps or replaces a few of the pieces."""
    for _ in range(data.draw(st.integers(1, 4))):
        if not pieces:
            return
        one = data.draw(st.integers(0, len(pieces) - 1))
        other = data.draw(st.integers(0, len(pieces) - 1))
        match data.draw(st.sampled_from(["delete", "double", "swap", "replace"])):
            case "delete":
                del pieces[one]
            case "double":
                pieces.insert(other, pieces[one])
            case "swap":
                pieces[one], pieces[other] = pieces[other], pieces[one]
            case _:
                pieces[one] = data.draw(st.sampled_from(replacements))


# ------------------------------------------------------------------------------ more than is sane


def process(body: str) -> str:
    return f"byte x, a[3]; chan c = [1] of {{ byte }};\ninit {{ {body} }}\n"


def chain(form: str, count: int) -> str:
    """Definitions of which each uses the one before: `{0}` is its number, `{1}` that before."""
    return "".join(form.format(i, i - 1) + "\n" for i in range(1, count))


TOO_MUCH = {
    "parentheses": process(f"x = {'(' * 1000}1{')' * 1000}"),
    "open parentheses": process(f"x = {'(' * 5000}"),
    "closing parentheses": process(f"x = 1{')' * 5000}"),
    "ifs": process(f"{'if :: ' * 500}skip{' fi' * 500}"),
    "open ifs": process("if :: " * 3000),
    "blocks": process(f"{'{ ' * 1000}skip{' }' * 1000}"),
    "open braces": process("{ " * 5000),
    "atomic blocks": process(f"{'atomic { ' * 500}skip{' }' * 500}"),
    "loops": process(f"{'for (x : 0 .. 1) { ' * 500}skip{' }' * 500}"),
    "unless": process(f"{'{ ' * 500}skip{' } unless { skip }' * 500}"),
    "negations": process(f"x = {'! ' * 5000}x"),
    "minus signs": process(f"x = {'- ' * 5000}x"),
    "operators in a row": process(f"x = 1{' + x' * 5000}"),
    "chains in chains": process(f"x = {'(x + ' * 100}1{' + x' * 290}{')' * 100}{' + x' * 290}"),
    "indices": process(f"x = {'a[' * 1000}1{']' * 1000}"),
    "conditional expressions": process(f"x = {'(x -> 1 : ' * 500}1{')' * 500}"),
    "labels": process("".join(f"l{i}: " for i in range(3000)) + "skip"),
    "patterns": process(f"c?{'x, ' * 3000}x"),
    "parenthesised patterns": process(f"c?{'(' * 3000}x{')' * 3000}"),
    "ifs of C": process(f"{'if (x) ' * 2000}x = 1"),
    "statements": process("x = 1; " * 3000),
    "options": process(f"if {':: x == 1 ' * 2000} fi"),
    "gotos": process("".join(f"l{i}: goto l{i + 1};\n" for i in range(1000)) + "l1000: skip"),
    "gotos in a circle": process("a: goto b; b: goto a"),
    "inlines in inlines": (
        f"inline f0() {{ skip }}\n{chain('inline f{0}() {{ f{1}() }}', 500)}init {{ f499() }}\n"
    ),
    "inlines that double": (
        "inline f0() { skip }\n"
        f"{chain('inline f{0}() {{ f{1}(); f{1}() }}', 30)}init {{ f29() }}\n"
    ),
    "macros that double": (f"#define m0 1\n{chain('#define m{0} m{1} m{1}', 40)}init {{ m39 }}\n"),
    "macros in macros": (
        f"#define m0(a) a\n{chain('#define m{0}(a) m{1}(a)', 500)}init {{ m499(skip) }}\n"
    ),
    "typedefs in typedefs": (
        f"typedef T0 {{ byte x }}\n{chain('typedef T{0} {{ T{1} t }}', 1000)}"
        "T999 t; init { skip }\n"
    ),
    "values of a typedef": (
        f"typedef T0 {{ byte x[1000] }}\n{chain('typedef T{0} {{ T{1} t[1000] }}', 5)}"
        "T4 t; init { skip }\n"
    ),
    "conditions of the preprocessor": f"#if {'(' * 3000}1{')' * 3000}\n#endif\ninit {{ skip }}\n",
    "processes": "".join(f"active proctype P{i}() {{ skip }}\n" for i in range(400)),
    "a number": process(f"x = {'9' * 300}"),
    "a select": process("select (x : 0 .. 2000000000)"),
    "a line": process(f"x = {'x ' * 50_000}"),
    "a name": process(f"{'x' * 100_000} = 1"),
}


@pytest.mark.parametrize("name", TOO_MUCH)
def test_too_much_of_anything(name: str) -> None:
    survives(TOO_MUCH[name])


def test_what_is_reasonable_is_not_too_much() -> None:
    whorl.load(process(f"x = {'(' * 100}1{')' * 100}"))
    whorl.load(process(f"{'if :: ' * 100}skip{' fi' * 100}"))
    whorl.load(process(f"{'{ ' * 100}x = 1{' }' * 100}"))
    whorl.load(process(f"x = 1{' + x' * 250}"))


@pytest.mark.slow
@pytest.mark.parametrize(
    "form",
    ["x = x + 1;\n", "l{0}: x = x + 1; goto l{0};\n", "if :: x < 3 -> x++ :: else fi;\n"],
)
def test_a_model_of_twice_the_length_takes_twice_the_time(form: str) -> None:
    def calls(count: int) -> int:
        """How many functions are called to load a model of so many statements."""
        text = process("".join(form.format(i) for i in range(count)))
        with Profile() as profile:
            whorl.load(text)
        return sum(entry.callcount for entry in profile.getstats())

    calls(100)
    assert calls(4_000) < 3 * calls(2_000)  # four times, if it were quadratic


@pytest.mark.parametrize("count", [200, 201, 3000])
def test_a_long_formula_is_checked_or_refused(count: int) -> None:
    several = " && ".join(f"x != {n + 1}" for n in range(count))
    formula = f"[] ({several})"
    if count == 200:
        assert whorl.check(process("skip"), ltl=formula, engine="reference").verdict == "holds"
        return
    with pytest.raises(whorl.WhorlError, match="more than 200 operators are nested"):
        whorl.load(process("skip"), ltl=formula)


def test_what_is_too_deep_is_said_with_its_place() -> None:
    with pytest.raises(whorl.WhorlError, match="nested too deeply") as caught:
        whorl.load(process(f"x = {'(' * 1000}1{')' * 1000}"))
    [diagnostic] = caught.value.diagnostics
    assert diagnostic.span is not None
    assert diagnostic.span.line == 2
