"""Compiles C of tests together with the runtime of the native engine."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import whorl

SOURCES = Path(__file__).parents[1] / "native" / "runtime"
RUNTIME = Path(whorl.__file__).parent / "native" / "runtime"
WARNINGS = ["-Wall", "-Wextra", "-Werror"]
SANITIZERS = ["-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
LANGUAGES = {
    "c": ["-std=c11"],
    "c++": ["-x", "c++", "-std=c++17"],
}

Build = Callable[..., Path]


def builder(folder: Path) -> Build:
    """A function that compiles a source of ours, once for each way of compiling it."""
    built: dict[tuple[str, str, tuple[str, ...]], Path] = {}

    def compile_source(source: str, *options: str, language: str = "c") -> Path:
        compiler = shutil.which("gcc" if language == "c" else "g++")
        if compiler is None:
            pytest.skip(f"no compiler for {language}")
        key = (source, language, options)
        if key not in built:
            target = folder / f"{Path(source).stem}-{len(built)}"
            command = [compiler, *LANGUAGES[language], "-fwrapv", f"-I{RUNTIME}", *WARNINGS]
            command += [*options, str(SOURCES / source), "-o", str(target)]
            result = subprocess.run(command, capture_output=True, text=True)
            assert result.returncode == 0, result.stderr
            built[key] = target
        return built[key]

    return compile_source
