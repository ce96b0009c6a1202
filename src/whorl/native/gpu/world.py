"""What kernels are handed and what they say, as runtime/gpu/world.h has it: words of 64 bits."""

from __future__ import annotations

import struct
from dataclasses import dataclass, fields

FURTHER = 64  # WHORL_WHOLE_FURTHER


@dataclass(slots=True)
class World:
    """whorl_world. The fields of one name are explained there."""

    states: int = 0
    table: int = 0
    holes: int = 0
    capacity: int = 0
    mask: int = 0
    older: int = 0
    begin: int = 0  # from
    end: int = 0  # to
    list: int = 0
    later: int = 0
    later_room: int = 0
    tally: int = 0
    counts: int = 0
    failed: int = 0
    reached: int = 0
    scratch: int = 0
    room: int = 0
    memo: int = 0
    target: int = 0
    told: int = 0
    told_room: int = 0
    met: int = 0
    colours: int = 0
    queue: int = 0
    bit: int = 0

    def packed(self) -> bytes:
        return _packed(self)


@dataclass(slots=True)
class LaunchTally:
    """whorl_tally."""

    taken: int = 0
    holes: int = 0
    transitions: int = 0
    later: int = 0
    full: int = 0
    endless: int = 0
    failed: int = 0
    least: int = 0
    queued: int = 0
    left: int = 0
    other: int = 0
    strange: int = 0

    def packed(self) -> bytes:
        return _packed(self)

    @classmethod
    def unpacked(cls, data: bytes) -> LaunchTally:
        return cls(*struct.unpack(f"<{len(data) // 8}Q", data))


def _packed(record: World | LaunchTally) -> bytes:
    values = [getattr(record, field.name) for field in fields(record)]
    return struct.pack(f"<{len(values)}Q", *values)


WORLD_BYTES = len(World().packed())
TALLY_BYTES = len(LaunchTally().packed())


def room_bytes(words: int, room: int) -> int:
    """WHORL_ROOM_BYTES: the room of a thread for so many steps, to states of so many words."""
    return (room + 1) * (8 * words + 32) + 8 * FURTHER
