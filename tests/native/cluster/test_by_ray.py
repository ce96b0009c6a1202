"""Workers of Ray: what they find, and that nothing is lost whatever of them is killed."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("ray", reason="the package ray is missing")

from support.cluster import claim_tasks, safety_task
from support.compilers import QUICK, as_text
from whorl.api import order_free
from whorl.diagnostics import WhorlError
from whorl.native.cluster import by_ray
from whorl.native.cluster.by_ray import FOLDER, HERE
from whorl.native.cluster.course import Assignment
from whorl.native.cluster.engine import About, explore_together, planned
from whorl.native.cluster.kept import Pace
from whorl.native.cluster.library import PartitionOptions
from whorl.native.cluster.ray_driver import DrivenCluster, DrivenCrew, connected
from whorl.native.cluster.recovery import EnduringSearch
from whorl.native.compiler import Compiler, find_compiler
from whorl.native.engine import explore_native
from whorl.native.verifier import Outcome
from whorl.search.exploration import Exploration
from whorl.task import Task

pytestmark = [
    # Of what Ray leaves open when a connection ends.
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore:Tip:FutureWarning"),
]

EXAMPLES = Path(__file__).parents[3] / "examples"
MODEL = """
byte x, y, z;
active [2] proctype P() {
    do :: x < 6 -> x++ :: x == 6 -> x = 0; y = (y + 1) % 12; assert(y < 9) od
}
active proctype Q() { do :: z < 5 -> z++; assert(z != 2) :: z == 5 -> z = 0 od }
"""
ROUND = """
byte x;
active [2] proctype P() { do :: x = (x + 1) % 5 od }
ltl f { <> [] (x == 3) }
"""
WORKERS = 3


@pytest.fixture(scope="module")
def cluster() -> Iterator[DrivenCluster]:
    with connected(HERE, WORKERS) as found:
        yield found


@pytest.fixture
def compiler(monkeypatch: pytest.MonkeyPatch) -> Compiler:
    monkeypatch.setenv("WHORL_CC", as_text(QUICK))
    found = find_compiler()
    assert found is not None
    return found


def figures(found: Exploration) -> tuple[Any, ...]:
    violations = sorted((v.kind, v.message or "") for v in found.violations)
    progress = found.progress
    return progress.states, progress.transitions, found.reached, violations, found.stopped


def task_of(tmp_path: Path, **options: Any) -> Task:
    model = tmp_path / "model.pml"
    model.write_text(MODEL)
    return planned(safety_task(model, **options))


class FewAtATime:
    """A search whose workers expand few states at a time, and that commits all the time."""

    def __init__(self, searching: EnduringSearch) -> None:
        self.searching = searching
        self.searching.pace = partial(Pace, least=0.0)

    def __call__(
        self, library: Path, options: Sequence[PartitionOptions], asked: Assignment, about: About
    ) -> Outcome:
        few = Assignment(
            asked.shortest, asked.all_errors, asked.most_states, 150, asked.stop, claim=asked.claim
        )
        return self.searching(library, options, few, about)


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_they_find_what_one_process_does(
    cluster: DrivenCluster, compiler: Compiler, tmp_path: Path, workers: int
) -> None:
    for options in ({"all_errors": True}, {"shortest": True}):
        task = task_of(tmp_path, **options)
        one = explore_native(task, compiler)
        many = explore_together(task, compiler, EnduringSearch(cluster.gather), workers)
        assert [v.kind for v in many.violations] == [v.kind for v in one.violations]
        if "shortest" in options:
            lengths = [len(violation.choices) for violation in many.violations]
            assert lengths == [len(violation.choices) for violation in one.violations]
        else:
            assert figures(many) == figures(one)
        assert many.cluster is not None
        assert len(many.cluster.seconds) == workers
        assert (many.cluster.sent > 0) == (workers > 1)


def test_cycles(cluster: DrivenCluster, compiler: Compiler, tmp_path: Path) -> None:
    model = tmp_path / "model.pml"
    model.write_text(ROUND)
    (task,) = order_free(tuple(claim_tasks(model)))
    one = explore_native(task, compiler)
    many = explore_together(task, compiler, EnduringSearch(cluster.gather), 2)
    assert [violation.kind for violation in many.violations] == ["ltl"]
    assert many.progress.states == one.progress.states


class At:
    """Does something once, at the call of a crew with that number."""

    def __init__(self, point: int, act: Any) -> None:
        self.left, self.act = point, act

    def watch(self, cluster: DrivenCluster) -> Any:
        """A gather whose crews are watched."""

        @contextmanager
        def gather(library: Path, options: Sequence[PartitionOptions]) -> Iterator[DrivenCrew]:
            with cluster.gather(library, options) as crew:
                plain = crew.all

                def counted(name: str, *arguments: Any) -> list[Any]:
                    self.left -= 1
                    if self.left == 0:
                        self.act(crew)
                    return plain(name, *arguments)

                crew.all = counted  # type: ignore[method-assign]
                yield crew

        return gather


def kill_a_worker(crew: DrivenCrew) -> None:
    os.kill(crew.spots[-1].process, signal.SIGKILL)


def kill_the_raylet(crew: DrivenCrew) -> None:
    os.kill(raylet(crew.driver.process.pid), signal.SIGKILL)


def kill_the_driver(crew: DrivenCrew) -> None:
    """As Ray's code does, with status 1, where a raylet is killed while something is put there."""
    os.kill(crew.driver.process.pid, signal.SIGKILL)


def freeze_a_worker(crew: DrivenCrew) -> None:
    process = crew.spots[0].process
    os.kill(process, signal.SIGSTOP)
    threading.Timer(1.5, os.kill, (process, signal.SIGCONT)).start()


def raylet(driver: int) -> int:
    """The raylet of a driver."""
    for path in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            parent = int(path.joinpath("stat").read_text().rpartition(")")[2].split()[1])
            if parent == driver and b"raylet/raylet\0" in path.joinpath("cmdline").read_bytes():
                return int(path.name)
    raise AssertionError("there is no raylet")


ACTS = [freeze_a_worker, kill_a_worker, kill_the_raylet, kill_the_driver]
KINDS = [{"all_errors": True}, {"all_errors": True, "shortest": True}]


def survives(
    cluster: DrivenCluster, compiler: Compiler, task: Task, folder: Path, act: Any, point: int
) -> list[str]:
    """Whether the figures are as if nothing had happened; what was lost."""
    expected = figures(explore_native(task, compiler))
    at = At(point, act)
    searching = EnduringSearch(at.watch(cluster), folder)
    found = explore_together(task, compiler, FewAtATime(searching), WORKERS)
    assert figures(found) == expected, (act, point)
    if (
        act in (kill_a_worker, kill_the_driver) and at.left <= 0
    ):  # without a raylet actors live for a while
        assert searching.losses
    return searching.losses


@pytest.mark.skipif(not Path("/proc").exists(), reason="there is no /proc")
@pytest.mark.parametrize(
    "act",
    # That the raylet is gone is noticed after most of a minute.
    [pytest.param(act, marks=pytest.mark.slow if act is kill_the_raylet else ()) for act in ACTS],
)
def test_a_fault(cluster: DrivenCluster, compiler: Compiler, tmp_path: Path, act: Any) -> None:
    task = task_of(tmp_path, all_errors=True)
    losses = survives(cluster, compiler, task, tmp_path / "kept", act, 9)
    if act is freeze_a_worker:
        assert not losses


@pytest.mark.slow
@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("options", KINDS, ids=lambda options: "-".join(options))
def test_faults_at_random_points(
    cluster: DrivenCluster, compiler: Compiler, tmp_path: Path, act: Any, options: dict[str, Any]
) -> None:
    task, drawn = task_of(tmp_path, **options), random.Random()
    for number in range(20):
        survives(cluster, compiler, task, tmp_path / str(number), act, drawn.randrange(2, 30))


@pytest.mark.slow
def test_a_limit_of_memory(cluster: DrivenCluster, compiler: Compiler, tmp_path: Path) -> None:
    """What the workers' memory together does not hold is inconclusive; what is committed stays."""
    model = tmp_path / "model.pml"
    model.write_text("int x, y; active [2] proctype P() { do :: x++ :: y++ :: x = 0 od }")
    task = planned(safety_task(model, por="none", memory=32 << 20))
    searching = EnduringSearch(cluster.gather, tmp_path / "kept")
    found = explore_together(task, compiler, searching, 2)
    assert found.stopped is not None
    assert "memory" in found.stopped
    assert found.progress.states > 1000


def test_more_workers_than_cores(
    cluster: DrivenCluster, compiler: Compiler, tmp_path: Path
) -> None:
    task = task_of(tmp_path)
    with pytest.raises(WhorlError, match=r"has 3 cores, and 4 workers need as many") as caught:
        explore_together(task, compiler, EnduringSearch(cluster.gather), 4)
    assert "--workers 3" in str(caught.value)


def test_a_library_gets_to_other_machines(tmp_path: Path) -> None:
    shared = by_ray.SharedLibrary(tmp_path / "not there", b"content")
    with shared.here() as path:
        assert path.read_bytes() == b"content"
    (tmp_path / "there").write_bytes(b"content")
    with by_ray.SharedLibrary(tmp_path / "there", b"content").here() as path:
        assert path == tmp_path / "there"


def test_what_killed_drivers_left_is_swept(tmp_path: Path) -> None:
    process = os.fork()
    if process == 0:
        os._exit(0)
    os.waitpid(process, 0)
    gone, lives, other = f"{FOLDER}{process}-a", f"{FOLDER}{os.getpid()}-a", f"{FOLDER}x"
    for name in (gone, lives, other):
        (tmp_path / name).mkdir()
    by_ray.sweep(tmp_path)
    assert sorted(os.listdir(tmp_path)) == sorted([lives, other])


def test_no_cluster_at_an_address() -> None:
    with (
        pytest.raises(WhorlError, match=r"there is no cluster at 127\.0\.0\.1:1"),
        connected("127.0.0.1:1", None),
    ):
        pass
