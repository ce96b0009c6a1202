"""What is built can be installed and used: in clean environments, by every Python that is here."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "whorl"
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
# A file of each kind that is no Python: without it something would not work.
NEEDED = (
    "whorl/py.typed",
    "whorl/native/runtime/store/tree.h",
    "whorl/native/runtime/reduction/scheme/two_phase_ample.h",
    "whorl/trace/page/page.html",
    "whorl/trace/page/main.js",
    "whorl/trace/page/style.css",
    "whorl/cli/result.schema.json",
)


def build(source: Path, folder: Path, *kinds: str) -> None:
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder)]
    done = subprocess.run(
        [*command, *kinds, str(source)], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist, and the wheel that is built from it."""
    folder = tmp_path_factory.mktemp("dist")
    build(ROOT, folder)
    return folder


@pytest.fixture(scope="module")
def wheel(built: Path) -> Path:
    (found,) = built.glob("*.whl")
    return found


def packed(wheel: Path) -> dict[str, bytes]:
    """The files of a wheel by name, without those that say what is in it."""
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if not name.endswith("/RECORD")]
        return {name: archive.read(name) for name in names}


def test_the_wheel_has_the_package_and_nothing_else(wheel: Path) -> None:
    files = packed(wheel)
    own = {
        path.relative_to(PACKAGE.parent).as_posix()
        for path in PACKAGE.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert {name for name in files if ".dist-info/" not in name} == own
    assert set(NEEDED) <= own
    assert any(name.startswith("whorl/lab/rules/") for name in own)
    assert not [
        line
        for line in metadata(files)
        if line.startswith("Requires-Dist: ") and "extra ==" not in line
    ]


def metadata(files: dict[str, bytes]) -> list[str]:
    (name,) = (name for name in files if name.endswith(".dist-info/METADATA"))
    return files[name].decode().splitlines()


def test_the_sdist_has_what_the_tests_need_and_builds_the_same_wheel(
    built: Path, wheel: Path, tmp_path: Path
) -> None:
    (sdist,) = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    for name in (
        "tests/conftest.py",
        "examples/peterson.pml",
        "docs/index.md",
        "scripts",
        "LICENSE",
    ):
        assert any(found == name or found.startswith(f"{name}/") for found in names), name
    assert not [name for name in names if "__pycache__" in name or ".venv" in name]
    build(ROOT, tmp_path, "--wheel")
    (direct,) = tmp_path.glob("*.whl")
    assert packed(direct) == packed(wheel)


def interpreter(version: str) -> str | None:
    """A Python of this version: on the path, or one of pyenv's."""
    places = [shutil.which(f"python{version}")]
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    places += map(str, sorted(pyenv.glob(f"versions/{version}.*/bin/python{version}")))
    for place in filter(None, places):
        asked = [place, "-c", "import sys, venv; print('%d.%d' % sys.version_info[:2])"]
        said = subprocess.run(asked, capture_output=True, text=True, check=False)
        if said.stdout.strip() == version:
            return place
    return None


class Installed:
    """A clean environment with whorl in it."""

    def __init__(self, python: str, package: Path, folder: Path) -> None:
        self.folder = folder / "work"
        self.folder.mkdir()
        self.bin = folder / "environment" / "bin"
        made = folder / "environment"
        subprocess.run([python, "-m", "venv", "--without-pip", str(made)], check=True)
        pip = [sys.executable, "-m", "pip", "--python", str(self.bin / "python"), "--quiet"]
        quiet = ["--disable-pip-version-check", "--no-index"]
        subprocess.run([*pip, "install", *quiet, str(package)], check=True, cwd=self.folder)
        hidden = ("PYTHON", "VIRTUAL_ENV")
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith(hidden)}
        shutil.copytree(ROOT / "examples", self.folder / "examples")

    def run(self, *words: str) -> tuple[int, str]:
        """The exit status of `whorl` and what it prints. A warning of Python is an error."""
        environment = self.environment | {"PYTHONWARNINGS": "error", "PYTHONIOENCODING": "utf-8"}
        done = subprocess.run(
            [str(self.bin / "whorl"), *words],
            cwd=self.folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        return done.returncode, done.stdout.decode()


@pytest.mark.parametrize("version", PYTHONS)
def test_the_wheel_works_with(version: str, wheel: Path, tmp_path: Path) -> None:
    python = interpreter(version)
    if python is None:
        pytest.skip(f"there is no Python {version} here")
    installed = Installed(python, wheel, tmp_path)
    assert installed.run("--version") == (0, "whorl 0.1.0\n")
    engines = ["reference"] if shutil.which("cc") is None else ["reference", "native"]
    for engine in engines:
        model = "examples/traffic_light.pml"
        status, printed = installed.run("check", model, "--engine", engine, "--html", "page.html")
        assert (status, f"engine: {engine}" in printed) == (1, True), printed
        assert "✗ response" in printed
        page = installed.folder / "page.html"
        assert "traffic_light.pml: counterexample" in page.read_text(encoding="utf-8")
        page.unlink()
        status, printed = installed.run("check", "examples/peterson.pml", "--engine", engine)
        assert status == 0, printed


def test_pip_builds_the_sdist(built: Path, tmp_path: Path) -> None:
    """As `pip install` of the sdist does, but with the build backend that is here already."""
    (sdist,) = built.glob("*.tar.gz")
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check"]
    offline = ["--no-index", "--no-deps", "--no-build-isolation", "--wheel-dir", str(tmp_path)]
    subprocess.run([*pip, *offline, str(sdist)], check=True)
    (made,) = tmp_path.glob("*.whl")
    installed = Installed(sys.executable, made, tmp_path)
    status, printed = installed.run(
        "check", "examples/peterson_broken.pml", "--engine", "reference"
    )
    assert status == 1, printed
