"""Makes the index of a model: walks its tree, its macros, and the text that neither has."""

from __future__ import annotations

from collections.abc import Iterator

from whorl.diagnostics import Span
from whorl.language.types import MtypeConstant
from whorl.language_server.guesses import guess_rest
from whorl.language_server.index import About, EntityKind, NameIndex
from whorl.language_server.reading import ModelReading
from whorl.promela import ast
from whorl.promela.expressions import CONSTANTS
from whorl.promela.macros import Macros
from whorl.promela.resolved import Resolved
from whorl.promela.symbols import ProcessSymbol, Struct, Variable
from whorl.promela.walk import nodes


def make_index(reading: ModelReading) -> NameIndex:
    """The index of what was read."""
    index = NameIndex(reading.sources)
    if reading.text is not None:
        _macros(index, reading.text.macros)
    if reading.model is not None and reading.resolved is not None:
        _inlines(index, reading.model.inlines)
        _Walker(index, reading.resolved).units()
        guess_rest(index, reading.resolved)
    return index


# --- macros and inlines ---------------------------------------------------------------------------


def _macros(index: NameIndex, macros: Macros) -> None:
    for macro in macros.definitions_seen:
        entity = index.entity(("macro", macro.name), EntityKind.MACRO, macro.name, macro)
        index.note(entity, macro.span, defines=True)
        if macro.parameters:
            _macro_parameters(index, macro.span, macro.parameters)
    for span, macro in macros.uses:
        index.note(index.entity(("macro", macro.name), EntityKind.MACRO, macro.name), span)
    for token in macros.mentions:
        found = index.find(("macro", token.text))
        if found is not None:
            index.note(found, token.span)


def _macro_parameters(index: NameIndex, head: Span, parameters: tuple[str, ...]) -> None:
    """Notes the names of a macro's parameters, which stand between its head and the line's end."""
    tokens = index.tokens.get(head.source, [])
    following = (token for token in tokens if token.span.start >= head.end)
    listed = True
    for token in following:
        if token.first_on_line:
            return
        if token.kind == "name" and token.text in parameters:
            key = ("macro parameter", head.source, head.start, token.text)
            kind = EntityKind.MACRO_PARAMETER
            entity = index.entity(key, kind, token.text, None, head.text)
            index.note(entity, token.span, defines=listed)
        listed = listed and token.text != ")"


def _inlines(index: NameIndex, inlines: list[ast.Inline]) -> None:
    for inline in inlines:
        entity = index.entity(("inline", inline.name), EntityKind.INLINE, inline.name, inline)
        index.note(entity, inline.span, defines=True)
        for parameter in inline.parameters:
            key = ("parameter", inline.name, parameter.text)
            kind = EntityKind.PARAMETER
            owned = index.entity(key, kind, parameter.text, None, inline.name)
            index.note(owned, parameter.span, defines=True)
        for token in inline.body:
            found = index.find(("parameter", inline.name, token.text))
            if found is not None and token.kind == "name":
                index.note(found, token.span)


# --- the tree -------------------------------------------------------------------------------------


class _Walker:
    """Notes what each name of the tree means, as the resolver has found it."""

    def __init__(self, index: NameIndex, resolved: Resolved) -> None:
        self.index = index
        self.resolved = resolved
        self.process = ""  # whose labels are meant

    def units(self) -> None:
        for unit in self.resolved.model.units:
            match unit:
                case ast.Proctype() | ast.NeverOrTrace():
                    self.process = unit.name
                    self.head(unit)
                case ast.LtlFormula():
                    self.formula(unit)
                    continue
            for node in nodes(unit):
                self.node(node)

    def see(
        self,
        key: object,
        kind: EntityKind,
        name: str,
        span: Span,
        *,
        about: About | None = None,
        owner: str = "",
        defines: bool = False,
    ) -> None:
        entity = self.index.entity(key, kind, name, about, owner)
        self.index.note(entity, span, defines=defines)
        self.index.sequence.append(entity)

    def head(self, unit: ast.Proctype | ast.NeverOrTrace) -> None:
        if unit.name_span == unit.span or unit.symbol is None:
            return  # init, or a claim without a name
        if isinstance(unit, ast.Proctype):
            self.of_process(unit.symbol, unit.name_span, defines=True)
        else:
            key, kind = ("claim", unit.name), EntityKind.CLAIM
            self.see(key, kind, unit.name, unit.name_span, about=unit.symbol, defines=True)

    def formula(self, unit: ast.LtlFormula) -> None:
        if unit.name_span != unit.span:
            key, kind = ("formula", unit.name), EntityKind.FORMULA
            self.see(key, kind, unit.name, unit.name_span, about=unit, defines=True)
        copies = [(unit.atoms[number], node) for number, node in unit.repeated]
        pairs = [*zip(unit.atoms, unit.atoms, strict=True), *copies]
        for known, node in sorted(pairs, key=lambda pair: pair[1].span.start):
            for one, other in zip(nodes(known), nodes(node), strict=False):
                self.node(one, other)

    def node(self, node: object, copy: object = None) -> None:
        """Notes the names of a node, at the places of a `copy` of it if there is one."""
        at = node if copy is None else copy
        match node:
            case ast.FieldType() if isinstance(at, ast.FieldType):
                self.type(at)
            case ast.Declarator():
                if node.symbol is not None:
                    self.variable(node.symbol, node.span, defines=True)
            case ast.MtypeDeclaration():
                self.mtype(node)
            case ast.TypedefDeclaration():
                key, kind = ("type", node.name), EntityKind.TYPE
                self.see(key, kind, node.name, node.name_span, about=node, defines=True)
            case ast.Number() if node.text.isidentifier() and node.text not in CONSTANTS:
                if node.text in self.resolved.mtypes:
                    self.constant(self.resolved.mtypes[node.text], node.span)
            case ast.Reference() if isinstance(at, ast.Reference):
                self.reference(node, at)
            case ast.RunExpression() if isinstance(at, ast.RunExpression):
                self.of_process(node.symbol, at.name_span)
            case ast.RemoteLabel() if isinstance(at, ast.RemoteLabel):
                self.of_process(node.symbol, at.process_span)
                if node.symbol is not None:
                    self.label(node.symbol.name, node.label, at.label_span)
            case ast.RemoteVariable() if isinstance(at, ast.RemoteVariable):
                self.of_process(node.symbol, at.process_span)
                self.remote(node, at.variable.parts[0].span)
            case ast.Goto():
                self.label(self.process, node.label, node.label_span)
            case ast.Labelled():
                self.label(self.process, node.label, node.span, defines=True)
            case ast.Block() if node.inline is not None and node.span.via is not None:
                key = ("inline", node.inline)
                self.see(key, EntityKind.INLINE, node.inline, node.span.via)

    def type(self, node: ast.FieldType) -> None:
        if node.name in self.resolved.structs:
            self.see(("type", node.name), EntityKind.TYPE, node.name, node.span)
        if node.subtype is not None and node.subtype_span is not None:
            self.see(("set", node.subtype), EntityKind.SET, node.subtype, node.subtype_span)

    def mtype(self, node: ast.MtypeDeclaration) -> None:
        if node.subtype is not None and node.subtype_span is not None:
            key, kind = ("set", node.subtype), EntityKind.SET
            self.see(key, kind, node.subtype, node.subtype_span, defines=True)
        for name, span in node.names:
            if name in self.resolved.mtypes:
                self.constant(self.resolved.mtypes[name], span, defines=True)

    def constant(self, constant: MtypeConstant, span: Span, *, defines: bool = False) -> None:
        key, kind = ("mtype", constant.name), EntityKind.CONSTANT
        self.see(key, kind, constant.name, span, about=constant, defines=defines)

    def variable(self, variable: Variable, span: Span, *, defines: bool = False) -> None:
        if variable.declarator is None:
            return  # `_`, or a counter that nobody wrote
        kind, owner = EntityKind.VARIABLE, ""
        if variable.owner is not None:
            owner = variable.owner.name
        else:
            struct = self.struct_of(variable)
            if struct is not None:
                kind, owner = EntityKind.FIELD, struct.name
        self.see(variable, kind, variable.name, span, about=variable, owner=owner, defines=defines)

    def struct_of(self, variable: Variable) -> Struct | None:
        structs = self.resolved.structs.values()
        return next((s for s in structs if any(f is variable for f in s.fields)), None)

    def reference(self, node: ast.Reference, at: ast.Reference) -> None:
        if isinstance(node.symbol, MtypeConstant):
            self.constant(node.symbol, at.parts[0].span)
        elif isinstance(node.symbol, Variable):
            for variable, part in zip(_path(node.symbol, node.parts), at.parts, strict=False):
                self.variable(variable, part.span)

    def remote(self, node: ast.RemoteVariable, span: Span) -> None:
        name = node.variable.parts[0].name
        known = node.symbol.variables if node.symbol is not None else []
        variable = next((v for v in known if v.name == name), None)
        if variable is not None:
            self.variable(variable, span)

    def of_process(
        self, symbol: ProcessSymbol | None, span: Span, *, defines: bool = False
    ) -> None:
        if symbol is not None:
            key, kind = ("process", symbol.name), EntityKind.PROCESS
            self.see(key, kind, symbol.name, span, about=symbol, defines=defines)

    def label(self, process: str, name: str, span: Span, *, defines: bool = False) -> None:
        key, kind = ("label", process, name), EntityKind.LABEL
        self.see(key, kind, name, span, owner=process, defines=defines)


def _path(variable: Variable, parts: list[ast.Part]) -> Iterator[Variable]:
    """The variable and the fields that a reference goes through, as far as they are known."""
    yield variable
    for part in parts[1:]:
        inner = variable.type.field(part.name) if isinstance(variable.type, Struct) else None
        if inner is None:
            return
        variable = inner
        yield variable
