"""Planted wrong lines, one at a time, and whether the fast tests notice (docs/mutants.md).

`python -m mutants` (in tests/) plants them; `make mutants` does it for all.
"""
