"""What the server does when its moment has come: one overdue game at a time.

What is due is a fact in the database, so nothing is lost when a worker, a queue or a thought is.
"""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from random import SystemRandom

from django.db import transaction

from games import bots, clock, rules
from games.models import Game, MoveRecord, Seat
from games.services.change import Unchanged, change, end_of_turn
from games.services.holidays import take_a_day_instead
from games.services.lobby import close
from games.services.table import abandon, forget_votes, has_people, make

logger = logging.getLogger(__name__)
CLAIM = timedelta(seconds=20)  # a thought that has not led to a move by then is thought again
AFTER_A_CRASH = timedelta(minutes=1)
THINKING_TIME = 1.0  # seconds
CHANCE = SystemRandom()


def serve_one_overdue_game(think: Callable[[str, int], object]) -> bool:
    """Serve the game that is overdue longest; return whether there was one.

    `think(game id, turn version)` has a bot think, elsewhere; it is to end in `play_for_bot`. A
    game whose step crashes is put off for a minute and logged, so that the others go on.
    """
    game = _overdue_game()
    if game is None:
        return False
    try:
        _serve(game, think)
    except Exception:
        logger.exception("game %s could not be served", game.pk)
        _put_off(game, clock.now() + AFTER_A_CRASH)
    return True


def play_for_bot(game_id: str, turn_version: int) -> None:
    """Think for the bot in turn, outside the lock, and move if the table has not moved on."""
    game = Game.objects.prefetch_related("seats").get(pk=game_id)
    seat = game.seat_in_turn()
    if seat is None or not seat.is_played_by_bot or game.turn_version != turn_version:
        return
    seen = rules.observe(game.position(), seat.number)
    move = bots.choose(_level(seat), seen, CHANCE, THINKING_TIME)
    _move_as_bot(game, seat.number, move)


def _overdue_game() -> Game | None:
    """The game overdue longest that nobody is changing at the moment."""
    with transaction.atomic():
        overdue = Game.objects.overdue(clock.now()).prefetch_related("seats")
        return overdue.select_for_update(skip_locked=True, no_key=True).first()


def _serve(game: Game, think: Callable[[str, int], object]) -> None:
    seat = game.seat_in_turn()
    if game.status == Game.Status.WAITING:
        _close(game)
    elif game.glance_at and game.glance_at <= clock.now():
        _let_bots_look(game)
    elif seat is not None and seat.is_played_by_bot:
        if _claim(game, clock.now() + CLAIM):
            think(game.pk, game.turn_version)
    else:
        _time_out(game)


def _claim(game: Game, deadline: datetime | None) -> bool:
    """Take what is due at a game upon oneself; return whether nobody else was quicker."""
    return _put_off(game, deadline, glance_at=None)


def _put_off(seen: Game, deadline: datetime | None, **more: None) -> bool:
    """Put a game off that is still as it was seen; no new version, for nothing is new.

    One that has moved on has a deadline of its own, or is over and has none.
    """
    same = Game.objects.filter(pk=seen.pk, version=seen.version, deadline=seen.deadline)
    return bool(same.update(deadline=deadline, **more))


def _close(seen: Game) -> None:
    with change(seen.pk) as game:
        _check_same(game, seen)
        close(game)


def _time_out(seen: Game) -> None:
    """The clock acts for a silent person (MT-30, MM-29); after so many times a bot does.

    At a table of days a day of holiday is taken instead, as long as there are some.
    """
    if take_a_day_instead(seen):
        return
    with change(seen.pk) as game:
        _check_same(game, seen)
        seat = game.seat_in_turn()
        if seat is None or seat.is_played_by_bot:
            raise Unchanged
        make(game, seat.number, rules.Move("timeout"), MoveRecord.Author.CLOCK, game.version)
        seat.timeouts += 1
        _settle_absence(game, seat)
        seat.save(update_fields=["timeouts", "absent"])


def _settle_absence(game: Game, seat: Seat) -> None:
    if game.status != Game.Status.PLAYING or seat.timeouts < game.options["max_timeouts"]:
        return
    if game.rated or game.options["absent_seat"] == "resign":
        make(game, seat.number, rules.Move("resign"), MoveRecord.Author.CLOCK, game.version)
        return
    seat.absent = True
    game.news.append(("absent", seat.number))
    forget_votes(game)
    if not has_people(game):
        abandon(game)


def _let_bots_look(game: Game) -> None:
    """Bots look who has one card and has not called, as a person would (part G)."""
    if not _claim(game, end_of_turn(game)):
        return
    for seat in game.seats.all():
        if not seat.is_played_by_bot:
            continue
        seen = rules.observe(game.position(), seat.number)
        move = bots.react(_level(seat), seen, CHANCE)
        if move is not None:
            _move_as_bot(game, seat.number, move)
            return


def _move_as_bot(seen: Game, number: int, move: rules.Move) -> None:
    """Make a bot's move, if what it thought about still holds."""
    try:
        with change(seen.pk) as game:
            seat = next(seat for seat in game.seats.all() if seat.number == number)
            if game.turn_version != seen.turn_version or not seat.is_played_by_bot:
                raise Unchanged
            make(game, number, move, MoveRecord.Author.BOT, game.version)
    except rules.IllegalMove as late:
        # An accusation may come too late, as a person's may.
        logger.debug("bot's %s refused in game %s: %s", move.do, seen.pk, late.code)


def _check_same(game: Game, seen: Game) -> None:
    """Raise Unchanged if somebody was quicker: what was overdue then need not be so now."""
    if (game.version, game.deadline) != (seen.version, seen.deadline):
        raise Unchanged


def _level(seat: Seat) -> str:
    return seat.bot or "easy"
