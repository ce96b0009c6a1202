"""Gives names their meaning and checks types: the last stage of the front end.

`resolve` fills in the tree's `symbol` fields and returns the tables that the next stage needs.
Everything that a user can get wrong with names and types is reported here.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from whorl.diagnostics import Reporter, Span, suggest
from whorl.promela import ast
from whorl.promela.constants import constant
from whorl.promela.resolve_expressions import Expressions
from whorl.promela.scope import Scope
from whorl.promela.symbols import (
    Basic,
    Kind,
    MtypeConstant,
    ProcessSymbol,
    Struct,
    Type,
    Variable,
    basic,
)

_BASIC = {
    "bit": Kind.BIT,
    "bool": Kind.BIT,
    "byte": Kind.BYTE,
    "pid": Kind.BYTE,
    "short": Kind.SHORT,
    "int": Kind.INT,
    "mtype": Kind.MTYPE,
    "chan": Kind.CHAN,
}
MOST_PROCESSES = 255


@dataclass(slots=True)
class Resolved:
    """A model whose names are known."""

    model: ast.Model
    variables: list[Variable] = field(default_factory=list)  # the global ones, in order
    mtypes: dict[str, MtypeConstant] = field(default_factory=dict)
    structs: dict[str, Struct] = field(default_factory=dict)
    processes: list[ProcessSymbol] = field(default_factory=list)  # proctypes and init, in order
    claims: list[ProcessSymbol] = field(default_factory=list)  # never, trace, notrace
    formulas: list[ast.LtlFormula] = field(default_factory=list)

    def process(self, name: str) -> ProcessSymbol | None:
        return next((p for p in self.processes if p.name == name), None)


def resolve(model: ast.Model, reporter: Reporter) -> Resolved:
    return _Resolver(model, reporter).resolve()


class _Resolver:
    def __init__(self, model: ast.Model, reporter: Reporter) -> None:
        self.reporter = reporter
        self.result = Resolved(model)
        self.scope = Scope()
        self.process: ProcessSymbol | None = None
        self.blocks = 0
        self.expressions = Expressions(self.result, reporter)

    # --- units -----------------------------------------------------------------------------------

    def resolve(self) -> Resolved:
        units = self.result.model.units
        self.declare_processes(units)
        for unit in units:  # a formula or a claim may use what is declared after it
            if isinstance(unit, ast.MtypeDeclaration):
                self.mtype(unit)
            elif isinstance(unit, ast.TypedefDeclaration):
                self.typedef(unit)
            elif isinstance(unit, ast.Declaration):
                self.declaration(unit)
            elif isinstance(unit, ast.LtlFormula):
                self.formula(unit)
        for unit in units:
            if isinstance(unit, ast.Proctype | ast.Claim) and unit.symbol is not None:
                self.body(unit, unit.symbol)
            elif isinstance(unit, ast.ExclusiveUse):
                self.exclusive_use(unit)
        if not any(p.name for p in self.result.processes):
            self.reporter.error(
                self.result.model.span,
                "the model has no process",
                "add 'init { ... }' or 'active proctype name() { ... }'",
            )
        elif not any(_starts(p) for p in self.result.processes):
            first = self.result.processes[0]
            self.reporter.error(
                first.node.span,
                "no process is started: there is no init and no active proctype",
                f"write 'active proctype {first.name}()', or an init that runs it",
            )
        return self.result

    def declare_processes(self, units: list[ast.Unit]) -> None:
        seen: dict[str, Span] = {}
        for unit in units:
            if not isinstance(unit, ast.Proctype | ast.Claim):
                continue
            if unit.name in seen and isinstance(unit, ast.Proctype):
                shown = "init" if unit.name == ":init:" else unit.name
                self.reporter.error(
                    unit.span, f"'{shown}' is defined twice (also in line {seen[unit.name].line})"
                )
                continue
            seen[unit.name] = unit.span
            group = self.result.processes if isinstance(unit, ast.Proctype) else self.result.claims
            unit.symbol = ProcessSymbol(unit.name, len(group), unit)
            group.append(unit.symbol)

    def mtype(self, unit: ast.MtypeDeclaration) -> None:
        """Numbers the constants as Spin does: from the last name of a declaration to its first."""
        known = self.result.mtypes
        next_value = 1 + sum(c.subtype == unit.subtype for c in known.values())
        for name, span in reversed(unit.names):
            if name in known:
                self.reporter.error(span, f"the mtype constant '{name}' is declared twice")
                continue
            if next_value > 255:
                self.reporter.error(span, "an mtype has at most 255 constants")
                return
            known[name] = MtypeConstant(name, next_value, unit.subtype)
            next_value += 1

    def typedef(self, unit: ast.TypedefDeclaration) -> None:
        if unit.name in self.result.structs:
            self.reporter.error(unit.span, f"the type '{unit.name}' is defined twice")
            return
        fields: dict[str, Variable] = {}
        for declaration in unit.fields:
            for declarator in declaration.names:
                variable = self.variable(declaration, declarator)
                if variable is None:
                    continue
                if variable.name in fields:
                    self.reporter.error(
                        declarator.span, f"the field '{variable.name}' is declared twice"
                    )
                fields[variable.name] = variable
        self.result.structs[unit.name] = Struct(unit.name, tuple(fields.values()))

    def formula(self, unit: ast.LtlFormula) -> None:
        if not unit.name:
            unit.name = f"ltl_{len(self.result.formulas)}"
        self.result.formulas.append(unit)

    # --- declarations ----------------------------------------------------------------------------

    def declaration(self, node: ast.Declaration) -> None:
        for declarator in node.names:
            variable = self.variable(node, declarator)
            if variable is None:
                continue
            clash = self.scope.names.get(variable.name)
            if clash is not None:
                self.reporter.error(
                    declarator.span,
                    f"'{variable.name}' is declared twice (also in line {clash.span.line})",
                )
                continue
            if variable.name in self.result.mtypes:
                self.reporter.error(
                    declarator.span, f"'{variable.name}' is already an mtype constant"
                )
                continue
            variable.hidden = node.visibility == "hidden"
            variable.owner = self.process
            variable.block = self.blocks if self.process else 0
            self.scope.names[variable.name] = variable
            if self.process is None:
                self.result.variables.append(variable)
            else:
                self.process.variables.append(variable)

    def variable(self, node: ast.Declaration, declarator: ast.Declarator) -> Variable | None:
        kind = self.type(node.type, declarator)
        length = None
        if declarator.length is not None:
            length = self.constant(declarator.length, "the length of an array")
            if length is not None and not 1 <= length <= 1 << 20:
                self.reporter.error(
                    declarator.length.span, f"an array cannot have {length} elements"
                )
                length = 1
            length = length or 1
        if kind is None:
            return None
        is_bit = isinstance(kind, Basic) and kind.kind is Kind.BIT
        if is_bit and length is not None:
            # Spin keeps the elements of a bit array in bytes, and so they hold the values of bytes.
            kind = Basic(Kind.BIT, 8)
        variable = Variable(declarator.name, kind, length, declarator.span, declarator=declarator)
        declarator.symbol = variable
        self.initial(variable, declarator)
        return variable

    def type(self, node: ast.FieldType, declarator: ast.Declarator | None) -> Type | None:
        if node.name in self.result.structs:
            return self.result.structs[node.name]
        if node.name == "unsigned":
            width = declarator.width if declarator is not None else None
            if width is None or not 1 <= width <= 31:
                assert declarator is not None
                self.reporter.error(
                    declarator.span, "an unsigned needs a width from 1 to 31", "unsigned x : 5"
                )
                width = 16
            return Basic(Kind.UNSIGNED, width)
        if declarator is not None and declarator.width is not None:
            self.reporter.error(declarator.span, f"only an unsigned has a width, not a {node.name}")
        if node.name in _BASIC:
            if node.subtype is not None and not any(
                c.subtype == node.subtype for c in self.result.mtypes.values()
            ):
                known = {c.subtype for c in self.result.mtypes.values() if c.subtype}
                self.reporter.error(
                    node.span,
                    f"unknown mtype set '{node.subtype}'",
                    suggest(node.subtype, known),
                )
            return basic(_BASIC[node.name], node.subtype)
        self.reporter.error(
            node.span,
            f"the type '{node.name}' is used before it is defined",
            "move its typedef up",
        )
        return None

    def initial(self, variable: Variable, declarator: ast.Declarator) -> None:
        value = declarator.initial
        if value is None:
            return
        is_channel = isinstance(variable.type, Basic) and variable.type.kind is Kind.CHAN
        if isinstance(value, ast.ChannelInit):
            if not is_channel:
                self.reporter.error(
                    value.span, f"'{variable.name}' is a {variable.type.name}, not a channel"
                )
            capacity = self.constant(value.capacity, "the capacity of a channel")
            if capacity is not None and not 0 <= capacity <= 255:
                self.reporter.error(value.span, f"a channel cannot hold {capacity} messages")
            for message_field in value.fields:
                self.type(message_field, None)
        elif isinstance(value, list):
            if variable.length is None:
                self.reporter.error(declarator.span, f"'{variable.name}' is not an array")
            elif len(value) > variable.length:
                self.reporter.error(
                    value[variable.length].span,
                    f"'{variable.name}' has {variable.length} elements,"
                    f" but {len(value)} initial values",
                )
        else:
            self.expressions.scope = self.scope
            self.expressions.scalar(value)
            if _runs(value):
                self.reporter.error(value.span, "'run' cannot be used in an initial value")

    def constant(self, node: ast.Expression, what: str) -> int | None:
        self.expressions.scope = self.scope
        self.expressions.scalar(node)
        value = constant(node)
        if value is None:
            self.reporter.error(node.span, f"{what} must be a constant")
        return value

    # --- bodies ----------------------------------------------------------------------------------

    def body(self, unit: ast.Proctype | ast.Claim, symbol: ProcessSymbol) -> None:
        self.process = symbol
        self.scope = Scope(self.scope)
        self.blocks = 0
        self.expressions.process = symbol
        if isinstance(unit, ast.Proctype):
            if unit.active is not None:
                count = self.constant(unit.active, "the number of active processes")
                if count is not None and not 0 <= count <= MOST_PROCESSES:
                    self.reporter.error(
                        unit.active.span, f"at most {MOST_PROCESSES} processes can run"
                    )
            self.parameters(unit, symbol)
            if unit.provided is not None:
                self.expression(unit.provided)
        self.steps(unit.body, at_start=True)
        assert self.scope.parent is not None
        self.scope = self.scope.parent
        self.process = None
        self.expressions.process = None

    def parameters(self, unit: ast.Proctype, symbol: ProcessSymbol) -> None:
        for declaration in unit.parameters:
            self.declaration(declaration)
            for declarator in declaration.names:
                if declarator.symbol is None:
                    continue
                if declarator.initial is not None or declarator.symbol.length is not None:
                    self.reporter.error(
                        declarator.span, "a parameter cannot be an array or have an initial value"
                    )
                declarator.symbol.parameter = True
                symbol.parameters.append(declarator.symbol)

    def steps(self, sequence: ast.Sequence, at_start: bool = False) -> None:
        """`at_start`: declarations here, before any statement, are part of starting the process."""
        for step in sequence.steps:
            if isinstance(step, ast.Declaration):
                self.declaration(step)
                for declarator in step.names:
                    if declarator.symbol is not None:
                        self.place(declarator.symbol, declarator, at_start)
            elif isinstance(step, ast.ExclusiveUse):
                self.exclusive_use(step)
            else:
                self.statement(step)
                at_start = False

    def place(self, variable: Variable, declarator: ast.Declarator, at_start: bool) -> None:
        variable.at_start = at_start or isinstance(declarator.initial, ast.ChannelInit)
        if isinstance(declarator.initial, ast.ChannelInit) and not at_start:
            self.reporter.warning(
                declarator.span,
                f"the channel '{variable.name}' is made once, when its process starts,"
                " not each time that this line is reached",
                "declare it before the first statement of the proctype",
            )

    def nested(self, sequence: ast.Sequence) -> None:
        self.scope = Scope(self.scope)
        self.blocks += 1
        self.steps(sequence)
        assert self.scope.parent is not None
        self.scope = self.scope.parent

    def statement(self, node: ast.Statement) -> None:
        match node:
            case ast.Labelled():
                self.statement(node.statement)
            case ast.Choice():
                for option in node.options:
                    self.nested(option)
            case ast.Block():
                self.nested(node.body)
            case ast.Unless():
                self.statement(node.main)
                self.statement(node.escape)
            case ast.ForRange():
                self.assignable(node.variable)
                self.expression(node.first)
                self.expression(node.last)
                self.nested(node.body)
            case ast.ForIn():
                self.for_in(node)
                self.nested(node.body)
            case ast.Select():
                self.assignable(node.variable)
                self.expression(node.first)
                self.expression(node.last)
            case ast.Assign():
                self.assignable(node.target)
                self.expression(node.value)
            case ast.Condition() | ast.Assert():
                self.expression(node.expression)
            case ast.Print():
                for argument in node.arguments:
                    self.expression(argument)
            case ast.Send():
                self.expressions.scope = self.scope
                self.expressions.channel(node.channel)
                self.expressions.send(node)
            case ast.Receive():
                self.expressions.scope = self.scope
                self.expressions.channel(node.channel)
                self.expressions.receive(node.channel, node.arguments)
            case ast.SetPriority():
                self.expression(node.pid)
                self.expression(node.priority)
            case _:
                pass

    def expression(self, node: ast.Expression) -> None:
        self.expressions.scope = self.scope
        self.expressions.scalar(node)

    def assignable(self, node: ast.Reference) -> None:
        self.expressions.scope = self.scope
        self.expressions.assignable(node)

    def exclusive_use(self, node: ast.ExclusiveUse) -> None:
        self.expressions.scope = self.scope
        for channel in node.channels:
            self.expressions.channel(channel, whole_array=True)

    def for_in(self, node: ast.ForIn) -> None:
        self.expressions.scope = self.scope
        container = self.expressions.reference(node.container, whole_array=True)
        if container is None:
            return
        is_element = node.container.parts[-1].index is not None
        if isinstance(container, Variable) and container.length is not None and not is_element:
            self.expressions.assignable(node.variable)
            return
        self.expressions.reference(node.variable)
        if self.expressions.channel(node.container) is None:
            return
        assert self.process is not None
        counter = Variable(
            f"_counter_{node.span.line}", basic(Kind.BYTE), None, node.span, owner=self.process
        )
        self.process.variables.append(counter)
        node.symbol = counter


def _starts(process: ProcessSymbol) -> bool:
    node = process.node
    return isinstance(node, ast.Proctype) and node.active is not None


def _runs(node: ast.Expression) -> bool:
    match node:
        case ast.Run():
            return True
        case ast.Unary():
            return _runs(node.operand)
        case ast.Binary():
            return _runs(node.left) or _runs(node.right)
    return False
