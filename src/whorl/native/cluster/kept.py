"""Checkpoints: a folder of pieces, and a commit for each round of them.

    FOLDER/search.json        what is searched: the digest of the verifier's text, options, workers
    FOLDER/000003.2.a7f3.states   what worker 2 found between commit 2 and commit 3
    FOLDER/000003.json        commit 3: its pieces, where supersteps begin, the figures so far

The workers write pieces, and the driver commits them by renaming one small file. A commit counts
if all before it do. So whoever is killed, at whatever point, leaves the last commit as it was:
files of a later one are nobody's. Their names have something random in them, so that a worker which
does not know yet that it is nobody's cannot touch what others have committed since.

A commit takes time, so there is not one for each superstep: `Pace` lets it have a tenth.
"""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from whorl.diagnostics import Diagnostic, WhorlError
from whorl.native.cluster.pieces import PieceError, StateFile, secured, secured_folder

VERSION = 1  # of what is in the files
SEARCH = "search.json"
LEAST_PAUSE = 1.0  # seconds between two commits, at least
SHARE = 0.1  # of the time, that commits may take


@dataclass(frozen=True, slots=True)
class Commit:
    """What is known of the search at one point between two supersteps."""

    number: int
    pieces: tuple[StateFile, ...]  # of each worker, since the commit before
    state: dict[str, Any]  # of the driver: where supersteps begin, figures

    def as_data(self) -> dict[str, Any]:
        return {"pieces": [piece.as_data() for piece in self.pieces], "state": self.state}

    @classmethod
    def of(cls, number: int, data: dict[str, Any]) -> Commit:
        return cls(number, tuple(StateFile(**piece) for piece in data["pieces"]), data["state"])


def state_file_name(commit: int, worker: int) -> str:
    """A new name for the file of a worker in a commit."""
    return f"{commit:06d}.{worker}.{secrets.token_hex(4)}.states"


@dataclass(slots=True)
class KeptSearch:
    """The folder of one search. It is made when something is first committed."""

    folder: Path
    search: dict[str, Any]  # what is searched, which has to be the same when it goes on
    commits: list[Commit] = field(default_factory=list)
    begun: bool = False

    @property
    def states(self) -> int:
        return sum(piece.states for commit in self.commits for piece in commit.pieces)

    @property
    def bytes(self) -> int:
        """What the pieces take on the disk."""
        return sum(piece.bytes for commit in self.commits for piece in commit.pieces)

    def begin(self) -> None:
        """Makes the folder, before workers write to it; PieceError if that cannot be."""
        if self.begun:
            return
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            _put(self.folder, SEARCH, {"version": VERSION} | self.search)
        except OSError as error:
            raise PieceError(f"cannot write '{self.folder}': {error.strerror or error}") from None
        self.begun = True

    def commit(self, pieces: Sequence[StateFile], state: dict[str, Any]) -> None:
        """From now on the search can go on from here. PieceError: it cannot, but from before."""
        made = Commit(len(self.commits), tuple(pieces), state)
        name = f"{made.number:06d}.json"
        if (self.folder / name).exists():
            raise PieceError(f"another search goes on in '{self.folder}'")
        try:
            _put(self.folder, name, made.as_data())
        except OSError as error:
            raise PieceError(f"cannot write '{self.folder}': {error.strerror or error}") from None
        self.commits.append(made)

    def sweep(self) -> None:
        """Removes pieces that no commit has: the search ended before theirs."""
        known = {piece.name for commit in self.commits for piece in commit.pieces}
        with suppress(OSError):
            for path in self.folder.iterdir():
                left = path.name.endswith(".states") and path.name not in known
                if _is_ours(path) and (left or path.name.endswith(".part")):
                    path.unlink(missing_ok=True)

    def remove(self) -> None:
        """Removes what was written, and the folder if nothing else is in it."""
        if not self.begun:
            return
        with suppress(OSError):
            for path in self.folder.iterdir():
                if _is_ours(path):
                    path.unlink(missing_ok=True)
            self.folder.rmdir()
        self.commits, self.begun = [], False


@dataclass(slots=True)
class Pace:
    """When to commit: not so often that it takes more than its share of the time."""

    least: float = LEAST_PAUSE
    took: float = 0.0  # the last commit, in seconds
    ended: float = field(default_factory=time.monotonic)

    @property
    def due(self) -> bool:
        return time.monotonic() - self.ended >= max(self.least, self.took * (1 / SHARE - 1))

    def done(self, took: float) -> None:
        self.took, self.ended = took, time.monotonic()


def opened(folder: Path) -> KeptSearch:
    """What is kept in a folder. WhorlError where nothing is that can be gone on from."""
    try:
        search = json.loads((folder / SEARCH).read_text(encoding="utf-8"))
        version = search.pop("version")
        commits = _commits(folder)
    except FileNotFoundError:
        raise _nothing(folder, "there is no search in it") from None
    except OSError as error:
        raise _nothing(folder, error.strerror or str(error)) from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise _nothing(folder, "its files are damaged") from None
    if version != VERSION:
        raise _nothing(folder, "another version of whorl has written it")
    if not commits:
        raise _nothing(folder, "nothing was committed before the search ended")
    return KeptSearch(folder, search, commits, begun=True)


def refuse_other(kept: KeptSearch, search: dict[str, Any]) -> None:
    """WhorlError where what is kept is not of this search."""
    names = {
        "model": "another model",
        "options": "other options",
        "workers": "other workers",
        "owners": "another version of whorl, which gives states out otherwise",
    }
    for name, value in search.items():
        if kept.search.get(name) == value:
            continue
        if name == "workers":
            count = kept.search.get(name)
            hint = f"--workers {count}, as it was begun"
        elif name == "owners":
            hint = "go on with that version, or begin anew"
        else:
            hint = "give the model and the options with which it was begun"
        said = f"cannot go on from '{kept.folder}': it is of {names.get(name, 'another search')}"
        raise WhorlError(Diagnostic("error", said, None, hint))


def refuse_used(folder: Path) -> None:
    """WhorlError where a new search would write over what is kept of another."""
    if (folder / SEARCH).exists():
        said = f"'{folder}' has the checkpoints of a search"
        hint = f"--resume {folder} goes on with it; or name another folder, or remove this one"
        raise WhorlError(Diagnostic("error", said, None, hint))


def _nothing(folder: Path, why: str) -> WhorlError:
    return WhorlError(Diagnostic("error", f"cannot go on from '{folder}': {why}"))


def _commits(folder: Path) -> list[Commit]:
    """The commits of a folder, as far as none is missing."""
    found: list[Commit] = []
    while True:
        try:
            text = (folder / f"{len(found):06d}.json").read_text(encoding="utf-8")
        except FileNotFoundError:
            return found
        found.append(Commit.of(len(found), json.loads(text)))


def _put(folder: Path, name: str, data: dict[str, Any]) -> None:
    """Writes a small file by renaming, with everything renamed before it on the disk first."""
    beside = folder / f".{name}.part"
    try:
        with beside.open("wb") as file:
            file.write(json.dumps(data).encode())
            secured(file)
        secured_folder(folder)
        beside.replace(folder / name)
        secured_folder(folder)
    except OSError:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        raise


def _is_ours(path: Path) -> bool:
    name = path.name.removeprefix(".").removesuffix(".part")
    return name == SEARCH or (name[:6].isdigit() and name.endswith((".states", ".json")))
