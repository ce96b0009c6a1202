"""The states on a device: how many there is room for, and how that grows.

The array of states and the table grow together, in few and large steps: each step copies the states
and enters all of them again, and while it does there are two arrays. So the last step is one to all
the memory that there is, made when the next one would find too little beside what it copies.
"""

from __future__ import annotations

from whorl.native.gpu.device import Device, DeviceFull, Module
from whorl.native.gpu.world import World

FIRST = 1 << 16  # states that there is room for at first
GROWTH = 8
LOAD = 0.5  # of the table, as long as there is memory for that
MOST_LOAD = 0.8
WORTH = 1.2  # more than so many times as many states as before, or it does not grow


class DeviceStore:
    """The buffers of `world` that grow; `budget`: bytes that they may take, all together.

    Beside them there is room for so many bytes for each state.
    """

    def __init__(
        self, device: Device, world: World, words: int, budget: int, beside: int = 0
    ) -> None:
        self.beside = beside
        self.device = device
        self.world = world
        self.words = words
        self.budget = budget
        first = self._fitting(FIRST, 0)
        if first is None:
            raise DeviceFull
        self._allocate(*first)

    @property
    def bytes(self) -> int:
        """What it takes."""
        world = self.world
        return self._size(world.capacity, world.mask + 1) - world.capacity * self.beside

    def grow(self, module: Module, taken: int, argument: int) -> bool:
        """Room for more states; whether there is any. So many indices are taken.

        `argument`: where a kernel finds the world. If there is no room, there is no table any more,
        and so nothing can be stored; the states are as they were.
        """
        world, before = self.world, self.world.capacity
        fitting = self._larger(before, GROWTH * before)
        if fitting is None:
            return False
        if self._larger(fitting[0], GROWTH * fitting[0]) is None:  # it never grows again
            fitting = self._larger(before, self.budget // (8 * self.words)) or fitting
        old_states, old_holes = world.states, world.holes
        self._release("table")
        while True:
            try:
                self._allocate(*fitting)
                break
            except DeviceFull:  # others use the device, or its memory is in pieces
                less = self._larger(before, fitting[0] // 2)
                if less is None:
                    return False
                fitting = less
        try:
            self.device.copy(world.states, old_states, taken * 8 * self.words)
            self.device.copy(world.holes, old_holes, _hole_bytes(before))
        finally:
            self.device.release(old_states)
            self.device.release(old_holes)
        self._enter(module, taken, argument)
        return True

    def close(self) -> None:
        """Gives the memory back."""
        for name in ("table", "states", "holes"):
            self._release(name)

    def _release(self, name: str) -> None:
        """Gives one of the buffers back, if it is there."""
        address = getattr(self.world, name)
        setattr(self.world, name, 0)
        if address:
            self.device.release(address)

    def _enter(self, module: Module, taken: int, argument: int) -> None:
        """Enters all states in the table, which is empty."""
        world, device = self.world, self.device
        for begin in range(0, taken, device.launched):
            world.begin, world.end = begin, min(taken, begin + device.launched)
            device.write(argument, world.packed())
            module.launch("whorl_gpu_enter", argument, world.end - world.begin)

    def _allocate(self, capacity: int, slots: int) -> None:
        made: list[int] = []
        try:
            for size in (8 * slots, self._states(capacity), _hole_bytes(capacity)):
                made.append(self.device.allocate(size))
        except BaseException:  # Ctrl-C, too
            for address in made:
                self.device.release(address)
            raise
        world = self.world
        world.table, world.states, world.holes = made
        world.capacity, world.mask = capacity, slots - 1

    def _states(self, capacity: int) -> int:
        return capacity * 8 * self.words

    def _size(self, capacity: int, slots: int) -> int:
        each = 8 * self.words + self.beside
        return 8 * slots + capacity * each + _hole_bytes(capacity)

    def _larger(self, before: int, wanted: int) -> tuple[int, int] | None:
        """What fits beside the states of so many as there was room for, if that is worth it."""
        fitting = self._fitting(wanted, self._states(before))
        return None if fitting is None or fitting[0] < WORTH * before else fitting

    def _fitting(self, wanted: int, beside: int) -> tuple[int, int] | None:
        """How many states, and places of the table: as many as are wanted, or as fit in the budget.

        So many bytes lie beside them for a while.
        """
        room, best = self.budget - beside, None
        slots = 1 << max(10, (int(wanted / LOAD) - 1).bit_length())
        if self._size(wanted, slots) <= room:
            return wanted, slots
        while slots >= 1 << 10:
            left = room - 8 * slots - 64
            each = 8 * self.words + self.beside + 0.125
            capacity = min(int(left / each), int(MOST_LOAD * slots), wanted)
            if capacity > 0 and (best is None or capacity > best[0]):
                best = capacity, slots
            slots //= 2
        return best


def _hole_bytes(capacity: int) -> int:
    return 4 * (capacity // 32 + 1)
