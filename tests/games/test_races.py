"""Real threads on PostgreSQL: what two people do in the same instant."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection

from accounts.models import User
from games import services
from games.models import Game
from tests.games.playing import first_move, person_in_turn

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(*acts) -> list:
    """Do all `acts` in threads that start together; return their results or errors."""
    gate = Barrier(len(acts))

    def run(act):
        gate.wait()
        try:
            return act()
        except Exception as error:  # noqa: BLE001  the test looks at what came
            return error
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(run, acts))


@pytest.mark.parametrize("_", range(5))
def test_three_people_and_one_seat(lobby, _):
    people = [User.objects.create_user(name) for name in ("Dora", "Emil", "Fred")]
    results = at_once(*[lambda p=p: services.join(p, lobby.pk) for p in people])
    assert sorted(isinstance(r, services.Refused) for r in results) == [False, True, True]
    assert lobby.seats.count() == 2


@pytest.mark.parametrize("_", range(5))
def test_the_same_move_twice_is_made_once(game, _):
    mover, move = person_in_turn(game), first_move(game)
    results = at_once(*[lambda: services.act(mover, game.pk, move, game.version)] * 4)
    assert results == [None] * 4
    game.refresh_from_db()
    assert (game.version, game.move_count) == (2, 1)


@pytest.mark.parametrize("_", range(5))
def test_two_different_moves_and_only_one_is_made(game, _):
    mover = person_in_turn(game)
    choices = {move.do: move for move in (first_move(game), services_draw(game))}
    results = at_once(
        *[lambda m=m: services.act(mover, game.pk, m, game.version) for m in choices.values()]
    )
    stale = [isinstance(result, services.StaleVersion) for result in results]
    assert sum(stale) == len(choices) - 1
    game.refresh_from_db()
    assert game.move_count == 1


def services_draw(game: Game):
    """Return the move of drawing a card."""
    from games import rules

    return rules.Move(do="draw")


@pytest.mark.parametrize("_", range(5))
def test_start_against_leave(alice, bob, _):
    table = services.create(alice, services.Terms("matatu", "rwanda", 3))
    services.join(bob, table.pk)
    at_once(lambda: services.start(alice, table.pk), lambda: services.leave(bob, table.pk))
    table.refresh_from_db()
    if table.status == Game.Status.PLAYING:
        assert table.seats.count() == 2
    else:
        assert (table.status, table.seats.count()) == (Game.Status.WAITING, 1)


def test_both_resign_at_once(game, alice, bob):
    from games import rules

    resign = rules.Move(do="resign")
    at_once(
        lambda: services.act(alice, game.pk, resign, game.version),
        lambda: services.act(bob, game.pk, resign, game.version),
    )
    game.refresh_from_db()
    assert game.status == Game.Status.FINISHED
    assert sorted(game.seats.values_list("place", flat=True)) == [1, 2]
