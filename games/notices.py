"""Who is to be told what: rows for accounts' delivery door, written with the move itself."""

from django.db.models import Exists, OuterRef, QuerySet, Subquery

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


def open_turns(user_id: int) -> QuerySet[Notice]:
    """Return the notices about turns of this person that are still true: it is still his turn,
    the same one as then. Each with the `variant` of its game. Newest first."""
    games = Game.objects.filter(pk=OuterRef("about"))
    same_turn = games.awaiting(user_id).filter(turn_version=OuterRef("version"))
    rows = Notice.objects.filter(Exists(same_turn), user=user_id, kind=TURN, done_at=None)
    return rows.annotate(variant=Subquery(games.values("variant"))).order_by("-created_at")
