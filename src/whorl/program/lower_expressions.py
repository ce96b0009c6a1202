"""Lowers expressions and references of the syntax tree to those of a Program."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from whorl.diagnostics import Reporter, suggest
from whorl.language.types import Basic, MtypeConstant, TypeKind, basic
from whorl.program.embedded import Fragment
from whorl.program.layout import Layout
from whorl.program.program import (
    AtLocation,
    BinaryOp,
    Builtin,
    ChannelQuery,
    Const,
    EmbeddedExpr,
    Expr,
    IfElse,
    Index,
    Load,
    Match,
    Place,
    PollQuery,
    ProcessQuery,
    Region,
    RemoteLoad,
    RunProcess,
    UnaryOp,
)
from whorl.promela import ast, unparse
from whorl.promela.resolve_expressions import ANY, PRIORITY
from whorl.promela.resolved import Resolved
from whorl.promela.symbols import ProcessSymbol, Struct, Variable


@dataclass(slots=True)
class Environment:
    """What expressions are lowered against: the slots of all variables, and found labels.

    `location` tells the number of a label in a process; processes are laid out before any
    expression is lowered, but their graphs come later, so it is only asked at the end.
    """

    resolved: Resolved
    globals: Layout
    locals: dict[int, Layout]  # by the index of the process
    reporter: Reporter
    location: Callable[[ProcessSymbol, str, ast.RemoteLabel], int]
    uses_priorities: bool = False
    uses_last: bool = False
    process: int | None = None  # the type that is being lowered
    fragments: list[Fragment] = field(default_factory=list)  # of embedded C


class Lowering:
    """Lowers what stands in one process (`local` is its layout), or outside any."""

    def __init__(self, environment: Environment, local: Layout | None) -> None:
        self.environment = environment
        self.local = local

    def expression(self, node: ast.Expression) -> Expr:
        match node:
            case ast.Number():
                return Const(node.value)
            case ast.Reference():
                if isinstance(node.symbol, MtypeConstant):
                    return Const(node.symbol.value)
                return Load(self.place(node))
            case ast.Unary():
                return UnaryOp(node.operator, self.expression(node.operand))
            case ast.Binary():
                left, right = self.expression(node.left), self.expression(node.right)
                return BinaryOp(node.operator, left, right, node.span)
            case ast.Conditional():
                return IfElse(
                    self.expression(node.condition),
                    self.expression(node.yes),
                    self.expression(node.no),
                )
            case ast.ChannelTest():
                return ChannelQuery(node.test, self.expression(node.channel), node.span)
            case ast.Poll():
                channel = self.expression(node.channel)
                return PollQuery(channel, self.patterns(node.arguments), node.random, node.span)
            case ast.RunExpression():
                return self.run(node)
            case ast.Call():
                if node.function == "get_priority":
                    self.environment.uses_priorities = True
                return ProcessQuery(node.function, self.expression(node.argument), node.span)
            case ast.Predefined():
                if node.name == "_last":
                    self.environment.uses_last = True
                return Builtin(node.name)
            case ast.RemoteLabel():
                return self.remote_label(node)
            case ast.RemoteVariable():
                return self.remote_variable(node)
            case ast.EmbeddedExpression():
                text = " ".join(node.code.text.split())
                return EmbeddedExpr(self.fragment(node), text)

    def fragment(self, node: ast.EmbeddedExpression | ast.EmbeddedCode) -> int:
        """The number of a new fragment of C."""
        fragments = self.environment.fragments
        is_expression = isinstance(node, ast.EmbeddedExpression)
        owner = None if self.local is None else self.environment.process
        made = len(fragments)
        fragments.append(
            Fragment(made, owner, is_expression, node.precondition, node.code, node.span)
        )
        return made

    # --- places ----------------------------------------------------------------------------------

    def place(self, node: ast.Reference) -> Place:
        """Where the one value that `node` refers to is kept."""
        return self.places(node)[0]

    def places(self, node: ast.Reference, whole_array: bool = False) -> list[Place]:
        """Where the values of `node` are kept: several where it is a whole typedef, or array."""
        variable = node.symbol
        assert isinstance(variable, Variable)
        text = unparse.reference(node)
        if variable.name == ANY and self._unplaced(variable):
            return [Place(Region.NOWHERE, 0, (), basic(TypeKind.INT), text)]
        if variable.name == PRIORITY and self._unplaced(variable):
            self.environment.uses_priorities = True
            return [Place(Region.PRIORITY, 0, (), basic(TypeKind.BYTE), text)]
        region, offset = self.base(variable)
        indices: list[Index] = []
        for position, part in enumerate(node.parts):
            if position:
                assert isinstance(variable.type, Struct)
                before, variable = _field(variable.type, part.name)
                offset += before
            if part.index is not None:
                assert variable.length is not None
                value = self.expression(part.index)
                size = variable.type.size
                if isinstance(value, Const) and 0 <= value.value < variable.length:
                    offset += value.value * size
                else:
                    indices.append(Index(value, size, variable.length, part.span))
        kinds = _flat(variable.type)
        if whole_array and node.parts[-1].index is None:
            kinds *= variable.length or 1
        return [
            Place(region, offset + i, tuple(indices), kind, text) for i, kind in enumerate(kinds)
        ]

    def _unplaced(self, variable: Variable) -> bool:
        return variable not in self.environment.globals and (
            self.local is None or variable not in self.local
        )

    def base(self, variable: Variable) -> tuple[Region, int]:
        if self.local is not None and variable in self.local:
            return Region.LOCAL, self.local.offset(variable)
        return Region.GLOBAL, self.environment.globals.offset(variable)

    # --- messages and processes ------------------------------------------------------------------

    def values(self, nodes: list[ast.Expression]) -> tuple[Expr, ...]:
        """Arguments of a send or run, where a typedef counts as its fields."""
        result: list[Expr] = []
        for node in nodes:
            if isinstance(node, ast.Reference) and isinstance(node.symbol, Variable):
                result += [Load(place) for place in self.places(node)]
            else:
                result.append(self.expression(node))
        return tuple(result)

    def patterns(self, nodes: list[ast.Pattern]) -> tuple[Match, ...]:
        result: list[Match] = []
        for node in nodes:
            if isinstance(node, ast.Eval):
                result.append(Match(self.expression(node.value), None))
            elif isinstance(node, ast.Number):
                result.append(Match(Const(node.value), None))
            elif isinstance(node.symbol, MtypeConstant):
                result.append(Match(Const(node.symbol.value), None))
            else:
                for place in self.places(node):
                    target = None if place.region is Region.NOWHERE else place
                    result.append(Match(None, target))
        return tuple(result)

    def run(self, node: ast.RunExpression) -> RunProcess:
        assert node.symbol is not None
        if node.priority is not None:
            self.environment.uses_priorities = True
        priority = 1 if node.priority is None else node.priority
        return RunProcess(node.symbol.index, self.values(node.arguments), priority, node.span)

    def remote_label(self, node: ast.RemoteLabel) -> Expr:
        assert node.symbol is not None
        pid = None if node.pid is None else self.expression(node.pid)
        location = self.environment.location(node.symbol, node.label, node)
        return AtLocation(node.symbol.index, pid, location, unparse.expression(node))

    def remote_variable(self, node: ast.RemoteVariable) -> Expr:
        assert node.symbol is not None
        part = node.variable.parts[0]
        named = [v for v in node.symbol.variables if v.name == part.name]
        if not named:
            self.environment.reporter.error(
                node.span,
                f"proctype '{node.process}' has no variable '{part.name}'",
                suggest(part.name, [v.name for v in node.symbol.variables]),
            )
            return Const(0)
        pid = None if node.pid is None else self.expression(node.pid)
        variable = named[0]
        if not isinstance(variable.type, Basic):
            self.environment.reporter.error(
                node.span, "a remote reference is to one value, not to a typedef"
            )
            return Const(0)
        indices: tuple[Index, ...] = ()
        if part.index is not None:
            length = variable.length or 1
            indices = (Index(self.expression(part.index), 1, length, part.span),)
        layout = self.environment.locals[node.symbol.index]
        place = Place(
            Region.LOCAL, layout.offset(variable), indices, variable.type, unparse.expression(node)
        )
        return RemoteLoad(node.symbol.index, pid, place)


def _field(struct: Struct, name: str) -> tuple[int, Variable]:
    """How many slots come before a field, and the field."""
    before = 0
    for member in struct.fields:
        if member.name == name:
            return before, member
        before += member.size
    raise AssertionError(f"the resolver let the field {name} pass")


def _flat(kind: Basic | Struct) -> list[Basic]:
    if isinstance(kind, Basic):
        return [kind]
    result: list[Basic] = []
    for member in kind.fields:
        result += _flat(member.type) * (1 if member.length is None else member.length)
    return result
