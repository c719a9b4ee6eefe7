"""What the site keeps about one person's games, for that person."""

from games.models import Game, MoveRecord, Seat
from games.presenters.document import Document


def personal_data(user) -> list[Document]:
    """Return all games of `user`, the oldest first, each with the own seat and its own moves.

    Nothing here tells more than the table did: moves, and not what was drawn by them.
    """
    seats = Seat.objects.filter(user=user).select_related("game").order_by("game__created_at")
    return [_one_game(seat) for seat in seats]


def _one_game(seat: Seat) -> Document:
    game = seat.game
    moves = MoveRecord.objects.filter(
        game=game, seat=seat.number, author=MoveRecord.Author.PLAYER
    ).order_by("number")
    return {
        "id": game.pk,
        "game": game.variant,
        "options": game.options,
        "pace": game.pace,
        "status": Game.Status(game.status).value,
        "seat": seat.number,
        "place": seat.place,
        "points": seat.points,
        "created": game.created_at,
        "started": game.started_at,
        "finished": game.finished_at,
        "moves": [{"n": move.number, **move.move, "at": move.at} for move in moves],
    }
