"""Measurements, one module a table; each is run with `python -m`."""
