"""Draws a trace as a sequence chart: SVG, a lane a process, time downwards.

A row is a step: its number and place at the left, a box with the statement in the lane of the
process that takes it, what it changed at the right. A handshake is a straight arrow between two
boxes of a row; a message that waited in a channel is an arrow from the row in which it was sent to
the row in which it was received. Boxes are drawn over arrows, so that text is never crossed.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath

from whorl.svg import CHAR, FONT, head
from whorl.trace.fold import folded_to_messages
from whorl.trace.style import PLAIN
from whorl.trace.text import bracket, cycle_text, truth_lines
from whorl.trace.trace import Trace, TraceStep, failure_text

ROW = 26
BOX = 19
MARGIN = 16
LANE_GAP = 30
TITLE = 44
HEADER = 40
LONGEST_TEXT = 34
LONGEST_CHANGE = 60
MOST_ROWS = 400

STYLE = """
  .title { font-weight: bold }
  .faint { fill: $faint }
  .life { stroke: $dashes; stroke-dasharray: 3 3 }
  .box { fill: $box; stroke: $box-line }
  .head { fill: $head; stroke: $line }
  .wrong { fill: $wrong; stroke: $wrong-line; stroke-width: 1.5 }
  .bad { fill: $wrong-ink; font-weight: bold }
  .band { fill: $band }
  .arrow { stroke: $blue; stroke-width: 1.4; fill: none }
  .tip { fill: $blue }
  .atomic { stroke: $amber; stroke-width: 2; fill: none }
  .cycle { stroke: $violet; stroke-width: 1.5; fill: $violet; fill-opacity: 0.06 }
  .truth { fill: $violet }
"""


def chart(trace: Trace, fold: bool = False) -> str:
    """The chart as the text of an SVG file.

    `fold`: an atomic sequence or the call of an inline is one row, or a row a message.
    """
    return "\n".join(_Chart(trace, fold).lines()) + "\n"


@dataclass(slots=True)
class Box:
    """A text in a lane."""

    lane: str
    text: str
    wrong: bool = False

    @property
    def shown(self) -> str:
        return _shortened(self.text, LONGEST_TEXT)


@dataclass(slots=True)
class Row:
    """What is drawn side by side. `step` is None for a row of words or of where processes are."""

    step: TraceStep | None = None
    boxes: list[Box] = field(default_factory=list)
    place: str = ""
    change: str = ""
    note: str = ""
    truth: str = ""


class _Chart:
    def __init__(self, trace: Trace, fold: bool) -> None:
        self.trace = trace
        steps = [(step, step.number) for step in trace.steps]
        self.shown = folded_to_messages(trace.steps, trace.cycle) if fold else steps
        self.rows = list(_rows(trace, self.shown))
        self.row_of = {row.step.number: i for i, row in enumerate(self.rows) if row.step}
        lanes = {(s.pid, s.who) for s in trace.steps}
        lanes |= {(s.partner_pid or 0, s.partner_who) for s in trace.steps if s.partner_who}
        lanes |= {(p.pid, p.who) for p in trace.final}
        self.lanes = [who for _, who in sorted(lanes)]
        self._measure()

    # --- where things are ------------------------------------------------------------------------

    def _measure(self) -> None:
        numbers = len(str(max(self.row_of, default=0)))
        places = max((len(row.place) for row in self.rows), default=0)
        self.number_x = MARGIN + numbers * CHAR
        self.atomic_x = self.number_x + 10
        self.place_x = self.atomic_x + 10
        left = self.place_x + places * CHAR + LANE_GAP
        widths = {who: len(who) * CHAR + 20 for who in self.lanes}
        for row in self.rows:
            for box in row.boxes:
                widths[box.lane] = max(widths[box.lane], _box_width(box))
        self.middle: dict[str, float] = {}
        for who in self.lanes:
            self.middle[who] = left + widths[who] / 2
            left += widths[who] + LANE_GAP
        self.change_x = left
        changes = max((len(row.change) for row in self.rows), default=0)
        truths = max((len(row.truth) for row in self.rows), default=0)
        self.truth_x = left + (changes * CHAR + LANE_GAP if changes else 0)
        if truths:
            changes, left = truths, self.truth_x
        title = len(self._title()) * CHAR + 2 * MARGIN
        notes = [MARGIN + len(row.note) * CHAR + MARGIN for row in self.rows]
        self.width = max([left + changes * CHAR + MARGIN, title, *notes])
        self.top = MARGIN + TITLE + HEADER
        self.height = self.top + ROW * len(self.rows) + MARGIN

    def _title(self) -> str:
        return failure_text(self.trace.kind, self.trace.message)

    def _y(self, row: int) -> float:
        """The middle of a row."""
        return self.top + ROW * row + ROW / 2

    # --- drawing ---------------------------------------------------------------------------------

    def lines(self) -> Iterator[str]:
        yield from head(self.width, self.height, self._title(), STYLE)
        width = f"{self.width:.0f}"
        for even in range(0, len(self.rows), 2):
            y = self._y(even) - ROW / 2
            yield f'<rect class="band" x="0" y="{y:.1f}" width="{width}" height="{ROW}"/>'
        yield _text(MARGIN, MARGIN + FONT, self._title(), "title bad")
        steps = "1 step" if len(self.trace.steps) == 1 else f"{len(self.trace.steps):,} steps"
        yield _text(MARGIN, MARGIN + FONT + 17, steps, "faint")
        yield from self._cycle()
        yield from self._lanes()
        yield from self._atomic()
        yield from self._arrows()
        for number, row in enumerate(self.rows):
            yield from self._row(row, self._y(number))
        yield "</svg>"

    def _lanes(self) -> Iterator[str]:
        y = self.top - HEADER / 2
        for who in self.lanes:
            x = self.middle[who]
            yield (
                f'<line class="life" x1="{x:.1f}" x2="{x:.1f}" y1="{y:.1f}"'
                f' y2="{self.height - MARGIN:.1f}"/>'
            )
            yield from _boxed(x, y, who, who, "head", len(who) * CHAR + 16)

    def _cycle(self) -> Iterator[str]:
        """A frame around the steps that come again and again."""
        rows = [i for n, i in self.row_of.items() if self.trace.cycle and n >= self.trace.cycle]
        if rows:
            top, bottom = self._y(rows[0]) - ROW / 2 + 1, self._y(rows[-1] + 1) + ROW / 2 - 1
            yield (
                f'<rect class="cycle" x="4" y="{top:.1f}" width="{self.width - 8:.1f}"'
                f' height="{bottom - top:.1f}" rx="6"><title>again and again</title></rect>'
            )

    def _atomic(self) -> Iterator[str]:
        """A line beside the rows of each atomic sequence."""
        begin: float | None = None
        steps = [step for step, _ in self.shown]
        for position, step in enumerate(steps):
            row = self.row_of.get(step.number)
            if row is None:
                begin = None
                continue
            part = bracket(steps, position)
            if part is None:
                continue
            y = self._y(row)
            if begin is None:
                begin = y
            following = steps[position + 1].number if position + 1 < len(steps) else None
            if part == 2 or following not in self.row_of:
                x = self.atomic_x
                yield (
                    f'<path class="atomic" d="M{x + 4:.1f} {begin - 7:.1f} H{x:.1f}'
                    f' V{y + 7:.1f} H{x + 4:.1f}"><title>atomic</title></path>'
                )
                begin = None

    def _arrows(self) -> Iterator[str]:
        boxes = {
            (row.step.number, box.lane): box for row in self.rows if row.step for box in row.boxes
        }
        for row in self.rows:
            step = row.step
            if step is None:
                continue
            if step.partner_who is not None:
                begin = boxes[step.number, step.who]
                yield self._arrow(begin, step.number, boxes[step.number, step.partner_who], step)
            elif step.message is not None and step.message.sent_at in self.row_of:
                sent = self.rows[self.row_of[step.message.sent_at]]
                assert sent.step is not None
                end = boxes[step.number, step.who]
                yield self._arrow(sent.boxes[0], sent.step.number, end, step)

    def _arrow(self, begin: Box, from_step: int, end: Box, step: TraceStep) -> str:
        x1, x2 = self.middle[begin.lane], self.middle[end.lane]
        y1, y2 = self._y(self.row_of[from_step]), self._y(self.row_of[step.number])
        if begin.lane == end.lane:
            x1 += _box_width(begin) / 2
            x2 += _box_width(end) / 2
            bend = max(x1, x2) + LANE_GAP / 2
            path = f"M{x1:.1f} {y1:.1f} C{bend:.1f} {y1:.1f} {bend:.1f} {y2:.1f} {x2:.1f} {y2:.1f}"
        else:
            side = 1 if x2 > x1 else -1
            x1 += side * _box_width(begin) / 2
            x2 -= side * _box_width(end) / 2
            path = f"M{x1:.1f} {y1:.1f} L{x2:.1f} {y2:.1f}"
        about = "" if step.message is None else f"{step.message.channel} {step.message.text}"
        return (
            f'<path class="arrow" marker-end="url(#tip)" d="{path}">'
            f"<title>{_escaped(about)}</title></path>"
        )

    def _row(self, row: Row, y: float) -> Iterator[str]:
        base = y + FONT * 0.36
        if row.note:
            yield _text(MARGIN, base, row.note, "faint")
        if row.step is not None:
            yield _text(self.number_x, base, str(row.step.number), "faint", "end")
        yield _text(self.place_x, base, row.place, "faint")
        for box in row.boxes:
            kind = "wrong" if box.wrong else "box"
            yield from _boxed(self.middle[box.lane], y, box.shown, box.text, kind, _box_width(box))
        yield _text(self.change_x, base, row.change, "")
        yield _text(self.truth_x, base, row.truth, "truth")


def _rows(trace: Trace, shown: Sequence[tuple[TraceStep, int]]) -> Iterator[Row]:
    """A row for each step that is shown, each with the number of the last step in it."""
    if trace.letters and trace.propositions:
        yield Row(place="at first", truth=_truth(trace, 0))
    left_out = range(0)
    if len(shown) > MOST_ROWS:
        left_out = range(MOST_ROWS // 2, len(shown) - MOST_ROWS // 2)
    told = 0  # after how many steps the truth was last told
    for position, (step, last) in enumerate(shown):
        if position not in left_out:
            yield _step_row(step, _truth(trace, last, told))
            told = last
        elif position == left_out.start:
            count = shown[left_out.stop - 1][1] - shown[position - 1][1]
            yield Row(note=f"… {count:,} steps left out …")
    if trace.cycle is not None:
        stops = trace.fault is not None
        yield Row(note=cycle_text(trace.cycle, len(trace.steps), stops))
    if trace.kind == "end state":
        blocked = [p for p in trace.final if not p.valid_end]
        boxes = [Box(p.who, " | ".join(p.waiting) or "blocked", wrong=True) for p in blocked]
        yield Row(place="blocked", boxes=boxes)


def _truth(trace: Trace, after: int, told: int | None = None) -> str:
    """The propositions after so many steps, where they are not as they were told before."""
    return "".join(line.strip() for line in truth_lines(trace, after, PLAIN, "", told))


def _step_row(step: TraceStep, truth: str = "") -> Row:
    boxes = [Box(step.who, step.said, wrong=bool(step.failures))]
    if step.partner_who is not None:
        boxes.append(Box(step.partner_who, _received(step)))
    changes = sorted(step.changes, key=lambda change: change.process is not None)
    said = [*map(str, changes)]
    said += [f'prints "{line}"' for line in "".join(step.output).splitlines()]
    place = f"{PurePath(step.file).name}:{step.line}"
    return Row(step, boxes, place, _shortened(", ".join(said), LONGEST_CHANGE), truth=truth)


def _received(step: TraceStep) -> str:
    """The other side of a handshake, with the values of the message."""
    assert step.message is not None
    return f"{step.message.channel}?{step.message.text[1:-1]}"


def _box_width(box: Box) -> float:
    return len(box.shown) * CHAR + 12


def _boxed(x: float, y: float, shown: str, full: str, kind: str, width: float) -> Sequence[str]:
    left = x - width / 2
    return (
        f'<rect class="{kind}" x="{left:.1f}" y="{y - BOX / 2:.1f}" width="{width:.1f}"'
        f' height="{BOX}" rx="4"><title>{_escaped(full)}</title></rect>',
        _text(x, y + FONT * 0.36, shown, "bad" if kind == "wrong" else "", "middle"),
    )


def _text(x: float, y: float, text: str, kind: str, anchor: str = "start") -> str:
    if not text:
        return ""
    about = f' class="{kind}"' if kind else ""
    at = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return f'<text x="{x:.1f}" y="{y:.1f}"{about}{at}>{_escaped(text)}</text>'


def _shortened(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"


def _escaped(text: str) -> str:
    return html.escape(
        re.sub(r"[\x00-\x1f\x7f\ud800-\udfff\ufffe\uffff]", "\N{REPLACEMENT CHARACTER}", text)
    )
