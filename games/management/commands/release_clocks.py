"""Restart all deadlines, and give back the time in which they stood."""

from django.core.management.base import BaseCommand

from games import services


class Command(BaseCommand):
    """Undo freeze_clocks: each running turn gets the time back that it has lost."""

    help = "Restart all deadlines after freeze_clocks, giving the time back."

    def handle(self, *args, **options) -> None:
        """Restart them and say so."""
        done = services.release()
        self.stdout.write("Clocks run again." if done else "Clocks were not frozen.")
