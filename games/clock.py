"""The one source of "now": the database's clock, the same for every process."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import connection
from django.db.models import DateTimeField, Expression, ExpressionWrapper, Func, Subquery, Value
from django.db.models.functions import Coalesce

from games.models import ClockOffset


def now() -> datetime:
    """Return the present instant (aware, UTC), put forward by the offset row if tests may."""
    return unmoved() + _offset() if settings.TEST_CLOCK else unmoved()


def unmoved() -> datetime:
    """Return the present instant as it is: for how long the server itself has been away."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        return cursor.fetchone()[0]


def as_expression() -> Expression:
    """Return the same as a part of a query, for reads that must cost no query more."""
    instant = Func(function="clock_timestamp", output_field=DateTimeField())
    if not settings.TEST_CLOCK:
        return instant
    offset = Coalesce(Subquery(ClockOffset.objects.values("offset")[:1]), Value(timedelta(0)))
    return ExpressionWrapper(instant + offset, output_field=DateTimeField())


def _offset() -> timedelta:
    row = ClockOffset.objects.first()
    return row.offset if row else timedelta(0)
