"""Diagrams of a model: its process automata, its state space, and what a reduction leaves of it."""
