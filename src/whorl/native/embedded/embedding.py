"""Lets the C of a model run: compiles it, learns how much it keeps, and runs it for Python.

The reference semantics does not run C in its own process, where a crash would take everything down:
it asks a helper process, which a pipe connects it with (runtime/model/fragments.h). Each Semantics
has a helper of its own, so that every replay begins with C data as it is at the start.
"""

from __future__ import annotations

import contextlib
import hashlib
import re
import signal
import struct
import subprocess
import threading
import weakref
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

from whorl import deadline
from whorl.diagnostics import Diagnostic, Span, WhorlError
from whorl.language.types import Basic, TypeKind, basic
from whorl.native.compiler import QUICK, Builder, Compiler, CompilerError, preprocessed
from whorl.native.embedded.foreign import PLACE, PROTOTYPES, c_part, sources
from whorl.native.verifier import scratch
from whorl.program.embedded import Answer, Completion, Embedded, Exchange, Runner
from whorl.program.program import Initial, InitialByte, Program, VariableInfo

_COMPLAINT = re.compile(
    rf"^{re.escape(PLACE)}(\d+):(\d+):(?:\d+:)? (?:fatal )?error: (.*)$", re.MULTILINE
)
_QUOTED_INCLUDE = re.compile(r"#\s*include\s*[^\s<]")
MOST_BYTES = 32_768  # of C data
_BYTE = basic(TypeKind.BYTE)
_NUMBER = struct.Struct("=i")


def refuse_embedded(program: Program) -> None:
    """WhorlError if the program has C that nobody allowed to run."""
    if program.embedded is not None and program.embedded.completion is None:
        raise WhorlError.at(
            program.embedded.span,
            "this model has embedded C, which runs only if you allow it",
            "--allow-embedded-c runs it; it is code that came with the model, and may do on this"
            " machine whatever you may",
        )


def allow_embedded(program: Program, compiler: Compiler | None) -> Program:
    """The program with its C ready to run; WhorlError if that C does not compile or start."""
    embedded = program.embedded
    if embedded is None or embedded.completion is not None:
        return program
    if compiler is None:
        raise WhorlError.at(
            embedded.span,
            "embedded C needs a C compiler, and there is none",
            "install one, or pip install whorl[zig]",
        )
    text = foreign_text(program, embedded, compiler)
    whole = "\n".join(
        ['#include "model/foreign.h"', PROTOTYPES, text, '#include "model/fragments.h"', ""]
    )
    builder = Builder(compiler, embedded.folders)
    types = len(program.processes)

    def helper() -> Helper:
        try:
            return Helper(builder.build(whole, QUICK), embedded, types)
        except CompilerError as error:
            raise refused(embedded, error) from None

    sizes = helper().sizes
    if sum(sizes) > MOST_BYTES:
        raise WhorlError.at(
            embedded.span,
            f"C data of {sum(sizes):,} bytes is too large for a state: at most {MOST_BYTES:,}",
        )
    return _completed(program, embedded, text, helper, sizes)


def _completed(
    program: Program,
    embedded: Embedded,
    text: str,
    start: Callable[[], Runner],
    sizes: tuple[int, ...],
) -> Program:
    """The program with slots for the bytes of its C data."""
    block, *locals_, unmatched = sizes
    processes = []
    position = block
    for process, size in zip(program.processes, locals_, strict=True):
        slot = len(process.slots)
        processes.append(
            replace(
                process,
                slots=(*process.slots, *_bytes(size)),
                variables=(*process.variables, *_block(slot, size)),
                initials=(*process.initials, *_initials(slot, position, size)),
            )
        )
        position += size
    completion = Completion(
        start,
        text,
        len(program.slots),
        block,
        tuple(len(process.slots) for process in program.processes),
        tuple(locals_),
        unmatched,
    )
    return replace(
        program,
        processes=tuple(processes),
        slots=(*program.slots, *_bytes(block)),
        variables=(*program.variables, *_block(len(program.slots), block)),
        initials=(*program.initials, *_initials(len(program.slots), 0, block)),
        embedded=replace(embedded, completion=completion),
    )


def _bytes(size: int) -> tuple[Basic, ...]:
    return (_BYTE,) * size


def _block(slot: int, size: int) -> tuple[VariableInfo, ...]:
    if not size:
        return ()
    parts = tuple((f"C data[{i}]", _BYTE) for i in range(size))
    return (VariableInfo("C data", slot, size, _BYTE, size, parts, foreign=True),)


def _initials(slot: int, position: int, size: int) -> tuple[Initial, ...]:
    return tuple(Initial(slot + i, InitialByte(position + i)) for i in range(size))


# --- compiling -----------------------------------------------------------------------------------


def foreign_text(program: Program, embedded: Embedded, compiler: Compiler) -> str:
    """The C part of a program, marked with what it includes: a change there makes it anew."""
    text = c_part(program, embedded)
    if not _QUOTED_INCLUDE.search(text):
        return text
    expanded = preprocessed(text, compiler, embedded.folders)
    return f"/* what is included: {hashlib.sha256(expanded).hexdigest()} */\n{text}"


def refused(embedded: Embedded, error: CompilerError) -> WhorlError:
    """What the compiler says of text with the C of a model in it: what is wrong is the user's."""
    complaint = _COMPLAINT.search(error.said)
    if complaint is None:
        return WhorlError.at(
            embedded.span,
            "the C in this model does not compile",
            f"the compiler says: {str(error)[:1000]}",
        )
    number, line, message = int(complaint[1]), int(complaint[2]), complaint[3]
    span = _place(embedded, sources(embedded)[number], line)
    return WhorlError.at(span, f"the C compiler says: {message}")


def _place(embedded: Embedded, name: str, line: int) -> Span:
    """A line of one of the sources that embedded C comes from."""
    spans = [text.span for text in embedded.texts()]
    spans += [kept.span for kept in (*embedded.hidden, *embedded.matched, *embedded.unmatched)]
    source = next(span.source for span in spans if span.source.name == name)
    lines = source.text.split("\n")
    line = min(line, len(lines))
    start = sum(len(text) + 1 for text in lines[: line - 1])
    text = lines[line - 1]
    return Span(source, start + len(text) - len(text.lstrip()), start + len(text.rstrip()))


# --- running -------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Ends:
    """The ends of the pipes to a helper."""

    ask: IO[bytes]
    answer: IO[bytes]
    errors: IO[bytes]


class Helper:
    """A helper process; it goes with the object. It is the Runner of foreign.py's text."""

    def __init__(self, helper: Path, embedded: Embedded, types: int) -> None:
        self.embedded = embedded
        errors = scratch()
        self.process = subprocess.Popen(
            [str(helper)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            start_new_session=True,  # Ctrl-C is for us
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.ends = _Ends(self.process.stdin, self.process.stdout, errors)
        self.late = _killed_in_time(self.process)
        weakref.finalize(self, _stop, self.process, self.ends, self.late)
        self.sizes: tuple[int, ...] = struct.unpack(
            f"={types + 2}I", self._read(4 * (types + 2), embedded.span)
        )
        self.initial = self._read(sum(self.sizes), embedded.span)

    def run(self, fragment: int, pid: int, running: int, before: Exchange) -> Answer:
        code = self.embedded.fragments[fragment]
        kind = -1 if code.process is None else code.process
        numbers = (fragment, kind, pid, running, *before.globals, *before.locals)
        head = struct.pack(f"={len(numbers)}i", *numbers)
        message = head + before.block + before.local_block + before.unmatched
        with contextlib.suppress(BrokenPipeError):  # reading tells why
            self.ends.ask.write(message)
            self.ends.ask.flush()
        holds, value, printed = struct.unpack("=3i", self._read(12, code.span))
        after = Exchange(
            self._numbers(len(before.globals), code.span),
            self._numbers(len(before.locals), code.span),
            self._read(len(before.block), code.span),
            self._read(len(before.local_block), code.span),
            self._read(len(before.unmatched), code.span),
        )
        output = self._read(printed, code.span).decode("utf-8", "replace")
        return Answer(bool(holds), value, after, output)

    def _numbers(self, count: int, span: Span) -> list[int]:
        return list(struct.unpack(f"={count}i", self._read(_NUMBER.size * count, span)))

    def _read(self, count: int, span: Span) -> bytes:
        data = self.ends.answer.read(count) if count else b""
        if len(data) == count:
            return data
        code = self.process.wait()
        deadline.check()
        self.ends.errors.seek(0)
        raise crashed(span, code, self.ends.errors.read().decode("utf-8", "replace"))


def crashed(span: Span, code: int, said: str) -> WhorlError:
    """The C of a model ended the process that ran it: no verdict, and no fault of ours."""
    how = f"exits with status {code}"
    if code < 0:
        with contextlib.suppress(ValueError):
            how = f"crashes ({signal.Signals(-code).name})"
    last = said.strip().splitlines()[-1:]
    return WhorlError(
        Diagnostic("error", f"the C of this model {how}", span, *[f"it says: {t}" for t in last])
    )


def _killed_in_time(process: subprocess.Popen[bytes]) -> threading.Timer | None:
    """Kills a process when the time of the command is over, as C may go on for ever."""
    left = deadline.left()
    if left is None:
        return None
    timer = threading.Timer(left, process.kill)
    timer.daemon = True
    timer.start()
    return timer


def _stop(process: subprocess.Popen[bytes], ends: _Ends, late: threading.Timer | None) -> None:
    if late is not None:
        late.cancel()
    for end in (ends.ask, ends.answer, ends.errors):
        with contextlib.suppress(OSError):
            end.close()
    if process.poll() is None:
        process.kill()
    process.wait()
