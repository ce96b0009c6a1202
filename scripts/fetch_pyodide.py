"""Fetches Pyodide, a Python for browsers, from npm: `python scripts/fetch_pyodide.py`.

The playground of the documentation runs in it. It goes to `build/`, once; nothing of it is
committed. Where it cannot be had the documentation is built without, and the page says so.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VERSION = "314.0.7"
PYTHON = "3.14"  # what this version of Pyodide is
SHA256 = "66b7949e5a0cba2250b586d7e368bf12fb482800748d182c4618254b685ffaa0"  # of the package
FOLDER = ROOT / "build" / f"pyodide-{VERSION}"
FILES = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "pyodide-lock.json",
    "python_stdlib.zip",
)
PATIENCE = 120  # seconds


class NotFetched(Exception):
    """Why there is no Pyodide."""


def is_there() -> bool:
    return FOLDER.is_dir()


def fetch() -> None:
    """Puts Pyodide into its folder, whole or not at all, unless it is there."""
    if is_there():
        return
    npm = shutil.which("npm")
    if npm is None:
        raise NotFetched("npm is missing")
    FOLDER.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=FOLDER.parent) as temporary:
        package = _packed(npm, Path(temporary))
        unpacked = Path(temporary) / "files"
        unpacked.mkdir()
        with tarfile.open(package) as archive:
            for name in FILES:
                member = archive.extractfile(f"package/{name}")
                assert member is not None, name
                (unpacked / name).write_bytes(member.read())
        try:
            unpacked.rename(FOLDER)
        except OSError:
            if not is_there():  # otherwise somebody else was faster
                raise


def _packed(npm: str, folder: Path) -> Path:
    command = [npm, "pack", f"pyodide@{VERSION}", "--silent", "--fetch-retries=0"]
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, timeout=PATIENCE, check=False
        )
    except subprocess.TimeoutExpired:
        raise NotFetched(f"npm took more than {PATIENCE} s") from None
    package = folder / f"pyodide-{VERSION}.tgz"
    if done.returncode or not package.is_file():
        said = (done.stderr or done.stdout).strip().splitlines() or ["npm failed"]
        raise NotFetched(said[0])
    if hashlib.sha256(package.read_bytes()).hexdigest() != SHA256:
        raise NotFetched("the package is not the one that was tested")
    return package


def main() -> int:
    try:
        fetch()
    except NotFetched as why:
        print(f"docs: the playground is built without Pyodide: {why}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
