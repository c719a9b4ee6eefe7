"""The deadlines of a person, for programs that show calendars (RFC 5545)."""

from datetime import timedelta
from typing import Any

from django.utils.translation import gettext as _
from icalendar import Calendar, Event

from games import clock, sentences
from games.models import Game
from games.services.change import deadline_of_turn

ASK_AGAIN = timedelta(hours=1)


def deadlines(person: Any, origin: str) -> bytes:
    """Return when the turns of this person end at tables of an hour or more, as an iCalendar in
    the active language; `origin` is what the links to the tables begin with. No card is in it."""
    calendar = Calendar.new(name="Ikarita", refresh_interval=ASK_AGAIN, prodid="-//Ikarita//EN")
    now = clock.now()
    games = Game.objects.awaiting(person).prefetch_related("seats")
    for game in games:
        deadline = deadline_of_turn(game)
        if deadline is None or not Game.Pace(game.pace).is_slow:
            continue
        words = _("Your turn in %(game)s ends") % {"game": sentences.game_name(game.variant)}
        event = Event.new(
            uid=f"{game.pk}-{game.turn_version}@ikarita",
            stamp=now,
            start=deadline,
            end=deadline,
            summary=words,
            url=f"{origin}/games/{game.pk}/",
        )
        calendar.add_component(event)
    return calendar.to_ical()
