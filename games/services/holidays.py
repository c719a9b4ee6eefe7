"""Holidays: days on which the clocks of a person stand still at tables of days."""

from datetime import datetime, timedelta

from django.contrib.auth import get_user_model
from django.db import transaction

from games import clock
from games.deadlines import Pause
from games.models import Game, Holiday
from games.services.change import Refused, Unchanged, change, stand_still

BANK = timedelta(days=14)  # a year, by the calendar of UTC: so no game is held for ever
ONE_DAY = timedelta(days=1)


def left(user_id: int, at: datetime) -> timedelta:
    """Return how much holiday of its year a person still has at that instant."""
    this_year = Holiday.objects.filter(user=user_id, began_at__year=at.year)
    taken = (min(each.ends_at, at) - each.began_at for each in this_year)
    return max(BANK - sum(taken, timedelta(0)), timedelta(0))


def running(user_id: int, at: datetime) -> Holiday | None:
    """Return the holiday of a person that is not over at that instant."""
    return Holiday.objects.filter(user=user_id, ends_at__gt=at).order_by("ends_at").last()


def go(user) -> Holiday:
    """Let the holiday of `user` begin now; it ends with the bank, or by `come_home`.

    Going twice is going once. Raises Refused("no_holidays_left").
    """
    holiday = _begin(user.pk, BANK, automatic=False)
    _stop_clocks(holiday)
    return holiday


def come_home(user) -> None:
    """End the holiday of `user`, if there is one: the clocks run on."""
    now = clock.now()
    Holiday.objects.filter(user=user, ends_at__gt=now).update(ends_at=now)
    let_clocks_run(user.pk)


def let_clocks_run(user_id: int) -> None:
    """Cut what a holiday that is over would have brought to the running turns of that person."""
    for pk in _awaiting(user_id):
        with change(pk) as game:
            seat = game.seat_in_turn()
            if seat is None or seat.user_id != user_id or not _is_held(game):
                raise Unchanged
            game.pauses = [_cut(pause, game.at).to_json() for pause in game.turn_pauses()]


def take_a_day_instead(game: Game) -> bool:
    """Take a day of holiday for the person whose turn would be missed; return whether one was
    taken. Not where the pace is not of days, nor for who does not want it or has none left."""
    seat = game.seat_in_turn()
    if seat is None or seat.user_id is None or not Game.Pace(game.pace).is_of_days:
        return False
    person = get_user_model().objects.get(pk=seat.user_id)
    if not person.holidays_by_themselves:
        return False
    try:
        holiday = _begin(person.pk, ONE_DAY, automatic=True)
    except Refused:
        return False
    _stop_clocks(holiday)
    return True


def _begin(user_id: int, longest: timedelta, *, automatic: bool) -> Holiday:
    with transaction.atomic(durable=True):
        # Two at once take one after the other.
        get_user_model().objects.select_for_update(no_key=True).get(pk=user_id)
        now = clock.now()
        if going := running(user_id, now):
            if automatic or not going.automatic:
                return going
            going.ends_at = now  # who goes by himself goes for longer
            going.save(update_fields=["ends_at"])
        length = min(left(user_id, now), longest)
        if not length:
            raise Refused("no_holidays_left")
        return Holiday.objects.create(
            user_id=user_id, began_at=now, ends_at=now + length, automatic=automatic
        )


def _stop_clocks(holiday: Holiday) -> None:
    """Let the running turns of that person stand still; later ones see it when they begin."""
    for pk in _awaiting(holiday.user_id):
        with change(pk) as game:
            seat = game.seat_in_turn()
            if seat is None or seat.user_id != holiday.user_id or _is_held(game, holiday.ends_at):
                raise Unchanged
            stand_still(game, holiday.began_at, holiday.ends_at, "holiday")


def _awaiting(user_id: int) -> list[str]:
    games = Game.objects.awaiting(user_id).filter(seats__absent=False)
    slow = [pace for pace in Game.Pace if pace.is_of_days]
    return list(games.filter(pace__in=slow).values_list("pk", flat=True))


def _is_held(game: Game, until: datetime | None = None) -> bool:
    until = until or game.at
    return any(pause.why == "holiday" and pause.ends >= until for pause in game.turn_pauses())


def _cut(pause: Pause, at: datetime) -> Pause:
    """The pause without what a holiday that is over would have brought."""
    return pause._replace(ends=min(pause.ends, at)) if pause.why == "holiday" else pause
