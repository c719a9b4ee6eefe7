"""What the site keeps about one person's games, for that person."""

from collections import defaultdict

from django.db.models import F

from games.models import Holiday, MoveRecord, Seat, Seek
from games.presenters.document import Document


def personal_data(user) -> Document:
    """Return all games of `user`, the oldest first, each with the own seat and its moves; holidays,
    and what they last looked for.

    Nothing here tells more than the table did: moves, and not what was drawn by them.
    """
    seats = Seat.objects.filter(user=user).select_related("game").order_by("game__created_at")
    moves = _own_moves(user)
    holidays = Holiday.objects.filter(user=user).order_by("began_at")
    sought = Seek.objects.filter(user=user)
    return {
        "sought": list(sought.values("variant", "seat_count", "pace", "bots", "asked_at")),
        "games": [_one_game(seat, moves[seat.game_id]) for seat in seats],
        "holidays": list(holidays.values("began_at", "ends_at", "automatic")),
    }


def _own_moves(user) -> dict[str, list[Document]]:
    """What the person, and nobody for them, has done at each table, by its id."""
    made = MoveRecord.objects.filter(
        game__seats__user=user, game__seats__number=F("seat"), author=MoveRecord.Author.PLAYER
    )
    by_game = defaultdict(list)
    for move in made.order_by("game_id", "number"):
        by_game[move.game_id].append({"n": move.number, **move.move, "at": move.at})
    return by_game


def _one_game(seat: Seat, moves: list[Document]) -> Document:
    game = seat.game
    return {
        "id": game.pk,
        "game": game.variant,
        "options": game.options,
        "pace": game.pace,
        "status": game.status,
        "seat": seat.number,
        "place": seat.place,
        "points": seat.points,
        "created": game.created_at,
        "started": game.started_at,
        "finished": game.finished_at,
        "moves": moves,
    }
