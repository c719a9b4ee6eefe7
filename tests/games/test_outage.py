"""The site was away: nobody pays for it with his turn (B34)."""

from datetime import timedelta

import pytest
from django.core.management import call_command

from games import clock, services, tasks
from games.models import Game, MoveRecord, Sweep
from games.services.change import GRACE
from tests.games.playing import first_move, person_in_turn
from tests.games.test_clock import _movable_clock, now, put_forward, sweep, table
from tests.games.test_races import at_once

__all__ = ["_movable_clock"]  # a fixture, for every test here
pytestmark = pytest.mark.django_db(transaction=True)


def be_away(**time: int) -> None:
    """Let so much time pass in which no sweep ran."""
    put_forward(**time)
    row = Sweep.objects.get()
    row.ran_at -= timedelta(**time)
    row.save()


def left(game: Game) -> timedelta:
    return now(game).deadline - GRACE - clock.now()


def timeouts() -> int:
    return MoveRecord.objects.filter(author=MoveRecord.Author.CLOCK).count()


def about(span: timedelta, **time: int) -> bool:
    return abs(span - timedelta(**time)) < timedelta(seconds=5)


def test_b34_an_outage_over_ten_deadlines_times_nobody_out(alice, bob):
    services.keep_time()
    games = []
    for _ in range(10):  # deadlines 1, 4, ... 28 minutes after the site goes away
        games.append(table(alice, bob, pace="1h"))
        put_forward(minutes=3)
    put_forward(minutes=29)
    before = [left(game) for game in games]
    be_away(minutes=30)
    tasks.serve_overdue_games()
    assert timeouts() == 0
    for game, was in zip(games, before, strict=True):
        assert about(left(game) - was, minutes=0)  # what was left then is left now
        assert now(game).version == game.version + 1
    tasks.serve_overdue_games()
    assert {now(game).version for game in games} == {games[0].version + 1}
    put_forward(hours=1)
    tasks.serve_overdue_games()
    assert timeouts() == 10


def test_b34_a_restart_of_fifty_seconds_at_a_pace_of_thirty(alice, bob):
    services.keep_time()
    games = [table(alice, bob, pace="30s") for _ in range(10)]
    put_forward(seconds=10)
    be_away(seconds=50)
    tasks.serve_overdue_games()
    assert timeouts() == 0
    assert all(about(left(game), seconds=20) for game in games)


def test_a_turn_that_began_meanwhile_gets_back_what_it_has_lost(alice, bob):
    services.keep_time()
    game = table(alice, bob, pace="1h")
    be_away(minutes=20)
    services.act(person_in_turn(game), game.pk, first_move(game), game.version)
    be_away(minutes=10)
    services.keep_time()
    assert left(game) <= timedelta(hours=1)
    assert about(left(game), hours=1)


def test_a_short_pause_gives_nothing_back(alice, bob):
    services.keep_time()
    game = table(alice, bob, pace="30s")
    be_away(seconds=4)
    services.keep_time()
    assert now(game).version == game.version
    assert about(left(game), seconds=26)


def test_what_has_no_person_in_turn_is_not_moved_on(alice, bob):
    services.keep_time()
    lobby = services.create(alice, services.Terms("matatu", "rwanda", 3, pace="1d", public=True))
    endless = table(alice, bob, pace="none")
    before = [now(game).version for game in (lobby, endless)]
    be_away(minutes=30)
    tasks.serve_overdue_games()
    assert [now(game).version for game in (lobby, endless)] == before
    assert about(left(lobby), days=7, minutes=-30)


def test_two_sweeps_at_once_give_the_time_back_once(alice, bob):
    services.keep_time()
    game = table(alice, bob, pace="1h")
    be_away(minutes=30)
    assert at_once(*[services.keep_time] * 4) == [True] * 4
    assert about(left(game), hours=1)
    assert now(game).version == game.version + 1


def test_the_table_says_so_until_the_next_turn(alice, bob, browser_of):
    services.keep_time()
    game = table(alice, bob, pace="1h")
    be_away(minutes=30)
    services.keep_time()
    note = "The site was away. This turn got the time back: 30 minutes"
    reader = browser_of(alice)
    assert note in reader.get(f"/en/games/{game.pk}/").text
    game = now(game)
    services.act(person_in_turn(game), game.pk, first_move(game), game.version)
    assert note not in reader.get(f"/en/games/{game.pk}/").text


def test_frozen_clocks_stand_still_and_give_the_time_back(alice, bob, browser_of, capsys):
    services.keep_time()
    game = table(alice, bob, pace="30s")
    put_forward(seconds=10)
    for _ in range(2):  # twice is once
        call_command("freeze_clocks")
    reader = browser_of(alice)
    assert "The clocks stand still." in reader.get(f"/en/games/{game.pk}/").text
    be_away(minutes=10)
    assert tasks.serve_overdue_games() == 0
    assert timeouts() == 0
    for _ in range(2):
        call_command("release_clocks")
    assert about(left(game), seconds=20)
    assert tasks.serve_overdue_games() == 0
    put_forward(seconds=25)
    assert sweep() == 1
    said = ["Clocks are frozen.", "Clocks were frozen already."]
    said += ["Clocks run again.", "Clocks were not frozen."]
    assert capsys.readouterr().out.splitlines() == said


def test_people_can_move_while_clocks_are_frozen(alice, bob):
    services.keep_time()
    game = table(alice, bob, pace="1h")
    services.freeze()
    services.act(person_in_turn(game), game.pk, first_move(game), now(game).version)
    be_away(minutes=30)
    services.release()
    assert about(left(game), hours=1)
