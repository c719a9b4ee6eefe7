"""The one source of "now": the database's clock, the same for every process."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import connection

from games.models import ClockOffset


def now() -> datetime:
    """Return the present instant (aware, UTC), put forward by the offset row if tests may."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        (instant,) = cursor.fetchone()
    return instant + _offset() if settings.TEST_CLOCK else instant


def _offset() -> timedelta:
    row = ClockOffset.objects.first()
    return row.offset if row else timedelta(0)
