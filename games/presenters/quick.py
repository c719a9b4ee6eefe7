"""Quick games: what somebody waits for, and who else waits for what."""

from collections import Counter

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import clock, sentences, services
from games.models import Game, Seek
from games.presenters.document import Document
from games.services.pairing import PATIENCE


def quick_page(viewer, mine: Seek | None) -> Document:
    """Return what the page shows: what the viewer waits for (`mine`), with who else does, or, if
    they wait for nothing, what others wait for, each to be joined by one press."""
    waiting = services.seekers(viewer)
    if mine is None:
        return {
            "seeking": False,
            "go": "",
            "others": _others(waiting),
            "was_away": Seek.objects.filter(user=viewer.pk, game=None).exists(),
            "bots_text": _("Bots take the seats that are still free after: %(time)s")
            % {"time": sentences.span(int(PATIENCE.total_seconds()))},
        }
    same = [each for each in waiting if _sought(each) == _sought(mine)]
    left = max(int((mine.asked_at + PATIENCE - clock.now()).total_seconds()), 0)
    words = _("Bots come in: %(time)s")
    return {
        "seeking": True,
        "go": reverse("table", args=[mine.game_id]) if mine.game_id else "",
        "others": [],
        "title": _title(_sought(mine)),
        "count_text": _("Players here: %(n)d of %(total)d")
        % {"n": min(len(same), mine.seat_count), "total": mine.seat_count},
        "places": [number < len(same) for number in range(mine.seat_count)],
        "bots": mine.bots,
        "left": left,
        "left_text": words % {"time": sentences.span(left)},
        "left_words": words,
        "variant": mine.variant,
        "seats": mine.seat_count,
        "pace": mine.pace,
    }


def _sought(each: Seek) -> tuple[str, int, str]:
    return each.variant, each.seat_count, each.pace


def _title(sought: tuple[str, int, str]) -> str:
    variant, seats, pace = sought
    players = ngettext("%(n)d player", "%(n)d players", seats) % {"n": seats}
    time = _("Time per turn: %(time)s") % {"time": sentences.pace(Game.Pace(pace).seconds)}
    return " · ".join([sentences.game_name(variant), players, time])


def _others(waiting: list[Seek]) -> list[Document]:
    return [
        {
            "variant": sought[0],
            "seats": sought[1],
            "pace": sought[2],
            "title": _title(sought),
            "text": ngettext("%(n)d person is waiting.", "%(n)d people are waiting.", n) % {"n": n},
        }
        for sought, n in Counter(map(_sought, waiting)).items()
    ]
