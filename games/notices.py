"""Who is to be told what: rows for accounts' delivery door, written with the move itself."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.lookups import GreaterThan, In, IsNull

from accounts import delivery
from accounts.channels import DAYS, HOURS, LIVE, NEAR, PARTS
from accounts.delivery import News
from accounts.models import Notice
from games import clock
from games.deadlines import deadline
from games.models import Game, Seat

KINDS = (
    TURN := "turn",
    INVITED := "invited",
    STARTED := "started",
    ABSENT := "absent",
    REMATCH := "rematch",
    OVER := "over",
    CAUGHT := "caught",
    *(f"{NEAR}{part}" for part in PARTS),
)
FRESH = timedelta(days=14)  # for so long news waits to be read


def write(game: Game) -> None:
    """Write the notices that the present version of a game makes due. Inside `change` only."""
    delivery.write([*_of_the_turn(game), *_of_the_game(game)])


def invite(game: Game, kind: str, user_ids: list[int]) -> None:
    """Tell people that a seat is kept for them. Inside the transaction that keeps it only."""
    delivery.write(_news(game, kind, user_id, clock.now()) for user_id in user_ids)


def speed_of(game: Game) -> str:
    """Return how quick a table is, in the three columns of channels.DEFAULTS."""
    pace = Game.Pace(game.pace)
    if pace.is_of_days:
        return DAYS
    return HOURS if pace.is_slow else LIVE


def _of_the_turn(game: Game) -> Iterator[News]:
    """That it is somebody's turn, and later that it soon is over."""
    seat, seconds = game.seat_in_turn(), Game.Pace(game.pace).seconds
    if seat is None or seat.user_id is None or seat.absent or game.turn_version != game.version:
        return
    if speed_of(game) == LIVE or seconds is None or game.turn_began is None:
        return
    yield _news(game, TURN, seat.user_id, game.at)
    for part in game.reminders:
        yield _news(game, f"{NEAR}{part}", seat.user_id, _when_over(game, seconds, part))


def _when_over(game: Game, seconds: int, part: int) -> datetime:
    """When so many percent of the running turn are over."""
    began = game.turn_began or game.at
    return deadline(seconds * part / 100, began, game.turn_pauses(), game.turn_night())


def _of_the_game(game: Game) -> Iterator[News]:
    """That it has begun or is over, and what has happened to somebody at a table of hours."""
    people = [seat for seat in game.seats.all() if seat.user_id]
    begins = game.status == Game.Status.PLAYING and game.turn_version == game.version
    if begins and game.move_count == 0:
        for seat in people:
            if seat.number != game.turn or speed_of(game) == LIVE:
                yield _news(game, STARTED, seat.user_id, game.at)
    if speed_of(game) == LIVE:
        return
    if game.status == Game.Status.FINISHED:
        for seat in people:
            yield _news(game, OVER, seat.user_id, game.at)
    for kind, number in game.news:
        for seat in people:
            if seat.number == number:
                yield _news(game, kind, seat.user_id, game.at)


def _news(game: Game, kind: str, user_id: int | None, due_at: datetime) -> News:
    return News(user_id or 0, kind, game.pk, game.version, speed_of(game), due_at)


# --- What is still true ---------------------------------------------------------------------------


def open_notices(user_id: int, kind: str = "") -> QuerySet[Notice]:
    """Return the notices of this person that are still true and not read, newest first; of one
    kind, or of all but reminders. Each with the `variant` of its game, and whether the person has
    `muted` it.

    A turn: it is still the same turn of the same person. News: nobody has read it, and it holds.
    """

    def of_kind(*kinds: str) -> Q:
        return Q(In(OuterRef("kind"), kinds))

    turns = [kind] if kind.startswith(NEAR) else [TURN]
    playing = Q(game__status=Game.Status.PLAYING)
    fresh = Q(GreaterThan(OuterRef("created_at"), clock.as_expression() - FRESH))
    unread = Q(IsNull(OuterRef("read_at"), True)) & fresh
    mine = Seat.objects.filter(game=OuterRef("about"), user=user_id)
    # One subquery, for this is a part of what is read for every push.
    holds = mine.filter(
        of_kind(*turns)
        & playing
        & Q(number=F("game__turn"), game__turn_version=OuterRef("version"))
        | unread
        & (
            of_kind(STARTED) & playing
            | of_kind(ABSENT) & playing & Q(absent=True)
            | of_kind(INVITED, REMATCH) & Q(joined=False, game__status=Game.Status.WAITING)
            | of_kind(OVER, CAUGHT)
        )
    )
    rows = Notice.objects.filter(Exists(holds), user=user_id, done_at=None)
    rows = rows.filter(kind=kind) if kind else rows
    rows = rows.annotate(
        variant=Subquery(mine.values("game__variant")), muted=Subquery(mine.values("muted"))
    )
    return rows.order_by("-created_at")


def due(notice: Notice) -> datetime | None:
    """Return when a reminder is due if that has moved since it was written."""
    if not notice.is_reminder:
        return None
    game = Game.objects.get(pk=notice.about)
    seconds = Game.Pace(game.pace).seconds
    part = int(notice.kind.removeprefix(NEAR))
    return None if seconds is None else _when_over(game, seconds, part)
