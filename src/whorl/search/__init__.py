"""The reference search algorithms."""
