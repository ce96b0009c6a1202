"""Writes the analysis of a program as C: the tables of runtime/reduction.

Kinds are numbered anew, so that a process's kind is a sum: where the kinds of its type and its
fixed values begin, and its location as the state has it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import sha256
from itertools import chain

from whorl.native.code import asleep
from whorl.native.code.expressions import Expressions
from whorl.native.code.layout import NativeLayout
from whorl.native.code.stubborn import Class, Stubborn
from whorl.native.code.tables import dispatch, table
from whorl.native.code.writing import indent, operand
from whorl.native.passes.dead import Liveness
from whorl.program.program import (
    ChannelQuery,
    DStep,
    Expr,
    Guard,
    Place,
    PollQuery,
    ProcessType,
    ReceiveAction,
    Region,
    SendAction,
    Transition,
)
from whorl.reduction.accesses import asked_of_ends
from whorl.reduction.analysis import Analysis
from whorl.reduction.candidates import ProcessOrder, Rule
from whorl.reduction.footprint import union
from whorl.reduction.safe_tables import by_safety, global_and_conditional
from whorl.reduction.scheme import Native
from whorl.reduction.stack import Keep
from whorl.reduction.tables import (
    LAST_INDEX,
    ProcessKind,
    Signature,
    Tables,
    indexed,
    is_fixed_by_pid,
    tables,
)
from whorl.sharing import Same

LAST_SHARED = f"index {LAST_INDEX} may stand for several transitions"


@dataclass(frozen=True, slots=True)
class NativeUse:
    """How ample sets are chosen: by the header of a scheme, and what it is told.

    `selective`: states are left out from which a run goes on by itself.
    """

    native: Native
    rule: Rule = Rule.COMPONENT
    selective: bool = False
    keep: Keep = Keep.NUMBER  # of the schemes that look at the stack
    order: ProcessOrder = ProcessOrder.DESCENDING  # in which processes are tried
    own_search: bool = False  # Two phase as it is printed
    sleep_sets: bool = False


NO_SCHEME = "none.h"
KEEPS = (Keep.NOTHING, Keep.BIT, Keep.NUMBER)  # as WHORL_KEEP counts them


def scheme_header(selection: NativeUse | None) -> list[str]:
    """The lines that include the header of a scheme."""
    header = NO_SCHEME if selection is None else selection.native.header
    if isinstance(header, str):
        return [f'#include "reduction/scheme/{header}"']
    digest = sha256(header.read_bytes()).hexdigest()  # so that another text is compiled anew
    return [f"/* {digest} */", f'#include "{header}"']


def text(
    expressions: Expressions, analysis: Analysis, selection: NativeUse, liveness: Liveness
) -> list[str]:
    """Definitions for the runtime."""
    made = tables(analysis)
    places = list(_classes(expressions.layout, analysis, made))
    if selection.rule is Rule.LOCAL:
        made = replace(made, visible=_not_local(analysis, made))
    if selection.rule is Rule.SAFE or selection.own_search:
        made = by_safety(analysis, Same(made))
    order, bases = _numbered(made, places)
    seen = [made.visible[k] if k >= 0 else 0 for k in order]
    held = [made.visible[k] | made.sticky[k] if k >= 0 else 0 for k in order]
    stops = seen if selection.native.sticky_on_the_way else held
    all_indices = [_index_mask(analysis, made, kind) for kind in made.kinds]
    everything = [all_indices[k] if k >= 0 else 0 for k in order]
    numbers = range(max(made.indices, default=0) + 1)
    on_all = [_depends_on_all(made, row) for row in made.pairs]
    deterministic = [
        bool(all_ & ~stop) * (1 if on_all[made.rows[k]] else 2)
        for k, all_, stop in zip(order, everything, stops, strict=True)
    ]
    dependencies = ", ".join(f"{{{', '.join(map(_hex, masks))}}}" for masks in made.dependencies)
    makes_deterministic = (int(n in made.makes_deterministic) for n in numbers)
    number = smallest(max(len(order), 1 << 9))
    width = len(made.pairs[0]) if made.pairs else 1
    return [
        f"#define WHORL_SELECTIVE {int(selection.selective)}",
        f"#define WHORL_ONE_PROCESS {int(selection.rule.is_of_one)}",
        f"#define WHORL_ASCENDING {int(selection.order is ProcessOrder.ASCENDING)}",
        f"#define WHORL_KEEP {KEEPS.index(selection.keep)}",
        "typedef struct {",
        "  uint64_t whole, guard, whole_ends, guard_ends;",
        "} whorl_dependency;",
        f"static const whorl_dependency whorl_dependencies[] = {{{dependencies}}};",
        f"#define WHORL_COLUMNS {width}",
        table(smallest(len(made.dependencies)), "whorl_pairs", chain.from_iterable(made.pairs)),
        f"typedef {number} whorl_kind_number;",
        table(number, "whorl_rows", (made.rows[k] if k >= 0 else 0 for k in order)),
        table(number, "whorl_columns", (made.columns[k] if k >= 0 else 0 for k in order)),
        _masks("whorl_bad", seen if selection.native.sticky_in_ample_sets else held),
        _masks("whorl_stops", stops),
        f"#define WHORL_ANY_DETERMINISTIC {max(deterministic, default=0)}",
        table("uint8_t", "whorl_deterministic", deterministic),
        table("uint8_t", "whorl_transition_index", (made.indices.get(n, 0) for n in numbers)),
        table("uint8_t", "whorl_makes_deterministic", makes_deterministic),
        *_kind(expressions, analysis, made, bases, liveness),
        *_stays(expressions, analysis, made),
        *(_spin_rule(expressions, analysis) if selection.rule is Rule.SPIN else []),
        *(_own_search(expressions, analysis, made, order) if selection.own_search else []),
        *(_independence(expressions, analysis, made) if selection.sleep_sets else []),
        *(_stubborn_sets(expressions, analysis, made) if selection.rule is Rule.STUBBORN else []),
    ]


def _own_search(
    expressions: Expressions, analysis: Analysis, made: Tables, order: Sequence[int]
) -> list[str]:
    """What runtime/reduction/safe.h wants to know; `order`: the kinds in the order of C."""
    masks = [global_and_conditional(analysis, made, kind) for kind in made.kinds]
    return [
        _masks("whorl_global", [masks[k][0] if k >= 0 else 0 for k in order]),
        _masks("whorl_conditional", [masks[k][1] if k >= 0 else 0 for k in order]),
        *_descends(expressions, analysis.program.processes),
    ]


def _descends(expressions: Expressions, processes: Sequence[ProcessType]) -> list[str]:
    """Whether a process does not come later in one state than in another: by its location, and then
    by its variables.
    """
    lines, cases = [], []
    for process in processes:
        places = expressions.layout.locations[process.index]
        numbers = (0, *sorted(places, key=lambda location: places[location]))
        lines.append(table("int32_t", f"whorl_location_{process.index}", numbers))
        expressions.process = process.index
        loads = [
            expressions.load(Place(Region.LOCAL, slot, (), kind, ""))
            for slot, kind in enumerate(process.slots)
        ]
        reads = [f"case {slot}: return {operand(load)};" for slot, load in enumerate(loads)]
        lines += [
            f"static int32_t whorl_local_{process.index}(const uint8_t *B, const uint8_t *P,"
            " int slot) {",
            "  (void)B, (void)P;",
            f"  switch (slot) {{ {' '.join(reads)} }}" if reads else "  (void)slot;",
            "  return 0;",
            "}",
        ]
        cases += [
            f"    case {process.index}:",
            f"      before = whorl_location_{process.index}[whorl_at(P)];",
            f"      after = whorl_location_{process.index}[whorl_at(Q)];",
            f"      for (int slot = 0; before == after && slot < {len(process.slots)}; slot++) {{",
            f"        before = whorl_local_{process.index}(B, P, slot);",
            f"        after = whorl_local_{process.index}(C, Q, slot);",
            "      }",
            "      break;",
        ]
    return [
        *lines,
        "static bool whorl_descends(const whorl_state *s, const whorl_state *t, int pid) {",
        "  const uint8_t *B = whorl_bytes(s), *C = whorl_bytes(t);",
        "  const uint8_t *P = B + whorl_process_bases[pid], *Q = C + whorl_process_bases[pid];",
        "  int32_t before = 0, after = 0;",
        "  (void)P, (void)Q;",
        "  switch (whorl_type(B, pid)) {",
        *cases,
        "  }",
        "  return after <= before;",
        "}",
    ]


def _stubborn_sets(expressions: Expressions, analysis: Analysis, made: Tables) -> list[str]:
    """There are none where transitions of a location share an index."""
    if LAST_INDEX in made.indices.values():
        return []
    return _stubborn(Same(expressions.layout), analysis).text(expressions)


@lru_cache(maxsize=2)
def _stubborn(layout: Same[NativeLayout], analysis: Analysis) -> Stubborn:
    """What stubborn sets need."""
    made = tables(analysis)
    return Stubborn(layout.it, analysis, made, _as_classes(layout.it, analysis, made))


def _independence(expressions: Expressions, analysis: Analysis, made: Tables) -> list[str]:
    """What sleep sets need."""
    return asleep.text(analysis, made, _as_classes(expressions.layout, analysis, made))


def _as_classes(layout: NativeLayout, analysis: Analysis, made: Tables) -> list[Class]:
    """Process types, each with all its signatures, in the order of their kinds."""
    return [
        Class(
            analysis.program.processes[process],
            None if signature is None else made.signatures[process][signature],
            locations,
        )
        for process, signature, locations in _classes(layout, analysis, made)
    ]


def _not_local(analysis: Analysis, made: Tables) -> tuple[int, ...]:
    """As Tables.visible; and where a statement touches something shared, none of its location may
    go first.
    """
    visible: list[int] = []
    for kind, number in made.kinds.items():
        process = analysis.program.processes[kind.process]
        here = [t for _, t in indexed(process, kind.location, made.indices)]
        local = all(analysis.touched(t.way, None).touches_nothing for t in here)
        visible.append(made.visible[number] if local else _index_mask(analysis, made, kind))
    return tuple(visible)


def _hex(mask: int) -> str:
    return f"UINT64_C({mask:#x})" if mask else "0"


def smallest(count: int) -> str:
    """The smallest type for so many numbers."""
    return "uint8_t" if count <= 1 << 8 else "uint16_t" if count <= 1 << 16 else "uint32_t"


def _masks(name: str, masks: Iterable[int]) -> str:
    return f"static const uint64_t {name}[] = {{{', '.join(map(_hex, masks))}}};"


def _index_mask(analysis: Analysis, made: Tables, kind: ProcessKind) -> int:
    """The transitions of a kind, as a mask of their indices."""
    process = analysis.program.processes[kind.process]
    return sum({1 << index for index, _ in indexed(process, kind.location, made.indices)})


def _depends_on_all(made: Tables, row: Iterable[int]) -> bool:
    """Whether a process of such a kind depends on every other one, whatever either can do."""
    return all(made.dependencies[pair].whole & made.dependencies[pair].guard for pair in set(row))


# --- kinds ----------------------------------------------------------------------------------------

Bases = dict[tuple[int, Signature | None], int]
Places = Sequence[tuple[int, Signature | None, list[int]]]


def _classes(
    layout: NativeLayout, analysis: Analysis, made: Tables
) -> Iterator[tuple[int, Signature | None, list[int]]]:
    """Process types, each with all its signatures, and their locations in the order of C."""
    for process in analysis.program.processes:
        places = layout.locations[process.index]
        ordered = sorted(places, key=lambda location: places[location])
        for signature in (None, *made.signatures[process.index]):
            yield process.index, signature, ordered


def _numbered(made: Tables, places: Places) -> tuple[list[int], Bases]:
    """The kinds in the order of C, and where those of a type and a signature begin.

    Location 0, of processes that are not there, has none.
    """
    order: list[int] = []
    bases: Bases = {}
    for process, signature, locations in places:
        bases[process, signature] = len(order)
        order.append(-1)
        order += [made.kinds[ProcessKind(process, at, signature)] for at in locations]
    return order, bases


def _kind(
    expressions: Expressions, analysis: Analysis, made: Tables, bases: Bases, liveness: Liveness
) -> list[str]:
    lines = [
        "static inline int whorl_kind_of(const uint8_t *B, int pid) {",
        "  const uint8_t *P = B + whorl_process_bases[pid];",
        "  int first = 0;",
        "  switch (whorl_type(B, pid)) {",
    ]
    before: list[str] = []
    for process in analysis.program.processes:
        known = made.signatures[process.index]
        any_ = bases[process.index, None]
        lines.append(f"    case {process.index}:")
        if known and is_fixed_by_pid(analysis, process):
            at = {pid: bases[process.index, (pid, values)] for pid, values in known}
            name = f"whorl_kinds_of_{process.index}"
            pids = range(len(expressions.layout.process_bases))
            before.append(table("uint32_t", name, (at.get(pid, any_) for pid in pids)))
            lines.append(f"      first = (int){name}[pid];")
        else:
            lines.append(f"      first = {any_};")
            before += _live(
                expressions, process, made.slots[process.index] if known else (), liveness
            )
            for signature in known:
                holds = _has(expressions, process, made.slots[process.index], signature, liveness)
                base = bases[process.index, signature]
                lines.append(f"      if ({holds}) first = {base};")
        lines.append("      break;")
    return [*before, *lines, "  }", "  return first + whorl_at(P);", "}"]


def _has(
    expressions: Expressions,
    process: ProcessType,
    slots: tuple[int, ...],
    signature: Signature,
    liveness: Liveness,
) -> str:
    """Whether a process has a signature. What a slot had that is dead does not matter any more."""
    expressions.process = process.index
    pid, values = signature
    parts = [f"pid == {pid}"]
    for slot, value in zip(slots, values, strict=True):
        place = Place(Region.LOCAL, slot, (), process.slots[slot], "")
        same = f"{expressions.load(place)} == {value}"
        if _dies(expressions, process, slot, liveness):
            same = f"({same} || !{_live_name(process, slot)}[whorl_at(P)])"
        parts.append(same)
    return " && ".join(parts)


def _dies(expressions: Expressions, process: ProcessType, slot: int, liveness: Liveness) -> bool:
    places = expressions.layout.locations[process.index]
    return any(slot not in liveness.at(process, location) for location in places)


def _live_name(process: ProcessType, slot: int) -> str:
    return f"whorl_live_{process.index}_{slot}"


def _live(
    expressions: Expressions, process: ProcessType, slots: tuple[int, ...], liveness: Liveness
) -> list[str]:
    """Tables by location: whether a slot is live there."""
    places = expressions.layout.locations[process.index]
    ordered = sorted(places, key=lambda location: places[location])
    return [
        table(
            "uint8_t",
            _live_name(process, slot),
            (0, *(int(slot in liveness.at(process, location)) for location in ordered)),
        )
        for slot in slots
        if _dies(expressions, process, slot, liveness)
    ]


# --- Spin's rule ---------------------------------------------------------------------------------


def _spin_rule(expressions: Expressions, analysis: Analysis) -> list[str]:
    """Where Spin would let a process go first (reduction/spin_rule.py)."""
    call: dict[tuple[int, int], str] = {}
    for (process, location), safe in analysis.spin_rule.safe.items():
        if location not in expressions.layout.locations[process]:
            continue
        expressions.process = process
        holds = [expressions.value(query) for query in safe.queries]
        if safe.last:
            holds.insert(0, "pid + 1 == whorl_running(B)")
        call[process, location] = f"safe = {' && '.join(holds) or 'true'};"
    return [
        "#define WHORL_SPIN_RULE 1",
        "static inline bool whorl_safe_in_spin(whorl_context *c, const whorl_state *s, int pid) {",
        "  const uint8_t *B = whorl_bytes(s);",
        "  const uint8_t *P = B + whorl_process_bases[pid];",
        "  bool safe = false;",
        "  (void)c, (void)P;",
        *indent(dispatch(expressions, call)),
        "  if (c->fault == WHORL_NO_SITE) return safe;",
        "  c->fault = WHORL_NO_SITE; /* a channel that was never made */",
        "  return false;",
        "}",
    ]


# --- channels -------------------------------------------------------------------------------------


def _stays(expressions: Expressions, analysis: Analysis, made: Tables) -> list[str]:
    """Analysis.stays_as_it_is, for the transitions that have anybody at the other end."""
    ends = [dependency.whole_ends | dependency.guard_ends for dependency in made.dependencies]
    of_row = [union(ends[pair] for pair in set(row)) for row in made.pairs]
    asked: dict[tuple[int, int], int] = {}
    for kind, number in made.kinds.items():
        key = kind.process, kind.location
        asked[key] = asked.get(key, 0) | of_row[made.rows[number]]
    call: dict[tuple[int, int], str] = {}
    for (type_, location), mask in asked.items():
        process = analysis.program.processes[type_]
        if not mask or location not in expressions.layout.locations[type_]:
            continue
        expressions.process = type_
        cases = [
            f"case {index}: {_stays_after(expressions, transition)}"
            for index, transition in indexed(process, location, made.indices)
            if mask >> index & 1 and index < LAST_INDEX
        ]
        shared = f"case {LAST_INDEX}: return false; /* {LAST_SHARED} */"
        call[type_, location] = f"switch (index) {{ {' '.join([*cases, shared])} }}"
    return [
        "static inline bool whorl_stays(whorl_context *c, const whorl_state *s, int pid,",
        "                               int index, bool enabled) {",
        "  const uint8_t *B = whorl_bytes(s);",
        "  const uint8_t *P = B + whorl_process_bases[pid];",
        "  (void)c, (void)P, (void)index;",
        *indent(dispatch(expressions, call)),
        "  return enabled;",
        "}",
    ]


def _stays_after(expressions: Expressions, transition: Transition) -> str:
    action = transition.action
    if isinstance(action, DStep):
        entry = action.locations.get(action.entry, ())
        action = entry[0].action if len(entry) == 1 else action
    number = transition.number
    match action:
        case SendAction() | ReceiveAction(random=True):
            return _on_channel(
                expressions,
                action.channel,
                number,
                "!whorl_rendezvous(B, channel) && enabled",
                "false",
            )
        case ReceiveAction():
            return _on_channel(
                expressions, action.channel, number, "whorl_length(B, channel) > 0", "false"
            )
        case Guard(condition):
            asked = list(asked_of_ends(condition))
            if asked:
                each = " ".join(_lasts(expressions, query, number) for query in asked)
                return f"if (enabled) return true; {each} return true;"
    return "return enabled;"


def _lasts(expressions: Expressions, query: ChannelQuery | PollQuery, key: int) -> str:
    """Analysis._lasts: leaves with false, unless the answer to a query lasts."""
    room = isinstance(query, ChannelQuery) and query.query == "nfull"
    holds = "!whorl_full(B, channel)" if room else "whorl_length(B, channel) > 0"
    return _with_channel(expressions, query.channel, key, f"if (!({holds})) return false;", "false")


def _on_channel(expressions: Expressions, channel: Expr, key: int, holds: str, fault: str) -> str:
    return _with_channel(expressions, channel, key, f"return {holds};", fault)


def _with_channel(expressions: Expressions, channel: Expr, key: int, then: str, fault: str) -> str:
    return (
        f"{{ int channel = {expressions.channel(channel, key)};"
        f" if (c->fault != WHORL_NO_SITE) {{ c->fault = WHORL_NO_SITE; return {fault}; }}"
        f" {then} }}"
    )
