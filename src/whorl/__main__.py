"""`python -m whorl`: the same as the command `whorl`."""

from __future__ import annotations

import sys

from whorl.cli import main

if __name__ == "__main__":
    sys.exit(main())
