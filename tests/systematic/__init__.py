"""Systematic small programs: every ordered pair of statement forms, in every position.

`programs` has the whole set and the fast selection, `unions` puts many of them into one model, and
`coverage` counts what a list of them meets.
"""
