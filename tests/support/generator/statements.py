"""Draws statements and sequences of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from support.generator.values import Values
from support.generator.vocabulary import (
    BYTE,
    CHAN,
    Body,
    Lines,
    Proctype,
    Var,
    Where,
    block,
    ended,
    has_d_step,
    has_loop,
    indented,
    labelled,
)


class Statements(Values):
    """Draws the bodies of processes."""

    def sequence(
        self, where: Where, body: Body, least: int = 1, most: int = 4, opening: bool = False
    ) -> Lines:
        """Statements; `opening` says that they are the first of a block, where no label may be."""
        lines: Lines = []
        for index in self.repeat(least, most):
            if body.budget <= 0 and index >= least:
                break
            if self.profile.inner_declarations and where.mode != "d_step" and self.flip(12):
                variable = Var(body.fresh("m"), self.kind(), shared=False)
                text = variable.kind.declare(variable.name)
                if self.flip(70):
                    text += f" = {self.initial(variable.kind, where)}"
                lines += [text + ";"]
                where = where.with_variable(variable)
            if opening and index == 0:
                statement = self.statement(where, body)
            else:
                statement = self.labelled_statement(where, body)
            if has_d_step(statement) and has_loop(lines):
                # The break of a loop must not lead to a d_step: "jump into d_step sequence".
                lines.append("skip;")
            lines += ended(statement)
        return lines

    def labelled_statement(self, where: Where, body: Body) -> Lines:
        profile = self.profile
        place = bool(body.pending) and self.flip(30)
        label = body.pending.pop(0) if place else ""
        lines = self.statement(where, body)
        if "} unless {" in lines:
            # Spin refuses some labels in front of an unless, depending on how it starts.
            return [f"{label}: skip;", *lines] if label else lines
        if label:
            # A jump to a goto could be a loop of jumps, one to a d_step is refused.
            direct = not lines[0].startswith("goto") and not has_d_step(lines)
            lines = labelled(label, lines) if direct else [f"{label}: skip;", *lines]
        if where.mode == "d_step":
            return lines
        plain = where.mode == "plain" and not where.counted
        plain = plain and len(lines) == 1 and "goto" not in lines[0]
        if profile.jumps and plain and lines != ["break"] and self.flip(20):
            label = body.fresh("B")
            lines = labelled(label, lines)
            body.back_labels.append(label)
            body.labels.append(label)
        if self.flip(8):
            label = body.fresh("end")
            lines = labelled(label, lines)
        if profile.remote and self.flip(25) and "goto" not in lines[0] and "break" not in lines[0]:
            label = body.fresh("at")
            lines = labelled(label, lines)
            body.labels.append(label)
        return lines

    def statement(self, where: Where, body: Body) -> Lines:
        profile = self.profile
        body.budget -= 1
        free = where.mode != "d_step"
        options: list[tuple[str, int]] = [("assign", 10), ("skip", 1), ("assert", 4)]
        if self.inlines:
            options.append(("inline", 3))
        if where.channels:
            if free:
                options += [("send", 5), ("receive", 5)]
            elif any(not c.rendezvous for c in where.channels):
                options.append(("careful", 3))
        if free:
            options.append(("guard", 1))
            if profile.timeout:
                options.append(("timeout", 1))
            if self.records:
                options.append(("record", 3))
        if profile.jumps:
            options.append(("goto", 3))
        if where.breakable:
            options.append(("break", 1))
        if profile.priority and free:
            options.append(("set_priority", 2))
        if where.depth > 0 and body.budget > 0:
            options.append(("if", 4))
            if profile.loops:
                options.append(("do", 3))
            if profile.counted_loops:
                options += [("for", 3), ("select", 2)]
            if free:
                options.append(("block", 1))
                if profile.atomic:
                    options.append(("atomic", 5))
                if profile.d_step:
                    options.append(("d_step", 5))
                if profile.unless:
                    options.append(("unless", 5))
            if profile.run and where.mode == "plain" and body.proctype.name != "init":
                options.append(("spawn", 1))
        inner = replace(where, depth=where.depth - 1)
        match self.pick_weighted(options):
            case "assign":
                return [self.assignment(where, body)]
            case "assert":
                return [f"assert{self.claim(where, body)}"]
            case "skip":
                return [self.pick(("skip", f'printf("%d\\n", {self.atom(where, None).text})'))]
            case "inline":
                return self.inline_call(where, body)
            case "send":
                return [self.send(where, body)]
            case "receive":
                return [self.receive(where)]
            case "record":
                return [self.pick(("records!s", "records?s"))]
            case "careful":
                return self.careful(inner, body)
            case "guard":
                return [self.condition(where, body)]
            case "timeout":
                return ["timeout"]
            case "goto":
                return self.goto(where, body)
            case "break":
                return ["break"]
            case "set_priority":
                return [f"set_priority(_pid, {self.number(1, 3)})"]
            case "if":
                return self.selection(inner, body)
            case "do":
                return self.repetition(inner, body)
            case "for":
                return self.counted(inner, body)
            case "select":
                return self.select(where, body)
            case "block":
                return block("{", self.sequence(inner, body, 1, 3, opening=True))
            case "atomic":
                return self.atomic(inner, body)
            case "d_step":
                return self.d_step(inner, body)
            case "unless":
                main = self.sequence(inner, body, 1, 3, opening=True)
                first, _ = self.guard(inner, body, escape=True)
                rest = self.sequence(inner, body, 0, 2)
                return [*block("{", main, "} unless {"), *indented([*ended(first), *rest]), "}"]
            case _:
                return self.spawn(where, body)

    def assignment(self, where: Where, body: Body) -> str:
        writable = [v for v in where.variables if v.writable]
        aliases = [c for c in where.channels if c.variable]
        if aliases and (not writable or self.flip(15)):
            return f"{self.pick(aliases).name} = {self.alias(where, body)}"
        if not writable:
            return "skip"
        variable = self.pick(writable)
        target = self.element(variable, where)
        if variable.kind.narrow and self.flip(40):
            return target + self.pick(("++", "--"))
        return f"{target} = {self.stored(variable.kind, where, body)}"

    def claim(self, where: Where, body: Body) -> str:
        """What an assertion says: often something that holds nearly always."""
        if self.flip(40):
            return self.condition(where, body)
        left, right = self.condition(where, body, 0), self.condition(where, body, 0)
        return f"({left} || {right})"

    def goto(self, where: Where, body: Body) -> Lines:
        if where.mode != "d_step" and body.back_labels and self.flip(40):
            return [f"goto {self.pick(body.back_labels)}"]
        label = body.fresh("F")
        body.pending.append(label)
        return [f"goto {label}"]

    def guard(self, where: Where, body: Body, escape: bool = False) -> tuple[Lines, bool]:
        """The first statement of an option, and whether it keeps Spin from accepting `else`."""
        options: list[tuple[str, int]] = [("condition", 6)]
        if not escape:
            options.append(("assign", 1))
        if where.mode != "d_step":
            if where.channels:
                options += [("send", 3), ("receive", 3)]
            if self.profile.timeout and where.mode == "plain":
                options.append(("timeout", 1))
        if where.channels:
            options.append(("probe", 1))
        match self.pick_weighted(options):
            case "send":
                return [self.send(where, body)], True
            case "receive":
                return [self.receive(where)], True
            case "probe":
                return [self.probe(where, body)], True
            case "timeout":
                return ["timeout"], False
            case "assign":
                return [self.assignment(where, body)], False
            case _:
                return [self.condition(where, body)], False

    def option(self, where: Where, body: Body, tail: Lines, condition: bool = False) -> Lines:
        """One option without its `::`, and in front the mark of i/o in its guard."""
        if condition:
            first, io = [self.condition(where, body)], False
        elif where.mode == "plain" and where.depth > 0 and body.budget > 0 and self.opens():
            first, io = self.nested(replace(where, depth=where.depth - 1), body)
        else:
            first, io = self.guard(where, body)
        rest = self.sequence(where, body, 0, 2) + tail
        if has_loop(first) and has_d_step(rest):
            rest = ["skip;", *rest]
        return ["io" if io else "", *first, *rest]

    def opens(self) -> bool:
        """Whether an option begins with something that has options or statements itself."""
        return self.flip(60 if self.profile.nested else 12)

    def nested(self, where: Where, body: Body) -> tuple[Lines, bool]:
        """A selection or a loop that begins an option: its options are also among those outside.

        Or an atomic sequence.
        """
        body.budget -= 1
        if self.profile.nested and self.flip(40):
            inside = replace(where, mode="atomic")
            rest = [self.assignment(inside, body) + ";" for _ in self.repeat(1, 2)]
            return block("atomic {", [self.condition(where, body) + ";", *rest], "};"), False
        loop = self.profile.loops and self.flip()
        inside = replace(where, breakable=loop or where.breakable)
        options = [self.option(inside, body, []) for _ in self.repeat(1, 2)]
        io = any(option[0] for option in options)
        if loop:
            options.append(["", self.condition(where, body), "break;"])
            return ["do", *self.options(options, None), "od;"], io
        return ["if", *self.options(options, None), "fi;"], io

    def options(self, options: Sequence[Lines], other: Lines | None) -> Lines:
        """The options with, where Spin has no complaint or none is minded, `else`."""
        lines: Lines = []
        for _, first, *rest in options:
            arrow = " ->" if rest and first not in ("if", "do", "atomic {") else ""
            lines += [f":: {first}{arrow}", *indented(rest)]
        if other is not None:
            position = "first" if self.flip(10) else "last"
            text = [":: else" + (" ->" if other else ""), *indented(other)]
            lines = text + lines if position == "first" else lines + text
        return lines

    def may_else(self, options: Sequence[Lines]) -> bool:
        return self.profile.dubious_else or not any(option[0] for option in options)

    def selection(self, where: Where, body: Body) -> Lines:
        only_conditions = where.mode == "d_step" and not self.profile.dubious_else
        options = [
            self.option(where, body, [], condition=only_conditions) for _ in self.repeat(1, 3)
        ]
        other: Lines | None = None
        if where.mode == "d_step" or (self.may_else(options) and self.flip(60)):
            other = self.sequence(where, body, 0, 2)
        return ["if", *self.options(options, other), "fi"]

    def repetition(self, where: Where, body: Body) -> Lines:
        """A loop: in an atomic sequence one that surely ends."""
        inside = replace(where, breakable=True)
        if where.mode != "plain":
            if self.flip():
                options = [
                    self.option(inside, body, ["break;"], condition=where.mode == "d_step")
                    for _ in self.repeat(1, 2)
                ]
                other = ["break;"] if where.mode == "d_step" or self.may_else(options) else None
                return ["do", *self.options(options, other), "od"]
            counter = self.counter(body)
            rest = [f"{counter.name}++;", *self.sequence(inside, body, 0, 2)]
            options = [["", f"({counter.name} < {self.number(1, 2)})", *rest]]
            return ["do", *self.options(options, ["break;"]), "od"]
        options = [self.option(inside, body, []) for _ in self.repeat(1, 2)]
        match self.number(0, 3):
            case 0 if self.may_else(options):
                return ["do", *self.options(options, ["break;"]), "od"]
            case 0 | 1:
                options.append(["", "break"])
            case 2:
                options.append(["", self.condition(where, body), "break;"])
            case _:
                pass
        return ["do", *self.options(options, None), "od"]

    def counter(self, body: Body) -> Var:
        """A new local variable for one loop to count in."""
        name = body.fresh("i")
        body.declarations.append(f"byte {name};")
        return Var(name, BYTE, shared=False, writable=False)

    def counted(self, where: Where, body: Body) -> Lines:
        counter = self.counter(body)
        inside = replace(where.with_variable(counter), breakable=True, counted=True)
        arrays = [v for v in where.variables if v.size and "." not in v.name]
        lines = self.sequence(inside, body, 1, 2)
        if arrays and self.flip(40):
            return block(f"for ({counter.name} in {self.pick(arrays).name}) {{", lines)
        low = self.number(0, 1)
        high = str(self.number(low, 2))
        if self.flip(25):
            high = f"({self.variable(where).text} & 1)"
        return block(f"for ({counter.name} : {low} .. {high}) {{", lines)

    def select(self, where: Where, body: Body) -> Lines:
        targets = [
            v
            for v in where.variables
            if v.writable and not v.shared and not v.size and v.kind.name in ("byte", "short")
        ]
        low, high = str(self.number(0, 1)), str(self.number(1, 2))
        if not targets:
            return [self.assignment(where, body)]
        if self.flip(30):
            low = f"({self.variable(where).text} & 1)"
        return [f"select ({self.pick(targets).name} : {low} .. {high})"]

    def careful(self, where: Where, body: Body) -> Lines:
        """A channel operation that cannot block, for a d_step."""
        channel = self.pick([c for c in where.channels if not c.rendezvous])
        text = self.channel_text(replace(channel, size=0), where)
        if channel.size:
            text = f"{channel.name}[{self.number(0, channel.size - 1)}]"
        if self.flip():
            values = ", ".join(self.stored(kind, where, body) for kind in channel.fields)
            guard, operation, negated = f"nfull({text})", f"{text}!{values}", f"full({text})"
        else:
            wild = ", ".join("_" for _ in channel.fields)
            guard, operation, negated = f"nempty({text})", f"{text}?{wild}", f"empty({text})"
        return ["if", f":: {guard} ->", f"    {operation};", f":: {negated}", "fi"]

    def atomic(self, where: Where, body: Body) -> Lines:
        inside = replace(where, mode="atomic")
        return block("atomic {", self.sequence(inside, body, 1, 4, opening=True))

    def d_step(self, where: Where, body: Body) -> Lines:
        """A d_step: it may block at its first statement only, and jumps stay inside it."""
        outer, body.pending = body.pending, []
        inside = replace(where, mode="d_step", breakable=False)
        lines: Lines = []
        match self.number(0, 5):
            case 0:
                lines = [self.condition(inside, body) + ";"]
            case 1 if where.channels:
                lines = [self.receive(where, plain=True) + ";"]
            case 2 if any(not c.rendezvous for c in where.channels):
                lines = [self.send(inside, body, buffered=True) + ";"]
            case 3:
                options = [self.option(inside, body, [], condition=True) for _ in self.repeat(1, 2)]
                lines = ["if", *self.options(options, None), "fi;"]
            case _:
                lines = [self.assignment(inside, body) + ";"]
        lines += self.sequence(inside, body, 1, 3)
        for label in body.pending:
            lines.append(f"{label}: skip;")
        body.pending = outer
        if not lines[-1].endswith(": skip;"):
            lines.append("skip;")
        return block("d_step {", lines)

    def inline_call(self, where: Where, body: Body) -> Lines:
        inline = self.pick(self.inlines)
        targets = [v for v in where.variables if v.writable and v.kind == inline.kind]
        if not targets:
            return [self.assignment(where, body)]
        target = self.element(self.pick(targets), where)
        # A name or a number: a poll of two fields, `(c?[1, 2])`, is a syntax error here.
        value = self.variable(where, scalars=True) if self.flip(70) else self.constant(BYTE)
        return [f"{inline.name}({target}, {value.text})"]

    def spawn(self, where: Where, body: Body) -> Lines:
        """A `run` in the body of a proctype, no more often in all than the counter allows."""
        self.spawns = True
        choices = [p for p in self.proctypes if self.can_pass(p, where)]
        if not choices:
            return ["skip"]
        call = self.run(self.pick(choices), where, body)
        return block("atomic {", ["(spawned < 1) -> spawned++;", f"{call};"])

    def can_pass(self, proctype: Proctype, where: Where) -> bool:
        return CHAN not in proctype.parameters or any(self.may_alias(c) for c in where.channels)

    def run(self, proctype: Proctype, where: Where, body: Body) -> str:
        arguments = ", ".join(self.stored(kind, where, body) for kind in proctype.parameters)
        call = f"run {proctype.name}({arguments})"
        if self.profile.priority and self.flip():
            call += f" priority {self.number(1, 3)}"
        targets = [
            v
            for v in where.variables
            if v.writable and not v.size and v.kind.name in ("byte", "int", "pid")
        ]
        return f"{self.pick(targets).name} = {call}" if targets and self.flip(40) else call
