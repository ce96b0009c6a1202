"""Checks what a model does with its variables, channels and processes, beyond names and types.

Errors here are what Spin refuses as well; what Spin lets pass but is hardly meant is a warning.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from whorl.diagnostics import Reporter, Span, counted
from whorl.language.types import Basic, MtypeConstant, TypeKind
from whorl.promela import ast
from whorl.promela.symbols import ProcessSymbol, Struct, Variable
from whorl.promela.walk import nodes

if TYPE_CHECKING:
    from whorl.promela.resolved import Resolved

_ARITHMETIC = frozenset(["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "~"])
_CONVERSION = re.compile(r"%[-0-9.]*(.?)", re.DOTALL)
_CONVERSIONS = "cdeioux"  # and "%%"


def check_uses(resolved: Resolved, reporter: Reporter) -> None:
    """Reports uses that make no sense, in all processes and claims."""
    checker = _Checker(resolved, reporter)
    for unit in resolved.model.units:
        if isinstance(unit, ast.Declaration):
            checker.declaration(unit)
    for symbol in (*resolved.processes, *resolved.claims):
        checker.process(symbol)


@dataclass(slots=True)
class _Checker:
    resolved: Resolved
    reporter: Reporter
    claims: dict[tuple[str, int], tuple[ProcessSymbol, Span]] = field(default_factory=dict)

    def process(self, symbol: ProcessSymbol) -> None:
        node = symbol.node
        keyword = node.keyword if isinstance(node, ast.NeverOrTrace) else ""
        if isinstance(node, ast.Proctype):
            self.priority(node.priority, node.span)
            if node.provided is not None:
                self.no_run(node.provided, "a 'provided' clause")
        for part in nodes(node):
            self.node(part, symbol)
            if keyword in ("trace", "notrace"):
                self.event(part, keyword)
            elif keyword == "never":
                self.observer(part)
            elif isinstance(part, ast.Predefined) and part.name == "np_":
                self.reporter.error(part.span, "'np_' is only for never claims and formulas")

    def node(self, node: object, symbol: ProcessSymbol) -> None:
        match node:
            case ast.Declaration():
                self.declaration(node)
            case ast.Assign():
                self.assign(node)
            case ast.Condition():
                self.condition(node)
            case ast.Send():
                for argument in node.arguments:
                    self.no_run(argument, "a message")
            case ast.RunExpression():
                self.priority(node.priority, node.span)
                for argument in node.arguments:
                    self.no_run(argument, "the arguments of a 'run'")
            case ast.Print():
                self.print_format(node)
            case ast.Binary() | ast.Unary():
                self.channel_arithmetic(node)
            case ast.ForRange():
                self.loop_variable(node)
                self.empty_range(node)
            case ast.Select():
                self.loop_variable(node)
            case ast.ExclusiveUse():
                self.exclusive_use(node, symbol)
            case _:
                pass

    # --- values ----------------------------------------------------------------------------------

    def declaration(self, node: ast.Declaration) -> None:
        for declarator in node.names:
            variable, initial = declarator.symbol, declarator.initial
            if variable is None or initial is None or isinstance(initial, ast.ChannelInit):
                continue
            for value in initial if isinstance(initial, list) else [initial]:
                self.fits(value, variable, variable.type)

    def assign(self, node: ast.Assign) -> None:
        target = _target(node.target)
        if target is None:
            return
        if _is_channel(target) and node.operator != "=":
            self.reporter.error(node.span, f"'{target.name}' is a channel and cannot be counted")
        elif node.operator == "=" and not (_is_channel(target) and len(node.target.parts) > 1):
            self.fits(node.value, target, target.type)

    def fits(self, value: ast.Expression, variable: Variable, kind: object) -> None:
        """Checks a constant that is given to a variable."""
        if not isinstance(kind, Basic):
            return
        if isinstance(value, ast.Reference) and isinstance(value.symbol, MtypeConstant):
            self.same_set(value, value.symbol, variable, kind)
            return
        if not isinstance(value, ast.Number):
            return
        if kind.kind is TypeKind.CHAN:
            self.reporter.error(
                value.span,
                f"'{variable.name}' is a channel and cannot be given a number",
                f"a channel is made by 'chan {variable.name} = [1] of {{ byte }}'",
            )
        elif kind.truncate(value.value) != value.value:
            self.reporter.warning(
                value.span,
                f"'{variable.name}' is {_described(kind)} and cannot hold {value.value}:"
                f" it becomes {kind.truncate(value.value)}",
            )

    def same_set(
        self, value: ast.Expression, constant: MtypeConstant, variable: Variable, kind: Basic
    ) -> None:
        if kind.kind is TypeKind.MTYPE and kind.subtype and constant.subtype != kind.subtype:
            own = f"of the set '{constant.subtype}'" if constant.subtype else "of no named set"
            self.reporter.error(
                value.span,
                f"'{variable.name}' is an mtype of the set '{kind.subtype}',"
                f" but '{constant.name}' is {own}",
            )

    def channel_arithmetic(self, node: ast.Binary | ast.Unary) -> None:
        if node.operator not in _ARITHMETIC or node.span.text.endswith(("++", "--")):
            return
        operands = [node.operand] if isinstance(node, ast.Unary) else [node.left, node.right]
        for operand in operands:
            target = _target(operand) if isinstance(operand, ast.Reference) else None
            if target is not None and _is_channel(target):
                self.reporter.error(
                    operand.span,
                    f"'{target.name}' is a channel: '{node.operator}' cannot be used on it",
                    f"the number of messages in it is 'len({operand.span.text})'",
                )

    # --- processes -------------------------------------------------------------------------------

    def priority(self, priority: int | None, span: Span) -> None:
        if priority is not None and not 1 <= priority <= 255:
            self.reporter.error(span, f"a priority is a number from 1 to 255, not {priority}")

    def no_run(self, node: ast.Expression, where: str) -> None:
        for run in _runs(node):
            self.reporter.error(
                run.span, f"'run' cannot be used in {where}", "write 'x = run ...' first"
            )

    def condition(self, node: ast.Condition) -> None:
        """A 'run' has an effect, so only one may stand in a condition, and alone."""
        runs = list(_runs(node.expression))
        if len(runs) > 1:
            self.reporter.error(runs[1].span, "a second 'run' in one expression")
        elif runs and node.expression is not runs[0]:
            self.reporter.error(
                runs[0].span,
                "'run' cannot be part of a larger condition",
                "write 'x = run ...' first, and then the condition",
            )

    def exclusive_use(self, node: ast.ExclusiveUse, symbol: ProcessSymbol) -> None:
        for channel in node.channels:
            if channel.symbol is None:
                continue
            key = (node.keyword, id(channel.symbol))
            other, span = self.claims.setdefault(key, (symbol, channel.span))
            if other is not symbol:
                verb = "receives from" if node.keyword == "xr" else "sends to"
                self.reporter.error(
                    channel.span,
                    f"'{other.name}' already claims to be the only one that {verb}"
                    f" '{channel.parts[0].name}' (line {span.line})",
                )

    # --- loops and output ------------------------------------------------------------------------

    def loop_variable(self, node: ast.ForRange | ast.Select) -> None:
        target = _target(node.variable)
        if target is not None and _is_channel(target):
            self.reporter.error(node.variable.span, f"'{target.name}' is a channel, not a number")

    def empty_range(self, node: ast.ForRange) -> None:
        first, last = node.first, node.last
        if not (isinstance(first, ast.Number) and isinstance(last, ast.Number)):
            return
        if first.value > last.value:
            self.reporter.warning(
                node.span,
                f"this loop never runs: {first.value} is above {last.value}",
                "a 'for' counts upwards only",
            )

    def print_format(self, node: ast.Print) -> None:
        if not node.format:
            return
        wanted = [letter for letter in _CONVERSION.findall(node.format) if letter != "%"]
        for letter in wanted:
            if letter not in _CONVERSIONS or not letter:
                self.reporter.warning(
                    node.span,
                    f"printf does not know '%{letter}'",
                    "it has %d, %u, %o, %x, %c, and %e for an mtype",
                )
                return
        if len(wanted) != len(node.arguments):
            self.reporter.warning(
                node.span,
                f"this format has {counted(len(wanted), 'place')} for values,"
                f" but {counted(len(node.arguments), 'value')} given",
            )

    # --- claims ----------------------------------------------------------------------------------

    def event(self, node: object, keyword: str) -> None:
        """A trace assertion speaks of sends and receives only, as Spin's does."""
        match node:
            case ast.Condition(expression=ast.Number(value=1) as number):
                # A label at the end of a sequence stands on a skip that nobody wrote.
                wrong = number.span.text in ("1", "true", "skip")
            case ast.Declaration() | ast.Condition() | ast.Assign() | ast.Assert() | ast.Print():
                wrong = True
            case ast.Else() | ast.EmbeddedCode() | ast.Block():
                wrong = True
            case _:
                return
        if wrong:
            self.reporter.error(node.span, f"a '{keyword}' assertion has only sends and receives")

    def observer(self, node: object) -> None:
        """A never claim only looks on."""
        if isinstance(node, ast.Send | ast.Receive):
            self.reporter.error(
                node.span,
                "a never claim cannot send or receive",
                "poll the channel: 'c?[m]'",
            )
        elif isinstance(node, ast.Assign):
            self.reporter.warning(node.span, "this never claim changes the model that it observes")


def _target(node: ast.Reference) -> Variable | None:
    """The variable or field that a reference leads to, if that is known."""
    variable = node.symbol
    if not isinstance(variable, Variable):
        return None
    for part in node.parts[1:]:
        member = variable.type.field(part.name) if isinstance(variable.type, Struct) else None
        if member is None:
            return None
        variable = member
    return variable


def _is_channel(variable: Variable) -> bool:
    return isinstance(variable.type, Basic) and variable.type.kind is TypeKind.CHAN


def _described(kind: Basic) -> str:
    if kind.kind is TypeKind.UNSIGNED:
        return f"an unsigned of {counted(kind.width, 'bit')}"
    return f"{'an' if kind.name[0] in 'aeiou' else 'a'} {kind.name}"


def _runs(node: ast.Expression) -> Iterator[ast.RunExpression]:
    runs = [run for run in nodes(node) if isinstance(run, ast.RunExpression)]
    return iter(sorted(runs, key=lambda run: run.span.start))
