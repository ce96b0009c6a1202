"""Lowers the statements of one process to chains of elements."""

from __future__ import annotations

from whorl.diagnostics import Reporter, Span
from whorl.language.types import Basic
from whorl.program.flow import (
    Chain,
    ChainBuilder,
    Flow,
    FlowStatement,
    Label,
    make_atomic,
    prune_skips,
)
from whorl.program.lower_expressions import Lowering
from whorl.program.program import (
    Action,
    Assertion,
    BinaryOp,
    ChangePriority,
    ChannelQuery,
    Const,
    EmbeddedAction,
    Exclusive,
    Expr,
    Guard,
    Load,
    Otherwise,
    Output,
    Place,
    ReceiveAction,
    Region,
    SendAction,
    Skip,
    Store,
)
from whorl.promela import ast, unparse
from whorl.promela.constants import constant, fill
from whorl.promela.symbols import Struct, Variable

SELECT_AS_IF = 32  # Spin writes out a select over constants up to this range as an if


class Statements:
    """Prepares statements and adds them to a ChainBuilder, in the order in which Spin does."""

    def __init__(self, lowering: Lowering, builder: ChainBuilder, reporter: Reporter) -> None:
        self.lowering = lowering
        self.builder = builder
        self.reporter = reporter
        self.breaks: list[Label] = []  # where a break goes, innermost last
        self.blocks = 0
        self.exclusive: list[Exclusive] = []
        self.declared: dict[int, tuple[int, ...]] = {}  # the blocks around each variable, by its id

    # --- sequences -------------------------------------------------------------------------------

    def steps(self, sequence: ast.Sequence) -> None:
        for step in sequence.steps:
            if isinstance(step, ast.Declaration):
                self.declaration(step)
            elif isinstance(step, ast.ExclusiveUse):
                self.exclusive_use(step)
            else:
                self.builder.add(self.prepare(step))

    def exclusive_use(self, node: ast.ExclusiveUse) -> None:
        for reference in node.channels:
            text = unparse.reference(reference)
            channels = map(Load, self.lowering.places(reference, whole_array=True))
            declared = Exclusive(node.keyword, tuple(channels), reference.span, text)
            self.exclusive.append(declared)

    def declaration(self, node: ast.Declaration) -> None:
        """A declaration after the first statement assigns its initial value when it is reached."""
        for declarator in node.names:
            variable = declarator.symbol
            if variable is not None:
                self.declared[id(variable)] = self.builder.blocks
            if variable is None or variable.at_start:
                continue
            if isinstance(variable.type, Struct):
                text = f"{node.type.name} {declarator.name}"
                self.builder.add(FlowStatement(Flow.ACTION, declarator.span, text, Skip()))
            elif isinstance(declarator.initial, list):
                self.builder.add(self.list_of_values(declarator, variable, declarator.initial))
            else:
                value: Expr = Const(0)
                text = f"{declarator.name} = 0"
                if declarator.initial is not None:
                    assert not isinstance(declarator.initial, ast.ChannelInit)
                    value = self.lowering.expression(declarator.initial)
                    text = f"{declarator.name} = {unparse.expression(declarator.initial)}"
                self.store(self.element(variable, 0), value, declarator.span, text)

    def list_of_values(
        self, declarator: ast.Declarator, variable: Variable, numbers: list[ast.Number]
    ) -> FlowStatement:
        """The elements of an array get their values in one step."""
        assert variable.length is not None
        self.builder.open_sequence()
        for i, value in enumerate(fill([number.value for number in numbers], variable.length)):
            text = f"{variable.name}[{i}] = {value}"
            self.store(self.element(variable, i), Const(value), declarator.span, text)
        body = self.close(declarator.span)
        make_atomic(body, dstep=True)
        text = f"{variable.name} = {{ {', '.join(map(unparse.expression, numbers))} }}"
        return FlowStatement(Flow.DSTEP, declarator.span, text, body=body)

    def element(self, variable: Variable, position: int) -> Place:
        """A variable of a basic type, or an element of an array of them."""
        assert isinstance(variable.type, Basic)
        region, offset = self.lowering.base(variable)
        return Place(region, offset + position, (), variable.type, variable.name)

    def chain(self, sequence: ast.Sequence, scoped: bool) -> Chain:
        """The chain of a nested sequence; `scoped`: it stands in braces, so labels are its own."""
        held = self.builder.blocks
        if scoped:
            self.blocks += 1
            self.builder.blocks = (*self.builder.blocks, self.blocks)
        self.builder.open_sequence()
        self.steps(sequence)
        self.builder.blocks = held
        return self.close(sequence.span)

    def close(self, span: Span) -> Chain:
        chain = self.builder.close_sequence()
        if chain is None:
            # Only declarations of channels: Spin refuses it, a skip does no harm.
            return self.builder.wrap(FlowStatement(Flow.ACTION, span, "skip"))
        return chain

    # --- statements ------------------------------------------------------------------------------

    def prepare(self, node: ast.Statement) -> FlowStatement:
        text = unparse.statement(node)
        match node:
            case ast.Labelled():
                return self.labelled(node)
            case ast.IfOrDo():
                return self.choice(node)
            case ast.Block():
                return self.block(node)
            case ast.Unless():
                return self.unless(node)
            case ast.ForRange():
                return self.for_range(node)
            case ast.ForIn():
                return self.for_in(node)
            case ast.Select():
                return self.select(node)
            case ast.Goto():
                label = Label(node.label, self.builder.blocks, node.span)
                return FlowStatement(Flow.GOTO, node.span, text, label=label)
            case ast.Break():
                return self.break_(node.span)
            case _:
                return FlowStatement(Flow.ACTION, node.span, text, self.action(node))

    def action(self, node: ast.Statement) -> Action:
        lower = self.lowering
        match node:
            case ast.Assign():
                return Store(lower.place(node.target), lower.expression(node.value))
            case ast.Condition():
                condition = lower.expression(node.expression)
                return Skip() if condition == Const(1) else Guard(condition)
            case ast.Assert():
                text = unparse.expression(node.expression, full=True)
                return Assertion(lower.expression(node.expression), text)
            case ast.Print():
                return Output(node.format, tuple(lower.expression(a) for a in node.arguments))
            case ast.Send():
                channel = lower.expression(node.channel)
                return SendAction(channel, lower.values(node.arguments), node.sorted)
            case ast.Receive():
                channel = lower.expression(node.channel)
                patterns = lower.patterns(node.arguments)
                return ReceiveAction(channel, patterns, node.random, node.copy)
            case ast.Else():
                return Otherwise()
            case ast.SetPriority():
                lower.environment.uses_priorities = True
                return ChangePriority(lower.expression(node.pid), lower.expression(node.priority))
            case ast.EmbeddedCode():
                return EmbeddedAction(lower.fragment(node))
            case _:
                raise AssertionError(f"{type(node).__name__} is no simple statement")

    def labelled(self, node: ast.Labelled) -> FlowStatement:
        prepared = self.prepare(node.statement)
        prepared.labels.insert(0, Label(node.label, self.builder.blocks, node.span))
        return prepared

    def choice(self, node: ast.IfOrDo) -> FlowStatement:
        exit_ = None
        if node.loop:
            exit_ = self.push_break(node.span)
        options = [self.chain(option, scoped=False) for option in node.options]
        if node.loop:
            self.breaks.pop()
        elses = [option for option in options if isinstance(option.first.action, Otherwise)]
        if len(elses) > 1:
            self.reporter.error(elses[1].first.span, "this choice has a second 'else'")
        for option in options:
            prune_skips(option)
        kind = Flow.DO if node.loop else Flow.IF
        return FlowStatement(
            kind, node.span, "do" if node.loop else "if", options=options, exit=exit_
        )

    def push_break(self, span: Span) -> Label:
        label = Label(":break:", self.builder.blocks, span)
        self.breaks.append(label)
        return label

    def break_(self, span: Span) -> FlowStatement:
        if not self.breaks:
            self.reporter.error(span, "this 'break' is in no loop")
            return FlowStatement(Flow.ACTION, span, "break")
        return FlowStatement(Flow.GOTO, span, "break", label=self.breaks[-1])

    def block(self, node: ast.Block) -> FlowStatement:
        held = self.builder.call
        if node.inline is not None:
            self.builder.call = node.span.via
        chain = self.chain(node.body, scoped=True)
        self.builder.call = held
        kinds = {"atomic": Flow.ATOMIC, "d_step": Flow.DSTEP, "": Flow.BLOCK}
        if node.keyword:
            make_atomic(chain, dstep=node.keyword == "d_step")
        return FlowStatement(kinds[node.keyword], node.span, unparse.statement(node), body=chain)

    def unless(self, node: ast.Unless) -> FlowStatement:
        main = self.prepare(node.main)
        escape = self.prepare(node.escape)
        escaping = escape.body
        if escape.kind is not Flow.BLOCK or escape.labels or escaping is None:
            escaping = self.builder.wrap(escape)
        made = FlowStatement(Flow.UNLESS, node.span, "unless")
        if main.kind is Flow.BLOCK and not main.labels and main.body is not None:
            made.options = [main.body, escaping]
            return made
        if main.labels and main.body is not None:
            # The label is lifted to a block around the whole.
            made.options = [main.body, escaping]
            body = self.builder.wrap(made)
            return FlowStatement(main.kind, main.span, main.text, body=body, labels=main.labels)
        made.options = [self.builder.wrap(main), escaping]
        return made

    # --- loops -----------------------------------------------------------------------------------

    def store(self, place: Place, value: Expr, span: Span, text: str) -> None:
        self.builder.add(FlowStatement(Flow.ACTION, span, text, Store(place, value)))

    def for_range(self, node: ast.ForRange) -> FlowStatement:
        exit_ = self.push_break(node.span)
        place = self.lowering.place(node.variable)
        name = unparse.reference(node.variable)
        first, last = self.lowering.expression(node.first), self.lowering.expression(node.last)
        self.store(place, first, node.span, f"{name} = {unparse.expression(node.first)}")
        self.builder.open_sequence()
        text = f"{name} <= {unparse.expression(node.last, 7)}"
        condition = BinaryOp("<=", Load(place), last, node.span)
        self.builder.add(FlowStatement(Flow.ACTION, node.span, text, Guard(condition)))
        return self.loop(node.span, node.body, place, exit_)

    def loop(
        self,
        span: Span,
        body: ast.Sequence | None,
        place: Place,
        exit_: Label,
        otherwise: bool = True,
    ) -> FlowStatement:
        """The rest of a for or select: body, increment, and the way out."""
        if body is not None:
            held = self.builder.blocks
            self.blocks += 1
            self.builder.blocks = (*self.builder.blocks, self.blocks)
            self.steps(body)
            self.builder.blocks = held
        more = BinaryOp("+", Load(place), Const(1), span)
        self.store(place, more, span, f"{place.text}++")
        again = self.close(span)
        self.builder.open_sequence()
        if otherwise:
            self.builder.add(FlowStatement(Flow.ACTION, span, "else", Otherwise()))
        self.builder.add(self.break_(span))
        leave = self.close(span)
        self.breaks.pop()
        return FlowStatement(Flow.DO, span, "for", options=[leave, again], exit=exit_)

    def for_in(self, node: ast.ForIn) -> FlowStatement:
        exit_ = self.push_break(node.span)
        variable = node.container.symbol
        assert isinstance(variable, Variable)
        if node.symbol is None:
            place = self.lowering.place(node.variable)
            length = _length(node.container)
            self.store(place, Const(0), node.span, f"{place.text} = 0")
            condition = BinaryOp("<=", Load(place), Const(length - 1), node.span)
            text = f"{place.text} <= {length - 1}"
            self.builder.open_sequence()
            self.builder.add(FlowStatement(Flow.ACTION, node.span, text, Guard(condition)))
            return self.loop(node.span, node.body, place, exit_)
        counter = node.symbol
        place = self.element(counter, 0)
        channel = self.lowering.expression(node.container)
        self.store(place, Const(0), node.span, f"{place.text} = 0")
        self.builder.open_sequence()
        waiting = ChannelQuery("len", channel, node.container.span)
        name = unparse.reference(node.container)
        guard = Guard(BinaryOp("<", Load(place), waiting, node.span))
        self.builder.add(
            FlowStatement(Flow.ACTION, node.span, f"{place.text} < len({name})", guard)
        )
        element = unparse.reference(node.variable)
        take = ReceiveAction(channel, self.lowering.patterns([node.variable]), False, False)
        self.builder.add(FlowStatement(Flow.ACTION, node.span, f"{name}?{element}", take))
        put = SendAction(channel, self.lowering.values([node.variable]), False)
        self.builder.add(FlowStatement(Flow.ACTION, node.span, f"{name}!{element}", put))
        return self.loop(node.span, node.body, place, exit_)

    def select(self, node: ast.Select) -> FlowStatement:
        """A select over a small constant range is an if, as in Spin; otherwise it is a loop."""
        place = self.lowering.place(node.variable)
        name = unparse.reference(node.variable)
        first, last = constant(node.first), constant(node.last)
        written_out = (
            isinstance(node.first, ast.Number)
            and isinstance(node.last, ast.Number)
            and node.span.via is None
            and place.region in (Region.LOCAL, Region.GLOBAL)
            and name.isalnum()
        )
        if first is not None and last is not None and first > last:
            self.reporter.error(node.span, f"nothing to select from: {first} is above {last}")
            return FlowStatement(Flow.ACTION, node.span, "select")
        if written_out and first is not None and last is not None and last - first <= SELECT_AS_IF:
            options = []
            for value in range(first, last + 1):
                self.builder.open_sequence()
                self.store(place, Const(value), node.span, f"{name} = {value}")
                options.append(self.close(node.span))
            return FlowStatement(Flow.IF, node.span, "select", options=options)
        exit_ = self.push_break(node.span)
        low, high = self.lowering.expression(node.first), self.lowering.expression(node.last)
        self.store(place, low, node.span, f"{name} = {unparse.expression(node.first)}")
        self.builder.open_sequence()
        text = f"{name} < {unparse.expression(node.last, 7)}"
        condition = BinaryOp("<", Load(place), high, node.span)
        self.builder.add(FlowStatement(Flow.ACTION, node.span, text, Guard(condition)))
        return self.loop(node.span, None, place, exit_, otherwise=False)


def _length(node: ast.Reference) -> int:
    """How many elements the array that `node` refers to has."""
    variable = node.symbol
    assert isinstance(variable, Variable)
    for part in node.parts[1:]:
        assert isinstance(variable.type, Struct)
        inner = variable.type.field(part.name)
        assert inner is not None
        variable = inner
    assert variable.length is not None
    return variable.length
