"""Checks where control goes: labels and gotos, breaks and loops, the places of else."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from whorl.diagnostics import Reporter, Span, suggest
from whorl.promela import ast
from whorl.promela.walk import nodes

if TYPE_CHECKING:
    from whorl.promela.resolved import Resolved


def check_labels(resolved: Resolved, reporter: Reporter) -> None:
    """Reports wrong labels, gotos, breaks and elses of all processes."""
    walkers: dict[str, _Walker] = {}
    for symbol in (*resolved.processes, *resolved.claims):
        walker = _Walker(reporter)
        walker.steps(symbol.node.body)
        walker.check_gotos(resolved.model.doubtful)
        walkers.setdefault(symbol.name, walker)
    for node in nodes(resolved.model):
        if not isinstance(node, ast.RemoteLabel) or node.symbol is None:
            continue
        labels = walkers[node.process].labels
        if node.label not in labels and node.label not in resolved.model.doubtful:
            reporter.error(
                node.span,
                f"proctype '{node.process}' has no label '{node.label}'",
                suggest(node.label, labels),
            )


@dataclass(slots=True)
class _Walker:
    """Walks the body of one process. A block in braces may set a label again."""

    reporter: Reporter
    labels: dict[str, dict[tuple[int, ...], Span]] = field(default_factory=dict)
    gotos: list[ast.Goto] = field(default_factory=list)
    path: tuple[int, ...] = ()
    blocks: int = 0
    loops: int = 0
    d_steps: int = 0
    guards: set[int] = field(default_factory=set)  # the ids of what begins an option

    def check_gotos(self, doubtful: frozenset[str]) -> None:
        for goto in self.gotos:
            if goto.label not in self.labels and goto.label not in doubtful:
                self.reporter.error(
                    goto.span,
                    f"no label '{goto.label}' in this process",
                    suggest(goto.label, self.labels),
                )

    def steps(self, sequence: ast.Sequence) -> None:
        for step in sequence.steps:
            if not isinstance(step, ast.Declaration | ast.ExclusiveUse):
                self.statement(step)

    def note_guard(self, sequence: ast.Sequence) -> None:
        """Takes note of what a sequence begins with, which is a guard of some option."""
        first: ast.Step | None = sequence.steps[0] if sequence.steps else None
        while first is not None:
            self.guards.add(id(first))
            if isinstance(first, ast.Labelled):
                first = first.statement
            elif isinstance(first, ast.Unless):
                first = first.main
            elif isinstance(first, ast.Block) and first.body.steps:
                first = first.body.steps[0]
            else:
                return

    def scoped(self, sequence: ast.Sequence) -> None:
        self.blocks += 1
        held, self.path = self.path, (*self.path, self.blocks)
        self.steps(sequence)
        self.path = held

    def statement(self, node: ast.Statement) -> None:
        match node:
            case ast.Labelled():
                self.label(node)
                self.statement(node.statement)
            case ast.Goto():
                self.gotos.append(node)
            case ast.Break() if self.loops == 0:
                self.reporter.error(
                    node.span, "this 'break' is in no loop", "it leaves the 'do' or 'for' around it"
                )
            case ast.Else() if id(node) not in self.guards:
                self.reporter.warning(
                    node.span,
                    "this 'else' is not the first statement of an option, and has no meaning",
                    "write ':: else -> ...' in an 'if' or 'do'",
                )
            case ast.IfOrDo():
                self.choice(node)
            case ast.Block():
                self.d_steps += node.keyword == "d_step"
                self.scoped(node.body)
                self.d_steps -= node.keyword == "d_step"
            case ast.Unless() if self.d_steps:
                self.reporter.error(node.span, "'unless' cannot be used in a d_step")
            case ast.Unless():
                self.statement(node.main)
                self.statement(node.escape)
            case ast.ForRange() | ast.ForIn():
                self.loops += 1
                self.scoped(node.body)
                self.loops -= 1
            case _:
                pass

    def label(self, node: ast.Labelled) -> None:
        places = self.labels.setdefault(node.label, {})
        if self.path in places:
            self.reporter.error(
                node.span,
                f"the label '{node.label}' is set twice (also in line {places[self.path].line})",
            )
        places.setdefault(self.path, node.span)

    def choice(self, node: ast.IfOrDo) -> None:
        self.loops += node.loop
        elses: list[ast.Else] = []
        for option in node.options:
            self.note_guard(option)
            self.steps(option)
            if option.steps and isinstance(option.steps[0], ast.Else):
                elses.append(option.steps[0])
        self.loops -= node.loop
        if len(elses) > 1:
            self.reporter.error(
                elses[1].span,
                f"this choice has a second 'else' (the first is in line {elses[0].span.line})",
            )
