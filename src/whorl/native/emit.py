"""Leaves the generated C where a person can read it, with the command that builds it."""

from __future__ import annotations

import shlex
from pathlib import Path

from whorl.diagnostics import Diagnostic, WhorlError
from whorl.files import write_file
from whorl.native.code.generate import generate
from whorl.native.compiler import FLAGS, OPTIMISED, RUNTIME, find_compiler
from whorl.native.job import job_of
from whorl.program.walks import estimate
from whorl.task import Task


def emit(task: Task, folder: Path) -> str:
    """Writes the model's C and the runtime to `folder`; the command that builds a verifier."""
    job = job_of(task)
    processes, channels = estimate(task.semantics)
    generated = generate(
        task.semantics,
        processes_most=processes,
        channels_most=channels,
        merge=job.merge,
        drop_dead=job.drop_dead,
        search=job.search,
        selection=job.selection,
    )
    try:
        (folder / "runtime").mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = error.strerror or str(error)
        raise WhorlError(Diagnostic("error", f"cannot write to '{folder}': {reason}")) from None
    for header in sorted(RUNTIME.rglob("*.h")):
        copied = folder / "runtime" / header.relative_to(RUNTIME)
        copied.parent.mkdir(parents=True, exist_ok=True)
        write_file(copied, header.read_text(encoding="utf-8"))
    write_file(folder / "model.c", generated.text)
    compiler = find_compiler()
    command, added = (("cc",), ()) if compiler is None else (compiler.command, compiler.added)
    program = task.program
    folders = () if program.embedded is None else program.embedded.folders
    looked = [word for include in folders for word in ("-I", str(include.absolute()))]
    words = [*command, *FLAGS, OPTIMISED, "-I", "runtime", *looked, "-o", "verifier", "model.c"]
    words += added
    return f"cd {shlex.quote(str(folder))} && {shlex.join(words)} && ./verifier"
