"""Before the first card: making a table, joining, leaving, starting."""

import secrets
from collections.abc import Mapping

from django.db import transaction

from games import clock, rules
from games.models import Game, Seat
from games.services.change import Refused, Unchanged, change, deadline_of


def create(
    user, variant: str, preset: str, seats: int, options: Mapping[str, object] | None = None
) -> Game:
    """Open a table of `seats` places with `user` as host on the first, and return it.

    `options` are differences from the preset. Raises rules.OptionError for options that
    RULES.md does not know, KeyError for an unknown variant or preset.
    """
    differences = {**rules.PRESETS[variant][preset], **(options or {})}
    game = Game(
        variant=variant,
        preset=preset,
        options=rules.options_for(variant, differences, seats).to_json(),
        seat_count=seats,
        host=user,
        created_at=clock.now(),
    )
    game.deadline = deadline_of(game)
    with transaction.atomic(durable=True):
        game.save(force_insert=True)
        Seat.objects.create(game=game, number=0, user=user)
    return game


def join(user, game_id: str) -> None:
    """Give `user` the first free seat; the last one to join starts the game.

    Joining twice is joining once. Raises Refused("already_started" or "table_full").
    """
    with change(game_id) as game:
        taken = {seat.number: seat.user_id for seat in game.seats.all()}
        if user.pk in taken.values():
            raise Unchanged
        if game.status != Game.Status.WAITING:
            raise Refused("already_started")
        if len(taken) == game.seat_count:
            raise Refused("table_full")
        free = min(set(range(game.seat_count)) - set(taken))
        Seat.objects.create(game=game, number=free, user=user)
        if len(taken) + 1 == game.seat_count:
            _deal(game)


def leave(user, game_id: str) -> None:
    """Free the seat of `user` at a table that still waits; a deserted table closes.

    The host's place passes to whoever sits longest. Leaving twice is leaving once.
    Raises Refused("already_started").
    """
    with change(game_id) as game:
        if not game.seats.filter(user=user).exists():
            raise Unchanged
        if game.status != Game.Status.WAITING:
            raise Refused("already_started")
        game.seats.filter(user=user).delete()
        eldest = game.seats.order_by("pk").first()
        game.host = eldest.user if eldest else None
        if not eldest:
            close(game)


def start(user, game_id: str) -> None:
    """Begin with the people who are there. Starting twice is starting once.

    Raises Refused("not_host" or "need_players").
    """
    with change(game_id) as game:
        if game.host_id != user.pk:
            raise Refused("not_host")
        if game.status != Game.Status.WAITING:
            raise Unchanged
        if game.seats.count() < 2:
            raise Refused("need_players")
        _deal(game)


def close(game: Game) -> None:
    """End a lobby that never became a game. For use inside `change`."""
    game.status = Game.Status.CLOSED


def _deal(game: Game) -> None:
    """Close the empty seats up, draw a seed, and deal (CONTRACTS section 6)."""
    seats = list(game.seats.order_by("number"))
    for number, seat in enumerate(seats):
        if seat.number != number:
            seat.number = number
            seat.save(update_fields=["number"])
    seed = secrets.token_bytes(rules.SEED_BYTES)
    options = rules.options_for(game.variant, game.options, len(seats))
    state = rules.start(game.variant, len(seats), seed, options)
    game.seat_count = len(seats)
    game.commitment = rules.commitment(seed, game.pk)
    game.status = Game.Status.PLAYING
    game.started_at = clock.now()
    game.state = state.to_json()
    game.turn = state.turn
