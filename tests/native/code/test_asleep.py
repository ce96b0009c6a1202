"""What is written for sleep sets: that it compiles without warnings, as C++ too, and runs as
assertions and sanitizers want it; and where there is too much to tell apart.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

import whorl
from native.code.test_stubborn import RELAXED, STANDARDS, STRICT
from support.runtime import SANITIZERS
from whorl.cli.main import main
from whorl.native.code import asleep

EXAMPLES = Path(__file__).parents[3] / "examples"

pytestmark = pytest.mark.skipif(
    shutil.which("cc") is None, reason="needs a C compiler, and this machine has no cc"
)


@pytest.mark.parametrize(
    ("name", "por", "language"),
    [
        ("leader_election", "sleep", "c"),
        pytest.param("philosophers", "persistent-sleep", "c++", marks=pytest.mark.slow),
    ],
)
def test_the_text_is_clean(
    name: str, por: str, language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["check", str(EXAMPLES / f"{name}.pml"), "--safety", "--all-errors", "--por", por]
    main([*asked, "--json"])
    expected = json.loads(capsys.readouterr().out)["statistics"]
    main([*asked, "--emit-c", str(tmp_path / "c")])
    verifier = tmp_path / "verifier"
    command = ["cc", "-x", language, f"-std={STANDARDS[language]}", "-fwrapv", *SANITIZERS]
    command += ["-fno-exceptions"] if language == "c++" else []  # whose library cc does not link
    paths = ["-I", str(tmp_path / "c" / "runtime"), str(tmp_path / "c" / "model.c")]
    built = subprocess.run(
        [*command, *STRICT, *RELAXED, *paths, "-o", str(verifier)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stderr[:3000]
    ran = subprocess.run(
        [str(verifier), "--all-errors"], capture_output=True, text=True, check=True
    )
    done = json.loads(ran.stdout.splitlines()[-1])
    for figure in ("states", "transitions"):
        assert done[figure] == expected[figure]


@pytest.mark.parametrize(("most", "taken"), [(1024, 8), (2, 13), (1, 13)])
def test_where_there_is_too_much_to_tell_apart_less_sleeps(
    most: int, taken: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Processes of a type are one to the tables, and in the end all steps are in conflict."""
    monkeypatch.setattr(asleep, "MOST", most)
    model = "byte x[3]; active [3] proctype P() { x[_pid] = 1; end: false }"
    result = whorl.check(model, safety=True, por="sleep", engine="native", merge=False)
    assert (result.statistics.states, result.statistics.transitions) == (8, taken)
