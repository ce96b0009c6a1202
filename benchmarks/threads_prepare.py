"""Verifiers and pans for the benchmark of threads, in a folder that any machine can take."""

from __future__ import annotations

import json
import math
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from types import SimpleNamespace

import whorl
from benchmarks.cases import OURS, Case
from benchmarks.spin import UNMERGED, SpinFailed
from benchmarks.threads import LIST, Row
from whorl.api import tasks_of
from whorl.engines import reference_semantics
from whorl.native.compiler import THREADS, find_compiler
from whorl.native.engine import arguments
from whorl.native.job import job_of, write
from whorl.native.threads import threaded, threaded_job
from whorl.options import CHECK
from whorl.program.walks import estimate
from whorl.selection import WantedSearches, ltl_claim

ALL = (16, 8, 4, 2, 1)
SOME = (16, 2, 1)


@dataclass(frozen=True, slots=True)
class ThreadsCase:
    """A model, how it is searched, and on how many threads: what matters most comes first."""

    name: str
    model: str
    defines: tuple[tuple[str, int], ...] = ()
    por: str = "none"
    merge: bool = False
    shortest: bool = False
    counts: Sequence[int] = ALL
    ceilings: Sequence[int] = ALL
    states: int = 0  # that are known
    formula: str = ""  # that is searched for a run which does not satisfy it

    @property
    def label(self) -> str:
        words = [f"{name}={value}" for name, value in self.defines]
        way = [] if self.por == "none" else ["default" if self.por == "auto" else self.por]
        more = ["levels"] if self.shortest else [self.formula] if self.formula else []
        return ", ".join([f"{self.model.removesuffix('.pml')} {' '.join(words)}", *way, *more])


def _case(name: str, model: str, **defines: int) -> ThreadsCase:
    return ThreadsCase(name, f"{model}.pml", tuple(defines.items()))


SCALE = (
    ThreadsCase(
        "ring-8", "ring_election.pml", (("N", 8),), counts=(16, 8, 4), ceilings=(16,)
    ),
    ThreadsCase(
        "directory-6-default", "directory_cache.pml", (("N", 6), ("Q", 4)), "auto", True,
        counts=(16, 4), ceilings=(16,),
    ),
    ThreadsCase("directory-5-static", "directory_cache.pml", (("N", 5),), "static", ceilings=SOME),
    _case("ring-7", "ring_election", N=7),
    ThreadsCase("szymanski-3", "szymanski.pml", (("N", 3), ("R", 3)), ceilings=SOME),
    ThreadsCase("ring-7-levels", "ring_election.pml", (("N", 7),), shortest=True, ceilings=SOME),
    _case("directory-5", "directory_cache", N=5, Q=3),
    _case("peterson-5", "peterson", N=5),
)  # fmt: skip

# Formulas that hold. The automata: no cycle that is come to; a weak component; a mixed one.
LTL = (
    ThreadsCase(
        "directory-5-until", "directory_cache.pml", (("N", 5), ("Q", 3)), ceilings=(1,),
        formula="[] (writers > 0 -> (readers == 0 W writers == 0))",
    ),
    ThreadsCase(
        "buffer-weak", "bounded_buffer.pml", (("P", 3), ("C", 3), ("V", 2)), ceilings=(1,),
        formula="[]<> (lock == 1)",
    ),
    ThreadsCase(
        "buffer-mixed", "bounded_buffer.pml", (("P", 3), ("C", 3), ("V", 2)), ceilings=(1,),
        formula="([]<> (places == 0)) -> ([]<> (lock == 1))",
    ),
)  # fmt: skip

# The number of states of szymanski.pml with N=3 is a polynomial in R, of degree 3. What searches
# with R from 1 to 4 found makes it 8 for R=0; with N=2 (degree 2, checked up to R=7) it is 4 there.
BILLION = (
    ThreadsCase(
        "szymanski-3-10", "szymanski.pml", (("N", 3), ("R", 10)), states=1_216_744_108
    ),
    ThreadsCase(
        "szymanski-3-10-levels", "szymanski.pml", (("N", 3), ("R", 10)), shortest=True,
        states=1_216_744_108,
    ),
)  # fmt: skip

BESIDE = (
    (_case("ring-7", "ring_election", N=7), 18_793_775),
    (_case("directory-5", "directory_cache", N=5, Q=3), 10_230_622),
    (_case("szymanski-3-2", "szymanski", N=3, R=2), 9_976_860),
    (_case("peterson-5", "peterson", N=5), 1_742_885),
    (ThreadsCase("directory-5-default", "directory_cache.pml", (("N", 5),), "auto", True), 1 << 23),
    (_case("broken", "clients_servers", N=3, BROKEN=1), 1 << 22),
)


@dataclass(frozen=True, slots=True)
class Way:
    """A search beside Spin's. CORES in it is how many cores are to be used."""

    label: str
    tool: str
    cores: int  # which it is compiled for; 0: any number
    command: list[str]


def prepare(folder: Path, only: Sequence[str], cores: Sequence[int], memory_mb: int) -> None:
    """Leaves the verifiers of all cases in a folder, and pans for so many cores."""
    folder.mkdir(parents=True, exist_ok=True)
    made = {
        "scale": [verifiers(folder, case) for case in SCALE if not only or case.name in only],
        "ltl": [verifiers(folder, case) for case in LTL if not only or case.name in only],
        "billion": [],
        "spin": [],
    }
    if cores:
        made["billion"] = [verifiers(folder, case, ("many",)) for case in BILLION]
        made["spin"] = [
            _beside(folder, case, states, cores, memory_mb)
            for case, states in BESIDE
            if not only or case.name in only
        ]
    (folder / LIST).write_text(json.dumps(made, indent=1), encoding="utf-8")


def verifiers(folder: Path, case: ThreadsCase, kinds: Sequence[str] = ("one", "many")) -> Row:
    """Verifiers: for one thread, and for several."""
    compiler = find_compiler()
    assert compiler is not None, "there is no C compiler"
    formulas = [case.formula] if case.formula else []
    program = whorl.load(OURS / case.model, defines=dict(case.defines), ltl=formulas).program
    claims = [ltl_claim(program.formulas[-1])] if case.formula else []
    semantics = reference_semantics(program)
    asked = SimpleNamespace(**{option.name: option.default for option in CHECK})
    asked.por, asked.shortest, asked.merge = case.por, case.shortest, case.merge
    task = tasks_of(semantics, WantedSearches(not claims, tuple(claims)), asked)[0]
    job, room = job_of(task), estimate(semantics)
    found: Row = {**asdict(case), "label": case.label}
    for kind in kinds:
        written = write(semantics, job if kind == "one" else threaded_job(job), room)
        text = written.text if kind == "one" else threaded(written.text)
        words = arguments(task, written.store)
        at = words.index("--memory")
        del words[at : at + 2]  # of this machine
        found.setdefault("words", words)
        if words != found["words"]:
            found["words_many"] = words
        name = found[kind] = f"{case.name}-{kind}"
        source = folder / f"{name}.c"
        if (folder / name).exists():  # it is compared with Spin, too
            continue
        source.write_text(text, encoding="utf-8")
        command = compiler.arguments(source, folder / name, added=THREADS if kind == "many" else ())
        subprocess.run([*command, "-static", "-s"], check=True)
        source.unlink()
    return found


def _pan(folder: Path, case: ThreadsCase, name: str, flags: Sequence[str]) -> str:
    """A pan, linked statically."""
    work = folder / f"{case.name}-{name}-work"
    work.mkdir()
    text = Case(case.name, OURS / case.model, 0, dict(case.defines)).text()
    (work / "model.pml").write_text(text, encoding="utf-8")
    reduce = [] if case.por == "auto" else ["-DNOREDUCE"]
    for command in (
        ["spin", *(() if case.merge else UNMERGED), "-a", "model.pml"],
        [
            "cc", "-O2", "-w", "-static", "-s", "-DSAFETY", "-DNOCLAIM", *reduce, *flags,
            "-o", "pan", "pan.c", "-lpthread",
        ],
    ):  # fmt: skip
        ran = subprocess.run(command, cwd=work, capture_output=True, text=True, check=False)
        if ran.returncode != 0:
            raise SpinFailed(f"{' '.join(command)}\n{ran.stdout}{ran.stderr}")
    (work / "pan").rename(folder / f"{case.name}-{name}")
    shutil.rmtree(work)
    return f"{case.name}-{name}"


def _beside(
    folder: Path, case: ThreadsCase, states: int, cores: Sequence[int], memory_mb: int
) -> Row:
    """What is compared with Spin's searches."""
    verifier = verifiers(folder, case)
    one = [str(verifier["one"]), *verifier["words"]]
    many = [str(verifier["many"]), *verifier["words"], "--threads", "CORES"]
    levels = ["bfs" if word == "dfs" else word for word in many]
    memory = f"-DMEMLIM={memory_mb}"
    words = ["-m1000000", f"-w{max(18, math.ceil(math.log2(states)))}", "-n"]
    ways = [
        Way("whorl", "whorl", 1, one),
        Way("whorl --threads CORES", "whorl", 0, many),
        Way("whorl --threads CORES, levels", "whorl", 0, levels),
        Way("Spin", "spin", 1, [_pan(folder, case, "pan", [memory]), *words]),
    ]
    for count in cores:
        for label, flag in (("", []), (" -DSEP_STATE", ["-DSEP_STATE"])):
            name = f"pan-{count}{'-separate' if flag else ''}"
            made = _pan(folder, case, name, [memory, f"-DNCORE={count}", *flag])
            ways.append(Way(f"Spin -DNCORE={count}{label}", "spin", count, [made, *words]))
    for label, name, flags in (
        ("Spin -DBFS_PAR", "pan-levels", ["-DBFS_PAR"]),
        ("Spin -DBFS_PAR -DNO_HC", "pan-levels-exact", ["-DBFS_PAR", "-DNO_HC"]),
    ):
        made = _pan(folder, case, name, [memory, *flags])
        ways.append(Way(label, "spin", 0, [made, "-uCORES", *words]))
    return verifier | {"ways": [asdict(way) for way in ways]}
