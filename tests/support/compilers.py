"""Compilers for tests: quick to compile small models with, and with assertions.

tcc takes a hundredth of a second for what takes `cc -O0` half a second. Where it is missing the
tests take longer, that is all.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from whorl.native.compiler import Compiler

GIVEN = os.environ.get("WHORL_CC")  # as the user has it, whatever a test module sets later
SHIM = Path(__file__).with_name("tcc.h")
SYSTEM = Compiler(("cc",), "cc", ("-O0", "-UNDEBUG"))


def _quick() -> Compiler:
    found = shutil.which("tcc")
    if found is None:
        return SYSTEM
    return Compiler((found,), "tcc", ("-O0", "-UNDEBUG", "-include", str(SHIM)))


QUICK = _quick()


def as_text(compiler: Compiler) -> str:
    """What `$WHORL_CC` is for a compiler."""
    return " ".join([*compiler.command, *compiler.added])
