"""A person goes for good."""

from contextlib import suppress

from games import rules
from games.models import Game, Seat
from games.services.change import Refused
from games.services.lobby import leave
from games.services.table import act

GOING_ON = (Game.Status.WAITING, Game.Status.PLAYING)


def leave_everything(user) -> None:
    """Free the seats of `user` at all tables that wait, and resign all games that run.

    Each game by itself: one that begins or ends meanwhile, or was resigned before, holds up none.
    """
    seats = Seat.objects.filter(user=user, game__status__in=GOING_ON)
    for game_id, version in list(seats.values_list("game_id", "game__version")):
        with suppress(Refused):
            leave(user, game_id)
        with suppress(Refused, rules.IllegalMove):
            act(user, game_id, rules.Move("resign"), version)
