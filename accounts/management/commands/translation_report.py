"""`translation_report`: how much of the site speaks each language, and how much was reviewed."""

from django.core.management.base import BaseCommand

from accounts import catalogues


class Command(BaseCommand):
    """Print a line for each language but the source's."""

    help = "Print how much of all texts, ours and the libraries', is translated and reviewed."
    requires_system_checks = ()

    def handle(self, **options: object) -> None:
        """Print it."""
        for language in catalogues.languages():
            counted = catalogues.coverage(language)
            review = catalogues.last_review(language)
            said = f"{counted.percent} % translated ({counted.translated} of {counted.total})"
            read = f"{review.messages} reviewed, by {review.by} on {review.on}" if review else ""
            self.stdout.write(f"{language}: {said}, {read or 'none reviewed by a native speaker'}")
