"""People who sleep, go on holiday, lose their line or vanish, and a clock that knows of it."""

from datetime import UTC, datetime, timedelta

import pytest

from accounts.models import User
from games import clock, services, tasks
from games.models import ClockOffset, Game, Holiday, MoveRecord
from games.presenters import present, read
from games.services.change import GRACE
from tests.games.playing import first_move, person_in_turn
from tests.games.test_clock import _movable_clock, let_bots_play, now, put_forward, sweep, table

__all__ = ["_movable_clock"]  # a fixture, for every test here
pytestmark = pytest.mark.django_db(transaction=True)
SECOND = timedelta(seconds=1)


def let_it_be(instant: datetime) -> datetime:
    """Set the clock to an instant, and return it."""
    row, _ = ClockOffset.objects.get_or_create(pk=1)
    row.offset = instant - clock.unmoved()
    row.save()
    return instant


def people_live_in(zone: str, begins: int = 22, ends: int = 7) -> None:
    User.objects.update(time_zone=zone, quiet_from=begins, quiet_until=ends)


def two_at(pace: str, alice, bob) -> Game:
    """A table whose turn has just begun, of two who sleep at night and take holidays."""
    game = services.create(alice, services.Terms("matatu", "rwanda", 2, pace=pace))
    services.join(bob, game.pk)
    return now(game)


def due(game: Game) -> datetime:
    return now(game).deadline - GRACE


def clocks_acts() -> int:
    return MoveRecord.objects.filter(author=MoveRecord.Author.CLOCK).count()


def near(one: datetime, other: datetime) -> bool:
    return abs(one - other) < timedelta(seconds=5)


# --- Nights ---------------------------------------------------------------------------------------


def test_at_night_the_clock_stands_still(alice, bob):
    people_live_in("Africa/Kigali")
    evening = let_it_be(datetime(2026, 12, 1, 19, tzinfo=UTC))  # nine in Kigali
    game = two_at("12h", alice, bob)
    assert near(due(game), evening + timedelta(hours=12 + 9))
    put_forward(hours=13)
    assert not sweep()
    shown = present(read(game.pk, alice), alice)
    assert shown["time_note"] == "", "it is ten in the morning"


def test_the_table_says_that_it_is_night_and_until_when(alice, bob):
    people_live_in("Africa/Kigali")
    let_it_be(datetime(2026, 12, 1, 19, tzinfo=UTC))
    game = two_at("12h", alice, bob)
    put_forward(hours=2)
    mine = person_in_turn(game)
    other = bob if mine == alice else alice
    assert "These are your quiet hours" in present(read(game.pk, mine), mine)["time_note"]
    note = present(read(game.pk, other), other)["time_note"]
    assert mine.name in note
    assert "5 a.m. (UTC)" in note, "seven in Kigali, told in the reader's own zone"


def test_at_tables_of_minutes_nobody_sleeps(alice, bob):
    people_live_in("Africa/Kigali")
    night = let_it_be(datetime(2026, 12, 1, 23, tzinfo=UTC))
    assert near(due(two_at("2m", alice, bob)), night + timedelta(minutes=2))


def test_a_change_of_the_quiet_hours_holds_from_the_next_turn(alice, bob):
    people_live_in("Africa/Kigali")
    evening = let_it_be(datetime(2026, 12, 1, 19, tzinfo=UTC))
    game = two_at("12h", alice, bob)
    people_live_in("Africa/Kigali", 12, 12)
    services.act(
        person_in_turn(game), game.pk, first_move(game), game.version
    )  # no turn has changed
    game = now(game)
    assert near(due(game), evening + timedelta(hours=12)), "the next turn knows it"


def test_b29_what_falls_due_while_the_clocks_change_is_done_once_and_in_time(alice, bob):
    """From 2026-10-25 00:50Z to 02:10Z Berlin's clocks say 02:50, then 02:00 again, to 03:10."""
    people_live_in("Europe/Berlin", 0, 0)
    User.objects.update(holidays_by_themselves=False)
    due_at = []
    for hour, minute in ((0, 55), (1, 5), (1, 55)):
        due_at.append(datetime(2026, 10, 25, hour, minute, tzinfo=UTC))
        let_it_be(due_at[-1] - timedelta(hours=1))
        two_at("1h", alice, bob)
    acts = []
    for minute in range(80):
        at = let_it_be(datetime(2026, 10, 25, 0, 50, tzinfo=UTC) + timedelta(minutes=minute))
        tasks.serve_overdue_games()
        acts += [at] * (MoveRecord.objects.filter(number=1).count() - len(acts))
    assert len(acts) == 3
    assert clocks_acts() == 5, "the next turns of the first two have run out as well, no other"
    for at, act in zip(due_at, acts, strict=True):
        assert timedelta(0) <= act - at <= timedelta(minutes=2)


# --- In the second of the deadline ----------------------------------------------------------------


def test_in_the_second_of_the_deadline_the_move_is_the_players(alice, bob):
    game = table(alice, bob, pace="60s")
    put_forward(seconds=60)
    assert not sweep()
    services.act(person_in_turn(game), game.pk, first_move(game), game.version)
    assert clocks_acts() == 0


# --- Holidays -------------------------------------------------------------------------------------


def test_a_holiday_stops_the_clocks_at_tables_of_days_and_only_there(alice, bob):
    people_live_in("UTC", 0, 0)
    slow, quick = two_at("1d", alice, bob), two_at("1h", alice, bob)
    mine = person_in_turn(slow)
    before = due(slow), due(quick)
    services.go(mine)
    assert near(due(slow), before[0] + timedelta(days=14))
    if person_in_turn(quick) == mine:
        assert due(quick) == before[1]
    put_forward(days=3)
    services.come_home(mine)
    assert near(due(slow), before[0] + timedelta(days=3))
    services.come_home(mine)
    assert now(slow).version == game_versions(slow, 2), "coming home twice is coming home once"


def game_versions(game: Game, more: int) -> int:
    return game.version + more


def test_a_turn_that_begins_on_holiday_stands_still_too(alice, bob):
    people_live_in("UTC", 0, 0)
    game = two_at("1d", alice, bob)
    mover = person_in_turn(game)
    other = bob if mover == alice else alice
    services.go(other)
    while person_in_turn(game) == mover:
        services.act(mover, game.pk, first_move(game), game.version)
        game = now(game)
    assert due(game) - clock.now() > timedelta(days=14, hours=23)
    shown = present(read(game.pk, mover), mover)
    assert f"{other.name} is on holiday" in shown["time_note"]
    other_move = first_move(game)
    services.act(other, game.pk, other_move, game.version)  # one may play on holiday


def test_the_bank_is_fourteen_days_a_year(alice, bob):
    people_live_in("UTC", 0, 0)
    let_it_be(datetime(2026, 6, 1, 12, tzinfo=UTC))
    for _ in range(2):
        services.go(alice)
        put_forward(days=6)
        services.come_home(alice)
    holiday = services.go(alice)
    assert near(holiday.ends_at, clock.now() + timedelta(days=2))
    assert services.go(alice) == holiday, "going twice is going once"
    put_forward(days=3)
    with pytest.raises(services.Refused, match="no_holidays_left"):
        services.go(alice)
    let_it_be(datetime(2027, 1, 2, 12, tzinfo=UTC))
    assert services.go(alice)


def test_a_day_of_holiday_is_taken_where_a_turn_would_be_missed(alice, bob):
    people_live_in("UTC", 0, 0)
    let_it_be(datetime(2026, 6, 1, 12, tzinfo=UTC))
    game = two_at("1d", alice, bob)
    mine = person_in_turn(game)
    for day in range(1, 15):
        put_forward(days=1, seconds=10)
        sweep()
        assert clocks_acts() == 0
        assert now(game).turn == game.turn
        assert Holiday.objects.filter(user=mine, automatic=True).count() == day
    for _ in range(3):
        put_forward(days=1, seconds=10)
        sweep()
    assert clocks_acts() >= 1, "the bank is empty: no game is held for ever"


def test_who_wants_no_holidays_by_themselves_misses_the_turn(alice, bob):
    people_live_in("UTC", 0, 0)
    User.objects.update(holidays_by_themselves=False)
    two_at("1d", alice, bob)
    put_forward(days=1, seconds=10)
    assert sweep() == 1
    assert clocks_acts() == 1
    assert not Holiday.objects.exists()


def test_who_plays_ends_the_holiday_that_was_taken_for_want_of_a_move(alice, bob):
    people_live_in("UTC", 0, 0)
    game = two_at("1d", alice, bob)
    mine = person_in_turn(game)
    put_forward(days=1, seconds=10)
    sweep()
    game = now(game)
    services.act(mine, game.pk, first_move(game), game.version)
    assert Holiday.objects.get().ends_at <= clock.now()


def test_who_plays_at_one_table_is_home_at_all(alice, bob):
    """Else the others would wait for a day at the tables where he has not played yet."""
    people_live_in("UTC", 0, 0)
    game, another = two_at("1d", alice, bob), two_at("1d", alice, bob)
    while person_in_turn(another) != person_in_turn(game):
        another = two_at("1d", alice, bob)
    mine = person_in_turn(game)
    put_forward(days=1, seconds=10)
    sweep()
    game = now(game)
    held = due(another)
    assert held > clock.now() + timedelta(hours=23)
    put_forward(hours=3)
    services.act(mine, game.pk, first_move(game), game.version)
    assert near(due(another), held - timedelta(hours=21))


# --- The line -------------------------------------------------------------------------------------


def test_who_has_lost_the_line_stops_the_clock_once_in_a_game(alice, bob):
    game = table(alice, bob, pace="60s")
    mine = person_in_turn(game)
    other = bob if mine == alice else alice
    with pytest.raises(services.Refused, match="not_your_turn"):
        services.pause_for_line(other, game.pk)
    put_forward(seconds=30)
    before = due(game)
    services.pause_for_line(mine, game.pk)
    services.pause_for_line(mine, game.pk)  # a double press
    assert near(due(game), before + timedelta(seconds=60))
    note = present(read(game.pk, other), other)["time_note"]
    assert note.startswith(f"The line or power of {mine.name} has failed.")
    put_forward(seconds=100)
    while not (clocks_acts() >= 2 and person_in_turn(now(game)) == mine):
        put_forward(seconds=62)
        sweep()
    with pytest.raises(services.Refused, match="line_pause_taken"):
        services.pause_for_line(mine, game.pk)


def test_the_line_can_fail_in_the_last_second(alice, bob):
    game = table(alice, bob, pace="60s")
    put_forward(seconds=60)
    services.pause_for_line(person_in_turn(game), game.pk)
    assert due(game) - clock.now() > timedelta(seconds=55)


def test_without_a_clock_there_is_nothing_to_stop(alice, bob):
    game = table(alice, bob, pace="none")
    with pytest.raises(services.Refused, match="no_clock"):
        services.pause_for_line(person_in_turn(game), game.pk)


# --- Votes ----------------------------------------------------------------------------------------


def with_charlie_absent(alice, bob, charlie) -> Game:
    """A table of days at which charlie has missed too many turns."""
    game = table(alice, bob, charlie, options={"max_timeouts": 1})
    for _ in range(20):
        game = let_bots_play(now(game))
        if game.seats.get(user=charlie).absent:
            return game
        if person_in_turn(game) == charlie:
            put_forward(days=1, seconds=5)
            assert sweep()
        else:
            services.act(person_in_turn(game), game.pk, first_move(game), game.version)
    pytest.fail("charlie is never absent")


def test_all_who_are_there_can_end_a_game_whose_player_has_vanished(alice, bob, charlie):
    game = with_charlie_absent(alice, bob, charlie)
    for stranger in (charlie,):
        with pytest.raises(services.Refused, match="nothing_to_vote_on"):
            services.vote(stranger, game.pk, "end")
    services.vote(alice, game.pk, "end")
    assert now(game).status == Game.Status.PLAYING, "no power hangs on one alone"
    shown = present(read(game.pk, bob), bob)["votes"]
    assert [choice["count_text"] for choice in shown["choices"]] == ["0 of 2", "0 of 2", "1 of 2"]
    services.vote(bob, game.pk, "end")
    assert (now(game).status, now(game).reason) == (Game.Status.FINISHED, "abandoned")


def test_more_than_half_can_wait_a_turn_more(alice, bob, charlie):
    game = with_charlie_absent(alice, bob, charlie)
    services.vote(alice, game.pk, "wait")
    services.vote(bob, game.pk, "wait")
    game = now(game)
    assert not game.seats.get(user=charlie).absent
    assert set(game.seats.values_list("vote", flat=True)) == {""}
    while person_in_turn(game) != charlie:
        services.act(person_in_turn(game), game.pk, first_move(game), game.version)
        game = now(game)
    put_forward(hours=23)
    assert not sweep(), "a whole turn"
    put_forward(hours=2)
    sweep()
    assert now(game).seats.get(user=charlie).absent


def test_who_comes_back_makes_the_votes_void(alice, bob, charlie):
    game = with_charlie_absent(alice, bob, charlie)
    services.vote(alice, game.pk, "end")
    services.come_back(charlie, game.pk)
    assert set(game.seats.values_list("vote", flat=True)) == {""}
    assert present(read(game.pk, bob), bob)["votes"] == {}
    with pytest.raises(services.Refused, match="nothing_to_vote_on"):
        services.vote(bob, game.pk, "end")


def test_the_page_votes_pauses_and_goes_on_holiday(alice, bob, charlie, browser_of):
    game = with_charlie_absent(alice, bob, charlie)
    browser = browser_of(alice)
    assert 'name="vote" value="wait"' in browser.get(f"/en/games/{game.pk}/").text
    assert browser.post(f"/en/games/{game.pk}/vote/", {"vote": "x"}).status_code == 400
    assert browser.post(f"/en/games/{game.pk}/vote/", {"vote": "bot"}).status_code == 302
    assert browser.post("/en/holiday/", {"go": "1"}).status_code == 302
    assert "I am back from holiday" in browser.get("/en/games/").text
    assert browser.post("/en/holiday/", {"go": "0"}).status_code == 302
    assert "Go on holiday" in browser.get("/en/games/").text
    mover = person_in_turn(let_bots_play(now(game)))
    theirs = browser_of(mover)
    assert "/line/" in theirs.get(f"/en/games/{game.pk}/").text
    assert theirs.post(f"/en/games/{game.pk}/line/").status_code == 302
    assert "Your line or power has failed" in theirs.get(f"/en/games/{game.pk}/").text
