"""Writes what steps are made of: conditions, effects on the new state, and commits."""

from __future__ import annotations

import re

from whorl.native.code.events import RECEIVE, SEND
from whorl.native.code.expressions import Expressions
from whorl.native.code.sites import ASSERTION
from whorl.native.code.tables import reset
from whorl.native.code.writing import Lines, bare, comment, indent, operand
from whorl.native.passes.dead import Liveness
from whorl.native.passes.merge import Merging
from whorl.program.program import (
    Action,
    Assertion,
    ChangePriority,
    DStep,
    EmbeddedAction,
    Expr,
    Guard,
    Otherwise,
    Output,
    ProcessType,
    Program,
    ReceiveAction,
    SendAction,
    Skip,
    Store,
    Terminate,
    Transition,
    contains_run,
)

# A call that is handed the context may note a fault in it; an assertion notes a failure instead.
_MAY_FAULT = re.compile(r"\b(?!whorl_(begin|fail)\b)\w+\(c,")


class Steps:
    """Writes parts of steps: conditions, what an action does to the new state, and the commit."""

    def __init__(self, expressions: Expressions, merging: Merging, liveness: Liveness) -> None:
        self.expressions = expressions
        self.merging = merging
        self.liveness = liveness
        self.program = expressions.program

    def value(self, expr: Expr) -> tuple[str, bool]:
        """The text of an expression and whether it may fault."""
        self.expressions.faulty = False
        return self.expressions.value(expr), self.expressions.faulty

    def guarded(self, condition: tuple[str, bool], transition: Transition, body: Lines) -> Lines:
        text, faulty = condition
        if not faulty:
            return [f"if ({bare(text)}) {{", *indent(body), "}"]
        return [
            f"int32_t holds = {bare(text)};",
            "if (c->fault != WHORL_NO_SITE) {",
            f"  whorl_commit_fault(c, pid, {transition.number}, -1, -1);",
            "} else if (holds) {",
            *indent(body),
            "}",
        ]

    def emit(
        self,
        process: ProcessType,
        transition: Transition,
        body: Lines,
        condition: str | None = None,
        partner: str | None = None,
    ) -> Lines:
        """Copies the state, changes it by `body` and what is merged behind it, and commits it.

        `partner` is the sender where this transition receives in a handshake.
        """
        chain = self.merging.chain(process, transition)
        last = chain[-1] if chain else transition
        lines = [
            "uint8_t *B = whorl_begin(c, s);",
            "uint8_t *P = B + whorl_process_bases[pid];",
            *(self.offered() if partner is not None else []),
            *body,
        ]
        for merged in chain:
            lines += [comment(merged), *self.simple(merged.action)]
        lines += reset(self.expressions, self.liveness.dies(process, [transition, *chain]))
        target = self.expressions.layout.locations[process.index][last.target]
        lines.append(f"whorl_go(P, {target});")
        if self.expressions.layout.last is not None:
            lines.append(f"B[{self.expressions.layout.last}] = (uint8_t)pid;")
        holder = "pid" if last.atomic else "WHORL_NOBODY"
        who = f"pid, {transition.number}, -1, -1"
        if partner is not None:
            who = f"{partner}, sent, pid, {transition.number}"
        commit = f"whorl_commit(c, {who}, {holder});"
        if condition is not None:
            commit = f"if ({condition}) {commit}"
        fault = who
        if not any(_MAY_FAULT.search(line) for line in lines):
            return [*lines, commit]
        return [
            *lines,
            "if (c->fault != WHORL_NO_SITE) {",
            f"  whorl_commit_fault(c, {fault});",
            "} else {",
            f"  {commit}",
            "}",
        ]

    def simple(self, action: Action) -> Lines:
        """The statements of an action that is always executable, on the new state."""
        match action:
            case Skip() | Otherwise() | Guard():
                return []
            case Store(place, value):
                return [self.expressions.store(place, self.expressions.value(value))]
            case Assertion(condition):
                site = self.expressions.sites.site(ASSERTION, (action.text, id(action)))
                self.expressions.sites.said[site] = action.text
                return [
                    f"if (!{operand(self.expressions.value(condition))}) whorl_fail(c, {site});"
                ]
            case Output():
                values = [self.value(argument) for argument in action.arguments]
                return [f"(void){operand(text)};" for text, faulty in values if faulty]
            case ChangePriority():
                site = self.expressions.sites.site("priority", id(action))
                operands = [
                    self.expressions.operand(action.pid),
                    self.expressions.operand(action.priority),
                ]
                write = "whorl_set_priority(c, B, {}, {}, {})".format
                return [self.expressions.in_order(operands, lambda t: write(*t, site)) + ";"]
            case EmbeddedAction(fragment):
                return [self.expressions.fragment(fragment) + ";"]
        raise AssertionError(f"{type(action).__name__} may block")

    def ready(self, action: Action, transition: Transition) -> str:
        """A condition: whether `action` is executable, no handshake being under way."""
        match action:
            case Guard(condition):
                value = self.expressions.value(condition)
                return on_trial(value) if contains_run(condition) else value
            case SendAction():
                channel = self.expressions.channel(action.channel, transition.number)
                return f"!whorl_full(B, {channel})"
            case ReceiveAction():
                channel = self.expressions.channel(action.channel, transition.number)
                found = f"{self.find(action)} >= 0"
                return f"WHORL_DO(const int channel = {channel}; WHORL_GIVES {found};)"
            case Terminate():
                return "pid == whorl_running(B) - 1"
            case DStep():
                return " || ".join(self.ready(g, transition) for g in action.guards) or "1"
        return "1"

    # --- channels --------------------------------------------------------------------------------

    def channel(self, expr: Expr, transition: Transition) -> Lines:
        self.expressions.faulty = False
        text = self.expressions.channel(expr, transition.number)
        lines = [f"int channel = {text};"]
        if self.expressions.faulty:
            lines += [
                "if (c->fault != WHORL_NO_SITE) {",
                f"  whorl_commit_fault(c, pid, {transition.number}, -1, -1);",
                "} else",
            ]
        return lines

    def known(self, expr: Expr) -> Lines:
        """Tells the compiler the type of the channel, where the text does."""
        kind = self.expressions.channel_type(expr)
        if kind is None:
            return []
        return [f"WHORL_KNOWN(channel > 0 && whorl_channel_type(B, channel) == {kind});"]

    def may_be_rendezvous(self, expr: Expr) -> bool:
        kind = self.expressions.channel_type(expr)
        types = self.program.channel_types
        if kind is not None:
            return types[kind].capacity == 0
        return any(t.capacity == 0 for t in types)

    def arguments(self, action: SendAction) -> str:
        """The values of a message: as many variables as it has fields, in order."""
        values = ", ".join(self.expressions.value(argument) for argument in action.arguments)
        return f"int32_t values[] = {{{values}}};"

    def wrong_count(self, count: int, transition: Transition) -> Lines:
        site = self.expressions.sites.site("channel", (transition.number, "count"))
        return [
            f"if (whorl_field_counts[whorl_channel_type(B, channel)] != {count})"
            f" whorl_fault(c, {site});"
        ]

    def put(self, action: SendAction, transition: Transition) -> Lines:
        count = len(action.arguments)
        return [
            *self.wrong_count(count, transition),
            "else {",
            "  " + self.arguments(action),
            f"  whorl_put(B, channel, {int(action.sorted)}, {count}, values);",
            *indent(self.sent(count)),
            "}",
        ]

    def sent(self, count: int) -> Lines:
        """Tells the trace assertion, if there is one, of the message in `values`."""
        if self.program.trace is None:
            return []
        return [
            f"int32_t message[{count}];",
            f"for (int i = 0; i < {count}; i++)",
            "  message[i] = whorl_cut(whorl_channel_type(B, channel), i, values[i]);",
            f"whorl_event(c, B, {SEND}, channel, message, {count});",
        ]

    def received(self, count: int, field: str) -> Lines:
        """Tells the trace assertion of the message taken; `field` is the text of field i."""
        if self.program.trace is None:
            return []
        return [
            "{",
            f"  int32_t taken[{count}];",
            f"  for (int i = 0; i < {count}; i++) taken[i] = {field};",
            f"  whorl_event(c, B, {RECEIVE}, channel, taken, {count});",
            "}",
        ]

    def assign(self, action: ReceiveAction, source: str) -> Lines:
        """Stores the fields of a message; `source` is the text of field %d."""
        return [
            self.expressions.store(match.target, source % position)
            for position, match in enumerate(action.patterns)
            if match.target is not None
        ]

    def find(self, action: ReceiveAction) -> str:
        """The position in `channel` of what a receive takes; -1: there is nothing, or it is none
        that has a buffer. Then its patterns are not looked at.
        """
        kind = self.expressions.channel_type(action.channel)
        if kind is not None and self.program.channel_types[kind].capacity == 0:
            return "-1"
        find = self.expressions.search("channel", action.patterns, action.random)
        if not self.may_be_rendezvous(action.channel):
            return find
        return f"(channel && !whorl_rendezvous(B, channel) ? {find} : -1)"

    def take(self, action: ReceiveAction, channel: str, slot: str) -> Lines:
        lines = self.assign(action, f"whorl_field(B, {channel}, {slot}, %d)")
        if not action.copy:
            field = f"whorl_field(B, {channel}, {slot}, i)"
            lines += self.received(len(action.patterns), field)
            lines.append(self.taken(action.channel, channel, slot))
        return lines

    def taken(self, expr: Expr, channel: str, slot: str) -> str:
        """Takes a message away; without a look at the type where the text tells it."""
        kind = self.expressions.channel_type(expr)
        if kind is None:
            return f"whorl_take(B, {channel}, {slot});"
        size = self.expressions.layout.messages[kind].size
        capacity = self.program.channel_types[kind].capacity
        return f"whorl_take_from(B + whorl_queue({channel}), {slot}, {size}, {capacity});"

    # --- receives that answer an offer -----------------------------------------------------------

    def mine(self, action: ReceiveAction) -> Lines:
        """The channel that a receive waits at. If that has no value, it is not the offered one."""
        self.expressions.faulty = False
        with self.expressions.during_offers():
            channel = self.expressions.channel(action.channel, "answer")
        if not self.expressions.faulty:
            return [f"const int mine = {channel};"]
        return [
            f"int mine = {channel};",
            "if (c->fault != WHORL_NO_SITE) {",
            "  c->fault = WHORL_NO_SITE;",
            "  mine = 0;",
            "}",
        ]

    def allowed(self, transition: Transition) -> Lines:
        """Leaves the function if this process may not move; where nothing tells, by a fault."""
        if not is_restrained(self.program):
            return []
        return [
            "if (!whorl_provided(c, B, pid) || c->fault != WHORL_NO_SITE) {",
            "  if (c->fault != WHORL_NO_SITE) {",
            *indent(self.fault_in_answer(transition), 4),
            "  }",
            "  return;",
            "}",
        ]

    def fault_in_answer(self, transition: Transition) -> Lines:
        fault = f"whorl_commit_fault(c, sender, sent, pid, {transition.number});"
        return [*self.offered(), fault]

    def offered(self) -> Lines:
        """At the beginning of a step that answers an offer: what had failed in that."""
        return [] if self.program.trace is None else ["c->failure = c->offered;"]

    def fits(self, action: ReceiveAction, transition: Transition) -> Lines:
        """Whether a receive on the offered channel takes the message: `fits`, or a fault."""
        if action.copy:
            polled = self.expressions.sites.site("channel", (transition.number, "polled"))
            return [f"whorl_fault(c, {polled});", "const bool fits = false;"]
        lines, tests = [], []
        for position, match in enumerate(action.patterns):
            if match.value is not None:
                with self.expressions.during_offers():
                    value = self.expressions.value(match.value)
                lines.append(f"const int32_t wanted_{position} = {value};")
                tests.append(f"count > {position} && message[{position}] == wanted_{position}")
        return [*lines, f"const bool fits = {' && '.join(tests) or 'true'};"]

    def accept(self, action: ReceiveAction, transition: Transition) -> Lines:
        """Takes the message of an offer, in the new state."""
        count = len(action.patterns)
        site = self.expressions.sites.site("channel", (transition.number, "count"))
        with self.expressions.during_offers():
            assigned = self.assign(action, "message[%d]")
        return [
            f"if (count != {count}) whorl_fault(c, {site});",
            "else {",
            *indent(assigned),
            *indent(self.received(count, "message[i]")),
            "}",
        ]


def on_trial(value: str) -> str:
    """An expression with an effect, evaluated in a copy of the state."""
    return (
        "WHORL_DO(whorl_state trial; memcpy(&trial, B, sizeof trial);"
        " uint8_t *B = (uint8_t *)trial.words;"
        f" const uint8_t *P = B + whorl_process_bases[pid]; (void)P; WHORL_GIVES {value};)"
    )


def is_restrained(program: Program) -> bool:
    """Whether processes may have to wait although they have something to do."""
    return program.uses_priorities or any(p.provided is not None for p in program.processes)
