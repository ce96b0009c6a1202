"""Lowers a resolved model to a Program."""

from __future__ import annotations

from whorl.diagnostics import Reporter, Source, Span, suggest
from whorl.language.limits import MOST_PROCESSES
from whorl.language.types import Basic
from whorl.program.flow import ChainBuilder, left_by_goto
from whorl.program.graph import ControlFlowGraph, graph
from whorl.program.layout import Layout, layout
from whorl.program.lower_embedded import lower_embedded
from whorl.program.lower_expressions import Environment, Lowering
from whorl.program.lower_statements import Statements
from whorl.program.naming import told_apart
from whorl.program.program import (
    ChannelType,
    Const,
    Expr,
    Initial,
    LtlProperty,
    ProcessType,
    Program,
)
from whorl.promela import ast
from whorl.promela.constants import constant, fill
from whorl.promela.resolve_expressions import flat_fields
from whorl.promela.resolved import Resolved
from whorl.promela.symbols import ProcessSymbol, Struct, Variable
from whorl.promela.walk import remote_labels


def lower(resolved: Resolved, source: Source, reporter: Reporter) -> Program:
    """The Program of a model whose names are resolved; errors go to `reporter`."""
    remote = remote_labels(resolved.model)
    labels: dict[str, dict[str, int]] = {}
    if remote:
        # A remote reference needs the number of a label in a process that may come later.
        trial = _Lowering(resolved, source, Reporter(), remote, labels)
        labels = {process.name: process.labels for process in trial.program().processes}
    return _Lowering(resolved, source, reporter, remote, labels).program()


class _Lowering:
    def __init__(
        self,
        resolved: Resolved,
        source: Source,
        reporter: Reporter,
        remote: set[tuple[str, str]],
        labels: dict[str, dict[str, int]],
    ) -> None:
        self.resolved = resolved
        self.source = source
        self.reporter = reporter
        self.remote = remote
        self.labels = labels
        self.channel_types: list[ChannelType] = []
        self.unique = 0
        everyone = [*resolved.processes, *resolved.claims]
        self.layouts = {id(symbol): layout(symbol.variables) for symbol in everyone}
        self.environment = Environment(
            resolved,
            layout(resolved.variables),
            {symbol.index: self.layouts[id(symbol)] for symbol in resolved.processes},
            reporter,
            self.location,
        )

    def location(self, process: ProcessSymbol, label: str, node: ast.RemoteLabel) -> int:
        known = self.labels.get(process.name)
        if known is None:
            return 0
        if label not in known:
            self.reporter.error(
                node.span,
                f"proctype '{process.name}' has no label '{label}'",
                suggest(label, known),
            )
            return 0
        return known[label]

    def program(self) -> Program:
        outside = Lowering(self.environment, None)
        initials = self.initials(self.resolved.variables, self.environment.globals, outside)
        processes = tuple(self.process(symbol) for symbol in self.resolved.processes)
        claims = [self.process(symbol) for symbol in self.resolved.claims]
        kinds = [_keyword(symbol) for symbol in self.resolved.claims]
        never = tuple(c for c, k in zip(claims, kinds, strict=True) if k == "never")
        traces = [(c, k) for c, k in zip(claims, kinds, strict=True) if k != "never"]
        if len(traces) > 1:
            self.reporter.error(
                traces[1][0].span, "a model has at most one trace or notrace assertion"
            )
        return Program(
            source=self.source,
            processes=processes,
            active=self.active(),
            slots=tuple(self.environment.globals.slots),
            initials=initials,
            variables=tuple(self.environment.globals.infos),
            channel_types=tuple(self.channel_types),
            mtypes=tuple(self.resolved.mtypes.values()),
            never=never,
            trace=traces[0][0] if traces else None,
            trace_negated=bool(traces) and traces[0][1] == "notrace",
            formulas=tuple(self.formula(node, outside) for node in self.resolved.formulas),
            embedded=lower_embedded(self.resolved, self.environment, self.reporter),
            uses_priorities=self.environment.uses_priorities,
            uses_last=self.environment.uses_last,
        )

    def formula(self, node: ast.LtlFormula, outside: Lowering) -> LtlProperty:
        atoms = tuple(outside.expression(part) for part in node.atoms)
        assert len(atoms) == len(node.formula.propositions)
        return LtlProperty(node.name, node.formula, atoms, node.text, node.span)

    def active(self) -> tuple[tuple[int, int], ...]:
        """The processes that run from the start, in the order of the source."""
        result: list[tuple[int, int]] = []
        for symbol in self.resolved.processes:
            node = symbol.node
            assert isinstance(node, ast.Proctype)
            if node.priority is not None:
                self.environment.uses_priorities = True
            if node.active is None:
                continue
            count = constant(node.active) or 0
            result += [(symbol.index, node.priority or 1)] * count
        if len(result) > MOST_PROCESSES:
            self.reporter.error(
                self.resolved.processes[-1].node.span,
                f"{len(result)} processes are active from the start;"
                f" at most {MOST_PROCESSES} can run",
            )
        return tuple(result)

    def process(self, symbol: ProcessSymbol) -> ProcessType:
        node = symbol.node
        local = self.layouts[id(symbol)]
        self.environment.process = symbol.index if isinstance(node, ast.Proctype) else None
        lowering = Lowering(self.environment, local)
        builder = ChainBuilder(self.reporter, self.unique)
        statements = Statements(lowering, builder, self.reporter)
        builder.open_sequence()
        statements.steps(node.body)
        chain = builder.finish(node.body.span)
        for label in builder.labels:
            if (symbol.name, label.name) in self.remote:
                builder.separate_from_goto(label)
        made = graph(builder, chain)
        self.unique = builder.unique
        provided: Expr | None = None
        if isinstance(node, ast.Proctype) and node.provided is not None:
            provided = lowering.expression(node.provided)
        return ProcessType(
            name=symbol.name,
            index=symbol.index,
            start=made.start,
            locations=made.locations,
            slots=tuple(local.slots),
            parameters=sum(parameter.size for parameter in symbol.parameters),
            initials=self.initials(symbol.variables, local, lowering),
            variables=told_apart(
                local.infos,
                [variable.span for variable in symbol.variables],
                [statements.declared.get(id(variable), ()) for variable in symbol.variables],
            ),
            end_locations=frozenset(made.end),
            accept_locations=frozenset(made.accept),
            progress_locations=frozenset(made.progress),
            labels={
                label.name: label.element.number
                for label in builder.labels
                if label.element is not None
            },
            final=chain.last.number,
            provided=provided,
            lines=_lines(builder, made),
            blocks={element.number: element.blocks for element in builder.elements},
            span=node.span,
            exclusive=tuple(statements.exclusive),
            sequences={
                element.unique: element.sequence
                for element in builder.elements
                if element.sequence is not None
            },
            left_by_goto=left_by_goto(builder.elements),
        )

    # --- initial values --------------------------------------------------------------------------

    def initials(
        self, variables: list[Variable], local: Layout, lowering: Lowering
    ) -> tuple[Initial, ...]:
        """The initial values of `variables`, in the order in which they are given."""
        result: list[Initial] = []
        for variable in variables:
            if variable.parameter:
                continue
            result += self.initial(variable, local.offset(variable), lowering)
        return tuple(result)

    def initial(self, variable: Variable, offset: int, lowering: Lowering) -> list[Initial]:
        count = 1 if variable.length is None else variable.length
        size = variable.type.size
        if isinstance(variable.type, Struct):
            result: list[Initial] = []
            for element in range(count):
                before = offset + element * size
                for inner in variable.type.fields:
                    result += self.initial(inner, before, lowering)
                    before += inner.size
            return result
        if variable.declarator is None or not variable.at_start:
            return []
        value = variable.declarator.initial
        if value is None:
            return []
        if isinstance(value, ast.ChannelInit):
            made = self.channel_type(variable, value)
            return [Initial(offset + element, made) for element in range(count)]
        if isinstance(value, list):
            numbers = fill([number.value for number in value], count)
            return [Initial(offset + i, Const(number)) for i, number in enumerate(numbers)]
        lowered = lowering.expression(value)
        return [Initial(offset + element, lowered) for element in range(count)]

    def channel_type(self, variable: Variable, init: ast.ChannelInit) -> int:
        capacity = constant(init.capacity) or 0
        fields: list[Basic] = flat_fields(init, self.resolved)
        self.channel_types.append(ChannelType(variable.name, capacity, tuple(fields)))
        return len(self.channel_types) - 1


def _keyword(symbol: ProcessSymbol) -> str:
    assert isinstance(symbol.node, ast.NeverOrTrace)
    return symbol.node.keyword


def _lines(builder: ChainBuilder, made: ControlFlowGraph) -> dict[int, Span]:
    """Where in the source each location is."""
    spans = {element.number: element.span for element in builder.elements}
    return {number: spans[number] for number in made.locations if number in spans}
