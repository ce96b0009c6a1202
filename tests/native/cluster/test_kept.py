"""Checkpoints: whoever is killed, and wherever, the last commit is as it was."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import pytest

from whorl.diagnostics import WhorlError
from whorl.native.cluster import kept as module
from whorl.native.cluster.kept import (
    KeptSearch,
    Pace,
    opened,
    refuse_other,
    refuse_used,
    state_file_name,
)
from whorl.native.cluster.pieces import PieceError, StateFile, read, write

SEARCH = {"model": "abc", "options": {"exhaust": True}, "workers": 2}


class ClusterWorker:
    """A worker whose states are numbers, from 0 on; one in two is worker 0's."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.found: list[int] = []
        self.saved = 0

    def expand(self, most: int) -> None:
        first = len(self.found) * 2 + self.number
        self.found += range(first, first + 2 * most, 2)

    def save(self, folder: Path, name: str) -> StateFile:
        new = self.found[self.saved :]
        piece = write(folder, name, [number.to_bytes(8, "little") for number in new], 8)
        self.saved = len(self.found)
        return piece

    def restore(self, folder: Path, pieces: list[StateFile]) -> None:
        for piece in pieces:
            for block in read(folder, piece, 8):
                for at in range(0, len(block), 8):
                    self.found.append(int.from_bytes(block[at : at + 8], "little"))
        self.saved = len(self.found)


def searched(kept: KeptSearch, workers: list[ClusterWorker], supersteps: int) -> None:
    """Some supersteps, with a commit after each."""
    kept.begin()
    for _ in range(supersteps):
        for worker in workers:
            worker.expand(100)
        number = len(kept.commits)
        pieces = [w.save(kept.folder, state_file_name(number, w.number)) for w in workers]
        kept.commit(pieces, {"supersteps": number + 1})


def restored(kept: KeptSearch) -> list[ClusterWorker]:
    workers = [ClusterWorker(0), ClusterWorker(1)]
    for worker in workers:
        worker.restore(kept.folder, [commit.pieces[worker.number] for commit in kept.commits])
    return workers


def test_a_search_goes_on_from_its_last_commit(tmp_path: Path) -> None:
    folder = tmp_path / "there" / "kept"
    first = KeptSearch(folder, SEARCH)
    assert not folder.exists()  # before something is committed
    searched(first, [ClusterWorker(0), ClusterWorker(1)], 3)
    again = opened(folder)
    assert again.search == SEARCH
    assert again.commits == first.commits
    assert (again.states, again.bytes) == (600, first.bytes)
    workers = restored(again)
    assert sorted(workers[0].found + workers[1].found) == list(range(600))
    searched(again, workers, 2)
    last = opened(folder)
    assert last.commits[-1].state == {"supersteps": 5}
    assert [len(worker.found) for worker in restored(last)] == [500, 500]
    last.remove()
    assert not folder.exists()


class Killed(BaseException):
    """The process ends here."""


@pytest.mark.parametrize("point", range(21))
def test_killed_at_any_point(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, point: int) -> None:
    """Whatever of the disk's operations was the last one, what is there is one of the commits."""
    kept, left = KeptSearch(tmp_path / "kept", SEARCH), point
    committed: list[dict[str, Any]] = []

    def counted(original: Any) -> Any:
        def operation(*given: Any, **named: Any) -> Any:
            nonlocal left
            if left == 0:
                raise Killed
            left -= 1
            return original(*given, **named)

        return operation

    with monkeypatch.context() as patch:
        for name in ("replace", "open", "unlink"):
            patch.setattr(Path, name, counted(getattr(Path, name)))
        try:
            searched(kept, [ClusterWorker(0), ClusterWorker(1)], 3)
        except Killed:
            committed = [commit.state for commit in kept.commits]
    if left:
        pytest.fail("there are fewer operations: take fewer points")
    if not (tmp_path / "kept" / "000000.json").exists():
        assert not committed
        with pytest.raises(WhorlError, match=r"nothing was committed|there is no search"):
            opened(tmp_path / "kept")
        return
    again = opened(tmp_path / "kept")
    assert [commit.state for commit in again.commits][: len(committed)] == committed
    workers = restored(again)
    assert sorted(workers[0].found + workers[1].found) == list(range(200 * len(again.commits)))
    again.sweep()
    searched(again, workers, 1)
    assert opened(tmp_path / "kept").states == 200 * len(again.commits)


def test_names_of_pieces_do_not_come_again() -> None:
    assert state_file_name(3, 1) != state_file_name(3, 1)
    assert state_file_name(3, 1).startswith("000003.1.")


def test_what_belongs_to_no_commit_is_swept(tmp_path: Path) -> None:
    kept = KeptSearch(tmp_path / "kept", SEARCH)
    searched(kept, [ClusterWorker(0), ClusterWorker(1)], 2)
    before = sorted(os.listdir(kept.folder))
    ClusterWorker(0).save(kept.folder, state_file_name(2, 0))
    (kept.folder / ".000002.1.ab.states.part").write_bytes(b"x")
    (kept.folder / "notes.txt").write_text("mine")
    kept.sweep()
    assert sorted(os.listdir(kept.folder)) == sorted([*before, "notes.txt"])
    kept.remove()
    assert os.listdir(kept.folder) == ["notes.txt"]  # it is the user's


def test_two_cannot_go_on_from_one(tmp_path: Path) -> None:
    searched(KeptSearch(tmp_path / "kept", SEARCH), [ClusterWorker(0), ClusterWorker(1)], 1)
    one, other = opened(tmp_path / "kept"), opened(tmp_path / "kept")
    searched(one, restored(one), 1)
    with pytest.raises(PieceError, match="another search goes on"):
        searched(other, restored(other), 1)
    assert opened(tmp_path / "kept").commits == one.commits


def test_what_cannot_be_gone_on_from(tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    with pytest.raises(WhorlError, match="there is no search in it"):
        opened(folder)
    kept = KeptSearch(folder, SEARCH)
    refuse_used(folder)
    kept.begin()
    with pytest.raises(WhorlError, match="has the checkpoints of a search"):
        refuse_used(folder)
    with pytest.raises(WhorlError, match="nothing was committed"):
        opened(folder)
    searched(kept, [ClusterWorker(0), ClusterWorker(1)], 1)
    (folder / "000000.json").write_text("{")
    with pytest.raises(WhorlError, match="its files are damaged"):
        opened(folder)
    (folder / "search.json").write_text('{"version": 0}')
    (folder / "000000.json").unlink()
    with pytest.raises(WhorlError, match="another version of whorl"):
        opened(folder)
    (folder / "search.json").write_text("[]")
    with pytest.raises(WhorlError, match="its files are damaged"):
        opened(folder)


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("model", "def", "another model"),
        ("options", {}, "other options"),
        ("workers", 3, "other"),
        ("owners", "def", "another version of whorl, which gives states out otherwise"),
    ],
)
def test_another_search_is_refused(tmp_path: Path, name: str, value: object, said: str) -> None:
    kept = KeptSearch(tmp_path, SEARCH)
    refuse_other(kept, SEARCH)
    with pytest.raises(WhorlError, match=said) as caught:
        refuse_other(kept, SEARCH | {name: value})
    if name == "workers":
        assert "--workers 2" in str(caught.value)


def test_a_full_disk_keeps_what_was_committed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = KeptSearch(tmp_path / "kept", SEARCH)
    workers = [ClusterWorker(0), ClusterWorker(1)]
    searched(kept, workers, 2)

    def full(_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(module, "secured", full)
    with pytest.raises(PieceError, match="No space left"):
        searched(kept, workers, 1)
    assert len(opened(tmp_path / "kept").commits) == 2
    assert not [name for name in os.listdir(tmp_path / "kept") if name.endswith(".part")]


def test_commits_have_their_share_of_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    pace = Pace(ended=now)
    now += 0.9
    assert not pace.due
    now += 0.2
    assert pace.due
    pace.done(0.5)
    now += 4.4
    assert not pace.due
    now += 0.2
    assert pace.due
