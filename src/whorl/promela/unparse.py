"""Writes expressions and statements back as text: what a counterexample shows of a step."""

from __future__ import annotations

from whorl.language.operators import LEVEL, LEVELS
from whorl.promela import ast

_TIGHT = len(LEVELS)
SHOWN = 3  # statements of a d_step
SHOWN_C = 60  # characters of a c_code


def expression(node: ast.Expression | ast.Pattern, level: int = 0, full: bool = False) -> str:
    """The text of `node`, with parentheses where needed; `full`: around every operator, as Spin."""
    match node:
        case ast.Number():
            return node.text or str(node.value)
        case ast.Reference():
            return reference(node, full)
        case ast.Unary():
            return f"{node.operator}{expression(node.operand, _TIGHT, full)}"
        case ast.Binary():
            own = LEVEL[node.operator]
            left = expression(node.left, own, full)
            right = expression(node.right, own + 1, full)
            if full:
                return f"({left}{node.operator}{right})"
            text = f"{left} {node.operator} {right}"
            return f"({text})" if own < level else text
        case ast.Conditional():
            parts = (expression(n, 0, full) for n in (node.condition, node.yes, node.no))
            return "({} -> {} : {})".format(*parts)
        case ast.ChannelTest():
            return f"{node.test}({reference(node.channel, full)})"
        case ast.Poll():
            inner = patterns(node.arguments)
            return f"{reference(node.channel, full)}{'??' if node.random else '?'}[{inner}]"
        case ast.RunExpression():
            inner = ", ".join(expression(a, 0, full) for a in node.arguments)
            priority = "" if node.priority is None else f" priority {node.priority}"
            return f"run {node.name}({inner}){priority}"
        case ast.Call():
            return f"{node.function}({expression(node.argument, 0, full)})"
        case ast.Predefined():
            return node.name
        case ast.RemoteLabel():
            return f"{_remote(node, full)}@{node.label}"
        case ast.RemoteVariable():
            return f"{_remote(node, full)}:{reference(node.variable, full)}"
        case ast.EmbeddedExpression():
            return f"c_expr {c_text(node.code)}"
        case ast.Eval():
            return f"eval({expression(node.value, 0, full)})"


def c_text(node: ast.CText, most: int | None = None) -> str:
    """Embedded C on one line, of at most so many characters."""
    text = " ".join(node.text.split())
    if most is not None and len(text) > most:
        text = f"{text[:most].rstrip()} ..."
    return f"{{ {text} }}"


def _remote(node: ast.RemoteLabel | ast.RemoteVariable, full: bool) -> str:
    pid = "" if node.pid is None else f"[{expression(node.pid, 0, full)}]"
    return f"{node.process}{pid}"


def reference(node: ast.Reference, full: bool = False) -> str:
    return ".".join(
        part.name if part.index is None else f"{part.name}[{expression(part.index, 0, full)}]"
        for part in node.parts
    )


def patterns(arguments: list[ast.Pattern]) -> str:
    return ", ".join(expression(argument) for argument in arguments)


def statement(node: ast.Statement) -> str:
    """The text of a simple statement; a compound one is named by its keyword."""
    match node:
        case ast.Assign():
            if node.operator != "=":
                return f"{reference(node.target)}{node.operator}"
            return f"{reference(node.target)} = {expression(node.value)}"
        case ast.Condition():
            return expression(node.expression)
        case ast.Assert():
            return f"assert({expression(node.expression)})"
        case ast.Print():
            if not node.format:
                return f"printm({expression(node.arguments[0])})"
            inner = ", ".join([node.format, *(expression(a) for a in node.arguments)])
            return f"printf({inner})"
        case ast.Send():
            inner = ", ".join(expression(a) for a in node.arguments)
            return f"{reference(node.channel)}{'!!' if node.sorted else '!'}{inner}"
        case ast.Receive():
            inner = patterns(node.arguments)
            if node.copy:
                inner = f"<{inner}>"
            return f"{reference(node.channel)}{'??' if node.random else '?'}{inner}"
        case ast.Goto():
            return f"goto {node.label}"
        case ast.Break():
            return "break"
        case ast.Else():
            return "else"
        case ast.SetPriority():
            return f"set_priority({expression(node.pid)}, {expression(node.priority)})"
        case ast.EmbeddedCode():
            return f"{node.keyword} {c_text(node.code, SHOWN_C)}"
        case ast.Labelled():
            return statement(node.statement)
        case ast.IfOrDo():
            return "do" if node.loop else "if"
        case ast.ForRange() | ast.ForIn():
            return "for"
        case ast.Select():
            return "select"
        case ast.Block():
            if node.keyword == "d_step":
                return _summary(node)
            return node.keyword or node.inline or "{"
        case ast.Unless():
            return "unless"


def _whole(node: ast.Statement) -> str:
    """A statement inside a d_step, with its end."""
    if isinstance(node, ast.IfOrDo):
        return "do ... od" if node.loop else "if ... fi"
    return statement(node)


def _summary(node: ast.Block) -> str:
    """A d_step is one step, so it is shown with the statements in it, as far as they fit."""
    inner = [
        _whole(step)
        for step in node.body.steps
        if not isinstance(step, ast.Declaration | ast.ExclusiveUse)
    ]
    shown = inner[:SHOWN]
    if len(inner) > SHOWN:
        shown.append("...")
    return f"{node.keyword} {{ {'; '.join(shown)} }}"
