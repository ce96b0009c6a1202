"""Writes the automaton of a trace or notrace assertion: a function that follows one event."""

from __future__ import annotations

from whorl.native.code.expressions import Expressions
from whorl.program.program import Const, Match, ReceiveAction, SendAction, Transition

SEND, RECEIVE = 0, 1


def location(expressions: Expressions, number: int) -> int:
    """What is stored for a location of the automaton."""
    return expressions.layout.monitor_locations.get(number, 0)


def goes(expressions: Expressions, number: int) -> str:
    """A statement that moves the automaton."""
    at = expressions.layout.monitor
    stored = location(expressions, number)
    if len(expressions.layout.monitor_locations) < 256:
        return f"B[{at}] = {stored};"
    return f"whorl_set_u16(B + {at}, {stored});"


def stands(expressions: Expressions) -> str:
    """Where the automaton is, in C."""
    at = expressions.layout.monitor
    return f"B[{at}]" if len(expressions.layout.monitor_locations) < 256 else f"whorl_u16(B + {at})"


def event(expressions: Expressions) -> list[str]:
    """The function that follows an event, as program/monitor.py does."""
    automaton = expressions.program.trace
    if automaton is None:
        return []
    site = expressions.sites.site("trace", "event")
    events = [t for t in automaton.transitions() if _is_event(t)]
    scope = " || ".join(dict.fromkeys(_same_channel(expressions, t) for t in events)) or "false"
    final = automaton.final
    lines = [
        "static void whorl_event(whorl_context *c, uint8_t *B, int kind, int channel,",
        "                        const int32_t *message, int count) {",
        "  (void)message;",
        f"  if (!({scope})) return;",
        f"  switch ({stands(expressions)}) {{",
    ]
    for number, stored in expressions.layout.monitor_locations.items():
        if number == final:
            continue
        lines.append(f"    case {stored}:")
        for transition in automaton.locations.get(number, ()):
            if not _is_event(transition):
                continue
            lines.append(f"      if ({_matches(expressions, transition)}) {{")
            lines.append("        " + goes(expressions, transition.target))
            if expressions.program.trace_negated and transition.target == final:
                lines.append(f"        whorl_fail(c, {site});")
            lines += ["        return;", "      }"]
        lines.append("      break;")
    lines.append("  }")
    lines.append(
        "  "
        + (
            goes(expressions, final)
            if expressions.program.trace_negated
            else f"whorl_fail(c, {site});"
        )
    )
    lines.append("}")
    return lines


def _is_event(transition: Transition) -> bool:
    return isinstance(transition.action, SendAction | ReceiveAction)


def _same_channel(expressions: Expressions, transition: Transition) -> str:
    action = transition.action
    assert isinstance(action, SendAction | ReceiveAction)
    kind = SEND if isinstance(action, SendAction) else RECEIVE
    return f"(kind == {kind} && channel == {expressions.value(action.channel)})"


def _matches(expressions: Expressions, transition: Transition) -> str:
    action = transition.action
    tests = [_same_channel(expressions, transition)]
    if isinstance(action, SendAction):
        wanted = [Match(a if isinstance(a, Const) else None, None) for a in action.arguments]
    else:
        assert isinstance(action, ReceiveAction)
        wanted = list(action.patterns)
    for position, match in enumerate(wanted):
        if match.value is not None:
            tests.append(
                f"count > {position} && message[{position}] == {expressions.value(match.value)}"
            )
    return " && ".join(tests)
