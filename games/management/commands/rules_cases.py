"""Runs rule positions: one JSON object a line, one line of answer each."""

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.rules.options import OptionError
from games.rules.positions import failures


class Command(BaseCommand):
    """Exit 1 if any position turns out otherwise than it says, 2 if a file cannot be read."""

    help = "Run rule positions (JSON lines); exit 1 if any fails."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """One or more files."""
        parser.add_argument("files", nargs="+", metavar="FILE", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        """One line `ok ID` or `FAIL ID ...` for each position, a count last."""
        wrong = total = 0
        for position in positions(options["files"]):
            found = problems(position)
            total += 1
            wrong += bool(found)
            name = position.get("id", total) if isinstance(position, dict) else total
            self.stdout.write(f"FAIL {name} {'; '.join(found)}" if found else f"ok {name}")
        self.stdout.write(f"{total} positions: {total - wrong} ok, {wrong} failed")
        if wrong:
            raise SystemExit(1)


def positions(files: list[Path]) -> Iterator[Any]:
    """The positions of these files, in order."""
    for file in files:
        try:
            lines = file.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise CommandError(f"{file}: {error}", returncode=2) from error
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                yield json.loads(line)
            except ValueError as error:
                raise CommandError(f"{file}:{number}: {error}", returncode=2) from error


def problems(position: Any) -> list[str]:
    """What is wrong with a position, an unreadable one included."""
    try:
        return failures(position)
    except (OptionError, ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
        return [f"not a position: {type(error).__name__}: {error}"]
