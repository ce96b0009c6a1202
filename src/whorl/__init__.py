"""whorl: an on-the-fly model checker for Promela.

`load` reads a model, `check` checks it; both are described in `whorl.api`.
"""

from __future__ import annotations

from whorl.api import Model, check, load
from whorl.diagnostics import Diagnostic, WhorlError
from whorl.trace.trace import Trace, TraceStep
from whorl.verdict import Property, Result, Statistics

__version__ = "0.1.0"

__all__ = [
    "Diagnostic",
    "Model",
    "Property",
    "Result",
    "Statistics",
    "Trace",
    "TraceStep",
    "WhorlError",
    "__version__",
    "check",
    "load",
]
