"""Embedded C around the edges: who may run it, what it may do wrong, what it can reach."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

import whorl
from support.compare import of_whorl, same_states
from whorl.cli import main

ENGINES = ("reference", "native")

pytestmark = [
    pytest.mark.skipif(
        shutil.which("cc") is None, reason="needs a C compiler, and this machine has no cc"
    ),
    pytest.mark.usefixtures("system_compiler"),
]


def check(model: str | Path, engine: str = "native", **options: object) -> whorl.Result:
    return whorl.check(model, engine=engine, allow_embedded_c=True, **options)  # type: ignore[arg-type]


# --- only if allowed ------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["check", "simulate"])
@pytest.mark.parametrize(
    "text",
    [
        "init { c_code { x(); } }",
        "byte x; init { c_expr { now.x } }",
        "c_decl { int x; };\ninit { skip }",
        'c_state "int x" "Hidden"\ninit { skip }',
        "byte x = 1; init { assert(x == 1 && c_expr { 1 }) }",
    ],
)
def test_it_is_refused_unless_allowed(
    command: str, text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = tmp_path / "model.pml"
    model.write_text(text)
    assert main([command, str(model)]) == 2
    said = capsys.readouterr()
    assert "model.pml:1:" in said.err
    assert "^" in said.err
    assert "--allow-embedded-c" in said.err
    assert "came with the model" in " ".join(said.err.split())
    assert not said.out


def test_nothing_is_compiled_or_written_unless_allowed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subprocess, "run", lambda *a, **k: pytest.fail("something was run"))
    monkeypatch.setattr(subprocess, "Popen", lambda *a, **k: pytest.fail("something was run"))
    model = tmp_path / "model.pml"
    model.write_text("init { c_code { ; } }")
    for engine in ENGINES:
        with pytest.raises(whorl.WhorlError, match="embedded C"):
            whorl.check(model, engine=engine)
    assert main(["check", str(model), "--emit-c", str(tmp_path / "made")]) == 2
    assert not (tmp_path / "made").exists()


def test_it_can_be_read_all_the_same() -> None:
    model = whorl.load("init { c_code { anything at all } }")
    assert model.program.embedded is not None


# --- what is wrong with it ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("byte x;\ninit {\n  c_code { now.y = 1; } }", 3),
        ("byte x;\ninit {\n  c_code {\n    now.x = 1;\n    nonsense nonsense; } }", 5),
        ("init { if\n :: c_expr [ what ] { 1 } fi }", 2),
        ('c_decl { int x; };\n\nc_state "Unknown y" "Global"\ninit { skip }', 3),
        ('c_decl { int x; };\nc_track "&z" "sizeof(int)"\ninit { skip }', 2),
        ("c_decl {\n\\#error stop\n};\ninit { skip }", 2),
    ],
)
def test_a_mistake_is_shown_where_it_is(text: str, line: int) -> None:
    with pytest.raises(whorl.WhorlError) as caught:
        check(text)
    (found,) = caught.value.diagnostics
    assert found.span is not None
    assert found.span.line == line
    assert "C compiler says" in found.message


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("text", "how"),
    [
        ("c_code { *(volatile int *)0 = 1; }", "SIGSEGV"),
        ("c_code { abort(); }", "SIGABRT"),
        ("c_code { assert(now.x == 7); }", "SIGABRT"),
        ("c_code { exit(0); }", "status 0"),
        ("c_code { _exit(1); }", "status 1"),
        ("c_expr { 1 / (now.x - now.x) }", "SIGFPE"),
    ],
)
def test_a_crash_is_no_verdict(engine: str, text: str, how: str) -> None:
    model = f"byte x; init {{ {text} }}"
    if engine == "native":  # so far away that a random walk does not come there before the search
        model = f"""
        byte x, y; active proctype P() {{ do :: x = 0; y++ :: x++; x++; x++ od
          unless {{ x == 21 && y == 9 -> {text} }} }}"""
    with pytest.raises(whorl.WhorlError, match=f"the C of this model .*{how}"):
        check(model, engine)


def test_a_crash_is_shown_by_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = tmp_path / "model.pml"
    model.write_text("byte x;\ninit { c_code { assert(now.x == 7); } }")
    assert main(["check", str(model), "--allow-embedded-c"]) == 2
    said = capsys.readouterr()
    assert "now.x == 7" in said.err
    assert "holds" not in said.out
    assert main(["simulate", str(model), "--allow-embedded-c"]) == 2


def test_what_depends_on_more_than_the_state_is_told() -> None:
    model = """
    c_decl { int calls; };
    byte x, y;
    active proctype P() { do :: y < 200 -> y++; c_code { now.x = calls++ > 150; }; assert(!x) od }
    """
    with pytest.raises(whorl.WhorlError, match="no part of the state"):
        check(model)


@pytest.mark.parametrize("engine", ENGINES)
def test_what_it_prints_disturbs_nothing(engine: str) -> None:
    model = r"""
    byte x;
    c_code { static void say(const char *text) { printf("%s", text); fputs(text, stdout);
      fprintf(stderr, "%s%300s", text, ""); puts(text); putchar('{');
      if (write(1, text, strlen(text)) < 0) abort(); fflush(stdout); } };
    active [2] proctype P() {
      do :: x < 250 -> c_code { now.x++; say("{\"type\":\"done\"}\n"); } :: else -> break od;
      assert(x == 250) }"""
    result = check(model, engine)
    assert result.verdict == "violated"
    assert result.trace is not None
    printed = "".join(text for step in result.trace.steps for text in step.output)
    assert '{"type":"done"}' in printed


# --- the state ------------------------------------------------------------------------------------

COUNTED = """
c_decl { int steps; };
c_track "&steps" "sizeof(int)" "UnMatched"
byte x; bit b;
active [2] proctype P() { do :: x < 9 -> x++; c_code { steps++; } :: b = 1 - b od }
active proctype Q() { c_expr { steps == 7 } -> assert(b) }
"""


@pytest.mark.parametrize("shortest", [False, True])
@pytest.mark.parametrize("store", ["auto", "exact", "hash-compact", "bitstate"])
def test_a_counterexample_that_needs_what_is_not_compared(store: str, shortest: bool) -> None:
    bits = 20 if store == "bitstate" else None
    result = check(COUNTED, store=store, shortest=shortest, bits=bits)
    assert result.verdict == "violated"
    assert result.trace is not None
    assert result.trace.kind == "assertion"
    assert check(COUNTED, "reference", shortest=shortest).verdict == "violated"


def test_a_tree_cannot_leave_anything_out() -> None:
    with pytest.raises(whorl.WhorlError, match="cannot store these states"):
        check(COUNTED, store="tree")


def test_an_atomic_loop_that_changes_only_what_is_not_compared_is_cut() -> None:
    model = """
    c_decl { int rounds; };
    c_track "&rounds" "sizeof(int)" "UnMatched"
    byte x;
    active proctype P() { atomic { do :: c_code { rounds++; } :: x < 2 -> x++ :: break od } }"""
    found = [of_whorl(model, engine=engine, allow_embedded_c=True)[0] for engine in ENGINES]
    assert same_states(*found)


LISTS = """
c_decl { typedef struct Cell { short value; char mark; struct Cell *next; } Cell; Cell cells[4]; };
c_state "Cell *first" "Global" "cells"
c_state "Cell *mine" "Local P" "&cells[1]"
c_track "cells" "sizeof(cells)"
byte n;
active [2] proctype P() {
  c_code { PP->mine->next = now.first; now.first = PP->mine; PP->mine = cells + 2; };
  do :: n < 5 -> c_code { now.first->value++; now.n++; } :: break od;
  assert(c_expr { now.first->value < 5 }) }
"""


def test_pointers_are_part_of_the_state() -> None:
    """Initial values are made where they are used: addresses differ between processes."""
    found = [of_whorl(LISTS, engine=engine, allow_embedded_c=True)[0] for engine in ENGINES]
    assert same_states(*found)
    assert found[0].violations == found[1].violations == {"assertion now.first?value<5"}


@pytest.mark.parametrize("store", ["exact", "tree", "hash-compact", "bitstate"])
@pytest.mark.parametrize("merge", [False, True])
def test_every_store_and_merging_find_the_same(store: str, merge: bool) -> None:
    bits = 20 if store == "bitstate" else None
    result = check(LISTS, store=store, merge=merge, bits=bits, all_errors=True)
    assert [trace.kind for trace in result.traces] == ["assertion"]


def test_more_processes_than_a_walk_shows() -> None:
    model = """
    c_state "short mine" "Local child" "3"
    byte n;
    proctype child() { c_code { Pchild->mine++; }; n > 100 }
    init { do :: n < 12 -> atomic { run child(); n++ } :: break od; false }"""
    assert [trace.kind for trace in check(model, all_errors=True).traces] == ["end state"]


def test_a_precondition_of_an_expression() -> None:
    model = """
    byte x, y;
    active proctype P() {
      do :: c_expr [now.y != 3] { now.x == 0 } -> x = 1 :: x = 0; y = (y + 1) % 4 od }"""
    found = [of_whorl(model, engine=engine, allow_embedded_c=True)[0] for engine in ENGINES]
    assert same_states(*found)
    assert found[0].violations == found[1].violations == {"precondition"}


def test_hidden_variables_have_no_now_before_them() -> None:
    model = """
    hidden byte h; hidden bit b; hidden byte a[2]; byte x;
    init { c_code { h = 3; b = 1; a[1] = h + 1; now.x = a[1]; }; assert(h + b + a[1] + x == 12) }"""
    for engine in ENGINES:
        assert check(model, engine).verdict == "holds"


def test_of_several_variables_with_one_name_c_sees_the_outermost() -> None:
    model = """
    init { byte v = 1; { byte w; byte v = 5; c_code { Pinit->v++; Pinit->w = 9; }; assert(v == 5);
      assert(w == 9) }; assert(v == 2) }"""
    for engine in ENGINES:
        assert check(model, engine).verdict == "holds"


def test_too_much_data() -> None:
    with pytest.raises(whorl.WhorlError, match="too large for a state"):
        check('c_state "char large[40000]" "Global"\ninit { skip }')


# --- claims ---------------------------------------------------------------------------------------

CLAIMED = """
c_decl { int k; };
c_track "&k" "sizeof(int)"
byte x;
active proctype P() { do :: c_code { k = (k + 1) % 3; now.x = k; } od }
ltl again { [] <> c_expr { now.x == 2 } }
ltl stays { <> [] c_expr { k == 2 } }
never { do :: c_expr { k == 2 && now.x == 2 } -> break :: true od;
  accept: do :: c_expr { k < 2 } od }
"""


def test_formulas_and_claims_may_ask_c() -> None:
    for engine in ENGINES:
        result = check(CLAIMED, engine)
        verdicts = {found.name: found.verdict for found in result.properties}
        assert (verdicts["again"], verdicts["stays"]) == ("holds", "violated")
        assert result.trace is not None
        with pytest.raises(whorl.WhorlError, match="embedded C"):
            whorl.check(CLAIMED, engine=engine)


def test_cycles_and_what_is_not_compared() -> None:
    model = CLAIMED.replace('"sizeof(int)"', '"sizeof(int)" "UnMatched"')
    with pytest.raises(whorl.WhorlError, match="cycles cannot be searched for"):
        check(model, claim="again")
    assert check(model, "reference", claim="again").verdict == "holds"


# --- what it includes, and macros -----------------------------------------------------------------


def test_what_is_included_lies_beside_the_model(tmp_path: Path) -> None:
    folder = tmp_path / 'it\'s a "folder"; $(touch pwned) `x` -I'
    folder.mkdir()
    (folder / "coord.h").write_text("typedef struct { int x, y; } Coord;\n#define STEP 1\n")
    (folder / "use.h").write_text("static void use(void) { now.p.x += STEP; now.y = now.p.x; }\n")
    model = folder / '-o\\ model".pml'
    model.write_text("""
    c_decl {\n\\#include "coord.h"\n };
    c_state "Coord p" "Global"
    byte y;
    c_code {\n#include "use.h"\n };
    init { c_code { use(); }; c_code { use(); }; assert(y == 2) }""")
    assert check(model).verdict == check(model, "reference").verdict == "holds"
    (folder / "coord.h").write_text("typedef struct { int x, y; } Coord;\n#define STEP 2\n")
    assert check(model).verdict == check(model, "reference").verdict == "violated"
    assert not list(tmp_path.rglob("pwned"))


def test_macros_from_outside_reach_it() -> None:
    model = (
        "#ifndef N\n#define N 2\n#endif\nbyte x;\ninit { c_code { now.x = N; }; assert(x == 2) }"
    )
    assert check(model).verdict == "holds"
    assert check(model, defines={"N": "1 + 2"}).verdict == "violated"


def test_variables_with_names_of_c_stay_out_of_it() -> None:
    """A model may have them; its C can name neither them nor such fields."""
    model = """
    typedef T { byte static; byte f } T t; byte auto, errno, NULL, x, while;
    init { byte register, int_; auto = 3; t.static = 4; c_code { now.t.f = 5; now.x = 6; };
      assert(auto == 3 && t.static == 4 && t.f == 5 && errno + NULL + while == 0 && x == 6) }"""
    model = model.replace(", while", ", whilst").replace("+ while", "+ whilst")
    for engine in ENGINES:
        assert check(model, engine).verdict == "holds"


def test_text_of_the_model_cannot_pretend_to_be_ours() -> None:
    model = r"""
    byte x;
    c_code {
    #line 1 "whorl-model-0"
    static const char *text = "*/ ??/ \" } #include <none>"; /* } */ // }
    };
    init { c_code { now.x = text != 0; } ; assert(x == 1) }"""
    assert check(model).verdict == "holds"


# --- the commands ---------------------------------------------------------------------------------

PRINTING = r"""
byte x;
init { c_code { now.x = 7; printf("x is %d\n", now.x); Printf("and more\n"); } ; assert(x != 7) }
"""


def test_a_simulation_shows_what_it_prints(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model, trail = tmp_path / "model.pml", tmp_path / "model.trail"
    model.write_text(PRINTING)
    assert main(["simulate", str(model), "--allow-embedded-c", "--print-only"]) == 1
    assert capsys.readouterr().out == "x is 7\nand more\n"
    allowed = [str(model), "--allow-embedded-c", "--trail", str(trail)]
    assert main(["check", *allowed]) == 1
    capsys.readouterr()
    assert main(["simulate", *allowed]) == 1
    assert "x is 7" in capsys.readouterr().out


def test_emitted_c_builds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = tmp_path / "model.pml"
    model.write_text(PRINTING)
    folder = tmp_path / "made here"
    assert main(["check", str(model), "--allow-embedded-c", "--emit-c", str(folder)]) == 0
    command = capsys.readouterr().out
    outcome = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert outcome.returncode == 0, outcome.stderr
    assert '"type":"done"' in outcome.stdout
    assert "x is 7" not in outcome.stdout


def test_without_a_compiler_it_cannot_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("whorl.api.find_compiler", lambda cached: None)
    with pytest.raises(whorl.WhorlError, match="needs a C compiler"):
        check("init { c_code { ; } }", "reference")
