"""Counts, sizes and times, as people read them."""

from __future__ import annotations


def count_text(value: int) -> str:
    return f"{value:,}"


def counted(value: int, noun: str) -> str:
    """`1 state`, `2 states`, `3 process types`."""
    if value == 1:
        return f"1 {noun}"
    return f"{value:,} {noun}{'es' if noun.endswith(('s', 'ch')) else 's'}"


def bytes_text(value: int) -> str:
    for unit, factor in (("GB", 2**30), ("MB", 2**20)):
        if value >= factor:
            return f"{value / factor:,.1f} {unit}"
    return f"{value / 2**10:,.0f} kB"


def seconds_text(value: float) -> str:
    if value < 100:
        return f"{value:.2f} s"
    minutes, rest = divmod(round(value), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min {rest} s" if hours else f"{minutes} min {rest} s"
