"""Names of files as other tools want them: relative to the root of the repository."""

from __future__ import annotations

from pathlib import Path, PurePath, PurePosixPath
from urllib.parse import quote


def repository_root(folder: Path) -> Path:
    """The folder of the repository around a folder; the folder itself if there is none."""
    folder = folder.absolute()
    return next((up for up in (folder, *folder.parents) if (up / ".git").exists()), folder)


def relative(file: str, root: Path) -> PurePath | None:
    """The name of a file below `root`; None if it lies elsewhere."""
    path = Path(file).absolute()
    try:
        candidates = (path, path.resolve())
    except (OSError, ValueError):  # a name that no file has
        return None
    for candidate in candidates:
        for base in (root.absolute(), root.resolve()):
            if candidate.is_relative_to(base) and ".." not in candidate.relative_to(base).parts:
                return candidate.relative_to(base)
    return None


def path_text(file: str, root: Path) -> str:
    """The name below `root` with slashes, or else the whole name."""
    found = relative(file, root)
    return Path(file).absolute().as_posix() if found is None else PurePosixPath(found).as_posix()


def uri(path: PurePath) -> str:
    """A relative name as a URI."""
    return quote(path.as_posix(), safe="/", errors="surrogateescape")
