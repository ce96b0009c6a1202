"""Reads a never claim that stands by itself, as Spin, LTL2BA and Spot write them.

Nothing is known of the names in it: a proposition is the text of an expression. (A claim in a model
goes with the model through the front end.) Where the claim's body ends, and at a label that begins
with `end`, a run is wrong whatever follows, so that is an accepting state that stays where it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from whorl.diagnostics import Reporter, Source, Span, WhorlError, suggest
from whorl.language.formula import FALSE, TRUE, Formula, Op
from whorl.promela.lexer import Token, lex
from whorl.promela.ltl import LtlParser
from whorl.promela.stream import Names, Stream, TooDeep, Unparsable
from whorl.property.automaton import MOST_PROPOSITIONS, Buchi
from whorl.property.letters import of_formula
from whorl.property.operations import explored

MOST_NESTED = 40
_ENDS = ("}", "::", "fi", "od")
_SEPARATORS = (";", "->")
_OTHER = frozenset(
    ["for", "select", "printf", "unless", "run", "c_code", "c_expr", "int", "byte", "bool", "bit"]
)


@dataclass(slots=True)
class _Statement:
    """A statement of a claim, with the labels before it."""

    kind: str  # "guard", "else", "goto", "break", "if", "do"
    span: Span
    condition: Formula = TRUE
    asserted: Formula = TRUE  # where this is false, the claim ends
    target: str = ""
    options: list[list[_Statement]] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)


def read_never(text: str, name: str = "<never>") -> Buchi:
    """The automaton of a never claim; `name` is what diagnostics call the text."""
    source = Source(name, text)
    reader = _Reader(source)
    body = reader.claim()
    graph = _Graph()
    start = graph.start(body)
    propositions = tuple(dict.fromkeys(reader.propositions))
    if len(propositions) > MOST_PROPOSITIONS:
        raise WhorlError.at(
            reader.tokens[0].span, f"the claim has more than {MOST_PROPOSITIONS} propositions"
        )

    def successors(node: int) -> Iterator[tuple[int, int]]:
        for condition, target in graph.edges[node]:
            label = of_formula(condition, propositions)
            if label:
                yield label, graph.resolved(target)

    return explored(propositions, start, successors, lambda node: node in graph.accepting)


class _Reader:
    """Text to statements."""

    def __init__(self, source: Source) -> None:
        self.tokens = lex(source)
        self.at = 0
        self.depth = 0
        self.labels: set[str] = set()
        self.propositions: list[str] = []
        self.proctypes = set(re.findall(r"(\w+)\s*(?:\[[^][]*\]\s*)?@", source.text))
        for token in self.tokens:
            if token.kind == "bad":
                raise WhorlError.at(token.span, *token.problem)

    @property
    def token(self) -> Token:
        return self.tokens[self.at]

    def sees(self, *texts: str) -> bool:
        return self.token.text in texts and self.token.kind in ("op", "name")

    @property
    def is_over(self) -> bool:
        return self.token.kind == "eof"

    def expect(self, text: str) -> Token:
        if not self.sees(text):
            actual = "the end of the text" if self.is_over else f"'{self.token.text}'"
            raise WhorlError.at(self.token.span, f"expected '{text}', found {actual}")
        self.at += 1
        return self.tokens[self.at - 1]

    def name(self) -> Token:
        if self.token.kind != "name":
            raise WhorlError.at(self.token.span, "expected a name")
        self.at += 1
        return self.tokens[self.at - 1]

    def claim(self) -> list[_Statement]:
        if not self.sees("never"):
            raise WhorlError.at(
                self.token.span, "this is not a never claim", "it begins with 'never {'"
            )
        self.at += 1
        if self.token.kind == "name":
            self.at += 1
        self.expect("{")
        body = self.sequence()
        self.expect("}")
        if not self.is_over:
            hint = "a claim that belongs to a model is checked with the model"
            raise WhorlError.at(self.token.span, "something follows the never claim", hint)
        return body

    def sequence(self) -> list[_Statement]:
        self.depth += 1
        if self.depth > MOST_NESTED:
            raise WhorlError.at(self.token.span, "the claim is nested too deeply")
        statements: list[_Statement] = []
        while self.sees(*_SEPARATORS):
            self.at += 1
        while not self.sees(*_ENDS) and not self.is_over:
            statements.append(self.statement())
            if not self.sees(*_SEPARATORS, *_ENDS) and not self.is_over:
                raise WhorlError.at(self.token.span, "expected ';' or '->' between statements")
            while self.sees(*_SEPARATORS):
                self.at += 1
        self.depth -= 1
        return statements

    def statement(self) -> _Statement:
        labels: list[str] = []
        while self.token.kind == "name" and self.tokens[self.at + 1].text == ":":
            if self.token.text in self.labels:
                message = f"the label '{self.token.text}' is given twice"
                raise WhorlError.at(self.token.span, message)
            self.labels.add(self.token.text)
            labels.append(self.token.text)
            self.at += 2
        statement = self.unlabelled()
        statement.labels = labels
        return statement

    def unlabelled(self) -> _Statement:
        begin = self.token
        if self.sees("if", "do"):
            return self.choice()
        if self.sees("goto"):
            self.at += 1
            label = self.name()
            return _Statement("goto", label.span, target=label.text)
        if self.sees("break", "else", "skip"):
            self.at += 1
            kind = "guard" if begin.text == "skip" else begin.text
            return _Statement(kind, begin.span)
        if self.sees("atomic", "d_step"):
            return self.atomic()
        if self.sees("assert"):
            self.at += 1
            return _Statement("guard", begin.span, asserted=self.condition())
        if begin.text in _OTHER and begin.kind == "name":
            hint = "a claim by itself has conditions, if, do, goto, break, skip and assert"
            raise WhorlError.at(begin.span, f"'{begin.text}' is not supported here", hint)
        return _Statement("guard", begin.span, condition=self.condition())

    def choice(self) -> _Statement:
        begin = self.token
        self.at += 1
        options: list[list[_Statement]] = []
        while self.sees("::"):
            self.at += 1
            option = self.sequence()
            if not option:
                raise WhorlError.at(self.token.span, "this option is empty")
            options.append(option)
        if not options:
            raise WhorlError.at(self.token.span, "expected '::'")
        self.expect("fi" if begin.text == "if" else "od")
        return _Statement(begin.text, begin.span, options=options)

    def atomic(self) -> _Statement:
        """`atomic { condition -> assert(...) }`, as Spin writes it: one step."""
        begin = self.token
        self.at += 1
        self.expect("{")
        inner = self.sequence()
        self.expect("}")
        if any(step.kind != "guard" or step.labels for step in inner[:2]) or len(inner) not in (
            1, 2,
        ):  # fmt: skip
            hint = "only 'atomic { condition -> assert(...) }' is"
            raise WhorlError.at(begin.span, "this atomic sequence is not supported here", hint)
        first = inner[0]
        if len(inner) == 2:
            if inner[1].condition != TRUE or first.asserted != TRUE:
                raise WhorlError.at(inner[1].span, "expected an assertion")
            first.asserted = inner[1].asserted
        return first

    def condition(self) -> Formula:
        """A Boolean expression up to the end of the statement."""
        begin, depth = self.at, 0
        while not self.is_over:
            if depth == 0 and self.sees(*_SEPARATORS, *_ENDS):
                break
            depth += self.sees("(", "[", "{")
            depth -= self.sees(")", "]", "}")
            self.at += 1
        where = self.token.span
        end = Token("eof", "", Span(where.source, where.start, where.start), False, True)
        reporter = Reporter()
        names = Names(self.proctypes, set())
        stream = Stream([*self.tokens[begin : self.at], end], names, reporter)
        try:
            formula = LtlParser(stream).parse()
        except (Unparsable, TooDeep):
            reporter.raise_if_errors()
            raise
        reporter.raise_if_errors()
        if any(part.op.is_temporal for part in formula.subformulas()):
            span = self.tokens[begin].span.until(self.tokens[self.at - 1].span)
            raise WhorlError.at(span, "a condition of a claim has no temporal operators")
        self.propositions += formula.propositions
        return formula


class _Graph:
    """Statements to the nodes that a claim waits in, with conditions on the edges between them.

    A `goto` or `break` after another statement takes no step of its own: its node stands for the
    node that it leads to.
    """

    END = 0

    def __init__(self) -> None:
        self.edges: list[list[tuple[Formula, int]]] = [[(TRUE, self.END)]]
        self.accepting = {self.END}
        self.labels: dict[str, int] = {}
        self.same: dict[int, int] = {}  # nodes that stand for others
        self.gotos: list[tuple[int, _Statement]] = []

    def start(self, body: list[_Statement]) -> int:
        """Builds everything; the node that the claim begins in."""
        first = self.sequence(body, self.END, None)
        for node, statement in self.gotos:
            if statement.target not in self.labels:
                hint = suggest(statement.target, self.labels)
                message = f"there is no label '{statement.target}'"
                raise WhorlError.at(statement.span, message, hint)
            self.same[node] = self.labels[statement.target]
        if first in self.same:
            first = self.node([(TRUE, first)])
        for node, edges in enumerate(self.edges):  # `accept_all: skip` at the end of a claim
            if node != self.END and edges == [(TRUE, self.END)]:
                self.same[node] = self.END
        return self.resolved(first)

    def resolved(self, node: int) -> int:
        seen = {node}
        while node in self.same:
            node = self.same[node]
            if node in seen:
                break  # a circle of gotos; the node has no edges
            seen.add(node)
        return node

    def node(self, edges: list[tuple[Formula, int]]) -> int:
        self.edges.append(edges)
        return len(self.edges) - 1

    def sequence(self, statements: list[_Statement], follow: int, leave: int | None) -> int:
        """The node of a sequence's first statement. `leave`: where `break` leads."""
        for statement in reversed(statements):
            follow = self.statement(statement, follow, leave)
        return follow

    def statement(self, statement: _Statement, follow: int, leave: int | None) -> int:
        node = self.node([])
        for label in statement.labels:
            self.labels[label] = node
            if label.startswith("accept"):
                self.accepting.add(node)
            if label.startswith("end"):  # to come here is a violation, as it is at the end
                self.same[node] = self.END
        match statement.kind:
            case "guard":
                self.edges[node] = _step(statement.condition, statement.asserted, follow)
            case "else":
                raise WhorlError.at(statement.span, "'else' is no option here")
            case "goto":
                self.gotos.append((node, statement))
                self.same[node] = node  # for now
            case "break":
                if leave is None:
                    raise WhorlError.at(statement.span, "'break' outside a do loop")
                self.same[node] = leave
            case "if":
                self.choose(node, statement, follow, leave)
            case "do":
                self.choose(node, statement, node, follow)
        return node

    def choose(self, node: int, statement: _Statement, follow: int, leave: int | None) -> None:
        otherwise: list[list[_Statement]] = []
        for option in statement.options:
            if option[0].kind == "else":
                otherwise.append(option)
                continue
            first = self.sequence(option, follow, leave)
            # A goto that begins an option is a step.
            self.edges[node] += [(TRUE, first)] if first in self.same else self.edges[first]
        conditions = tuple(condition for condition, _ in self.edges[node])
        for option in otherwise:
            after = self.sequence(option[1:], follow, leave)
            any_other = Formula(Op.OR, conditions) if conditions else FALSE
            self.edges[node].append((~any_other, after))


def _step(condition: Formula, asserted: Formula, follow: int) -> list[tuple[Formula, int]]:
    if asserted == TRUE:
        return [(condition, follow)]
    return [(condition & ~asserted, _Graph.END), (condition & asserted, follow)]
