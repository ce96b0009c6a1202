"""Gives the names in expressions their meaning, and checks how they are used."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from whorl.diagnostics import Reporter, Span, counted, suggest
from whorl.language.types import Basic, MtypeConstant, TypeKind, basic
from whorl.promela import ast, hints
from whorl.promela.scope import Scope
from whorl.promela.stream import PREDEFINED, TYPES
from whorl.promela.symbols import ProcessSymbol, Struct, Variable
from whorl.promela.walk import nodes

if TYPE_CHECKING:
    from whorl.promela.resolved import Resolved

PRIORITY = "_priority"
MOST_HIGH = 300  # operators within operators; later stages use Python's stack
ANY = "_"  # the write-only variable
WORDS = ("skip", "else", "break", "true", "false", "timeout", "_pid", "_nr_pr", "_last")


class ExpressionResolver:
    """Resolves expressions in `scope`, inside `process` if any."""

    def __init__(self, resolved: Resolved, reporter: Reporter) -> None:
        self.resolved = resolved
        self.reporter = reporter
        self.scope = Scope()
        self.process: ProcessSymbol | None = None
        self.unknown_names: dict[str, list[ast.Part]] = {}
        self.unknown_hints: dict[str, str | None] = {}
        self.remotes: list[ast.RemoteVariable] = []
        self.height = 0
        self.too_high = False

    def finish(self) -> None:
        """Says what can be said only after all processes were looked at."""
        for name, parts in self.unknown_names.items():
            times = f" (used {len(parts)} times)" if len(parts) > 1 else ""
            macro = re.match(r"\w+", parts[0].span.text)
            if macro is not None and macro.group() != name:
                times += f", in the macro '{macro.group()}'"
            message = f"unknown variable '{name}'{times}"
            self.reporter.error(parts[0].span, message, self.unknown_hints[name])
        for node in self.remotes:
            self.check_remote(node)

    def has_unknown(self, node: ast.Expression) -> bool:
        """Whether something in `node` was complained of already."""
        return any(isinstance(n, ast.Reference) and n.symbol is None for n in nodes(node))

    def scalar(self, node: ast.Expression) -> None:
        """Resolves an expression that must have one value."""
        self.height += 1
        if self.height <= MOST_HIGH:
            self.value(node)
        elif not self.too_high:
            self.too_high = True
            self.reporter.error(
                node.span,
                f"more than {MOST_HIGH} operators are nested around here",
                "assign parts of the expression to variables first",
            )
        self.height -= 1

    def value(self, node: ast.Expression) -> None:
        match node:
            case ast.Reference():
                symbol = self.reference(node)
                if symbol is not None and isinstance(symbol, Variable):
                    self.not_struct(node, symbol)
                    self.readable(node)
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
            case ast.RunExpression():
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
                node.symbol = Variable(first.name, basic(TypeKind.INT), None, first.span)
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
                kind = f"a {variable.type.name}" if part.index is None else "not a typedef"
                self.reporter.error(node.span, f"'{part.name}' is {kind} and has no fields")
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
                last = variable.length - 1
                # A mistake only if it is ever reached, so no error: `if :: N > 3 -> a[3] = ...`.
                self.reporter.warning(
                    part.index.span,
                    f"'{part.name}' has {counted(variable.length, 'element')}, numbered from 0"
                    f"{f' to {last}' if last else ''}: there is no element {part.index.value}",
                )
        elif variable.length is not None and not whole_array:
            self.reporter.error(
                part.span,
                f"'{part.name}' is an array: an index is missing",
                f"write '{part.name}[i]' for one of its elements",
            )

    def unknown(self, part: ast.Part) -> None:
        name = part.name
        if name in self.resolved.model.doubtful:
            return
        uses = self.unknown_names.setdefault(name, [])
        if all((p.span.source, p.span.start) != (part.span.source, part.span.start) for p in uses):
            uses.append(part)
        known = [*self.scope.visible(), *self.resolved.mtypes, *WORDS]
        hint = hints.CONSTANTS.get(name) or suggest(name, known)
        elsewhere = self.elsewhere(name)
        if self.resolved.process(name) is not None:
            hint = f"'{name}' is a proctype; to start a process write 'run {name}(...)'"
        elif name in PREDEFINED:
            hint = f"to match the value of '{name}', write 'eval({name})'"
        elif elsewhere is not None and elsewhere is not self.process:
            inside = "init" if elsewhere.name == ":init:" else elsewhere.name
            hint = f"'{name}' is declared in '{inside}' and known only there"
        elif elsewhere is not None:
            hint = f"'{name}' is declared only in another block, or further down"
        self.unknown_hints.setdefault(name, hint)

    def elsewhere(self, name: str) -> ProcessSymbol | None:
        """A process that declares the name, this one if it does."""
        declaring = [
            p
            for p in (*self.resolved.processes, *self.resolved.claims)
            if any(isinstance(n, ast.Declarator) and n.name == name for n in nodes(p.node))
        ]
        return self.process if self.process in declaring else next(iter(declaring), None)

    def readable(self, node: ast.Reference) -> None:
        if node.parts[0].name == ANY:
            self.reporter.error(
                node.span,
                "'_' can be written, but never read",
                "it is a place to throw values away",
            )

    def not_struct(self, node: ast.Reference, variable: Variable) -> None:
        if isinstance(variable.type, Struct):
            one = variable.type.fields[0].name if variable.type.fields else "field"
            self.reporter.error(
                node.span,
                f"'{variable.name}' is a whole {variable.type.name}, but one value is needed here",
                f"name one of its fields ({', '.join(f.name for f in variable.type.fields)}):"
                f" '{node.span.text}.{one}'",
            )

    def whole_structs(self, node: ast.Assign) -> bool:
        """Whether a whole typedef is assigned to another, which is then complained of."""
        if not isinstance(node.value, ast.Reference):
            return False
        target, value = self.reference(node.target), self.reference(node.value)
        if not (isinstance(target, Variable) and isinstance(value, Variable)):
            return False
        if not (isinstance(target.type, Struct) and isinstance(value.type, Struct)):
            return False
        one = target.type.fields[0].name if target.type.fields else "x"
        self.reporter.error(
            node.span,
            f"a whole {target.type.name} cannot be assigned",
            "assign its fields one by one:"
            f" '{node.target.span.text}.{one} = {node.value.span.text}.{one}; ...'",
        )
        return True

    def assignable(self, node: ast.Reference) -> None:
        symbol = self.reference(node)
        if isinstance(symbol, MtypeConstant):
            self.reporter.error(
                node.span, f"'{symbol.name}' is a constant and cannot be assigned to"
            )
        elif symbol is not None:
            self.not_struct(node, symbol)

    # --- channels --------------------------------------------------------------------------------

    def channel(
        self, node: ast.Reference, what: str = "not a channel", *, whole_array: bool = False
    ) -> Variable | None:
        symbol = self.reference(node, whole_array)
        if symbol is None:
            return None
        if isinstance(symbol, MtypeConstant):
            kind = "an mtype constant"
        elif isinstance(symbol.type, Basic) and symbol.type.kind is TypeKind.CHAN:
            return symbol
        else:
            kind = f"a{'n' if symbol.type.name[0] in 'aeiou' else ''} {symbol.type.name}"
        self.reporter.error(node.span, f"'{node.parts[-1].name}' is {what}, but {kind}")
        return None

    def fields_of(self, node: ast.Reference) -> list[Basic] | None:
        """The flat field types of a channel, where its declaration tells them."""
        symbol = node.symbol
        if not isinstance(symbol, Variable) or symbol.declarator is None or len(node.parts) > 1:
            return None
        initial = symbol.declarator.initial
        if not isinstance(initial, ast.ChannelInit):
            return None
        known = (*TYPES, *self.resolved.structs)
        if any(part.name not in known for part in initial.fields):
            return None  # it was complained of, or is in text that was not understood
        return flat_fields(initial, self.resolved)

    def send(self, node: ast.Send) -> None:
        count = 0
        for argument in node.arguments:
            if isinstance(argument, ast.Reference):
                symbol = self.reference(argument)
                if symbol is None:
                    return
                watched = self.process is not None and isinstance(
                    self.process.node, ast.NeverOrTrace
                )
                if not watched:  # in a trace, a send is an event, and '_' stands for any value
                    self.readable(argument)
                count += symbol.type.size if isinstance(symbol, Variable) else 1
            else:
                self.scalar(argument)
                count += 1
        self.count(node.channel, node.span, count, "sends")

    def receive(self, channel: ast.Reference, arguments: list[ast.Pattern]) -> None:
        count = 0
        for argument in arguments:
            if isinstance(argument, ast.Reference):
                symbol = self.reference(argument)
                if symbol is None:
                    return
                count += symbol.type.size if isinstance(symbol, Variable) else 1
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
                f"this {verb} {counted(count, 'value')}, but a message of"
                f" '{channel.parts[0].name}' has {len(fields)}",
            )

    # --- processes -------------------------------------------------------------------------------

    def run(self, node: ast.RunExpression) -> None:
        count = 0
        for argument in node.arguments:
            if isinstance(argument, ast.Reference):
                symbol = self.reference(argument)
                count += symbol.type.size if isinstance(symbol, Variable) else 1
            else:
                self.scalar(argument)
                count += 1
        node.symbol = self.resolved.process(node.name)
        if node.symbol is None:
            self.unknown_process(node, node.name)
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
            parameters = ", ".join(
                f"{declaration.type.name} {declarator.name}"
                for declaration in declared.parameters
                for declarator in declaration.names
            )
            self.reporter.error(
                node.span,
                f"proctype '{node.name}' takes {counted(expected, 'argument')},"
                f" but is given {count}",
                f"it is defined in line {declared.span.line} as '{node.name}({parameters})'",
            )

    def unknown_process(self, node: ast.Expression, name: str) -> None:
        if name in self.resolved.model.doubtful:
            return
        known = [p.name for p in self.resolved.processes if p.name != ":init:"]
        self.reporter.error(node.span, f"unknown proctype '{name}'", suggest(name, known))

    def remote_process(self, node: ast.RemoteLabel | ast.RemoteVariable) -> ProcessSymbol | None:
        if node.pid is not None:
            self.scalar(node.pid)
        symbol = self.resolved.process(node.process)
        if symbol is None:
            self.unknown_process(node, node.process)
        return symbol

    def remote_variable(self, node: ast.RemoteVariable) -> None:
        node.symbol = self.remote_process(node)
        part = node.variable.parts[0]
        if part.index is not None:
            self.scalar(part.index)
        self.remotes.append(node)

    def check_remote(self, node: ast.RemoteVariable) -> None:
        """Checks a remote reference once the variables of all processes are known."""
        part = node.variable.parts[0]
        if node.symbol is None or part.name in self.resolved.model.doubtful:
            return
        variable = next((v for v in node.symbol.variables if v.name == part.name), None)
        if variable is None:
            known = [v.name for v in node.symbol.variables]
            self.reporter.error(
                node.span,
                f"proctype '{node.process}' has no variable '{part.name}'",
                suggest(part.name, known),
            )
        else:
            self.index(part, variable, whole_array=False)


def flat_fields(init: ast.ChannelInit, resolved: Resolved) -> list[Basic]:
    """The basic types of a message, one after the other: a typedef counts as its fields."""
    result: list[Basic] = []
    for message_field in init.fields:
        struct = resolved.structs.get(message_field.name)
        if struct is not None:
            result += flat_struct(struct)
        else:
            name = {"bool": "bit", "pid": "byte"}.get(message_field.name, message_field.name)
            result.append(basic(TypeKind(name), message_field.subtype))
    if len(result) == 1 and result[0].kind is TypeKind.BIT:
        # Spin keeps the only field of a message in a byte, and so it holds the values of a byte.
        return [Basic(TypeKind.BIT, 8)]
    return result


def flat_struct(struct: Struct) -> list[Basic]:
    result: list[Basic] = []
    for inner in struct.fields:
        one = [inner.type] if isinstance(inner.type, Basic) else flat_struct(inner.type)
        result += one * (1 if inner.length is None else inner.length)
    return result
