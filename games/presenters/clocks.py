"""The clock of a table as a viewer sees it: time left, why it stands still, what can be done."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from games import clock, sentences
from games.models import Game, Seat
from games.presenters.document import Document
from games.presenters.seats import is_turn_of, name_of
from games.services.change import deadline_of_turn
from games.services.holidays import left, running
from games.services.votes import BOT, END, WAIT, is_open, voters

STANDS_STILL = {
    "holiday": gettext_noop("%(player)s is on holiday. The clock stands still until %(time)s."),
    "line": gettext_noop(
        "The line or power of %(player)s has failed. The clock stands still until %(time)s."
    ),
    "night": gettext_noop(
        "It is night where %(player)s is. The clock stands still until %(time)s."
    ),
}
MY_CLOCK_STANDS_STILL = {
    "holiday": gettext_noop("You are on holiday. Your clock stands still until %(time)s."),
    "line": gettext_noop("Your line or power has failed. Your clock stands still until %(time)s."),
    "night": gettext_noop("These are your quiet hours. Your clock stands still until %(time)s."),
}
VOTES = {
    WAIT: gettext_noop("Wait one more turn"),
    BOT: gettext_noop("Let the bot play on"),
    END: gettext_noop("End the game without a winner"),
}


def in_words(instant: datetime) -> str:
    """Return an instant in the reader's time zone, with the zone named."""
    local = timezone.localtime(instant)
    zone = timezone.get_current_timezone_name().rpartition("/")[2].replace("_", " ")
    shown = date_format(local, "DATETIME_FORMAT")
    return _("%(time)s (%(zone)s)") % {"time": shown, "zone": zone}


def clock_of(game: Game, me: Seat | None) -> Document:
    """Return how long the person in turn still has, in whole seconds, and what stops the clock.

    The browser counts on by itself from `time_left`, so a device's own clock may be wrong.
    """
    seat, deadline = game.seat_in_turn(), deadline_of_turn(game)
    if seat is None or seat.is_played_by_bot or deadline is None:
        return {}
    if getattr(game, "clocks_are_frozen", False):
        return {"time_note": _("The clocks stand still. You will get the time back.")}
    now = getattr(game, "read_at", None) or clock.now()
    seconds = max(int((deadline - now).total_seconds()), 0)
    words = _("Time left: %(time)s")
    slow = Game.Pace(game.pace).is_slow
    return {
        "time_left": seconds,
        "time_text": words % {"time": sentences.span(seconds)},
        "time_words": words,  # for the browser to put a running clock into
        "time_until": _("until %(time)s") % {"time": in_words(deadline)} if slow else "",
        "time_note": _why_it_stands(game, seat, me, now) or _given_back(game),
        "line_url": _line_url(game, me),
    }


def votes_of(game: Game, me: Seat | None) -> Document:
    """Return what the viewer may vote on, and how many are for what; nothing if on nothing."""
    if not is_open(game):
        return {}
    having = voters(game)
    cast = [seat.vote for seat in having]
    absent = [seat for seat in game.seats.all() if seat.absent]
    return {
        "url": reverse("vote", args=[game.pk]) if me in having else "",
        "text": _("%(players)s: absent. A bot plays meanwhile.") % {"players": _names(absent)},
        "choices": [
            {
                "code": code,
                "text": _(text),
                "chosen": me in having and me is not None and me.vote == code,
                "count_text": _("%(n)d of %(total)d") % {"n": cast.count(code), "total": len(cast)},
            }
            for code, text in VOTES.items()
        ],
    }


def _names(seats: Sequence[Seat]) -> str:
    return ", ".join(name_of(seat) for seat in seats)


def _why_it_stands(game: Game, seat: Seat, me: Seat | None, now: datetime) -> str:
    """Why the clock stands still at the moment, and until when; the longest reason counts."""
    reasons = [(pause.ends, pause.why) for pause in game.turn_pauses() if pause.begins <= now]
    night = game.turn_night()
    morning = night.end_of_night(now) if night else None
    reasons += [(morning, "night")] if morning else []
    ends, why = max(reasons, default=(now, ""))
    words = MY_CLOCK_STANDS_STILL if me == seat else STANDS_STILL
    if ends <= now or why not in words:
        return ""
    return _(words[why]) % {"player": name_of(seat), "time": in_words(ends)}


def _given_back(game: Game) -> str:
    """What was given back to this turn, said in whole units; of less than a second nothing."""
    outages = [pause for pause in game.turn_pauses() if pause.why == "outage"]
    lost = sum((pause.ends - pause.begins for pause in outages), timedelta(0))
    words = _("The site was away. This turn got the time back: %(time)s")
    seconds = int(lost.total_seconds())
    return words % {"time": sentences.span(seconds)} if seconds else ""


def _line_url(game: Game, me: Seat | None) -> str:
    """Where the viewer says that the line has failed, while that still helps."""
    if me is None or not is_turn_of(game, me) or me.absent or me.line_failed:
        return ""
    return reverse("line_failed", args=[game.pk])


def holiday_of(user) -> Document:
    """Return how much holiday a person has left this year, and until when a running one goes."""
    now = clock.now()
    away = running(user.pk, now)
    days = left(user.pk, now) // timedelta(days=1)
    text = ngettext("1 day of holiday left this year", "%(n)d days of holiday left this year", days)
    return {"text": text % {"n": days}, "until": in_words(away.ends_at) if away else ""}
