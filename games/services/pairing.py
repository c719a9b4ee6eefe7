"""Quick games: whoever looks for people to play with now is put together with who else does.

Whoever looks has one row. Its page asks again and again, which is the sign of life; whoever has
given none for a while is paired with nobody. Each look pairs those who can be, so nothing else has
to run: where nobody looks, nobody waits.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import QuerySet

from accounts import ties
from games import clock, rules
from games.models import Game, Seat, Seek
from games.services.change import Refused, conclude
from games.services.lobby import USUAL_PRESETS, deal_if_all_are_there, open_table
from games.services.votes import voters

ALIVE = timedelta(seconds=25)  # for so long a sign of life counts; pages give one each 3 seconds
PATIENCE = timedelta(seconds=30)  # then bots come, for those who have agreed
RECENT = timedelta(minutes=5)  # for so long whoever comes back is led to the game that began
FORGOTTEN = timedelta(hours=1)
PACES = [pace for pace in Game.Pace if pace.is_live]
LEVEL = "easy"
Pair = frozenset[int]


@dataclass(frozen=True)
class Sought:
    """What somebody would like to play: with how many at the table, how fast (one of PACES), and
    whether bots may take the seats that are left after PATIENCE."""

    variant: str
    seats: int
    pace: str
    bots: bool = False


def seek(user, sought: Sought) -> None:
    """Let `user` look for people from now on; who does so already, for just that, keeps the place.

    Raises Refused("still_playing") for who is awaited at another live table with people;
    rules.OptionError if so many cannot sit at one table (MT-3, MM-1, MM-3).
    """
    options_of(sought.variant, sought.seats)
    if _plays_with_people(user):
        raise Refused("still_playing")
    now = clock.now()
    what = {"variant": sought.variant, "seat_count": sought.seats, "pace": sought.pace}
    with transaction.atomic(durable=True):
        # The person is the lock: two presses are one.
        get_user_model().objects.select_for_update(no_key=True).get(pk=user.pk)
        if not _alive(now).filter(user=user, **what).update(bots=sought.bots):
            fresh = what | {"bots": sought.bots, "asked_at": now, "seen_at": now, "game": None}
            Seek.objects.update_or_create(user=user, defaults=fresh)
    _pair(sought.variant, sought.seats, sought.pace)


def look_again(user) -> Seek | None:
    """Note that `user` still waits, pair whoever can be, and return what they look for, with the
    game if one has just begun; None if they look for nothing, or have been away for too long."""
    now = clock.now()
    waits = _alive(now).filter(user=user)
    sought = waits.values_list("variant", "seat_count", "pace").first()
    if sought:
        waits.update(seen_at=now)
        _pair(*sought)
    mine = Seek.objects.filter(user=user, seen_at__gte=now - RECENT).select_related("game").first()
    return mine if mine and _is_of_use(mine, now) else None


def _is_of_use(mine: Seek, now: datetime) -> bool:
    """Whether its person still waits, or is awaited at the game that came of it."""
    if mine.game is None:
        return mine.seen_at >= now - ALIVE
    people = voters(mine.game) if mine.game.status == Game.Status.PLAYING else []
    return mine.user_id in [seat.user_id for seat in people]


def options_of(variant: str, seats: int) -> rules.Options:
    """Return the rules of a quick game. Raises rules.OptionError if so many cannot play it."""
    return rules.options_for(variant, rules.PRESETS[variant][USUAL_PRESETS[variant]], seats)


def stop_seeking(user) -> None:
    """Let `user` look for nobody any more. Stopping twice is stopping once."""
    Seek.objects.filter(user=user).delete()


def forget_old_seeks() -> int:
    """Delete what people looked for more than an hour ago; return how many there were."""
    old = Seek.objects.filter(seen_at__lt=clock.now() - FORGOTTEN)
    return old.delete()[0]


def seekers(user) -> list[Seek]:
    """Return who waits now, of those whom `user` could be paired with, themselves among them; the
    longest first. `user` is a person or anonymous."""
    apart = ties.kept_apart_from(user.pk) if user.pk else set()
    return list(_alive(clock.now()).exclude(user__in=apart).order_by("asked_at", "pk"))


def group(waiting: Sequence[Seek], seats: int, apart: Iterable[Pair], now: datetime) -> list[Seek]:
    """Return who plays together now, of those who wait for the same, the longest first; or nobody.

    Whoever has waited longest comes first, with those after them whom nothing keeps apart (`apart`:
    pairs of user keys). If they are too few, bots fill up for whoever has agreed and waited long
    enough, with all who have agreed.
    """
    kept = set(apart)
    for first in waiting:
        chosen = _beside(first, waiting, seats, kept)
        if len(chosen) == seats:
            return chosen
    agreed = [each for each in waiting if each.bots]
    for first in agreed:
        if first.asked_at + PATIENCE <= now:
            return _beside(first, agreed, seats, kept)
    return []


def _beside(first: Seek, waiting: Sequence[Seek], seats: int, apart: set[Pair]) -> list[Seek]:
    chosen = [first]
    for other in waiting:
        pairs = (frozenset((other.user_id, each.user_id)) for each in chosen)
        if other not in chosen and len(chosen) < seats and apart.isdisjoint(pairs):
            chosen.append(other)
    return chosen


def _alive(now: datetime) -> QuerySet[Seek]:
    return Seek.objects.filter(game=None, seen_at__gte=now - ALIVE, user__is_active=True)


def _pair(variant: str, seats: int, pace: str) -> None:
    """Begin all the games that can begin."""
    while _pair_once(variant, seats, pace):
        pass


def _pair_once(variant: str, seats: int, pace: str) -> bool:
    with transaction.atomic(durable=True):
        now = clock.now()
        same = _alive(now).filter(variant=variant, seat_count=seats, pace=pace)
        # The rows are the lock, always in this order; whoever waited for it sees who is left.
        locked = same.select_for_update(no_key=True, of=("self",)).order_by("asked_at", "pk")
        waiting = list(locked)
        apart = ties.pairs_apart([each.user_id for each in waiting]) if len(waiting) > 1 else ()
        chosen = group(waiting, seats, apart, now)
        if chosen:
            game = _begin(chosen, now)
            Seek.objects.filter(pk__in=[each.pk for each in chosen]).update(game=game)
    return bool(chosen)


def _begin(chosen: Sequence[Seek], now: datetime) -> Game:
    """Deal for these people, and bots on the seats that are left."""
    first = chosen[0]
    game = Game(
        variant=first.variant,
        preset=USUAL_PRESETS[first.variant],
        options=options_of(first.variant, first.seat_count).to_json(),
        seat_count=first.seat_count,
        pace=first.pace,
        public=True,
        host_id=first.user_id,
        created_at=now,
    )
    open_table(game)
    Seat.objects.bulk_create(
        Seat(game=game, number=number, user_id=chosen[number].user_id)
        if number < len(chosen)
        else Seat(game=game, number=number, bot=LEVEL)
        for number in range(first.seat_count)
    )
    game.at, game.news = now, []
    deal_if_all_are_there(game)
    conclude(game)
    return game


def _plays_with_people(user) -> bool:
    """Whether others wait for this person at a live table."""
    running = Game.objects.of(user).filter(status=Game.Status.PLAYING, pace__in=PACES)
    there = [voters(game) for game in running.with_people()]
    return any(len(people) > 1 and user.pk in [s.user_id for s in people] for people in there)
