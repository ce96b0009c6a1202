"""The formatter changes indentation and blanks, and nothing else."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from support.mutated import EXAMPLES as OF_SPIN
from support.mutated import models, mutate, pieces
from whorl.cli.tree import tree_data
from whorl.diagnostics import Reporter, Source
from whorl.formatter.layout import format_text, laid_out, same_text
from whorl.formatter.lines import pieces_of
from whorl.promela.parser import parse
from whorl.promela.preprocess import preprocess

ROOT = Path(__file__).parents[2]
MODELS = [*sorted((ROOT / "examples").glob("*.pml")), *sorted(OF_SPIN.rglob("*.pml"))]
# These have one blank after every '::', or two; the rest of the examples is in the style.
OTHERWISE = {"coffee_machine", "corridor", "elevator", "raft"}


def without_lines(data: object) -> object:
    """A tree without line numbers, and without the text of formulas, which are in it as trees."""
    if isinstance(data, dict):
        left_out = ("line", "text") if data["node"] == "LtlFormula" else ("line",)
        return {key: without_lines(value) for key, value in data.items() if key not in left_out}
    return [without_lines(item) for item in data] if isinstance(data, list) else data


def tree(text: str, path: Path) -> object:
    """The syntax tree of a text, without places, and how many errors it has."""
    reporter = Reporter()
    source = Source(str(path), text)
    model = parse(preprocess(source, include_dirs=[path.parent], reporter=reporter), reporter)
    # Where text is passed over after an error, the parser may go by columns.
    return None if reporter.errors else without_lines(tree_data(model))


def check(text: str, path: Path) -> str:
    made = format_text(text)
    assert same_text(text, made)
    if not any(piece.kind == "bad" for piece in pieces_of(text)) and "\r" not in text:
        assert made.removeprefix("\ufeff") == laid_out(text.removeprefix("\ufeff")), (
            "what was made was thrown away"
        )
    assert format_text(made) == made, "not idempotent"
    assert tree(made, path) == tree(text, path)
    return made


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_a_model_keeps_its_tokens_and_its_meaning(path: Path) -> None:
    text = path.read_bytes().decode("utf-8", "replace")
    made = check(text, path)
    assert made.endswith("\n")
    code = [row for row in made.split("\n") if not row.startswith("#")]
    assert not any(row.endswith((" ", "\t")) for row in code)


@pytest.mark.parametrize(
    "path", [p for p in MODELS if p.parent.parent == ROOT], ids=lambda p: p.stem
)
def test_our_examples_are_in_the_style(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    if path.stem in OTHERWISE:
        assert format_text(text).replace("::  ", ":: ") == text.replace("::  ", ":: ")
    else:
        assert format_text(text) == text


def test_mutated_models() -> None:
    for number in range(100):
        source = random.Random(1000 + number)
        model = source.choice(models())
        check(mutate(list(pieces(model)), source), model)


def test_scattered_blanks() -> None:
    """Blanks anywhere between the tokens of a line lead to the same text."""
    path = ROOT / "examples" / "leader_election.pml"
    text = path.read_text(encoding="utf-8")
    for seed in range(5):
        source = random.Random(seed)
        out = ""
        directive = False
        for piece in pieces_of(text):
            breaks = piece.gap.count("\n")
            directive = piece.text == "#" if piece.first else directive
            if breaks:
                out += "\n" * breaks + ("" if piece.text == "#" else " " * source.randrange(9))
            elif piece.kind == "comment" or directive or out[-2:] in ("<>", "[]"):
                out += piece.gap
            elif piece.gap:
                out += " " * source.randint(1, 2) if piece.text != "->" else " "
            elif piece.text in ("(", ")", ",", ";", "!", "?", "++"):
                out += " " * source.randrange(2)
            out += piece.text
        assert format_text(out) == text


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("", ""),
        ("\n\n", ""),
        ("byte x", "byte x\n"),
        ("\n\n\nbyte x;\n\n\n\n\nbyte y;\n\n", "byte x;\n\n\nbyte y;\n"),
        (
            "init{x=1;c!a(b,1);c ?? [x,eval(y)];d!!-1}",
            "init { x = 1; c!a(b, 1); c??[x, eval(y)]; d!!-1 }\n",
        ),
        ("init { ! x && - y<~ z; c ! ! x }", "init { !x && -y < ~z; c! !x }\n"),
        ("init { x ++; y=(a->b:c) }", "init { x++; y = (a -> b:c) }\n"),
        ("init { y=(a->b : c) }", "init { y = (a -> b : c) }\n"),
        ("init { c?<x,y>; z<y }", "init { c?<x, y>; z < y }\n"),
        ("init { P [1]@l ; P:x; s . t[2] . u=1 }", "init { P[1]@l; P:x; s.t[2].u = 1 }\n"),
        ("ltl p {[]<>(a->!b) U X c}", "ltl p { []<> (a -> !b) U X c }\n"),
        ("ltl p { [](a) && (<>b) && x[1]==2 }", "ltl p { [] (a) && (<> b) && x[1] == 2 }\n"),
        ("mtype:c={a,b}", "mtype:c = { a, b }\n"),
        ("chan c=[2]of{byte,bit};", "chan c = [2] of { byte, bit };\n"),
        ("active[2]proctype P(){skip}", "active [2] proctype P() { skip }\n"),
        (
            "init { for(i:1..3){skip}; select(i : 1 .. 2) }",
            "init { for (i:1 .. 3) { skip }; select (i : 1 .. 2) }\n",
        ),
        ("c_code { x  =  1; }", "c_code { x  =  1; }\n"),
        ('init { printf ( "a  b" ,x ) }', 'init { printf("a  b", x) }\n'),
        (
            "#define f(a)   a  +  1\n  #  define g (a)\n",
            "#define f(a)   a  +  1\n  #  define g (a)\n",
        ),
        ("byte x; /* ü */   \n", "byte x; /* ü */\n"),
        ("byte a;\r\n  byte b;\r\n", "byte a;\r\nbyte b;\r\n"),
        ("\ufeffbyte  a;\n", "\ufeffbyte a;\n"),
    ],
)
def test_blanks(text: str, made: str) -> None:
    assert check(text, Path("m.pml")) == made


def test_indentation() -> None:
    text = """proctype P()
{	byte x;
do
:: x>0->
again: if
:: a
/* then */
:: b -> {
y=1
/* done */
}
fi
#ifdef N
:: x == N ->
x = (a +
     b)
#else
:: false
#endif
:: c /* 1 */
od unless {
timeout ->
z = a ||
b;
end:
skip
}
/* a
   comment */
}
"""
    assert (
        check(text, Path("m.pml"))
        == """proctype P()
{   byte x;
    do
    ::  x > 0 ->
again:  if
        ::  a
        /* then */
        ::  b -> {
                y = 1
                /* done */
            }
        fi
#ifdef N
    ::  x == N ->
        x = (a +
             b)
#else
    ::  false
#endif
    ::  c /* 1 */
    od unless {
        timeout ->
        z = a ||
            b;
end:
        skip
    }
    /* a
       comment */
}
"""
    )


def test_what_is_lined_up_stays_so() -> None:
    text = "init {\n    if\n    :: a   -> b  /* 1 */\n    :: abc -> c  /* 2 */\n    fi\n}\n"
    assert check(text, Path("m.pml")) == text


@pytest.mark.parametrize("text", ["byte x  = 'ab';\n", "  byte x; /* no end\n", '  x = "\n'])
def test_what_is_not_made_of_tokens_is_left_alone(text: str) -> None:
    assert format_text(text) == text


def test_blanks_that_a_macro_prints_stay() -> None:
    text = "#define show(a) printf(#a)\ninit { show(x+1);   y=2 }\n"
    assert check(text, Path("m.pml")) == text


@pytest.mark.parametrize(
    "text",
    [
        "init {\nL: x =\n  a\n}\n",
        "init {\nL:\tx = (a +\n         b)\n}\n",
        "init {\n  a_long_label: x = a\n    && b;\n  x = 1\n}\n",
        "init {\nL: /* why */ !\na\n}\n",
    ],
)
def test_what_goes_on_after_a_label_does_not_drift(text: str) -> None:
    check(text, Path("m.pml"))


def test_what_goes_on_after_a_label_stays_lined_up() -> None:
    text = "init {\nL:  x = (a +\n         b)\n}\n"
    assert check(text, Path("m.pml")) == text
