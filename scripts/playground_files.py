"""A hook of mkdocs: puts what the playground needs beside its own files into the site.

These are the examples, and, where Pyodide has been fetched (`fetch_pyodide.py`), Pyodide and a
wheel of whorl. `setup.json` says what there is.
"""

from __future__ import annotations

import json
import logging
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fetch_pyodide
from fetch_pyodide import ROOT
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

FOLDER = "playground"  # of the site
FIRST = "peterson_broken"  # the example to begin with

log = logging.getLogger("mkdocs.hooks.playground")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the files to those of the site."""
    for name, content in contents():
        files.append(File.generated(config, f"{FOLDER}/{name}", content=content))
    return files


def contents() -> Iterator[tuple[str, str | bytes]]:
    """The names and contents of the files."""
    setup: dict[str, Any] = {"first": FIRST, "examples": list(examples())}
    if fetch_pyodide.is_there():
        wheel = built_wheel()
        yield wheel
        for name in fetch_pyodide.FILES:
            yield f"pyodide/{name}", (fetch_pyodide.FOLDER / name).read_bytes()
        version, python = fetch_pyodide.VERSION, fetch_pyodide.PYTHON
        setup["engine"] = {"pyodide": version, "python": python, "wheel": wheel[0]}
    else:
        log.info("the playground is built without Pyodide: `make docs` fetches it")
    yield "setup.json", json.dumps(setup)


def examples() -> Iterator[dict[str, str]]:
    """The examples, each with the first sentence of its head comment."""
    for path in sorted((ROOT / "examples").glob("*.pml")):
        text = path.read_text(encoding="utf-8")
        head = re.match(r"/\*\n \* (.*?)\n \*\n", text, re.DOTALL)
        assert head is not None, path
        about = " ".join(head[1].replace("\n *", " ").split())
        yield {"name": path.stem, "about": about, "text": text}


def built_wheel() -> tuple[str, bytes]:
    """The name and content of a wheel of whorl."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "build", "--wheel", "--no-isolation"]
        done = subprocess.run(
            [*command, "--outdir", folder, str(ROOT)], capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise PluginError(f"the wheel could not be built:\n{done.stdout}{done.stderr}")
        (wheel,) = Path(folder).glob("*.whl")
        return wheel.name, wheel.read_bytes()
