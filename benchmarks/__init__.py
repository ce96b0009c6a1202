"""Measurements, one module a table; each is run with `python -m`."""

import os
from collections.abc import Callable


def run_as_command(main: Callable[[], None]) -> None:
    """Runs a module of this package as a command.

    What is measured is a search, so its verifier is optimised from the start. How `whorl check`
    begins by itself is measured by the module `small`. Whoever only imports a module has the
    compiler that he had: the tests have one that compiles quickly, with assertions.
    """
    os.environ.setdefault("WHORL_CC", "cc -O2")
    main()
