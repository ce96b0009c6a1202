"""Writes what stubborn sets need as C: the tables of runtime/reduction/stubborn.h."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import accumulate, chain

from whorl.native.code.expressions import Expressions
from whorl.native.code.layout import NativeLayout
from whorl.native.code.tables import table
from whorl.program.program import ProcessType, ReceiveAction, SendAction, Transition, Way
from whorl.program.state import Record
from whorl.reduction.accesses import comes_last
from whorl.reduction.analysis import Analysis, targets
from whorl.reduction.footprint import Footprint
from whorl.reduction.gather import gather
from whorl.reduction.runs import going_on
from whorl.reduction.tables import Tables

WORD = 64


@dataclass(frozen=True, slots=True)
class Class:
    """A process type with fixed values, those of `record`; if that is None, with any."""

    process: ProcessType
    record: Record | None
    locations: Sequence[int]  # as the state has them, from 1


class Queries:
    """Footprints that members are compared with, numbered; 0 is none.

    The empty one has a number, too: what notices everything depends on it.
    """

    def __init__(self) -> None:
        self.numbers: dict[Footprint | None, int] = {None: 0}

    def number(self, footprint: Footprint) -> int:
        return self.numbers.setdefault(footprint, len(self.numbers))


class Stubborn:
    """The tables of a program, for classes in the order of their kinds.

    All but the choices are the same for many verifiers.
    """

    def __init__(
        self, layout: NativeLayout, analysis: Analysis, made: Tables, classes: Sequence[Class]
    ) -> None:
        self.layout = layout
        self.analysis = analysis
        self.facts = analysis.enabling
        self.made = made
        self.classes = classes
        self.queries = Queries()
        self.ways = {p.index: self._ways(p) for p in analysis.program.processes}
        self.bits = {way: bit for own in self.ways.values() for bit, way in enumerate(own)}
        self.words = 1 + max(self.bits.values(), default=0) // WORD
        self.members = [(c, way) for c in classes for way in self.ways[c.process.index]]

    def _ways(self, process: ProcessType) -> list[Way]:
        """The transitions of a type that begin where a process may be."""
        places = self.layout.locations[process.index]
        return sorted(t.way for at in places for t in process.locations.get(at, ()))

    def text(self, expressions: Expressions) -> list[str]:
        by_member = self.by_member
        choices = self._choices(expressions)  # what they ask is compared, too
        return [
            "#define WHORL_STUBBORN 1",
            f"#define WHORL_MASK {self.words}",
            f"#define WHORL_CLASSES_MOST {len(self.classes)}",
            "typedef struct {",
            "  uint16_t same, facing, others_same, others_facing;",
            "  bool again;",
            "} whorl_choice;",
            *self.by_kind,
            *by_member,
            *self.dependent,
            *choices,
        ]

    @cached_property
    def by_kind(self) -> list[str]:
        rows = self._bits_by_index()
        bits = ", ".join("{" + ", ".join(map(str, row)) + "}" for row in rows)
        return [
            f"#define WHORL_MOST_INDICES {max(map(len, rows))}",
            f"static const uint16_t whorl_bits[][WHORL_MOST_INDICES] = {{{bits}}};",
            table("uint16_t", "whorl_class_of", self._class_of()),
            self._masks("whorl_ahead", self._ahead()),
            self._masks("whorl_here", self._here()),
        ]

    @cached_property
    def by_member(self) -> list[str]:
        counts = [len(self.ways[c.process.index]) for c in self.classes]
        ways = [way for _, way in self.members]
        touching = [self.facts.touched(way, c.record) for c, way in self.members]
        waiting = [self.analysis.waited_for(way, c.record) for c, way in self.members]
        indices = (self.made.indices[number] for _, number in ways)
        asked = [self._asked(c, way) for c, way in self.members]
        return [
            f"#define WHORL_MOST_CHOICES {max(map(len, asked), default=0)}",
            table("uint32_t", "whorl_members_of", accumulate(counts, initial=0)),
            table("uint8_t", "whorl_member_index", indices),
            table("uint16_t", "whorl_touching", map(self.queries.number, touching)),
            table("uint16_t", "whorl_waiting", map(self.queries.number, waiting)),
            table("uint8_t", "whorl_handshakes", (int(self.facts.may_handshake(w)) for w in ways)),
            table("uint16_t", "whorl_asked", chain.from_iterable(asked)),
            table("uint32_t", "whorl_asked_of", accumulate(map(len, asked), initial=0)),
            self._masks("whorl_arrivals", (self._own(self.facts.arrivals(way)) for way in ways)),
            self._masks("whorl_again", (self._own(self.facts.returning(way)) for way in ways)),
        ]

    # --- masks -----------------------------------------------------------------------------------

    def _own(self, ways: Iterable[Way]) -> int:
        return sum(1 << self.bits[way] for way in ways if way in self.bits)

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
        ahead: list[int] = []
        for c in self.classes:
            masks = self._all_ahead(c.process)
            ahead += [0, *(masks.get(at, 0) for at in c.locations)]
        return ahead

    def _all_ahead(self, process: ProcessType) -> dict[int, int]:
        """Of each location: what can still be taken from there."""

        def own(location: int) -> int:
            return self._own(t.way for t in going_on(process, location))

        return gather(process.locations, partial(targets, process), own, 0)

    def _here(self) -> list[int]:
        masks = []
        for c in self.classes:
            masks.append(0)
            for at in c.locations:
                here = c.process.locations.get(at, ())
                masks.append(self._own(t.way for t in here if not comes_last(c.process, t)))
        return masks

    def _bits_by_index(self) -> list[list[int]]:
        """Of each kind, by index: the bit of that transition."""
        rows: list[list[int]] = []
        for c in self.classes:
            rows.append([0])
            for at in c.locations:
                here = {self.made.indices[t.number]: t for t in c.process.locations.get(at, ())}
                indices = range(max(here, default=0) + 1)
                rows.append([self.bits[here[n].way] if n in here else 0 for n in indices])
        return rows

    @cached_property
    def dependent(self) -> list[str]:
        """By query and class: what touches the same things, and what is at the other ends."""
        by_class = [self._by_footprint(c) for c in self.classes]
        same: list[list[int]] = []
        facing: list[list[int]] = []
        for asked in self.queries.numbers:
            same.append([0] * len(self.classes))
            facing.append([0] * len(self.classes))
            for number, by_footprint in enumerate(by_class if asked is not None else ()):
                for footprint, members in by_footprint.items():
                    conflict, opposite = self.facts.relation(asked, footprint)
                    if conflict:
                        same[-1][number] |= members
                    if opposite:
                        facing[-1][number] |= members
        return [self._tables("whorl_same", same), self._tables("whorl_facing", facing)]

    def _by_footprint(self, c: Class) -> dict[Footprint, int]:
        """The members of a class that touch the same, as a mask."""
        masks: dict[Footprint, int] = {}
        for way in self.ways[c.process.index]:
            touched = self.facts.touched(way, c.record)
            masks[touched] = masks.get(touched, 0) | 1 << self.bits[way]
        return masks

    # --- choices ---------------------------------------------------------------------------------

    def _asked(self, c: Class, way: Way) -> list[int]:
        """The queries of what a member may wait for: its channel is chosen by that, or it is a
        condition.
        """
        if self.facts.may_handshake(way):
            return []
        action = self.facts.on_channel(way)
        if action is None:
            conditions = self.facts.conditions(way)
            footprints = [self.analysis.resolve(part.reads, c.record) for part in conditions]
        else:
            chosen_by = frozenset(self.analysis.accesses.expr(action.channel, c.process))
            footprints = [self.analysis.resolve(chosen_by, c.record)]
        return [self.queries.number(footprint) for footprint in footprints]

    def _choices(self, expressions: Expressions) -> list[str]:
        channels = range(1, len(self.layout.channel_bases) + 1)
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
            expressions.process = process.index
            lines += [f"    case {process.index}:", "      switch (bit) {"]
            for way in self.ways[process.index]:
                chosen = self._choose(expressions, process, way)
                if chosen:
                    lines.append(f"        case {self.bits[way]}:")
                    lines += [f"          {line}" for line in chosen]
                    lines.append("          break;")
            lines += ["      }", "      break;"]
        return [*lines, "  }", "  return count;", "}"]

    def _choose(self, expressions: Expressions, process: ProcessType, way: Way) -> list[str]:
        if self.facts.may_handshake(way):
            return []
        if self.facts.on_channel(way) is not None:
            return self._until_ready(expressions, process, self.analysis.transitions[way])
        lines: list[str] = []
        for place, part in enumerate(self.facts.conditions(way)):
            value, query = expressions.value(part.expr), f"asked[{place}]"
            choice = f"{query}, {query}, 0, 0, false"
            if part.is_local:
                choice = f"0, 0, {query}, {query}, true"
            lines += _unless_fault(
                f"bool holds = {value};", "!holds", choice, only_here=part.is_local
            )
        return lines

    def _until_ready(
        self, expressions: Expressions, process: ProcessType, transition: Transition
    ) -> list[str]:
        action = transition.action
        assert isinstance(action, SendAction | ReceiveAction)
        fixed = self.analysis.fixed.expr(action.channel, process)
        channel = expressions.channel(action.channel, transition.number)
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
