"""The language in which a scheme's conditions are written: rules, in a subset of ASP.

    head :- atom, not atom, X != Y.      % if the body holds, so does the head
    :- body.                             % the body must not hold
    chosen(X) : operation(X) :- body.    % if the body holds, the head does for one X at least
    { sticky(O) } :- operation(O).       % a relation that may be anything
    #edge ((Q,S),(R,Z)) : body.          % the graph of these edges must have no cycle
    #include "c1.rules".                 % the rules of another file, of ours or of the user's

Rules say when something *must* hold, and a solver may let more hold. A relation that is negated
must be exact: the given relations and those in braces are, and one that rules define is completed
(`grounding`), which needs that it does not depend on itself. There are no constants: operations,
states and letters are all alike, which is what lets symmetric instances be left out. The files are
also answer-set programs, and give the same instances there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass

from whorl.diagnostics import Source, Span, WhorlError, suggest

# The sorts, and the relations that an instance has from the start, with the sorts of their places.
SORTS = ("state", "operation", "property", "letter", "set")
GIVEN: Mapping[str, tuple[str, ...]] = {
    "state": ("state",),
    "operation": ("operation",),
    "property": ("property",),
    "letter": ("letter",),
    "initial": ("state", "property"),
    "next": ("state", "operation", "state"),
    "enabled": ("state", "operation"),
    "label": ("state", "letter"),
    "ample": ("state", "property", "operation"),
    "delta": ("property", "letter", "property"),
    "accepting": ("property",),
}
# Sets of states are there whatever the instance is.
SETS: Mapping[str, tuple[str, ...]] = {
    "set": ("set",),
    "member": ("state", "set"),
    "singleton": ("state", "set"),
}


@dataclass(frozen=True, slots=True)
class Atom:
    name: str
    args: tuple[str, ...]
    span: Span

    def __str__(self) -> str:
        return f"{self.name}({','.join(self.args)})" if self.args else self.name


@dataclass(frozen=True, slots=True)
class Literal:
    atom: Atom
    positive: bool = True


@dataclass(frozen=True, slots=True)
class Comparison:
    left: str
    operator: str  # "=", "!=" or "<"
    right: str
    span: Span

    def holds(self, binding: Mapping[str, int]) -> bool:
        left, right = binding[self.left], binding[self.right]
        if self.operator == "<":
            return left < right
        return (left == right) == (self.operator == "=")


@dataclass(frozen=True, slots=True)
class LogicRule:
    """`kind` is "rule" (with a head or none), "choice" or "edge".

    With `alternatives`, an atom of sorts, the head holds for one value of its variables at least.
    An edge's head is an atom `edge` whose arguments are the source's, then the target's.
    """

    kind: str
    head: Atom | None
    alternatives: tuple[Atom, ...]
    body: tuple[Literal, ...]
    comparisons: tuple[Comparison, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class RuleSet:
    """Rules that were read and checked, with the sorts of every relation."""

    rules: tuple[LogicRule, ...]
    relations: Mapping[str, tuple[str, ...]]
    chosen: frozenset[str]  # those of choices
    variables: tuple[Mapping[str, str], ...]  # for each rule, the sorts of its variables

    @property
    def derived(self) -> frozenset[str]:
        """The relations that rules define."""
        return frozenset(self.relations) - set(GIVEN) - set(SETS) - self.chosen

    @property
    def exact(self) -> frozenset[str]:
        """The derived relations that may be no larger than their rules ask for: those that are
        negated, and those that these are made of."""
        negated = {
            literal.atom.name
            for rule in self.rules
            for literal in rule.body
            if not literal.positive and literal.atom.name in self.derived
        }
        return frozenset(negated.union(*(_below(self.rules, n, self.derived) for n in negated)))

    def strata(self) -> list[frozenset[str]]:
        """The derived relations in an order: each part negates relations of earlier parts alone."""
        level = dict.fromkeys(self.derived, 0)
        changed = True
        while changed:
            changed = False
            for rule in self.rules:
                if rule.kind == "rule" and rule.head is not None and rule.head.name in level:
                    least = max(
                        (level.get(lit.atom.name, -1) + (not lit.positive) for lit in rule.body),
                        default=0,
                    )
                    if least > level[rule.head.name]:
                        level[rule.head.name] = least
                        changed = True
        parts = sorted(set(level.values()))
        return [frozenset(name for name, at in level.items() if at == part) for part in parts]


# --- reading -------------------------------------------------------------------------------------

_TOKEN = re.compile(
    r'(?:\s|%[^\n]*)*(#edge\b|#include\b|"[^"\n]*"|:-|!=|[a-z]\w*|[A-Z]\w*|[(){},.:=<]|$)'
)


Find = Callable[[str], Source | None]


def read(*sources: Source, find: Find = lambda name: None) -> RuleSet:
    """The rules of several files together; `find` gives the files that they include."""
    seen: set[str] = set()
    rules = [rule for source in sources for rule in _Reader(source, find, seen).rules()]
    return _checked(tuple(rules))


class _Reader:
    def __init__(self, source: Source, find: Find, seen: set[str]) -> None:
        self.find = find
        self.seen = (
            seen  # the names of files that were included: one that is named twice is read once
        )
        self.tokens: list[Span] = []
        at = 0
        while True:
            match = _TOKEN.match(source.text, at)
            if match is None:
                start = re.compile(r"(?:\s|%[^\n]*)*").match(source.text, at)
                place = at if start is None else start.end()
                span = Span(source, place, place + 1)
                raise WhorlError.at(span, f"'{span.text}' is no part of a rule")
            self.tokens.append(Span(source, match.start(1), match.end(1)))
            if not match[1]:
                break
            at = match.end()
        self.position = 0

    def rules(self) -> Iterator[LogicRule]:
        while self.peek():
            if self.peek() == "#include":
                yield from self.include()
            else:
                yield self.rule()

    def include(self) -> Iterator[LogicRule]:
        self.take("#include")
        name = self.take()
        source = self.find(name.text.strip('"')) if name.text.startswith('"') else None
        if source is None:
            hint = "write its name in quotes; the files of whorl are in whorl/lab/rules"
            raise WhorlError.at(name, f"there are no rules {name.text or 'here'}", hint)
        self.take(".")
        if source.name not in self.seen:
            self.seen.add(source.name)
            yield from _Reader(source, self.find, self.seen).rules()

    def peek(self) -> str:
        return self.tokens[self.position].text

    def take(self, *wanted: str) -> Span:
        token = self.tokens[self.position]
        if wanted and token.text not in wanted:
            words = " or ".join(f"'{word}'" for word in wanted)
            shown = f"'{token.text}'" if token.text else "the end of the file"
            raise WhorlError.at(token, f"expected {words}, found {shown}")
        self.position += 1
        return token

    def accept(self, word: str) -> bool:
        if self.peek() == word:
            self.position += 1
            return True
        return False

    def rule(self) -> LogicRule:
        start = self.tokens[self.position]
        kind, head = "rule", None
        alternatives: tuple[Atom, ...] = ()
        if self.peek() == "#edge":
            kind, head = "edge", self.edge()
            self.take(":")
            body, comparisons = self.body()
        else:
            if self.accept("{"):
                kind, head = "choice", self.atom()
                self.take("}")
            elif self.peek() != ":-":
                head = self.atom()
                if self.accept(":"):
                    alternatives = (self.atom(),)
            body, comparisons = ((), ())
            if self.peek() == ":-":
                self.take()
                body, comparisons = self.body()
        end = self.take(".")
        return LogicRule(kind, head, alternatives, body, comparisons, start.until(end))

    def edge(self) -> Atom:
        span = self.take("#edge")
        self.take("(")
        source = self.end_of_edge()
        self.take(",")
        target = self.end_of_edge()
        self.take(")")
        if len(source) != len(target):
            raise WhorlError.at(span, "the two ends of an edge must have equally many places")
        return Atom("edge", source + target, span)

    def end_of_edge(self) -> tuple[str, ...]:
        if self.peek() != "(":
            return (self.variable(),)
        return self.arguments()

    def body(self) -> tuple[tuple[Literal, ...], tuple[Comparison, ...]]:
        literals: list[Literal] = []
        comparisons: list[Comparison] = []
        while True:
            if self.peek()[:1].isupper():
                left = self.take()
                operator = self.take("!=", "=", "<")
                right = self.variable()
                comparisons.append(Comparison(left.text, operator.text, right, left))
            else:
                positive = not self.accept("not")
                literals.append(Literal(self.atom(), positive))
            if not self.accept(","):
                return tuple(literals), tuple(comparisons)

    def atom(self) -> Atom:
        name = self.tokens[self.position]
        if not name.text[:1].islower() or name.text == "not":
            shown = f"'{name.text}'" if name.text else "the end of the file"
            raise WhorlError.at(name, f"expected the name of a relation, found {shown}")
        self.position += 1
        args = self.arguments() if self.peek() == "(" else ()
        return Atom(name.text, args, name)

    def arguments(self) -> tuple[str, ...]:
        self.take("(")
        args = [self.variable()]
        while self.accept(","):
            args.append(self.variable())
        self.take(")")
        return tuple(args)

    def variable(self) -> str:
        token = self.take()
        if not token.text[:1].isupper():
            raise WhorlError.at(
                token,
                f"expected a variable, found '{token.text}'",
                "variables begin with a capital letter; rules have no constants",
            )
        return token.text


# --- checking ------------------------------------------------------------------------------------


def _checked(rules: tuple[LogicRule, ...]) -> RuleSet:
    """Sorts flow from the given relations to variables, and from those to what heads define."""
    relations = {**GIVEN, **SETS}
    variables: list[dict[str, str]] = [{} for _ in rules]
    known = -1
    while known != (known := len(relations) + sum(map(len, variables))):
        for rule, sorts in zip(rules, variables, strict=True):
            for atom in _atoms(rule):
                if atom.name in relations:
                    _learn(atom, relations[atom.name], sorts)
                elif atom is rule.head and all(v in sorts for v in atom.args):
                    relations[atom.name] = tuple(sorts[v] for v in atom.args)
    chosen = frozenset(r.head.name for r in rules if r.kind == "choice" and r.head)
    for rule, sorts in zip(rules, variables, strict=True):
        _check(rule, sorts, relations)
    _check_negations(rules, set(relations) - set(GIVEN) - set(SETS) - chosen)
    return RuleSet(rules, relations, chosen, tuple(variables))


def _atoms(rule: LogicRule) -> Iterator[Atom]:
    for literal in rule.body:
        yield literal.atom
    yield from rule.alternatives
    if rule.head is not None and rule.kind != "edge":
        yield rule.head


def _learn(atom: Atom, places: tuple[str, ...], sorts: dict[str, str]) -> None:
    if len(places) != len(atom.args):
        message = f"'{atom.name}' has {len(places)} places, not {len(atom.args)}"
        raise WhorlError.at(atom.span, message)
    for variable, sort in zip(atom.args, places, strict=True):
        if sorts.setdefault(variable, sort) != sort:
            message = f"'{variable}' stands for {_a(sorts[variable])} and for {_a(sort)}"
            raise WhorlError.at(atom.span, message)


def _check(
    rule: LogicRule,
    sorts: Mapping[str, str],
    relations: Mapping[str, tuple[str, ...]],
) -> None:
    for atom in (*(literal.atom for literal in rule.body), *rule.alternatives):
        if atom.name not in relations:
            hint = _HINTS.get(atom.name) or suggest(atom.name, relations)
            raise WhorlError.at(atom.span, f"nothing says what '{atom.name}' is", hint)
    bound = {v for literal in rule.body if literal.positive for v in literal.atom.args}
    bound |= {v for atom in rule.alternatives for v in atom.args}
    used = [(v, atom.span) for atom in _atoms(rule) for v in atom.args]
    used += [(v, c.span) for c in rule.comparisons for v in (c.left, c.right)]
    if rule.head is not None:
        used += [(v, rule.head.span) for v in rule.head.args]
    for variable, span in used:
        if variable not in bound:
            raise WhorlError.at(
                span,
                f"'{variable}' is in no relation of the body that is not negated",
                "say what it is: state(X), operation(X), property(X) or letter(X)",
            )
    for comparison in rule.comparisons:
        if sorts[comparison.left] != sorts[comparison.right]:
            left, right = _a(sorts[comparison.left]), _a(sorts[comparison.right])
            message = f"{left} is compared with {right}"
            raise WhorlError.at(comparison.span, message)
    if rule.kind == "edge" and rule.head is not None:
        half = len(rule.head.args) // 2
        ends = [sorts[v] for v in rule.head.args]
        if ends[:half] != ends[half:]:
            raise WhorlError.at(rule.head.span, "the two ends of an edge are of different sorts")


def _check_negations(rules: tuple[LogicRule, ...], derived: set[str]) -> None:
    """Nothing that is negated may depend on itself, nor on what does."""
    for rule in rules:
        for literal in rule.body:
            name = literal.atom.name
            if literal.positive or name not in derived:
                continue
            for part in sorted(_below(rules, name, derived) | {name}):
                if part in _below(rules, part, derived):
                    message = f"'{name}' may not be negated: '{part}' depends on itself"
                    hint = "define the opposite by rules of its own"
                    raise WhorlError.at(literal.atom.span, message, hint)


def _below(rules: tuple[LogicRule, ...], name: str, derived: Collection[str]) -> set[str]:
    """The derived relations that the rules for one need, directly or not."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        head = waiting.pop()
        for rule in rules:
            if rule.kind == "rule" and rule.head is not None and rule.head.name == head:
                needed = {literal.atom.name for literal in rule.body} & set(derived) - found
                found |= needed
                waiting += needed
    return found


_HINTS = {
    "explored": "a scheme says what is explored: include source.rules (V1), intermediate.rules (V0)"
    " or rules of your own for explored(Q,S,O,Z)"
}


def _a(sort: str) -> str:
    """A sort with its article."""
    return f"an {sort}" if sort == "operation" else f"a {sort}"
