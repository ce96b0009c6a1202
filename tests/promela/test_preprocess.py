"""Directives and macros, against what C says of them and against the system's cpp."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whorl.diagnostics import Reporter, Source
from whorl.promela.lexer import Token, lex
from whorl.promela.preprocess import preprocess

EXAMPLES = Path("/usr/share/doc/spin/examples/Examples")
MODELS = sorted(EXAMPLES.rglob("*.pml"))
needs_cpp = pytest.mark.skipif(shutil.which("cpp") is None, reason="cpp is not installed")


def run(text: str, **defines: str) -> tuple[list[Token], Reporter]:
    reporter = Reporter()
    tokens = preprocess(Source("m.pml", text), defines=defines, reporter=reporter)
    assert tokens[-1].kind == "eof"
    assert all(token.kind != "bad" for token in tokens)
    return tokens[:-1], reporter


def joined(text: str, **defines: str) -> str:
    """The tokens of a text without mistakes, with a blank between any two."""
    tokens, reporter = run(text, **defines)
    assert [diagnostic.render() for diagnostic in reporter.errors] == []
    return " ".join(token.text for token in tokens)


def mistakes(text: str) -> list[str]:
    """The errors in a text, each with its line."""
    _, reporter = run(text)
    return [f"{d.span.line if d.span else 0}: {d.message}" for d in reporter.errors]


# ---------------------------------------------------------------------------------------- macros


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("#define N 3\nbyte a[N];", "byte a [ 3 ] ;"),
        ("#define N\nx N y", "x y"),
        ("#define A B\n#define B 1\nA", "1"),
        ("#define A 1 + \\\n 2\nA", "1 + 2"),
        ("#define A 1 /* two\nlines */ + 2 // end\nA", "1 + 2"),
        ("#define A 1\n#undef A\nA", "A"),
        ("#define A 1\n#undef B\nA", "1"),
        ("#define F(x) (x)\nF(1) F", "( 1 ) F"),
        ("#define F (x)\nF", "( x )"),
        ("#define F() 1\nF() F( )", "1 1"),
        ("#define F(x) [x]\nF() F((a,b)) F(\na\n)", "[ ] [ ( a , b ) ] [ a ]"),
        ("#define MAX(a,b) (a>b->a:b)\nMAX(MAX(1,2),3)", "( ( 1 > 2 -> 1 : 2 ) > 3 ->"
         " ( 1 > 2 -> 1 : 2 ) : 3 )"),
        ("#define F(x) x\n#define G F\nG(1)", "1"),
        ("#define if while\nif", "while"),
        ("a # b", "a # b"),
        ("  # define A 1\n# /* */ undef B\nA", "1"),
    ],
)  # fmt: skip
def test_macros(text: str, expected: str) -> None:
    assert joined(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("#define a a + b\n#define b a\na", "a + a"),
        ("#define f(x) f(x + 1)\nf(f(2))", "f ( f ( 2 + 1 ) + 1 )"),
        ("#define x y\n#define y x\nx y", "x y"),
        # From the C standard, 6.10.3.5, example 3.
        (
            "#define x 3\n#define f(a) f(x * (a))\n#undef x\n#define x 2\n#define g f\n"
            "#define z z[0]\n#define h g(~\n#define m(a) a(w)\n#define w 0,1\n#define t(a) a\n"
            "f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);\ng(x+(3,4)-w) | h 5) & m\n(f)^m(m);",
            "f ( 2 * ( y + 1 ) ) + f ( 2 * ( f ( 2 * ( z [ 0 ] ) ) ) ) % f ( 2 * ( 0 ) )"
            " + t ( 1 ) ; f ( 2 * ( 2 + ( 3 , 4 ) - 0 , 1 ) ) | f ( 2 * ( ~ 5 ) ) &"
            " f ( 2 * ( 0 , 1 ) ) ^ m ( 0 , 1 ) ;",
        ),
    ],
)
def test_a_macro_is_not_expanded_within_itself(text: str, expected: str) -> None:
    assert joined(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("#define S(x) #x\nS(a  +b) S() S(\"a\\n\" 'c')", '"a +b" "" "\\"a\\\\n\\" \'c\'"'),
        ("#define C(a,b) a##b\nC(x,1) C(,y) C(x,) C(,) C(x y,z w)", "x1 y x x yz w"),
        ("#define C(a,b) a ## _ ## b\n#define x 1\nC(x,x) x", "x_x 1"),
        ("#define C(a) q##a!a\n#define N 2\nC(N)", "qN ! 2"),
        ("#define A p ## q\nA", "pq"),
        ("#define C(a) x##a\nC(1b)", "x1b"),
        ("#define C(a) a##a\nC(!)", "!!"),
        ("#define hash_hash # ## #\nhash_hash x", "## x"),
    ],
)
def test_stringify_and_paste(text: str, expected: str) -> None:
    assert joined(text) == expected


def test_a_body_has_the_place_of_its_use_and_an_argument_its_own() -> None:
    tokens, _ = run("#define INC(v) v = v + N\n#define N 1\nskip;\n  INC(count)")
    assert [(t.text, t.span.line, t.span.column) for t in tokens[2:]] == [
        ("count", 4, 7),
        ("=", 4, 3),
        ("count", 4, 7),
        ("+", 4, 3),
        ("1", 4, 3),
    ]
    assert [token.first_on_line for token in tokens[2:]] == [True, False, False, False, False]


def test_line_and_file() -> None:
    assert joined("#define L __LINE__\n\nL __LINE__\n__FILE__") == '3 3 "m.pml"'
    assert joined("#if defined __LINE__ && defined(__FILE__)\na\n#endif") == "a"


def test_macros_from_outside() -> None:
    assert joined("N M init F(2)", N="3", M="", init="start", **{"F(x)": "x+1"}) == "3 start 2 + 1"
    assert joined("#ifdef X\na\n#endif", X="1") == "a"
    _, reporter = run("x", **{"1x": "2", "": "", "a b": "1"})
    assert [d.message for d in reporter.errors] == [
        "'1x' cannot be the name of a macro",
        "'' cannot be the name of a macro",
        "'a b' cannot be the name of a macro",
    ]
    assert all(d.span is not None and d.span.source.name == "<command line>"
               for d in reporter.errors)  # fmt: skip
    _, reporter = run("N", N="/* ")
    assert [d.message for d in reporter.errors] == ["this comment has no end"]


def test_a_different_definition_is_a_warning() -> None:
    tokens, reporter = run("#define A 1\n#define A   1 // same\n#define A 2\nA")
    assert [token.text for token in tokens] == ["2"]
    assert reporter.errors == []
    assert [d.message for d in reporter.warnings] == [
        "macro 'A' is defined anew; it was defined differently at m.pml:2:9"
    ]
    _, reporter = run("#define A 1", A="2")
    assert "on the command line" in reporter.warnings[0].message
    assert "#ifndef A" in (reporter.warnings[0].hint or "")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("#define F(a,b) a\nF(1)", "2: macro 'F' takes 2 arguments, not 1"),
        ("#define F(a) a\nF(1,2)", "2: macro 'F' takes 1 argument, not 2"),
        ("#define F() a\nF(1)", "2: macro 'F' takes 0 arguments, not 1"),
        ("#define F(a) a\nx\nF(1, (2)", "3: this use of macro 'F' has no closing ')'"),
        ("#define F(a, b, ...) a\nF(1)", "2: macro 'F' takes at least 2 arguments, not 1"),
        ("#define F(..., a) a", "1: expected the name of a macro parameter, not '..'"),
        ("#define F(a ..) a", "1: expected ',' or ')' after a macro parameter"),
        ("#define F(a b) a", "1: expected ',' or ')' after a macro parameter"),
        ("#define F(a,) a", "1: expected a macro parameter after ','"),
        ("#define F(1) a", "1: expected the name of a macro parameter, not '1'"),
        ("#define F(a,a) a", "1: macro 'F' has two parameters 'a'"),
        ("#define F(a\n) a", "1: the parameters of macro 'F' have no closing ')'"),
        ("#define F(a) #b", "1: '#' must be followed by a parameter of the macro"),
        ("#define A ## b", "1: '##' needs a token on either side in the body of a macro"),
        ("#define A b ##", "1: '##' needs a token on either side in the body of a macro"),
        ("#define A + ## -\nA", "2: '##' makes '+-' in macro 'A', which is not one token"),
        ("#define", "1: '#define' needs the name of a macro"),
        ("#define 1", "1: '1' cannot be the name of a macro"),
        ("#undef defined", "1: 'defined' can be neither defined nor undefined"),
        ("x\n#define A $\ny\nA A", "2: unexpected character '$' (U+0024)"),
    ],
)
def test_mistakes_in_macros(text: str, expected: str) -> None:
    found = mistakes(text)
    assert found == [expected]


def test_a_call_without_an_end_still_gives_the_tokens_after_it() -> None:
    tokens, _ = run("#define F(a) a\nF(1 2")
    assert [token.text for token in tokens] == ["F", "(", "1", "2"]


def test_the_deepest_nesting_is_an_error_and_no_crash() -> None:
    deep = "F(" * 5000 + ")" * 5000
    assert "nested too deep" in " ".join(mistakes(f"#define F(x) x\ny {deep}"))
    assert "nested too deep" in " ".join(mistakes(f"x\n#if {'(' * 5000}1{')' * 5000}\n#endif"))


# ------------------------------------------------------------------------------------ directives


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("1", True),
        ("0", False),
        ("unknown", False),
        ("N == 3 && M", True),
        ("defined N && !defined X && defined(M)", True),
        ("D", True),
        ("1 + 2 * 3 == 7 && (1 + 2) * 3 == 9", True),
        ("10 - 4 - 3 == 3", True),
        ("-7 / 2 == -3 && -7 % 2 == -1 && 7 / -2 == -3", True),
        ("1 << 4 == 16 && -8 >> 1 == -4 && 1 << 70 == 0", True),
        ("0x1f == 31 && 010 == 8 && 10UL == 10", True),
        ("'a' == 97", True),
        ("~0 == -1 && !!5 == 1 && +3 == 3 && - -1 == 1", True),
        ("(5 & 3) == 1 && (5 | 3) == 7 && (5 ^ 3) == 6", True),
        ("0 && 1/0", False),
        ("1 || 1%0", True),
        ("0 ? 1/0 : 2", True),
        ("1 ? 0 : 1 ? 1 : 1", False),
        ("1 < 2 && 2 <= 2 && 3 > 2 && 3 >= 3 && 1 != 2", True),
        ("9223372036854775807 + 1 < 0", True),
    ],
)
def test_conditions(condition: str, holds: bool) -> None:
    macros = "#define N 3\n#define M N\n#define D defined(N) && !defined(X)\n"
    assert joined(f"{macros}#if {condition}\nyes\n#endif") == ("yes" if holds else "")


def test_the_first_branch_that_holds_is_taken() -> None:
    text = "#if A == 1\na\n#elif A == 2\nb\n#elif A\nc\n#else\nd\n#endif"
    assert [joined(text, A=value) for value in "1230"] == ["a", "b", "c", "d"]
    text = "#ifdef A\na\n#ifndef B\nb\n#else\nc\n#endif\n#else\nd\n#endif\ne"
    assert joined(text) == "d e"
    assert joined(text, A="1") == "a b e"
    assert joined(text, A="1", B="1") == "a c e"


def test_a_branch_left_out_is_hardly_read() -> None:
    text = (
        '#if 0\ndon\'t $ "\n#nonsense\n#include "none.h"\n#error no\n#define A 2\n'
        "#if 1/0\n#elif (\n#else\nx\n#endif\n#endif\n#if 1\ny\n#elif 1/0\n#endif\nA"
    )
    assert joined(text) == "y A"


def test_macros_and_directives_in_the_arguments_of_a_call() -> None:
    assert joined("#define F(a,b) a b\nF(1,\n#ifdef X\n2\n#else\n3\n#endif\n)") == "1 3"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("#if 1\nx", ["1: this '#if' has no '#endif'"]),
        ("#ifdef A\n#ifndef B", ["1: this '#ifdef' has no '#endif'",
                                 "2: this '#ifndef' has no '#endif'"]),
        ("#endif\n#else\n#elif 1", ["1: '#endif' without an '#if' before it",
                                    "2: '#else' without an '#if' before it",
                                    "3: '#elif' without an '#if' before it"]),
        ("#if 1\n#else\n#else\n#endif", ["3: '#else' after the '#else' of the '#if' at m.pml:1:1"]),
        ("#if 0\n#else\n#elif 1\n#endif",
         ["3: '#elif' after the '#else' of the '#if' at m.pml:1:1"]),
        ("#if 1/0\n#endif", ["1: division by zero in a condition"]),
        ("#if\n#endif", ["1: this directive needs a condition"]),
        ("#if 1 +\n#endif", ["1: a condition ends where a value is missing"]),
        ("#if (1\n#endif", ["1: expected ')' in a condition"]),
        ("#if 1 2\n#endif", ["1: unexpected '2' in a condition"]),
        ("#if \"a\"\n#endif", ["1: expected a value in a condition, not '\"a\"'"]),
        ("#if 08\n#endif", ["1: '08' is no octal number"]),
        ("#if $\n#endif", ["1: unexpected character '$' (U+0024)"]),
        ("#if defined(\n#endif", ["1: 'defined' needs the name of a macro"]),
        ("#ifdef\n#endif", ["1: '#ifdef' needs the name of a macro"]),
        ("#error don't  do this // ever\nx $", ["1: don't  do this",
                                                "2: unexpected character '$' (U+0024)"]),
        ("#if 0\n/* x\n#endif", ["2: this comment has no end", "1: this '#if' has no '#endif'"]),
    ],
)  # fmt: skip
def test_mistakes_in_directives(text: str, expected: list[str]) -> None:
    assert mistakes(text) == expected


def test_an_unknown_directive_gets_a_suggestion() -> None:
    _, reporter = run('#inlcude "x"')
    assert reporter.errors[0].message == "'#inlcude' is no directive"
    assert reporter.errors[0].hint == "did you mean '#include'?"


def test_directives_without_effect() -> None:
    text = '#\n#pragma omp\n#line 12 "f.c"\n# 12 "f.c" 1\nx\n#warning is odd'
    tokens, reporter = run(text)
    assert [token.text for token in tokens] == ["x"]
    assert reporter.errors == []
    assert [d.message for d in reporter.warnings] == ["is odd"]
    _, reporter = run("#ifdef A B\n#else C\n#endif D")
    assert len(reporter.warnings) == 3


# --------------------------------------------------------------------------------------- headers


def include(main: Path, *include_dirs: Path, base: Path | None = None) -> tuple[str, Reporter]:
    reporter = Reporter()
    source = Source(str(main), main.read_text())
    tokens = preprocess(source, include_dirs=include_dirs, reporter=reporter, base=base)
    return " ".join(token.text for token in tokens[:-1]), reporter


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def test_where_headers_are_looked_for(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "model/m.pml": '#include "own.h"\n#include <far.h>\n#define H "b.h"\n#include H\nm N',
            "model/own.h": '#include "sub/deep.h"\nown',
            "model/sub/deep.h": '#include "deeper.h"\ndeep',
            "model/sub/deeper.h": "#define N 7\ndeeper",
            "inc/far.h": "far",
            "inc/own.h": "wrong",
            "base/b.h": "based",
        },
    )
    text, reporter = include(tmp_path / "model/m.pml", tmp_path / "inc", base=tmp_path / "base")
    assert reporter.errors == []
    assert text == "deeper deep own far based m 7"


def test_a_token_of_a_header_knows_its_file(tmp_path: Path) -> None:
    write(tmp_path, {"m.pml": '#include "a.h"\n', "a.h": "\nx"})
    source = Source(str(tmp_path / "m.pml"), (tmp_path / "m.pml").read_text())
    token = preprocess(source, reporter=Reporter())[0]
    assert token.span.place == f"{tmp_path / 'a.h'}:2:1"


def test_a_missing_header_says_where_it_was_looked_for(tmp_path: Path) -> None:
    write(tmp_path, {"m.pml": '#include "none.h"\nx', "inc/none.h/file": ""})
    text, reporter = include(tmp_path / "m.pml", tmp_path / "inc", base=tmp_path)
    assert text == "x"
    [error] = reporter.errors
    assert error.message == "cannot read the header 'none.h'"
    looked = f"looked for {tmp_path / 'none.h'}, {tmp_path / 'inc/none.h'} (a folder)"
    assert error.hint == looked


@pytest.mark.parametrize("name", ["", '""', "<>", '"a', "x", '"a.h" b'])
def test_an_include_without_a_file_name(name: str) -> None:
    assert mistakes(f"#include {name}") == ["1: '#include' needs the name of a file"]


def test_strange_header_names_are_errors_and_no_crash() -> None:
    for name in ("\0", "x" * 5000, "/dev/null"):
        [message] = mistakes(f'#include "{name}"')
        assert "cannot read the header" in message


def test_headers_that_include_one_another(tmp_path: Path) -> None:
    twice = '#include "b.h"\n#include "b.h"\n'
    write(tmp_path, {"m.pml": '#include "a.h"\nend', "a.h": twice, "b.h": '#include "a.h"\n'})
    text, reporter = include(tmp_path / "m.pml")
    assert text == "end"
    [error] = reporter.errors
    assert re.search(r"without end: (a.h -> b.h -> a.h|b.h -> a.h -> b.h)$", error.message)


def test_guarded_headers_may_include_one_another(tmp_path: Path) -> None:
    guarded = '#ifndef A\n#define A\n#include "b.h"\na\n#endif'
    once = '#pragma once\n#include "a.h"\n#include "b.h"\nb'
    write(tmp_path, {"m.pml": '#include "a.h"\n#include "b.h"', "a.h": guarded, "b.h": once})
    text, reporter = include(tmp_path / "m.pml")
    assert (text, reporter.errors) == ("b a", [])


def test_a_header_that_is_not_utf_8(tmp_path: Path) -> None:
    write(tmp_path, {"m.pml": '#include "a.h"\n'})
    (tmp_path / "a.h").write_bytes(b"/* caf\xe9 */ x\r\ny")
    assert include(tmp_path / "m.pml")[0] == "x y"


def test_an_if_must_end_in_its_own_file(tmp_path: Path) -> None:
    write(tmp_path, {"m.pml": '#include "a.h"\nx\n#endif', "a.h": "#if 1\n"})
    _, reporter = include(tmp_path / "m.pml")
    assert [d.message for d in reporter.errors] == [
        "this '#if' has no '#endif'",
        "'#endif' without an '#if' before it",
    ]


# ------------------------------------------------------------------------------------------- cpp


def shapes(tokens: Iterable[Token]) -> list[tuple[str, str]]:
    """Kinds and texts. Blanks and comments in C text are left out: cpp changes them."""
    blank = re.compile(r"/\*.*?\*/|//[^\n]*|\s+", re.DOTALL)
    return [
        (token.kind, blank.sub("", token.text) if token.kind == "embedded" else token.text)
        for token in tokens
    ]


def through_cpp(*arguments: str, text: str | None = None) -> list[tuple[str, str]]:
    # Spin's own choice of dialect, less the macros that the platform defines.
    command = ["cpp", "-P", "-undef", "-std=gnu99", *arguments]
    output = subprocess.run(command, input=text, capture_output=True, text=True, errors="replace")
    assert output.returncode == 0, output.stderr
    return shapes(lex(Source("cpp", output.stdout)))


@needs_cpp
@pytest.mark.skipif(not MODELS, reason="Spin's examples are not installed")
@pytest.mark.parametrize("model", MODELS, ids=lambda model: str(model.relative_to(EXAMPLES)))
def test_spins_examples_come_out_as_cpp_has_them(model: Path) -> None:
    reporter = Reporter()
    source = Source(str(model), model.read_text(encoding="utf-8", errors="replace"))
    tokens = preprocess(source, reporter=reporter)
    assert [diagnostic.render() for diagnostic in reporter.errors] == []
    assert shapes(tokens) == through_cpp(str(model))


VARIADIC = [
    "#define F(...) [__VA_ARGS__]\nF() F(1) F(1, 2) F(a, (b, c), d)",
    "#define F(a, ...) a{__VA_ARGS__}\nF() F(1) F(1,) F(1, 2) F(1, 2, (3, 4))",
    "#define F(a, r...) a{r}\nF(1) F(1, 2, 3)",
    "#define F(a, ...) p(a, ##__VA_ARGS__)\nF(1) F(1,) F(1, 2) F(1, 2, 3)",
    "#define F(...) p(x, ## __VA_ARGS__)\nF() F(1) F(1, 2)",
    "#define F(a, r...) p(a, ##r) r##b #r\nF(c) F(c, d, e)",
    "#define F(...) #__VA_ARGS__\nF(a , b,c) F()",
    "#define N 3\n#define F(...) g(__VA_ARGS__) g(y, ##__VA_ARGS__)\nF(N, F(N, 2), F)",
    "#define G(a, b) b a\n#define F(...) G(__VA_ARGS__)\nF(1, 2)",
    "#define F(...) g(y, ##__VA_ARGS__)\nF(F(1), F(F(2), 3))",
    "#define F(a, ...) __VA_ARGS__##a a##__VA_ARGS__\nF(x, y, z) F(x)",
]


@needs_cpp
@pytest.mark.parametrize("text", VARIADIC)
def test_variadic_macros_come_out_as_cpp_has_them(text: str) -> None:
    tokens, reporter = run(text)
    assert reporter.errors == []
    assert [*shapes(tokens), ("eof", "")] == through_cpp(text=text)


# No numbers: '##' makes tokens such as '1f' of them, which are cpp's but not Promela's. And no name
# of a function-like macro without its arguments: where a call begins in one expansion and ends
# outside it, C leaves open what is hidden (6.10.3.4), and GNU cpp then hides less than Prosser.
_word = st.sampled_from(["a", "b", "c", "x", "y", "n", "+", ","])
_balanced = st.recursive(
    _word,
    lambda inner: st.lists(inner, max_size=4).map(lambda parts: f"({' '.join(parts)})"),
    max_leaves=6,
)
_calls = ["f(x)", "g(a, b)", "f(g(n, f(y)))", "h()", "h(a, f(b), n)"]
_text = st.lists(_balanced | st.sampled_from(_calls), max_size=6).map(" ".join)


@needs_cpp
@settings(max_examples=150, deadline=None)
@given(a=_text, b=_text, f=_text, g=_text, h=_text, text=_text, paste=st.booleans())
def test_random_macros_come_out_as_cpp_has_them(
    a: str, b: str, f: str, g: str, h: str, text: str, paste: bool
) -> None:
    joint = " x##y #x" if paste else ""
    program = (
        f"#define a {a}\n#define b {b}\n#define f(x) {f}\n#define g(x, y) {g}{joint}\n"
        f"#define h(x, ...) {h} (__VA_ARGS__){', ##__VA_ARGS__' * paste}\n"
        f"{text}\n#if a\nA\n#elif b\nB\n#endif\n"
    )
    try:
        expected = through_cpp(text=program)
    except AssertionError:
        # Where cpp finds a mistake, what it goes on with is its own affair; ours must not crash.
        run(program)
        return
    tokens, reporter = run(program)
    assert reporter.errors == []
    assert [*shapes(tokens), ("eof", "")] == expected
