"""Reads automata in the Hanoi Omega-Automata format, version 1.

What is read: nondeterministic automata whose acceptance is a positive Boolean combination of
`Inf`, which is every kind of Büchi acceptance, with labels on edges, on states, or implicit, with
acceptance on edges or on states. The rest of the format (Rabin, parity, alternation, ...) is
refused, with the place that says so.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from whorl.diagnostics import Source, Span, WhorlError, counted, suggest
from whorl.property.automaton import MOST_PROPOSITIONS, Automaton, Edge, full, literal

MOST_STATES = 100_000
MOST_SETS = 64
MOST_DIGITS = 9
MOST_NESTED = 100  # parentheses and negations

_TOKEN = re.compile(
    r"""(?P<space>\s+)
    | (?P<string>"(?:[^"\\\n]|\\.)*")
    | (?P<mark>--(?:BODY|END|ABORT)--)
    | (?P<header>[A-Za-z_][0-9A-Za-z_.-]*:)
    | (?P<name>@[0-9A-Za-z_-]+|[A-Za-z_][0-9A-Za-z_-]*)
    | (?P<number>[0-9]+)
    | (?P<sign>[\[\](){}!&|])""",
    re.VERBOSE | re.DOTALL,
)
_HEADERS = (
    "HOA:", "States:", "Start:", "AP:", "Alias:", "Acceptance:", "acc-name:", "tool:", "name:",
    "properties:",
)  # fmt: skip

# A condition on which sets are met again and again: a conjunction of disjunctions, each of sets or
# (with True) of complements of sets. Meeting one of several sets is meeting their union, so a
# disjunction is a single set of a generalised Büchi automaton.
Condition = frozenset[frozenset[tuple[int, bool]]]


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    span: Span


@dataclass(slots=True)
class _Header:
    """What the header says, before the body is read."""

    states: int | None = None
    starts: list[int] = field(default_factory=list)
    propositions: tuple[str, ...] | None = None
    aliases: dict[str, int] = field(default_factory=dict)
    sets: int = 0
    condition: Condition | None = None


def read_hoa(text: str, name: str = "<hoa>") -> Automaton:
    """The automaton of a HOA text; `name` is what diagnostics call it."""
    return _Reader(Source(name, text)).read()


class _Reader:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.tokens = list(_tokens(source))
        self.at = 0
        self.header = _Header()
        self.depth = 0

    # --- tokens ----------------------------------------------------------------------------------

    @property
    def token(self) -> _Token:
        return self.tokens[self.at]

    def sees(self, *texts: str) -> bool:
        return self.token.text in texts and self.token.kind != "string"

    def take(self, kind: str, wanted: str) -> _Token:
        token = self.token
        if token.kind != kind:
            raise self.unexpected(wanted)
        self.at += 1
        return token

    def expect(self, text: str) -> _Token:
        if not self.sees(text):
            raise self.unexpected(f"'{text}'")
        self.at += 1
        return self.tokens[self.at - 1]

    def number(self, wanted: str = "a number") -> int:
        token = self.take("number", wanted)
        if len(token.text) > MOST_DIGITS:
            raise WhorlError.at(token.span, "this number is too large")
        return int(token.text)

    def string(self, wanted: str) -> str:
        return re.sub(r"\\(.)", r"\1", self.take("string", wanted).text[1:-1], flags=re.DOTALL)

    def deeper(self) -> None:
        self.depth += 1
        if self.depth > MOST_NESTED:
            raise WhorlError.at(self.token.span, "this is nested too deeply")

    def unexpected(self, wanted: str) -> WhorlError:
        actual = "the end of the text" if self.token.kind == "end" else f"'{self.token.text}'"
        return WhorlError.at(self.token.span, f"expected {wanted}, found {actual}")

    # --- the header ------------------------------------------------------------------------------

    def read(self) -> Automaton:
        if not self.sees("HOA:"):
            hint = "a file in the HOA format begins with 'HOA: v1'"
            raise WhorlError.at(self.token.span, "this is not an automaton in the HOA format", hint)
        self.at += 1
        version = self.take("name", "the version")
        if version.text != "v1":
            raise WhorlError.at(version.span, f"version {version.text} of HOA is not supported")
        seen: set[str] = set()
        while not self.sees("--BODY--"):
            self._item(seen)
        header = self.header
        if header.condition is None:
            raise WhorlError.at(self.token.span, "the header has no 'Acceptance:'")
        self.at += 1
        automaton = self._body(header, header.condition)
        if self.sees("--ABORT--"):
            raise WhorlError.at(self.token.span, "the automaton was aborted by who wrote it")
        self.expect("--END--")
        if self.token.kind != "end":
            raise WhorlError.at(
                self.token.span, "something follows the automaton", "a file holds one automaton"
            )
        return automaton

    def _item(self, seen: set[str]) -> None:
        token = self.take("header", "a header item or --BODY--")
        header = self.header
        if token.text in seen and token.text in _HEADERS and token.text not in (
            "Start:", "Alias:", "properties:"
        ):  # fmt: skip
            raise WhorlError.at(token.span, f"'{token.text}' is given twice")
        seen.add(token.text)
        match token.text:
            case "States:":
                at = self.token.span
                header.states = self.number("the number of states")
                if header.states > MOST_STATES:
                    raise WhorlError.at(at, f"more than {MOST_STATES:,} states are not supported")
            case "Start:":
                header.starts.append(self._state())
                if self.sees("&"):
                    raise self._alternating()
            case "AP:":
                header.propositions = self._propositions()
            case "Alias:":
                alias = self.take("name", "a name that begins with '@'")
                if header.propositions is None:
                    hint = "put 'AP:' before it"
                    raise WhorlError.at(token.span, "an alias before the propositions", hint)
                header.aliases[alias.text] = self._label()
            case "Acceptance:":
                header.sets = self.number("the number of acceptance sets")
                header.condition = self._condition()
            case _ if token.text[0].isupper():
                near = suggest(token.text, _HEADERS)
                raise WhorlError.at(token.span, f"unknown header item '{token.text}'", near)
            case _:  # of no matter for the language
                while self.token.kind not in ("header", "mark", "end"):
                    if token.text == "properties:" and self.sees("univ-branch"):
                        raise self._alternating()
                    self.at += 1

    def _propositions(self) -> tuple[str, ...]:
        begin = self.token.span
        count = self.number("the number of propositions")
        names: list[str] = []
        while self.token.kind == "string":
            span = self.token.span
            names.append(self.string("a proposition"))
            if names[-1] in names[:-1]:
                raise WhorlError.at(span, f"proposition '{names[-1]}' is given twice")
        if len(names) != count:
            said = counted(count, "proposition")
            raise WhorlError.at(begin, f"{said} announced, but {len(names)} given")
        if count > MOST_PROPOSITIONS:
            raise WhorlError.at(
                begin, f"more than {MOST_PROPOSITIONS} propositions are not supported"
            )
        return tuple(names)

    def _alternating(self) -> WhorlError:
        return WhorlError.at(self.token.span, "alternating automata are not supported")

    # --- acceptance ------------------------------------------------------------------------------

    def _condition(self) -> Condition:
        condition = self._conjunction()
        while self.sees("|"):
            self.at += 1
            other = self._conjunction()
            condition = frozenset(one | two for one in condition for two in other)
            self._check_size(condition)
        return condition

    def _conjunction(self) -> Condition:
        condition = self._condition_atom()
        while self.sees("&"):
            self.at += 1
            condition |= self._condition_atom()
            self._check_size(condition)
        return condition

    def _check_size(self, condition: Condition) -> None:
        if len(condition) > MOST_SETS:
            message = f"more than {MOST_SETS} acceptance sets are not supported"
            raise WhorlError.at(self.token.span, message)

    def _condition_atom(self) -> Condition:
        if self.sees("("):
            self.deeper()
            self.at += 1
            condition = self._condition()
            self.expect(")")
            self.depth -= 1
            return condition
        token = self.take("name", "an acceptance condition")
        match token.text:
            case "t":
                return frozenset()
            case "f":
                return frozenset([frozenset()])
            case "Inf":
                self.expect("(")
                negated = self.sees("!")
                self.at += negated
                which = self._set()
                self.expect(")")
                return frozenset([frozenset([(which, negated)])])
            case "Fin":
                hint = "only Büchi and generalised Büchi acceptance are: 'Inf(0)&Inf(1)'"
                raise WhorlError.at(token.span, "acceptance with 'Fin' is not supported", hint)
        raise WhorlError.at(token.span, f"expected 'Inf', 't' or 'f', found '{token.text}'")

    def _set(self) -> int:
        span = self.token.span
        which = self.number("an acceptance set")
        if which >= self.header.sets:
            most = counted(self.header.sets, "acceptance set")
            raise WhorlError.at(span, f"there is no set {which}: the automaton has {most}")
        return which

    def _signature(self) -> set[int]:
        """`{0 2}`, or nothing."""
        sets: set[int] = set()
        if self.sees("{"):
            self.at += 1
            while not self.sees("}"):
                sets.add(self._set())
            self.at += 1
        return sets

    # --- labels ----------------------------------------------------------------------------------

    @property
    def _count(self) -> int:
        return len(self.header.propositions or ())

    def _label(self) -> int:
        label = self._label_conjunction()
        while self.sees("|"):
            self.at += 1
            label |= self._label_conjunction()
        return label

    def _label_conjunction(self) -> int:
        label = self._label_atom()
        while self.sees("&"):
            self.at += 1
            label &= self._label_atom()
        return label

    def _label_atom(self) -> int:
        token = self.token
        everything = full(self._count)
        if self.sees("!", "("):
            self.deeper()
            self.at += 1
            if token.text == "!":
                label = everything & ~self._label_atom()
            else:
                label = self._label()
                self.expect(")")
            self.depth -= 1
            return label
        if token.kind == "number":
            index = self.number()
            if index >= self._count:
                has = counted(self._count, "proposition")
                raise WhorlError.at(
                    token.span, f"there is no proposition {index}: the automaton has {has}"
                )
            return literal(index, self._count)
        if token.kind == "name":
            self.at += 1
            if token.text in ("t", "f"):
                return everything if token.text == "t" else 0
            if token.text in self.header.aliases:
                return self.header.aliases[token.text]
            hint = suggest(token.text, self.header.aliases)
            raise WhorlError.at(token.span, f"unknown name '{token.text}' in a label", hint)
        raise self.unexpected("a label")

    def _bracketed(self) -> int | None:
        """`[label]`, or None where there is no bracket."""
        if not self.sees("["):
            return None
        self.at += 1
        label = self._label()
        self.expect("]")
        return label

    # --- the body --------------------------------------------------------------------------------

    def _state(self) -> int:
        token = self.token
        state = self.number("a state's number")
        declared = self.header.states
        if declared is not None and state >= declared:
            has = counted(declared, "state")
            raise WhorlError.at(token.span, f"there is no state {state}: the automaton has {has}")
        if state >= MOST_STATES:
            raise WhorlError.at(token.span, f"more than {MOST_STATES:,} states are not supported")
        return state

    def _body(self, header: _Header, condition: Condition) -> Automaton:
        clauses = sorted(condition, key=sorted)

        def marks(sets: set[int]) -> int:
            """The clauses that an edge in these sets is good for."""
            return sum(
                1 << n
                for n, clause in enumerate(clauses)
                if any((which in sets) != negated for which, negated in clause)
            )

        edges: dict[int, list[Edge]] = {}
        while self.sees("State:"):
            begin = self.token.span
            self.at += 1
            state_label = self._bracketed()
            state = self._state()
            if state in edges:
                raise WhorlError.at(begin, f"state {state} is given twice")
            edges[state] = []
            if self.token.kind == "string":
                self.at += 1
            state_sets = self._signature()
            implicit, explicit = 0, False
            while self.token.kind == "number" or self.sees("["):
                span = self.token.span
                label = self._bracketed()
                explicit = explicit or label is not None
                if explicit and (label is None or implicit or state_label is not None):
                    raise WhorlError.at(span, "either all edges of a state have labels, or none")
                if label is None and state_label is None:
                    if implicit >> self._count:
                        raise WhorlError.at(span, f"state {state} has more edges than letters")
                    label = 1 << implicit
                    implicit += 1
                target = self._state()
                if self.sees("&"):
                    raise self._alternating()
                reads = state_label if label is None else label
                assert reads is not None
                sets = state_sets | self._signature()
                if reads:
                    edges[state].append(Edge(reads, target, marks(sets)))
            if implicit and implicit != 1 << self._count:
                need = 1 << self._count
                raise WhorlError.at(
                    begin,
                    f"state {state} has {counted(implicit, 'edge')} without label, not {need}",
                )
        met = [*edges, *header.starts, *(e.target for out in edges.values() for e in out)]
        count = max(met, default=-1) + 1 if header.states is None else header.states
        table = [tuple(edges.get(state, ())) for state in range(count)]
        starts = list(dict.fromkeys(header.starts))
        if len(starts) == 1:
            (initial,) = starts
        else:  # none, or several: a new state that does what each of them does
            initial = len(table)
            table.append(tuple(edge for start in starts for edge in table[start]))
        return Automaton(header.propositions or (), initial, tuple(table), len(clauses))


def _tokens(source: Source) -> list[_Token]:
    """The tokens of a text, the last one of the kind `end`; comments may be nested."""
    tokens: list[_Token] = []
    text, at = source.text, 0
    while at < len(text):
        if text.startswith("/*", at):
            begin, depth = at, 0
            for edge in re.compile(r"/\*|\*/").finditer(text, at):
                depth += 1 if edge[0] == "/*" else -1
                if depth == 0:
                    at = edge.end()
                    break
            else:
                raise WhorlError.at(Span(source, begin, begin + 2), "this comment does not end")
            continue
        match = _TOKEN.match(text, at)
        if match is None:
            span = Span(source, at, at + 1)
            if text[at] == '"':
                raise WhorlError.at(span, "this string does not end")
            raise WhorlError.at(span, f"unexpected character '{text[at]}'")
        assert match.lastgroup is not None
        if match.lastgroup != "space":
            tokens.append(_Token(match.lastgroup, match[0], Span(source, at, match.end())))
        at = match.end()
    end = len(text.rstrip())
    tokens.append(_Token("end", "", Span(source, end, end)))
    return tokens
