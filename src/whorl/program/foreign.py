"""Embedded C in the reference semantics: hands a store's values to a Runner and takes them back."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from whorl.program.embedded import Answer, Exchange
from whorl.program.program import Program
from whorl.program.state import LOCALS, PID, Fault, Record, Unmatched, WorkingState

if TYPE_CHECKING:
    from whorl.program.embedded import Embedded


class Foreign:
    """The C of a program, as functions of a store and a process's record."""

    def __init__(self, program: Program, embedded: Embedded) -> None:
        self.program = program
        self.embedded = embedded
        self.completion = embedded.ready
        self.runner = self.completion.start()

    def initial_byte(self, position: int) -> int:
        return self.runner.initial[position]

    def initial_unmatched(self) -> Unmatched:
        return Unmatched(self.runner.initial[self.completion.unmatched_at :])

    def value(self, number: int) -> Callable[[WorkingState, Record], int]:
        """c_expr: what it changes is lost."""
        return lambda s, p: self.run(number, s, p).value

    def action(self, number: int) -> Callable[[WorkingState, Record], None]:
        """c_code, on a store that was forked for the process."""

        def fire(s: WorkingState, p: Record) -> None:
            answer = self.run(number, s, p)
            self.take_back(number, s, p, answer.after)
            if s.output is not None and answer.output:
                s.output.append(answer.output)

        return fire

    def run(self, number: int, s: WorkingState, p: Record) -> Answer:
        embedded, completion = self.embedded, self.completion
        fragment = embedded.fragments[number]
        slot = completion.block_slot
        block = bytes(s.globals[slot : slot + completion.block_size])
        own: list[int] = []
        own_block = b""
        if fragment.process is not None:
            own = [p[LOCALS + seen.slot] for seen in embedded.seen_locals[fragment.process]]
            first = LOCALS + completion.local_slots[fragment.process]
            own_block = bytes(p[first : first + completion.local_sizes[fragment.process]])
        before = Exchange(
            [s.globals[seen.slot] for seen in embedded.seen], own, block, own_block, s.unmatched
        )
        pid = p[PID] if p else 0
        answer = self.runner.run(number, pid, len(s.processes), before)
        if not answer.holds:
            assert fragment.precondition is not None
            text = " ".join(fragment.precondition.text.split())
            raise Fault("precondition", f"the precondition of this C fails: {text}", fragment.span)
        return answer

    def take_back(self, number: int, s: WorkingState, p: Record, after: Exchange) -> None:
        assert isinstance(s.globals, list)
        assert isinstance(p, list)
        embedded, completion = self.embedded, self.completion
        for seen, value in zip(embedded.seen, after.globals, strict=True):
            if not seen.is_channel:
                s.globals[seen.slot] = self.program.slots[seen.slot].truncate(value)
        slot = completion.block_slot
        s.globals[slot : slot + completion.block_size] = after.block
        s.unmatched = Unmatched(after.unmatched)
        kind = embedded.fragments[number].process
        if kind is None:
            return
        slots = self.program.processes[kind].slots
        for seen, value in zip(embedded.seen_locals[kind], after.locals, strict=True):
            if not seen.is_channel:
                p[LOCALS + seen.slot] = slots[seen.slot].truncate(value)
        first = LOCALS + completion.local_slots[kind]
        p[first : first + completion.local_sizes[kind]] = after.local_block
