"""`python -m whorl`, and the command `whorl`."""

from __future__ import annotations

import gc
import signal
import sys

INTERRUPTED = 3  # inconclusive
CRASHED = 4  # an exception that Python shows has the status 1, which is that of a violation


def main() -> int:
    """Runs the command line, whose modules take a moment to load: a Ctrl-C may come even then."""
    _end_like_ctrl_c()
    try:
        gc.disable()  # what is loaded stays: looking for rubbish among it takes a sixth of the time
        from whorl.cli import main as run
        from whorl.cli.terminal import occupy_descriptors

        occupy_descriptors()
        return run()
    except KeyboardInterrupt:
        _say("whorl: interrupted")
        return INTERRUPTED
    except Exception:
        import traceback

        _say(f"whorl: internal error\n{traceback.format_exc()}")
        return CRASHED


def _say(text: str) -> None:
    from whorl.cli.terminal import OutputStream

    output = OutputStream(sys.stderr)
    output.line(text)
    output.flush()


def _end_like_ctrl_c() -> None:
    """A request to end is answered as a Ctrl-C is: with the figures so far, and without children.

    One that whoever started us wants ignored, as `nohup` does, is ignored.
    """
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, signal.default_int_handler)


if __name__ == "__main__":
    sys.exit(main())
