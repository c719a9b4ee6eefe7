"""Who plays at once, by a name alone, and what is kept when a guest becomes more than that."""

import html
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection
from django.test import Client

from accounts import guests
from accounts.models import User
from games import sentences, services, views
from games.models import Game
from tests.live import empty_cache

PASSWORD = "a long pass phrase"


@pytest.mark.parametrize("variant", ["matatu", "maumau"])
def test_a_name_and_one_press_lead_a_stranger_to_a_running_game(client, db, variant):
    answer = client.post("/de/play/", {"name": "  Imbuto ", "game": variant})
    game = Game.objects.get()
    assert answer["Location"] == f"/de/games/{game.pk}/"
    assert (game.status, game.variant) == (Game.Status.PLAYING, variant)
    assert game.deadline is None or not game.seat_in_turn().user_id  # no hurry for a person
    guest = User.objects.get()
    assert (guest.name, guest.is_guest, guest.language) == ("Imbuto", True, "de")
    assert [(seat.user, seat.bot) for seat in game.seats.order_by("number")] == [
        (guest, ""),
        (None, "easy"),
        (None, "easy"),
    ]
    assert client.get(answer["Location"]).status_code == 200


def test_the_name_that_is_suggested_will_do(client, db):
    page = client.get("/rw/play/")
    name = page.context["form"]["name"].value()
    assert name.startswith("Umushyitsi ")
    assert client.post("/rw/play/", {"name": name, "game": "matatu"}).status_code == 302


def test_who_is_signed_in_is_asked_for_nothing(alice, browser_of):
    browser = browser_of(alice)
    assert 'name="name"' not in browser.get("/en/play/").text
    browser.post("/en/play/", {"game": "maumau", "name": "Other"})
    assert Game.objects.get().host == alice
    assert User.objects.count() == 1


def test_who_has_too_many_tables_open_is_told_so(alice, browser_of):
    for _ in range(5):
        services.create(alice, services.Terms("matatu", "rwanda", 2))
    answer = browser_of(alice).post("/en/play/", {"game": "matatu"})
    assert answer.status_code == 409
    assert sentences.lobby_refusal("too_many_tables") in html.unescape(answer.text)
    assert Game.objects.count() == 5


def test_two_presses_begin_one_game(alice, browser_of, monkeypatch):
    browser, sent = browser_of(alice), {"game": "matatu"}
    first, second = browser.post("/en/play/", sent), browser.post("/en/play/", sent)
    game = Game.objects.get()
    assert first["Location"] == f"/en/games/{game.pk}/"
    assert game.pk in browser.get(second["Location"]).text
    empty_cache()  # a while later
    monkeypatch.setattr(views, "BOT_GAMES_AN_HOUR", 1)
    assert browser.post("/en/play/", sent).status_code == 302
    assert browser.post("/en/play/", sent).status_code == 429
    assert Game.objects.count() == 2


@pytest.mark.parametrize("name", ["aLICE", "Al\u0456ce", "x", "", "a\0b", "\u202eecilA"])
def test_a_name_that_cannot_be_had_makes_nobody_and_no_game(client, alice, lobby, name):
    for address, sent in (("play/", {"game": "matatu"}), (f"join/{lobby.code}/", {})):
        answer = client.post(f"/en/{address}", {"name": name, **sent})
        assert answer.status_code == 400
        assert answer.context["form"].errors
    assert "_auth_user_id" not in client.session
    assert User.objects.count() == Game.objects.count() == lobby.seats.count() == 1


def test_a_game_that_there_is_not_makes_no_guest(client, db):
    assert client.post("/en/play/", {"name": "Imbuto", "game": "chess"}).status_code == 400
    assert not User.objects.exists()


def test_a_link_and_a_name_lead_a_stranger_to_the_seat(client, lobby):
    answer = client.post(f"/en/join/{lobby.code}/", {"name": "Imbuto"})
    assert answer["Location"] == f"/en/games/{lobby.pk}/"
    assert lobby.seats.get(number=1).user.is_guest
    again = client.get(f"/en/join/{lobby.code}/")
    assert again["Location"] == f"/en/games/{lobby.pk}/"
    assert client.post(f"/en/join/{lobby.code}/", {"name": "Another"}).status_code == 302
    assert User.objects.count() == 2


def test_where_nobody_can_join_nobody_is_made(client, game):
    assert client.post(f"/en/join/{game.code}/", {"name": "Imbuto"}).status_code == 409
    assert User.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_two_presses_of_one_form_make_one_guest(db):
    alice = User.objects.create_user("Alice")
    lobby = services.create(alice, services.Terms("matatu", "rwanda", 4))
    browser = Client(enforce_csrf_checks=True)
    page = browser.get(f"/en/join/{lobby.code}/")
    cookie, token = browser.cookies["csrftoken"].value, page.context["csrf_token"]
    together = Barrier(2)

    def press() -> int:
        other = Client(enforce_csrf_checks=True)
        other.cookies["csrftoken"] = cookie
        together.wait(10)
        sent = {"name": "Imbuto", "csrfmiddlewaretoken": str(token)}
        try:
            return other.post(f"/en/join/{lobby.code}/", sent).status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        assert [press.result() for press in [pool.submit(press) for _ in range(2)]] == [302, 302]
    assert press_later(browser, lobby, str(token)) == 302
    assert User.objects.filter(name="Imbuto").count() == 1
    assert lobby.seats.count() == 2


def press_later(browser: Client, lobby: Game, token: str) -> int:
    """Go Back to the old page, whose form has the old token, and press again."""
    sent = {"name": "Imbuto", "csrfmiddlewaretoken": token}
    return browser.post(f"/en/join/{lobby.code}/", sent).status_code


def test_another_browser_does_not_become_a_guest_by_his_name(client, lobby):
    client.post(f"/en/join/{lobby.code}/", {"name": "Imbuto"})
    stranger = Client()
    assert stranger.post("/en/play/", {"name": "imbuto", "game": "matatu"}).status_code == 400
    assert "_auth_user_id" not in stranger.session


def test_guests_from_one_address_are_counted(client, db, monkeypatch):
    monkeypatch.setattr(guests, "MOST_AN_HOUR", 1)
    assert client.post("/en/play/", {"name": "First", "game": "matatu"}).status_code == 302
    answer = Client().post("/en/play/", {"name": "Second", "game": "matatu"})
    assert answer.status_code == 429
    assert "Too fast" in answer.text
    assert User.objects.count() == 1


def test_a_guest_who_sets_a_password_keeps_everything(client, lobby):
    client.post(f"/en/join/{lobby.code}/", {"name": "Imbuto"})
    guest = User.objects.get(name="Imbuto")
    User.objects.filter(pk=guest.pk).update(left_handed=True)
    page = client.get(f"/en/games/{lobby.pk}/").text
    assert "/en/accounts/password/set/" in page
    assert 'value="Imbuto"' in client.get("/en/accounts/password/set/").text
    kept = client.post("/en/accounts/password/set/", {"username": "IMBUTO", "password1": PASSWORD})
    assert kept.status_code == 302
    guest.refresh_from_db()
    assert (guest.name, guest.is_guest, guest.left_handed) == ("IMBUTO", False, True)
    assert client.get(f"/en/games/{lobby.pk}/").status_code == 200  # this browser stays signed in
    elsewhere = Client()
    assert elsewhere.login(username="imbuto", password=PASSWORD)
    assert elsewhere.get(f"/en/games/{lobby.pk}/").context["game"]["viewer_seat"] == 1


def test_a_guest_takes_nobodys_name(client, alice, lobby):
    client.post(f"/en/join/{lobby.code}/", {"name": "Imbuto"})
    sent = {"username": "aLiCe", "password1": PASSWORD}
    assert "already taken" in client.post("/en/accounts/password/set/", sent).text
    guest = User.objects.get(name="Imbuto")
    assert guest.is_guest


def test_a_guest_is_warned_before_signing_out(client, lobby):
    client.post(f"/en/join/{lobby.code}/", {"name": "Imbuto"})
    table = client.get(f"/en/games/{lobby.pk}/").text
    assert '<form method="post" action="/en/accounts/logout/"' not in table
    assert "/en/accounts/password/set/" in client.get("/en/accounts/logout/").text
