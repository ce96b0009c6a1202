"""Writes what transitions do: for each location of a process, a C function that emits steps."""

from __future__ import annotations

from whorl.native.code.dsteps import DSteps
from whorl.native.code.events import SEND
from whorl.native.code.steps import Steps
from whorl.native.code.tables import reset
from whorl.native.code.writing import Lines, comment, indent
from whorl.program.program import (
    Action,
    DStep,
    Expr,
    Guard,
    Otherwise,
    ProcessType,
    ReceiveAction,
    SendAction,
    Terminate,
    Transition,
    contains_run,
)


class ActionWriter:
    """Writes the functions of one process type after the other."""

    def __init__(self, steps: Steps) -> None:
        self.steps = steps
        self.expressions = steps.expressions
        self.liveness = steps.liveness
        self.program = steps.program
        self.dsteps = DSteps(steps)

    def location(self, process: ProcessType, location: int) -> Lines:
        """The function that emits the steps of a process at this location."""
        self.expressions.process = process.index
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
                body = _unless_escaped(transition, body)
            lines += ["  " + comment(transition), "  {", "    WHORL_BEGINS(c);"]
            lines += [*indent(body, 4), "  }"]
        lines.append("}")
        return lines

    def name(self, process: ProcessType, location: int) -> str:
        return f"whorl_steps_{self.expressions.names[process.index]}_{location}"

    def transition(self, process: ProcessType, transition: Transition) -> Lines:
        action = transition.action
        match action:
            case Guard(condition):
                if contains_run(condition):
                    return self.steps.emit(
                        process, transition, self.run_guard(condition), condition="started"
                    )
                return self.steps.guarded(
                    self.steps.value(condition),
                    transition,
                    self.steps.emit(process, transition, []),
                )
            case SendAction():
                return self.send(process, transition, action)
            case ReceiveAction():
                return self.receive(process, transition, action)
            case Terminate():
                return self.terminate(transition)
            case DStep():
                return self.dsteps.step(process, transition, action)
        return self.steps.emit(process, transition, self.steps.simple(action))

    def run_guard(self, condition: Expr) -> Lines:
        return [f"int32_t started = {self.expressions.value(condition)};"]

    def terminate(self, transition: Transition) -> Lines:
        last = []
        if self.expressions.layout.last is not None:
            last = [f"B[{self.expressions.layout.last}] = (uint8_t)pid;"]
        return [
            "if (pid == whorl_running(B) - 1) {",
            "  uint8_t *B = whorl_begin(c, s);",
            "  whorl_end(B, pid);",
            *indent(last),
            f"  whorl_commit(c, pid, {transition.number}, -1, -1, WHORL_NOBODY);",
            "}",
        ]

    def send(self, process: ProcessType, transition: Transition, action: SendAction) -> Lines:
        kind = self.expressions.channel_type(action.channel)
        types = self.program.channel_types
        buffered = rendezvous = True
        if kind is not None:
            buffered, rendezvous = types[kind].capacity > 0, types[kind].capacity == 0
        else:
            buffered = any(t.capacity > 0 for t in types)
            rendezvous = any(t.capacity == 0 for t in types)
        body = self.steps.known(action.channel)
        if rendezvous:
            body += [
                "if (whorl_rendezvous(B, channel)) {",
                *indent(self.offer(process, transition, action)),
                "}" + (" else" if buffered else ""),
            ]
        if buffered:
            body += [
                "if (!whorl_full(B, channel)) {",
                *indent(self.steps.emit(process, transition, self.steps.put(action, transition))),
                "}",
            ]
        return [*self.steps.channel(action.channel, transition), "{", *indent(body), "}"]

    def offer(self, process: ProcessType, transition: Transition, action: SendAction) -> Lines:
        """A send on a rendezvous channel: the sender has moved on, and the others may answer."""
        count = len(action.arguments)
        target = self.expressions.layout.locations[process.index][transition.target]
        last = []
        if self.expressions.layout.last is not None:
            last = [f"((uint8_t *)t.words)[{self.expressions.layout.last}] = (uint8_t)pid;"]
        return [
            *self.steps.wrong_count(count, transition),
            self.steps.arguments(action),
            "if (c->fault != WHORL_NO_SITE) {",
            f"  whorl_commit_fault(c, pid, {transition.number}, -1, -1);",
            "} else {",
            "  whorl_state t = *s;",
            "  uint8_t *P = (uint8_t *)t.words + whorl_process_bases[pid];",
            f"  whorl_go(P, {target});",
            *indent(reset(self.expressions, self.liveness.dies(process, [transition]))),
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

    def receive(self, process: ProcessType, transition: Transition, action: ReceiveAction) -> Lines:
        kind = self.expressions.channel_type(action.channel)
        if kind is not None and self.program.channel_types[kind].capacity == 0:
            channel = self.steps.channel(action.channel, transition)
            return [*channel, "{}"] if len(channel) > 1 else []  # it answers in a handshake only
        find = self.steps.find(action)
        count = len(action.patterns)
        body = self.steps.wrong_count(count, transition)
        body += ["else {", *indent(self.steps.take(action, "channel", "slot")), "}"]
        return [
            *self.steps.channel(action.channel, transition),
            "{",
            *indent(self.steps.known(action.channel)),
            f"  int slot = {find};",
            "  if (c->fault != WHORL_NO_SITE) {",
            f"    whorl_commit_fault(c, pid, {transition.number}, -1, -1);",
            "  } else if (slot >= 0) {",
            *indent(self.steps.emit(process, transition, body), 4),
            "  }",
            "}",
        ]

    def answers(self, process: ProcessType, location: int) -> Lines:
        """The function that emits the receives by which this location answers an offer; or none."""
        self.expressions.process = process.index
        lines: Lines = []
        transitions = process.locations.get(location, ())
        has_escape = any(t.escape for t in transitions)
        for transition in transitions:
            body = self.answer(process, transition)
            if not body:
                continue
            if has_escape:
                body = _unless_escaped(transition, body)
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
        return f"whorl_answer_{self.expressions.names[process.index]}_{location}"

    def answer(self, process: ProcessType, transition: Transition) -> Lines:
        action = transition.action
        if isinstance(action, DStep):
            return self.dsteps.answer(process, transition, action)
        if not isinstance(action, ReceiveAction) or not self.steps.may_be_rendezvous(
            action.channel
        ):
            return []
        body = self.steps.accept(action, transition)
        return [
            *self.steps.mine(action),
            "if (mine == channel) {",
            *indent(self.steps.allowed(transition)),
            *indent(self.steps.fits(action, transition)),
            "  if (c->fault != WHORL_NO_SITE) {",
            *indent(self.steps.fault_in_answer(transition), 4),
            "  } else if (fits) {",
            *indent(self.steps.emit(process, transition, body, partner="sender"), 4),
            "  }",
            "}",
        ]


def _unless_escaped(transition: Transition, body: Lines) -> Lines:
    """A step that is not made where one of another unless comes first."""
    return [
        f"if (!escape || escape == {transition.escape}) {{",
        "  uint32_t already = c->count;",
        *indent(body),
        f"  if (c->count > already) escape = {transition.escape};",
        "}",
    ]


def _is_else(action: Action) -> bool:
    return isinstance(action, Otherwise) or (
        isinstance(action, DStep) and action.guards[:1] == (Otherwise(),)
    )
