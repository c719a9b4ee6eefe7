"""What must be done before the site can be served: run as ``python -m config.local.prepare``.

One process for all of it, since most of the time goes into starting Django.
"""

import os

import django
from django.conf import settings
from django.core.management import call_command


def prepare() -> None:
    """Compile the catalogues, migrate, gather the static files (with DEBUG they are found)."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    call_command("catalogues", "compile")
    call_command("migrate", verbosity=0)
    if not settings.DEBUG:
        call_command("collectstatic", interactive=False, verbosity=0)


if __name__ == "__main__":
    prepare()
