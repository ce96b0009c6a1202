"""Control groups as folders of a test."""

from __future__ import annotations

from pathlib import Path


def group(folder: Path, **files: str) -> None:
    """Writes files of a group; the first underscore of a name is its dot."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name.replace("_", ".", 1)).write_text(text)
