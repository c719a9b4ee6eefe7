"""The people around somebody: friends, who asks, who was asked or blocked, who was played with."""

from collections.abc import Iterable
from typing import Any

from django.contrib.auth import get_user_model
from django.db.models import Max
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts import ties
from accounts.models import NAME_MAX_LENGTH
from games.models import Seat
from games.presenters.document import Document

MOST_PLAYED_WITH = 12


def friends_page(viewer) -> Document:
    """Return whom the page about friends shows, as names, and how long one is; three queries."""
    circle = ties.circle_of(viewer.pk)
    return {
        "friends": _names(circle.friends),
        "asking": _names(circle.asking),
        "asked": _names(circle.asked),
        "blocked": _names(circle.blocked),
        "name_length": NAME_MAX_LENGTH,
        "lately": _played_with(viewer, circle.everybody()),
    }


def askers(viewer) -> list[str]:
    """Return the names of those who would like to be the viewer's friends; one query."""
    return _names(ties.circle_of(viewer.pk).asking)


def question(notice: Any) -> tuple[str, str]:
    """Return subject and sentence of a notice that somebody would like to be friends."""
    asking = get_user_model().objects.get(pk=notice.about.removeprefix(ties.ASKED))
    said = _("%(player)s would like to be your friend.") % {"player": asking.name}
    return said, said


def page_of_a_question(notice: Any) -> str:
    """Return the path of the page on which it is answered."""
    return reverse("friends")


def tie_of(viewer, person) -> str:
    """Return what is between the two: "friends", "asking", "asked", "blocked", or nothing."""
    circle = ties.circle_of(viewer.pk)
    lists = ("friends", "asking", "asked", "blocked")
    return next((name for name in lists if person in getattr(circle, name)), "")


def _names(people: Iterable) -> list[str]:
    return [person.name for person in people]


def _played_with(viewer, known: set[int]) -> list[str]:
    """Who sat at the viewer's latest tables, the latest first, but for those who stand elsewhere on
    the page and those who have blocked the viewer."""
    seats = Seat.objects.filter(game__in=Seat.objects.filter(user=viewer).values("game"))
    others = seats.filter(joined=True, user__is_active=True, game__started_at__isnull=False)
    others = others.exclude(user__in=[viewer.pk, *known])
    others = others.exclude(user__in=ties.blockers_of(viewer.pk))
    latest = others.values("user").annotate(last=Max("game__started_at")).order_by("-last")
    keys = [row["user"] for row in latest[:MOST_PLAYED_WITH]]
    people: dict[Any, Any] = get_user_model().objects.in_bulk(keys)
    return _names(people[key] for key in keys)
