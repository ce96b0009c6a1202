"""The numbers of processes and channels fit a byte."""

from __future__ import annotations

from whorl.language.limits import MOST_CHANNELS, MOST_PROCESSES
from whorl.language.types import TypeKind, basic


def test_the_largest_number_of_each_is_kept() -> None:
    pid, channel = basic(TypeKind.BYTE), basic(TypeKind.CHAN)
    assert pid.truncate(MOST_PROCESSES - 1) == MOST_PROCESSES - 1
    # Channels count from 1, and 0 is none of them.
    assert channel.truncate(MOST_CHANNELS) == MOST_CHANNELS
    assert channel.truncate(MOST_CHANNELS + 1) == 0
