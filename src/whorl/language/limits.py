"""How many processes and channels a state may have: a pid, as a channel, is a byte."""

from __future__ import annotations

MOST_PROCESSES = 255
MOST_CHANNELS = 255
