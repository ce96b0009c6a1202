"""A search on several machines: its states are given out to workers by their hash."""
