"""A figure of the benchmark, and the table of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Figure(NamedTuple):
    """``name`` says what was measured and how often; ``unit`` is ms, games/s, bytes ..."""

    name: str
    value: float
    unit: str


def table(groups: dict[str, list[Figure]]) -> str:
    """The figures as text, one block a module."""
    lines = []
    for group, figures in groups.items():
        lines += ["", group, *_rows(figures)]
    return "\n".join(lines)


def _rows(figures: Iterable[Figure]) -> Iterable[str]:
    for name, value, unit in figures:
        yield f"  {name:<60} {value:>12,.2f} {unit}"
