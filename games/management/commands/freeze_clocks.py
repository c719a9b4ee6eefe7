"""Stop all deadlines, before work on the site."""

from django.core.management.base import BaseCommand

from games import services


class Command(BaseCommand):
    """Nobody is timed out, no bot moves and no table closes until release_clocks. Twice is once."""

    help = "Stop all deadlines until release_clocks."

    def handle(self, *args, **options) -> None:
        """Stop them and say so."""
        done = services.freeze()
        self.stdout.write("Clocks are frozen." if done else "Clocks were frozen already.")
