"""Every picture of the documentation is what its command makes."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from support import pictures
from support.browser import Browser
from support.sessions import PAGES

MADE = [*pictures.DRAWINGS, *pictures.COMMANDS, *pictures.OF_PAGES]


@pytest.mark.usefixtures("system_compiler")
@pytest.mark.parametrize("name", MADE)
def test_it_is_what_is_made(name: str, tmp_path: Path) -> None:
    if name in pictures.COMMANDS and shutil.which("cc") is None:
        pytest.skip("the pictures are of the native engine's runs")
    pictures.make(name, tmp_path / name)
    assert (tmp_path / name).read_bytes() == (pictures.IMAGES / name).read_bytes(), (
        f"`make pictures ARGS={name}` makes it again"
    )


def test_every_picture_has_a_command_and_is_shown() -> None:
    there = {path.name for path in pictures.IMAGES.iterdir()}
    assert there == {*MADE, *pictures.MEASURED, pictures.VIEWER}
    texts = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    assert set(re.findall(r"!\[[^]]+\]\([\w./]*img/([\w.-]+)\)", texts)) == there


@pytest.mark.browser
@pytest.mark.usefixtures("system_compiler")
def test_the_viewer_shows_what_is_on_its_picture(tmp_path: Path) -> None:
    picture = pictures.IMAGES / pictures.VIEWER
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert picture.stat().st_size < 150_000
    with Browser() as browser:
        pictures.show_viewer(browser, tmp_path / "page.html")
        assert "first_enters: a run does not satisfy []<> worker[0]@critical" in browser.text("h1")
        assert "2 steps, then a cycle of 5 steps" in browser.text("header")
        assert "Step 4" in browser.text("#state-panel")
        assert "inside--" in browser.text("#state-panel")
        assert browser.problems == []
