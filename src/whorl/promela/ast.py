"""The syntax tree of a Promela model, as the parser builds it and the resolver annotates it.

Nodes are plain data. Every node has the span of source that it came from. The only fields that are
written after parsing are those called ``symbol``: the resolver fills them in, and the stages after
it read them.
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from whorl.records import dataclass

if TYPE_CHECKING:
    from whorl.diagnostics import Span
    from whorl.language.formula import Formula
    from whorl.promela.lexer import Token
    from whorl.promela.symbols import ProcessSymbol, Symbol, Variable

# --- expressions ---------------------------------------------------------------------------------


@dataclass(slots=True)
class Number:
    span: Span
    value: int
    text: str = ""  # how it was written when not as a number: true, skip, 'a'


@dataclass(slots=True)
class Part:
    """One step of a reference: a name with an optional index."""

    span: Span
    name: str
    index: Expression | None


@dataclass(slots=True)
class Reference:
    """A variable, array element or field: ``a``, ``a[i]``, ``a.b[j].c``; or a symbolic constant."""

    span: Span
    parts: list[Part]
    symbol: Symbol | None = None


@dataclass(slots=True)
class Unary:
    span: Span
    operator: str  # ! ~ -
    operand: Expression


@dataclass(slots=True)
class Binary:
    span: Span
    operator: str
    left: Expression
    right: Expression


@dataclass(slots=True)
class Conditional:
    """``(condition -> yes : no)``"""

    span: Span
    condition: Expression
    yes: Expression
    no: Expression


@dataclass(slots=True)
class ChannelTest:
    """``len(c)``, ``empty(c)``, ``nempty(c)``, ``full(c)``, ``nfull(c)``"""

    span: Span
    test: str
    channel: Reference


@dataclass(slots=True)
class Poll:
    """``c?[...]`` (the first message) or ``c??[...]`` (any message)"""

    span: Span
    channel: Reference
    arguments: list[Pattern]
    random: bool


@dataclass(slots=True)
class RunExpression:
    span: Span
    name: str
    name_span: Span
    arguments: list[Expression]
    priority: int | None
    symbol: ProcessSymbol | None = None


@dataclass(slots=True)
class Call:
    """``enabled(p)``, ``pc_value(p)``, ``get_priority(p)``"""

    span: Span
    function: str
    argument: Expression


@dataclass(slots=True)
class Predefined:
    """``timeout``, ``np_``, ``_pid``, ``_nr_pr``, ``_last``"""

    span: Span
    name: str


@dataclass(slots=True)
class RemoteLabel:
    """``P[pid]@label`` or ``P@label``"""

    span: Span
    process: str
    process_span: Span
    pid: Expression | None
    label: str
    label_span: Span
    symbol: ProcessSymbol | None = None


@dataclass(slots=True)
class RemoteVariable:
    """``P[pid]:x`` or ``P:x``"""

    span: Span
    process: str
    process_span: Span
    pid: Expression | None
    variable: Reference
    symbol: ProcessSymbol | None = None


@dataclass(slots=True)
class CText:
    """C between brackets, and the directives that define those of the model's macros it uses."""

    span: Span  # with the brackets
    text: str
    definitions: str


@dataclass(slots=True)
class EmbeddedExpression:
    """``c_expr [precondition] { code }``"""

    span: Span
    precondition: CText | None
    code: CText


Expression = (
    Number
    | Reference
    | Unary
    | Binary
    | Conditional
    | ChannelTest
    | Poll
    | RunExpression
    | Call
    | Predefined
    | RemoteLabel
    | RemoteVariable
    | EmbeddedExpression
)


@dataclass(slots=True)
class Eval:
    """``eval(e)`` in a receive: the field must equal e"""

    span: Span
    value: Expression


Pattern = Number | Reference | Eval

# --- declarations --------------------------------------------------------------------------------


@dataclass(slots=True)
class FieldType:
    """A type by its name: of a message field or a declaration; ``mtype : colour`` has a subtype."""

    span: Span
    name: str
    subtype: str | None = None
    subtype_span: Span | None = None


@dataclass(slots=True)
class ChannelInit:
    """``[capacity] of { types }``"""

    span: Span
    capacity: Expression
    fields: list[FieldType]


@dataclass(slots=True)
class Declarator:
    """One name of a declaration, with its bound, width and initial value."""

    span: Span
    name: str
    length: Expression | None  # None: not an array
    width: int | None  # of an unsigned
    initial: Expression | ChannelInit | list[Number] | None
    symbol: Variable | None = None


@dataclass(slots=True)
class Declaration:
    span: Span
    type: FieldType
    visibility: str | None  # hidden, show, local
    names: list[Declarator]


@dataclass(slots=True)
class MtypeDeclaration:
    span: Span
    subtype: str | None
    subtype_span: Span | None
    names: list[tuple[str, Span]]


@dataclass(slots=True)
class TypedefDeclaration:
    span: Span
    name: str
    name_span: Span
    fields: list[Declaration]


# --- statements ----------------------------------------------------------------------------------


@dataclass(slots=True)
class Assign:
    span: Span
    target: Reference
    value: Expression
    operator: str = "="  # or ++ or --


@dataclass(slots=True)
class Condition:
    """An expression as a statement: it waits until the expression is not zero."""

    span: Span
    expression: Expression


@dataclass(slots=True)
class Assert:
    span: Span
    expression: Expression


@dataclass(slots=True)
class Print:
    span: Span
    format: str  # the literal with its quotes; of printm: ""
    arguments: list[Expression]


@dataclass(slots=True)
class Send:
    span: Span
    channel: Reference
    arguments: list[Expression]
    sorted: bool


@dataclass(slots=True)
class Receive:
    span: Span
    channel: Reference
    arguments: list[Pattern]
    random: bool
    copy: bool  # ?<...> leaves the message in the channel


@dataclass(slots=True)
class Goto:
    span: Span
    label: str
    label_span: Span


@dataclass(slots=True)
class Break:
    span: Span


@dataclass(slots=True)
class Else:
    span: Span


@dataclass(slots=True)
class SetPriority:
    span: Span
    pid: Expression
    priority: Expression


@dataclass(slots=True)
class EmbeddedCode:
    """``c_code [precondition] { code }``, and at top level ``c_decl { code }``"""

    span: Span
    keyword: str
    precondition: CText | None
    code: CText


@dataclass(slots=True)
class Labelled:
    span: Span  # of the label
    label: str
    statement: Statement


@dataclass(slots=True)
class IfOrDo:
    """``if :: ... fi`` or ``do :: ... od``"""

    span: Span
    loop: bool
    options: list[Sequence]


@dataclass(slots=True)
class ForRange:
    """``for (i : first .. last) { body }``"""

    span: Span
    variable: Reference
    first: Expression
    last: Expression
    body: Sequence


@dataclass(slots=True)
class ForIn:
    """``for (x in array_or_channel) { body }``"""

    span: Span
    variable: Reference
    container: Reference
    body: Sequence
    symbol: Variable | None = None  # the hidden counter, where the container is a channel


@dataclass(slots=True)
class Select:
    """``select (i : first .. last)``"""

    span: Span
    variable: Reference
    first: Expression
    last: Expression


@dataclass(slots=True)
class Block:
    """``{ ... }``, ``atomic { ... }``, ``d_step { ... }``; an inline call is a plain block"""

    span: Span
    keyword: str  # "", atomic, d_step
    body: Sequence
    inline: str | None = None


@dataclass(slots=True)
class Unless:
    span: Span
    main: Statement
    escape: Statement


@dataclass(slots=True)
class ExclusiveUse:
    """``xr c, d`` or ``xs c``"""

    span: Span
    keyword: str
    channels: list[Reference]


Statement = (
    Assign
    | Condition
    | Assert
    | Print
    | Send
    | Receive
    | Goto
    | Break
    | Else
    | SetPriority
    | EmbeddedCode
    | Labelled
    | IfOrDo
    | ForRange
    | ForIn
    | Select
    | Block
    | Unless
)
Step = Statement | Declaration | ExclusiveUse


@dataclass(slots=True)
class Sequence:
    span: Span
    steps: list[Step]


@dataclass(frozen=True, slots=True)
class Inline:
    """A named piece of text with parameters: Spin's inline."""

    name: str
    parameters: tuple[Token, ...]
    body: tuple[Token, ...]  # with its braces
    span: Span  # of the name


# --- units ---------------------------------------------------------------------------------------


@dataclass(slots=True)
class Proctype:
    span: Span
    name: str  # init is ":init:"
    name_span: Span
    active: Expression | None  # how many instances start with the model
    parameters: list[Declaration]
    priority: int | None
    provided: Expression | None
    body: Sequence
    deterministic: bool = False  # D_proctype
    symbol: ProcessSymbol | None = None


@dataclass(slots=True)
class NeverOrTrace:
    """A ``never`` claim, or a ``trace`` or ``notrace`` assertion."""

    span: Span
    keyword: str
    name: str
    name_span: Span
    body: Sequence
    symbol: ProcessSymbol | None = None


@dataclass(slots=True)
class LtlFormula:
    """An ``ltl name { ... }`` block. `atoms` are the expressions that its propositions name.

    `repeated` has the same expressions where they are written again, each with its atom's number.
    """

    span: Span
    name: str
    name_span: Span
    formula: Formula
    atoms: list[Expression]
    repeated: list[tuple[int, Expression]]
    text: str


@dataclass(slots=True)
class EmbeddedState:
    """``c_state "type name" "scope"`` or ``c_track "pointer" "size"``"""

    span: Span
    keyword: str
    strings: list[str]


Unit = (
    Declaration
    | MtypeDeclaration
    | TypedefDeclaration
    | Proctype
    | NeverOrTrace
    | LtlFormula
    | EmbeddedCode
    | EmbeddedState
    | ExclusiveUse
)


@dataclass(slots=True)
class SyntaxTree:
    """A whole model: its units in the order of the source.

    `doubtful` has the names in text that the parser did not understand; it is empty otherwise.
    `inlines` are the definitions whose expansions are parts of the units.
    """

    span: Span
    units: list[Unit] = field(default_factory=list)
    inlines: list[Inline] = field(default_factory=list)
    doubtful: frozenset[str] = frozenset()
