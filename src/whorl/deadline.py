"""One deadline for a whole command: every phase of it ends in time, whatever it does.

A phase of Python code need not look at a clock. A thread waits for the deadline and then raises
TimeUp in the thread that works, as a Ctrl-C would; but only inside of a phase, and never after it.
Phases that wait for another process look at `left` themselves.
"""

from __future__ import annotations

import os
import select
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

AGAIN = 1.0  # seconds after which TimeUp is raised again, if somebody has swallowed it
LONGEST = min(1e8, threading.TIMEOUT_MAX)  # seconds: three years, or what a thread can wait
LONGEST_POLL = 86_400.0  # seconds at a time: poll takes no more than 24 days


class TimeUp(BaseException):
    """The time limit was reached; the text says in which phase. Not for `except Exception`."""

    def __str__(self) -> str:
        deadline = None if self.args else _current.get()  # raised by the thread that waits
        return super().__str__() if deadline is None else str(deadline)


class Deadline:
    """When a command has to end, and what it is doing."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.ends = time.monotonic() + seconds
        self.phase = ""
        self._lock = threading.Lock()
        self._armed = False  # whether TimeUp may be raised
        self._over = threading.Event()
        self._worker = threading.get_ident()
        self._start_waiting()

    def _start_waiting(self) -> None:
        try:
            import ctypes  # noqa: F401 (loaded here, for it takes time and most commands need none)

            threading.Thread(target=self._wait, daemon=True, name="whorl deadline").start()
        except (ImportError, RuntimeError):
            if sys.platform != "emscripten":
                raise
            # A browser has no threads: only phases that look at the clock themselves are ended.

    @property
    def left(self) -> float:
        return self.ends - time.monotonic()

    def __str__(self) -> str:
        while_doing = f" while {self.phase}" if self.phase else ""
        return f"the time limit of {self.seconds:g} s was reached{while_doing}"

    @property
    def armed(self) -> bool:
        return self._armed

    def arm(self) -> None:
        self._armed = True

    def disarm(self) -> None:
        """From here on TimeUp is not raised; one that is still under way ends here.

        It is not taken back, which Python allows: the interpreter would look for it for ever.
        """
        while True:
            try:
                with self._lock:
                    self._armed = False
                for _ in range(8):  # where Python looks for what another thread has raised
                    pass
                return
            except TimeUp:
                continue

    def end(self) -> None:
        self._over.set()

    def _wait(self) -> None:
        if self._over.wait(max(self.left, 0)):
            return
        pause = 0.0
        while not self._over.wait(pause):
            with self._lock:
                due = self._armed and self.left <= 0
                pause = AGAIN if due else 0.01
                if due:
                    _raise_in(self._worker, TimeUp)


_current: ContextVar[Deadline | None] = ContextVar("whorl_deadline", default=None)


@contextmanager
def within(seconds: float | None) -> Iterator[None]:
    """Around a command: it has so many seconds, or what is left to the command that it is part of.

    The time does not pass for nothing: only phases are ended, and each says so by TimeUp.
    """
    outer = _current.get()
    if seconds is None or (outer is not None and outer.left <= seconds):
        yield
        return
    deadline = Deadline(seconds)
    token = _current.set(deadline)
    try:
        yield
    finally:
        deadline.end()
        _current.reset(token)


@contextmanager
def phase(doing: str, *, watches: bool = False, grace: float = 0.0) -> Iterator[None]:
    """Around a phase of a command: TimeUp when its time is over, which says what it was `doing`.

    One that `watches` the clock itself is not disturbed. `grace` are seconds beyond the limit.
    """
    deadline = _current.get()
    if deadline is None:
        yield
        return
    before, deadline.phase = (deadline.phase, deadline.armed), doing
    deadline.ends += grace
    try:
        check()
        deadline.disarm() if watches else deadline.arm()
        try:
            yield
        finally:
            deadline.disarm()
    except TimeUp:
        raise TimeUp(str(deadline)) from None
    finally:
        deadline.ends -= grace
    deadline.phase, was_armed = before
    if was_armed:
        deadline.arm()


def left() -> float | None:
    """The seconds that are left to the command; None if it has no limit."""
    deadline = _current.get()
    return None if deadline is None else max(deadline.left, 0.0)


def check() -> None:
    """TimeUp if the time of the command is over."""
    deadline = _current.get()
    if deadline is not None and deadline.left <= 0:
        raise TimeUp(str(deadline))


def caught() -> str:
    """What to say of a TimeUp that was caught inside of its phase; none is raised again."""
    deadline = _current.get()
    if deadline is None:
        return "the time limit was reached"
    deadline.disarm()
    return str(deadline)


def wait(process: subprocess.Popen[bytes]) -> int:
    """Waits for a process to end; TimeUp if that takes too long."""
    deadline = _current.get()
    if deadline is None:
        return process.wait()
    try:
        handle = os.pidfd_open(process.pid)
    except (AttributeError, OSError):  # not on this system: look again and again
        try:
            return process.wait(max(deadline.left, 0))
        except subprocess.TimeoutExpired:
            raise TimeUp(str(deadline)) from None
    try:
        poll = select.poll()
        poll.register(handle, select.POLLIN)
        while not (ready := poll.poll(min(max(deadline.left, 0), LONGEST_POLL) * 1000)):
            if deadline.left <= 0:
                break
    finally:
        os.close(handle)
    if not ready:
        raise TimeUp(str(deadline))
    return process.wait()


def _raise_in(thread: int, raised: type[BaseException]) -> None:
    """Raises an exception in a thread, as soon as it runs Python code."""
    import ctypes

    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(raised))
