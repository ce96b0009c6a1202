"""Writes what transitions do: for each location of a process, a C function that emits steps."""

from __future__ import annotations

import re

from whorl.native.dead import Liveness
from whorl.native.dsteps import DSteps
from whorl.native.events import RECEIVE, SEND
from whorl.native.expressions import Expressions
from whorl.native.merge import Merging
from whorl.native.sites import ASSERTION
from whorl.native.tables import reset
from whorl.native.writing import Lines, bare, comment, indent, operand
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


class Actions:
    """Writes the functions of one process type after the other."""

    def __init__(self, expressions: Expressions, merging: Merging, liveness: Liveness) -> None:
        self.e = expressions
        self.merging = merging
        self.liveness = liveness
        self.program = expressions.program
        self.dsteps = DSteps(self)

    # --- a location ------------------------------------------------------------------------------

    def location(self, process: ProcessType, location: int) -> Lines:
        """The function that emits the steps of a process at this location."""
        self.e.process = process.index
        transitions = process.locations.get(location, ())
        lines = [
            f"static void {self.name(process, location)}(whorl_context *c, const whorl_state *s,"
            " int pid) {",
            "  const uint8_t *B = whorl_bytes(s);",
            "  const uint8_t *P = B + whorl_process_bases[pid];",
            "  (void)P;",
        ]
        has_else = any(_is_else(t.action) for t in transitions)
        has_escape = any(t.escape for t in transitions)
        if has_else or has_escape:
            lines.append("  uint32_t before = c->count;")
        if has_escape:
            lines.append("  int escape = 0;")
        for transition in transitions:
            body = self.transition(process, transition)
            if _is_else(transition.action):
                body = ["if (c->count == before) {", *indent(body), "}"]
            if has_escape:
                body = [
                    f"if (!escape || escape == {transition.escape}) {{",
                    "  uint32_t already = c->count;",
                    *indent(body),
                    f"  if (c->count > already) escape = {transition.escape};",
                    "}",
                ]
            lines += ["  " + comment(transition), "  {", "    WHORL_BEGINS(c);"]
            lines += [*indent(body, 4), "  }"]
        lines.append("}")
        return lines

    def name(self, process: ProcessType, location: int) -> str:
        return f"whorl_steps_{self.e.names[process.index]}_{location}"

    def transition(self, process: ProcessType, transition: Transition) -> Lines:
        action = transition.action
        match action:
            case Guard(condition):
                if contains_run(condition):
                    return self.emit(
                        process, transition, self.run_guard(condition), condition="started"
                    )
                return self.guarded(
                    self.value(condition), transition, self.emit(process, transition, [])
                )
            case SendAction():
                return self.send(process, transition, action)
            case ReceiveAction():
                return self.receive(process, transition, action)
            case Terminate():
                return self.terminate(transition)
            case DStep():
                return self.dsteps.step(process, transition, action)
        return self.emit(process, transition, self.simple(action))

    def value(self, expr: Expr) -> tuple[str, bool]:
        """The text of an expression and whether it may fault."""
        self.e.faulty = False
        return self.e.value(expr), self.e.faulty

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

    def run_guard(self, condition: Expr) -> Lines:
        return [f"int32_t started = {self.e.value(condition)};"]

    # --- emitting a step -------------------------------------------------------------------------

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
        lines += reset(self.e, self.liveness.dies(process, [transition, *chain]))
        target = self.e.layout.locations[process.index][last.target]
        lines.append(f"whorl_go(P, {target});")
        if self.e.layout.last is not None:
            lines.append(f"B[{self.e.layout.last}] = (uint8_t)pid;")
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
                return [self.e.store(place, self.e.value(value))]
            case Assertion(condition):
                site = self.e.sites.site(ASSERTION, (action.text, id(action)))
                self.e.sites.said[site] = action.text
                return [f"if (!{operand(self.e.value(condition))}) whorl_fail(c, {site});"]
            case Output():
                values = [self.value(argument) for argument in action.arguments]
                return [f"(void){operand(text)};" for text, faulty in values if faulty]
            case ChangePriority():
                site = self.e.sites.site("priority", id(action))
                operands = [self.e.operand(action.pid), self.e.operand(action.priority)]
                write = "whorl_set_priority(c, B, {}, {}, {})".format
                return [self.e.in_order(operands, lambda t: write(*t, site)) + ";"]
            case EmbeddedAction(fragment):
                return [self.e.fragment(fragment) + ";"]
        raise AssertionError(f"{type(action).__name__} may block")

    def terminate(self, transition: Transition) -> Lines:
        last = []
        if self.e.layout.last is not None:
            last = [f"B[{self.e.layout.last}] = (uint8_t)pid;"]
        return [
            "if (pid == whorl_running(B) - 1) {",
            "  uint8_t *B = whorl_begin(c, s);",
            "  whorl_end(B, pid);",
            *indent(last),
            f"  whorl_commit(c, pid, {transition.number}, -1, -1, WHORL_NOBODY);",
            "}",
        ]

    # --- channels --------------------------------------------------------------------------------

    def channel(self, expr: Expr, transition: Transition) -> Lines:
        self.e.faulty = False
        text = self.e.channel(expr, transition.number)
        lines = [f"int channel = {text};"]
        if self.e.faulty:
            lines += [
                "if (c->fault != WHORL_NO_SITE) {",
                f"  whorl_commit_fault(c, pid, {transition.number}, -1, -1);",
                "} else",
            ]
        return lines

    def known(self, expr: Expr) -> Lines:
        """Tells the compiler the type of the channel, where the text does."""
        kind = self.e.channel_type(expr)
        if kind is None:
            return []
        return [f"WHORL_KNOWN(channel > 0 && whorl_channel_type(B, channel) == {kind});"]

    def send(self, process: ProcessType, transition: Transition, action: SendAction) -> Lines:
        kind = self.e.channel_type(action.channel)
        types = self.program.channel_types
        buffered = rendezvous = True
        if kind is not None:
            buffered, rendezvous = types[kind].capacity > 0, types[kind].capacity == 0
        else:
            buffered = any(t.capacity > 0 for t in types)
            rendezvous = any(t.capacity == 0 for t in types)
        body = self.known(action.channel)
        if rendezvous:
            body += [
                "if (whorl_rendezvous(B, channel)) {",
                *indent(self.offer(process, transition, action)),
                "}" + (" else" if buffered else ""),
            ]
        if buffered:
            body += [
                "if (!whorl_full(B, channel)) {",
                *indent(self.emit(process, transition, self.put(action, transition))),
                "}",
            ]
        return [*self.channel(action.channel, transition), "{", *indent(body), "}"]

    def arguments(self, action: SendAction) -> str:
        """The values of a message: as many variables as it has fields, in order."""
        values = ", ".join(self.e.value(argument) for argument in action.arguments)
        return f"int32_t values[] = {{{values}}};"

    def wrong_count(self, count: int, transition: Transition) -> Lines:
        site = self.e.sites.site("channel", (transition.number, "count"))
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

    def offer(self, process: ProcessType, transition: Transition, action: SendAction) -> Lines:
        """A send on a rendezvous channel: the sender has moved on, and the others may answer."""
        count = len(action.arguments)
        target = self.e.layout.locations[process.index][transition.target]
        last = []
        if self.e.layout.last is not None:
            last = [f"((uint8_t *)t.words)[{self.e.layout.last}] = (uint8_t)pid;"]
        return [
            *self.wrong_count(count, transition),
            self.arguments(action),
            "if (c->fault != WHORL_NO_SITE) {",
            f"  whorl_commit_fault(c, pid, {transition.number}, -1, -1);",
            "} else {",
            "  whorl_state t = *s;",
            "  uint8_t *P = (uint8_t *)t.words + whorl_process_bases[pid];",
            f"  whorl_go(P, {target});",
            *indent(reset(self.e, self.liveness.dies(process, [transition]))),
            *indent(last),
            "  int kind = whorl_channel_type(B, channel);",
            f"  for (int i = 0; i < {count}; i++) values[i] = whorl_cut(kind, i, values[i]);",
            *indent(self.offer_answered(transition, count)),
            "}",
        ]

    def offer_answered(self, transition: Transition, count: int) -> Lines:
        """The steps that complete an offer. If its own event fails, each of them does."""
        answers = f"whorl_answers(c, &t, pid, {transition.number}, channel, values, {count});"
        if self.program.trace is None:
            return [answers]
        return [
            f"whorl_event(c, (uint8_t *)t.words, {SEND}, channel, values, {count});",
            "c->offered = c->failure;",
            "c->failure = WHORL_NO_SITE;",
            "if (c->fault != WHORL_NO_SITE) {",
            f"  whorl_commit_fault(c, pid, {transition.number}, -1, -1);",
            "} else {",
            f"  {answers}",
            "}",
            "c->offered = WHORL_NO_SITE;",
        ]

    def offered(self) -> Lines:
        """At the beginning of a step that answers an offer: what had failed in that."""
        return [] if self.program.trace is None else ["c->failure = c->offered;"]

    def assign(self, action: ReceiveAction, source: str) -> Lines:
        """Stores the fields of a message; `source` is the text of field %d."""
        return [
            self.e.store(match.target, source % position)
            for position, match in enumerate(action.patterns)
            if match.target is not None
        ]

    def receive(self, process: ProcessType, transition: Transition, action: ReceiveAction) -> Lines:
        kind = self.e.channel_type(action.channel)
        if kind is not None and self.program.channel_types[kind].capacity == 0:
            channel = self.channel(action.channel, transition)
            return [*channel, "{}"] if len(channel) > 1 else []  # it answers in a handshake only
        find = self.find(action)
        count = len(action.patterns)
        body = self.wrong_count(count, transition)
        body += ["else {", *indent(self.take(action, "channel", "slot")), "}"]
        return [
            *self.channel(action.channel, transition),
            "{",
            *indent(self.known(action.channel)),
            f"  int slot = {find};",
            "  if (c->fault != WHORL_NO_SITE) {",
            f"    whorl_commit_fault(c, pid, {transition.number}, -1, -1);",
            "  } else if (slot >= 0) {",
            *indent(self.emit(process, transition, body), 4),
            "  }",
            "}",
        ]

    def find(self, action: ReceiveAction) -> str:
        """The position in `channel` of what a receive takes; -1: there is nothing, or it is none
        that has a buffer. Then its patterns are not looked at.
        """
        kind = self.e.channel_type(action.channel)
        if kind is not None and self.program.channel_types[kind].capacity == 0:
            return "-1"
        find = self.e.search("channel", action.patterns, action.random)
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
        kind = self.e.channel_type(expr)
        if kind is None:
            return f"whorl_take(B, {channel}, {slot});"
        size, capacity = (
            self.e.layout.messages[kind].size,
            self.program.channel_types[kind].capacity,
        )
        return f"whorl_take_from(B + whorl_queue({channel}), {slot}, {size}, {capacity});"

    # --- handshakes ------------------------------------------------------------------------------

    def answers(self, process: ProcessType, location: int) -> Lines:
        """The function that emits the receives by which this location answers an offer; or none."""
        self.e.process = process.index
        lines: Lines = []
        transitions = process.locations.get(location, ())
        has_escape = any(t.escape for t in transitions)
        for transition in transitions:
            body = self.answer(process, transition)
            if not body:
                continue
            if has_escape:
                body = [
                    f"if (!escape || escape == {transition.escape}) {{",
                    "  uint32_t already = c->count;",
                    *indent(body),
                    f"  if (c->count > already) escape = {transition.escape};",
                    "}",
                ]
            lines += ["  " + comment(transition), "  {", "    WHORL_BEGINS(c);"]
            lines += [*indent(body, 4), "  }"]
        if not lines:
            return []
        return [
            f"static void {self.answer_name(process, location)}(whorl_context *c,"
            " const whorl_state *s, int pid, int sender,",
            "    int32_t sent, int channel, const int32_t *message, int count) {",
            "  const uint8_t *B = whorl_bytes(s);",
            "  const uint8_t *P = B + whorl_process_bases[pid];",
            "  (void)P, (void)message;",
            *(["  int escape = 0;"] if has_escape else []),
            *lines,
            "}",
        ]

    def answer_name(self, process: ProcessType, location: int) -> str:
        return f"whorl_answer_{self.e.names[process.index]}_{location}"

    def answer(self, process: ProcessType, transition: Transition) -> Lines:
        action = transition.action
        if isinstance(action, DStep):
            return self.dsteps.answer(process, transition, action)
        if not isinstance(action, ReceiveAction) or not self.may_be_rendezvous(action.channel):
            return []
        body = self.accept(action, transition)
        return [
            *self.mine(action),
            "if (mine == channel) {",
            *indent(self.allowed(transition)),
            *indent(self.fits(action, transition)),
            "  if (c->fault != WHORL_NO_SITE) {",
            *indent(self.fault_in_answer(transition), 4),
            "  } else if (fits) {",
            *indent(self.emit(process, transition, body, partner="sender"), 4),
            "  }",
            "}",
        ]

    def may_be_rendezvous(self, expr: Expr) -> bool:
        kind = self.e.channel_type(expr)
        types = self.program.channel_types
        if kind is not None:
            return types[kind].capacity == 0
        return any(t.capacity == 0 for t in types)

    def mine(self, action: ReceiveAction) -> Lines:
        """The channel that a receive waits at. If that has no value, it is not the offered one."""
        self.e.faulty = False
        with self.e.during_offers():
            channel = self.e.channel(action.channel, "answer")
        if not self.e.faulty:
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

    def fits(self, action: ReceiveAction, transition: Transition) -> Lines:
        """Whether a receive on the offered channel takes the message: `fits`, or a fault."""
        if action.copy:
            polled = self.e.sites.site("channel", (transition.number, "polled"))
            return [f"whorl_fault(c, {polled});", "const bool fits = false;"]
        lines, tests = [], []
        for position, match in enumerate(action.patterns):
            if match.value is not None:
                with self.e.during_offers():
                    value = self.e.value(match.value)
                lines.append(f"const int32_t wanted_{position} = {value};")
                tests.append(f"count > {position} && message[{position}] == wanted_{position}")
        return [*lines, f"const bool fits = {' && '.join(tests) or 'true'};"]

    def accept(self, action: ReceiveAction, transition: Transition) -> Lines:
        """Takes the message of an offer, in the new state."""
        count = len(action.patterns)
        site = self.e.sites.site("channel", (transition.number, "count"))
        with self.e.during_offers():
            assigned = self.assign(action, "message[%d]")
        return [
            f"if (count != {count}) whorl_fault(c, {site});",
            "else {",
            *indent(assigned),
            *indent(self.received(count, "message[i]")),
            "}",
        ]

    def ready(self, action: Action, transition: Transition) -> str:
        """A condition: whether `action` is executable, no handshake being under way."""
        match action:
            case Guard(condition):
                value = self.e.value(condition)
                return on_trial(value) if contains_run(condition) else value
            case SendAction():
                channel = self.e.channel(action.channel, transition.number)
                return f"!whorl_full(B, {channel})"
            case ReceiveAction():
                channel = self.e.channel(action.channel, transition.number)
                return f"({{ const int channel = {channel}; {self.find(action)} >= 0; }})"
            case Terminate():
                return "pid == whorl_running(B) - 1"
            case DStep():
                return " || ".join(self.ready(g, transition) for g in action.guards) or "1"
        return "1"


def on_trial(value: str) -> str:
    """An expression with an effect, evaluated in a copy of the state."""
    return (
        "({ whorl_state trial; memcpy(&trial, B, sizeof trial);"
        " uint8_t *B = (uint8_t *)trial.words;"
        f" const uint8_t *P = B + whorl_process_bases[pid]; (void)P; {value}; }})"
    )


def is_restrained(program: Program) -> bool:
    """Whether processes may have to wait although they have something to do."""
    return program.uses_priorities or any(p.provided is not None for p in program.processes)


def _is_else(action: Action) -> bool:
    return isinstance(action, Otherwise) or (
        isinstance(action, DStep) and action.guards[:1] == (Otherwise(),)
    )
