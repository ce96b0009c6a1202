"""Gives the names in expressions their meaning, and checks how they are used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from whorl.diagnostics import Reporter, Span, suggest
from whorl.promela import ast
from whorl.promela.scope import Scope
from whorl.promela.symbols import (
    Basic,
    Kind,
    MtypeConstant,
    ProcessSymbol,
    Struct,
    Variable,
    basic,
)

if TYPE_CHECKING:
    from whorl.promela.resolve import Resolved

PRIORITY = "_priority"
ANY = "_"  # the write-only variable


class Expressions:
    """Resolves expressions in `scope`, inside `process` if any."""

    def __init__(self, resolved: Resolved, reporter: Reporter) -> None:
        self.resolved = resolved
        self.reporter = reporter
        self.scope = Scope()
        self.process: ProcessSymbol | None = None

    def scalar(self, node: ast.Expression) -> None:
        """Resolves an expression that must have one value."""
        match node:
            case ast.Reference():
                found = self.reference(node)
                if found is not None and isinstance(found, Variable):
                    self.not_struct(node, found)
                    if node.parts[0].name == ANY:
                        self.reporter.error(node.span, "'_' can be written, but never read")
            case ast.Unary():
                self.scalar(node.operand)
            case ast.Binary():
                self.scalar(node.left)
                self.scalar(node.right)
            case ast.Conditional():
                self.scalar(node.condition)
                self.scalar(node.yes)
                self.scalar(node.no)
            case ast.ChannelTest():
                self.channel(node.channel)
            case ast.Poll():
                self.channel(node.channel)
                self.receive(node.channel, node.arguments)
            case ast.Call():
                self.scalar(node.argument)
            case ast.Run():
                self.run(node)
            case ast.RemoteLabel():
                node.symbol = self.remote_process(node)
            case ast.RemoteVariable():
                self.remote_variable(node)
            case _:
                pass

    # --- references ------------------------------------------------------------------------------

    def reference(
        self, node: ast.Reference, whole_array: bool = False
    ) -> Variable | MtypeConstant | None:
        """Finds what `node` refers to: the last of its fields, or an mtype constant."""
        first = node.parts[0]
        variable = self.scope.find(first.name)
        if variable is None:
            if first.name in self.resolved.mtypes and len(node.parts) == 1:
                node.symbol = self.resolved.mtypes[first.name]
                return node.symbol
            if first.name in (ANY, PRIORITY) and len(node.parts) == 1:
                node.symbol = Variable(first.name, basic(Kind.INT), None, first.span)
                return node.symbol
            self.unknown(first)
            return None
        node.symbol = variable
        for position, part in enumerate(node.parts):
            last = position == len(node.parts) - 1
            self.index(part, variable, whole_array and last)
            if last:
                return variable
            if not isinstance(variable.type, Struct):
                self.reporter.error(
                    part.span, f"'{part.name}' is a {variable.type.name}: it has no fields"
                )
                return None
            following = node.parts[position + 1]
            inner = variable.type.field(following.name)
            if inner is None:
                known = [f.name for f in variable.type.fields]
                self.reporter.error(
                    following.span,
                    f"the type '{variable.type.name}' has no field '{following.name}'",
                    suggest(following.name, known) or f"its fields are {', '.join(known)}",
                )
                return None
            variable = inner
        return variable

    def index(self, part: ast.Part, variable: Variable, whole_array: bool) -> None:
        if part.index is not None:
            self.scalar(part.index)
            if variable.length is None:
                self.reporter.error(part.span, f"'{part.name}' is not an array")
            elif isinstance(part.index, ast.Number) and not (
                0 <= part.index.value < variable.length
            ):
                self.reporter.error(
                    part.index.span,
                    f"'{part.name}' has {variable.length} elements, numbered from 0:"
                    f" there is no element {part.index.value}",
                )
        elif variable.length is not None and not whole_array:
            self.reporter.error(part.span, f"'{part.name}' is an array: an index is missing")

    def unknown(self, part: ast.Part) -> None:
        known = [*self.scope.visible(), *self.resolved.mtypes]
        hint = suggest(part.name, known)
        if self.resolved.process(part.name) is not None:
            hint = f"'{part.name}' is a proctype; to start a process write 'run {part.name}(...)'"
        self.reporter.error(part.span, f"unknown variable '{part.name}'", hint)

    def not_struct(self, node: ast.Reference, found: Variable) -> None:
        if isinstance(found.type, Struct):
            self.reporter.error(
                node.span,
                f"'{found.name}' is a whole {found.type.name}, but one value is needed here",
                f"its fields are {', '.join(f.name for f in found.type.fields)}",
            )

    def assignable(self, node: ast.Reference) -> None:
        found = self.reference(node)
        if isinstance(found, MtypeConstant):
            self.reporter.error(
                node.span, f"'{found.name}' is a constant and cannot be assigned to"
            )
        elif found is not None:
            self.not_struct(node, found)

    # --- channels --------------------------------------------------------------------------------

    def channel(self, node: ast.Reference, whole_array: bool = False) -> Variable | None:
        found = self.reference(node, whole_array)
        if found is None:
            return None
        is_channel = (
            isinstance(found, Variable)
            and isinstance(found.type, Basic)
            and (found.type.kind in (Kind.CHAN, Kind.BYTE, Kind.INT, Kind.SHORT))
        )
        if not is_channel or (isinstance(found, Variable) and found.type.name != "chan"):
            what = "an mtype constant" if isinstance(found, MtypeConstant) else found.type.name
            self.reporter.error(
                node.span, f"'{node.parts[-1].name}' is not a channel, but a {what}"
            )
            return None
        assert isinstance(found, Variable)
        return found

    def fields_of(self, node: ast.Reference) -> list[Basic] | None:
        """The flat field types of a channel, where its declaration tells them."""
        symbol = node.symbol
        if not isinstance(symbol, Variable) or symbol.declarator is None or len(node.parts) > 1:
            return None
        if not isinstance(symbol.declarator.initial, ast.ChannelInit):
            return None
        return flat_fields(symbol.declarator.initial, self.resolved)

    def send(self, node: ast.Send) -> None:
        count = 0
        for argument in node.arguments:
            if isinstance(argument, ast.Reference):
                found = self.reference(argument)
                if found is None:
                    return
                count += found.type.size if isinstance(found, Variable) else 1
            else:
                self.scalar(argument)
                count += 1
        self.count(node.channel, node.span, count, "sends")

    def receive(self, channel: ast.Reference, arguments: list[ast.Pattern]) -> None:
        count = 0
        for argument in arguments:
            if isinstance(argument, ast.Reference):
                found = self.reference(argument)
                if found is None:
                    return
                count += found.type.size if isinstance(found, Variable) else 1
            else:
                if isinstance(argument, ast.Eval):
                    self.scalar(argument.value)
                count += 1
        self.count(channel, channel.span, count, "receives")

    def count(self, channel: ast.Reference, span: Span, count: int, verb: str) -> None:
        fields = self.fields_of(channel)
        if fields is not None and len(fields) != count:
            self.reporter.warning(
                span,
                f"this {verb} {count} values, but a message of '{channel.parts[0].name}'"
                f" has {len(fields)}",
            )

    # --- processes -------------------------------------------------------------------------------

    def run(self, node: ast.Run) -> None:
        count = 0
        for argument in node.arguments:
            if isinstance(argument, ast.Reference):
                found = self.reference(argument)
                count += found.type.size if isinstance(found, Variable) else 1
            else:
                self.scalar(argument)
                count += 1
        node.symbol = self.resolved.process(node.name)
        if node.symbol is None:
            known = [p.name for p in self.resolved.processes]
            self.reporter.error(
                node.span, f"unknown proctype '{node.name}'", suggest(node.name, known)
            )
            return
        declared = node.symbol.node
        assert isinstance(declared, ast.Proctype)
        expected = 0
        for declaration in declared.parameters:
            size = 1
            if declaration.type.name in self.resolved.structs:
                size = self.resolved.structs[declaration.type.name].size
            expected += size * len(declaration.names)
        if count != expected:
            self.reporter.error(
                node.span,
                f"proctype '{node.name}' takes {expected} arguments, but is given {count}",
            )

    def remote_process(self, node: ast.RemoteLabel | ast.RemoteVariable) -> ProcessSymbol | None:
        if node.pid is not None:
            self.scalar(node.pid)
        found = self.resolved.process(node.process)
        if found is None:
            known = [p.name for p in self.resolved.processes]
            self.reporter.error(
                node.span, f"unknown proctype '{node.process}'", suggest(node.process, known)
            )
        return found

    def remote_variable(self, node: ast.RemoteVariable) -> None:
        node.symbol = self.remote_process(node)
        part = node.variable.parts[0]
        if part.index is not None:
            self.scalar(part.index)


def flat_fields(init: ast.ChannelInit, resolved: Resolved) -> list[Basic]:
    """The basic types of a message, one after the other: a typedef counts as its fields."""
    result: list[Basic] = []
    for message_field in init.fields:
        struct = resolved.structs.get(message_field.name)
        if struct is not None:
            result += flat_struct(struct)
        else:
            name = {"bool": "bit", "pid": "byte"}.get(message_field.name, message_field.name)
            result.append(basic(Kind(name), message_field.subtype))
    if len(result) == 1 and result[0].kind is Kind.BIT:
        # Spin keeps the only field of a message in a byte, and so it holds the values of a byte.
        return [Basic(Kind.BIT, 8)]
    return result


def flat_struct(struct: Struct) -> list[Basic]:
    result: list[Basic] = []
    for inner in struct.fields:
        one = [inner.type] if isinstance(inner.type, Basic) else flat_struct(inner.type)
        result += one * (1 if inner.length is None else inner.length)
    return result
