"""What notices say in mails and in the inbox."""

from datetime import timedelta
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from games import clock, sentences
from games.models import Game
from games.presenters.clocks import in_words
from games.services.change import deadline_of_turn
from games.services.holidays import left

SENTENCES = {
    "turn": gettext_noop("It is your turn in %(game)s."),
    "invited": gettext_noop("You are invited to a game of %(game)s."),
    "started": gettext_noop("A game of %(game)s has begun, with you."),
    "absent": gettext_noop("A bot plays for you in %(game)s until you come back."),
    "rematch": gettext_noop("You are invited to a rematch of %(game)s."),
    "over": gettext_noop("Your game of %(game)s is over."),
    "caught": gettext_noop("You forgot to call Mau in %(game)s, and were caught."),
}


def letter(notice: Any) -> tuple[str, str]:
    """Return subject and sentence of a notice, one of `notices.open_notices`."""
    name = sentences.game_name(notice.variant)
    sentence = _near(notice, name) if notice.is_reminder else _(SENTENCES[notice.kind])
    said = sentence % {"game": name}
    return said, said


def page(notice: Any) -> str:
    """Return the path of the table that a notice is about; without a language, which its reader's
    browser adds."""
    return f"/games/{notice.about}/"


def _near(notice: Any, name: str) -> str:
    """By when the turn is to be made, and what happens then where that costs something."""
    game = Game.objects.with_people().get(pk=notice.about)
    values = {"game": name, "time": in_words(deadline_of_turn(game) or clock.now())}
    person = notice.user
    costs = Game.Pace(game.pace).is_of_days and person.holidays_by_themselves
    if costs and left(person.pk, clock.now()) > timedelta(0):
        words = _("Your turn in %(game)s ends: %(time)s. Then a day of your holiday is taken.")
        return words % values
    return _("Your turn in %(game)s ends: %(time)s.") % values
