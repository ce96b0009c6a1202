"""Reads a picture of diagrams back: its vertices, arcs and texts, with where they are."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import dataclass

from whorl.svg import CHAR, FONT

SVG = "{http://www.w3.org/2000/svg}"
Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class DrawnPart:
    """Something that was drawn, with its classes."""

    classes: frozenset[str]
    box: Box = (0, 0, 0, 0)
    ends: tuple[int, int] = (0, 0)
    path: str = ""


@dataclass(frozen=True)
class DrawnDiagram:
    caption: str
    vertices: list[DrawnPart]
    arcs: list[DrawnPart]
    texts: list[tuple[str, Box]]


def size(text: str) -> tuple[float, float]:
    picture = ET.fromstring(text)
    return float(picture.attrib["width"]), float(picture.attrib["height"])


def read(text: str) -> list[DrawnDiagram]:
    """The diagrams of a picture."""
    picture = ET.fromstring(text)
    return [_read(g) for g in picture.iter(f"{SVG}g") if g.attrib.get("class") == "diagram"]


def legend(text: str) -> list[str]:
    groups = [g for g in ET.fromstring(text).iter(f"{SVG}g") if g.attrib.get("class") == "legend"]
    return [t.text or "" for g in groups for t in g.iter(f"{SVG}text")]


def _read(group: ET.Element) -> DrawnDiagram:
    vertices, arcs, texts, caption = [], [], [], ""
    for rect in group.iter(f"{SVG}rect"):
        kinds = frozenset(rect.attrib["class"].split())
        if "ring" not in kinds:
            x, y = float(rect.attrib["x"]), float(rect.attrib["y"])
            wide, high = float(rect.attrib["width"]), float(rect.attrib["height"])
            vertices.append(DrawnPart(kinds, (x, y, x + wide, y + high)))
    for path in group.iter(f"{SVG}path"):
        if "data-from" in path.attrib:
            ends = int(path.attrib["data-from"]), int(path.attrib["data-to"])
            kinds = frozenset(path.attrib["class"].split())
            arcs.append(DrawnPart(kinds, ends=ends, path=path.attrib["d"]))
    for element in group.iter(f"{SVG}text"):
        words = element.text or ""
        if element.attrib.get("class") == "caption":
            caption = words
            continue
        x, y = float(element.attrib["x"]), float(element.attrib["y"])
        wide = len(words) * CHAR
        left = x - wide / 2 if element.attrib.get("text-anchor") == "middle" else x
        texts.append((words, (left, y - FONT * 0.8, left + wide, y + FONT * 0.2)))
    return DrawnDiagram(caption, vertices, arcs, texts)


def apart(one: Box, other: Box) -> bool:
    return one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


def within(inner: Box, outer: Box) -> bool:
    return (
        outer[0] <= inner[0]
        and outer[1] <= inner[1]
        and inner[2] <= outer[2]
        and inner[3] <= outer[3]
    )
