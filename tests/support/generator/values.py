"""Draws expressions, declarations of variables, and the use of channels."""

from __future__ import annotations

from dataclasses import replace

from support.generator.draft import Draft
from support.generator.vocabulary import (
    BIT,
    BOOL,
    BYTE,
    CHAN,
    EDGES,
    INT,
    MTYPE,
    MTYPE_NAMES,
    SHORT,
    UNSIGNED,
    Body,
    Chan,
    Expr,
    Kind,
    Var,
    Where,
    hull,
)


class Values(Draft):
    """Draws what has a value, and keeps values within bounds."""

    # Expressions.

    def constant(self, kind: Kind, edges: bool = True) -> Expr:
        """A constant that is worth storing in a variable of this kind, in or out of range."""
        if kind.name == "mtype" and self.flip(90):
            index = self.number(0, len(MTYPE_NAMES) - 1)
            value = len(MTYPE_NAMES) - index  # Spin numbers the names from the last one.
            return Expr(MTYPE_NAMES[index], value, value)
        if edges and self.profile.wide and kind.name in EDGES and self.flip(12):
            value = self.pick(EDGES[kind.name])
        else:
            value = self.number(0, 3)
        return Expr(str(value), value, value)

    def element(self, variable: Var, where: Where) -> str:
        if not variable.size:
            return variable.name
        return f"{variable.name}[{self.index(variable.size, where)}]"

    def index(self, size: int, where: Where) -> str:
        """The text of an index of an array of this size: within its bounds."""
        match self.number(0, 2):
            case 0:
                return str(self.number(0, size - 1))
            case 1:
                return f"_pid % {size}"
            case _:
                expression = self.variable(where, scalars=True)
                if expression.lo >= 0 and expression.hi < size:
                    return expression.text
                if expression.lo >= 0:
                    return f"{expression.text} % {size}"
                return f"({expression.text} & 7) % {size}"

    def variable(self, where: Where, scalars: bool = False) -> Expr:
        readable = [
            v for v in where.variables if v.kind.name != "chan" and not (scalars and v.size)
        ]
        if not readable:
            return Expr("_pid", 0, 255)
        variable = self.pick(readable)
        return Expr(self.element(variable, where), variable.kind.lo, variable.kind.hi)

    def atom(self, where: Where, body: Body | None) -> Expr:
        profile = self.profile
        options: list[tuple[str, int]] = [("variable", 8), ("constant", 3), ("_pid", 1)]
        if profile.run:
            options.append(("_nr_pr", 1))
        if profile.last:
            options.append(("_last", 1))
        if profile.inlines:
            options.append(("macro", 1))
        if where.channels:
            options.append(("len", 1))
        if profile.polls and any(not c.rendezvous for c in where.channels):
            options.append(("poll", 2))
        if body is not None and where.mode != "d_step":
            if profile.remote and self.targets():
                options.append(("remote", 6))
            if profile.enabled and body.observer:
                options.append(("enabled", 6))
            if profile.priority:
                options.append(("_priority", 1))
                options.append(("get_priority", 1))
        match self.pick_weighted(options):
            case "variable":
                return self.variable(where)
            case "constant":
                return self.constant(BYTE, edges=False)
            case "len":
                return Expr(f"len({self.channel_text(self.pick(where.channels), where)})", 0, 3)
            case "poll":
                channel = self.pick([c for c in where.channels if not c.rendezvous])
                operator = "??" if profile.random_receive and self.flip() else "?"
                pattern = ", ".join(self.patterns(channel, where))
                text = self.channel_text(channel, where)
                return Expr(f"(({text}{operator}[{pattern}]) -> 1 : 0)", 0, 1)
            case "macro":
                if self.flip():
                    return Expr("LIMIT", 2, 2)
                return Expr(f"ODD({self.variable(where).text})", 0, 1)
            case "remote":
                return self.remote()
            case "enabled":
                last = self.first_pid(len(self.finished)) - 1
                return Expr(f"enabled({self.number(0, last)})", 0, 1)
            case "get_priority":
                return Expr("get_priority(_pid)", 0, 255)
            case name:
                return Expr(name, 0, 255)

    def targets(self) -> list[tuple[int, Body]]:
        """The processes that a remote reference may name, with their pids."""
        return [
            (self.first_pid(index), body)
            for index, body in enumerate(self.finished)
            if body.proctype.instances == 1 and (body.labels or body.locals)
        ]

    def first_pid(self, index: int) -> int:
        """The pid of the first instance of the proctype with this index, if it has any."""
        return sum(proctype.instances for proctype in self.proctypes[:index])

    def remote(self) -> Expr:
        pid, body = self.pick(self.targets())
        name = body.proctype.name
        prefix = f"{name}[{pid}]" if self.flip(80) else name
        if body.labels and (not body.locals or self.flip()):
            return Expr(f"{prefix}@{self.pick(body.labels)}", 0, 1)
        variable = self.pick(body.locals)
        return Expr(f"{prefix}:{variable.name}", variable.kind.lo, variable.kind.hi)

    def expression(self, where: Where, body: Body | None, depth: int = 2) -> Expr:
        if depth == 0 or self.flip(35):
            return self.atom(where, body)
        form = self.pick_weighted(
            [
                ("+", 3),
                ("-", 2),
                ("%", 2),
                ("compare", 3),
                ("*", 1),
                ("/", 1),
                ("bits", 2),
                ("shift", 1),
                ("~", 1),
                ("negative", 1),
                ("conditional", 2),
                ("logic", 2),
                ("!", 1),
            ]
        )
        left = self.expression(where, body, depth - 1)
        match form:
            case "+" | "-" | "*":
                right = self.expression(where, body, depth - 1)
                return self.arithmetic(form, left, right)
            case "%" | "/":
                if self.flip(75):
                    divisor = Expr(str(value := self.number(2, 4)), value, value)
                else:
                    divisor = Expr(f"(1 + ({self.atom(where, body).text} & 3))", 1, 4)
                if form == "/":
                    return Expr(f"({left.text} / {divisor.text})", *hull(left.lo, 0, left.hi))
                top = divisor.hi - 1
                low = -top if left.lo < 0 else 0
                return Expr(f"({left.text} % {divisor.text})", low, top)
            case "bits":
                right = self.expression(where, body, depth - 1)
                low, high = hull(left.lo, left.hi, right.lo, right.hi, 0)
                bound = 1 << max(abs(low), abs(high) + 1).bit_length()
                operator = self.pick(("&", "|", "^"))
                return Expr(
                    f"({left.text} {operator} {right.text})", -bound if low < 0 else 0, bound
                )
            case "shift":
                right = self.atom(where, body)
                if self.flip():
                    return Expr(f"({left.text} >> ({right.text} & 3))", *hull(left.lo, 0, left.hi))
                return Expr(f"(({left.text} & 7) << ({right.text} & 3))", 0, 56)
            case "~":
                return Expr(f"(~{left.text})", ~left.hi, ~left.lo)
            case "negative":
                return Expr(f"(-({left.text}))", -left.hi, -left.lo)
            case "conditional":
                right = self.expression(where, body, depth - 1)
                condition = self.condition(where, body, depth - 1)
                return Expr(
                    f"({condition} -> {left.text} : {right.text})",
                    *hull(left.lo, left.hi, right.lo, right.hi),
                )
            case "!":
                return Expr(f"(!({left.text}))", 0, 1)
            case _:
                return Expr(f"({self.condition(where, body, depth - 1)})", 0, 1)

    def arithmetic(self, operator: str, left: Expr, right: Expr) -> Expr:
        match operator:
            case "+":
                corners = (left.lo + right.lo, left.hi + right.hi)
            case "-":
                corners = (left.lo - right.hi, left.hi - right.lo)
            case _:
                corners = hull(*(a * b for a in (left.lo, left.hi) for b in (right.lo, right.hi)))
        if max(map(abs, corners)) >= 2**30:
            return left
        return Expr(f"({left.text} {operator} {right.text})", *corners)

    def condition(self, where: Where, body: Body | None, depth: int = 1) -> str:
        """A truth value, most often a comparison."""
        left = self.expression(where, body, max(depth - 1, 0))
        if depth > 0 and self.flip(25):
            right = self.condition(where, body, depth - 1)
            return f"({left.text} {self.pick(('&&', '||'))} {right})"
        operator = self.pick(("!=", "==", "<", ">", "<=", ">="))
        if self.flip(70):
            right_text = self.constant(BYTE, edges=self.flip(10)).text
        else:
            right_text = self.expression(where, body, max(depth - 1, 0)).text
        return f"({left.text} {operator} {right_text})"

    def probe(self, where: Where, body: Body | None) -> str:
        """`full(c)` and its like, which stand at the top of a condition only."""
        name = self.pick(("nfull", "nempty", "empty", "full"))
        text = f"{name}({self.channel_text(self.pick(where.channels), where)})"
        if self.flip(25):
            return f"({text} {self.pick(('&&', '||'))} {self.condition(where, body, 0)})"
        return text

    def stored(self, kind: Kind, where: Where, body: Body | None) -> str:
        """A value for a variable of this kind, from a set that stays small (see the module)."""
        if kind.name == "chan":
            return self.alias(where, body)
        if kind.name == "mtype":
            names = [v for v in where.variables if v.kind.name == "mtype" and not v.size]
            if names and self.flip(40):
                return self.pick(names).name
            return self.constant(kind).text
        if kind.narrow:
            return self.expression(where, body).text
        match self.pick_weighted(
            [("constant", 4), ("modulo", 5), ("copy", 2), ("truth", 1), ("step", 2), ("mask", 1)]
        ):
            case "constant":
                return self.constant(kind).text
            case "modulo":
                return f"{self.expression(where, body).text} % {self.number(2, 4)}"
            case "copy":
                return self.variable(where).text
            case "truth":
                return self.condition(where, body)
            case "mask":
                return f"{self.expression(where, body).text} & {self.number(1, 3)}"
            case _:
                old = self.variable(where)
                operator, low, high = self.pick((("+", -1, 3), ("-", 0, 4)))
                return f"({old.text} > {low} && {old.text} < {high} -> " + (
                    f"{old.text} {operator} 1 : {self.constant(kind).text})"
                )

    # Channels.

    def channel_text(self, channel: Chan, where: Where, fixed: bool = False) -> str:
        """The text of a channel; `fixed` says that its index must not depend on a variable."""
        if not channel.size:
            return channel.name
        here = replace(where, variables=()) if fixed else where
        return f"{channel.name}[{self.index(channel.size, here)}]"

    def alias(self, where: Where, body: Body | None) -> str:
        """A channel to put in a variable, a message or a parameter."""
        channel = self.pick([c for c in where.channels if self.may_alias(c)])
        if channel.local and body is not None:
            body.immortal = True
        return self.channel_text(channel, where)

    def may_alias(self, channel: Chan) -> bool:
        first = self.channels[0]
        return (channel.fields, channel.rendezvous) == (first.fields, first.rendezvous)

    def patterns(self, channel: Chan, where: Where) -> list[str]:
        """The arguments of a receive or of a poll: such that pan can undo it (see the module)."""
        received: list[Var | None] = []
        for kind in channel.fields:
            names = [v.name for v in received if v is not None]
            free = [v for v in self.receivers(kind, where) if v.name not in names]
            received.append(self.pick(free) if free and self.flip(80) else None)
        names = [v.name for v in received if v is not None]
        kept = replace(where, variables=tuple(v for v in where.variables if v.name not in names))
        fixed = replace(where, variables=())
        return [
            self.constraint(kind, kept) if variable is None else self.element(variable, fixed)
            for kind, variable in zip(channel.fields, received, strict=True)
        ]

    def receivers(self, kind: Kind, where: Where) -> list[Var]:
        """The variables that hold every value of a field of this kind."""
        if kind == CHAN:
            return [Var(c.name, CHAN) for c in where.channels if c.variable]
        if kind == MTYPE:
            return [v for v in where.variables if v.writable and v.kind == MTYPE]
        return [
            v
            for v in where.variables
            if v.writable and v.kind != MTYPE and v.kind.lo <= kind.lo and kind.hi <= v.kind.hi
        ]

    def constraint(self, kind: Kind, where: Where) -> str:
        """What a receive has in the place of a variable; it may read the variables of `where`."""
        if kind == CHAN:
            return "_"
        same = [v for v in where.variables if not v.size and (v.kind == MTYPE) == (kind == MTYPE)]
        match self.number(0, 3):
            case 0 | 3:
                return "_"
            case 1 if same:
                name = self.pick(same).name
                return f"eval({name} + 1)" if kind != MTYPE and self.flip(25) else f"eval({name})"
            case _:
                return self.constant(kind).text

    def send(self, where: Where, body: Body, buffered: bool = False) -> str:
        channel = self.pick([c for c in where.channels if not (buffered and c.rendezvous)])
        operator = "!!" if self.profile.random_receive and self.flip(30) else "!"
        values = [self.stored(kind, where, body) for kind in channel.fields]
        text = self.channel_text(channel, where)
        if len(values) > 1 and self.flip(20):
            return f"{text}{operator}{values[0]}({', '.join(values[1:])})"
        return f"{text}{operator}{', '.join(values)}"

    def receive(self, where: Where, plain: bool = False) -> str:
        """A receive; a `plain` one takes the first message away."""
        channel = self.pick(where.channels)
        patterns = ", ".join(self.patterns(channel, where))
        text = self.channel_text(channel, where, fixed=True)
        if self.profile.random_receive and not plain and self.flip(50):
            options = ["??"] if channel.rendezvous else ["??", "?<", "??<"]
            operator = self.pick(options)
            return f"{text}{operator}{patterns}" + (">" if "<" in operator else "")
        return f"{text}?{patterns}"

    # Declarations.

    def kind(self) -> Kind:
        kinds = [BYTE, BIT, BOOL, *UNSIGNED]
        if self.profile.wide:
            kinds += [SHORT, INT]
        if self.profile.mtypes:
            kinds.append(MTYPE)
        return self.pick(kinds)

    def initial(self, kind: Kind, where: Where | None) -> str:
        """An initial value: within range, or `spin -a` says that it was truncated, and fails."""
        same = [v for v in where.variables if v.kind == kind and not v.size] if where else []
        if same and self.flip(30):
            return self.pick(same).name
        if kind.name == "mtype":
            return self.constant(kind, edges=False).text
        return str(self.pick([v for v in (0, 1, 2, 3, kind.hi) if v <= kind.hi]))

    def declare(self, name: str, where: Where | None) -> tuple[str, Var]:
        """A declaration, among the first of its scope, and the variable."""
        kind = self.kind()
        shared = where is None
        if self.profile.arrays and not kind.width and self.flip(30):
            size = self.pick((2, 3))
            text = kind.declare(f"{name}[{size}]")
            match self.number(0, 2):
                case 1 if kind != MTYPE:
                    text += f" = {self.initial(kind, None)}"
                case 2 if kind != MTYPE:
                    values = ", ".join(self.initial(kind, None) for _ in range(size))
                    text += f" = {{ {values} }}"
                case _:
                    pass
            return text + ";", Var(name, kind, size, shared)
        text = kind.declare(name)
        if self.flip():
            text += f" = {self.initial(kind, where)}"
        return text + ";", Var(name, kind, 0, shared)
