"""A judge that has the graphs of many configurations made at a time."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from support.together import AVAILABLE, run_together
from whorl.audit.judge import Configuration, Judge
from whorl.native.code.generate import Generated
from whorl.native.code.sites import CAPACITY
from whorl.native.engine import CUT, graph_verifier

GRAPH = "GRAPH"  # stands for the file that a verifier writes the graph to


class QuickJudge(Judge):
    """As a judge. What could not be made together with others is made by itself, when asked for."""

    def __init__(self, *facts: Any, **more: Any) -> None:
        super().__init__(*facts, **more)
        self.made: dict[Configuration, tuple[Generated, str]] = {}

    def native_graph(self, how: Configuration) -> tuple[Generated, str]:
        made = self.made.pop(how, None)
        return super().native_graph(how) if made is None else made

    def prepare(self, configurations: Iterable[Configuration]) -> None:
        """Has the graphs made that the native ones of these configurations store."""
        if not AVAILABLE:
            return
        generated: dict[Configuration, Generated] = {}
        wanted: dict[tuple[str, tuple[str, ...]], list[Configuration]] = {}
        # Those that have most in common stand side by side.
        ordered = sorted(configurations, key=lambda how: (how.safety, how.merge, how.drop_dead))
        for how in ordered:
            if how.engine == "native":
                with suppress(Exception):  # it will be met again, and be a finding
                    generated[how], text, words = self._verifier(how)
                    wanted.setdefault((text, tuple(words)), []).append(how)
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            graphs = [folder / f"{number}.graph" for number in range(len(wanted))]
            verifiers = [
                (text, [str(graph) if word == GRAPH else word for word in words])
                for (text, words), graph in zip(wanted, graphs, strict=True)
            ]
            answers = run_together(folder, verifiers)
            for alike, graph, said in zip(wanted.values(), graphs, answers, strict=True):
                if said is not None and _is_whole(said, generated[alike[0]]):
                    lines = graph.read_text()
                    self.made |= {how: (generated[how], lines) for how in alike}

    def _verifier(self, how: Configuration) -> tuple[Generated, str, list[str]]:
        return graph_verifier(self.task(how), Path(GRAPH), self.full.room)


def _is_whole(said: list[str], generated: Generated) -> bool:
    """Whether a verifier came to its end, and had room for all processes and channels."""
    events = [json.loads(line) for line in said]
    if not events or events[-1]["type"] != "done" or events[-1]["stopped"] in CUT:
        return False
    sites = [event["site"] for event in events if event["type"] == "violation"]
    return not any(site >= 0 and generated.kinds[site] == CAPACITY for site in sites)
