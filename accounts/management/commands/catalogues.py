"""`catalogues compile | merge | check`: see docs/operations.md and CONTRIBUTING.md."""

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts import catalogues


class Command(BaseCommand):
    """Compile the catalogues, bring them in line with the source, or check them."""

    help = "Compile, merge or check the message catalogues in locale/."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """Take what to do."""
        parser.add_argument("action", choices=["compile", "merge", "check"])

    def handle(self, *, action: str, **options: object) -> None:
        """Do it; `check` lists what is wrong and exits with 1."""
        if action == "compile":
            catalogues.compile_catalogues()
        elif action == "merge":
            catalogues.merge()
        else:
            faults = list(catalogues.problems())
            for fault in faults:
                self.stderr.write(fault)
            if faults:
                raise CommandError(f"{len(faults)} faults in the catalogues")
