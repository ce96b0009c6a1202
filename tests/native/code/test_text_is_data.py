"""Nothing that a model says reaches the C compiler, or a shell, as anything but data.

(The C in a model is C; it runs only where the user allows it. See ../embedded/test_embedded_c.py.)
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

import whorl
from support.compare import of_whorl
from whorl.cli import main
from whorl.native.code.generate import generate
from whorl.native.emit import emit
from whorl.program.semantics import Semantics
from whorl.task import NativeOptions, Task

pytestmark = pytest.mark.skipif(
    shutil.which("cc") is None, reason="needs a C compiler, and this machine has no cc"
)

_COMMENT_OR_STRING = re.compile(r'/\*.*?\*/|"[^"\n]*"', re.DOTALL)

# Every kind of name and text that a model can have, all with the same mark.
MARKED = r"""
#define mark_macro mark_value + 0
mtype = { mark_red, mark_green };
mtype : mark_kind = { mark_blue };
typedef mark_type { byte mark_field; bit mark_bits[2] };
byte mark_value; mark_type mark_structure; hidden byte mark_hidden;
chan mark_channel = [2] of { mtype, byte }; chan mark_other = [0] of { byte };
inline mark_inline(mark_parameter) { mark_parameter++; printf("mark_inline %d\n", mark_parameter) }
proctype mark_child(byte mark_argument) { mark_value = mark_argument }
active proctype mark_process() priority 2 {
  byte mark_local; chan mark_own = [1] of { byte };
  mark_label: atomic { mark_inline(mark_local); mark_channel!mark_red, mark_macro };
  if :: mark_channel?mark_red, mark_local :: else -> goto mark_label fi;
  d_step { mark_structure.mark_bits[1] = 1; printf("mark_text %e", mark_red) };
  run mark_child(mark_local); mark_own!3;
  assert(mark_value < 200 && mark_process@mark_label == 0);
  mark_other!1 unless { timeout -> mark_hidden = 1 }
}
active proctype mark_second() { byte mark_local; mark_other?mark_local }
ltl mark_formula { [] (mark_value < 100) }
notrace { mark_other!7 }
"""


def generated(program_text: str) -> str:
    program = whorl.load(program_text, name='mark_file"\n*/.pml').program
    return generate(Semantics(program), processes_most=4, channels_most=6, merge=False).text


def test_no_word_of_a_model_is_in_the_code() -> None:
    """Outside of comments, which are there for people, and which nothing can end or splice.

    The names of process types are parts of the names of functions and tables.
    """
    text = generated(MARKED)
    assert "mark_" in text, "the comments show the model's statements"
    words = set(re.findall(r"\w*mark_\w*", _COMMENT_OR_STRING.sub("", text)))
    functions = r"whorl_(steps|answer|start|start_at|locations)_mark_(child|process|second)_\d+"
    assert "whorl_answer_mark_second_2" in words or "whorl_answer_mark_second_1" in words
    assert [word for word in words if not re.fullmatch(functions, word)] == []
    assert "mark_" not in "".join(re.findall(r'"[^"\n]*"', re.sub(r"/\*.*?\*/", "", text)))


HOSTILE_TEXTS = (
    "*/ int main(void) { return 1; } /*",
    "*\\/ #error stop",
    "/* // /*/",
    "??/",
    "??/??/*??)",
    "\\\\",
    "\\n#include </etc/passwd>\\n",
    '\\"; system(\\"touch pwned\\"); \\"',
    "%s%n%p%99999d",
    '#line 1 \\"x\\"',
    "$(touch pwned) `touch pwned` ; touch pwned",
    "\u2028*\u2029/ é \x7f",
)


@pytest.mark.parametrize("text", HOSTILE_TEXTS)
def test_strings_stay_in_their_comments(text: str, tmp_path: Path) -> None:
    model = f'byte x; init {{ printf("{text}"); x = 1; printf("{text}\\\\"); printf("{text}") }}'
    emit(Task(Semantics(whorl.load(model).program), native=NativeOptions(merge=False)), tmp_path)
    for language, standard in (("c", "c11"), ("c++", "c++17")):
        options = ["-x", language, f"-std={standard}", "-trigraphs", "-w", "-fsyntax-only"]
        outcome = subprocess.run(
            ["cc", *options, "-I", str(tmp_path / "runtime"), str(tmp_path / "model.c")],
            capture_output=True,
            text=True,
            check=False,
        )
        assert outcome.returncode == 0, outcome.stderr[:2000]


def test_strings_change_nothing() -> None:
    model = "byte x; init {{ {} x = 1 }}"
    plain, _ = of_whorl(model.format('printf("a");' * len(HOSTILE_TEXTS)), engine="native")
    hostile = "".join(f'printf("{text}");' for text in HOSTILE_TEXTS)
    found, _ = of_whorl(model.format(hostile), engine="native")
    assert found == plain


NAMES = (
    *("auto", "register", "sizeof", "volatile", "_Static_assert", "_Generic", "asm", "class"),
    *("new", "template", "this", "virtual", "namespace", "operator", "nullptr", "constexpr"),
    *("main", "puts", "NULL", "errno", "stdin", "stdout", "INT32_MIN", "UINT64_MAX"),
    *("true_", "memcpy", "malloc", "whorl_state", "whorl_begin", "whorl_steps", "whorl_go"),
    *("WHORL_WORDS", "WHORL_ONLY", "WHORL_NOBODY", "WHORL_LIST", "whorl_c_run", "whorl_out"),
    *("B", "P", "c", "s", "o", "pid_", "at", "left", "holds", "values", "message", "__LINE___"),
    *("__attribute__", "__COUNTER__", "linux", "unix", "i386", "assert_", "State", "now"),
)


def named(name: str) -> str:
    return f"""
    typedef T_ {{ byte {name} }}
    byte {name}, y; T_ t_;
    proctype Q_(byte x_) {{ y = x_ }}
    active proctype P_() {{ byte x_; {name} = 2; t_.{name} = {name} + 1; x_ = t_.{name}; run Q_(x_);
      goto L_; L_: assert({name} == 2) }}"""


def test_names_change_nothing() -> None:
    """Whatever a variable is called, outside of comments the text is the same."""
    plain = _COMMENT_OR_STRING.sub("", generated(named("plain")))
    for name in NAMES:
        assert _COMMENT_OR_STRING.sub("", generated(named(name))) == plain, name


def test_process_types_may_have_any_name(tmp_path: Path) -> None:
    """Also long ones that only the end tells apart, and those that look like our own."""
    long = "a" * 3000
    names = (*NAMES, long, f"{long}b", "at", "at_x", "x", "x_1", "x_of", "x_v1", "P_0", "P_")
    types = "".join(
        f"proctype {name}(byte n_) {{ chan d_ = [1] of {{ byte }}; d_!n_; r_?n_ }}\n"
        for name in dict.fromkeys(names)
    )
    runs = "".join(f"run {name}(1);" for name in dict.fromkeys(names))
    model = f"chan r_ = [0] of {{ byte }};\n{types} init {{ {runs} r_!1 }}"
    emit(Task(Semantics(whorl.load(model).program), native=NativeOptions(merge=False)), tmp_path)
    for language, standard in (("c", "c11"), ("c++", "c++17")):
        options = ["-x", language, f"-std={standard}", "-w", "-fsyntax-only"]
        command = ["cc", *options, "-I", str(tmp_path / "runtime"), str(tmp_path / "model.c")]
        outcome = subprocess.run(command, capture_output=True, text=True, check=False)
        assert outcome.returncode == 0, outcome.stderr[:2000]


ODD_FILES = (
    "it's.pml",
    'quote".pml',
    "$(touch pwned).pml",
    "`touch pwned`; touch pwned;.pml",
    "-o pwned.pml",
    "line\nbreak.pml",
    "back\\slash.pml",
    "* é.pml",
)


@pytest.mark.usefixtures("system_compiler")
@pytest.mark.parametrize("name", ODD_FILES)
def test_any_file_name_will_do(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / name.removesuffix(".pml")
    folder.mkdir()
    include = "byte x;\n"
    if '"' not in name and "\n" not in name:  # an include cannot name such a file
        (folder / f"inc {name}").write_text(include)
        include = f'#include "inc {name}"\n'
    model = folder / name
    model.write_text(f"{include}init {{ x = 1; assert(x == 1) }}")
    emitted = folder / f"made {name}"
    assert main(["check", str(model), "-I", str(folder), "-DN=$(touch pwned)"]) == 0
    assert main(["check", str(model), "--emit-c", str(emitted)]) == 0
    command = capsys.readouterr().out.splitlines()
    shown = "\n".join(command[next(i for i, t in enumerate(command) if t.startswith("cd ")) :])
    outcome = subprocess.run(
        shown, shell=True, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert outcome.returncode == 0, outcome.stderr
    assert '"type":"done"' in outcome.stdout
    assert not list(tmp_path.rglob("pwned*"))


def test_an_include_is_read_and_nothing_else(tmp_path: Path) -> None:
    """A path in an include names a file of Promela; the C compiler never hears of it."""
    (tmp_path / "evil.h").write_text("#error this is not for the C compiler\n")
    model = tmp_path / "model.pml"
    model.write_text('#include "evil.h"\ninit { skip }')
    with pytest.raises(whorl.WhorlError, match="this is not for the C compiler"):
        whorl.check(model)
    model.write_text('#include "/dev/null"\n#include "|touch pwned"\ninit { skip }')
    with pytest.raises(whorl.WhorlError):
        whorl.check(model)
    assert not list(tmp_path.rglob("pwned*"))


@pytest.mark.parametrize("number", ["2147483647", "4294967296", "99999999999999999999", "007", "0"])
def test_numbers_are_numbers(number: str) -> None:
    model = f"int x; init {{ x = {number}; x = -{number}; x = x / 3 }}"
    try:
        native, _ = of_whorl(model, engine="native")
    except whorl.WhorlError:
        return
    reference, _ = of_whorl(model, engine="reference")
    assert native == reference
