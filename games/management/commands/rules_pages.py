"""Write the table of docs/rules_pages.md: where each clause of the rules is told."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from games.guide.chapter import BOOKS
from games.guide.paragraphs import Rule

PAGE = Path(settings.BASE_DIR, "docs", "rules_pages.md")
OTHERS = {"matatu": "MM-", "maumau": "MT-"}
BEGIN = "<!-- written by `manage.py rules_pages` -->\n"


class Command(BaseCommand):
    """Bring the table in line with the texts."""

    help = "Write the table of docs/rules_pages.md: clauses and the messages that tell them."

    def handle(self, *args: Any, **options: Any) -> None:
        """Write it; what stands before it is written by hand."""
        words, _, _ = PAGE.read_text().partition(BEGIN)
        PAGE.write_text(words + BEGIN + table())


def table() -> str:
    """Return the table: a line for each clause with the ids of the messages that tell it."""
    told = clauses()
    lines = [f"| {clause} | {', '.join(told[clause])} |\n" for clause in sorted(told, key=_order)]
    return "| clause | messages |\n| --- | --- |\n" + "".join(lines)


def clauses() -> dict[str, list[str]]:
    """Return the ids of the messages that tell a clause, by clause.

    A message of both games names clauses of both; on a page of one of them it tells that one's.
    """
    told: dict[str, list[str]] = {}
    for variant, book in BOOKS.items():
        for name, rules in _lists_of(book):
            for number, rule in enumerate(rules, start=1):
                for clause in rule.clauses:
                    if not clause.startswith(OTHERS[variant]):
                        told.setdefault(clause, []).append(f"{variant}.{name}.{number}")
    return told


def _lists_of(book: Any) -> Iterator[tuple[str, Sequence[Rule]]]:
    yield "short", book.IN_SHORT
    for paragraph in book.PARAGRAPHS:
        yield paragraph.id, paragraph.rules
    for number, question in enumerate(book.QUESTIONS, start=1):
        yield f"question-{number}", question.answers


def _order(clause: str) -> tuple[str, int]:
    """MT-2 before MT-10, MM after MT."""
    part, _, number = clause.rpartition("-")
    rank = {"MT": "a", "MM": "b"}.get(part, f"c{part}")
    return rank, int(number) if number.isdigit() else 0
