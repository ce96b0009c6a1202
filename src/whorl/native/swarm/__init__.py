"""A swarm: many bitstate searches that differ, until one finds a violation.

After Holzmann, Joshi and Groce, "Swarm verification techniques" (2011). `listed.py` says which
searches there are, `local.py` runs them on this machine's cores, `hunt.py` gives them out and
ends them, and `sample.py` reckons how much they have seen together. Nothing but `local.py` knows
where a search runs.
"""
