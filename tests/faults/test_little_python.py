"""A Python as in a browser: without threads, limits of resources, or locks of files."""

from __future__ import annotations

import json
import subprocess
import sys

from support.sessions import ROOT

LITTLE = """
import json, sys, threading

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name in ("fcntl", "resource", "termios", "multiprocessing", "_multiprocessing"):
            raise ModuleNotFoundError(f"No module named {name!r}")

def start(thread):
    raise RuntimeError("can't start new thread")

sys.meta_path.insert(0, Missing())
threading.Thread.start = start
sys.platform = "emscripten"

import whorl
from whorl import memory

broken = whorl.check("examples/peterson_broken.pml", engine="reference", timeout=60)
endless = "int n; active proctype p() { do :: n++ od }"  # a walk of phase 1
late = whorl.check(endless, engine="reference", timeout=0.2)
print(json.dumps([broken.verdict, late.properties[0].why, memory.peak_bytes()]))
"""


def test_the_reference_engine_needs_little() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LITTLE],
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    verdict, why, peak = json.loads(done.stdout)
    assert verdict == "violated"
    assert "the time limit of 0.2 s was reached" in why
    assert peak == 0
