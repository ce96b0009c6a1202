"""Exploring: walks the state space of a program on a local page, for `whorl explore`."""
