"""The record of a finished game."""

from games import rules
from games.models import Game, Seat
from games.presenters.document import Document


def record(game: Game) -> Document:
    """Return the record of a finished game (CONTRACTS section 5), the same for every reader."""
    state = game.position()
    return rules.build_record(
        id=game.pk,
        round=game.round,
        variant=game.variant,
        options=game.options,
        pace=game.pace,
        rated=game.rated,
        seats=[_in_record(seat) for seat in game.seats.all()],
        seed=state.seed,
        dealer=state.dealer,
        first=state.first,
        started=game.started_at,
        finished=game.finished_at,
        moves=[
            (move.seat, rules.Move.from_json(move.move), move.author, move.at)
            for move in game.moves.order_by("number")
        ],
    )


def _in_record(seat: Seat) -> dict[str, str]:
    if seat.bot:
        return {"kind": "bot", "level": seat.bot}
    return {"kind": "player", "name": seat.user.name if seat.user else "-"}
