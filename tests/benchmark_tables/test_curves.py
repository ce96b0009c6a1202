"""Pictures of the benchmarks: what is drawn is where the figures say."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from benchmarks.curves import Curve, Panel, draw
from benchmarks.plot import Bar, Mark, bars


def places(svg: str) -> list[tuple[float, float]]:
    found = re.findall(r"<circle cx='([\d.]+)' cy='([\d.]+)'", svg)
    return [(float(x), float(y)) for x, y in found]


def test_ten_times_as_much_is_as_far_everywhere() -> None:
    curve = Curve("ours", True, False, [(2, 0.01), (3, 0.1), (4, 1), (5, 10)])
    svg = draw("growth", " s", [Panel("m", "N", [curve])], 0.01)
    ElementTree.fromstring(svg)
    steps = [(b[0] - a[0], a[1] - b[1]) for a, b in zip(places(svg), places(svg)[1:], strict=False)]
    assert len(steps) == 3
    assert all(across > 0 and up > 0 for across, up in steps)
    assert max(up for _, up in steps) - min(up for _, up in steps) < 0.2


def test_a_search_that_met_its_limit_at_once_has_no_line() -> None:
    ours, spins = Curve("ours", True, False, [(2, 1)]), Curve("<Spin>", False, True, [])
    svg = draw("growth", "", [Panel("m & n", "N", [ours, spins])], 0.01)
    ElementTree.fromstring(svg)
    assert svg.count("<polyline") == 1
    assert "&lt;Spin&gt;" in svg


def test_sizes_far_apart_are_on_a_scale_of_powers() -> None:
    """Twice as large is as far everywhere; labels that would touch are left out."""
    curve = Curve("ours", True, False, [(n, 1) for n in (2, 3, 4, 8, 16, 17, 32, 64)])
    panel = Panel("m", "N", [curve])
    steps = [panel.x(2 * n, 0) - panel.x(n, 0) for n in (2, 4, 8, 16, 32)]
    assert max(steps) - min(steps) < 0.01
    labels = list(panel.labels())
    assert labels == [64, 32, 17, 8, 4, 3, 2]
    assert f">{16}</text>" not in draw("t", "", [panel], 0.01)


def test_sizes_near_each_other_are_evenly_apart() -> None:
    panel = Panel("m", "N", [Curve("ours", True, False, [(n, 1) for n in (2, 3, 4)])])
    assert panel.x(3, 0) - panel.x(2, 0) == panel.x(4, 0) - panel.x(3, 0)
    assert sorted(panel.labels()) == [2, 3, 4]


def test_bars_on_a_scale_of_powers() -> None:
    svg = bars("t", "", [Bar("a", 100, True), Bar("b", 10, False)], [Mark(10, "m", False)], 1,
               ("safety", "LTL"), powers=True)  # fmt: skip
    ElementTree.fromstring(svg)
    widths = [float(w) for w in re.findall(r"width='([\d.]+)' height='14'", svg)]
    assert len(widths) == 2
    assert abs(widths[0] - 2 * widths[1]) < 0.2
    assert "safety" in svg
    assert "LTL" in svg


def test_bars_of_less_than_one_are_on_the_left() -> None:
    svg = bars("t", "", [Bar("a", 10, True), Bar("b", 0.1, True)], [], 1, powers=True)
    found = re.findall(r"<rect x='([\d.]+)' y='[\d.]+' width='([\d.]+)' height='14'", svg)
    (right, width), (left, as_wide) = [(float(x), float(w)) for x, w in found]
    assert width == as_wide > 10
    assert abs(left + as_wide - right) < 0.2
    assert ">0.1</text>" in svg


def test_bars_on_an_even_scale_begin_at_its_beginning() -> None:
    svg = bars("t", "", [Bar("a", 2, True), Bar("b", 0.5, True)], [], 0.25)
    assert (
        len(set(re.findall(r"<rect x='([\d.]+)' y='[\d.]+' width='[\d.]+' height='14'", svg))) == 1
    )
