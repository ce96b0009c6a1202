"""The folders of the tests are those of src/whorl, but for the ones that CONTRIBUTING.md names."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
ROOT = TESTS.parent
SOURCE = ROOT / "src" / "whorl"

# Beside the tests of one module, the root has those of the whole repository.
OF_THE_WHOLE = {"docs", "examples", "install", "layers", "mirror", "names", "pictures", "site"}


def folders(top: Path) -> list[str]:
    """The folders below `top`, without what Python and others have put there."""
    found = [path.relative_to(top) for path in top.rglob("*") if path.is_dir()]
    return sorted(str(path) for path in found if not any(p[0] in "._" for p in path.parts))


def packages() -> list[str]:
    return [name for name in folders(SOURCE) if (SOURCE / name / "__init__.py").exists()]


def exceptions() -> list[str]:
    """The folders that CONTRIBUTING.md has a row for."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    return re.findall(r"^\| `tests/([\w/]+)` \|", text, re.MULTILINE)


def is_known(folder: str) -> bool:
    if (SOURCE / folder).is_dir():
        return True
    return any(folder == name or folder.startswith(f"{name}/") for name in exceptions())


@pytest.mark.parametrize("package", packages())
def test_every_package_has_tests(package: str) -> None:
    modules = (TESTS / package).glob("test_*.py")
    assert any("\ndef test_" in module.read_text(encoding="utf-8") for module in modules), (
        f"tests/{package} has no test"
    )


def test_every_folder_is_a_package_or_an_exception() -> None:
    unknown = [name for name in folders(TESTS) if not is_known(name)]
    assert not unknown, "neither in src/whorl nor in the table of CONTRIBUTING.md"


def test_every_exception_is_there() -> None:
    assert exceptions()
    for name in exceptions():
        assert (TESTS / name).is_dir(), name


def test_a_folder_of_its_own_is_found() -> None:
    assert not is_known("nowhere")
    assert not is_known("native/nowhere")
    assert is_known("support/generator")


def test_a_test_module_at_the_root_is_that_of_a_module() -> None:
    named = {path.stem.removeprefix("test_") for path in TESTS.glob("test_*.py")}
    modules = {path.stem for path in SOURCE.glob("*.py")}
    assert named - modules == OF_THE_WHOLE
