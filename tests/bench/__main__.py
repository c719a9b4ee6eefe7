"""Run the benchmark scripts beside this file: ``make bench``, or ``make bench ARGS=rules_speed``.

Each runs as a process of its own, ``python -m tests.bench.NAME --json``, and prints one JSON
object whose keys name figures and their units. All of them go to var/bench.json and into a table.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

HERE = Path(__file__).parent
OUTPUT = HERE.parents[1] / "var" / "bench.json"


def main(wanted: list[str]) -> int:
    """Measure, write and print. 1 if a script fails; the others are measured all the same."""
    subprocess.run([sys.executable, "-m", "config.local.prepare"], check=True)
    names = wanted or sorted(path.stem for path in HERE.glob("[!_]*.py"))
    figures = {name: measured for name in names if (measured := measure(name)) is not None}
    OUTPUT.write_text(json.dumps(machine() | {"figures": figures}, indent=1))
    for name, measured in figures.items():
        print(f"\n{name}")
        for what, value in measured.items():
            print(f"  {what:<50}{value:>15,}")
    return 0 if len(figures) == len(names) else 1


def measure(name: str) -> dict[str, float] | None:
    """What the script prints; None if it fails, whose words then stand above."""
    print(f"measuring {name}", file=sys.stderr, flush=True)
    command = [sys.executable, "-m", f"tests.bench.{name}", "--json"]
    run = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    return json.loads(run.stdout) if run.returncode == 0 else None


def machine() -> dict[str, object]:
    """What the figures depend on."""
    return {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "python": platform.python_version(),
        "system": platform.platform(),
        "cores": os.cpu_count(),
    }


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
