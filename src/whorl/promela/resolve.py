"""Gives names their meaning and checks types: the last stage of the front end.

`resolve` fills in the tree's `symbol` fields and returns the tables that the next stage needs.
Everything that a user can get wrong with names and types is reported here.
"""

from __future__ import annotations

from whorl.diagnostics import Reporter, Span, counted, suggest
from whorl.language.limits import MOST_PROCESSES
from whorl.language.types import Basic, MtypeConstant, TypeKind, basic
from whorl.promela import ast
from whorl.promela.checks import check_uses
from whorl.promela.constants import constant
from whorl.promela.expressions import CONSTANTS
from whorl.promela.resolve_expressions import ExpressionResolver
from whorl.promela.resolve_labels import check_labels
from whorl.promela.resolved import Resolved
from whorl.promela.scope import Scope
from whorl.promela.symbols import ProcessSymbol, Struct, Type, Variable
from whorl.promela.walk import nodes

_BASIC = {
    "bit": TypeKind.BIT,
    "bool": TypeKind.BIT,
    "byte": TypeKind.BYTE,
    "pid": TypeKind.BYTE,
    "short": TypeKind.SHORT,
    "int": TypeKind.INT,
    "mtype": TypeKind.MTYPE,
    "chan": TypeKind.CHAN,
}
MOST_VALUES = 1 << 20  # of one variable
MOST_NESTED = 100  # typedefs within typedefs


def resolve(model: ast.SyntaxTree, reporter: Reporter) -> Resolved:
    return _Resolver(model, reporter).resolve()


class _Resolver:
    def __init__(self, model: ast.SyntaxTree, reporter: Reporter) -> None:
        self.reporter = reporter
        self.result = Resolved(model)
        self.scope = Scope()
        self.process: ProcessSymbol | None = None
        self.inside: str | None = None  # the typedef being defined
        self.typedefs: dict[str, Span] = {}
        self.mtype_sets: set[str] = set()  # the named ones, wherever they are declared
        self.nesting: dict[str, int] = {}  # how deep typedefs are nested in a typedef
        self.expressions = ExpressionResolver(self.result, reporter)

    # --- units -----------------------------------------------------------------------------------

    def resolve(self) -> Resolved:
        units = self.result.model.units
        self.declare_processes(units)
        declared = (unit for unit in units if isinstance(unit, ast.MtypeDeclaration))
        self.mtype_sets = {unit.subtype for unit in declared if unit.subtype is not None}
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
            if isinstance(unit, ast.Proctype | ast.NeverOrTrace) and unit.symbol is not None:
                self.body(unit, unit.symbol)
            elif isinstance(unit, ast.LtlFormula):
                self.propositions(unit)
        self.expressions.finish()
        check_labels(self.result, self.reporter)
        check_uses(self.result, self.reporter)
        self.any_process()
        return self.result

    def any_process(self) -> None:
        """Complains where nothing would ever run."""
        model, processes = self.result.model, self.result.processes
        if model.doubtful:
            return
        if not processes:
            end = Span(model.span.source, model.span.end, model.span.end)
            self.reporter.error(
                end,
                "the model has no process",
                "add 'init { ... }' or 'active proctype name() { ... }'",
            )
        elif not any(_starts(p) for p in processes):
            first = processes[0]
            self.reporter.error(
                first.node.span,
                "no process is started: there is no init and no active proctype",
                f"write 'active proctype {first.name}()', or an init that runs it",
            )

    def declare_processes(self, units: list[ast.Unit]) -> None:
        seen: dict[str, Span] = {}
        for unit in units:
            if not isinstance(unit, ast.Proctype | ast.NeverOrTrace):
                continue
            unnamed = isinstance(unit, ast.NeverOrTrace) and unit.name == unit.keyword
            if unit.name in seen and not unnamed:
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
        names = [name for name, _ in unit.names]
        for position, (name, span) in reversed([*enumerate(unit.names)]):
            if name in names[:position] or name in known:
                self.reporter.error(span, f"the mtype constant '{name}' is declared twice")
                continue
            if name in self.scope.names:
                self.reporter.error(
                    span,
                    f"'{name}' is already a variable"
                    f" (declared in line {self.scope.names[name].span.line})",
                )
                continue
            if next_value > 255:
                self.reporter.error(span, "an mtype has at most 255 constants")
                return
            known[name] = MtypeConstant(name, next_value, unit.subtype)
            next_value += 1

    def typedef(self, unit: ast.TypedefDeclaration) -> None:
        before = self.typedefs.setdefault(unit.name, unit.span)
        if before is not unit.span:
            self.reporter.error(
                unit.span, f"the type '{unit.name}' is defined twice (also in line {before.line})"
            )
            return
        self.inside = unit.name
        fields: dict[str, Variable] = {}
        for declaration in unit.fields:
            for declarator in declaration.names:
                variable = self.variable(declaration, declarator)
                if variable is None:
                    continue
                if variable.name in fields:
                    other = fields[variable.name].span.line
                    self.reporter.error(
                        declarator.span,
                        f"the field '{variable.name}' is declared twice (also in line {other})",
                    )
                fields[variable.name] = variable
        self.inside = None
        inner = [self.nesting[f.type.name] for f in fields.values() if isinstance(f.type, Struct)]
        self.nesting[unit.name] = 1 + max(inner, default=0)
        if self.nesting[unit.name] > MOST_NESTED:
            self.reporter.error(
                unit.span, f"more than {MOST_NESTED} typedefs are nested in '{unit.name}'"
            )
            fields.clear()
            self.nesting[unit.name] = 0
        self.result.structs[unit.name] = Struct(unit.name, tuple(fields.values()))

    def formula(self, unit: ast.LtlFormula) -> None:
        if not unit.name:
            unit.name = f"ltl_{len(self.result.formulas)}"
        other = next((f for f in self.result.formulas if f.name == unit.name), None)
        if other is not None:
            self.reporter.error(
                unit.span,
                f"the formula '{unit.name}' is defined twice (also in line {other.span.line})",
            )
        self.result.formulas.append(unit)

    def propositions(self, unit: ast.LtlFormula) -> None:
        """Resolves the atoms of a formula, which belong to no process."""
        for node in unit.atoms:
            self.expression(node)
            if _runs(node):
                self.reporter.error(node.span, "'run' cannot be used in a formula")
            for own in nodes(node):
                if isinstance(own, ast.Predefined) and own.name == "_pid":
                    self.reporter.error(
                        own.span,
                        "'_pid' means nothing in a formula, which belongs to no process",
                        "a process's variable is name[pid]:variable",
                    )

    # --- declarations ----------------------------------------------------------------------------

    def declaration(self, node: ast.Declaration) -> None:
        for declarator in node.names:
            variable = self.variable(node, declarator)
            if variable is None:
                self.result.model.doubtful |= {declarator.name}
                continue
            clash = self.scope.names.get(variable.name)
            if clash is not None:
                self.reporter.error(
                    declarator.span,
                    f"'{variable.name}' is declared twice (also in line {clash.span.line})",
                )
                continue
            if self.result.process(variable.name) is not None:
                self.reporter.error(
                    declarator.span, f"'{variable.name}' is already the name of a proctype"
                )
                continue
            if variable.name in self.result.mtypes:
                self.reporter.error(
                    declarator.span, f"'{variable.name}' is already an mtype constant"
                )
                continue
            hides = self.scope.find(variable.name)
            if hides is not None:
                self.reporter.warning(
                    declarator.span,
                    f"'{variable.name}' hides the variable of line {hides.span.line},"
                    " which Spin refuses",
                )
            if node.visibility == "hidden" and self.process is not None:
                self.reporter.error(
                    node.span, "only a global variable can be hidden", "leave out 'hidden'"
                )
            variable.hidden = node.visibility == "hidden"
            variable.owner = self.process
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
            if length is not None and not 1 <= length <= MOST_VALUES:
                self.reporter.error(
                    declarator.length.span,
                    f"an array cannot have {counted(length, 'element')}",
                )
                length = 1
            length = length or 1
        if kind is None:
            return None
        is_bit = isinstance(kind, Basic) and kind.kind is TypeKind.BIT
        if is_bit and length is not None:
            # Spin keeps the elements of a bit array in bytes, and so they hold the values of bytes.
            kind = Basic(TypeKind.BIT, 8)
        variable = Variable(declarator.name, kind, length, declarator.span, declarator=declarator)
        if variable.size > MOST_VALUES:
            self.reporter.error(
                declarator.span,
                f"'{variable.name}' has {variable.size:,} values: at most {MOST_VALUES:,} can be",
            )
            variable.length, variable.type = None, basic(TypeKind.INT)
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
                    declarator.span,
                    "an unsigned needs a width from 1 to 31",
                    f"unsigned {declarator.name} : 5",
                )
                width = 16
            return Basic(TypeKind.UNSIGNED, width)
        if declarator is not None and declarator.width is not None:
            self.reporter.error(declarator.span, f"only an unsigned has a width, not a {node.name}")
        if node.name in _BASIC:
            if node.subtype is not None and node.subtype not in self.mtype_sets:
                self.reporter.warning(
                    node.span,
                    f"the mtype set '{node.subtype}' is declared nowhere",
                    suggest(node.subtype, self.mtype_sets),
                )
            return basic(_BASIC[node.name], node.subtype)
        if node.name == self.inside:
            self.reporter.error(node.span, f"the type '{node.name}' cannot contain itself")
        elif node.name not in self.result.model.doubtful:
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
        is_channel = isinstance(variable.type, Basic) and variable.type.kind is TypeKind.CHAN
        if isinstance(value, ast.ChannelInit):
            if not is_channel:
                self.reporter.error(
                    value.span, f"'{variable.name}' is a {variable.type.name}, not a channel"
                )
            capacity = self.constant(value.capacity, "the capacity of a channel")
            if capacity is not None and not 0 <= capacity <= 255:
                self.reporter.error(
                    value.capacity.span,
                    f"a channel cannot hold {counted(capacity, 'message')}",
                    "its capacity is a number from 0 to 255",
                )
            for message_field in value.fields:
                self.type(message_field, None)
        elif isinstance(value, list):
            self.mtype_values(value)
            if variable.length is None:
                self.reporter.error(declarator.span, f"'{variable.name}' is not an array")
            elif len(value) > variable.length:
                self.reporter.error(
                    value[variable.length].span,
                    f"'{variable.name}' has {counted(variable.length, 'element')},"
                    f" but {counted(len(value), 'initial value')}",
                )
        else:
            self.expressions.scope = self.scope
            self.expressions.scalar(value)
            if _runs(value):
                self.reporter.error(
                    value.span,
                    "'run' cannot be used in an initial value",
                    f"declare '{variable.name}' first, then write"
                    f" '{variable.name} = run ...' as a statement",
                )
        if isinstance(variable.type, Struct) and not isinstance(value, ast.ChannelInit):
            self.reporter.warning(
                declarator.span,
                f"'{variable.name}' is a {variable.type.name}: this initial value has no effect",
                "give its fields their values in the typedef, or by assignments",
            )
            declarator.initial = None

    def mtype_values(self, numbers: list[ast.Number]) -> None:
        """Gives the mtype constants in a list of initial values their values."""
        for number in numbers:
            if not number.text.isidentifier() or number.text in CONSTANTS:
                continue
            if number.text in self.result.mtypes:
                number.value = self.result.mtypes[number.text].value
            else:
                self.reporter.error(
                    number.span,
                    "an array's initial values must be constants",
                    suggest(number.text, self.result.mtypes),
                )

    def constant(self, node: ast.Expression, what: str) -> int | None:
        self.expressions.scope = self.scope
        self.expressions.scalar(node)
        value = None if self.expressions.too_high else constant(node)
        if value is None and not self.expressions.has_unknown(node):
            self.reporter.error(node.span, f"{what} must be a constant")
        return value

    # --- bodies ----------------------------------------------------------------------------------

    def body(self, unit: ast.Proctype | ast.NeverOrTrace, symbol: ProcessSymbol) -> None:
        self.process = symbol
        self.scope = Scope(self.scope)
        self.expressions.process = symbol
        if isinstance(unit, ast.Proctype):
            if unit.active is not None:
                count = self.constant(unit.active, "the number of active processes")
                if count is not None and not 0 <= count <= MOST_PROCESSES:
                    self.reporter.error(
                        unit.active.span,
                        f"{count} processes cannot be active: at most {MOST_PROCESSES} can run",
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
        initial = declarator.initial
        variable.at_start = at_start or isinstance(initial, ast.ChannelInit)
        if at_start or initial is None or isinstance(initial, list):
            return
        if isinstance(initial, ast.ChannelInit):
            self.reporter.warning(
                declarator.span,
                f"the channel '{variable.name}' is made once, when its process starts,"
                " not each time that this line is reached",
                "declare it before the first statement of the proctype",
            )
        elif variable.length is not None and variable.length > 1:
            self.reporter.warning(
                declarator.span,
                f"after the first statement, only '{variable.name}[0]' is given this value",
                "write a list of values, in braces, or declare it before the first statement",
            )

    def nested(self, sequence: ast.Sequence) -> None:
        self.scope = Scope(self.scope)
        self.steps(sequence)
        assert self.scope.parent is not None
        self.scope = self.scope.parent

    def statement(self, node: ast.Statement) -> None:
        match node:
            case ast.Labelled():
                self.statement(node.statement)
            case ast.IfOrDo():
                for option in node.options:
                    self.steps(option)  # as in Spin: only braces make a scope
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
                self.expressions.scope = self.scope
                if not self.expressions.whole_structs(node):
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
        element = self.expressions.reference(node.variable)
        channel = self.expressions.channel(node.container, "neither an array nor a channel")
        if channel is None or element is None:
            return
        declared = channel.declarator.initial if channel.declarator is not None else None
        kinds = [f.name for f in declared.fields] if isinstance(declared, ast.ChannelInit) else None
        kind = element.type.name if isinstance(element, Variable) else "constant"
        is_struct = isinstance(element, Variable) and isinstance(element.type, Struct)
        if not is_struct or (kinds is not None and kinds != [kind]):
            self.reporter.error(
                node.variable.span,
                f"'{node.variable.parts[-1].name}' cannot hold a message of"
                f" '{node.container.parts[-1].name}'",
                "the variable and the only field of the message must be of the same typedef",
            )
        assert self.process is not None
        counter = Variable(
            f"_counter_{node.span.line}", basic(TypeKind.BYTE), None, node.span, owner=self.process
        )
        self.process.variables.append(counter)
        node.symbol = counter


def _starts(process: ProcessSymbol) -> bool:
    node = process.node
    return isinstance(node, ast.Proctype) and node.active is not None


def _runs(node: ast.Expression) -> bool:
    return any(isinstance(part, ast.RunExpression) for part in nodes(node))
