"""Partial-order reduction: what commutes with what, every scheme by name, and the audit."""
