"""whorl: an on-the-fly model checker for Promela.

`load` reads a model, `check` checks it; both are described in `whorl.api`. `swarm` looks for
violations in one that is too large for that.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from whorl.api import Model, check, load
    from whorl.diagnostics import Diagnostic, WhorlError
    from whorl.graphs import Picture, graph
    from whorl.swarming import swarm
    from whorl.trace.trace import Trace, TraceStep
    from whorl.verdict import Property, Result, Statistics

__version__ = "0.1.0"

__all__ = [
    "Diagnostic",
    "Model",
    "Picture",
    "Property",
    "Result",
    "Statistics",
    "Trace",
    "TraceStep",
    "WhorlError",
    "__version__",
    "check",
    "graph",
    "load",
    "swarm",
]

# Loaded when first asked for, so that the command `whorl` is there to hear a Ctrl-C before most of
# the package is.
_HOMES = {
    "whorl.api": ("Model", "check", "load"),
    "whorl.diagnostics": ("Diagnostic", "WhorlError"),
    "whorl.graphs": ("Picture", "graph"),
    "whorl.swarming": ("swarm",),
    "whorl.trace.trace": ("Trace", "TraceStep"),
    "whorl.verdict": ("Property", "Result", "Statistics"),
}


def __getattr__(name: str) -> object:
    for home, names in _HOMES.items():
        if name in names:
            value: object = getattr(importlib.import_module(home), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module 'whorl' has no attribute '{name}'")
