"""Writes what stubborn sets need as C: the tables of runtime/stubborn.h."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from whorl.native.expressions import Expressions
from whorl.native.tables import table
from whorl.program.program import ProcessType, ReceiveAction, SendAction, Transition
from whorl.program.state import Record
from whorl.reduction.accesses import needs_timeout
from whorl.reduction.analysis import Analysis
from whorl.reduction.footprint import NOTHING, Footprint
from whorl.reduction.tables import Tables, resolved

WORD = 64


@dataclass(frozen=True, slots=True)
class Class:
    """A process type with fixed values, those of `record`; if that is None, with any."""

    process: ProcessType
    record: Record | None
    locations: Sequence[int]  # as the state has them, from 1


class Queries:
    """Footprints that members are compared with, numbered; 0 is about nothing."""

    def __init__(self) -> None:
        self.numbers: dict[Footprint, int] = {NOTHING: 0}

    def number(self, footprint: Footprint) -> int:
        return self.numbers.setdefault(footprint, len(self.numbers))


class Stubborn:
    """The tables of a program, for classes in the order of their kinds."""

    def __init__(
        self, e: Expressions, analysis: Analysis, made: Tables, classes: Sequence[Class]
    ) -> None:
        self.e = e
        self.analysis = analysis
        self.facts = analysis.enabling
        self.made = made
        self.classes = classes
        self.queries = Queries()
        self.numbers = {p.index: self._numbers(p) for p in analysis.program.processes}
        self.bits = {n: bit for own in self.numbers.values() for bit, n in enumerate(own)}
        self.words = 1 + max(self.bits.values(), default=0) // WORD

    def _numbers(self, process: ProcessType) -> list[int]:
        """The transitions of a type that begin anywhere a process may be."""
        places = self.e.layout.locations[process.index]
        return sorted({t.number for at in places for t in process.locations.get(at, ())})

    def text(self) -> list[str]:
        members = [(c, n) for c in self.classes for n in self.numbers[c.process.index]]
        asked = [self._asked(c, n) for c, n in members]
        firsts: list[int] = []
        for queries in asked:
            firsts.append((firsts[-1] if firsts else 0) + len(queries))
        touched = {
            (id(c), n): self.queries.number(self.facts.touched(n, c.record)) for c, n in members
        }
        waited = [
            self.queries.number(resolved(self.analysis, n, c.record, False)) for c, n in members
        ]
        counts = [len(self.numbers[c.process.index]) for c in self.classes]
        every = range(max(self.analysis.transitions, default=0) + 1)
        handshakes = [self.facts.may_handshake(n) for _, n in members]
        choices = self._choices()
        same, facing = self._meetings(touched)
        most = max((len(self._parts(n)) for own in self.numbers.values() for n in own), default=0)
        return [
            "#define WHORL_STUBBORN 1",
            f"#define WHORL_MASK {self.words}",
            f"#define WHORL_MOST_CHOICES {most}",
            f"#define WHORL_CLASSES_MOST {len(self.classes)}",
            "typedef struct {",
            "  uint16_t same, facing, others_same, others_facing;",
            "  bool again;",
            "} whorl_choice;",
            table("uint16_t", "whorl_class_of", self._class_of()),
            table("uint32_t", "whorl_members_of", (sum(counts[:n]) for n in range(len(counts)))),
            table("uint16_t", "whorl_bits", (self.bits.get(n, 0) for n in every)),
            table("uint8_t", "whorl_turns_of", (self.made.turns[n] for _, n in members)),
            table("uint16_t", "whorl_touching", (touched[id(c), n] for c, n in members)),
            table("uint16_t", "whorl_waiting", waited),
            table("uint8_t", "whorl_handshakes", map(int, handshakes)),
            table("uint16_t", "whorl_asked", (q for queries in asked for q in queries)),
            table("uint32_t", "whorl_asked_of", [0, *firsts]),
            self._masks("whorl_ahead", self._ahead()),
            self._masks("whorl_here", self._here()),
            self._masks("whorl_arrivals", (self._own(self.facts.arrivals(n)) for _, n in members)),
            self._masks("whorl_again", (self._own(self.facts.returning(n)) for _, n in members)),
            self._tables("whorl_same", same),
            self._tables("whorl_facing", facing),
            *choices,
        ]

    # --- masks -----------------------------------------------------------------------------------

    def _own(self, numbers: Iterable[int]) -> int:
        return sum(1 << self.bits[n] for n in numbers if n in self.bits)

    def _row(self, mask: int) -> str:
        words = (mask >> WORD * word & (1 << WORD) - 1 for word in range(self.words))
        return "{" + ", ".join(f"UINT64_C({word:#x})" if word else "0" for word in words) + "}"

    def _masks(self, name: str, masks: Iterable[int]) -> str:
        rows = ", ".join(map(self._row, masks)) or self._row(0)
        return f"static const uint64_t {name}[][WHORL_MASK] = {{{rows}}};"

    def _tables(self, name: str, tables: Iterable[Sequence[int]]) -> str:
        rows = ",\n  ".join("{" + ", ".join(map(self._row, masks)) + "}" for masks in tables)
        kind = f"static const uint64_t {name}[][WHORL_CLASSES_MOST][WHORL_MASK]"
        return f"{kind} = {{\n  {rows}}};"

    # --- kinds -----------------------------------------------------------------------------------

    def _class_of(self) -> list[int]:
        return [n for n, c in enumerate(self.classes) for _ in (None, *c.locations)]

    def _ahead(self) -> list[int]:
        return [
            0 if at is None else self._own(self.analysis.after((c.process.index, at))[0])
            for c in self.classes
            for at in (None, *c.locations)
        ]

    def _here(self) -> list[int]:
        found = []
        for c in self.classes:
            found.append(0)
            for at in c.locations:
                here = c.process.locations.get(at, ())
                found.append(self._own(t.number for t in here if not needs_timeout(t.action)))
        return found

    def _meetings(
        self, touched: dict[tuple[int, int], int]
    ) -> tuple[list[list[int]], list[list[int]]]:
        """By query and class: what touches the same things, and what is at the other ends."""
        footprints = list(self.queries.numbers)
        same: list[list[int]] = []
        facing: list[list[int]] = []
        for asked in footprints:
            met = [self.facts.meeting(asked, theirs) for theirs in footprints]
            rows: list[list[int]] = [[], []]
            for c in self.classes:
                masks = [0, 0]
                for number in self.numbers[c.process.index]:
                    for which, is_met in enumerate(met[touched[id(c), number]]):
                        masks[which] |= is_met << self.bits[number]
                for row, mask in zip(rows, masks, strict=True):
                    row.append(mask)
            same.append(rows[0])
            facing.append(rows[1])
        return same, facing

    # --- choices ---------------------------------------------------------------------------------

    def _channel(self, number: int) -> SendAction | ReceiveAction | None:
        action = self.analysis.transitions[number].action
        return action if isinstance(action, SendAction | ReceiveAction) else None

    def _parts(self, number: int) -> list[object]:
        """What a transition may wait for that is asked for by itself."""
        if self.facts.may_handshake(number):
            return []
        action = self._channel(number)
        return [*self.facts.conditions(number), *([action] if action else [])]

    def _asked(self, c: Class, number: int) -> list[int]:
        """The queries of a member's parts: what its channel is chosen by, or its conditions."""
        if self.facts.may_handshake(number):
            return []
        action = self._channel(number)
        if action is None:
            conditions = self.facts.conditions(number)
            found = [self.analysis.resolve(part.reads, c.record) for part in conditions]
        else:
            chosen_by = frozenset(self.analysis.accesses.expr(action.channel, c.process))
            found = [self.analysis.resolve(chosen_by, c.record)]
        return [self.queries.number(footprint) for footprint in found]

    def _choices(self) -> list[str]:
        channels = range(1, len(self.e.layout.channel_bases) + 1)
        full = [self.queries.number(Footprint(send_tests=1 << n)) for n in channels]
        empty = [self.queries.number(Footprint(receive_tests=1 << n)) for n in channels]
        lines = [
            table("uint16_t", "whorl_room_in", [0, *full]),
            table("uint16_t", "whorl_message_in", [0, *empty]),
            "static int whorl_choices(whorl_context *c, const whorl_state *s, int pid,",
            "                         uint32_t member, int bit, bool here,",
            "                         whorl_choice *choices) {",
            "  const uint8_t *B = whorl_bytes(s);",
            "  const uint8_t *P = B + whorl_process_bases[pid];",
            "  const uint16_t *asked = &whorl_asked[whorl_asked_of[member]];",
            "  int count = 0;",
            "  (void)c, (void)P, (void)asked, (void)here, (void)choices;",
            "  switch (whorl_type(B, pid)) {",
        ]
        for process in self.analysis.program.processes:
            self.e.process = process.index
            lines += [f"    case {process.index}:", "      switch (bit) {"]
            for number in self.numbers[process.index]:
                if self._parts(number):
                    lines.append(f"        case {self.bits[number]}:")
                    lines += [f"          {line}" for line in self._choose(process, number)]
                    lines.append("          break;")
            lines += ["      }", "      break;"]
        return [*lines, "  }", "  return count;", "}"]

    def _choose(self, process: ProcessType, number: int) -> list[str]:
        transition = self.analysis.transitions[number]
        if self._channel(number) is not None:
            return self._until_ready(process, transition)
        lines: list[str] = []
        for place, part in enumerate(self.facts.conditions(number)):
            value, query = self.e.value(part.expr), f"asked[{place}]"
            choice = f"{query}, {query}, 0, 0, false"
            if part.is_local:
                choice = f"0, 0, {query}, {query}, true"
            lines += _unless_fault(
                f"bool holds = {value};", "!holds", choice, only_here=part.is_local
            )
        return lines

    def _until_ready(self, process: ProcessType, transition: Transition) -> list[str]:
        action = transition.action
        assert isinstance(action, SendAction | ReceiveAction)
        fixed = self.analysis.fixed.expr(action.channel, process)
        channel = self.e.channel(action.channel, transition.number)
        if isinstance(action, SendAction):
            waits, query = "whorl_full(B, channel)", "whorl_room_in[channel]"
        else:
            waits, query = "whorl_length(B, channel) == 0", "whorl_message_in[channel]"
        others = "0, 0, false" if fixed else "asked[0], asked[0], true"
        return _unless_fault(
            f"int channel = {channel};", waits, f"0, {query}, {others}", only_here=not fixed
        )


def _unless_fault(evaluate: str, waits: str, choice: str, *, only_here: bool) -> list[str]:
    return [
        "if (here) {" if only_here else "{",
        f"  {evaluate}",
        "  if (c->fault != WHORL_NO_SITE) {",
        "    c->fault = WHORL_NO_SITE;",
        f"  }} else if ({waits}) {{",
        f"    whorl_choice choice = {{{choice}}};",
        "    choices[count++] = choice;",
        "  }",
        "}",
    ]
