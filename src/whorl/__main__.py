"""`python -m whorl`, and the command `whorl`."""

from __future__ import annotations

import gc
import sys

INTERRUPTED = 3  # inconclusive


def main() -> int:
    """Runs the command line, whose modules take a moment to load: a Ctrl-C may come even then."""
    try:
        gc.disable()  # what is loaded stays: looking for rubbish among it takes a sixth of the time
        from whorl.cli import main as run

        return run()
    except KeyboardInterrupt:
        print("whorl: interrupted", file=sys.stderr)
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
