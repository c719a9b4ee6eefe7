"""Reading games for those who may see them, in a fixed number of queries."""

import json
from functools import cache
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Exists, F, Func, IntegerField, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce, JSONObject, Least
from django.utils.crypto import constant_time_compare

from games import clock, notices
from games.models import Game, MoveRecord, Seat, Sweep
from games.presenters.document import Document

LOG_LENGTH = 12  # moves that are always told
SHOWN_OF_PEOPLE = {"id", "name", "letter_keys", "slip_guard", "sort_hand"}
MOST_TOLD = 60  # moves, at most, since the own last one
ANY_GAME, ANYBODY = "any game", -1  # what no id of a game or of an account is


def read(game_id: str, viewer) -> Game | None:
    """Return the game with all that `present` shows of it, None if the viewer may not see it.

    The seated may, and everybody at public tables, unless the host lets nobody look on, or somebody
    who sits there has blocked them. One query: every push to every viewer is one of these. Of the
    seats' people comes what is shown.
    """
    sql, parameters = _statement(settings.TEST_CLOCK)
    asked = {ANY_GAME: game_id, ANYBODY: viewer.pk or 0}
    rows: Any = Game.objects.raw(sql, [asked.get(value, value) for value in parameters])
    game: Any = next(iter(rows), None)
    if game is None:
        return None
    game.recent = [json.loads(told) for told in game.latest]
    _let_sit(game, [json.loads(told) for told in game.seated])
    return game if game.may_be_seen_by(viewer) else None


@cache
def _statement(test_clock: bool) -> tuple[str, tuple]:
    """The query of `read`, in SQL, with ANY_GAME and ANYBODY among its parameters.

    Kept, because Django takes several times as long to write it as PostgreSQL to answer it.
    """
    told = MoveRecord.objects.filter(game=OuterRef("pk")).order_by("-number")
    told = told.filter(number__gt=Least(OuterRef("move_count") - LOG_LENGTH, OuterRef("since")))
    shown = told.values(told=JSONObject(number="number", seat="seat", events="events"))
    row = Game.objects.filter(pk=ANY_GAME).annotate(
        since=_own_last_move(),
        read_at=clock.as_expression(),
        latest=ArraySubquery(shown[:MOST_TOLD]),
        seated=ArraySubquery(_seats()),
        clocks_are_frozen=Exists(Sweep.objects.filter(frozen_at__isnull=False)),
        viewer_is_blocked=Game.objects.all().has_blocker_of(ANYBODY),
        has_rematch=Exists(Game.objects.filter(rematch_of=OuterRef("pk"))),
        **_counts(ANYBODY),
    )
    return row.query.sql_with_params()


def _seats() -> QuerySet:
    """A game's seats with what is shown of their people, each as an object of JSON."""
    seats = Seat.objects.filter(game=OuterRef("pk")).order_by("number")
    person = JSONObject(**{name: f"user__{name}" for name in _of_people()})
    return seats.values(told=JSONObject(**{name: name for name in _of_seats()}, person=person))


def _of_seats() -> list[str]:
    return [field.attname for field in Seat._meta.concrete_fields]


def _of_people() -> list[str]:
    """In the order of the model's fields, which is the order that `from_db` takes values in."""
    fields = get_user_model()._meta.concrete_fields
    return [field.attname for field in fields if field.attname in SHOWN_OF_PEOPLE]


def _let_sit(game: Any, told: list[dict[str, Any]]) -> None:
    """Give a game its seats and their people, as if they had been prefetched."""
    user, seats = get_user_model(), []
    for each in told:
        seat = Seat.from_db(None, _of_seats(), [each[name] for name in _of_seats()])
        if seat.user_id is not None:
            shown = [each["person"][name] for name in _of_people()]
            seat.user = user.from_db(None, _of_people(), shown)
        seats.append(seat)
    cached: Any = game.seats.all()
    cached._result_cache, cached._prefetch_done = seats, True
    game._prefetched_objects_cache = {"seats": cached}


def _own_last_move() -> Subquery:
    """The number of the viewer's own last move, 0 before it, nothing for who has no seat."""
    own = MoveRecord.objects.filter(game=OuterRef("game"), seat=OuterRef("number"))
    last = own.filter(author=MoveRecord.Author.PLAYER).order_by("-number").values("number")[:1]
    seat = Seat.objects.filter(game=OuterRef("pk"), user=ANYBODY)
    return Subquery(seat.values(since=Coalesce(Subquery(last), 0)))


def read_finished(game_id: str, viewer, key: str = "") -> Game | None:
    """Return a finished game whose record and replay the viewer may see, else None.

    Everybody may at public tables; else its players, and whoever brings the key of its share link.
    """
    over = Game.objects.filter(pk=game_id, status=Game.Status.FINISHED)
    game = over.with_people().first()
    if game is None or not (game.public or game.seat_of(viewer) or _fits(game, key)):
        return None
    return game


def _fits(game: Game, key: str) -> bool:
    return bool(game.share_key) and constant_time_compare(game.share_key, key)


def counts(viewer) -> dict[str, int]:
    """Return in how many games (`turn_count`) the viewer is awaited, and of how many of those the
    inbox tells (`notice_count`). One query; none for the anonymous."""
    if not viewer.pk:
        return {"turn_count": 0, "notice_count": 0}
    row: Any = get_user_model().objects.filter(pk=viewer.pk).values(**_counts(viewer.pk)).get()
    return dict(row)


def _counts(user_id: int) -> dict[str, Subquery]:
    return {
        "turn_count": _number_of(Game.objects.awaiting(user_id)),
        "notice_count": _number_of(notices.open_notices(user_id)),
    }


def _number_of(rows: QuerySet) -> Subquery:
    counted = rows.order_by().values(n=Func(F("pk"), function="COUNT"))
    return Subquery(counted, output_field=IntegerField())


def recent_moves(game: Game) -> list[Document]:
    """The latest moves, newest first, as `read` brings them along: all since the viewer's own."""
    if hasattr(game, "recent"):
        return game.recent
    latest = game.moves.order_by("-number").values("number", "seat", "events")[:LOG_LENGTH]
    return [dict(record) for record in latest]
