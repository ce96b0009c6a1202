"""Profiles: which features of Promela a random program may use."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Profile:
    """Which features a program may use, and how large it may become."""

    globals: int = 3
    processes: int = 3
    statements: int = 12
    """Statements of all proctypes together, nested ones counted, about."""
    depth: int = 2
    wide: bool = True
    mtypes: bool = False
    arrays: bool = False
    structs: bool = False
    rendezvous: bool = False
    buffered: bool = False
    random_receive: bool = False
    """Sorted send, random receive, copying receive."""
    polls: bool = False
    channel_arrays: bool = False
    local_channels: bool = False
    channel_passing: bool = False
    """Channels as parameters, in messages, and in variables that alias them."""
    dubious_else: bool = False
    """`else` beside i/o: Spin prints "dubious use of 'else'", and goes on."""
    nested: bool = False
    """Options that begin with loops, selections and atomic sequences, more often than not."""
    loops: bool = True
    counted_loops: bool = False
    jumps: bool = False
    timeout: bool = False
    atomic: bool = False
    d_step: bool = False
    unless: bool = False
    run: bool = False
    parameters: bool = False
    provided: bool = False
    priority: bool = False
    enabled: bool = False
    remote: bool = False
    last: bool = False
    inlines: bool = False
    inner_declarations: bool = False

    def __post_init__(self) -> None:
        assert not (self.rendezvous and (self.priority or self.enabled)), "Spin refuses this"

    @property
    def channels(self) -> bool:
        return self.rendezvous or self.buffered


PROFILES: dict[str, Profile] = {
    "core": Profile(jumps=True, inner_declarations=True, timeout=True, depth=3),
    "nested": Profile(nested=True, processes=2, depth=3, atomic=True, jumps=True),
    "types": Profile(
        globals=4,
        statements=9,
        processes=2,
        mtypes=True,
        arrays=True,
        structs=True,
        counted_loops=True,
        inner_declarations=True,
        inlines=True,
        buffered=True,
    ),
    "atomic": Profile(
        atomic=True,
        jumps=True,
        rendezvous=True,
        buffered=True,
        counted_loops=True,
        depth=3,
    ),
    "rendezvous": Profile(
        rendezvous=True,
        mtypes=True,
        atomic=True,
        channel_arrays=True,
        channel_passing=True,
        parameters=True,
        run=True,
        timeout=True,
    ),
    "buffered": Profile(
        buffered=True,
        mtypes=True,
        random_receive=True,
        polls=True,
        channel_arrays=True,
        local_channels=True,
        processes=2,
    ),
    "channels": Profile(
        rendezvous=True,
        buffered=True,
        random_receive=True,
        polls=True,
        channel_arrays=True,
        local_channels=True,
        channel_passing=True,
        run=True,
        parameters=True,
    ),
    "dubious": Profile(
        rendezvous=True,
        buffered=True,
        dubious_else=True,
        atomic=True,
        d_step=True,
        random_receive=True,
        polls=True,
    ),
    "dstep": Profile(
        d_step=True,
        atomic=True,
        jumps=True,
        buffered=True,
        rendezvous=True,
        counted_loops=True,
        arrays=True,
        inlines=True,
        depth=3,
    ),
    "unless": Profile(
        unless=True,
        atomic=True,
        d_step=True,
        buffered=True,
        rendezvous=True,
        jumps=True,
        timeout=True,
        depth=3,
    ),
    "processes": Profile(
        statements=10,
        run=True,
        parameters=True,
        atomic=True,
        jumps=True,
        last=True,
        buffered=True,
        local_channels=True,
        timeout=True,
    ),
    "provided": Profile(
        provided=True,
        run=True,
        atomic=True,
        d_step=True,
        unless=True,
        rendezvous=True,
        buffered=True,
        timeout=True,
    ),
    "priority": Profile(
        priority=True,
        run=True,
        atomic=True,
        d_step=True,
        buffered=True,
        timeout=True,
        provided=True,
    ),
    "remote": Profile(
        remote=True,
        enabled=True,
        run=True,
        atomic=True,
        unless=True,
        buffered=True,
        jumps=True,
        last=True,
        statements=10,
    ),
    "mixed": Profile(
        mtypes=True,
        arrays=True,
        structs=True,
        rendezvous=True,
        buffered=True,
        polls=True,
        random_receive=True,
        channel_arrays=True,
        local_channels=True,
        channel_passing=True,
        counted_loops=True,
        jumps=True,
        timeout=True,
        atomic=True,
        d_step=True,
        unless=True,
        run=True,
        parameters=True,
        provided=True,
        remote=True,
        last=True,
        inlines=True,
        inner_declarations=True,
        depth=3,
    ),
}
