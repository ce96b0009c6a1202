"""The command line: `whorl check`, `whorl simulate`, `whorl parse`."""

from whorl.cli.main import main

__all__ = ["main"]
