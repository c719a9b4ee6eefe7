"""At tables of days, when somebody is absent: what those who are there want to do about it.

No power hangs on the host alone: each person who is there has one vote.
"""

from games import rules
from games.models import Game, Seat
from games.services.change import Refused, Unchanged, begin_turn, change
from games.services.table import abandon, forget_votes

WAIT, BOT, END = CHOICES = ("wait", "bot", "end")


def vote(user, game_id: str, choice: str) -> None:
    """Say what to do about who is absent: wait a turn more, let the bot play on, end the game.

    More than half let the table wait or go on; only all together end it (part G). Raises
    Refused("not_seated", "nothing_to_vote_on"), KeyError for another choice.
    """
    if choice not in CHOICES:
        raise KeyError(choice)
    with change(game_id) as game:
        mine = game.seat_of(user)
        if mine is None:
            raise Refused("not_seated")
        if not is_open(game) or mine not in voters(game):
            raise Refused("nothing_to_vote_on")
        if mine.vote == choice:
            raise Unchanged
        mine.vote = choice
        mine.save(update_fields=["vote"])
        _count(game)


def is_open(game: Game) -> bool:
    """Return whether there is something to vote on: an absent person at a table of days."""
    if game.status != Game.Status.PLAYING or not Game.Pace(game.pace).is_of_days or game.rated:
        return False
    return any(seat.absent for seat in _people(game))


def voters(game: Game) -> list[Seat]:
    """Return the seats of those who have a vote: people who are there and still in the game."""
    return [seat for seat in _people(game) if not seat.absent]


def _people(game: Game) -> list[Seat]:
    playing = rules.observe(game.position(), None).in_game
    return [seat for seat in game.seats.all() if seat.user_id and playing[seat.number]]


def _count(game: Game) -> None:
    cast = [seat.vote for seat in voters(game)]
    half = len(cast) / 2
    if cast.count(END) == len(cast):
        abandon(game)
    elif cast.count(WAIT) > half:
        _wait(game)
    elif cast.count(BOT) > half:
        forget_votes(game)


def _wait(game: Game) -> None:
    """Give who is absent one more turn; who misses that as well is absent again."""
    for seat in _people(game):
        if seat.absent:
            seat.absent, seat.timeouts = False, max(game.options["max_timeouts"] - 1, 0)
            seat.save(update_fields=["absent", "timeouts"])
            if seat.number == game.turn:
                begin_turn(game)
    forget_votes(game)
