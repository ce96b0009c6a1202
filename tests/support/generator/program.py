"""Draws whole programs: global declarations, proctypes, and what runs beside them."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from support.generator.profiles import PROFILES, Profile
from support.generator.statements import Statements
from support.generator.vocabulary import (
    BIT,
    BOOL,
    BYTE,
    CHAN,
    INT,
    MTYPE,
    MTYPE_NAMES,
    PID,
    SHORT,
    Body,
    Chan,
    Inline,
    Kind,
    Lines,
    Proctype,
    Var,
    Where,
    block,
    channel_declaration,
    ended,
    labelled,
)


class Builder(Statements):
    """Draws one program."""

    def structure(self) -> tuple[Lines, list[Var]]:
        """A typedef, and its fields with a dot in front."""
        lines: Lines = []
        fields: list[Var] = []
        for index in self.repeat(1, 3):
            kind = self.kind()
            size = 2 if not kind.width and self.flip(40) else 0
            name = f"f{index}"
            text = kind.declare(f"{name}[2]" if size else name)
            if self.flip(30) and kind != MTYPE:
                text += f" = {self.initial(kind, None)}"
            lines.append(text + ";")
            fields.append(Var(f".{name}", kind, size))
        return block("typedef Record {", lines), fields

    def global_declarations(self) -> Lines:
        lines: Lines = []
        if self.profile.inlines:
            lines += ["#define LIMIT 2", "#define ODD(v) ((v) & 1)"]
        if self.profile.mtypes:
            lines.append(f"mtype = {{ {', '.join(MTYPE_NAMES)} }};")
        for index in self.repeat(1, self.profile.globals):
            text, variable = self.declare(f"g{index}", None)
            lines.append(text)
            self.globals.append(variable)
        if self.profile.structs and self.flip(70):
            text_lines, fields = self.structure()
            lines += text_lines
            names = ["s"]
            if self.flip(30):
                lines.append("Record s[2];")
                names = ["s[0]", "s[1]"]
            else:
                lines.append("Record s;")
                # A message has no unsigned field, not even inside a record.
                if self.profile.buffered and not any(f.kind.width for f in fields):
                    lines.append("chan records = [1] of { Record };")
                    self.records = True
            self.globals += [replace(f, name=name + f.name) for name in names for f in fields]
        if self.profile.channels:
            lines += self.channel_declarations()
        if self.profile.inlines:
            lines += self.inline_definitions()
        return lines

    def fields(self) -> tuple[Kind, ...]:
        kinds = [BYTE, BIT, BOOL] + ([SHORT, INT] if self.profile.wide else [])
        if self.profile.mtypes:
            kinds.append(MTYPE)
        # Often the kind of a variable that can receive it.
        kinds += [v.kind for v in self.globals for _ in "12" if not v.kind.width]
        return tuple(self.pick(kinds) for _ in self.repeat(1, 3))

    def capacity(self) -> int:
        profile = self.profile
        if not profile.buffered:
            return 0
        if profile.rendezvous and self.flip(60):
            return 0
        return self.pick_weighted([(1, 14), (2, 5), (3, 1)])

    def channel_declarations(self) -> Lines:
        lines: Lines = []
        first: tuple[int, tuple[Kind, ...]] | None = None
        for index in self.repeat(1, 2 + self.profile.channel_passing):
            capacity, fields = self.capacity(), self.fields()
            fields = fields[: max(4 - capacity, 1)]
            if len(fields) == 1 and fields[0].name in ("bit", "bool"):
                # pan keeps the only field of a message in a byte: then a bit is narrower than it.
                fields = (BYTE,)
            if first is None:
                first = capacity, fields
            elif self.profile.channel_passing and self.flip():
                fields = first[1]
                capacity = min(capacity, 1) if first[0] else 0
                capacity = max(capacity, 1) if first[0] else 0
            elif self.profile.channel_passing and self.flip(60):
                fields = (CHAN, *fields[:1])
            size = 2 if self.profile.channel_arrays and self.flip(30) else 0
            name = f"c{index}"
            lines.append(channel_declaration(f"{name}[2]" if size else name, capacity, fields))
            self.channels.append(Chan(name, fields, capacity == 0, size))
        return lines

    def inline_definitions(self) -> Lines:
        lines: Lines = []
        for index in self.repeat(0, 2):
            kind = self.pick([v.kind for v in self.globals])
            name = f"step{index}"
            target = Var("target", kind)
            # The value is substituted as text, so its range is that of any atom.
            value = Var("value", INT, writable=False)
            where = Where("d_step", 1, (*self.globals, target, value), tuple(self.channels))
            body = Body(Proctype(name, (), 0, 0), observer=False, budget=3)
            jumps_off = replace(self.profile, jumps=False, loops=False, counted_loops=False)
            self.profile, profile = jumps_off, self.profile
            text = [f"target = {self.stored(kind, where, None)};"]
            text += self.sequence(where, body, 0, 2)
            self.profile = profile
            lines += block(f"inline {name}(target, value) {{", text)
            self.inlines.append(Inline(name, kind))
        return lines

    def heads(self) -> None:
        """Draw the heads of all proctypes."""
        profile = self.profile
        alive = 0
        for index in self.repeat(1, profile.processes):
            parameters: tuple[Kind, ...] = ()
            if profile.parameters:
                kinds = [BYTE, BIT, SHORT]
                if profile.channel_passing and self.channels:
                    kinds += [CHAN, CHAN]
                parameters = tuple(self.pick(kinds) for _ in self.repeat(0, 2))
            by_run = profile.run and (CHAN in parameters or self.flip(30))
            if CHAN in parameters and not profile.run:
                parameters = ()
            count = 2 if alive + 2 <= profile.processes and self.flip(40) else 1
            if alive + count > profile.processes:
                break
            alive += count
            instances, runs = (0, count) if by_run else (count, 0)
            self.proctypes.append(Proctype(f"P{index}", parameters, instances, runs))

    def proctype(self, index: int, budget: int) -> Lines:
        profile = self.profile
        head = self.proctypes[index]
        first = self.first_pid(index)
        observer = first > 0 and head.instances == 1 and index == len(self.proctypes) - 1
        body = Body(head, observer, budget)
        where = Where("plain", profile.depth, tuple(self.globals), tuple(self.channels))
        parameters: Lines = []
        for number, kind in enumerate(head.parameters):
            name = f"p{number}"
            parameters.append(f"{kind.name} {name}")
            if kind == CHAN:
                where = self.with_alias(where, name)
            else:
                where = where.with_variable(Var(name, kind, shared=False))
        declarations: Lines = []
        where = self.local_channels(where, body, declarations)
        for _ in self.repeat(0, 2):
            # No two proctypes share a name: Spin takes the variable of a remote reference for the
            # observer's own of that name, and asks for an index if that one is an array.
            name = body.fresh("uvwxyz"[index])
            text, variable = self.declare(name, where)
            declarations.append(text)
            where = where.with_variable(variable)
            if not variable.size:
                body.locals.append(variable)
        lines = self.sequence(where, body, min(budget, 3), 6)
        lines += [f"{label}: skip;" for label in body.pending]
        if body.immortal:
            lines.append("end: false;")
        text = "proctype"
        if head.instances:
            text = f"active [{head.instances}] proctype" if head.instances > 1 else f"active {text}"
        text += f" {head.name}({'; '.join(parameters)})"
        if profile.priority and head.instances and self.flip(70):
            text += f" priority {self.number(1, 3)}"
        if profile.provided and self.flip(60):
            text += f" provided ({self.enabler()})"
        self.finished.append(body)
        return block(text + " {", declarations + body.declarations + lines)

    def with_alias(self, where: Where, name: str) -> Where:
        first = self.channels[0]
        alias = Chan(name, first.fields, first.rendezvous, variable=True)
        return replace(where, channels=(*where.channels, alias))

    def local_channels(self, where: Where, body: Body, declarations: Lines) -> Where:
        profile = self.profile
        if profile.local_channels and self.flip(40):
            first = self.channels[0]
            capacity = 0 if first.rendezvous else self.number(1, 2)
            name = body.fresh("k")
            declarations.append(channel_declaration(name, capacity, first.fields))
            channel = Chan(name, first.fields, first.rendezvous, local=True)
            where = replace(where, channels=(*where.channels, channel))
        if profile.channel_passing and self.flip(40):
            name = body.fresh("a")
            declarations.append(f"chan {name} = {self.alias(where, None)};")
            where = self.with_alias(where, name)
        return where

    def enabler(self) -> str:
        """The condition of a provided clause: over globals, and true at the start more often."""
        where = Where("plain", 0, tuple(self.globals), ())
        variable = self.variable(where)
        return f"{variable.text} {self.pick(('!=', '<', '!=', '>='))} {self.number(1, 3)}"

    def init(self) -> Lines:
        body = Body(Proctype("init", (), 1, 0), observer=False, budget=2)
        where = Where("plain", 1, tuple(self.globals), tuple(self.channels))
        declarations: Lines = []
        where = self.local_channels(where, body, declarations)
        if self.flip(40):
            declarations.append("pid child;")
            where = where.with_variable(Var("child", PID, shared=False))
        calls = [
            ended([self.run(head, where, body)])
            for head in self.proctypes
            for _ in range(head.runs)
        ]
        lines = [line for call in calls for line in call]
        if self.flip(40):
            inside = replace(where, mode="atomic")
            lines = block("atomic {", [*lines, *self.sequence(inside, body, 0, 1)], "};")
        lines += self.sequence(where, body, 0, 2)
        lines += [f"{label}: skip;" for label in body.pending]
        if body.immortal:
            lines.append("end: false;")
        return block("init {", declarations + body.declarations + lines)

    def echo(self) -> Lines:
        """A process that goes on sending and receiving, so that others are rarely stuck."""
        where = Where("plain", 0, tuple(self.globals), tuple(self.channels))
        options: list[Lines] = []
        for channel in self.channels[:2]:
            here = replace(where, channels=(channel,))
            if CHAN not in channel.fields:
                values = ", ".join(self.constant(kind).text for kind in channel.fields)
                text = f"{self.channel_text(channel, where)}!{values}"
                options += [["", text]] if self.flip(60) else []
            options += [["", self.receive(here)]] if self.flip(60) else []
        options = options or [["", self.receive(where)]]
        loop = ["do", *self.options(options, None), "od;"]
        return block("active proctype Echo() {", labelled("end", loop))

    def program(self) -> str:
        lines = self.global_declarations()
        self.heads()
        total = sum(head.instances + head.runs for head in self.proctypes)
        total += any(head.runs for head in self.proctypes)
        echo = bool(self.channels) and total < 4 and self.flip(80)
        budget = max(self.profile.statements // (total + echo), 2)
        bodies: Lines = []
        for index in range(len(self.proctypes)):
            bodies += ["", *self.proctype(index, budget)]
        if any(head.runs for head in self.proctypes):
            # After the others, so that pids follow the order of the proctypes.
            bodies += ["", *self.init()]
        if echo:
            bodies += ["", *self.echo()]
        if self.spawns:
            lines.append("byte spawned;")
        return "\n".join(lines + bodies) + "\n"


def programs(profile: Profile = PROFILES["core"]) -> st.SearchStrategy[str]:
    """Texts of valid Promela programs that use the features of the profile."""

    @st.composite
    def text(draw: st.DrawFn) -> str:
        return Builder(draw, profile).program()

    return text()
