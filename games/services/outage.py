"""Time in which the server did not act, given back to those whose turn it was."""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, F, OuterRef, QuerySet

from games import clock
from games.broadcast import announce
from games.deadlines import Pause
from games.models import Game, Seat, Sweep
from games.services.change import deadline_of

OUTAGE = timedelta(seconds=5)  # without a sweep
OFTEN = timedelta(seconds=1)  # more often than this the sweep need not be noted


def keep_time() -> bool:
    """Note that the sweep runs; return whether it may act: it may not while clocks are frozen.

    If it has not run for more than five seconds, every person's running turn first gets that time
    back: once, whoever else sweeps at the same time.
    """
    with transaction.atomic(durable=True):
        sweep, now = _sweep()
        if sweep.frozen_at:
            return False
        lost = now - sweep.ran_at
        if lost > OUTAGE:
            _give_back(lost)
        if lost > OFTEN:
            sweep.ran_at = now
            sweep.save()
    return True


def freeze() -> bool:
    """Stop all that the server does by itself; return whether it was not so already."""
    with transaction.atomic(durable=True):
        sweep, now = _sweep()
        if sweep.frozen_at:
            return False
        sweep.frozen_at = now
        sweep.save()
        _announce_all()
    return True


def release() -> bool:
    """Let the server act again, and give the time since the last sweep back; return whether clocks
    were frozen."""
    with transaction.atomic(durable=True):
        sweep, now = _sweep()
        if not sweep.frozen_at:
            return False
        _give_back(now - sweep.ran_at)
        sweep.ran_at, sweep.frozen_at = now, None
        sweep.save()
    return True


def _sweep() -> tuple[Sweep, datetime]:
    """The one row, locked, and the instant, which no test puts forward: what counts is how long the
    server was away."""
    now = clock.unmoved()
    Sweep.objects.get_or_create(pk=1, defaults={"ran_at": now})
    return Sweep.objects.select_for_update().get(pk=1), now


def _give_back(lost: timedelta) -> None:
    """Let the running turns of people stand still for the time that was lost.

    It is the one change that is made to many games at once, and so does not go through `change`.
    """
    now = clock.now()
    running = _running_turns().select_for_update(no_key=True).prefetch_related("seats")
    games = list(running.order_by("pk"))
    for game in games:
        pause = Pause(max(game.turn_began or now, now - lost), now, "outage")
        game.pauses = [*game.pauses, pause.to_json()]
        # Bots who are about to look who forgot Mau do so as soon as they can.
        game.deadline = deadline_of(game)
    Game.objects.bulk_update(games, ["pauses", "deadline"], batch_size=500)
    _announce_all()


def _announce_all() -> None:
    """Make a new version of what shows a clock, and say so."""
    _running_turns().update(version=F("version") + 1)
    for pk, version in _running_turns().values_list("pk", "version"):
        announce(pk, version)


def _running_turns() -> QuerySet[Game]:
    """Games in which a person is to act by some time."""
    person = Seat.objects.filter(
        game=OuterRef("pk"), number=OuterRef("turn"), bot="", absent=False, user__isnull=False
    )
    return Game.objects.filter(Exists(person), deadline__isnull=False).exclude(pace=Game.Pace.NONE)
