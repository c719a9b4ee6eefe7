"""A move over HTTP: CONTRACTS section 3, answer by answer."""

import pytest

from games import rules, services
from games.models import Game
from tests.games.playing import fields_of, first_move, person_in_turn

SCRIPT = {"X-Fragment": "1"}


@pytest.fixture
def url(game) -> str:
    return f"/en/games/{game.pk}/moves/"


@pytest.fixture
def mover(game):
    return person_in_turn(game)


@pytest.fixture
def waiter(game, alice, bob, mover):
    return alice if mover == bob else bob


def version_of(game) -> int:
    return Game.objects.get(pk=game.pk).version


def test_a_plain_form_is_led_back_to_the_table(game, url, mover, browser_of):
    answer = browser_of(mover).post(url, fields_of(first_move(game), game.version))
    assert answer.status_code == 303
    assert answer["Location"] == f"/en/games/{game.pk}/"
    assert version_of(game) == game.version + 1


def test_a_script_gets_the_fragment(game, url, mover, browser_of):
    answer = browser_of(mover).post(url, fields_of(first_move(game), game.version), headers=SCRIPT)
    assert answer.status_code == 200
    assert f'data-version="{game.version + 1}"' in answer.text
    assert "<html" not in answer.text


def test_an_exact_repeat_is_answered_as_the_first(game, url, mover, browser_of):
    client = browser_of(mover)
    fields = fields_of(first_move(game), game.version)
    client.post(url, fields, headers=SCRIPT)
    again = client.post(url, fields, headers=SCRIPT)
    assert again.status_code == 200
    assert version_of(game) == game.version + 1
    assert client.post(url, fields).status_code == 303


def test_an_old_version_gets_the_table_as_it_is_now(game, url, mover, browser_of):
    client = browser_of(mover)
    client.post(url, fields_of(first_move(game), game.version))
    other = {"version": game.version, "do": "pass"}
    answer = client.post(url, other, headers=SCRIPT)
    assert answer.status_code == 409
    assert f'data-version="{game.version + 1}"' in answer.text


def test_a_version_from_the_future_is_stale_too(game, url, mover, browser_of):
    fields = fields_of(first_move(game), game.version + 5)
    assert browser_of(mover).post(url, fields, headers=SCRIPT).status_code == 409
    assert version_of(game) == game.version


def test_a_move_out_of_turn_is_refused_with_the_rule(game, url, waiter, browser_of):
    answer = browser_of(waiter).post(url, {"version": game.version, "do": "draw"}, headers=SCRIPT)
    assert answer.status_code == 422
    assert "It is not your turn." in answer.text
    assert version_of(game) == game.version


def test_a_refusal_is_said_in_the_readers_language(game, waiter, browser_of):
    answer = browser_of(waiter).post(
        f"/de/games/{game.pk}/moves/", {"version": game.version, "do": "draw"}
    )
    assert answer.status_code == 422
    assert "Sie sind nicht am Zug." in answer.text


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"do": "draw"},
        {"version": "x", "do": "draw"},
        {"version": -1, "do": "draw"},
        {"version": 10**30, "do": "draw"},
        {"version": 1, "do": "win"},
        {"version": 1, "do": "timeout"},
        {"version": 1, "do": "play"},
        {"version": 1, "do": "play", "card": "1S"},
        {"version": 1, "do": "play", "card": "♠♠♠♠♠♠"},
        {"version": 1, "do": "play", "card": "7H\x00"},
        {"version": 1, "do": "play", "card": "7H", "suit": "X"},
        {"version": 1, "do": "play", "card": "7H", "cut": "yes"},
        {"version": 1, "do": "accuse"},
        {"version": 1, "do": "accuse", "target": 99},
    ],
)
def test_what_cannot_be_read_is_400(game, url, mover, browser_of, fields):
    answer = browser_of(mover).post(url, fields)
    assert answer.status_code == 400
    assert "This move could not be read." in answer.text
    assert version_of(game) == game.version


def test_who_is_not_signed_in_is_led_to_the_login(game, url, client):
    plain = client.post(url, {"version": 1, "do": "draw"})
    assert plain.status_code == 303
    assert "/accounts/login/" in plain["Location"]
    assert client.post(url, {"version": 1, "do": "draw"}, headers=SCRIPT).status_code == 403


def test_a_stranger_learns_nothing_of_a_private_table(game, url, charlie, browser_of):
    stranger = browser_of(charlie)
    assert stranger.post(url, {"version": 1, "do": "draw"}).status_code == 404
    assert stranger.get(f"/en/games/{game.pk}/").status_code == 404
    assert stranger.get(f"/games/{game.pk}/record.json").status_code == 404


def test_a_spectator_of_a_public_table_may_not_move(game, url, charlie, browser_of):
    Game.objects.filter(pk=game.pk).update(public=True)
    answer = browser_of(charlie).post(url, {"version": game.version, "do": "draw"})
    assert answer.status_code == 403
    assert version_of(game) == game.version


def test_the_seat_comes_from_the_session_and_nothing_else(game, url, waiter, mover, browser_of):
    fields = fields_of(first_move(game), game.version) | {"seat": game.turn, "user": mover.pk}
    assert browser_of(waiter).post(url, fields).status_code == 422
    assert version_of(game) == game.version


def test_without_a_token_nothing_happens(game, url, mover, browser_of):
    answer = browser_of(mover, enforce_csrf_checks=True).post(
        url, fields_of(first_move(game), game.version)
    )
    assert answer.status_code == 403
    assert "Nothing was changed." in answer.text
    assert version_of(game) == game.version


def test_a_get_never_moves(game, url, mover, browser_of):
    fields = fields_of(first_move(game), game.version)
    assert browser_of(mover).get(url, fields).status_code == 405
    assert version_of(game) == game.version


def test_resigning_ends_a_game_of_two_and_is_not_judged_by_the_version(
    game, url, waiter, mover, browser_of
):
    services.act(mover, game.pk, first_move(game), game.version)
    answer = browser_of(waiter).post(url, {"version": game.version, "do": "resign"})
    assert answer.status_code == 303
    game.refresh_from_db()
    assert (game.status, game.reason) == (Game.Status.FINISHED, "last_player")
    assert game.seats.get(user=mover).place == 1
    assert game.seats.get(user=waiter).points is None


def test_after_the_end_a_move_is_refused(game, url, mover, waiter, browser_of):
    services.act(waiter, game.pk, rules.Move(do="resign"), game.version)
    answer = browser_of(mover).post(url, {"version": game.version + 1, "do": "draw"})
    assert answer.status_code == 422
    assert "The game is over." in answer.text
