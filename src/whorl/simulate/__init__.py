"""Simulation: one run of a program, step by step."""
