"""Replays game records and checks everything in them that can be checked."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.rules import RecordError, verify


class Command(BaseCommand):
    """Exit 1 on the first record that does not hold, 2 if the file cannot be read."""

    help = "Verify game records: one JSON document, or one a line."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """One file."""
        parser.add_argument("file", metavar="FILE", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        """One line `ok ID` for each record, a count last."""
        records = read(options["file"])
        for number, record in enumerate(records, start=1):
            try:
                verify(record)
            except RecordError as error:
                name = record.get("id") if isinstance(record, dict) else None
                raise CommandError(f"record {number} ({name}): {error}") from error
            self.stdout.write(f"ok {record['id']}")
        self.stdout.write(f"{len(records)} records: all hold")


def read(file: Path) -> list[Any]:
    """The records of a file: a single document as the site serves it, or one on each line."""
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{file}: {error}", returncode=2) from error
    try:
        return [json.loads(text)]
    except ValueError:
        return _lines(file, text)


def _lines(file: Path, text: str) -> list[Any]:
    try:
        records = [json.loads(line) for line in text.splitlines() if line.strip()]
    except ValueError as error:
        raise CommandError(f"{file}: not JSON: {error}") from error
    if not records:
        raise CommandError(f"{file}: no record in it", returncode=2)
    return records
