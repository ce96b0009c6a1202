"""The forms: small texts for every kind of statement and expression that the syntax tree has.

A `$` in a text becomes a number, so that a form can stand twice in a process. Core forms are put
beside each other in all ordered pairs; the others beside the partners only.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import product

from systematic.vocabulary import GLOBAL_FEATURES, touched


@dataclass(frozen=True, slots=True)
class Form:
    """A statement (or a few) as text. `fault` and `place` say which fault stands where."""

    name: str
    text: str
    core: bool = False
    grows: bool = False  # in a loop without end it has very many states
    in_d_step: bool = True
    fault: str = ""
    place: str = ""

    @property
    def needs(self) -> tuple[str, ...]:
        """Statements of another process without which the form may wait for ever."""
        return tuple(dict.fromkeys(text for sign, text in _NEEDS.items() if sign in self.text))

    def written(self, number: int) -> str:
        return self.text.replace("$", str(number))

    @property
    def touches(self) -> frozenset[str]:
        return touched(self.text)

    @property
    def alone(self) -> bool:
        return GLOBAL_FEATURES.search(self.text) is not None


# --- forms that stand beside all others --------------------------------------------------------

_CORE = {
    "skip": "skip",
    "set": "x = 1",
    "copy": "x = y",
    "toggle": "b = 1 - b",
    "increment": "x++",
    "local": "l = 1",
    "load": "l = x",
    "store": "y = l + 1",
    "element": "a[l] = 1",
    "element-maybe": "a[x + 1] = 1",
    "divide-maybe": "y = 1 / x",
    "guard": "x == 1",
    "guard-local": "l == 0",
    "guard-false": "false",
    "assert": "assert(x == 0)",
    "print": 'printf("x %d\\n", x)',
    "send": "c!1",
    "receive": "c?l",
    "receive-global": "c?x",
    "receive-constant": "c?1",
    "receive-eval": "c?eval(x)",
    "receive-copy": "c?<l>",
    "poll": "c?[1]",
    "nempty": "nempty(c)",
    "empty": "empty(c)",
    "send-sorted": "d!!x,1",
    "receive-random": "d??l,1",
    "offer": "r!1",
    "answer": "r?l",
    "send-array": "e[l]!1",
    "pass-channel": "w!q",
    "use-channel": "w?o; o!1",
    "run": "run Child()",
    "run-maker": "run Maker()",
    "remote-variable": "Peer[peer]:v == 0",
    "remote-label": "Peer[peer]@here",
    "timeout": "timeout",
    "if": "if :: x = 1 :: l = 1 fi",
    "if-else": "if :: x == 1 -> l = 1 :: else fi",
    "do": "do :: x == 0 -> x = 1 :: else -> break od",
    "do-busy": "do :: x == 1 -> break :: else od",
    "goto-back": "back$: if :: l < 1 -> l++; goto back$ :: else fi",
    "select": "select (l : 0 .. 1)",
    "atomic": "atomic { l = 1; x = l }",
    "atomic-blocks": "atomic { l = 1; x == 1; y = 1 }",
    "d_step": "d_step { x = 1; y = x; x = 0 }",
    "d_step-blocks": "d_step { l = 1; x == 1 }",
    "unless": "{ l = 1; x = 1 } unless { y == 1 }",
    "label-end": "end$: x == 1",
    "label-progress": "progress$: l = 1",
    "label-accept": "accept$: y = 1",
}

# --- forms that stand beside the partners -------------------------------------------------------

_MINOR = {
    "decrement": "y--",
    "assert-true": "assert(true)",
    "assert-local": "l = 1; assert(l == x)",
    "set-local-decrement": "l--",
    "receive-any": "c?_",
    "full": "full(c)",
    "nfull": "nfull(c)",
    "len": "len(c) == 1",
    "send-two": "d!1,x",
    "receive-two": "d?l,eval(x)",
    "receive-random-constant": "d??1,l",
    "receive-random-copy": "d??<1,l>",
    "poll-random": "d??[1,_]",
    "answer-constant": "r?1",
    "answer-eval": "r?eval(x)",
    "answer-global": "r?x",
    "answer-any": "r?_",
    "answer-if": "if :: r?0 -> l = 1 :: r?1 -> x = 1 fi",
    "answer-d_step": "d_step { r?l; x = l }",
    "answer-d_step-if": "d_step { if :: r?0 -> x = 2 :: r?1 -> x = 1 fi }",
    "answer-atomic": "atomic { r?l; x = l }",
    "offer-atomic": "atomic { r!1; x = 1 }",
    "receive-array": "e[l]?x",
    "receive-element": "c?a[l]",
    "own-channel": "q!1; q?l",
    "run-value": "l = run Idle()",
    "run-argument": "run Param(x)",
    "run-priority": "run Idle() priority 2",
    "remote-copy": "x = Peer[peer]:v",
    "remote-only": "Peer@here",
    "remote-pid": "Peer[_pid + 1]@here",
    "timeout-or": "if :: timeout -> x = 1 :: x == 1 fi",
    "goto": "if :: goto on$ :: l = 1 fi; on$: skip",
    "for": "for (l : 0 .. 1) { x = l }",
    "for-in": "for (l in a) { a[l] = 1 }",
    "for-channel": "for (m in h) { x = m.first }",
    "inline": "both(x)",
    "block": "{ x = 1; l = x }",
    "send-field": "h!t",
    "field": "t.first = 1; t.second = 1",
    "field-guard": "t.first == 1",
    "mtype": "k = red",
    "mtype-guard": "k == red",
    "hidden": "z = x; l = z",
    "unary": "l = !x; y = ~l; y = -y & 1",
    "modulo": "y = 1 % x",
    "conditional": "x = (y -> 1 : 2)",
    "short-circuit": "x != 0 && 1 / x == 1",
    "pid": "x = _pid - pid0",
    "processes": "_nr_pr == 1",
    "last": "_last == 1",
    "enabled": "enabled(peer)",
    "pc-value": "l = pc_value(peer)",
    "priority": "set_priority(_pid, 3)",
    "priority-guard": "get_priority(_pid) == 1",
    "exclusive-send": "xs s; s!1",
    "unless-nested": "{ { x == 1; l = 1 } unless { y == 1 } } unless { x == 2 }",
    "unless-atomic": "{ x == 1 } unless { atomic { y == 1; x = 2 } }",
    "atomic-loop": "atomic { do :: x == 1 -> break :: else od }",
    "atomic-goto": "atomic { l = 1; goto far$ }; far$: x = l",
    "d_step-loop": "d_step { do :: x == 0 -> x = 1 :: else -> break od }",
    "channel-gone": "run Maker(); w?o; o!1",
}

_GROWS = ("increment", "decrement", "set-local-decrement", "run", "run-maker", "run-value")
_GROWS_TOO = ("run-argument", "run-priority", "channel-gone", "unary")
_NOT_IN_D_STEP = ("unless", "unless-nested", "unless-atomic")

# What another process has to do before a form with this in it can move.
_NEEDS = {
    "x == 1": "x = 1",
    "x != 0": "x = 1",
    "/ x": "x = 1",
    "y == 1": "y = 1",
    "c?eval": "c!x",
    "c?": "c!1",
    "nempty(c": "c!1",
    "full(c": "c!1",
    "len(c) == 1": "c!1",
    "d?": "d!0,1",
    "d??1": "d!1,1",
    "r!": "r?_",
    "r?": "r!1",
    "e[l]?": "e[0]!1",
    "w?o; o!1": "w!q",
    "t.first == 1": "t.first = 1",
    "k == red": "k = red",
    "in h": "h!t",
}

# --- faults in every place where an expression stands -------------------------------------------

FAULTS = {
    "index": "a[l + 2]",
    "index-maybe": "a[x + 1]",
    "division": "(1 / l)",
    "division-maybe": "(1 / x)",
    "no-channel": "len(g)",
    "wrong-type": "Peer[_pid]:v",
    "wrong-type-maybe": "Peer[pid2]:v",  # a process that is born and dies, or the third
}
PLACES = {
    "assigned": "y = #",
    "left-index": "a[#] = 1",
    "index": "y = a[#]",
    "increment-index": "a[#]++",
    "guard": "# == 0",
    "operand": "x == 0 && # == 0",
    "sent": "c!#",
    "sent-sorted": "d!!1,#",
    "offered": "r!#",
    "channel-sent": "e[#]!1",
    "channel-received": "e[#]?l",
    "channel-tested": "nempty(e[#])",
    "pattern": "c?eval(#)",
    "target": "c?a[#]",
    "answer-pattern": "r?eval(#)",
    "answer-target": "r?a[#]",
    "polled": "c?[eval(#)]",
    "run-argument": "run Param(#)",
    "asserted": "assert(# == 0)",
    "printed": 'printf("%d\\n", #)',
    "if-guard": "if :: # == 1 -> y = 1 :: else -> y = 2 fi",
    "do-guard": "do :: # == 1 -> break :: else -> break od",
    "condition": "y = (# -> 1 : 2)",
    "for-bound": "for (j : 0 .. #) { y = j }",
    "select-bound": "select (j : 0 .. #)",
    "remote-pid": "Peer[#]@here",
    "remote-index": "Peer[#]:v == 0",
    "atomic-first": "atomic { # == 0; y = 1 }",
    "atomic-last": "atomic { l = 1; y = # }",
    "d_step-first": "d_step { # == 0; y = 1 }",
    "d_step-last": "d_step { l = 1; y = # }",
    "escape": "{ l = 1; y = 1 } unless { # == 1 }",
    "enabled-pid": "enabled(#)",
    "priority": "set_priority(_pid, # + 1)",
}
# Faults of a statement as a whole, which no expression has.
STATEMENT_FAULTS = {
    "send-no-channel": ("no-channel", "channel-expression", "g!1"),
    "receive-no-channel": ("no-channel", "channel-expression", "g?l"),
    "send-gone": ("channel-gone", "channel-expression", "run Maker(); w?o; o!1"),
    "receive-gone": ("channel-gone", "channel-expression", "run Maker(); w?o; o?l"),
    "test-gone": ("channel-gone", "channel-tested", "run Maker(); w?o; nempty(o)"),
    "guard-gone": ("channel-gone", "guard", "run Maker(); w?o; len(o) == 0"),
    "d_step-false": ("d_step-blocks", "statement", "d_step { l = 1; false }"),
    "d_step-assert": ("d_step-blocks", "statement", "d_step { l = 1; assert(x == 1); x == 5 }"),
}

# --- the whole list -----------------------------------------------------------------------------

PARTNERS = ("set", "guard", "local", "send", "answer", "run", "atomic", "if-else")

# Concrete classes of the syntax tree that no form has, with the reason.
WITHOUT_FORM = {
    "CText": "embedded C needs a compiler for the reference; native/embedded has it",
    "EmbeddedExpression": "as CText",
    "EmbeddedCode": "as CText",
    "EmbeddedState": "as CText",
    "NeverOrTrace": "a claim is beside a program and no part of it; the runner gives claims",
    "LtlFormula": "as NeverOrTrace",
    "Inline": "a definition; the statements of its calls are parts of the program",
}


def _form(name: str, text: str, core: bool) -> Form:
    return Form(
        name,
        text,
        core=core,
        grows=name in _GROWS or name in _GROWS_TOO,
        in_d_step=name not in _NOT_IN_D_STEP,
    )


@cache
def core_forms() -> tuple[Form, ...]:
    return tuple(_form(name, text, core=True) for name, text in _CORE.items())


@cache
def minor_forms() -> tuple[Form, ...]:
    return tuple(_form(name, text, core=False) for name, text in _MINOR.items())


@cache
def fault_forms() -> tuple[Form, ...]:
    """Every fault in every place where an expression stands."""
    found = [
        Form(
            f"{fault}:{place}",
            frame.replace("#", text),
            grows="run " in frame or "++" in frame,
            in_d_step=place != "escape",
            fault=fault,
            place=place,
        )
        for (fault, text), (place, frame) in product(FAULTS.items(), PLACES.items())
    ]
    found += [
        Form(name, text, grows="run " in text, fault=fault, place=place)
        for name, (fault, place, text) in STATEMENT_FAULTS.items()
    ]
    return tuple(found)


@cache
def partners() -> tuple[Form, ...]:
    return tuple(form for form in core_forms() if form.name in PARTNERS)


def all_forms() -> tuple[Form, ...]:
    return (*core_forms(), *minor_forms(), *fault_forms())
