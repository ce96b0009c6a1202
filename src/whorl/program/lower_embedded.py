"""Lowers the C in a model: which texts there are, what they can name, what they keep."""

from __future__ import annotations

import re
from collections.abc import Iterable

from whorl.diagnostics import Reporter, suggest
from whorl.language.types import TypeKind
from whorl.program.embedded import Embedded, EmbeddedData, Seen
from whorl.program.layout import Layout
from whorl.program.lower_expressions import Environment
from whorl.promela import ast
from whorl.promela.resolved import Resolved
from whorl.promela.symbols import Struct, Variable
from whorl.promela.walk import embedded_span

# A declaration of C as c_state takes it: the name comes last, an array's length after it.
_DECLARATION = re.compile(r"\s*(?P<type>.*[\s*])(?P<name>[A-Za-z_]\w*)\s*(\[[^;]*\]\s*)*", re.ASCII)
_WORD = re.compile(r"[A-Za-z_]\w*", re.ASCII)
# Here C may name what its text does not show.
_OPAQUE = re.compile(r"#\s*include\s*[^\s<]|##")
TRACKING = ("Matched", "UnMatched", "StackOnly")
C_KEYWORDS = frozenset(
    re.findall(
        r"\w+",
        "auto break case char const continue default do double else enum extern float for goto if"
        " inline int long register restrict return short signed sizeof static struct switch typedef"
        " union unsigned void volatile while asm typeof",
    )
)


def lower_embedded(
    resolved: Resolved, environment: Environment, reporter: Reporter
) -> Embedded | None:
    """The C of a model, if it has any; mistakes in c_state and c_track go to `reporter`."""
    span = embedded_span(resolved.model)
    if span is None:
        return None
    units = resolved.model.units
    hidden, matched, unmatched = _kept(resolved, units, reporter)
    codes = [unit for unit in units if isinstance(unit, ast.EmbeddedCode)]
    declarations = tuple(unit.code for unit in codes if unit.keyword == "c_decl")
    functions = tuple(unit.code for unit in codes if unit.keyword == "c_code")
    fragments = tuple(environment.fragments)
    texts = [text for code in (*declarations, *functions) for text in (code.text, code.definitions)]
    for fragment in fragments:
        for code in (fragment.code, fragment.precondition):
            texts += [] if code is None else [code.text, code.definitions]
    for kept in (*hidden, *matched, *unmatched):
        texts += [kept.declaration, kept.initial, kept.pointer, kept.size]
    can_name = _Names(texts)
    variables = can_name.among(resolved.variables)
    locals_ = [can_name.among(symbol.variables) for symbol in resolved.processes]
    return Embedded(
        span=span,
        declarations=declarations,
        functions=functions,
        hidden=hidden,
        matched=matched,
        unmatched=unmatched,
        fragments=fragments,
        structs=_structs(resolved, [*variables, *(v for some in locals_ for v in some)]),
        variables=tuple(variables),
        locals=tuple(map(tuple, locals_)),
        seen=_seen(variables, resolved.variables, environment.globals),
        seen_locals=tuple(
            _seen(some, symbol.variables, environment.locals[symbol.index])
            for some, symbol in zip(locals_, resolved.processes, strict=True)
        ),
    )


class _Names:
    """What C can name: the words in it, or anything where it includes text or makes words."""

    def __init__(self, texts: list[str]) -> None:
        self.words = {word for text in texts for word in _WORD.findall(text)}
        self.anything = any(_OPAQUE.search(text) for text in texts)

    def among(self, variables: Iterable[Variable]) -> list[Variable]:
        """The variables that C can name; of several with one name the first, which is outermost."""
        by_name: dict[str, Variable] = {}
        for variable in variables:
            if (self.anything or variable.name in self.words) and variable.name not in C_KEYWORDS:
                by_name.setdefault(variable.name, variable)
        return list(by_name.values())


def _seen(
    chosen: list[Variable], variables: Iterable[Variable], layout: Layout
) -> tuple[Seen, ...]:
    result: list[Seen] = []
    for variable, info in zip(variables, layout.infos, strict=True):
        if not any(variable is one for one in chosen):
            continue
        for position, (path, kind) in enumerate(info.parts):
            if not C_KEYWORDS.isdisjoint(_WORD.findall(path)):
                continue
            is_channel = kind.kind is TypeKind.CHAN
            result.append(Seen(info.offset + position, path, is_channel, variable.hidden))
    return tuple(result)


def _structs(resolved: Resolved, variables: Iterable[Variable]) -> tuple[Struct, ...]:
    """The typedefs that `variables` are made of, in the order of the source."""
    needed: set[int] = set()
    waiting = [variable.type for variable in variables]
    while waiting:
        kind = waiting.pop()
        if isinstance(kind, Struct) and id(kind) not in needed:
            needed.add(id(kind))
            waiting += [inner.type for inner in kind.fields]
    return tuple(struct for struct in resolved.structs.values() if id(struct) in needed)


# --- c_state and c_track -------------------------------------------------------------------------


def _kept(
    resolved: Resolved, units: Iterable[object], reporter: Reporter
) -> tuple[tuple[EmbeddedData, ...], tuple[EmbeddedData, ...], tuple[EmbeddedData, ...]]:
    """What is declared but no part of the state, what is, and what is tracked without comparing."""
    hidden: list[EmbeddedData] = []
    matched: list[EmbeddedData] = []
    unmatched: list[EmbeddedData] = []
    for unit in units:
        if not isinstance(unit, ast.EmbeddedState):
            continue
        first, second, *third = (text.replace('\\"', '"').strip() for text in unit.strings)
        if unit.keyword == "c_state":
            kept = _state(resolved, unit, first, second, third[0] if third else "", reporter)
            if kept is not None:
                (hidden if second == "Hidden" else matched).append(kept)
            continue
        how = third[0] if third else "Matched"
        if how not in TRACKING:
            hint = suggest(how, TRACKING) or f"it is one of: {', '.join(TRACKING)}"
            reporter.error(unit.span, f"'{how}' is no way to track C data", hint)
        tracked = EmbeddedData(unit.span, pointer=first, size=second)
        (matched if how == "Matched" else unmatched).append(tracked)
    return tuple(hidden), tuple(matched), tuple(unmatched)


def _state(
    resolved: Resolved,
    unit: ast.EmbeddedState,
    declaration: str,
    scope: str,
    initial: str,
    reporter: Reporter,
) -> EmbeddedData | None:
    match = _DECLARATION.fullmatch(declaration)
    if match is None:
        reporter.error(
            unit.span,
            f"'{declaration}' is no declaration that c_state can take",
            'write a type and a name: "int x" or "Coord points[3]"',
        )
        return None
    name = match["name"]
    if scope in ("Global", "Hidden"):
        return EmbeddedData(unit.span, declaration, name, initial)
    word, _, owner = scope.partition(" ")
    if word != "Local" or not owner.strip():
        reporter.error(
            unit.span,
            f"'{scope}' is no scope of c_state",
            'it is "Global", "Hidden" or "Local" and the name of a proctype',
        )
        return None
    owner = ":init:" if owner.strip() == "init" else owner.strip()
    symbol = resolved.process(owner)
    if symbol is None:
        names = [process.name for process in resolved.processes]
        reporter.error(unit.span, f"there is no proctype '{owner}'", suggest(owner, names))
        return None
    return EmbeddedData(unit.span, declaration, name, initial, process=symbol.index)
