"""Who is to be told what: rows for accounts' delivery door, written with the move itself."""

from accounts import delivery
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
