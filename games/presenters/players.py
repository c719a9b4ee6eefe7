"""What a player's page tells: counts of finished games, as plots that are tables, and the games."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from itertools import groupby
from typing import NamedTuple

from django.contrib.auth import get_user_model
from django.core.paginator import Page, Paginator
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import ties
from games import clock, sentences
from games.models import Game, Seat
from games.presenters.document import Document
from games.presenters.friends import tie_of
from games.presenters.lists import summary

WEEKS = 12
A_PAGE = 20  # games
BAR = 100  # the longest bar of a plot, in the units of its drawing


class Played(NamedTuple):
    """A finished game of somebody's, as far as it counts."""

    variant: str
    place: int
    seats: int
    finished_on: date


def player_page(name: str, viewer, number: str = "") -> Document | None:
    """Return the page of the player of that name, with page `number` of the games.

    Others learn of games at public tables only; of whom there are none they learn nothing, not
    even that there is such an account: None. Nor does anybody whom the player has blocked.
    A fixed number of queries, however many games.
    """
    player = get_user_model().objects.called(name)
    if player is None or (viewer.pk and ties.is_blocked(viewer.pk, [player.pk])):
        return None
    yourself = player == viewer
    seats = Seat.objects.filter(user=player, game__status=Game.Status.FINISHED, place__gt=0)
    if not yourself:
        seats = seats.filter(game__public=True)
    played = _played(seats)
    if not (played or yourself):
        return None
    return {
        "name": player.name,
        "yourself": yourself,
        "tie": tie_of(viewer, player) if viewer.pk and not yourself else None,
        "url": reverse("player", args=[player.name]),
        "counts": _counts(played),
        "plots": [*_places(played), _weeks(played, timezone.localdate(clock.now()))],
        **_games(seats, viewer, number),
    }


def _played(seats) -> list[Played]:
    """These games, oldest first. One that was abandoned has no places, and is none of them."""
    shown = seats.order_by("game__finished_at", "pk")
    rows = shown.values_list("game__variant", "place", "game__seat_count", "game__finished_at")
    return [
        Played(variant, place, seats, timezone.localdate(finished_at))
        for variant, place, seats, finished_at in rows
    ]


def _counts(played: Sequence[Played]) -> list[Document]:
    won = [each.place == 1 for each in played]
    runs = [len(list(run)) for is_win, run in groupby(won) if is_win]
    return [
        {"name": _("Finished games"), "n": len(played)},
        {"name": _("Wins"), "n": sum(won)},
        {"name": _("Longest run of wins"), "n": max(runs, default=0)},
    ]


def _places(played: Sequence[Played]) -> Iterable[Document]:
    """A plot for each game that was played: how often which place."""
    for variant in sorted({each.variant for each in played}):
        own = [each for each in played if each.variant == variant]
        often = Counter(each.place for each in own)
        last = max(each.seats for each in own)
        rows = [(str(place), often[place]) for place in range(1, last + 1)]
        yield _plot(sentences.game_name(variant), _("Place"), rows)


def _weeks(played: Sequence[Played], today: date) -> Document:
    monday = today - timedelta(days=today.weekday())
    weeks = [monday - timedelta(weeks=ago) for ago in reversed(range(WEEKS))]
    often = Counter(
        each.finished_on - timedelta(days=each.finished_on.weekday()) for each in played
    )
    rows = [(week, often[week]) for week in weeks]
    return _plot(_("Games in the last weeks"), _("Week from"), rows)


def _plot(title: str, what: str, rows: Sequence[tuple[object, int]]) -> Document:
    most = max((n for _label, n in rows), default=0) or 1
    bars = [{"label": label, "n": n, "width": round(BAR * n / most)} for label, n in rows]
    return {"title": title, "what": what, "rows": bars}


def _games(seats, viewer, number: str) -> Document:
    games = Game.objects.filter(seats__in=seats).order_by("-finished_at", "pk").with_people()
    page: Page = Paginator(games, A_PAGE).get_page(number)
    return {
        "games": [summary(game, viewer) for game in page],
        "newer": page.previous_page_number() if page.has_previous() else None,
        "older": page.next_page_number() if page.has_next() else None,
    }
