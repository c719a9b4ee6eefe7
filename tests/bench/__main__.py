"""Run the benchmark: ``make bench``, or ``make bench ARGS="rules bots"`` for some of it."""

from __future__ import annotations

import importlib
import json
import os
import platform
import sys
from pathlib import Path

import django
from django.core.management import call_command

from tests.bench.figures import Figure, table

HERE = Path(__file__).parent
OUTPUT = HERE.parents[1] / "var" / "bench.json"


def main(wanted: list[str]) -> int:
    """Measure, print the table and write var/bench.json. An error in one part ends with 1."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    call_command("catalogues", "compile")
    call_command("collectstatic", interactive=False, verbosity=0)
    call_command("migrate", verbosity=0)
    groups: dict[str, list[Figure]] = {}
    for path in sorted(HERE.glob("bench_*.py")):
        name = path.stem.removeprefix("bench_")
        if not wanted or name in wanted:
            print(f"measuring {name}", file=sys.stderr, flush=True)
            groups[name] = list(importlib.import_module(f"tests.bench.{path.stem}").measure())
    OUTPUT.write_text(json.dumps({"machine": _machine(), "figures": groups}, indent=1))
    print(table(groups))
    return 0


def _machine() -> dict[str, object]:
    return {"python": platform.python_version(), "cpus": os.cpu_count(), "os": platform.platform()}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
