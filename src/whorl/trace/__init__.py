"""Counterexamples: replayed, then shown."""
