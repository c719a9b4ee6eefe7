"""Before the first card: opening, joining, leaving, starting."""

from datetime import timedelta

import pytest

from games import clock, rules, services
from games.models import ClockOffset, Game


def test_the_one_who_opens_a_table_is_its_host_on_the_first_seat(lobby, alice):
    assert lobby.status == Game.Status.WAITING
    assert lobby.host == alice
    assert [seat.user for seat in lobby.seats.all()] == [alice]


def test_the_last_one_to_join_starts_the_game(lobby, bob):
    services.join(bob, lobby.pk)
    lobby.refresh_from_db()
    assert lobby.status == Game.Status.PLAYING
    assert lobby.turn in (0, 1)
    assert len(lobby.commitment) == 64
    assert lobby.deadline is None


def test_joining_twice_is_joining_once(lobby, alice, bob):
    services.join(alice, lobby.pk)
    assert lobby.seats.count() == 1
    services.join(bob, lobby.pk)
    services.join(bob, lobby.pk)
    lobby.refresh_from_db()
    assert lobby.version == 1


def test_a_full_table_takes_nobody(game, charlie):
    with pytest.raises(services.Refused, match="already_started"):
        services.join(charlie, game.pk)
    assert game.seats.count() == 2


def test_a_host_starts_with_those_who_are_there_and_the_empty_seats_close_up(alice, bob, charlie):
    table = services.create(alice, services.Terms("matatu", "rwanda", 4))
    services.join(bob, table.pk)
    services.join(charlie, table.pk)
    services.leave(bob, table.pk)
    services.start(alice, table.pk)
    table.refresh_from_db()
    assert table.seat_count == 2
    assert list(table.seats.order_by("number").values_list("number", "user__name")) == [
        (0, "Alice"),
        (1, "Charlie"),
    ]


def test_only_the_host_starts_and_not_alone(lobby, alice, bob):
    with pytest.raises(services.Refused, match="not_host"):
        services.start(bob, lobby.pk)
    with pytest.raises(services.Refused, match="need_players"):
        services.start(alice, lobby.pk)


def test_the_host_passes_to_the_eldest_and_a_deserted_table_closes(alice, bob):
    table = services.create(alice, services.Terms("matatu", "rwanda", 3))
    services.join(bob, table.pk)
    services.leave(alice, table.pk)
    table.refresh_from_db()
    assert table.host == bob
    services.leave(bob, table.pk)
    table.refresh_from_db()
    assert table.status == Game.Status.CLOSED
    assert table.deadline is None


@pytest.fixture
def rematch(alice, bob, charlie) -> Game:
    """The next game of Alice, who asked for it and has gone again; the others are invited."""
    game = services.create(alice, services.Terms("matatu", "rwanda", 5))
    for level in ("easy", "easy"):
        services.add_bot(alice, game.pk, level)
    services.join(bob, game.pk)
    services.join(charlie, game.pk)
    for person in (alice, bob, charlie):
        services.act(person, game.pk, rules.Move("resign"), 0)
    following = services.rematch(alice, game.pk)
    services.leave(alice, following)
    return Game.objects.get(pk=following)


def test_whoever_comes_first_to_a_table_without_its_host_is_the_host(rematch, bob, charlie):
    assert rematch.host == bob, "bob is invited, and may never come"
    services.join(charlie, rematch.pk)
    rematch.refresh_from_db()
    assert rematch.host == charlie
    services.start(charlie, rematch.pk)
    assert set(rematch.seats.values_list("user", "bot")) == {(charlie.pk, ""), (None, "easy")}


def test_an_invited_host_who_starts_the_game_plays_in_it(rematch, bob):
    services.start(bob, rematch.pk)
    rematch.refresh_from_db()
    assert rematch.status == Game.Status.PLAYING
    assert rematch.seats.get(user=bob).joined
    assert rematch.seats.count() == 3


def test_nobody_leaves_a_running_game(game, bob):
    with pytest.raises(services.Refused, match="already_started"):
        services.leave(bob, game.pk)


def test_a_forgotten_lobby_is_closed_by_the_clock(lobby, settings):
    settings.TEST_CLOCK = True
    assert not services.serve_one_overdue_game(print)
    ClockOffset.objects.create(offset=timedelta(days=8))
    assert services.serve_one_overdue_game(print)
    assert not services.serve_one_overdue_game(print)
    lobby.refresh_from_db()
    assert lobby.status == Game.Status.CLOSED


def test_the_clock_cannot_be_put_forward_on_a_real_site(db, settings):
    settings.TEST_CLOCK = False
    ClockOffset.objects.create(offset=timedelta(days=8))
    before = clock.now()
    assert abs(clock.now() - before) < timedelta(minutes=1)
    settings.TEST_CLOCK = True
    assert clock.now() - before > timedelta(days=7)
