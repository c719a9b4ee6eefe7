"""How long functions and files are: ``python -m tests.bench.sizes [--json]``.

Reported, not enforced. A function's lines are what a reader sees, docstring included; migrations
are left out.
"""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import quantiles

CHECKOUT = Path(__file__).parents[2]
PACKAGES = ("accounts", "config", "games", "tests")


def files(package: str) -> list[Path]:
    """The Python files of a package."""
    found = sorted((CHECKOUT / package).rglob("*.py"))
    return [path for path in found if "migrations" not in path.parts]


def functions(path: Path) -> Iterator[tuple[int, str]]:
    """Lines and place of each function."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno:
            place = f"{path.relative_to(CHECKOUT)}:{node.lineno} {node.name}"
            yield node.end_lineno - node.lineno + 1, place


def spread(what: str, lengths: list[int]) -> dict[str, float]:
    """Number, median, 90th percentile and maximum, named; at least two lengths are needed."""
    cuts = quantiles(lengths, n=10)
    return {
        f"{what}": len(lengths),
        f"{what}: median lines": round(cuts[4]),
        f"{what}: 90 % have at most lines": round(cuts[8]),
        f"{what}: longest": max(lengths),
    }


def measure() -> dict[str, float]:
    """The spreads of each package."""
    measured: dict[str, float] = {}
    for package in PACKAGES:
        paths = files(package)
        lines = [length for path in paths for length, _ in functions(path)]
        measured |= spread(f"{package} functions", lines)
        measured |= spread(
            f"{package} files", [len(path.read_text().split("\n")) for path in paths]
        )
    return measured


def main() -> None:
    """Print the spreads and, to a person, the ten longest functions."""
    measured = measure()
    if "--json" in sys.argv:
        print(json.dumps(measured))
        return
    for what, value in measured.items():
        print(f"{what:<50}{value:>8}")
    every = [each for package in PACKAGES for path in files(package) for each in functions(path)]
    for lines, place in sorted(every, reverse=True)[:10]:
        print(f"{lines:5} {place}")


if __name__ == "__main__":
    main()
