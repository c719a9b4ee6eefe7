"""Who is to be told what: rows for accounts' delivery door, written with the move itself."""

from django.db.models import Exists, OuterRef, QuerySet

from accounts import delivery
from accounts.models import Notice
from games.models import Game

TURN = "turn"
SLOW = 3600  # seconds a turn: below this people are expected to be at the table


def write(game: Game) -> None:
    """Write the notices that the present version of a game makes due. Inside `change` only."""
    seat = game.seat_in_turn()
    seconds = Game.Pace(game.pace).seconds
    if seat is None or seat.user_id is None or seat.absent:
        return
    if seconds is not None and seconds >= SLOW and game.turn_version == game.version:
        delivery.write(seat.user_id, TURN, game.pk, game.version)


def is_still_true(user_id: int, kind: str, game_id: str, version: int) -> bool:
    """Return whether it is still this person's turn, the same one as then."""
    games = Game.objects.filter(pk=game_id, status=Game.Status.PLAYING, turn_version=version)
    return games.filter(seats__user_id=user_id).awaiting(user_id).exists()


def open_turns(user_id: int) -> QuerySet[Notice]:
    """Return what the inbox of this person holds about turns: the notices that are still true."""
    same_turn = Game.objects.awaiting(user_id).filter(
        pk=OuterRef("about"), turn_version=OuterRef("version")
    )
    return Notice.objects.filter(Exists(same_turn), user=user_id, kind=TURN, done_at=None)
