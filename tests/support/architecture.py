"""The drawing of the architecture: packages and data as boxes, the way of a check as arrows."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT = 950, 800
TITLE = "From a .pml file to a verdict and a replayed counterexample"
ABOUT = (
    "promela and program turn a model into a Program; property turns formulas into claims;"
    " selection and reduction make a task and a plan; the reference or the native engine searches;"
    " trace replays what was found on the reference semantics; conclude gives a verdict for each"
    " property, which cli reports."
)
# The background is opaque, so that the drawing is as readable on a dark page as on a light one.
HEAD = f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}"\
 height="{HEIGHT}" role="img" aria-labelledby="title desc" font-family="Helvetica, Arial,\
 sans-serif" font-size="13">
<title id="title">{TITLE}</title>
<desc id="desc">{ABOUT}</desc>
<defs>
<marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7"\
 orient="auto"><path d="M0 0 L10 5 L0 10 z" fill="#444"/></marker>
<style>
  .room {{ fill: #dfeaf6; stroke: #2f5f8f; stroke-width: 1.4 }}
  .data {{ fill: #fff; stroke: #777; stroke-width: 1.2 }}
  .side {{ fill: #eef3e4; stroke: #5f7d33; stroke-width: 1.4 }}
  .name {{ font-weight: bold; font-size: 15px; fill: #1b3d60 }}
  .green {{ font-weight: bold; font-size: 15px; fill: #3d5420 }}
  .text {{ fill: #222 }}
  .note {{ fill: #555; font-size: 12px }}
  .arrow {{ stroke: #444; stroke-width: 1.5; fill: none; marker-end: url(#tip) }}
  .check {{ stroke: #5f7d33; stroke-width: 1.5; fill: none; stroke-dasharray: 5 4;\
 marker-end: url(#tip) }}
</style>
</defs>
<rect x="0" y="0" width="{WIDTH}" height="{HEIGHT}" rx="8" fill="#fbfbf8"/>
"""


@dataclass(frozen=True, slots=True)
class Box:
    """A package on the way of a check (`room`) or beside it (`side`), or `data`."""

    kind: str
    x: int
    y: int
    width: int
    height: int
    name: str = ""
    lines: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def svg(self) -> list[str]:
        texts = [("green" if self.kind == "side" else "name", self.name)] if self.name else []
        texts += [("text", line) for line in self.lines] + [("note", line) for line in self.notes]
        step = 18
        top = self.y + (self.height - step * len(texts)) / 2 + 13.5
        middle = self.x + self.width / 2
        rounding = 4 if self.kind == "data" else 6
        return [
            f'<rect class="{self.kind}" x="{self.x}" y="{self.y}" width="{self.width}"'
            f' height="{self.height}" rx="{rounding}"/>',
            *(
                text(role, middle, top + step * number, line, ' text-anchor="middle"')
                for number, (role, line) in enumerate(texts)
            ),
        ]


def text(role: str, x: float, y: float, line: str, more: str = "") -> str:
    return f'<text class="{role}" x="{x:g}" y="{y:g}"{more}>{escape(line)}</text>'


BOXES = (
    Box("data", 30, 30, 150, 54, "", ("model.pml",), ("-D, -I",)),
    Box("data", 30, 140, 150, 54, "", ("formula, never", "claim, HOA, labels")),
    Box(
        "room",
        230,
        22,
        190,
        70,
        "promela",
        ("preprocess, parse, resolve",),
        ("errors: place, caret, hint",),
    ),
    Box(
        "room",
        480,
        22,
        210,
        70,
        "program",
        ("lower to locations, transitions",),
        ("reference semantics",),
    ),
    Box(
        "room",
        230,
        132,
        190,
        70,
        "property",
        ("negate, translate, simplify",),
        ("stutter-invariant?",),
    ),
    Box("data", 750, 34, 110, 46, "", ("Program",)),
    Box("data", 480, 144, 210, 46, "", ("Claim: a Büchi automaton",)),
    Box(
        "room",
        230,
        252,
        190,
        88,
        "reduction",
        ("dependency, visibility,", "ample sets, provisos"),
        ("a module a scheme",),
    ),
    Box(
        "data",
        480,
        252,
        380,
        88,
        "",
        ("a search for safety, and one for each claim", "Program + Claim + Options + Plan"),
        ("the Plan names the scheme, and says why it is sound", "api.py, selection.py, engines.py"),
    ),
    Box(
        "room",
        230,
        400,
        250,
        106,
        "search",
        ("the reference engine, in Python", "safety; product; nested DFS; SCC"),
        ("to be read beside the papers", "runs the reference semantics"),
    ),
    Box(
        "room",
        540,
        400,
        320,
        106,
        "native",
        (
            "generate model.c, compile with runtime/*.h",
            "verifier process: stores, batches, nested DFS",
        ),
        ("JSON lines: progress, violation, done", "no execution code in common with search"),
    ),
    Box(
        "data",
        380,
        552,
        330,
        48,
        "",
        ("Exploration",),
        ("violations as lists of choices, figures, limits hit",),
    ),
    Box(
        "room",
        230,
        640,
        250,
        70,
        "trace",
        ("replay on the reference semantics,", "shorten, describe"),
    ),
    Box(
        "data",
        540,
        640,
        320,
        70,
        "",
        ("Result (conclude.py, verdict.py)", "holds, violated or inconclusive, each property"),
        ("and what the verdict rests on",),
    ),
    Box("room", 540, 734, 320, 50, "cli", ("report, JSON, chart, trail, exit status",)),
    Box(
        "side",
        30,
        252,
        150,
        88,
        "lab",
        ("programs on which", "a scheme is wrong"),
        ("SAT, within bounds",),
    ),
    Box(
        "side",
        30,
        400,
        150,
        106,
        "audit",
        ("the stored graph", "against the full one:", "stutter traces"),
        ("--audit",),
    ),
    Box("side", 30, 640, 150, 70, "simulate", ("one run: random,", "guided, interactive")),
    Box("room", 30, 752, 18, 14),
    Box("side", 196, 752, 18, 14),
    Box("data", 348, 752, 18, 14),
)
ARROWS = (
    "M180 57 H228",
    "M420 57 H478",
    "M690 57 H748",
    "M180 167 H228",
    "M420 167 H478",
    "M805 80 V250",
    "M585 190 V250",
    "M420 296 H478",
    "M560 340 C560 372 400 368 384 398",
    "M700 340 V398",
    "M355 506 C355 532 440 528 452 550",
    "M700 506 C700 532 640 528 628 550",
    "M470 600 C470 622 390 618 378 638",
    "M630 600 C630 622 680 618 690 638",
    "M480 675 H538",
    "M700 710 V732",
)
CHECKS = (
    "M180 296 H228",
    "M180 453 H228",
    "M105 506 V528 H506 C520 528 508 470 538 466",
    "M420 759 H452",
)
NOTES = (
    (436, 49, "tree"),
    (716, 374, "default, where there is a C compiler"),
    (494, 666, "Trace"),
    (54, 764, "package on the way"),
    (220, 764, "package beside it"),
    (372, 764, "data"),
    (460, 764, "checks"),
)


def architecture() -> str:
    """The drawing, as SVG."""
    parts = [line for box in BOXES for line in box.svg()]
    parts += [f'<path class="arrow" d="{way}"/>' for way in ARROWS]
    parts += [f'<path class="check" d="{way}"/>' for way in CHECKS]
    parts += [text("note", *note) for note in NOTES]
    return HEAD + "\n".join(parts) + "\n</svg>\n"
