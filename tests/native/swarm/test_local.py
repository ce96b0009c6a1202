"""Searches as processes: what they say arrives, and none is left when nobody wants them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.machine import runs, wait_for
from whorl.native.swarm.listed import SearchList
from whorl.native.swarm.local import LocalWorkers
from whorl.native.verifier import Outcome, VerifierError

LIST = SearchList(1)
DONE = '{"type":"done","stopped":null,"states":7}'
INTERRUPTED = '{"type":"done","stopped":"interrupted","states":8}'
TOLD = '{"type":"progress","states":3,"transitions":4,"depth":1,"seconds":0.1,"memory_bytes":5}'
STUBBORN = "trap '' INT; echo $$ > pid; sleep 100 & wait; wait"
OBEDIENT = f"""
end() {{ echo '{INTERRUPTED}'; exit 0; }}
trap end INT; echo $$ > pid; while :; do sleep 0.01; done
"""


@pytest.fixture
def workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalWorkers]:
    monkeypatch.chdir(tmp_path)
    verifier = tmp_path / "verifier"
    with LocalWorkers(lambda: verifier, lambda search: search.words) as workers:
        yield workers


def script(text: str) -> None:
    path = Path("verifier")
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o700)


def all_of(workers: LocalWorkers) -> list[Outcome]:
    found = []
    while workers.running:
        found += [outcome for _, outcome in workers.ended(5)]
    return found


def written(name: str = "pid") -> int:
    """The number that a script has written."""
    path = Path(name)
    wait_for(lambda: path.exists() and bool(path.read_text().strip()))
    return int(path.read_text())


def is_there(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_what_they_say_arrives(workers: LocalWorkers) -> None:
    script(f"echo '{TOLD}'; echo '{DONE}'")
    workers.start(LIST[1])
    workers.start(LIST[2])
    assert len(workers.running) == 2
    found = all_of(workers)
    assert [(outcome.figures["states"], outcome.told["depth"]) for outcome in found] == [(7, 1)] * 2


def test_words_are_those_of_the_search(workers: LocalWorkers) -> None:
    script(f"echo \"$@\" > words; echo '{DONE}'")
    workers.start(LIST[3])
    all_of(workers)
    assert Path("words").read_text().split() == LIST[3].words


def test_a_line_in_parts(workers: LocalWorkers) -> None:
    script(f"printf '%s' '{DONE[:9]}'; sleep 0.1; echo '{DONE[9:]}'")
    workers.start(LIST[1])
    assert all_of(workers)[0].figures["states"] == 7


def test_no_figures_is_our_bug(workers: LocalWorkers) -> None:
    script("echo 'it broke' >&2; exit 3")
    workers.start(LIST[1])
    with pytest.raises(VerifierError, match="it broke"):
        all_of(workers)


def test_one_that_is_killed_has_the_figures_that_it_told_last(workers: LocalWorkers) -> None:
    script(f"echo '{TOLD}'; kill -9 $$")
    workers.start(LIST[1])
    (outcome,) = all_of(workers)
    assert (outcome.figures["stopped"], outcome.figures["states"]) == ("killed", 3)


def test_those_that_are_asked_to_stop_give_figures(workers: LocalWorkers) -> None:
    script(OBEDIENT)
    workers.start(LIST[1])
    written()
    ((search, outcome),) = workers.stopped(20)
    assert search == LIST[1]
    assert outcome.figures["stopped"] == "interrupted"
    assert workers.running == []


def test_those_that_do_not_listen_are_killed_with_all_that_they_started(
    workers: LocalWorkers,
) -> None:
    script(f"sleep 100 & echo $! > child; {STUBBORN}")
    workers.start(LIST[1])
    pid, child = written(), written("child")
    ((_, outcome),) = workers.stopped(0.1)
    assert outcome.figures["stopped"] == "killed"
    assert not is_there(pid)
    wait_for(lambda: not runs(child))


def test_none_is_left_after_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    script(STUBBORN)
    workers = LocalWorkers(lambda: tmp_path / "verifier", lambda search: [])
    with pytest.raises(RuntimeError):
        _broken(workers)
    assert not is_there(written())


def _broken(workers: LocalWorkers) -> None:
    with workers:
        workers.start(LIST[1])
        written()
        raise RuntimeError


def test_a_verifier_that_is_not_there(workers: LocalWorkers) -> None:
    with pytest.raises(FileNotFoundError):
        workers.start(LIST[1])
    assert workers.running == []
