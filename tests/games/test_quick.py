"""Quick games: whoever looks for people to play with now."""

from datetime import UTC, datetime, timedelta
from threading import Thread

import pytest
from django.db import connection
from django.test import Client

from accounts import ties
from accounts.models import User
from games import rules, services, tasks
from games.models import ClockOffset, Game, Seek
from games.services.lobby import USUAL_PRESETS
from games.services.pairing import ALIVE, group

NOW = datetime(2026, 12, 3, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)
TWO = services.Sought("matatu", 2, "60s")
THREE = services.Sought("matatu", 3, "60s")
THREE_OR_BOTS = services.Sought("matatu", 3, "60s", bots=True)


def put_forward(by: timedelta) -> None:
    offset, _ = ClockOffset.objects.get_or_create()
    offset.offset += by
    offset.save()


# --- Who plays with whom --------------------------------------------------------------------------


def waiting(*told: tuple[int, int, bool]) -> list[Seek]:
    """Whoever waits, as (key, seconds, bots)."""
    return [
        Seek(pk=key, user_id=key, bots=bots, asked_at=NOW - timedelta(seconds=seconds))
        for key, seconds, bots in told
    ]


@pytest.mark.parametrize(
    ("told", "seats", "apart", "chosen"),
    [
        ([], 2, [], []),
        ([(1, 5, False)], 2, [], []),
        ([(1, 500, False)], 2, [], []),  # no bots for who wants none, however long it takes
        ([(1, 5, False), (2, 1, False)], 2, [], [1, 2]),
        ([(1, 9, False), (2, 5, False), (3, 1, False)], 2, [], [1, 2]),  # the longest first
        ([(1, 9, False), (2, 5, False), (3, 1, False)], 2, [(1, 2)], [1, 3]),
        ([(1, 9, False), (2, 5, False), (3, 1, False)], 2, [(1, 2), (1, 3)], [2, 3]),
        ([(1, 9, False), (2, 5, False), (3, 1, False)], 3, [(2, 3)], []),
        ([(1, 29, True)], 2, [], []),
        ([(1, 30, True)], 2, [], [1]),
        ([(1, 99, False), (2, 30, True)], 3, [], [2]),  # the other goes on waiting for people
        ([(1, 30, True), (2, 5, True)], 3, [], [1, 2]),  # rather people than bots
        ([(1, 30, True), (2, 5, True)], 3, [(1, 2)], [1]),
        ([(1, 99, False), (2, 31, True), (3, 1, False)], 3, [], [1, 2, 3]),  # rather all people
    ],
)
def test_who_has_waited_longest_comes_first(told, seats, apart, chosen):
    pairs = [frozenset(pair) for pair in apart]
    assert [each.pk for each in group(waiting(*told), seats, pairs, NOW)] == chosen


def test_two_who_look_for_the_same_play(alice, bob):
    services.seek(alice, TWO)
    assert services.look_again(alice).game is None
    services.seek(bob, TWO)
    game = Game.objects.get()
    assert (game.status, game.pace, game.public, game.host) == ("playing", "60s", True, alice)
    assert [seat.user for seat in game.seats.order_by("number")] == [alice, bob]
    assert game.deadline is not None
    assert services.look_again(alice).game == services.look_again(bob).game == game


def test_other_wishes_are_no_match(alice, bob):
    services.seek(alice, TWO)
    for other in (
        services.Sought("maumau", 2, "60s"),
        services.Sought("matatu", 3, "60s"),
        services.Sought("matatu", 2, "30s"),
    ):
        services.seek(bob, other)
    assert not Game.objects.exists()
    services.seek(bob, TWO)
    assert Game.objects.count() == 1


def test_bots_come_for_who_has_agreed_when_the_time_is_over(alice, bob, charlie):
    services.seek(charlie, services.Sought("matatu", 4, "60s"))
    services.seek(alice, services.Sought("matatu", 4, "60s", bots=True))
    keep_alive(alice, charlie, seconds=10)
    services.seek(bob, services.Sought("matatu", 4, "60s", bots=True))
    keep_alive(alice, bob, charlie, seconds=19)
    assert not Game.objects.exists()
    keep_alive(alice, bob, charlie, seconds=1)
    game = Game.objects.get()
    who = list(game.seats.order_by("number").values_list("user__name", "bot"))
    assert who == [("Alice", ""), ("Bob", ""), (None, "easy"), (None, "easy")]
    assert services.look_again(charlie).game is None


def keep_alive(*people, seconds: int) -> None:
    put_forward(seconds * SECOND)
    for person in people:
        services.look_again(person)


def test_who_changes_to_bots_keeps_the_place(alice):
    services.seek(alice, THREE)
    keep_alive(alice, seconds=20)
    keep_alive(alice, seconds=11)
    assert not Game.objects.exists()
    services.seek(alice, THREE_OR_BOTS)
    assert Game.objects.get().seats.filter(bot="easy").count() == 2


def test_who_gives_no_sign_of_life_is_paired_with_nobody(alice, bob):
    services.seek(alice, TWO)
    put_forward(ALIVE + SECOND)
    assert services.look_again(alice) is None
    services.seek(bob, TWO)
    assert not Game.objects.exists()
    services.seek(alice, TWO)
    game = Game.objects.get()
    assert game.host == bob, "whoever was away waits anew"


def test_who_was_away_when_it_began_is_led_to_the_game(alice, bob):
    services.seek(alice, TWO)
    services.seek(bob, TWO)
    put_forward(ALIVE + SECOND)
    assert services.look_again(alice).game == Game.objects.get()
    services.act(alice, Game.objects.get().pk, rules.Move("resign"), 1)
    assert services.look_again(alice) is None, "it is over"


@pytest.mark.parametrize("is_blocker", [True, False])
def test_who_is_kept_apart_is_not_put_together(alice, bob, charlie, is_blocker):
    ties.block(*((alice, bob) if is_blocker else (bob, alice)))
    services.seek(alice, TWO)
    services.seek(bob, TWO)
    assert not Game.objects.exists()
    assert [each.user for each in services.seekers(alice)] == [alice]
    services.seek(charlie, TWO)
    assert set(Game.objects.get().seats.values_list("user", flat=True)) == {alice.pk, charlie.pk}


def test_who_stops_is_paired_with_nobody(alice, bob):
    services.seek(alice, TWO)
    services.stop_seeking(alice)
    services.stop_seeking(alice)
    services.seek(bob, TWO)
    assert not Game.objects.exists()


def test_who_cannot_sign_in_is_paired_with_nobody(alice, bob):
    services.seek(alice, TWO)
    User.objects.filter(pk=alice.pk).update(is_active=False)
    services.seek(bob, TWO)
    assert not Game.objects.exists()


def test_who_is_awaited_at_a_live_table_finishes_that_first(alice, bob, charlie):
    services.seek(alice, TWO)
    services.seek(bob, TWO)
    with pytest.raises(services.Refused, match="still_playing"):
        services.seek(alice, TWO)
    services.act(alice, Game.objects.get().pk, rules.Move("resign"), 1)
    services.seek(alice, TWO)
    services.seek(charlie, TWO)
    assert Game.objects.count() == 2


def test_a_game_with_bots_alone_keeps_nobody_from_people(alice):
    services.seek(alice, THREE_OR_BOTS)
    keep_alive(alice, seconds=20)
    keep_alive(alice, seconds=10)
    assert Game.objects.get().status == "playing"
    services.seek(alice, TWO)


def test_what_was_sought_is_told_in_the_own_data_and_soon_forgotten(alice, browser_of):
    services.seek(alice, TWO)
    (told,) = browser_of(alice).get("/en/accounts/data/").json()["sought"]
    assert (told["variant"], told["seat_count"], told["bots"]) == ("matatu", 2, False)
    assert tasks.forget_old_seeks() == 0
    put_forward(timedelta(hours=1, seconds=1))
    assert tasks.forget_old_seeks() == 1
    assert not Seek.objects.exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("seats", [2, 3])
def test_many_at_once_are_each_at_one_table(seats):
    people = [User.objects.create_user(f"Person{n}") for n in range(6)]
    sought = services.Sought("matatu", seats, "60s")

    def look(person: User) -> None:
        try:
            services.seek(person, sought)
            services.look_again(person)
        finally:
            connection.close()

    threads = [Thread(target=look, args=[person]) for person in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert Game.objects.count() == 6 // seats
    for person in people:
        assert Game.objects.of(person).count() == 1
    assert {game.seats.count() for game in Game.objects.all()} == {seats}


# --- The page -------------------------------------------------------------------------------------


SENT = {"game": "matatu", "seats": 2, "pace": "60s", "bots": "0"}


def test_a_name_is_enough_to_look_for_players(alice, browser_of, language):
    stranger, address = Client(), f"/{language}/quick/"
    assert stranger.get(address).status_code == 200
    assert stranger.post(address, SENT | {"name": "Keza"}).status_code == 302
    assert b"data-every" in stranger.get(address).content
    browser_of(alice).post(address, SENT)
    game = Game.objects.get()
    assert stranger.get(address).headers["Location"] == f"/{language}/games/{game.pk}/"
    assert {seat.user.name for seat in game.seats.all()} == {"Keza", "Alice"}


def test_the_script_is_led_to_the_table(alice, bob, browser_of):
    one, other = browser_of(alice), browser_of(bob)
    one.post("/en/quick/", SENT)
    assert b"data-go" not in one.get("/en/quick/", headers={"X-Fragment": "1"}).content
    other.post("/en/quick/", SENT)
    told = one.get("/en/quick/", headers={"X-Fragment": "1"}).content.decode()
    assert f'data-go="/en/games/{Game.objects.get().pk}/"' in told


def test_a_second_press_leads_to_the_game_of_the_first(alice, bob, browser_of):
    services.seek(bob, TWO)
    browser = browser_of(alice)
    for _ in range(2):
        answer = browser.post("/en/quick/", SENT, follow=True)
        assert answer.redirect_chain[-1][0] == f"/en/games/{Game.objects.get().pk}/"


def test_who_is_awaited_at_another_table_is_told(alice, bob, browser_of):
    game = services.create(alice, services.Terms("matatu", "rwanda", 2, pace="30s"))
    services.join(bob, game.pk)
    answer = browser_of(alice).post("/en/quick/", SENT)
    assert (answer.status_code, "Finish that game first" in answer.text) == (409, True)


def test_one_press_joins_who_waits(alice, bob, browser_of):
    services.seek(alice, services.Sought("maumau", 4, "2m"))
    shown = browser_of(bob).get("/en/quick/").content.decode()
    assert "1 person is waiting." in shown
    assert 'name="pace" value="2m"' in shown
    ties.block(alice, bob)
    assert "1 person is waiting." not in browser_of(bob).get("/en/quick/").content.decode()


def test_stopping_leads_back_to_the_question(alice, browser_of):
    browser = browser_of(alice)
    browser.post("/en/quick/", SENT)
    assert browser.post("/en/quick/", {"do": "stop"}).status_code == 302
    shown = browser.get("/en/quick/").content.decode()
    assert "data-every" not in shown
    assert "You were away" not in shown
    assert Client().post("/en/quick/", {"do": "stop"}).status_code == 302


def test_who_was_away_is_told(alice, browser_of):
    browser = browser_of(alice)
    browser.post("/en/quick/", SENT)
    put_forward(ALIVE + SECOND)
    assert "You were away" in browser.get("/en/quick/").content.decode()


@pytest.mark.parametrize(
    "wrong",
    [{"game": "poker"}, {"seats": 7}, {"seats": "x"}, {"pace": "1d"}, {"pace": ""}, {"bots": "2"}],
)
def test_only_what_there_is_can_be_sought(alice, browser_of, wrong):
    assert browser_of(alice).post("/en/quick/", SENT | wrong).status_code == 400
    assert not Seek.objects.exists()


@pytest.mark.parametrize("game", USUAL_PRESETS)
def test_each_number_of_players_has_a_game_or_is_refused(db, browser_of, game):
    """Six cannot play Mau-Mau with 32 cards (MM-3)."""
    people = [User.objects.create_user(f"Person {n}") for n in range(6)]
    refused = []
    for seats in range(2, 7):
        for person in people[:seats]:
            sent = SENT | {"game": game, "seats": seats}
            if browser_of(person).post("/en/quick/", sent).status_code == 400:
                refused.append(seats)
        began = Game.objects.filter(seat_count=seats)
        assert began.exists() != (seats in refused)
        began.update(pace="1d")  # nobody is awaited at a live table
    assert set(refused) == ({6} if game == "maumau" else set())


def test_a_wrong_choice_leaves_the_name_that_was_typed(db):
    sent = SENT | {"game": "maumau", "seats": 6, "name": "Mukundwa"}
    answer = Client().post("/en/quick/", sent)
    assert answer.status_code == 400
    assert 'value="Mukundwa"' in answer.text
    assert not User.objects.exists()


def test_a_name_that_is_taken_is_said(alice):
    answer = Client().post("/en/quick/", SENT | {"name": "alice"})
    assert answer.status_code == 400
    assert 'value="alice"' in answer.content.decode()
    assert not Seek.objects.exists()


def test_nobody_looks_without_end(alice, browser_of):
    browser = browser_of(alice)
    answers = [browser.post("/en/quick/", SENT).status_code for _ in range(61)]
    assert answers == [302] * 60 + [429]
