"""The audit: whether the graph that a search stored has lost anything of the full one.

`traces` decides it, and knows nothing of programs, reductions or searches. `full` makes the full
graph with the reference semantics, `stored` reads what a search stored, in any configuration of
either engine, and `judge` puts them together for a model and a property.
"""
