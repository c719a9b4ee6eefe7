"""How long functions and files are: ``python -m tests.bench.sizes``. Reported, not enforced."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from statistics import quantiles

CHECKOUT = Path(__file__).parents[2]
PACKAGES = ("accounts", "config", "games", "tests")


def files(package: str) -> Iterator[Path]:
    """The Python files of a package, migrations left out."""
    for path in sorted((CHECKOUT / package).rglob("*.py")):
        if "migrations" not in path.parts:
            yield path


def functions(path: Path) -> Iterator[tuple[int, str]]:
    """Lines and place of each function: what a reader sees, docstring included."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno:
            place = f"{path.relative_to(CHECKOUT)}:{node.lineno} {node.name}"
            yield node.end_lineno - node.lineno + 1, place


def summary(lengths: list[int]) -> str:
    """Median, 90th percentile and maximum."""
    if len(lengths) < 2:
        return f"{len(lengths)} in all"
    cuts = quantiles(lengths, n=10)
    return (
        f"{len(lengths):5} in all, median {cuts[4]:.0f}, 90 % {cuts[8]:.0f}, longest {max(lengths)}"
    )


def main() -> None:
    """Print a line a package, and the ten longest functions."""
    longest: list[tuple[int, str]] = []
    for package in PACKAGES:
        paths = list(files(package))
        found = [each for path in paths for each in functions(path)]
        longest += found
        print(f"{package:9} functions {summary([lines for lines, _ in found])}")
        print(f"{'':9} files     {summary([len(path.read_text().splitlines()) for path in paths])}")
    for lines, place in sorted(longest, reverse=True)[:10]:
        print(f"{lines:5} {place}")


if __name__ == "__main__":
    main()
