"""Before the first card: making a table, joining, leaving, starting; and the next game."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field

from django.contrib.auth import get_user_model
from django.db import transaction

from accounts import ties
from games import clock, notices, rules
from games.bots import LEVELS
from games.broadcast import announce
from games.models import Game, Seat, new_code
from games.services.change import Refused, Unchanged, begin_turn, change, deadline_of

USUAL_PRESETS = {"matatu": "rwanda", "maumau": "mau"}  # as most people know the games
MOST_OPEN_TABLES = 5  # that one person may host at a time


@dataclass(frozen=True)
class Terms:
    """What a table is opened with; frozen for everybody who joins.

    `options` are differences from the preset; a `series` of `length` games is one of series.KINDS,
    or "" for a single game.
    """

    variant: str
    preset: str
    seats: int
    options: Mapping[str, object] = field(default_factory=dict)
    pace: str = Game.Pace.NONE
    public: bool = False
    series: str = ""
    length: int = 1


def create(user, terms: Terms) -> Game:
    """Open a table with `user` as host on the first seat, and return it.

    Raises rules.OptionError for options that RULES.md does not know, KeyError for an unknown
    variant or preset, Refused("pace_needed") for a public table without a limit (MT-30),
    Refused("muted" or "too_many_tables").
    """
    differences = {**rules.PRESETS[terms.variant][terms.preset], **terms.options}
    options = rules.options_for(terms.variant, differences, terms.seats).to_json()
    if terms.public and terms.pace == Game.Pace.NONE:
        raise Refused("pace_needed")
    if terms.public and user.is_muted:
        raise Refused("muted")
    with transaction.atomic(durable=True):
        _refuse_too_many_tables(user)
        game = Game(
            variant=terms.variant,
            preset=terms.preset,
            options=options,
            seat_count=terms.seats,
            pace=terms.pace,
            public=terms.public,
            series=terms.series,
            series_length=terms.length,
            host=user,
            created_at=clock.now(),
        )
        open_table(game)
        Seat.objects.create(game=game, number=0, user=user)
    return game


def join(user, game_id: str) -> None:
    """Give `user` a free seat, or the one kept for them; when all are there the game starts.

    Joining twice is joining once. Raises Refused("already_started" or "table_full"); the table is
    full, too, for whoever was blocked by somebody there, and shall not learn of it.
    """
    with change(game_id) as game:
        mine = game.seat_of(user)
        if mine and mine.joined:
            raise Unchanged
        _refuse_unless_waiting(game)
        if not is_welcome(user, game):
            raise Refused("table_full")
        if mine:
            mine.joined = True
            mine.save(update_fields=["joined"])
        else:
            _take_a_seat(game, user=user)
        if not _host_is_there(game):
            game.host = user
        deal_if_all_are_there(game)


def is_welcome(user, game: Game) -> bool:
    """Return whether nobody who is at this table has blocked `user` (or anybody, signed in or not).

    Reads the prefetched seats.
    """
    there = [seat.user_id for seat in game.seats.all() if seat.user_id and seat.joined]
    return user.pk is None or not ties.is_blocked(user.pk, there)


def leave(user, game_id: str) -> None:
    """Free the seat of `user` at a table that still waits; without people it closes.

    The host's place passes to the person who sits longest. Leaving twice is leaving once.
    Raises Refused("already_started").
    """
    with change(game_id) as game:
        mine = game.seat_of(user)
        if mine is None:
            raise Unchanged
        _refuse_unless_waiting(game)
        _vacate(game, mine)


def add_bot(user, game_id: str, level: str) -> None:
    """Seat a bot of that level. Raises Refused("not_host", "table_full", "already_started"),
    KeyError for a level that there is not."""
    LEVELS[level]
    with change(game_id) as game:
        _refuse_unless_host(game, user)
        _refuse_unless_waiting(game)
        _take_a_seat(game, bot=level)
        deal_if_all_are_there(game)


def invite(user, game_id: str, name: str) -> None:
    """Keep a free seat for the person of this name, who is told of it.

    Inviting twice is inviting once. Raises Refused("not_host", "already_started", "muted",
    "nobody", "you_blocked" or "table_full"). Whoever has blocked the host is nobody.
    """
    with change(game_id) as game:
        _refuse_unless_host(game, user)
        _refuse_unless_waiting(game)
        if user.is_muted:
            raise Refused("muted")
        guest = get_user_model().objects.called(name)
        if guest is None or ties.is_blocked(user.pk, [guest.pk]):
            raise Refused("nobody")
        if ties.is_blocked(guest.pk, [user.pk]):
            raise Refused("you_blocked")
        if game.seat_of(guest):
            raise Unchanged
        _take_a_seat(game, user=guest, joined=False)
        notices.invite(game, notices.INVITED, [guest.pk])


def remove(user, game_id: str, key: int) -> None:
    """Free the seat with this key, a bot's or a person's; removing twice is removing once.

    Raises Refused("not_host" or "already_started").
    """
    with change(game_id) as game:
        _refuse_unless_host(game, user)
        _refuse_unless_waiting(game)
        seat = next((seat for seat in game.seats.all() if seat.pk == key), None)
        if seat is None or seat.user_id == user.pk:
            raise Unchanged
        _vacate(game, seat)


def allow_watching(user, game_id: str, *, allowed: bool) -> None:
    """Say whether those without a seat may look on at a public table while the game runs.

    Saying it twice is saying it once. Raises Refused("not_host").
    """
    with change(game_id) as game:
        _refuse_unless_host(game, user)
        if game.watchable == allowed:
            raise Unchanged
        game.watchable = allowed


def start(user, game_id: str) -> None:
    """Begin with those who are there, the host among them. Starting twice is starting once.

    Raises Refused("not_host" or "need_players").
    """
    with change(game_id) as game:
        _refuse_unless_host(game, user)
        if game.status != Game.Status.WAITING:
            raise Unchanged
        game.seats.filter(user=user).update(joined=True)
        game.seats.filter(joined=False).delete()
        if game.seats.count() < 2:
            raise Refused("need_players")
        _deal(game)


def rematch(user, game_id: str) -> str:
    """Open the next game with the same seats invited, or join it; return its id.

    However many ask, there is exactly one: the old game's row is the lock. Raises
    Refused("not_seated" or "not_over"), and what `join` raises.
    """
    with transaction.atomic(durable=True):
        games = Game.objects.select_for_update(no_key=True).prefetch_related("seats")
        old = games.get(pk=game_id)
        if old.seat_of(user) is None:
            raise Refused("not_seated")
        if old.status != Game.Status.FINISHED:
            raise Refused("not_over")
        following = Game.objects.filter(rematch_of=old).values_list("pk", flat=True).first()
        following = following or _open_rematch(old, user).pk
    join(user, following)
    return following


def close(game: Game) -> None:
    """End a lobby that never became a game. For use inside `change`.

    It is nobody's rematch either: another one can be asked for.
    """
    game.status = Game.Status.CLOSED
    game.rematch_of = None


# --- Inside the lock ---------------------------------------------------------------------------


def _refuse_unless_waiting(game: Game) -> None:
    if game.status != Game.Status.WAITING:
        raise Refused("closed" if game.status == Game.Status.CLOSED else "already_started")


def _refuse_unless_host(game: Game, user) -> None:
    if game.host_id != user.pk:
        raise Refused("not_host")


def _host_is_there(game: Game) -> bool:
    """Whether the host sits here: one who is only invited may never come to start the game."""
    return any(seat.joined and seat.user_id == game.host_id for seat in game.seats.all())


def _refuse_too_many_tables(user) -> None:
    # Two presses count one after the other. No key: a notice for this person waits for nobody.
    get_user_model().objects.select_for_update(no_key=True).get(pk=user.pk)
    # Who was only invited, and left with the table by its host, has opened none.
    there = Seat.objects.filter(user=user, joined=True, game__host=user)
    if there.filter(game__status=Game.Status.WAITING).count() >= MOST_OPEN_TABLES:
        raise Refused("too_many_tables")


def open_table(game: Game) -> None:
    """Save a table that is new, with a code of its own. Inside a transaction only."""
    while Game.objects.filter(code=game.code).exists():
        game.code = new_code()  # codes are short: some day one comes twice
    game.deadline = deadline_of(game)
    game.save(force_insert=True)
    announce(game.pk, game.version, listed=game.public)


def _take_a_seat(game: Game, **who: object) -> None:
    taken = {seat.number for seat in game.seats.all()}
    if len(taken) == game.seat_count:
        raise Refused("table_full")
    Seat.objects.create(game=game, number=min(set(range(game.seat_count)) - taken), **who)


def _vacate(game: Game, seat: Seat) -> None:
    """Free a seat; choose the host from the people who stay, or close the table.

    Amid a series nobody else can take it: the others go on without, if there are two.
    """
    seat.delete()
    stay = list(game.seats.order_by("-joined", "pk").select_related("user"))
    people = [each.user for each in stay if each.user_id]
    if seat.user_id == game.host_id:
        game.host = people[0] if people else None
    if not people or (game.is_amid_a_series() and len(stay) < 2):
        close(game)
    elif game.is_amid_a_series():
        game.seat_count = len(stay)
        deal_if_all_are_there(game)


def deal_if_all_are_there(game: Game) -> None:
    """Begin a game whose seats are all taken. For use inside `change`."""
    if game.seats.filter(joined=True).count() == game.seat_count:
        _deal(game)


def _deal(game: Game) -> None:
    """Close the empty seats up, draw a seed, and deal (CONTRACTS section 6)."""
    seats = list(game.seats.order_by("number"))
    for number, seat in enumerate(seats):
        if seat.number != number:
            seat.number = number
            seat.save(update_fields=["number"])
    seed = secrets.token_bytes(rules.SEED_BYTES)
    options = rules.options_for(game.variant, game.options, len(seats))
    state = rules.start(game.variant, len(seats), seed, options, **_from_the_last_game(game, seats))
    game.seat_count = len(seats)
    game.commitment = rules.commitment(seed, game.pk)
    game.status = Game.Status.PLAYING
    game.started_at = game.at
    game.state = state.to_json()
    game.turn = state.turn
    game.turn_version = game.version + 1
    game._prefetched_objects_cache = {}  # type: ignore[attr-defined]  # the seats have moved up
    begin_turn(game)


def _from_the_last_game(game: Game, seats: list[Seat]) -> dict[str, int | None]:
    """The deal moves on one seat (MT-6); who won last counts only if they sit here again."""
    if game.rematch_of is None:
        return {}
    last = game.rematch_of
    winner = last.seats.filter(place=1).order_by("number").first()
    same = [
        seat.number for seat in seats if winner and seat.user_id and seat.user_id == winner.user_id
    ]
    return {
        "dealer": (last.position().dealer + 1) % len(seats),
        "last_winner": same[0] if same else None,
    }


def _open_rematch(old: Game, user) -> Game:
    kept_apart = ties.kept_apart_from(user.pk)
    seats = [
        seat
        for seat in old.seats.all()
        if (seat.user_id or seat.bot) and seat.user_id not in kept_apart
    ]
    scores = _scores_so_far(old, seats)
    game = Game(
        variant=old.variant,
        preset=old.preset,
        options=old.options,
        seat_count=len(seats) if scores else old.seat_count,
        pace=old.pace,
        public=old.public,
        host=user,
        round=old.round + 1,
        series=old.series,
        series_length=old.series_length,
        series_game=old.series_played() + 1 if scores else 1,
        rematch_of=old,
        created_at=clock.now(),
    )
    open_table(game)
    Seat.objects.bulk_create(
        Seat(
            game=game,
            number=seat.number,
            user=seat.user,
            bot=seat.bot,
            joined=bool(seat.bot),
            score=scores.get(seat.number, 0),
        )
        for seat in seats
    )
    others = [seat.user_id for seat in seats if seat.user_id not in (None, user.pk)]
    notices.invite(game, notices.REMATCH, others)
    # Those who still look at the end of the old game see that the next one is open.
    old.version += 1
    old.save(update_fields=["version"])
    announce(old.pk, old.version)
    return game


def _scores_so_far(old: Game, seats: list[Seat]) -> dict[int, int]:
    """With what score each seat goes on, by number; nothing if the next game begins anew."""
    if not old.series or old.series_winner() or len(seats) < 2:
        return {}
    numbers = [seat.number for seat in old.seats.all()]
    return dict(zip(numbers, old.series_scores(), strict=True))
