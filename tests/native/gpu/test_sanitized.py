"""The kernels under sanitizers: in a process of its own, since Python itself has to be watched."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[3] / "examples"
MEMORY = "gcc -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all"
THREADS = "gcc -O1 -g -fsanitize=thread -DWHORL_STRESS=50"

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="this machine has no gcc")


def library(name: str) -> str:
    said = subprocess.run(
        ["gcc", f"-print-file-name={name}"], capture_output=True, text=True, check=True
    )
    found = said.stdout.strip()
    if not Path(found).is_absolute():
        pytest.skip(f"gcc has no {name}")
    return found


def watched(
    model: Path, scheme: str, loops: int, compiler: str, *libraries: str, claim: str | None = None
) -> str:
    """What a check says; a sanitizer that finds something ends it."""
    environment = {
        **os.environ,
        "LD_PRELOAD": " ".join(map(library, libraries)),
        "ASAN_OPTIONS": "detect_leaks=0",  # Python's own
        "TSAN_OPTIONS": "halt_on_error=1",
        "PYTHONMALLOC": "malloc",
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
    }
    words = [sys.executable, "-m", "support.gpu", str(model), scheme, str(loops), compiler]
    words += [claim] if claim else []
    ran = subprocess.run(words, capture_output=True, text=True, env=environment, check=False)
    assert ran.returncode == 0, ran.stderr[-4000:]
    return ran.stdout.strip()


@pytest.mark.parametrize(
    ("name", "scheme", "said"),
    [
        ("two_phase_commit", "two-phase", "holds 386 []"),
        ("lost_update", "none", "violated 24 [17]"),
    ],
)
def test_memory(name: str, scheme: str, said: str) -> None:
    model = EXAMPLES / f"{name}.pml"
    assert watched(model, scheme, 1, MEMORY, "libasan.so", "libubsan.so") == said


@pytest.mark.parametrize(
    ("name", "scheme", "said"),
    [
        ("two_phase_commit", "two-phase", "holds 386 []"),
        ("lost_update", "none", "violated 24 [17]"),
    ],
)
def test_threads(name: str, scheme: str, said: str) -> None:
    assert watched(EXAMPLES / f"{name}.pml", scheme, 3, THREADS, "libtsan.so") == said


@pytest.mark.parametrize(("claim", "said"), [("response", "violated"), ("safe", "holds")])
def test_claims(claim: str, said: str) -> None:
    model = EXAMPLES / "traffic_light.pml"
    alone = watched(model, "none", 1, MEMORY, "libasan.so", "libubsan.so", claim=claim)
    assert alone.startswith(said)
    assert watched(model, "none", 3, THREADS, "libtsan.so", claim=claim) == alone


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["none", "static", "two-phase"])
@pytest.mark.parametrize("model", sorted(EXAMPLES.glob("*.pml")), ids=lambda path: path.stem)
def test_all_examples(model: Path, scheme: str) -> None:
    alone = watched(model, scheme, 1, MEMORY, "libasan.so", "libubsan.so")
    assert watched(model, scheme, 3, THREADS, "libtsan.so") == alone
