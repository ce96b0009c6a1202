"""`python -m whorl`, and the command `whorl`."""

from __future__ import annotations

import gc
import signal
import sys
from types import FrameType

INTERRUPTED = 3  # inconclusive
CRASHED = 4  # an exception that Python shows has the status 1, which is that of a violation


class Interrupted(KeyboardInterrupt):
    """A Ctrl-C by another name.

    Where a plain KeyboardInterrupt passes through `exec`, as it may while classes are made, Python
    ends by the signal in the end, whatever status it was told to have.
    """


class Requests:
    """Requests to end: they are answered as a Ctrl-C is, with the figures so far, without children.

    One that whoever started us wants ignored, as `nohup` does, is ignored. `come`: whether there
    was one. What it has raised may have been made into something else: Python does so while it
    loads a module.
    """

    def __init__(self) -> None:
        self.come = False
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
                signal.signal(number, self._answer)

    def _answer(self, _number: int, _frame: FrameType | None) -> None:
        self.come = True
        raise Interrupted


def main() -> int:
    """Runs the command line, whose modules take a moment to load: a Ctrl-C may come even then."""
    requests = Requests()
    try:
        gc.disable()  # what is loaded stays: looking for rubbish among it takes a sixth of the time
        from whorl.cli import main as run
        from whorl.cli.terminal import occupy_descriptors

        occupy_descriptors()
        return run(is_to_end=lambda: requests.come)
    except (KeyboardInterrupt, Exception) as error:
        if requests.come or isinstance(error, KeyboardInterrupt):
            _say("whorl: interrupted")
            return INTERRUPTED
        import traceback

        _say(f"whorl: internal error\n{traceback.format_exc()}")
        return CRASHED


def _say(text: str) -> None:
    from whorl.cli.terminal import OutputStream

    output = OutputStream(sys.stderr)
    output.line(text)
    output.flush()


if __name__ == "__main__":
    sys.exit(main())
