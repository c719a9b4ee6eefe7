"""At the table: a move of a player."""

from games import clock, rules
from games.models import Game, MoveRecord, Seat
from games.services.change import Refused, StaleVersion, Unchanged, change

# A call or a catch in between does not spoil a move (CONTRACTS section 3).
TURN_ACTS = {"play", "draw", "pass", "timeout", "resign"}
JUDGED_BY_VERSION = {"play", "draw", "pass"}
_WHY_NOT_PLAYING = {"waiting": "not_started", "finished": "over", "closed": "closed"}


def act(user, game_id: str, move: rules.Move, version: int) -> None:
    """Make `move` for `user`, who was looking at `version` of the table.

    An exact repeat of the move that this seat has just made at that version changes nothing.
    Raises Refused("not_seated", "not_started", "over" or "closed"), StaleVersion,
    rules.IllegalMove.
    """
    with change(game_id) as game:
        seat = game.seats.filter(user=user).first()
        if seat is None:
            raise Refused("not_seated")
        if _is_repeat(game, seat, move, version):
            raise Unchanged
        if game.status != Game.Status.PLAYING:
            raise Refused(_WHY_NOT_PLAYING[game.status])
        if move.do in JUDGED_BY_VERSION and not game.turn_version <= version <= game.version:
            raise StaleVersion
        make(game, seat.number, move, MoveRecord.Author.PLAYER, version)


def make(game: Game, seat: int, move: rules.Move, author: str, upon: int) -> None:
    """Apply a move, record it, and end the game if it is over. For use inside `change`."""
    after, events = rules.apply(game.position(), seat, move)
    game.state = after.to_json()
    game.turn = None if after.outcome else after.turn
    game.move_count += 1
    if move.do in TURN_ACTS:
        game.turn_version = game.version + 1
    at = clock.now()
    MoveRecord.objects.create(
        game=game,
        number=game.move_count,
        seat=seat,
        author=author,
        upon=upon,
        move=move.to_json(),
        events=[event.to_json() for event in events],
        at=at,
    )
    if after.outcome:
        _finish(game, after.outcome, at)


def _is_repeat(game: Game, seat: Seat, move: rules.Move, version: int) -> bool:
    last = game.moves.filter(seat=seat.number).order_by("-number").first()
    return last is not None and last.upon == version and last.move == move.to_json()


def _finish(game: Game, outcome: rules.Outcome, at) -> None:
    game.status = Game.Status.FINISHED
    game.reason = outcome.reason
    game.turn = None
    game.finished_at = at
    place_of: dict[int, int] = {}
    for place in outcome.places:
        place_of.update(dict.fromkeys(place, len(place_of) + 1))
    for seat in game.seats.all():
        seat.place = place_of.get(seat.number)
        seat.points = outcome.points[seat.number] if outcome.points else None
        seat.save(update_fields=["place", "points"])
