"""The C of stubborn sets: no warnings in either language, nothing for the sanitizers."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from support.runtime import SANITIZERS
from whorl.cli.main import main

EXAMPLES = Path(__file__).parents[3] / "examples"
STANDARDS = {"c": "c11", "c++": "c++17"}
STRICT = ["-Wall", "-Wextra", "-Werror", "-Wno-unused-function", "-Wno-shadow"]
RELAXED = ["-Wno-unused-variable", "-Wno-unused-parameter", "-Wno-unused-const-variable"]


# Channels as parameters of processes that are started; unless; rendezvous.
@pytest.mark.parametrize(
    ("name", "language"),
    [("leader_election", "c"), ("two_phase_commit", "c"), ("philosophers", "c++")],
)
def test_the_text_is_clean(
    name: str, language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["--safety", "--all-errors", "--por", "static", "--candidates", "stubborn"]
    model = str(EXAMPLES / f"{name}.pml")
    main(["check", model, *asked, "--json"])
    expected = json.loads(capsys.readouterr().out)["statistics"]["states"]
    main(["check", model, *asked, "--emit-c", str(tmp_path / "c")])
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
    assert json.loads(ran.stdout.splitlines()[-1])["states"] == expected
