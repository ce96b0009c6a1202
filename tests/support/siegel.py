"""Siegel's Figure 2 as a model: two processes, and a never claim that is his B1."""

from __future__ import annotations

PROCESSES = """
bit p = 0;
active proctype p0() { p=1 }
active proctype p1() { bit x=0; do :: x=0 od }
"""
FIGURE_2 = f"""{PROCESSES}
never {{
  B0: do :: !p :: !p -> break od
  accept_B1: do :: p od
}}
"""
