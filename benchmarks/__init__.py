"""Measurements, one module a table; each is run with `python -m`."""

import os

# What is measured is a search, so its verifier is optimised from the start. How `whorl check`
# begins by itself is measured by the module `small`.
os.environ.setdefault("WHORL_CC", "cc -O2")
