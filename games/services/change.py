"""The hinge of the door: lock, change, count, say so."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from django.contrib.auth import get_user_model
from django.db import transaction

from games import clock, notices
from games.broadcast import announce
from games.deadlines import Pause, deadline
from games.models import Game, Holiday

LOBBY_LIFETIME = timedelta(days=7)
BOT_WAIT = timedelta(seconds=2)  # always, so that a bot's haste tells nothing of its hand (MM-15)
A_SECOND = timedelta(seconds=1)
GRACE = A_SECOND  # a move in the second of the deadline is the player's
MAU_WAIT = timedelta(seconds=5)  # after a card that leaves one: time to call and to catch (part G)


class Refused(Exception):
    """What was asked cannot be done now; `code` says why. Nothing has changed."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class StaleVersion(Exception):
    """The asker was looking at a table that has moved on since. Nothing has changed."""


class Unchanged(Exception):
    """Raised by a verb inside `change` when what was asked for is so already."""


@contextmanager
def change(game_id: str) -> Iterator[Game]:
    """Lock a game, let the body change it, and make that one new version of it.

    Yields the locked game with its seats, and the instant as `game.at`. The order matters:
    1. lock, 2. the body, 3. version and deadline, 4. save, 5. notices due, 6. announce, which
    waits for the commit. Whatever the body raises undoes all of it; `Unchanged` does so
    silently. Raises Game.DoesNotExist.
    """
    try:
        with transaction.atomic(durable=True):
            locked = Game.objects.select_for_update(no_key=True)
            game = locked.prefetch_related("seats").get(pk=game_id)
            game.at, game.news = clock.now(), []
            yield game
            conclude(game)
    except Unchanged:
        pass


def conclude(game: Game) -> None:
    """Make a new version of a game that this transaction has locked, or made: steps 3 to 6."""
    game.version += 1
    game.deadline = deadline_of(game)
    game.save()
    notices.write(game)
    due, listed = _soon(game), _is_listed(game)
    announce(game.pk, game.version, due=due, listed=listed, page=game.page)


def begin_turn(game: Game) -> None:
    """Let the clock of a turn begin now. For use inside `change`, after the seat in turn is set.

    What the person has set counts as it is now: changing it changes no turn that runs. Costs
    queries at tables of an hour or more only.
    """
    game.turn_began, game.pauses, game.night = game.at, [], None
    seat, pace = game.seat_in_turn(), Game.Pace(game.pace)
    if seat is None or seat.user_id is None or seat.is_played_by_bot or not pace.is_slow:
        return
    person = get_user_model().objects.get(pk=seat.user_id)
    game.reminders, night = person.reminders, person.quiet_hours
    game.night = list(night) if night.hours else None
    if pace.is_of_days:
        away = Holiday.objects.filter(user=seat.user_id, ends_at__gt=game.at)
        for each in away:
            stand_still(game, game.at, each.ends_at, "holiday")


def stand_still(game: Game, begins: datetime, ends: datetime, why: str) -> None:
    """Let the clock of this turn stand still for a time, also if it has just run out."""
    turn = deadline_of_turn(game)
    if turn:
        begins = min(begins, turn - A_SECOND)
    game.pauses = [*game.pauses, Pause(begins, ends, why).to_json()]


def deadline_of(game: Game) -> datetime | None:
    """Return the moment at which the server must act on this game, or None for never."""
    if game.status == Game.Status.WAITING:
        return game.created_at + LOBBY_LIFETIME
    if game.status != Game.Status.PLAYING:
        return None
    moments = (end_of_turn(game), game.glance_at)
    return min((moment for moment in moments if moment), default=None)


def end_of_turn(game: Game) -> datetime | None:
    """Return when the server acts for the seat in turn."""
    seat, turn = game.seat_in_turn(), deadline_of_turn(game)
    if turn is None or seat is None or seat.is_played_by_bot:
        return turn
    return turn + GRACE


def deadline_of_turn(game: Game) -> datetime | None:
    """Return when the seat in turn must have acted: a bot soon, a person by the pace."""
    seat = game.seat_in_turn()
    if seat is None or game.turn_began is None:
        return None
    if seat.is_played_by_bot:
        return game.turn_began + (MAU_WAIT if game.glance_at else BOT_WAIT)
    seconds = Game.Pace(game.pace).seconds
    if seconds is None:
        return None
    return deadline(seconds, game.turn_began, game.turn_pauses(), game.turn_night())


def _soon(game: Game) -> float | None:
    """In how many seconds the server is to act, if a nudge is worth it."""
    if game.deadline is None or game.deadline - game.at > MAU_WAIT:
        return None
    return max((game.deadline - game.at).total_seconds(), 0)


def _is_listed(game: Game) -> bool:
    """Whether the change shows in the list of open tables: a public one waits, or did so."""
    return game.public and game.move_count == 0
