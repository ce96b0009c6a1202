"""Writes d_steps: a loop over the little graph of one, and how one answers an offer."""

from __future__ import annotations

from whorl.native.code.steps import Steps
from whorl.native.code.writing import Lines, bare, comment, indent
from whorl.program.program import (
    DStep,
    Guard,
    ProcessType,
    ReceiveAction,
    SendAction,
    Transition,
)

DSTEP_LIMIT = 1_000_000


class DSteps:
    """Writes the d_steps of a program; what its actions do is written by `steps`."""

    def __init__(self, steps: Steps) -> None:
        self.steps = steps
        self.expressions = steps.expressions

    def step(self, process: ProcessType, transition: Transition, action: DStep) -> Lines:
        """The steps of a d_step, no handshake being under way."""
        ready = [f"({self.steps.ready(guard, transition)})" for guard in action.guards]
        body = [f"int at = {action.entry};", *self.body(transition, action)]
        return self.steps.guarded(
            (" || ".join(ready) or "1", True),
            transition,
            self.steps.emit(process, transition, body),
        )

    def body(self, transition: Transition, action: DStep) -> Lines:
        """Runs a d_step on the new state, from the location `at`."""
        blocked = self.expressions.sites.site("d_step", (transition.number, "blocks"))
        endless = self.expressions.sites.site("d_step", (transition.number, "endless"))
        cases: Lines = []
        for location, inners in action.locations.items():
            cases.append(f"case {location}:")
            for inner in inners:
                cases += indent([comment(inner), *self.inner(inner)])
            cases += [f"  whorl_fault(c, {blocked});", "  break;"]
        return [
            f"int left = {DSTEP_LIMIT};",
            "while (c->fault == WHORL_NO_SITE) {",
            f"  if (!left--) whorl_fault(c, {endless});",
            "  switch (at) {",
            *indent(cases, 4),
            "    default:",
            "      left = -1;",
            "      break;",
            "  }",
            "  if (left < 0) break;",
            "}",
        ]

    def inner(self, transition: Transition) -> Lines:
        """One transition of a d_step: taken, if it is executable, on the way to the next."""
        action = transition.action
        go = [f"at = {transition.target};", "break;"]
        match action:
            case ReceiveAction():
                return self.receive(transition, action, go)
            case SendAction():
                return self.send(transition, action, go)
            case Guard(condition):
                return [f"if ({bare(self.expressions.value(condition))}) {{", *indent(go), "}"]
        return ["{", *indent(self.steps.simple(action)), *indent(go), "}"]

    def receive(self, transition: Transition, action: ReceiveAction, go: Lines) -> Lines:
        channel = self.expressions.channel(action.channel, transition.number)
        return [
            "{",
            f"  int channel = {channel};",
            f"  int slot = channel ? {self.steps.find(action)} : -1;",
            "  if (slot >= 0) {",
            *indent(self.steps.wrong_count(len(action.patterns), transition), 4),
            "    else {",
            *indent(self.steps.take(action, "channel", "slot"), 6),
            "    }",
            *indent(go, 4),
            "  }",
            "}",
        ]

    def send(self, transition: Transition, action: SendAction, go: Lines) -> Lines:
        """Sends into a buffer. At a rendezvous channel, a fault in the message comes first."""
        channel = self.expressions.channel(action.channel, transition.number)
        rendezvous = self.expressions.sites.site("d_step", (transition.number, "rendezvous"))
        count = len(action.arguments)
        return [
            "{",
            f"  int channel = {channel};",
            "  if (channel && whorl_rendezvous(B, channel)) {",
            *indent(self.steps.wrong_count(count, transition), 4),
            "    else {",
            f"      {self.steps.arguments(action)}",
            "      (void)values;",
            *indent(self.steps.sent(count), 6),
            "    }",
            f"    whorl_fault(c, {rendezvous});",
            *indent(go, 4),
            "  }",
            "  if (channel && !whorl_full(B, channel)) {",
            *indent(self.steps.put(action, transition), 4),
            *indent(go, 4),
            "  }",
            "}",
        ]

    # --- handshakes ------------------------------------------------------------------------------

    def answer(self, process: ProcessType, transition: Transition, action: DStep) -> Lines:
        """A d_step that begins by receiving answers an offer by the first receive that fits.

        While an offer waits, nothing else is executable.
        """
        ways = self.ways(action)
        if not ways:
            return []
        body = ["int at = 0;", "switch (begins) {"]
        for number, (inner, receive) in enumerate(ways):
            body.append(f"  case {number}:")
            body += indent(self.steps.accept(receive, inner), 4)
            body += [f"    at = {inner.target};", "    break;"]
        body += ["}", *self.body(transition, action)]
        chosen: Lines = []
        for number, (inner, receive) in enumerate(ways):
            chosen += ["if (begins < 0 && c->fault == WHORL_NO_SITE) {"]
            chosen += indent(self.tried(transition, inner, receive, number))
            chosen.append("}")
        return [
            "int begins = -1;",
            *chosen,
            "if (c->fault != WHORL_NO_SITE) {",
            *indent(self.steps.fault_in_answer(transition)),
            "} else if (begins >= 0) {",
            *indent(self.steps.emit(process, transition, body, partner="sender")),
            "}",
        ]

    def ways(self, action: DStep) -> list[tuple[Transition, ReceiveAction]]:
        """The receives that a d_step may begin with in a handshake, in order."""
        return [
            (inner, inner.action)
            for inner in action.locations.get(action.entry, ())
            if isinstance(inner.action, ReceiveAction)
            and inner.action in action.guards
            and self.steps.may_be_rendezvous(inner.action.channel)
        ]

    def tried(
        self, transition: Transition, inner: Transition, receive: ReceiveAction, number: int
    ) -> Lines:
        return [
            *self.steps.mine(receive),
            "if (mine == channel) {",
            *indent(self.steps.allowed(transition)),
            *indent(self.steps.fits(receive, inner)),
            f"  if (fits) begins = {number};",
            "}",
        ]
